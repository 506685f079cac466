"""What is known of a real box: its tiles from a file of `companion enrol` or a scene set, and its pieces' colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from calibration.box_file import EnrolledBox, read_box
from calibration.colour_enrolment import ColourReport, piece_colours, read_report
from calibration.profiles import ProfileStore, camera_identity
from companion.app import paths
from companion.app.settings import Settings
from companion.app.table_eyes import LayoutEyes, TableEyes
from companion.core.errors import DataError
from companion.core.game import Rules
from companion.core.types import Face
from vision.camera_model import Camera
from vision.colours import PieceColours
from vision.faces.book import SIZE_PX, FaceBook
from vision.grid import GridPlan
from vision.layout_reader import LayoutReader
from vision.markers import MarkerLayout
from vision.pose import TablePose
from vision.reader import TableReader, slot_name
from vision.scene_set import SceneSet
from vision.set_reader import SetReader
from vision.table_plan import is_table_plan, read_table_plan
from vision.table_set import FINE_PRINT_PX, TableSetReader

COLOURS_FILE = "colours.json"
LAYOUT_FILE = "layout.json"


def enrolled_colours(settings: Settings) -> ColourReport | None:
    """The piece colours that `companion calibrate colours` or the set-up page learnt; None before. Raises DataError."""
    path = paths.calibration_dir(settings) / COLOURS_FILE
    return read_report(path) if path.exists() else None


def camera_profiles(
    settings: Settings, source: str, size_wh: tuple[int, int]
) -> tuple[Camera | None, TablePose | None]:
    """Measured lens and remembered table of a camera for pictures of that size, if there are any. Raises DataError."""
    store, who = ProfileStore(paths.calibration_dir(settings)), camera_identity(source)
    lens, table = store.lens(who, size_wh), store.table(who, size_wh)
    return None if isinstance(lens, str) else lens.camera, None if isinstance(table, str) else table.pose


@lru_cache(maxsize=2)
def _read(path: Path, changed_ns: int) -> EnrolledBox:  # noqa: ARG001 - a file that was written anew is read anew
    return read_box(path)


@dataclass(frozen=True)
class KnownBox:
    """A file of `companion enrol`, or a folder that is a scene set."""

    path: Path

    def reader(self, rules: Rules, colours: PieceColours | None = None) -> TableEyes:
        """The reader of the table of `rules`: of a grid of tiles, or by the game's own layout.

        `colours`: the enrolled ones (None: a set's own, else as paint of that name usually is); a set of pictures
        keeps its own when those are of other pieces. Raises DataError naming what the box does not know.
        """
        names = tuple(seat.colour for seat in rules.setup.seats)
        if self.path.is_dir() and is_table_plan(self.path / LAYOUT_FILE):
            return LayoutEyes(_set_of(rules, self.path).table(len(names), names))
        if self.path.is_dir():
            scenes = SceneSet(self.path)
            learnt = colours is not None and set(scenes.layout.seat_colours) <= set(colours.names)
            return SetReader(scenes, colours if learnt else None).table(len(names), names)
        book, scans = _faces_of(rules, self._box(), self.path)
        pieces = piece_colours(names, colours)
        if not _is_grid(rules):
            return LayoutEyes(LayoutReader(rules.layout(), book, scans, pieces))
        return TableReader(grid_plan(rules), book, scans, pieces)

    def _box(self) -> EnrolledBox:
        try:
            changed_ns = self.path.stat().st_mtime_ns
        except OSError as error:
            raise DataError(f"the box file cannot be read: {error.strerror}", where=str(self.path)) from error
        return _read(self.path, changed_ns)

    def markers(self) -> MarkerLayout:
        """Where the markers lie: a set says so itself, a box file means the printed sheet."""
        if not self.path.is_dir():
            return MarkerLayout()
        if is_table_plan(self.path / LAYOUT_FILE):
            return read_table_plan(self.path / LAYOUT_FILE).markers
        layout = SceneSet(self.path).layout
        return MarkerLayout(layout.dictionary, layout.marker_side_mm, layout.marker_centres_mm)

    def game(self) -> str:
        """The name of the game that the box is of; sets of a grid of tiles are of Envyra. Raises DataError."""
        if self.path.is_dir() and is_table_plan(self.path / LAYOUT_FILE):
            return read_table_plan(self.path / LAYOUT_FILE).game
        return "envyra" if self.path.is_dir() else self._box().game

    def catalogue(self, settings: Settings) -> Path | None:
        """The file of the box's own catalogue, written out of it when need be; None for a set that has none, being of
        an edition that ships. Raises DataError.
        """
        if self.path.is_dir():
            own = not is_table_plan(self.path / LAYOUT_FILE)
            return self.path / "catalogue.json" if own else None
        folder = paths.data_dir(settings) / "boxes"
        path = folder / f"{self.path.stem}.toml"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(self._box().catalogue, encoding="utf-8")
        except OSError as error:
            raise DataError(f"cannot write the box's catalogue: {error.strerror}", where=str(path)) from error
        return path


def grid_plan(rules: Rules) -> GridPlan:
    """The grid that a game's layout describes. Raises DataError for a table that is no grid of square tiles."""
    layout = rules.layout()
    outlines = {outline.slot: np.array(outline.corners_mm) for outline in layout.slots}
    middles = np.array([corners.mean(0) for corners in outlines.values()])
    xs, ys = (np.unique(np.round(middles[:, axis], 3)) for axis in (0, 1))
    sides = {round(float(np.linalg.norm(c[k] - c[k - 1])), 3) for c in outlines.values() for k in range(4)}
    pitches = {round(float(step), 3) for axis in (xs, ys) for step in np.diff(axis)}
    names = {slot_name(r, c) for r in range(len(ys)) for c in range(len(xs))}
    if len(sides) != 1 or len(pitches) != 1 or set(outlines) != names:
        raise DataError(
            f"the camera reads grids of square tiles from a box file, and {rules.setup.game} is laid out otherwise",
            remedy="Enter what happens, or give a set of pictures with the game's own layout.",
        )
    centre = (float(xs.mean()), float(ys.mean()))
    return GridPlan(len(ys), len(xs), pitches.pop(), sides.pop(), layout.face_thickness_mm, centre)


def _faces_of(rules: Rules, box: EnrolledBox, path: Path) -> tuple[FaceBook, Mapping[Face, np.ndarray]]:
    """The faces of `rules` as the box shows them, one for those that look the same. Raises DataError."""
    if box.game != rules.setup.game:
        raise DataError(f"expected a box of {rules.setup.game}, got one of {box.game}", where=str(path))
    missing = [face for face in rules.faces() if face not in box.references]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise DataError(
            f"the box has no picture of {', '.join(missing[:3])}{more} of the catalogue {rules.setup.catalogue}",
            where=str(path), remedy="Begin the game with the box's own catalogue, or enrol the missing tiles.",
        )
    pictures: dict[Face, list[np.ndarray]] = {}
    for face in rules.faces():
        pictures.setdefault(rules.same_face(face), []).extend(box.references[face])
    size_px = SIZE_PX if _is_grid(rules) else FINE_PRINT_PX
    return FaceBook.learn(pictures, size_px=size_px), {face: shown[0] for face, shown in pictures.items()}


def _is_grid(rules: Rules) -> bool:
    """Whether the game is laid out as tiles with pieces on them, and nothing else."""
    return all(outline.holds == "tile" for outline in rules.layout().slots)


def _set_of(rules: Rules, path: Path) -> TableSetReader:
    """The reader of a set of pictures of tables. Raises DataError when it is of another game."""
    reader = TableSetReader(SceneSet(path))
    if reader.plan.game != rules.setup.game:
        raise DataError(f"expected pictures of {rules.setup.game}, got some of {reader.plan.game}", where=str(path))
    return reader
