"""Reads the pictures of a scene set whose layout.json names the slots of a game's table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.core.errors import DataError
from companion.core.types import Face
from vision.faces.book import FaceBook
from vision.layout_reader import LayoutReader, LayoutReading, is_sure
from vision.pose import NotLocated
from vision.scene_set import Job, SceneSet, picture
from vision.set_reader import scans_by_face
from vision.table_plan import read_table_plan
from vision.zone import SlotSeen, SlotState

ALTERNATIVES = 4

FINE_PRINT_PX = 96
"""Size in which cards are learnt: they differ in digits of a fifteenth of their width."""


class TableSetReader:
    """Reads the tables of a set with its flat scans."""

    def __init__(self, scenes: SceneSet) -> None:
        self.scenes = scenes
        self.plan = read_table_plan(scenes.root / "layout.json")
        scans = scans_by_face(scenes, scenes.references(), "no reference of", "Add reference/ID.png")
        self.book = FaceBook.learn(scans, size_px=FINE_PRINT_PX)
        self.scans: Mapping[Face, np.ndarray] = {face: pictures[0] for face, pictures in scans.items()}
        self._readers: dict[tuple[int, tuple[str, ...]], LayoutReader] = {}

    def table(self, players: int, colours: tuple[str, ...] = ()) -> LayoutReader:
        """The reader for so many players; `colours`: those in play, else all. Raises DataError without a layout."""
        key = (players, colours)
        if key not in self._readers:
            if players not in self.plan.layouts:
                raise DataError(
                    f"layouts are for {sorted(self.plan.layouts)} players, got {players}", where="layout.json"
                )
            pieces = self.plan.colours.only(colours) if colours else self.plan.colours
            self._readers[key] = LayoutReader(
                self.plan.layouts[players], self.book, self.scans, pieces,
                markers=self.plan.markers, compound=self.plan.compound,
            )  # fmt: skip
        return self._readers[key]

    def read(self, job: Job) -> LayoutReading:
        """The reading of a picture. Raises DataError when the job does not tell the number of players."""
        if job.players is None:
            raise DataError(
                "expected the number of players", where=f"{job.image.parent / 'jobs.json'}, {job.image.name}"
            )
        return self.table(job.players, job.colours).read(picture(job.image))


def layout_json(image: str, reading: LayoutReading) -> dict[str, Any]:
    """The reading of a table as JSON: the form that is compared with the truth."""
    if isinstance(reading.pose, NotLocated):
        camera = {"located": False, "by": None, "reason": reading.pose.reason}
        return {"image": image, "sure": False, "camera": camera, "slots": []}
    seen = [s for s in reading.slots if s.state is not SlotState.OUTSIDE]
    return {
        "image": image,
        "sure": all(is_sure(s) or s.state is SlotState.COVERED for s in seen),
        "camera": {"located": True, "by": reading.pose.by},
        "hidden_colours": list(reading.hidden),
        "slots": [_slot_json(s) for s in reading.slots],
    }


def _slot_json(seen: SlotSeen) -> dict[str, Any]:
    out: dict[str, Any] = {"slot": seen.slot, "holds": seen.holds, "state": seen.state.value, "sure": is_sure(seen)}
    if seen.state is SlotState.FACE:
        out |= {"face": seen.face, "p": round(seen.p, 4), "turn": seen.turn}
    if seen.state in (SlotState.FACE, SlotState.UNKNOWN):
        others = [a for a in seen.alternatives if a[0] != seen.face]
        out["alternatives"] = [[face, round(p, 4)] for face, p in others[:ALTERNATIVES]]
    if seen.holds != "card" and seen.state not in (SlotState.COVERED, SlotState.OUTSIDE):
        out |= {"pieces": dict(seen.pieces), "pieces_p": round(seen.pieces_p, 4)}
        out["feet_mm"] = [[colour, round(x, 1), round(y, 1)] for colour, (x, y) in seen.feet_mm]
    return out
