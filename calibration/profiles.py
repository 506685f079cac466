"""Profiles of cameras and tables on disk: what was calibrated, for which camera and picture size it holds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose

SCHEMA = 1
SYSFS = Path("/sys/class/video4linux")
_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@")


def camera_identity(source: str, sysfs: Path = SYSFS) -> str:
    """What tells this camera from others: the driver's name of a device, the address of a stream, else the source.

    A device keeps its identity under another number; passwords in an address are left out.
    """
    number = source if source.isdigit() else source.removeprefix("/dev/video")
    if number.isdigit():
        name = sysfs / f"video{number}" / "name"
        return name.read_text(encoding="utf-8").strip() if name.exists() else f"video{number}"
    return _CREDENTIALS.sub("", source)


@dataclass(frozen=True, slots=True, eq=False)
class LensProfile:
    """A calibrated lens: of which camera, with which error (px), when (Unix seconds)."""

    identity: str
    camera: Camera
    held_out_px: float
    views: int
    time_s: int


@dataclass(frozen=True, slots=True, eq=False)
class TableProfile:
    """A calibrated table: the pose of this camera over it, and the markers it was found by."""

    identity: str
    pose: TablePose
    layout: MarkerLayout
    time_s: int


class ProfileStore:
    """The profiles in a folder, one file for each camera and kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, kind: str, identity: str) -> Path:
        """The file of a profile; the name is readable, the digest keeps cameras apart."""
        plain = re.sub(r"[^A-Za-z0-9]+", "-", identity).strip("-")[:40]
        return self._folder / f"{kind}-{plain}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.json"

    def save_lens(self, profile: LensProfile) -> Path:
        """Write a lens; replaces the camera's former one. Raises DataError when it cannot be written."""
        data = {
            "held_out_px": profile.held_out_px,
            "views": profile.views,
            "camera": _camera_data(profile.camera),
        }
        return self._write("lens", profile.identity, profile.time_s, data)

    def lens(self, identity: str, size_wh: tuple[int, int]) -> LensProfile | str:
        """The lens of a camera at a picture size, or why there is none that holds, in English, for people."""
        data = self._read("lens", identity)
        if data is None:
            return f"the lens of {identity} has not been calibrated: companion calibrate lens (it is estimated)"
        camera = _camera(data["camera"])
        if camera.size_wh != size_wh:
            return (
                f"the lens of {identity} was calibrated for {_size(camera.size_wh)}, the pictures have "
                f"{_size(size_wh)}: companion calibrate lens (it is estimated)"
            )
        return LensProfile(identity, camera, float(data["held_out_px"]), int(data["views"]), int(data["time_s"]))

    def save_table(self, profile: TableProfile) -> Path:
        """Write a table; replaces the camera's former one. Raises DataError when it cannot be written."""
        pose, layout = profile.pose, profile.layout
        data = {
            "camera": _camera_data(pose.camera),
            "rvec": pose.rvec.tolist(),
            "tvec": pose.tvec.tolist(),
            "by": pose.by,
            "error_px": pose.error_px,
            "seen": list(pose.markers),
            "markers": {
                "dictionary": layout.dictionary,
                "side": layout.side_mm,
                "centres": {str(i): list(c) for i, c in layout.centres_mm.items()},
            },
        }
        return self._write("table", profile.identity, profile.time_s, data)

    def table(self, identity: str, size_wh: tuple[int, int]) -> TableProfile | str:
        """The table of a camera at a picture size, or why there is none that holds, in English, for people."""
        data = self._read("table", identity)
        if data is None:
            return f"the table under {identity} has not been calibrated: companion calibrate table"
        camera = _camera(data["camera"])
        if camera.size_wh != size_wh:
            return (
                f"the table was calibrated for pictures of {_size(camera.size_wh)}, they have {_size(size_wh)}: "
                "companion calibrate table"
            )
        pose = TablePose(
            camera,
            np.array(data["rvec"]),
            np.array(data["tvec"]),
            str(data["by"]),
            float(data["error_px"]),
            tuple(int(i) for i in data["seen"]),
        )
        return TableProfile(identity, pose, marker_layout(data["markers"]), int(data["time_s"]))

    def _write(self, kind: str, identity: str, time_s: int, data: Mapping[str, Any]) -> Path:
        path = self.path(kind, identity)
        whole = {"schema": SCHEMA, "kind": kind, "identity": identity, "time_s": time_s, **data}
        fresh = path.with_suffix(".new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            fresh.replace(path)  # at once: a reader never sees half a profile
        except OSError as error:
            raise DataError(f"cannot write the profile: {error.strerror}", where=str(path)) from error
        return path

    def _read(self, kind: str, identity: str) -> dict[str, Any] | None:
        path = self.path(kind, identity)
        if not path.exists():
            return None
        try:
            data: dict[str, Any] = parse_json(read_text(path))
            schema = data["schema"]
            _camera(data["camera"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"is not a profile ({error})", where=str(path), remedy="calibrate again, or delete the file"
            ) from error
        if schema != SCHEMA:
            raise DataError(
                f"has schema {schema}, expected {SCHEMA}", where=str(path), remedy="update, or calibrate again"
            )
        return data


def marker_layout(data: Mapping[str, Any]) -> MarkerLayout:
    """The layout from its JSON form: `{"dictionary", "side", "centres": {"0": [x, y], …}}`, mm. Raises DataError."""
    try:
        centres = {int(i): (float(x), float(y)) for i, (x, y) in data["centres"].items()}
        layout = MarkerLayout(str(data["dictionary"]), float(data["side"]), centres)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"is no marker layout: {error!r}", remedy='expected {"dictionary", "side", "centres": {"0": [x, y]}}'
        ) from error
    if not layout.dictionary.startswith("DICT_4X4_") or layout.side_mm <= 0 or len(centres) < 2:
        raise DataError(
            f"is no usable marker layout: {layout.dictionary}, {layout.side_mm:g} mm, {len(centres)} markers",
            remedy="expected a DICT_4X4_ dictionary, a side above 0 mm and at least 2 markers",
        )
    return layout


def _camera_data(camera: Camera) -> dict[str, Any]:
    return {
        "matrix": camera.matrix.tolist(),
        "dist": camera.dist.tolist(),
        "size": list(camera.size_wh),
        "measured": camera.measured,
    }


def _camera(data: Mapping[str, Any]) -> Camera:
    width, height = (int(n) for n in data["size"])
    return Camera(np.array(data["matrix"]), np.array(data["dist"]), (width, height), bool(data["measured"]))


def _size(size_wh: tuple[int, int]) -> str:
    return f"{size_wh[0]} x {size_wh[1]}"
