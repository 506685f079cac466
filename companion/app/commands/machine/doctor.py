"""`companion doctor`: what may be wrong with camera, light, markers, box and machine, each with its remedy."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import json_option

if TYPE_CHECKING:
    from companion.app.files.settings import Settings
    from companion.app.machine.checks import MachineCheck
    from vision.sources import Frame, FrameSource

FIRST_PICTURE_S = 10.0
"""A camera that is on shows its first picture within a few seconds; a stream of a network may take longer."""
ASKED_AGAIN_S = 0.25
"""While the first picture is waited for, the camera is asked this often whether it could be opened at all."""
FRAMES = 20
"""Received to tell the rate, after the first."""
SLOW_PER_S = 3.0
"""Below this, a hand that passes is seen in one picture only and cannot be told from a lasting change."""


@click.command()
@click.option("--camera", default="", metavar="0|DEVICE|replay:DIR|rtsp://…", help="Look through this camera too.")
@click.option("--box", default="", metavar="auto|DEVICE", help="Look for the button box too; no game may use it.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write it to FILE, to ask for help.")
@json_option
def doctor(camera: str, box: str, report: Path | None, as_json: bool) -> None:
    """Look at machine, camera and box and say what is wrong and what mends it.

    Exit code 5 when something must be mended. A report holds no PIN, key, password or name of a player.

    \b
    Examples:
      companion doctor --camera 0 --box auto
      companion doctor --camera 0 --report for-help.json
    """
    from companion.app.dashboard.server.serve import lan_address
    from companion.app.files.atomic_write import write_whole
    from companion.app.files.paths import config_file, data_dir
    from companion.app.files.settings import load_settings
    from companion.app.machine.checks import Severity, machine_lines
    from companion.app.upkeep.examination import facts_of, report_bytes

    settings = load_settings(config=config_file())
    lines = list(machine_lines(facts_of(settings, lan_address()), data_dir(settings)))
    if camera:
        lines += camera_lines(camera, settings)
    if box:
        lines += _box_lines(box)
    rows = [{"what": x.what, "verdict": x.verdict.value, "text": x.text, "remedy": x.remedy} for x in lines]
    good = all(line.verdict is not Severity.TROUBLE for line in lines)
    told = {"good": good, "lines": rows}
    if report is not None:
        write_whole(report, [report_bytes(settings, rows, good=good)])
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        for line in lines:
            click.echo(f"{line.verdict.value:8}{line.what}: {line.text}")
            if line.remedy:
                click.echo(f"        {line.remedy}")
        if report is not None:
            click.echo(f"Written: {report}")
    if not good:
        sys.exit(5)


def camera_lines(text: str, settings: Settings) -> Iterable[MachineCheck]:
    """What can be said of a camera and the table under it. `text` names the source."""
    from companion.app.machine.checks import MachineCheck, Severity
    from companion.core.errors import DeviceError
    from vision.sources import open_source

    try:
        source = open_source(text)
    except DeviceError as error:
        yield MachineCheck("camera", Severity.TROUBLE, error.message, error.remedy)
        return
    source.start()
    try:
        yield from _look(text, source, settings)
    finally:
        source.stop()


def _first_picture(source: FrameSource) -> Frame | None:
    """The first picture within `FIRST_PICTURE_S`; None at once when the camera could not be opened."""
    from vision.sources import Health

    until_s = time.monotonic() + FIRST_PICTURE_S
    while (first := source.newest(0, ASKED_AGAIN_S)) is None and time.monotonic() < until_s:
        if source.status().health is Health.GONE:
            break
    return first


def _look(text: str, source: FrameSource, settings: Settings) -> Iterable[MachineCheck]:
    from calibration.health import check_table
    from calibration.profiles import ProfileStore, camera_identity
    from companion.app.files.paths import calibration_dir
    from companion.app.machine.checks import MachineCheck, Severity
    from companion.app.upkeep.examination import sharpness_line
    from vision.locate.markers import MarkerLayout

    first = _first_picture(source)
    if first is None:
        reason = str(source.status().reason) or "no picture came"
        yield MachineCheck("camera", Severity.TROUBLE, reason, "Check its cable and that no other program uses it.")
        return
    last = first
    for _ in range(FRAMES):
        last = source.newest(last.number, 1.0) or last
    details = source.status().details
    height, width = last.image.shape[:2]
    shown = f"pictures of {width} x {height}" + (f" ({details})" if details else "")
    yield MachineCheck("camera", Severity.GOOD, shown)
    if "not locked" in details:
        remedy = "Keep the light even, or use a camera whose driver can."
        yield MachineCheck("exposure lock", Severity.ADVICE, details, remedy)
    elif "locked" in details:
        yield MachineCheck("exposure lock", Severity.GOOD, "the driver took it")
    passed_s = last.time_s - first.time_s
    if passed_s > 0:
        rate = (last.number - first.number) / passed_s
        slow = rate < SLOW_PER_S
        yield MachineCheck("rate", Severity.TROUBLE if slow else Severity.GOOD, f"{rate:.1f} pictures a second",
                   "More light, a lower resolution, or a USB port of its own." if slow else "")
    store, who = ProfileStore(calibration_dir(settings)), camera_identity(text)
    size_wh = (width, height)
    yield sharpness_line(last.image, MarkerLayout())
    for found in check_table(last.image, MarkerLayout(), store.lens(who, size_wh), store.table(who, size_wh)):
        yield MachineCheck(found.what, Severity.GOOD if found.good else Severity.ADVICE, found.figure, found.advice)


def _box_lines(port: str) -> Iterable[MachineCheck]:
    from companion.app.machine.checks import MachineCheck, Severity
    from firmware_bridge.doctor.examine import examine
    from firmware_bridge.doctor.machine import Machine

    return [
        MachineCheck("box", Severity(found.verdict.value), found.text, found.command)
        for found in examine(port, Machine())
    ]


COMMANDS = (doctor,)
