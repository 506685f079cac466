"""What flashing does, step by step, before it is done: the command, and in words what each part of it is for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import DeviceError
from firmware_bridge.doctor.boards import FITTING
from firmware_bridge.doctor.bootloader import NEW_BAUD, OLD_BAUD, OLDEST_BAUD, Bootloader
from firmware_bridge.flash.images import image_path

AVRDUDE = "avrdude"
AVR_PARTS = {"atmega328p": "m328p", "atmega168": "m168"}
OF_CHIP = {chip: "atmega168" if "168" in chip else "atmega328p" for chip in FITTING}
BOARDS = (*AVR_PARTS, "pico")
PICO_DRIVE = "RPI-RP2"
# Low, high, extended fuse. Low: a crystal of 16 MHz. High: start at the firmware, no bootloader, EEPROM outlives an
# erasure (box id and starts are there). Brown-out at 2.7 V. Source: data sheet, "Fuse Bits".
FUSES = {"atmega328p": ("0xff", "0xd7", "0xfd"), "atmega168": ("0xff", "0xd5", "0xff")}


@dataclass(frozen=True, slots=True)
class Plan:
    """A command to run, or (for a Pico) a file to copy; and what it will do, a sentence each."""

    board: str
    command: tuple[str, ...]
    copies: tuple[Path, Path] | None
    says: tuple[str, ...]


def plan_bootloader(port: str, board: str, bootloader: str) -> Plan:
    """Flash over the USB cable by the board's own bootloader (`new` or `old`). Raises DeviceError."""
    image, baud = _image(board), NEW_BAUD
    if bootloader == "old":
        baud = OLDEST_BAUD if board == "atmega168" else OLD_BAUD
    command = (
        AVRDUDE, "-p", AVR_PARTS[board], "-c", "arduino", "-P", port, "-b", str(baud), "-D", "-U", f"flash:w:{image}:i",
    )  # fmt: skip
    says = (
        f"resets the board on {port} and speaks to its {bootloader} bootloader at {baud} baud",
        f"writes {image.name} and reads it back to compare; the bootloader itself and the fuses stay as they are",
        "keeps the box's id and its settings, which are in the chip's EEPROM",
    )
    return Plan(board, command, None, says)


def plan_programmer(programmer: str, port: str, board: str) -> Plan:
    """Flash by a programmer at the six-pin header: the bootloader goes, fuses are set. Raises DeviceError."""
    image, (low, high, extended) = _image(board), FUSES[board]
    command = (
        AVRDUDE, "-p", AVR_PARTS[board], "-c", programmer, "-P", port,
        "-U", f"lfuse:w:{low}:m", "-U", f"hfuse:w:{high}:m", "-U", f"efuse:w:{extended}:m", "-U", f"flash:w:{image}:i",
    )  # fmt: skip
    says = (
        f"erases the whole flash of the chip by the programmer {programmer}: its bootloader is gone afterwards",
        f"sets the fuses {low}, {high}, {extended}: crystal of 16 MHz, start without bootloader, brown-out at 2.7 V, "
        "EEPROM outlives later erasures",
        f"writes {image.name} and reads it back to compare",
    )
    return Plan(board, command, None, says)


def plan_pico(drives: tuple[Path, ...] = (Path("/media"), Path("/run/media"), Path("/mnt"))) -> Plan:
    """Copy the image onto the drive that a Pico shows while its button is held. Raises DeviceError."""
    image = _image("pico")
    found = sorted(path for folder in drives if folder.is_dir() for path in folder.glob(f"**/{PICO_DRIVE}"))
    if not found:
        raise DeviceError(
            f"no drive called {PICO_DRIVE} is there", where=", ".join(map(str, drives)),
            remedy="Hold the button BOOTSEL of the Pico while you plug it in, open the drive once, and try again",
        )  # fmt: skip
    target = found[0] / image.name
    says = (f"copies {image.name} to {found[0]}; the Pico restarts by itself with the box's firmware",)
    return Plan("pico", (), (image, target), says)


def choose(asked: str | None, found: Bootloader | None, wanted: str | None) -> tuple[str, str]:
    """(board, bootloader) of what was asked for and what the board says. Raises DeviceError if they differ."""
    board = asked or "atmega328p"
    if found is not None and found.chip:
        fits = OF_CHIP.get(found.chip)
        if fits is None or asked not in (None, fits):
            expected = f"an {asked}" if asked else "an ATmega328P or ATmega168"
            raise DeviceError(f"expected {expected}, the board says it is an {found.chip}", remedy="Take another board")
        board = fits
    if found is not None:
        return board, wanted or ("old" if found.old else "new")
    return board, wanted or "new"


def _image(board: str) -> Path:
    path = image_path(board)
    if not path.exists():
        raise DeviceError(f"no firmware for {board} is shipped", where=str(path), remedy=f"Known: {', '.join(BOARDS)}")
    return path


def carry_out(plan: Plan, run: Callable[[tuple[str, ...]], int]) -> None:
    """Do it. `run` runs a command in sight of the person and gives its exit code. Raises DeviceError."""
    if plan.copies is not None:
        source, target = plan.copies
        try:
            shutil.copyfile(source, target)
        except OSError as error:
            raise DeviceError(f"cannot copy: {error.strerror}", where=str(target)) from error
        return
    if shutil.which(plan.command[0]) is None:
        raise DeviceError("avrdude, which flashes boards, is not installed", remedy="sudo apt install avrdude")
    code = run(plan.command)
    if code != 0:
        remedy = "Look at its words above. A Nano may want --bootloader old; `companion box doctor` asks the board"
        raise DeviceError(f"avrdude ended with {code}", where=" ".join(plan.command), remedy=remedy)
