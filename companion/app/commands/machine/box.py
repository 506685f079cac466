"""`companion box …`: doctor, monitor and a virtual button box; what builders need is in box_building.py."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.commands.machine import box_building
from companion.app.terminal.single_keys import keys

if TYPE_CHECKING:
    from companion.core.inputs import BoxInput
    from firmware_bridge.framing import BadFrame
    from firmware_bridge.host_link import Direction
    from firmware_bridge.messages import MessageError, WireMessage
    from firmware_bridge.status import BoxStatus, LinkQuality

QUALITY_EVERY_S = 5.0


@click.group()
def box() -> None:
    """The button box: build it, find out what is wrong, watch the line, or use a virtual one."""


@box.command()
@click.argument("port", default="auto")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(port: str, as_json: bool) -> None:
    """Look for the box at PORT (default: anywhere) and say what is wrong, with the command that fixes it.

    Ends with exit code 5 when something is wrong. Takes no press that waits for a game; a board that says nothing is
    reset and its bootloader asked.

    Example: companion box doctor /dev/ttyUSB0
    """
    from firmware_bridge.doctor.examine import examine
    from firmware_bridge.doctor.finding import Verdict
    from firmware_bridge.doctor.machine import Machine

    findings = examine(port, Machine())
    trouble = any(finding.verdict is Verdict.TROUBLE for finding in findings)
    if as_json:
        rows = [{"verdict": f.verdict.value, "text": f.text, "command": f.command} for f in findings]
        click.echo(json.dumps({"port": port, "findings": rows, "good": not trouble}))
    else:
        for finding in findings:
            click.echo(f"{finding.verdict.value}: {finding.text}")
            if finding.command:
                click.echo(f"    {finding.command}")
    if trouble:
        sys.exit(5)


@box.command()
@click.option("--box", "source", default="auto", show_default=True, help="auto, a port, or virtual: with keys.")
@click.option("--capture", type=click.Path(dir_okay=False, path_type=Path), help="Write every byte to this file.")
@click.option("--heartbeats", is_flag=True, help="Show PING and ALIVE too.")
@click.option("--take", is_flag=True, help="Take the presses out of the box: a game afterwards does not get them.")
@click.option("--seconds", type=float, help="Stop after so long; without it at Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: frames, then the link's quality.")
def monitor(
    source: str, capture: Path | None, heartbeats: bool, take: bool, seconds: float | None, as_json: bool
) -> None:
    """Show the frames on the line in words, live, which contacts are closed, and how good the link is.

    It only watches: every press stays in the box for the game. A capture can be replayed: `companion replay FILE`.
    With --box virtual: the keyboard presses the buttons.

    Example: companion box monitor --capture box.jsonl
    """
    from contextlib import ExitStack

    from firmware_bridge.box import open_box
    from firmware_bridge.keyboard import KEY_HELP, Keyboard
    from firmware_bridge.virtual_box import BANNER

    printer = _Printer(heartbeats, as_json)
    with ExitStack() as stack:
        target = stack.enter_context(capture.open("w", encoding="utf-8")) if capture else None
        opened = open_box(
            source,
            (lambda _event: None) if take else None,
            printer.status,
            observe=printer.frame,
            capture=target,
        )
        stack.callback(opened.close)
        keyboard = Keyboard(opened.virtual) if opened.virtual is not None else None
        if keyboard and not as_json:
            click.echo(BANNER)
            click.echo(KEY_HELP)
        end = time.monotonic() + (seconds if seconds is not None else float("inf"))
        next_quality = time.monotonic() + QUALITY_EVERY_S
        for key in keys(end):
            if key and keyboard:
                printer.say(keyboard.key(key))
            if time.monotonic() >= next_quality:
                next_quality += QUALITY_EVERY_S
                printer.quality(opened.status.quality)
        printer.quality(opened.status.quality)


@box.command()
@click.argument("faults", default="virtual:")
@click.option("--seconds", type=float, help="Stop after so long; without it at Ctrl-C.")
def virtual(faults: str, seconds: float | None) -> None:
    """A virtual box on a port of its own, played by the keyboard; for programs that want a port.

    Example: companion box virtual virtual:drop=0.1,bounce=20
    """
    from firmware_bridge.keyboard import KEY_HELP, Keyboard
    from firmware_bridge.virtual_box import BANNER, open_virtual

    opened = open_virtual(faults)
    try:
        click.echo(BANNER)
        click.echo(f"Port: {opened.port}")
        click.echo(KEY_HELP)
        keyboard, shown = Keyboard(opened), ""
        for key in keys(time.monotonic() + (seconds if seconds is not None else float("inf"))):
            said = keyboard.key(key) if key else ""
            leds = ", ".join(f"{n} {state.name.lower()}" for n, state in enumerate(opened.leds(), start=1))
            if said:
                click.echo(said)
            if leds != shown:
                click.echo(f"LEDs: {leds}; port {opened.port or 'unplugged'}")
                shown = leds
    finally:
        opened.close()


@box.command("show")
@click.argument("capture", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--heartbeats", is_flag=True, help="Show PING and ALIVE too.")
@click.option("--json", "as_json", is_flag=True, help="Print the events as one JSON array.")
def show(capture: Path, heartbeats: bool, as_json: bool) -> None:
    """Show a capture in words: its frames, and the presses that the session got from it.

    Example: companion box show box.jsonl
    """
    from firmware_bridge.capture import replay_capture

    events = replay_capture(capture)
    if as_json:
        rows = [asdict(event) | {"input": event.input.value, "edge": event.edge.value} for event in events]
        click.echo(json.dumps(rows))
        return
    printer = _Printer(heartbeats, False)
    replay_capture(capture, printer.frame)
    for event in events:
        tied = " (tied with the one before)" if event.tied_with_previous else ""
        click.echo(f"{event.number}: {event.input.value} {event.edge.value} at {event.device_ms} ms{tied}")


class _Printer:
    """Prints frames, news and quality, in words or as JSON lines."""

    def __init__(self, heartbeats: bool, as_json: bool) -> None:
        self._heartbeats, self._as_json = heartbeats, as_json
        self._begun = time.monotonic()
        self._news: tuple[str, str, str] | None = None
        self._reports: set[tuple[int, int]] = set()  # shown already: a report comes again until somebody takes it
        self._closed: tuple[BoxInput, ...] = ()

    def _put(self, kind: str, text: str, **more: object) -> None:
        at_s = round(time.monotonic() - self._begun, 4)
        if self._as_json:
            click.echo(json.dumps({"t_s": at_s, "kind": kind, "text": text, **more}))
        else:
            click.echo(f"{at_s:9.3f}  {text}")

    def frame(self, direction: Direction, what: WireMessage | BadFrame | MessageError) -> None:
        """One frame that came or went."""
        from firmware_bridge.framing import BadFrame
        from firmware_bridge.messages import Alive, MessageError, Ping, Report, describe

        if isinstance(what, (Alive, Ping)) and not self._heartbeats:
            return
        if isinstance(what, Report) and not self._heartbeats:
            if (what.boot, what.number) in self._reports:
                return
            self._reports.add((what.boot, what.number))
        arrow = "<-" if direction.value == "rx" else "->"
        if isinstance(what, BadFrame):
            text = f"damaged: {what.fault.value} ({what.encoded.hex(' ')})"
        elif isinstance(what, MessageError):
            text = f"not understood: {what}"
        else:
            text = describe(what)
        self._put("frame", f"{arrow} {text}", direction=direction.value)

    def status(self, status: BoxStatus) -> None:
        """The link's phase or trouble, and contacts that moved."""
        phase, port, trouble = status.phase.value, status.port, status.trouble
        if status.closed != self._closed:
            self._closed = status.closed
            self._put("closed", "closed: " + (" ".join(each.value for each in status.closed) or "none"))
        if (phase, port, trouble) == self._news:
            return
        self._news = phase, port, trouble
        self._put("status", " ".join(filter(None, (phase, port, trouble))))

    def say(self, text: str) -> None:
        """What a key did."""
        if text:
            self._put("key", text)

    def quality(self, quality: LinkQuality) -> None:
        """How good the link is."""
        trip = "-" if quality.round_trip_ms is None else f"{quality.round_trip_ms:.1f} ms"
        text = (
            f"quality: {quality.frames} frames, damaged {quality.bad_frames} here and {quality.box_bad_frames} at the "
            f"box, sent again {quality.box_resent}, repeated {quality.repeated}, early {quality.early}, dropped by a "
            f"full box {quality.dropped_by_box}, resets {quality.resets}, reconnects {quality.reconnects}, "
            f"round trip {trip}"
        )
        self._put("quality", text, **asdict(quality))


for _command in (box_building.flash, box_building.test, box_building.settings, box_building.conformance):
    box.add_command(_command)

COMMANDS = (box,)
