"""`companion box …` for who builds one: flash, test, settings, conformance; box.py adds them to its group."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.terminal.single_keys import keys
from companion.core.errors import DeviceError

if TYPE_CHECKING:
    from companion.core.inputs import ButtonEvent
    from firmware_bridge.box import Box
    from firmware_bridge.walk.walk import Walk

CONNECT_S = 8.0  # a bootloader's 2 s, and the first HELLO
POLL_S = 0.1
PROGRAM = "program:"
COMMANDS = ()


@click.command()
@click.argument("port", required=False)
@click.option("--board", type=click.Choice(["atmega328p", "atmega168", "pico"]), help="Without it the board is asked.")
@click.option("--bootloader", type=click.Choice(["new", "old"]), help="Of the board; without it the board is asked.")
@click.option("--programmer", help="Flash at the six-pin header instead, as avrdude calls it: usbasp, avrisp …")
@click.option("--yes", is_flag=True, help="Do not ask before it begins.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and the command, and do nothing.")
def flash(
    port: str | None, board: str | None, bootloader: str | None, programmer: str | None, yes: bool, dry_run: bool
) -> None:
    """Put the shipped firmware onto the board at PORT, and see that it runs.

    Says what it will do before it does it. Over the USB cable the board's own bootloader takes the firmware; a board
    without one takes it by a programmer (PORT is then the programmer's, mostly `usb`). A Pico needs no PORT.

    Example: companion box flash /dev/ttyUSB0
    """
    from firmware_bridge.doctor.bootloader import ask_bootloader
    from firmware_bridge.flash import plan as plans

    if board == "pico":
        plan = plans.plan_pico()
    elif programmer is not None:
        plan = plans.plan_programmer(programmer, port or "usb", board or "atmega328p")
    elif port is None:
        raise click.UsageError("which port? `companion box doctor` finds it")
    else:
        found = None if dry_run else ask_bootloader(port)
        plan = plans.plan_bootloader(port, *plans.choose(board, found, bootloader))
    click.echo("This will:")
    for sentence in plan.says:
        click.echo(f"  - {sentence}")
    if plan.command:
        click.echo(f"  {' '.join(plan.command)}")
    if dry_run:
        return
    if not yes:
        click.confirm("Go on?", abort=True)
    plans.carry_out(plan, lambda command: subprocess.run(command, check=False).returncode)
    if port is not None and programmer is None:
        _see_that_it_runs(port)
    else:
        click.echo("Done. Connect the board and run `companion box doctor`.")


def _see_that_it_runs(port: str) -> None:
    from firmware_bridge.constants import FIRMWARE_VERSION
    from firmware_bridge.doctor.listening import listen

    heard = listen(port)
    if heard.hello is None or heard.hello.firmware != FIRMWARE_VERSION:
        got = "nothing" if heard.hello is None else f"firmware {heard.hello.firmware}"
        raise DeviceError(
            f"expected firmware {FIRMWARE_VERSION} to speak after flashing, got {got}", where=port,
            remedy=f"Unplug the board and plug it in again, then run `companion box doctor {port}`",
        )  # fmt: skip
    click.echo(f"Box {heard.hello.box:08x} runs firmware {heard.hello.firmware}. Next: companion box test {port}")


def _connect(port: str, take: bool) -> tuple[Box, queue.Queue[ButtonEvent]]:
    """An open box that answers. Raises DeviceError when none does, or when presses wait and are not to be taken."""
    import time

    from firmware_bridge.box import open_box

    events: queue.Queue[ButtonEvent] = queue.Queue(maxsize=256)  # a person does not press faster
    if not take:
        _leave_presses(port)
    box = open_box(port, events.put)
    end = time.monotonic() + CONNECT_S
    while not box.status.connected and time.monotonic() < end:
        time.sleep(POLL_S)
    if not box.status.connected:
        trouble = box.status.trouble
        box.close()
        raise _silent(port, trouble, "the box does not answer")
    return box, events


def _silent(port: str, trouble: str, otherwise: str) -> DeviceError:
    """A box that cannot be used: its own trouble, which says what to do, or `otherwise` with the doctor's command."""
    remedy = "" if trouble else f"Run `companion box doctor {port}`"
    return DeviceError(trouble or otherwise, where=port, remedy=remedy)


def _leave_presses(port: str) -> None:
    """Raises DeviceError when presses for a game wait in the box at a port, or at any known board for `auto`."""
    from firmware_bridge.doctor.listening import listen
    from firmware_bridge.ports import SerialSource

    if port.startswith("virtual:"):
        return  # it begins with the command, and empty
    for name in SerialSource(port).candidates():
        waiting = listen(name).waiting
        if waiting:
            raise DeviceError(
                f"presses that wait in the box for a game: {waiting}; this would take them", where=name,
                remedy="Start the game first, or give --take to throw them away",
            )  # fmt: skip


@click.command()
@click.argument("port", default="auto")
@click.option("--stations", default=4, show_default=True, type=click.IntRange(1, 4), help="How many are built.")
@click.option("--take", is_flag=True, help="Throw away presses that wait in the box for a game.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as one JSON object at the end.")
def test(port: str, stations: int, take: bool, as_json: bool) -> None:
    """A guided walk round the box at PORT: each colour of each station, and each contact, one after the other.

    Answer with y or n whether a LED is right; press what is asked for; s skips what is not built. Ends with
    exit code 1 when something is wrong. What is pressed here reaches no game.

    Example: companion box test /dev/ttyACM0 --stations 2
    """
    from firmware_bridge.walk.walk import StepKind, Walk

    box, events = _connect(port, take)
    walk = Walk(stations, box.status.closed)
    shown, hinted = -1, None
    try:
        for key in keys(float("inf")):
            box.set_leds(walk.leds())
            while not events.empty():
                walk.event(events.get())
            step = walk.step
            if step is not None and key in ("s", "S"):
                walk.skip()
            elif step is not None and step.kind is StepKind.LIGHT and key.lower() in ("y", "n"):
                walk.answer(key.lower() == "y")
            step = walk.step
            if step is None:
                break
            if len(walk.results) != shown:
                shown, hinted = len(walk.results), None
                how = "y yes, n no, s not built" if step.kind is StepKind.LIGHT else "s not built"
                click.echo(f"{shown + 1} of {walk.count}: {step.ask} [{how}]", err=as_json)
            elif walk.hint is not None and walk.hint != hinted:
                hinted = walk.hint
                click.echo(f"    {hinted}", err=as_json)
    finally:
        box.close()
    _outcome(walk, as_json)


def _outcome(walk: Walk, as_json: bool) -> None:
    rows = [
        {"ask": each.step.ask, "station": each.step.station, "outcome": each.outcome.value, "cause": each.cause}
        for each in walk.results
    ]
    if as_json:
        click.echo(json.dumps({"steps": rows, "passed": walk.passed}))
    else:
        for row in rows:
            if row["outcome"] != "good":
                click.echo(f"{row['outcome']}: {row['ask']} {row['cause']}".rstrip())
        click.echo("The box is right." if walk.passed else "The box is not right, or the walk was ended early.")
    if not walk.passed:
        sys.exit(1)


@click.command()
@click.argument("port", default="auto")
@click.option("--button-ms", type=click.IntRange(0, 510), help="Lock-out after a press; 300 unless set.")
@click.option("--shield-ms", type=click.IntRange(0, 510), help="Lock-out after a shield moved; 150 unless set.")
@click.option("--leds", type=click.Choice(["cathode", "anode"]), help="The LEDs' common leg: at ground, or at 5 V.")
@click.option("--buzzer/--no-buzzer", default=None, help="A buzzer at D13 sounds when a decision becomes due.")
def settings(
    port: str, button_ms: int | None, shield_ms: int | None, leds: str | None, buzzer: bool | None
) -> None:
    """Show what the box at PORT keeps of its building, or set it; the box keeps it without power.

    Example: companion box settings /dev/ttyACM0 --leds anode --buzzer
    """
    import time

    from firmware_bridge.box import open_box
    from firmware_bridge.constants import Option
    from firmware_bridge.model.contacts import Lockouts

    box = open_box(port, None)
    try:
        end = time.monotonic() + CONNECT_S
        while box.status.about is None and time.monotonic() < end:
            time.sleep(POLL_S)
        about = box.status.about
        if about is None:
            raise _silent(port, box.status.trouble, "the box answers, but its firmware keeps no settings")
        now, options = Lockouts.of_bytes(about.lockout_button, about.lockout_shield), about.options
        wanted = Lockouts(
            now.button_ms if button_ms is None else button_ms, now.shield_ms if shield_ms is None else shield_ms
        )
        for given, option in ((None if leds is None else leds == "anode", Option.LED_ANODE), (buzzer, Option.BUZZER)):
            if given is not None:
                options = options | option if given else options & ~option
        if (wanted.as_bytes, options) != (now.as_bytes, about.options):
            box.set_settings(wanted, options)
            while box.status.about in (None, about) and time.monotonic() < end:
                time.sleep(POLL_S)
            if box.status.about in (None, about):
                raise DeviceError("the box did not take the settings", where=port, remedy="Try again")
        common = "anode" if options & Option.LED_ANODE else "cathode"
        fitted = "fitted" if options & Option.BUZZER else "not fitted"
        kept = Lockouts.of_bytes(*wanted.as_bytes)
        click.echo(f"lock-out of buttons {kept.button_ms} ms, of shields {kept.shield_ms} ms")
        click.echo(f"LEDs with a common {common}; buzzer {fitted}")
    finally:
        box.close()


@click.command()
@click.argument("port")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: each check with its outcome.")
def conformance(port: str, as_json: bool) -> None:
    """Does the firmware at PORT keep to the protocol? For who writes another one.

    Makes 18 checks over the line of a board. A firmware that is built as a program of this computer (`program:PATH`,
    see firmware_bridge/pico/program/main.c) and the virtual box (`virtual:`) also get the 12 that move contacts and
    watch LEDs. Presses that wait in the box are thrown away. Ends with exit code 1 when something is broken.

    Example: companion box conformance /dev/ttyACM0
    """
    from dataclasses import asdict

    from firmware_bridge.conformance.rig import ModelRig, PortRig, ProgramRig
    from firmware_bridge.conformance.run import conformance as check

    rig: ModelRig | PortRig | ProgramRig
    if port.startswith(PROGRAM):
        path = Path(port.removeprefix(PROGRAM))
        if not path.is_file():
            raise DeviceError("there is no such program", where=str(path), remedy="Build it: make -C … program")
        rig = ProgramRig(path.resolve())
    else:
        rig = ModelRig() if port == "virtual:" else PortRig(port)
    failed = 0
    for outcome in check(rig):
        failed += not outcome.passed
        if as_json:
            click.echo(json.dumps(asdict(outcome) | {"passed": outcome.passed}))
        else:
            click.echo(f"{'ok' if outcome.passed else 'BROKEN'}: {outcome.name}")
            if not outcome.passed:
                click.echo(f"    {outcome.about} {outcome.broken}")
    if not isinstance(rig, ModelRig):
        rig.close()
    if failed:
        sys.exit(1)
