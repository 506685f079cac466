"""What to make of what came from a port, and of a board that says nothing."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.inputs import BoxInput
from firmware_bridge.constants import FIRMWARE_VERSION, StartCause
from firmware_bridge.doctor.boards import FITTING
from firmware_bridge.doctor.bootloader import Bootloader
from firmware_bridge.doctor.finding import Finding, Verdict, advice, trouble
from firmware_bridge.doctor.listening import Heard
from firmware_bridge.doctor.machine import Machine

INSTALL_AVRDUDE = "sudo apt install avrdude && "


def _flash(name: str, machine: Machine, more: str = "") -> str:
    """The command that flashes, with what it needs installed before."""
    return f"{'' if machine.has_program('avrdude') else INSTALL_AVRDUDE}companion box flash {name}{more}"


def judge(name: str, heard: Heard, machine: Machine) -> list[Finding]:
    """The findings about a port on which something speaks."""
    flash = _flash(name, machine)
    if heard.hello is None:
        if heard.other_version:
            text = f"{name}: the box speaks, but another version: {heard.other_version}. Flash it with this program's"
            return [trouble(text, flash)]
        text = (
            f"{name} speaks ({heard.bytes} bytes), but not as the box does: another device, or a board with other "
            "firmware. If it is the box, flash it"
        )
        return [trouble(text, flash)]
    who = f"{name}: box {heard.hello.box:08x}"
    if heard.round_trip_ms is None:
        text = (
            f"{who} is heard, but does not hear: its HELLO comes and no ping is answered. Something hangs on "
            "the Arduino's pin D0 (RX), or the converter's TX wire is broken. Take everything off D0 and D1, then look "
            "again"
        )
        return [trouble(text, f"companion box doctor {name}")]
    return [_living(who, heard, flash), *_inputs(name, heard), *_line(name, heard)]


def _living(who: str, heard: Heard, flash: str) -> Finding:
    assert heard.hello is not None
    hello, about = heard.hello, heard.hello.about
    parts = f"firmware {hello.firmware}, start {hello.boot}, round trip {heard.round_trip_ms:.1f} ms"
    if about is None or hello.firmware < FIRMWARE_VERSION:
        text = f"{who} answers ({parts}); this program ships firmware {FIRMWARE_VERSION}, which bears worn contacts"
        return advice(text, flash)
    if about.cause in (StartCause.BROWN_OUT, StartCause.WATCHDOG):
        why = "its supply voltage sagged" if about.cause is StartCause.BROWN_OUT else "its program hung"
        text = f"{who} answers ({parts}), but started last because {why}. Take another cable or socket, without a hub"
        return advice(text)
    return Finding(Verdict.GOOD, f"{who} answers ({parts}, {about.board_name})")


def _names(inputs: Iterable[BoxInput]) -> str:
    return ", ".join(each.value for each in inputs)


def _inputs(name: str, heard: Heard) -> list[Finding]:
    found = []
    if heard.always_closed:
        text = (
            f"{name}: closed all the time: {_names(heard.always_closed)}. A finger on it, a button that sticks, or its "
            "wire touches ground"
        )
        found.append(trouble(text, f"companion box test {name}"))
    if heard.shaky:
        text = (
            f"{name}: opens and closes by itself: {_names(heard.shaky)}. A loose wire, a cable beside mains cables, or "
            "a magnet just out of reach"
        )
        found.append(trouble(text, f"companion box test {name}"))
    if heard.waiting:
        text = f"{name}: {heard.waiting} presses wait in the box for the game that takes them"
        found.append(Finding(Verdict.GOOD, text))
    return found


def _line(name: str, heard: Heard) -> list[Finding]:
    if heard.bad_frames * 20 <= heard.frames:  # one in twenty costs nobody a press, but a good line has none
        return []
    text = f"{name}: of {heard.frames + heard.bad_frames} frames {heard.bad_frames} came damaged. Take another cable"
    return [advice(text)]


def judge_silence(name: str, bootloader: Bootloader | None, machine: Machine) -> Finding:
    """The finding about a port that opens and says nothing."""
    if bootloader is None:
        text = (
            f"{name} opens but says nothing, and no bootloader answers: no power at the chip, something hangs on D0 "
            "and D1, or the bootloader is gone. Take everything off D0 and D1; then flash with a programmer"
        )
        return trouble(text, _flash(name, machine, " --programmer usbasp"))
    if bootloader.chip and bootloader.chip not in FITTING:
        text = f"{name} is a board with an {bootloader.chip}: the box's firmware needs an ATmega328P or ATmega168"
        return trouble(text, "companion box flash --help   # lists the boards")
    chip = bootloader.chip or "chip"
    if bootloader.old:
        text = f"{name}: an {chip} with the old bootloader of Nano clones answers, but no firmware of the box is on it"
        return trouble(text, _flash(name, machine, " --bootloader old"))
    return trouble(f"{name}: an {chip} answers, but no firmware of the box is on it", _flash(name, machine))
