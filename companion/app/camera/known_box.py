"""What is known of a real box: its tiles from a file of `companion enrol` or a scene set, and its pieces' colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from calibration.box_file import EnrolledBox, read_box
from calibration.piece_colours.colour_enrolment import ColourReport, piece_colours, read_report
from calibration.profiles import ProfileStore, camera_identity
from companion.app.files import paths
from companion.app.files.settings import Settings
from companion.app.game.captured_score import game_of_set
from companion.core.errors import DataError
from companion.core.game import Rules
from companion.core.types import Face
from companion.games import find_game
from vision.appearance.picture_light import PieceColours
from vision.faces.book import FaceBook
from vision.faces.learning import learn_faces
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose
from vision.scenes.scene_set import SceneSet
from vision.scenes.set_reader import FINE_PRINT_PX, SetReader, print_size_px
from vision.tables.grid import GridPlan
from vision.tables.maps.space_pieces import SpacePiece, space_pictures
from vision.tables.place import LOCATION
from vision.tables.table_reader import TableReader

COLOURS_FILE = "colours.json"


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

    def check(self, rules: Rules) -> None:
        """Raises DataError naming what the box does not know of the game of `rules`."""
        if not self.path.is_dir():
            pieces = rules.layout().compound
            _check_faces(rules, self._box(), self.path, [piece.name for piece in pieces] or rules.faces())
            return
        of = self._set().plan.game
        if of not in ("", rules.setup.game):
            raise DataError(f"expected pictures of {rules.setup.game}, got some of {of}", where=str(self.path))

    def reader(self, rules: Rules, colours: PieceColours | None = None) -> TableReader:
        """The reader of the table of `rules`, by its layout.

        `colours`: those learnt here, which are of this light; what they lack is as the box or the set has it, or, when
        nobody learnt any, as paint of that name usually is. A set of pictures keeps its own when those are of other
        pieces. Learning the faces takes seconds. Raises as `check`, and DataError naming pictures that cannot be used.
        """
        self.check(rules)
        names = tuple(seat.colour for seat in rules.setup.seats)
        if self.path.is_dir():
            scenes = self._set()
            seats = scenes.plan.seat_colours
            learnt = colours is not None and bool(seats) and set(seats) <= set(colours.names)
            known = SetReader(scenes, colours if learnt else None)
            return known.table(len(names), (*names, *rules.layout().tokens))
        box = self._box()
        layout = rules.layout()
        seen = piece_colours((*names, *layout.tokens), colours, box.piece_colours())
        if layout.compound:
            pieces, spaces = _spaces_of(rules, box)
            book = learn_faces(spaces, size_px=FINE_PRINT_PX, loose=False)  # cut alike, however their print differs
            return TableReader(layout, book, {f: shown[0] for f, shown in spaces.items()}, seen, compound=pieces)
        book, scans = _faces_of(rules, box)
        listed = find_game(box.game).same_looks is not None
        copies = Counter(map(rules.same_face, rules.faces())) if listed else None
        return TableReader(layout, book, scans, seen, copies=copies)

    def colours(self) -> ColourReport | None:
        """The colours of its pieces that came with a box file; None for a set, or when there are none. Raises
        DataError."""
        learnt = None if self.path.is_dir() else self._box().piece_colours()
        return None if learnt is None else ColourReport(learnt, (), ())

    def _set(self) -> SceneSet:
        return SceneSet(self.path)

    def _box(self) -> EnrolledBox:
        try:
            changed_ns = self.path.stat().st_mtime_ns
        except OSError as error:
            raise DataError(f"the box file cannot be read: {error.strerror}", where=str(self.path)) from error
        return _read(self.path, changed_ns)

    def markers(self) -> MarkerLayout:
        """Where the markers lie: a set says so itself, a box file means the printed sheet."""
        return self._set().plan.markers if self.path.is_dir() else MarkerLayout()

    def game(self) -> str:
        """The name of the game that the box is of. Raises DataError."""
        return game_of_set(self.path) if self.path.is_dir() else self._box().game

    def picture(self, face: str) -> np.ndarray | None:
        """How a face looks in a box file, (h, w, 3) uint8 BGR, upright; None for another one. Raises DataError."""
        shown = self._box().references.get(face, ())
        return np.asarray(shown[0]) if len(shown) else None

    def faces(self) -> tuple[str, ...]:
        """The faces of which `picture` has one. Raises DataError."""
        return tuple(face for face, shown in self._box().references.items() if len(shown))

    def catalogue(self, settings: Settings) -> Path | None:
        """The file of the box's own catalogue, written out of it when need be; None for a set that has none, being of
        an edition that ships. Raises DataError.
        """
        if self.path.is_dir():
            return None if self._set().plan.grid is None else self.path / "catalogue.json"
        folder = paths.data_dir(settings) / "boxes"
        path = folder / f"{self.path.stem}.toml"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(self._box().catalogue, encoding="utf-8")
        except OSError as error:
            raise DataError(f"cannot write the box's catalogue: {error.strerror}", where=str(path)) from error
        return path


def _faces_of(rules: Rules, box: EnrolledBox) -> tuple[FaceBook, Mapping[Face, np.ndarray]]:
    """The faces of `rules` as the box shows them, one for those that look the same. Raises DataError."""
    pictures: dict[Face, list[np.ndarray]] = {}
    for face in rules.faces():
        pictures.setdefault(rules.same_face(face), []).extend(box.references[face])
    size_px = print_size_px(GridPlan.of(rules.layout()))
    book = learn_faces(pictures, size_px=size_px, loose=box.loose)
    return book, {face: shown[0] for face, shown in pictures.items()}


def _spaces_of(rules: Rules, box: EnrolledBox) -> tuple[tuple[SpacePiece, ...], dict[Face, list[np.ndarray]]]:
    """The pieces of several spaces of `rules`, and the face of each space as the box shows it."""
    layout = rules.layout()
    corners = np.array(next(slot.corners_mm for slot in layout.slots if slot.holds == LOCATION))
    side_mm = float(np.linalg.norm(corners[1] - corners[0]))
    pieces: list[SpacePiece] = []
    spaces: dict[Face, list[np.ndarray]] = {}
    for piece in layout.compound:
        faces = tuple(f"{piece.name}.{number}" for number in range(len(piece.middles_mm)))
        pieces.append(SpacePiece(piece.name, faces, piece.middles_mm))
        cut = [space_pictures(np.asarray(shown), pieces[-1], side_mm) for shown in box.references[piece.name]]
        spaces |= {face: [shown[face] for shown in cut] for face in faces}
    return tuple(pieces), spaces


def _check_faces(rules: Rules, box: EnrolledBox, path: Path, faces: Sequence[Face]) -> None:
    """Raises DataError for a box of another game, or without a picture of one of `faces`."""
    if box.game != rules.setup.game:
        raise DataError(f"expected a box of {rules.setup.game}, got one of {box.game}", where=str(path))
    missing = [face for face in faces if face not in box.references]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise DataError(
            f"the box has no picture of {', '.join(missing[:3])}{more} of the catalogue {rules.setup.catalogue}",
            where=str(path), remedy="Begin the game with the box's own catalogue, or enrol the missing tiles.",
        )
