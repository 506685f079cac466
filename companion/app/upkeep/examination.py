"""Everything that may be wrong, for the doctor's page and for a report: machine, camera and table, box."""

from __future__ import annotations

import datetime
import json
import platform
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np

from calibration.sharpness import SOFT_PX, edge_width_px
from companion.app.files.backup import HERE_ONLY
from companion.app.files.paths import data_dir, web_dir
from companion.app.files.settings import Settings
from companion.app.machine.checks import (
    MachineCheck,
    MachineFacts,
    Severity,
    certificate_ends,
    machine_lines,
    without_passwords,
)
from companion.core.messages import Message
from companion.i18n import fill
from vision.locate.markers import MarkerLayout
from web.ports.setup_step import SetupStep

STATES = {Severity.GOOD: "ok", Severity.ADVICE: "wait", Severity.TROUBLE: "bad"}
SHARP = "an edge from black to white takes {width} px"
SHARP_UNKNOWN = "not known without a marker in view"
SHARP_LAY = "Lay the markers, then again."
SHARP_FOCUS = "Focus the camera on the table, clean its lens, add light."
PACKAGES = ("tabletop-companion", "opencv-python-headless", "numpy", "Flask", "pyserial", "SQLAlchemy")


def facts_of(settings: Settings, lan_address: str) -> MachineFacts:
    """This machine as the doctor sees it."""
    pem = web_dir(settings) / f"https-{lan_address}.pem"
    ends = certificate_ends(pem) if pem.exists() else None
    return MachineFacts(
        lambda path: shutil.disk_usage(path).free, datetime.datetime.now(datetime.UTC), lan_address, ends
    )


def sharpness_line(image: np.ndarray, markers: MarkerLayout) -> MachineCheck:
    """How sharp the markers' edges are in a picture (H, W, 3) uint8 BGR."""
    width_px = edge_width_px(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), markers)
    if width_px is None:
        return MachineCheck("sharpness", Severity.ADVICE, Message(SHARP_UNKNOWN), SHARP_LAY)
    text = Message(SHARP, width=f"{width_px:.1f}")
    soft = width_px > SOFT_PX
    return MachineCheck("sharpness", Severity.ADVICE if soft else Severity.GOOD, text, SHARP_FOCUS if soft else "")


def about(settings: Settings) -> dict[str, object]:
    """What is running where: no secret, and no setting that names a place or an address."""
    return {
        "versions": {name: version(name) for name in PACKAGES} | {"python": platform.python_version()},
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "settings": {key: value for key, value in asdict(settings).items() if key not in HERE_ONLY},
    }


def report_bytes(settings: Settings, rows: Iterable[dict[str, str]], *, good: bool) -> bytes:
    """The rows with versions and settings as JSON, to ask for help with: no PIN, key, password or player's name."""
    text = json.dumps(about(settings) | {"good": good, "lines": list(rows)}, indent=1, ensure_ascii=False)
    return without_passwords(text, Path.home()).encode("utf-8")


class Examination:
    """The doctor of the pages: looks with the camera that is in use, and opens no other."""

    def __init__(
        self,
        settings: Settings,
        lan_address: Callable[[], str],
        frame: Callable[[], np.ndarray | None],
        markers: Callable[[], MarkerLayout],
        table: Callable[[str], Sequence[SetupStep]],
    ) -> None:
        """`frame`: the newest picture; `table`: the steps of the set-up for a game."""
        self._settings, self._lan_address, self._frame = settings, lan_address, frame
        self._markers, self._table = markers, table

    def steps(self, game: str) -> Sequence[SetupStep]:
        """All findings: of the machine, then as the set-up tells of camera, box, tiles and table, and sharpness."""
        lines = machine_lines(facts_of(self._settings, self._lan_address()), data_dir(self._settings))
        image = self._frame()
        sharp = () if image is None else (sharpness_line(image, self._markers()),)
        return [*map(_step, lines), *self._table(game), *map(_step, sharp)]

    def report(self, game: str) -> bytes:
        """The same as JSON, in English."""
        found = self.steps(game)
        rows = [
            {"what": one.key, "state": one.state, "text": fill(one.text, one.facts, str, str),
             "detail": str(one.detail)}
            for one in found
        ]
        return report_bytes(self._settings, rows, good=all(one.state != "bad" for one in found))


def _step(line: MachineCheck) -> SetupStep:
    text = line.text if isinstance(line.text, Message) else Message(line.text)
    return SetupStep(line.what, STATES[line.verdict], text.message, line.remedy, text.facts)
