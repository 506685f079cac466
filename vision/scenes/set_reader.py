"""Learns from a scene set what a person would have enrolled, and reads the set's pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from companion.core.errors import DataError
from companion.core.messages import Message
from companion.core.types import Face, Slot
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import SIZE_PX, learn_faces
from vision.locate.pose import NotLocated, locate_table
from vision.locate.rectify import rectify, square_mm
from vision.scenes.asks import what_to_do
from vision.scenes.scene_set import PictureJob, SceneSet, picture
from vision.spread.tally import TallyReader
from vision.spread.tally_reading import TallyReading
from vision.tables.boards import SeatBoard
from vision.tables.grid import GridPlan
from vision.tables.table_reader import TableReader, TableReading

# Side of a reference cut from an enrolment picture: above what any camera picture of a tile shows.
ENROLLED_PX = 192

# Size in which cards are learnt: they differ in digits of a fifteenth of their width.
FINE_PRINT_PX = 96


def learn_scans(scenes: SceneSet) -> dict[Face, list[np.ndarray]]:
    """Pictures (H, W, 3) uint8 BGR upright of every face, one face for tiles that look the same.

    From the flat scans; without them from the enrolment pictures, where a person said which tile lies where.
    Raises DataError when a tile of the catalogue is in neither.
    """
    found = scenes.references() or _enrolled(scenes)
    scans: dict[Face, list[np.ndarray]] = {}
    for tile, face in scenes.representative.items():
        scans.setdefault(face, []).extend(found.get(tile, []))
    missing = [face for face, pictures in scans.items() if not pictures]
    if missing:
        raise DataError(
            f"no reference and no enrolment picture of {', '.join(missing)}", where=str(scenes.root),
            remedy="Add reference/ID.png or enrol the tiles from camera pictures",
        )  # fmt: skip
    return scans


def _enrolled(scenes: SceneSet) -> dict[Face, list[np.ndarray]]:
    out: dict[Face, list[np.ndarray]] = {}
    tiles, grid = scenes.enrolled_tiles(), scenes.plan.grid
    for path in sorted({t.image for t in tiles}):
        image = picture(path)
        pose = locate_table(image, scenes.plan.markers)
        if isinstance(pose, NotLocated) or grid is None:
            reason = pose.reason if isinstance(pose, NotLocated) else "only tiles of a grid are enrolled from pictures"
            raise DataError(reason, where=str(path), remedy="Take the picture with all four markers in view")
        for tile in (t for t in tiles if t.image == path):
            corners = square_mm(tile.xy_mm, grid.side_mm, tile.turn_deg)
            out.setdefault(tile.tile, []).append(rectify(image, pose, corners, -grid.thickness_mm, ENROLLED_PX))
    return out


def print_size_px(grid: GridPlan | None) -> int:
    """The size at which the faces of a table are learnt: a grid's tiles are told apart by coarser print than others."""
    return FINE_PRINT_PX if grid is None else SIZE_PX


class SetReader:
    """Reads the pictures of a set with what was enrolled from it."""

    def __init__(self, scenes: SceneSet, colours: PieceColours | None = None) -> None:
        """`colours`: the pieces as they were enrolled; None: as the set's layout names them. Raises DataError."""
        self.scenes, self.plan = scenes, scenes.plan
        self.colours = colours or self.plan.colours
        missing = [name for name in self.plan.seat_colours if name not in self.colours.names]
        if missing:
            raise DataError(
                f"expected colours of {', '.join(self.plan.seat_colours)}, got none of {', '.join(missing)}",
                where="piece colours", remedy="Enrol them again: `companion calibrate colours`.",
            )  # fmt: skip
        scans = learn_scans(scenes)
        # spaces of a map are cut alike by ourselves, however much their print differs
        loose = False if self.plan.compound else None
        self.book = learn_faces(scans, size_px=print_size_px(self.plan.grid), loose=loose)
        self.scans: Mapping[Face, np.ndarray] = {face: pictures[0] for face, pictures in scans.items()}
        self.copies: Mapping[Face, int] = Counter(scenes.representative.values())
        self._tables: dict[tuple[int, tuple[str, ...]], TableReader] = {}
        self._tally: TallyReader | None = None

    def table(self, players: int, names: tuple[str, ...] = ()) -> TableReader:
        """The reader for a table of so many players; kept. `names`: the colours in play (default: those of the seats).

        Raises DataError when the layout has no such table or colour.
        """
        names = names or self.plan.seat_colours[:players] or self.colours.names
        if strange := [name for name in names if name not in self.colours.names]:
            raise DataError(f"the set has no pieces of {', '.join(strange)}", where=str(self.scenes.root),
                            remedy=f"It has {', '.join(self.colours.names)}.")  # fmt: skip
        if (players, names) not in self._tables:
            self._tables[players, names] = TableReader(
                self.plan.layout(players), self.book, self.scans, self.colours.only(names),
                markers=self.plan.markers, boards=self.plan.boards, compound=self.plan.compound,
                copies=None if self.plan.grid is None else self.copies,
            )  # fmt: skip
        return self._tables[players, names]

    def read(self, job: PictureJob) -> TableReading:
        """The reading of a picture of a table, with the boards of the seats that the job names. Raises DataError."""
        if job.players is None:
            where = f"{job.image.parent / 'jobs.json'}, {job.image.name}"
            raise DataError("expected the number of players", where=where)
        seats = tuple(SeatBoard(seat, colour) for seat, colour in job.seats)
        return self.table(job.players, job.colours).read(picture(job.image), seats=seats)

    def asks(self, reading: TableReading, players: int) -> dict[Slot, Message]:
        """Why a person is asked about places of a table for so many players, and what to do: see `what_to_do`."""
        return what_to_do(reading, self.plan.layout(players), self.scans)

    def tally(self) -> TallyReader:
        """The reader of captured tiles; kept. Raises DataError for a set without a grid of tiles."""
        grid = self.plan.grid
        if grid is None:
            raise DataError("only the tiles of a grid are tallied", where=str(self.scenes.root))
        if self._tally is None:
            self._tally = TallyReader(
                self.book, self.scans, grid.side_mm, grid.thickness_mm, self.plan.markers, self.copies
            )
        return self._tally

    def read_tally(self, job: PictureJob) -> TallyReading:
        """The reading of a picture of captured tiles."""
        return self.tally_of(picture(job.image))

    def tally_of(self, image: np.ndarray) -> TallyReading:
        """The captured tiles in `image` (H, W, 3) uint8 BGR."""
        pose = locate_table(image, self.plan.markers)
        return self.tally().read(image, None if isinstance(pose, NotLocated) else pose)
