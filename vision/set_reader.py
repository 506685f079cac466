"""Learns from a scene set what a person would have enrolled, and reads the set's pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from companion.core.errors import DataError
from companion.core.types import Face
from vision.boards import BoardPlan, SeatBoard
from vision.colours import PieceColours
from vision.faces.book import FaceBook
from vision.grid import GridPlan
from vision.markers import MarkerLayout
from vision.pose import NotLocated, locate_table
from vision.reader import TableReader, TableReading
from vision.rectify import rectify, square_mm
from vision.scene_set import Job, SceneLayout, SceneSet, picture
from vision.tally import TallyReader, TallyReading

ENROLLED_PX = 192
"""Side of a reference cut from an enrolment picture: above what any camera picture of a tile shows."""


def marker_layout(layout: SceneLayout) -> MarkerLayout:
    """The set's markers in the words of the pose finder."""
    return MarkerLayout(layout.dictionary, layout.marker_side_mm, layout.marker_centres_mm)


def learn_scans(scenes: SceneSet) -> dict[Face, list[np.ndarray]]:
    """Pictures (H, W, 3) uint8 BGR upright of every face, one face for tiles that look the same.

    From the flat scans; without them from the enrolment pictures, where a person said which tile lies where.
    Raises DataError when a tile of the catalogue is in neither.
    """
    found = scenes.references() or _enrolled(scenes)
    remedy = "Add reference/ID.png or enrol the tiles from camera pictures"
    return scans_by_face(scenes, found, "no reference and no enrolment picture of", remedy)


def scans_by_face(
    scenes: SceneSet, found: Mapping[str, Sequence[np.ndarray]], lacking: str, remedy: str
) -> dict[Face, list[np.ndarray]]:
    """The pictures of every face, of those `found` of each tile.

    Raises DataError naming the faces without a picture, as what is `lacking`, with the `remedy`.
    """
    scans: dict[Face, list[np.ndarray]] = {}
    for tile, face in scenes.representative.items():
        scans.setdefault(face, []).extend(found.get(tile, []))
    missing = [face for face, pictures in scans.items() if not pictures]
    if missing:
        raise DataError(
            f"{lacking} {', '.join(missing)}", where=str(scenes.root), remedy=remedy)
    return scans


def _enrolled(scenes: SceneSet) -> dict[Face, list[np.ndarray]]:
    layout = scenes.layout
    out: dict[Face, list[np.ndarray]] = {}
    tiles = scenes.enrolled_tiles()
    for path in sorted({t.image for t in tiles}):
        image = picture(path)
        pose = locate_table(image, marker_layout(layout))
        if isinstance(pose, NotLocated):
            raise DataError(
                pose.reason, where=str(path), remedy="Take the enrolment picture with all four markers in view"
            )
        for tile in (t for t in tiles if t.image == path):
            corners = square_mm(tile.xy_mm, layout.tile_side_mm, tile.turn_deg)
            out.setdefault(tile.tile, []).append(rectify(image, pose, corners, -layout.tile_thickness_mm, ENROLLED_PX))
    return out


class SetReader:
    """Reads the pictures of a set with what was enrolled from it."""

    def __init__(self, scenes: SceneSet, colours: PieceColours | None = None) -> None:
        """`colours`: the pieces as they were enrolled; None: as the set's layout names them. Raises DataError."""
        self.scenes = scenes
        scans = learn_scans(scenes)
        self.book = FaceBook.learn(scans)
        self.scans: Mapping[Face, np.ndarray] = {face: pictures[0] for face, pictures in scans.items()}
        self.colours = PieceColours.from_rgb(scenes.layout.cube_rgb) if colours is None else colours
        missing = [name for name in scenes.layout.seat_colours if name not in self.colours.names]
        if missing:
            raise DataError(
                f"expected colours of {', '.join(scenes.layout.seat_colours)}, got none of {', '.join(missing)}",
                where="piece colours", remedy="Enrol them again: `companion calibrate colours`.",
            )
        self.copies: Mapping[Face, int] = Counter(scenes.representative.values())
        self._tables: dict[tuple[int, tuple[str, ...]], TableReader] = {}

    def table(self, players: int, names: tuple[str, ...] = ()) -> TableReader:
        """The reader for a grid of so many players; kept. `names`: the colours in play (default: the set's seats).

        Raises DataError when the layout has no such grid or colour.
        """
        names = names or self.scenes.layout.seat_colours[:players]
        strange = [name for name in names if name not in self.colours.names]
        if strange:
            raise DataError(f"the set has no pieces of {', '.join(strange)}", where=str(self.scenes.root),
                            remedy=f"It has {', '.join(self.colours.names)}.")
        if (players, names) not in self._tables:
            layout = self.scenes.layout
            if players not in layout.rows_cols:
                raise DataError(f"grids are for {sorted(layout.rows_cols)} players, got {players}", where="layout.json")
            rows, cols = layout.rows_cols[players]
            plan = GridPlan(
                rows, cols, layout.pitch_mm, layout.tile_side_mm, layout.tile_thickness_mm, layout.grid_centre_mm
            )
            boards = BoardPlan(
                *layout.board_wh_mm,
                pitch_mm=layout.cutout_pitch_mm,
                thickness_mm=layout.tile_thickness_mm,
                piece_mm=layout.cube_side_mm,
                origin_mm=layout.cutout_origin_mm,
            )
            self._tables[players, names] = TableReader(
                plan,
                self.book,
                self.scans,
                self.colours.only(names),
                markers=marker_layout(layout),
                boards=boards,
                copies=self.copies,
            )
        return self._tables[players, names]

    def read(self, job: Job) -> TableReading:
        """The reading of a picture of the grid, with the boards of the seats that the job names."""
        if job.players is None:
            raise DataError(
                "expected the number of players", where=f"{job.image.parent / 'jobs.json'}, {job.image.name}"
            )
        seats = tuple(SeatBoard(seat, colour) for seat, colour in job.seats)
        return self.table(job.players).read(picture(job.image), seats=seats)

    def read_tally(self, job: Job) -> TallyReading:
        """The reading of a picture of captured tiles."""
        return self.tally_of(picture(job.image))

    def tally_of(self, image: np.ndarray) -> TallyReading:
        """The captured tiles in `image` (H, W, 3) uint8 BGR."""
        layout = self.scenes.layout
        markers = marker_layout(layout)
        pose = locate_table(image, markers)
        sizes = (layout.tile_side_mm, layout.tile_thickness_mm)
        reader = TallyReader(self.book, self.scans, *sizes, markers, self.copies)
        return reader.read(image, None if isinstance(pose, NotLocated) else pose)
