"""Fits the probabilities of the second look at faces and of piece counts on rendered sets: run it, copy what it prints.

    python -m companion.lab.fitting.fit_table_chances SET...

The sets are made by `companion.lab.scenes.make_set` with editions `random:SEED`;
docs/measured/reading-the-table.md names the seeds.
No other pictures may take part, so that what is measured on others is measured on data that the fit has not seen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import numpy as np

from companion.core.types import Face, Slot
from companion.lab.fitting.logistic import chances, logistic
from vision.appearance.canvas import Canvas
from vision.appearance.placed_face import SeenTable
from vision.appearance.twins.rematch import Doubt, TwinComparison, compare_all
from vision.pieces.probability import features
from vision.scenes.scene_set import SceneSet, picture
from vision.scenes.set_reader import SetReader
from vision.tables.grid import slot_name
from vision.tables.light.faces_in_light import FacesInLight
from vision.tables.place_reader import PlaceReader

RIDGE = 0.3
"""Pull of every weight towards its belief: with few mistakes a fit would otherwise grow without bound."""

FACE_BELIEF = (0.85, 0.85, 0.85)
COUNT_BELIEF = (0.0, 0.0, -6.0, -4.0)
"""What the weights are where the samples say nothing: rendered tables hold few misread faces, and few things that are
no part of the game. 14 nats for a face by its grey levels and as many by its print make it 0.99 sure; a refused piece
with 8 nats, or 150 mm2 that nothing explains, take a count that is sure to even odds."""


@dataclass
class Samples:
    """Features of what was read and whether it was right."""

    faces: list[tuple[tuple[float, ...], bool]]
    counts: list[tuple[tuple[float, ...], bool]]


class KeepsComparisons(FacesInLight):
    """Decides faces as any other, and keeps what the probabilities of its comparisons rest on."""

    comparisons: dict[Slot, TwinComparison]

    def rematch(
        self, table: SeenTable, canvas: Canvas, doubts: Mapping[Slot, Doubt]
    ) -> dict[Slot, tuple[tuple[Face, float], ...]]:
        """As the reader, but keeping the comparisons."""
        found = compare_all(table, canvas.light, list(doubts.values()), self.faces.scans)
        self.comparisons |= {slot: one for slot, one in zip(doubts, found, strict=True) if one is not None}
        return super().rematch(table, canvas, doubts)


def samples_of(directory: Path) -> Samples:
    """What every tile of a set's settled grids says."""
    scenes = SceneSet(directory)
    reader = SetReader(scenes)
    # pieces of a misnamed face say nothing of counts: the box's copies take no part in the fit
    reader.copies = {}
    out = Samples([], [])
    for job in scenes.jobs("grid"):
        truth = json.loads(job.image.with_suffix(".json").read_text())
        if truth.get("hand") or job.players is None:
            continue
        table = reader.table(job.players)
        (zone,) = table.zones
        assert isinstance(zone, PlaceReader)
        own = zone.in_light
        zone.in_light = decider = KeepsComparisons(
            own.layout, own.faces, own.colours, own.face_mm, own.places_mm
        )
        decider.comparisons = {}
        standing: dict[Slot, Counter[str]] = {}
        for cube in truth["cubes"]:
            standing.setdefault(slot_name(cube["row"], cube["col"]), Counter())[cube["colour"]] += 1
        lying = {slot_name(c["row"], c["col"]): c["tile"] for c in truth["cells"] if c["tile"]}
        for one in table.read(picture(job.image)).places:
            if one.slot not in lying or one.counted is None:  # not there, or taken back as unlike its face
                continue
            face = scenes.representative[lying[one.slot]]
            if (found := decider.comparisons.get(one.slot)) is not None:
                out.faces.append((found.features, found.faces[found.order[0]] == face))
            right = Counter(dict(one.pieces)) == standing.get(one.slot, Counter())
            out.counts.append((features(one.counted), right))
    return out


def reliability(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> Iterator[str]:
    """Lines of a table: how often what was believed to a degree was right."""
    p = chances(x, w)
    edges = (0.0, 0.5, 0.8, 0.9, 0.97, 0.99, 0.999, 1.0 + 1e-9)
    for low, high in pairwise(edges):
        here = (p >= low) & (p < high)
        if here.any():
            said, was, wrong = p[here].mean(), y[here].mean(), int((~y[here]).sum())
            part = f"believed {low:5.3f}-{min(high, 1.0):5.3f}"
            yield f"  {part}: {here.sum():5d}, mean {said:.4f}, right {was:.4f}, wrong {wrong}"


def report(name: str, samples: list[tuple[tuple[float, ...], bool]], belief: tuple[float, ...]) -> None:
    """Fit and print one of the two."""
    x, y = np.array([s[0] for s in samples]), np.array([s[1] for s in samples])
    w = logistic(x, y, np.array(belief), RIDGE)
    click.echo(f"{name}: {len(y)} samples, {int((~y).sum())} wrong")
    click.echo(f"  WEIGHTS = ({', '.join(f'{v:.3f}' for v in w)})")
    for line in reliability(x, y, w):
        click.echo(line)


@click.command()
@click.argument("sets", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--keep", type=click.Path(dir_okay=False, path_type=Path), help="Write the samples as JSON.")
@click.option("--kept", type=click.Path(exists=True, path_type=Path), help="Begin with samples written before.")
def main(sets: tuple[Path, ...], keep: Path | None, kept: Path | None) -> None:
    """Fit the chances on rendered SETS."""
    known = json.loads(kept.read_text()) if kept is not None else {"faces": [], "counts": []}
    every = Samples(known["faces"], known["counts"])
    for directory in sets:
        one = samples_of(directory)
        every.faces += one.faces
        every.counts += one.counts
        click.echo(f"{directory.name}: {len(one.faces)} faces, {len(one.counts)} counts", err=True)
    if keep is not None:
        keep.write_text(json.dumps({"faces": every.faces, "counts": every.counts}))
    report("second look", every.faces, FACE_BELIEF)
    report("piece counts", every.counts, COUNT_BELIEF)


if __name__ == "__main__":
    main()
