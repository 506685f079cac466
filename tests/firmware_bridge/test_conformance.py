"""Every firmware keeps to PROTOCOL.md, and a fault planted in one is found by the check meant for it."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from avr_rig import AvrRig
from simulated_box import FIRMWARE, build_firmware, build_harness

from firmware_bridge.conformance.contact_checks import CONTACT_CHECKS
from firmware_bridge.conformance.link_checks import LINK_CHECKS, leds_of_another_boot_are_ignored
from firmware_bridge.conformance.rig import ModelRig, PortRig, ProgramRig, Rig
from firmware_bridge.conformance.run import conformance
from firmware_bridge.constants import LedState, StartCause
from firmware_bridge.framing import FrameReader, encode_frame
from firmware_bridge.messages import Ack, Alive, Hello, Leds, MessageError, Ping, Report, Settings, WireMessage
from firmware_bridge.model.box_model import BoxModel
from firmware_bridge.model.contacts import Contacts, Lockouts
from firmware_bridge.model.device_link import DeviceLink
from firmware_bridge.virtual_box import VirtualBox

PICO = FIRMWARE.parent / "pico"


def broken(rig: Rig) -> dict[str, str]:
    return {each.name: each.broken for each in conformance(rig) if not each.passed}


def test_model_of_the_virtual_box_conforms() -> None:
    assert broken(ModelRig()) == {}


@pytest.mark.system("gcc")
def test_second_firmware_written_from_the_text_conforms(tmp_path: Path) -> None:
    command = ["make", "-C", PICO, f"BUILD={tmp_path}", "program"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with closing(ProgramRig(tmp_path / "box_program")) as rig:
        assert broken(rig) == {}


def test_second_firmware_shares_no_source_with_the_first() -> None:
    lines = {line for path in PICO.rglob("*.[ch]") for line in path.read_text().splitlines()}
    own = {f'#include "{path.name}"' for path in PICO.rglob("*.h")}
    assert {line for line in lines if line.startswith('#include "')} <= own


@pytest.mark.system("gcc-avr", "avr-libc", "simavr", "libsimavr-dev", "gcc")
def test_firmware_of_the_arduino_conforms(tmp_path: Path) -> None:
    build_firmware(tmp_path, "hex")
    with closing(AvrRig(build_harness(tmp_path), tmp_path / "box.elf")) as rig:
        assert broken(rig) == {}


def test_port_of_a_virtual_box_is_heard_and_asked() -> None:
    """The rig for real ports, in real time, with a check that no busy machine makes fail."""
    box = VirtualBox()
    rig = PortRig(box.port)
    rig.slack_ms = 1_000
    outcomes = list(conformance(rig, (leds_of_another_boot_are_ignored,)))
    rig.close()
    box.close()
    assert [each.broken for each in outcomes] == [""]


def test_silent_port_is_named() -> None:
    class Silent(ModelRig):
        def run(self, ms: float) -> list[tuple[float, bytes]]:
            self.now_ms += ms
            return []

    assert broken(Silent()) == {"box speaks": "nothing came within 4.5 s"}


# ---- faults, each planted in the model of the box


class AckOfMoreThanSent(DeviceLink):
    def _take(self, message: WireMessage, now_ms: int) -> None:
        if isinstance(message, Ack):
            self._told = len(self._reports)
        super()._take(message, now_ms)


class AckOfAnyBoot(DeviceLink):
    def _take(self, message: WireMessage, now_ms: int) -> None:
        super()._take(Ack(self.boot, message.next) if isinstance(message, Ack) else message, now_ms)


class LedsOfAnyBoot(DeviceLink):
    def _take(self, message: WireMessage, now_ms: int) -> None:
        if isinstance(message, Leds):
            message = Leds(self.boot, message.order, message.states)
        super()._take(message, now_ms)


class SettingsOfAnyBoot(DeviceLink):
    def _take(self, message: WireMessage, now_ms: int) -> None:
        if isinstance(message, Settings):
            message = Settings(self.boot, message.lockout_button, message.lockout_shield, message.options)
        super()._take(message, now_ms)


class RefusesNothing(DeviceLink):
    def _refuse(self, _error: MessageError, _now_ms: int) -> None:
        self.bad_frames += 1


class TakesUnknownStates(DeviceLink):
    def receive(self, data: bytes, now_ms: int) -> None:
        for body in FrameReader().feed(data):
            if isinstance(body, bytes) and body[:2] == b"\x01\x84" and body[-1] > 5:
                data = encode_frame(body[:-1] + b"\x00")
        super().receive(data, now_ms)


class RefusesItsOwnWords(DeviceLink):
    def _refuse(self, error: MessageError, now_ms: int) -> None:
        error.kind |= 0x80
        super()._refuse(error, now_ms)


class RefusedFramesAreAHost(DeviceLink):
    def _refuse(self, error: MessageError, now_ms: int) -> None:
        super()._refuse(error, now_ms)
        self._heard_ms, self.host_present = now_ms, True


class ForgetsTheToken(DeviceLink):
    def _take(self, message: WireMessage, now_ms: int) -> None:
        super()._take(Ping(0) if isinstance(message, Ping) else message, now_ms)


class HostIsNeverLost(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        self._heard_ms = now_ms
        return super()._next_message(now_ms)


class ReportsWithoutAHost(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        message = super()._next_message(now_ms)
        return self._report(now_ms) if message is None and self._reports and not self._sent else message


class NeverRepeats(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        self._sent_ms = now_ms
        return super()._next_message(now_ms)


class NoWindow(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        message = super()._next_message(now_ms)
        return self._report(now_ms) if message is None and self._sent < len(self._reports) else message


class CountsNoDrops(DeviceLink):
    def set_levels(self, settled: int, now_ms: int) -> None:
        super().set_levels(settled, now_ms)
        self.dropped = 0


class ForgetsLateLevels(DeviceLink):
    def set_levels(self, settled: int, now_ms: int) -> None:
        super().set_levels(settled, now_ms)
        self.levels = self.settled


class InputsUpsideDown(DeviceLink):
    def _report(self, now_ms: int) -> Report:
        report = super()._report(now_ms)
        return Report(report.boot, report.number, report.input ^ 0x80, report.device_ms)


class GapsInNumbers(DeviceLink):
    def _report(self, now_ms: int) -> Report:
        report = super()._report(now_ms)
        return Report(report.boot, 2 * report.number, report.input, report.device_ms)


class OldHello(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        message = super()._next_message(now_ms)
        if isinstance(message, Hello):
            return Hello(*(getattr(message, name) for name in list(Hello.__dataclass_fields__)[:-1]))
        return message


class TenthsInsteadOfMilliseconds(DeviceLink):
    def _report(self, now_ms: int) -> Report:
        report = super()._report(now_ms)
        return Report(report.boot, report.number, report.input, report.device_ms // 100)


class LevelsAreNotTold(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        kept, self.settled = self.settled, 0
        try:
            return super()._next_message(now_ms)
        finally:
            self.settled = kept


class SilentHeart(DeviceLink):
    def _next_message(self, now_ms: int) -> WireMessage | None:
        message = super()._next_message(now_ms)
        return None if isinstance(message, Alive) and now_ms % 3 else message


class LosesItsPlace(DeviceLink):
    """Takes only whole frames: bytes that come one by one, or behind rubbish, are lost."""

    def receive(self, data: bytes, now_ms: int) -> None:
        self._reader.reset()
        super().receive(data, now_ms)


class NoDebounce(Contacts):
    def _passed(self, since_ms: int, now_ms: int) -> int:  # type: ignore[override]
        return super()._passed(since_ms, now_ms) + 4


class EagerRelease(Contacts):
    def _passed(self, since_ms: int, now_ms: int) -> int:  # type: ignore[override]
        passed = super()._passed(since_ms, now_ms)
        return passed + 35 if passed >= 5 else passed


class NoLockOut(Contacts):
    def sample(self, raw: int, flickered: int, now_ms: int) -> int:
        self.lockouts = Lockouts(0, 0)
        return super().sample(raw, flickered, now_ms)


def with_contacts(contacts: type[Contacts]) -> type[BoxModel]:
    class Faulty(BoxModel):
        def _start(self, now_ms: float, cause: StartCause) -> None:
            super()._start(now_ms, cause)
            self._settling = contacts(self._contacts)

    return Faulty


class WrongRhythm(BoxModel):
    def colours(self, now_ms: float) -> tuple[tuple[bool, bool], ...]:
        return super().colours(now_ms * 2)


class NoHostLost(BoxModel):
    def leds(self) -> tuple[LedState, ...]:
        return self.link.led_states


LINKS = {
    AckOfMoreThanSent: "reports wait for a host and come in windows of eight",
    AckOfAnyBoot: "report is repeated until it is acknowledged",
    LedsOfAnyBoot: "leds of another boot are ignored",
    SettingsOfAnyBoot: "settings are stated in hello",
    RefusesNothing: "unknown type is refused",
    TakesUnknownStates: "unknown led state is refused and changes nothing",
    RefusesItsOwnWords: "own words are not answered",
    RefusedFramesAreAHost: "refused frames are no sign of a host",
    ForgetsTheToken: "ping is answered with its token",
    HostIsNeverLost: "silent host is lost after a second and found again",
    ReportsWithoutAHost: "reports wait for a host and come in windows of eight",
    NeverRepeats: "report is repeated until it is acknowledged",
    NoWindow: "reports wait for a host and come in windows of eight",
    CountsNoDrops: "full queue counts what it drops and tells the last levels",
    ForgetsLateLevels: "full queue counts what it drops and tells the last levels",
    InputsUpsideDown: "every input reports under its own number",
    GapsInNumbers: "every input reports under its own number",
    OldHello: "hello has its second form",
    TenthsInsteadOfMilliseconds: "times tell when a contact rested",
    LevelsAreNotTold: "every input reports under its own number",
    SilentHeart: "alive comes ten times a second",
    LosesItsPlace: "stream begins anew at every zero",
}
MODELS = {
    with_contacts(NoDebounce): "short glitch is no press",
    with_contacts(EagerRelease): "contact that opens in mid press makes no second",
    with_contacts(NoLockOut): "second press within the lock out is no press",
    WrongRhythm: "leds show their patterns",
    NoHostLost: "leds show their patterns",
}


@pytest.mark.parametrize(("link", "check"), LINKS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_planted_fault_of_the_link_is_found(link: type[DeviceLink], check: str) -> None:
    assert check in broken(ModelRig(link))


@pytest.mark.parametrize(("model", "check"), MODELS.items(), ids=["debounce", "release", "lock-out", "rhythm", "lost"])
def test_planted_fault_of_contacts_or_leds_is_found(model: type[BoxModel], check: str) -> None:
    assert check in broken(ModelRig(model=model))


def test_checksum_that_is_not_compared_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box believes every frame that unpacks, whatever its Fletcher sum; the host's own reader is left alone."""
    from firmware_bridge import framing
    from firmware_bridge.model import device_link

    class Trusting(FrameReader):
        def feed(self, data: bytes) -> list[bytes | framing.BadFrame]:
            found = super().feed(data)
            return [
                decoded[:-4] if isinstance(each, framing.BadFrame) and (decoded := framing.cobs_decode(each.encoded))
                and framing.crc16(decoded[:-4]) == int.from_bytes(decoded[-4:-2], "little") else each
                for each in found
            ]  # fmt: skip

    monkeypatch.setattr(device_link, "FrameReader", Trusting)
    assert "Fletcher sum" in broken(ModelRig())["both checks are made"]


def test_twenty_faults_and_more_are_planted() -> None:
    assert len(LINKS) + len(MODELS) + 1 >= 20
    assert len(LINK_CHECKS) + len(CONTACT_CHECKS) == 30


def test_checks_say_in_a_sentence_what_they_ask_for() -> None:
    assert all(each.about.endswith(".") for each in conformance(ModelRig()))
