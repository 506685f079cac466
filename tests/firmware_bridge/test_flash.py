"""Flashing: shipped images that can be built again, what is said before, and avrdude against a bootloader on a pty."""

from __future__ import annotations

import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from stk500_board import BootloaderBoard

from companion.core.errors import DeviceError
from firmware_bridge.doctor.bootloader import Bootloader, ask_bootloader
from firmware_bridge.flash import images
from firmware_bridge.flash.plan import (
    FUSES,
    Plan,
    carry_out,
    choose,
    plan_bootloader,
    plan_pico,
    plan_programmer,
)
from firmware_bridge.flash.uf2 import crc32_mpeg2, uf2, with_second_stage_crc

M328P = b"\x1e\x95\x0f"


def hex_bytes(path: Path) -> bytes:
    """The data of an Intel HEX file that begins at address 0 and has no gaps."""
    rows = [bytes.fromhex(line[1:]) for line in path.read_text().split()]
    return b"".join(row[4:-1] for row in rows if row[3] == 0)


def run(command: tuple[str, ...]) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.fixture
def board() -> Iterator[BootloaderBoard]:
    board = BootloaderBoard(termios.B57600, M328P)
    yield board
    board.close()


@pytest.mark.system("avrdude")
def test_old_clone_is_found_out_and_flashed_at_its_rate(board: BootloaderBoard) -> None:
    found = ask_bootloader(board.port)
    assert found == Bootloader(57_600, "ATmega328P")
    plan = plan_bootloader(board.port, *choose(None, found, None))
    carry_out(plan, run)
    image = hex_bytes(images.image_path("atmega328p"))
    assert board.flash[: len(image)] == image


@pytest.mark.system("avrdude")
def test_image_that_reads_back_otherwise_is_an_error() -> None:
    board = BootloaderBoard(termios.B115200, M328P, spoilt=True)
    with pytest.raises(DeviceError, match="avrdude ended with"):
        carry_out(plan_bootloader(board.port, "atmega328p", "new"), run)
    board.close()


def test_missing_avrdude_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceError, match="apt install avrdude"):
        carry_out(plan_bootloader("/dev/ttyACM0", "atmega328p", "new"), run)


def test_bootloader_keeps_itself_and_a_programmer_sets_the_fuses() -> None:
    over_usb = plan_bootloader("/dev/ttyACM0", "atmega328p", "new")
    assert "-D" in over_usb.command
    assert not any("fuse" in word for word in over_usb.command)
    by_programmer = plan_programmer("usbasp", "usb", "atmega328p")
    assert "-D" not in by_programmer.command
    assert [word for word in by_programmer.command if "fuse" in word] == [
        "lfuse:w:0xff:m", "hfuse:w:0xd7:m", "efuse:w:0xfd:m"
    ]  # fmt: skip
    assert "bootloader is gone" in by_programmer.says[0]


def test_fuses_say_what_the_data_sheet_says() -> None:
    """A programmed fuse is a 0. ATmega328P: EESAVE is bit 3 of high, BOOTRST bit 0, brown-out bits 2 to 0 of extended;
    ATmega168: EESAVE bit 3 and brown-out bits 2 to 0 of high, BOOTRST bit 0 of extended. 0b101 is 2.7 V."""
    low, high, extended = (int(each, 16) for each in FUSES["atmega328p"])
    assert (low & 0xF, high >> 3 & 1, high & 1, high >> 5 & 1, extended & 7) == (0xF, 0, 1, 0, 0b101)
    low, high, extended = (int(each, 16) for each in FUSES["atmega168"])
    assert (low & 0xF, high >> 3 & 1, extended & 1, high >> 5 & 1, high & 7) == (0xF, 0, 1, 0, 0b101)


@pytest.mark.parametrize(
    ("asked", "found", "wanted", "chosen"),
    [
        (None, None, None, ("atmega328p", "new")),
        (None, Bootloader(57_600, "ATmega328P"), None, ("atmega328p", "old")),
        (None, Bootloader(19_200, "ATmega168"), None, ("atmega168", "old")),
        ("atmega168", None, "old", ("atmega168", "old")),
        ("atmega328p", Bootloader(115_200, ""), None, ("atmega328p", "new")),
    ],
)
def test_board_says_itself_what_it_is(
    asked: str | None, found: Bootloader | None, wanted: str | None, chosen: tuple[str, str]
) -> None:
    assert choose(asked, found, wanted) == chosen


@pytest.mark.parametrize(
    ("asked", "chip"), [(None, "ATmega2560"), ("atmega328p", "ATmega168"), ("atmega168", "ATmega328P")]
)
def test_board_with_another_chip_is_not_flashed(asked: str | None, chip: str) -> None:
    with pytest.raises(DeviceError, match=chip):
        choose(asked, Bootloader(115_200, chip), None)


def test_pico_takes_its_image_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="BOOTSEL"):
        plan_pico((tmp_path,))
    (tmp_path / "me" / "RPI-RP2").mkdir(parents=True)
    plan = plan_pico((tmp_path,))
    carry_out(plan, lambda _command: 1)
    assert (tmp_path / "me" / "RPI-RP2" / "box-pico.uf2").read_bytes() == images.image_path("pico").read_bytes()


def test_copy_that_fails_says_where(tmp_path: Path) -> None:
    plan = Plan("pico", (), (tmp_path / "none", tmp_path / "x"), ())
    with pytest.raises(DeviceError, match="cannot copy"):
        carry_out(plan, run)


def test_second_stage_carries_the_crc_that_the_boot_rom_compares() -> None:
    """0x0376E6E7 is the check value of CRC-32/MPEG-2 in the catalogue of CRCs."""
    assert crc32_mpeg2(b"123456789") == 0x0376E6E7
    image = with_second_stage_crc(bytes(range(200)) + bytes(56) + b"rest")
    assert int.from_bytes(image[252:256], "little") == crc32_mpeg2(image[:252])
    with pytest.raises(ValueError, match="252 bytes"):
        with_second_stage_crc(b"x" * 256)


def test_uf2_has_whole_blocks_with_the_family_of_the_rp2040() -> None:
    blocks = uf2(bytes(700))
    assert len(blocks) == 3 * 512
    assert blocks[:8] == bytes.fromhex("5546320a 57515d9e")
    assert [int.from_bytes(blocks[at : at + 4], "little") for at in (12, 524, 1036)] == [
        0x10000000, 0x10000100, 0x10000200
    ]  # fmt: skip
    assert int.from_bytes(blocks[28:32], "little") == 0xE48BFF56


@pytest.mark.system("gcc-avr", "avr-libc", "gcc-arm-none-eabi")
def test_shipped_images_are_built_again_to_the_same_bytes() -> None:
    if images.compilers() != images.BUILT_WITH.read_text():
        pytest.skip(f"other compilers than {images.BUILT_WITH.read_text().split()}: other bytes")
    built = images.build()
    for board, data in built.items():
        assert images.image_path(board).read_bytes() == data, f"run `{images.COMMAND}`"
    assert images.SUMS.read_text() == images.sums(built)
