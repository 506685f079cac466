"""The doctor on machines with each trouble: no port, no right, in use, the wrong device, programs that grab the box."""

from __future__ import annotations

import errno
import os
import re
import tty
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import serial
from serial.tools.list_ports_common import ListPortInfo

from companion.core.inputs import BoxInput
from firmware_bridge.constants import FIRMWARE_VERSION, Board, StartCause
from firmware_bridge.doctor.bootloader import Bootloader
from firmware_bridge.doctor.examine import examine
from firmware_bridge.doctor.finding import RULE, Finding, Verdict
from firmware_bridge.doctor.listening import Heard
from firmware_bridge.doctor.machine import Machine
from firmware_bridge.messages import About, Hello
from firmware_bridge.ports import BOARD_IDS, PortError, PortTrouble, SerialPort, SerialSource, board_name, explain

DIALOUT = 20


def port_info(device: str, vid: int, pid: int, number: str | None = None, location: str | None = None) -> ListPortInfo:
    info = ListPortInfo(device, skip_link_detection=True)
    info.vid, info.pid, info.serial_number, info.location = vid, pid, number, location
    return info


class FakeMachine:
    """A root folder with the files that the doctor reads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("/etc/group", f"root:x:0:\ndialout:x:{DIALOUT}:\n")

    def write(self, path: str, text: str) -> Path:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def usb(self, vendor: int, product: int) -> None:
        self.write("/sys/bus/usb/devices/1-2/idVendor", f"{vendor:04x}\n")
        self.write("/sys/bus/usb/devices/1-2/idProduct", f"{product:04x}\n")

    def program(self, pid: int, name: str, *opened: str) -> None:
        self.write(f"/proc/{pid}/comm", name + "\n")
        folder = self.root / f"proc/{pid}/fd"
        folder.mkdir()
        for number, target in enumerate(opened):
            (folder / str(number)).symlink_to(target)

    def device(self, path: str, mode: int = 0o660) -> None:
        self.write(path, "").chmod(mode)

    def seen_by(self, uid: int = 1000, *gids: int) -> Machine:
        return Machine(self.root, uid, frozenset(gids or (1000,)))


@pytest.fixture
def fake(tmp_path: Path) -> FakeMachine:
    return FakeMachine(tmp_path)


UNO = port_info("/dev/ttyACM0", 0x2341, 0x0043, "85430")


def hello(firmware: int = FIRMWARE_VERSION, cause: StartCause = StartCause.POWER_ON, following: int = 1) -> Hello:
    return Hello(0x12345678, 3, firmware, 0, 1, following, 250, 0, About(Board.ATMEGA328P, cause, 150, 75))


GOOD = Heard(bytes=100, hello=hello(), round_trip_ms=4.2, frames=20)


def trouble(findings: list[Finding]) -> Finding:
    (found,) = (finding for finding in findings if finding.verdict is Verdict.TROUBLE)
    return found


def test_nothing_plugged_in_asks_for_a_data_cable(fake: FakeMachine) -> None:
    finding = trouble(examine("auto", fake.seen_by(), comports=list))
    assert "carries data" in finding.text
    assert finding.command == "lsusb"


@pytest.mark.parametrize(
    ("vendor", "product", "command"),
    [(0x1A86, 0x7523, "modprobe ch341"), (0x2341, 0x0043, "modprobe cdc_acm"), (0x0403, 0x6001, "modprobe ftdi_sio")],
)
def test_board_without_a_port_needs_its_driver(fake: FakeMachine, vendor: int, product: int, command: str) -> None:
    fake.usb(vendor, product)
    finding = trouble(examine("auto", fake.seen_by(), comports=list))
    assert "driver is not loaded" in finding.text
    assert command in finding.command


def test_brltty_that_took_the_board_is_named(fake: FakeMachine) -> None:
    fake.usb(0x1A86, 0x7523)
    fake.program(77, "brltty")
    finding = trouble(examine("auto", fake.seen_by(), comports=list))
    assert "brltty" in finding.text
    assert "pid 77" in finding.text
    assert "apt remove brltty" in finding.command


def test_port_that_is_not_there_lists_those_that_are(fake: FakeMachine) -> None:
    finding = trouble(examine("/dev/ttyUSB9", fake.seen_by(), comports=lambda: [UNO]))
    assert "/dev/ttyACM0" in finding.text


@pytest.mark.skipif(os.getuid() != 0, reason="files of another user and group can be made by root only")
def test_port_of_a_group_names_the_group_to_join(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0")
    os.chown(fake.root / "dev/ttyACM0", 0, DIALOUT)
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO]))
    assert "group dialout" in finding.text
    assert finding.command.startswith("sudo usermod -aG dialout $USER")
    assert fake.seen_by(1000, DIALOUT).access("/dev/ttyACM0").allowed


def test_port_that_no_group_may_use_needs_the_rule(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o600)
    owner = (fake.root / "dev/ttyACM0").stat().st_uid
    finding = trouble(examine("auto", fake.seen_by(owner + 1), comports=lambda: [UNO]))
    assert str(RULE) in finding.command
    assert "udevadm trigger" in finding.command


def test_port_in_use_names_the_program_and_kills_nothing(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    fake.program(4242, "arduino-ide", "/dev/null", "/dev/ttyACM0")
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO]))
    assert "arduino-ide (pid 4242)" in finding.text
    assert "kill" not in finding.command


def test_game_of_this_program_on_the_port_is_named_as_it_was_started(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    fake.program(4243, "python3", "/dev/ttyACM0")
    fake.write("/proc/4243/cmdline", "/home/x/.venv/bin/python3\0/home/x/.venv/bin/companion\0play\0--box\0auto\0")
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO]))
    assert "`companion play --box auto` (pid 4243)" in finding.text
    assert "kill" not in finding.command + finding.text


def test_virtual_box_of_another_terminal_is_no_holder_of_its_own_port(fake: FakeMachine) -> None:
    fake.program(4244, "companion", "/dev/pts/7")
    fake.write("/proc/4244/cmdline", "/home/x/.venv/bin/companion\0box\0virtual\0")
    assert fake.seen_by().holders("/dev/pts/7") == []


def test_modem_manager_on_the_port_needs_the_rule(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    fake.program(500, "ModemManager", "/dev/ttyACM0")
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO]))
    assert "modem" in finding.text
    assert str(RULE) in finding.command


def test_modem_manager_is_only_advice_until_it_grabs_and_none_with_the_rule(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    fake.program(500, "ModemManager")
    def look() -> list[Verdict]:
        findings = examine("auto", fake.seen_by(), comports=lambda: [UNO], hear=lambda _name: GOOD)
        return [finding.verdict for finding in findings]

    assert look() == [Verdict.GOOD, Verdict.ADVICE]
    fake.write(f"/etc/udev/rules.d/{RULE.name}", "")
    assert look() == [Verdict.GOOD]


def test_slow_ftdi_chip_is_named_with_its_delay(fake: FakeMachine) -> None:
    fake.device("/dev/ttyUSB0", 0o666)
    fake.write("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n")
    findings = examine("/dev/ttyUSB0", fake.seen_by(), comports=list, hear=lambda _name: GOOD)
    assert [finding.verdict for finding in findings] == [Verdict.GOOD, Verdict.ADVICE]
    assert "16 ms" in findings[1].text


@pytest.mark.parametrize(
    ("got", "text"),
    [
        (Heard(bytes=60, other_version="protocol version 3, this program speaks 1 to 2"), "protocol version 3"),
        (Heard(bytes=812), "812 bytes"),
        (Heard(bytes=900, hello=hello()), "does not hear"),
    ],
)
def test_board_that_speaks_otherwise_is_named(fake: FakeMachine, got: Heard, text: str) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    silent = {"hear": lambda _name: got, "probe": lambda _name: None}
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO], **silent))
    assert text in finding.text
    assert "/dev/ttyACM0" in finding.command


@pytest.mark.parametrize(
    ("bootloader", "text", "command"),
    [
        (None, "no bootloader answers", "--programmer"),
        (Bootloader(115_200, "ATmega328P"), "no firmware of the box", "companion box flash /dev/ttyACM0"),
        (Bootloader(57_600, "ATmega328P"), "old bootloader", "--bootloader old"),
        (Bootloader(115_200, "ATmega2560"), "ATmega2560", "--help"),
    ],
)
def test_silent_board_is_asked_for_its_bootloader(
    fake: FakeMachine, bootloader: Bootloader | None, text: str, command: str
) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    fake.write("/usr/bin/avrdude", "")
    silent = {"hear": lambda _name: Heard(), "probe": lambda _name: bootloader}
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO], **silent))
    assert text in finding.text
    assert command in finding.command
    assert "apt install" not in finding.command


def test_missing_avrdude_is_installed_before_it_is_used(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    got = Heard(bytes=60, other_version="protocol version 3")
    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO], hear=lambda _name: got))
    assert finding.command.startswith("sudo apt install avrdude && companion box flash")


@pytest.mark.parametrize(
    ("got", "verdict", "text"),
    [
        (replace(GOOD, always_closed=(BoxInput.CONFIRM_2,)), Verdict.TROUBLE, "closed all the time: confirm-2"),
        (replace(GOOD, shaky=(BoxInput.SHIELD_3,)), Verdict.TROUBLE, "by itself: shield-3"),
        (replace(GOOD, hello=hello(cause=StartCause.BROWN_OUT)), Verdict.ADVICE, "sagged"),
        (replace(GOOD, hello=hello(cause=StartCause.WATCHDOG)), Verdict.ADVICE, "hung"),
        (replace(GOOD, hello=hello(firmware=1)), Verdict.ADVICE, "ships firmware 2"),
        (replace(GOOD, bad_frames=5), Verdict.ADVICE, "5 came damaged"),
        (replace(GOOD, waiting=3), Verdict.GOOD, "3 presses wait"),
    ],
)
def test_box_that_answers_is_looked_at_closely(fake: FakeMachine, got: Heard, verdict: Verdict, text: str) -> None:
    fake.device("/dev/ttyACM0", 0o666)
    findings = examine("auto", fake.seen_by(), comports=lambda: [UNO], hear=lambda _name: got)
    assert [finding.verdict for finding in findings if text in finding.text] == [verdict]


@pytest.mark.parametrize(
    ("vendor", "product", "name", "command"),
    [
        (0x2341, 0x0042, "Arduino Mega 2560", "--help"),
        (0x2341, 0x8036, "Arduino Leonardo", "--help"),
        (0x2E8A, 0x000A, "Raspberry Pi Pico", "--board pico"),
        (0x1A86, 0x55D4, "does not know (1a86:55d4", "companion box doctor /dev/ttyACM1"),
    ],
)
def test_port_that_is_no_box_for_sure_is_named(
    fake: FakeMachine, vendor: int, product: int, name: str, command: str
) -> None:
    found = trouble(examine("auto", fake.seen_by(), comports=lambda: [port_info("/dev/ttyACM1", vendor, product)]))
    assert name in found.text
    assert command in found.command


def test_wrong_board_is_not_spoken_to(fake: FakeMachine) -> None:
    fake.device("/dev/ttyACM1", 0o666)
    mega = port_info("/dev/ttyACM1", 0x2341, 0x0042)
    hear = {"hear": lambda _name: pytest.fail("it was opened")}
    assert "ATmega2560" in trouble(examine("/dev/ttyACM1", fake.seen_by(), comports=lambda: [mega], **hear)).text


@pytest.mark.parametrize(
    ("error", "kind"),
    [(errno.EBUSY, PortTrouble.BUSY), (errno.EACCES, PortTrouble.PERMISSION), (errno.EIO, PortTrouble.LOST)],
)
def test_port_that_cannot_be_opened_is_explained(fake: FakeMachine, error: int, kind: PortTrouble) -> None:
    fake.device("/dev/ttyACM0", 0o666)

    def hear(name: str) -> Heard:
        raise explain(serial.SerialException(error, os.strerror(error)), name)

    finding = trouble(examine("auto", fake.seen_by(), comports=lambda: [UNO], hear=hear))
    assert "/dev/ttyACM0" in finding.text
    assert finding.command
    assert explain(OSError(error, ""), "x").trouble is kind


@pytest.fixture
def pty_pair() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_port_that_another_program_holds_is_busy(pty_pair: tuple[int, str]) -> None:
    first = SerialPort(pty_pair[1])
    with pytest.raises(PortError) as caught:
        SerialPort(pty_pair[1])
    first.close()
    assert caught.value.trouble is PortTrouble.BUSY
    assert "another program" in str(caught.value)


def test_port_that_does_not_exist_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PortError) as caught:
        SerialPort(str(tmp_path / "ttyUSB0"))
    assert caught.value.trouble is PortTrouble.MISSING


def test_known_boards_are_recognised_by_their_usb_id() -> None:
    assert board_name(UNO) == "Arduino"
    assert board_name(port_info("/dev/ttyUSB0", 0x1A86, 0x7523)) == "CH340"
    assert board_name(port_info("/dev/ttyUSB0", 0x1A86, 0x0001)) is None
    assert board_name(ListPortInfo("/dev/ttyS0", skip_link_detection=True)) is None


def test_udev_rule_names_every_known_board() -> None:
    rows = re.findall(r'ATTRS\{idVendor\}=="(\w+)"(?:, ATTRS\{idProduct\}=="(\w+)")?', RULE.read_text())
    ids = {(int(vendor, 16), int(product, 16) if product else None) for vendor, product in rows}
    assert ids == {(vendor, product) for vendor, product, _ in BOARD_IDS}
    assert int(RULE.name[:2]) < 73  # logind grants what "uaccess" asks for in 73-seat-late.rules


def test_auto_tries_known_boards_only() -> None:
    modem = port_info("/dev/ttyACM1", 0x12D1, 0x1001)
    assert SerialSource("auto", lambda: [modem, UNO]).candidates() == ["/dev/ttyACM0"]


def test_box_is_found_again_under_another_name_by_its_serial_number() -> None:
    ports = [UNO]
    source = SerialSource("auto", lambda: ports)
    source.opened("/dev/ttyACM0")
    ports[:] = [port_info("/dev/ttyACM0", 0x2341, 0x0043, "other"), port_info("/dev/ttyACM3", 0x2341, 0x0043, "85430")]
    assert source.candidates()[0] == "/dev/ttyACM3"


def test_given_port_that_vanished_is_followed_to_its_new_name(tmp_path: Path) -> None:
    old = tmp_path / "ttyUSB0"
    old.touch()
    ports = [port_info(str(old), 0x1A86, 0x7523, None, "1-2")]
    source = SerialSource(str(old), lambda: ports)
    source.opened(str(old))
    old.unlink()
    assert source.candidates() == [str(old)]  # the list of ports is still the old one
    ports[:] = [port_info("/dev/ttyUSB1", 0x1A86, 0x7523, None, "1-2"), port_info("/dev/ttyUSB2", 0x1A86, 0x7523)]
    assert source.candidates() == ["/dev/ttyUSB1"]


def test_by_id_path_is_followed_to_the_device_behind_it(tmp_path: Path) -> None:
    device, link = tmp_path / "ttyACM0", tmp_path / "usb-Arduino_Uno_85430-if00"
    device.touch()
    link.symlink_to(device)
    ports = [port_info(str(device), 0x2341, 0x0043, "85430")]
    source = SerialSource(str(link), lambda: ports)
    assert source.candidates() == [str(link)]
    source.opened(str(link))
    link.unlink()
    ports[:] = [port_info("/dev/ttyACM7", 0x2341, 0x0043, "85430")]
    assert source.candidates() == ["/dev/ttyACM7"]
