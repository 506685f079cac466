"""Compares readings with the truth of a scene set: counts per light, table and pixel size, and what went wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Truth = Mapping[str, Any]
Reading = Mapping[str, Any]

SURE = 0.9
"""Probability below which a reading counts as flagged; the reader's own level."""

PX_CLASSES = ((0.0, 50.0, "< 50 px"), (50.0, 80.0, "50-80 px"), (80.0, 1e9, ">= 80 px"))


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something read wrong or not at all: where, what was there, what was read, and whether it was flagged."""

    picture: str
    place: str
    kind: str
    wanted: str
    got: str
    flagged: bool
    corners_px: tuple[tuple[float, float], ...] = ()


@dataclass(slots=True)
class MeasureCounts:
    """Counts by measure ("tiles", "tiles wrong", …) over all pictures and by each condition."""

    counts: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, groups: tuple[tuple[str, str], ...], *measures: str) -> None:
        """Count the measures once for everything and once for each (condition, value)."""
        for group in (("all", "all"), *groups):
            self.counts[group].update(measures)

    def rate(self, part: str, whole: str, group: tuple[str, str] = ("all", "all")) -> float | None:
        """Share of `whole` that is `part`; None when there is nothing to count."""
        counts = self.counts[group]
        return counts[part] / counts[whole] if counts[whole] else None


def conditions(truth: Truth) -> tuple[tuple[str, str], ...]:
    """The light, the table and the picture size of a picture."""
    told = truth.get("conditions", {})
    size = truth.get("camera", {}).get("size", ("?", "?"))
    return (
        ("light", str(told.get("light", "?"))),
        ("table", str(told.get("table", "?"))),
        ("picture", f"{size[0]}x{size[1]}"),
    )


def side_px(corners_px: Any) -> float:
    """Mean side of a tile in the picture."""
    corners = np.asarray(corners_px, float)
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def _size_class(px: float) -> tuple[str, str]:
    return ("tile", next(name for low, high, name in PX_CLASSES if low <= px < high))


def compare_grid(tally: MeasureCounts, name: str, truth: Truth, reading: Reading, same: Mapping[str, str]) -> None:
    """Count one picture of the grid. `same`: tile id -> the representative of its face."""
    groups = conditions(truth)
    located = bool(reading["camera"]["located"])
    tally.add(groups, "grids", "grids located" if located else "grids not located")
    tally.add(
        (*groups, ("markers", "yes" if truth.get("markers") else "no")), "pose", "pose ok" if located else "pose none"
    )
    if not located:
        return
    corner_ok = reading["corner"] == truth["corner"]
    tally.add(groups, "corners", "corners right" if corner_ok else "corners wrong")
    cells = {(c["row"], c["col"]): c for c in reading["cells"]}
    standing: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for cube in truth["cubes"]:
        standing[cube["row"], cube["col"]][cube["colour"]] += 1
    right = settled = not truth.get("hand")
    honest = True
    for wanted in truth["cells"]:
        place = (wanted["row"], wanted["col"])
        cell = cells[place]
        if cell["state"] == "covered":
            tally.add(groups, "cells covered", *(["covered without a hand"] if settled else []))
            right = False
            continue
        ok, flagged = _compare_cell(tally, groups, name, wanted, cell, standing[place], same, settled)
        right &= ok
        honest &= ok or flagged
    if settled:
        marked = (*groups, ("markers", "yes" if truth.get("markers") else "no"))
        honest &= corner_ok or reading["corner"] is None
        tally.add(
            marked,
            "settled",
            *(["settled right"] if right and corner_ok else []),
            *([] if honest else ["settled dishonest"]),
        )


def _compare_cell(
    tally: MeasureCounts,
    groups: tuple[tuple[str, str], ...],
    name: str,
    wanted: Truth,
    cell: Reading,
    standing: Counter[str],
    same: Mapping[str, str],
    settled: bool,
) -> tuple[bool, bool]:
    """Whether a cell is right with its pieces, and whether what is wrong is flagged."""
    place = f"r{wanted['row'] + 1}c{wanted['col'] + 1}"
    tile = wanted.get("tile")
    if not tile:
        ok = cell["state"] == "empty"
        flagged = cell["state"] == "unknown"
        if settled:
            tally.add(groups, "empty cells", "empty right" if ok else "empty unknown" if flagged else "empty wrong")
        if not ok and settled:
            tally.mistakes.append(
                Mistake(name, place, "empty", "empty", str(cell.get("tile") or cell["state"]), flagged)
            )
        return ok, flagged
    px = side_px(wanted["corners_px"])
    groups = (*groups, _size_class(px))
    named = cell["state"] == "tile"
    face_ok = named and same.get(cell["tile"]) == same[tile]
    unsure = cell["state"] == "unknown"
    corners = tuple((float(x), float(y)) for x, y in wanted["corners_px"])
    if not settled and not face_ok:
        return False, unsure  # a hand in view: what is under it has no truth
    got = str(cell.get("tile") or cell["state"])
    verdict = "tiles right" if face_ok else "tiles unknown" if unsure else "tiles wrong"
    tally.add(groups, "tiles", verdict)
    tally.confusion[same[tile], same.get(got, got)] += 1
    if not face_ok:
        tally.mistakes.append(Mistake(name, place, "tile", tile, got, unsure, corners))
    # pieces can be counted on a face that is not told from one that differs in a digit
    counted = named or cell.get("cubes_p", 0.0) > 0.0
    cubes_ok = counted and Counter(cell.get("cubes", {})) == standing
    flagged = unsure or (named and cell.get("cubes_p", 1.0) < SURE)
    measures = ["cube tiles", "cubes right" if cubes_ok else "cubes wrong"]
    if flagged:
        measures.append("cubes right, flagged" if cubes_ok else "cubes wrong, flagged")
    if standing:
        measures += ["occupied", "occupied right" if cubes_ok else "occupied wrong"]
    tally.add(groups, *measures)
    if counted and not cubes_ok:
        tally.mistakes.append(
            Mistake(name, place, "cubes", _counts(standing), _counts(cell.get("cubes", {})), flagged, corners)
        )
    return face_ok and cubes_ok, flagged


def _counts(cubes: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {colour}" for colour, n in sorted(cubes.items())) or "none"


def compare_boards(tally: MeasureCounts, name: str, truth: Truth, reading: Reading) -> None:
    """Count the player boards of one picture."""
    groups = conditions(truth)
    read = {b["seat"]: b for b in reading["boards"]}
    for board in truth["boards"]:
        got = read.get(board["seat"], {"slots": [], "sure": False})
        want = sorted((s["row"], s["col"], s["colour"]) for s in board["slots"])
        seen = sorted((s["row"], s["col"], s["colour"]) for s in got["slots"])
        ok = want == seen
        measures = ["boards", "boards right" if ok else "boards wrong"]
        if not got["sure"]:
            measures.append("boards right, flagged" if ok else "boards wrong, flagged")
        tally.add(groups, *measures)
        if not ok:
            tally.mistakes.append(
                Mistake(name, f"seat {board['seat']}", "board", str(want), str(seen), not got["sure"])
            )


def compare_tally(tally: MeasureCounts, name: str, truth: Truth, reading: Reading, same: Mapping[str, str]) -> None:
    """Count one picture of captured tiles: the multiset of faces and the total."""
    groups = conditions(truth)
    want = Counter(same[t["tile"]] for t in truth["tiles"])
    got = Counter(same.get(t["tile"], str(t["tile"])) for t in reading["tiles"] if t.get("tile"))
    tiles_ok = want == got
    total_ok = reading.get("score", {}).get("total") == truth["score"]["total"]
    sure = bool(reading["sure"])
    measures = ["tallies", "tallies exact" if tiles_ok and total_ok else "tallies wrong"]
    measures.append("tallies sure" if sure else "tallies asked")
    if sure and not (tiles_ok and total_ok):
        measures.append("tallies wrong and sure")
    if tiles_ok and not total_ok:
        measures.append("tallies with right tiles and wrong score")
    tally.add(
        groups, *measures, *["tally tiles"] * sum(want.values()), *["tally tiles right"] * sum((want & got).values())
    )
    if not (tiles_ok and total_ok):
        missing, extra = want - got, got - want
        tally.mistakes.append(Mistake(name, "tally", "tally", str(dict(missing)), str(dict(extra)), not sure))
