"""Fits the probabilities of the second look at faces and of piece counts on rendered sets: run it, copy what it prints.

    PYTHONPATH=tests/support python -m fit_table_chances SET...

The sets are made by `render.make_set` with editions `random:SEED`; docs/vision.md names the seeds. No other pictures
may take part, so that what is measured on others is measured on data that the fit has not seen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
from logistic import chances, logistic

from vision.canvas import Canvas
from vision.grid import CellReading, CellState, GridReader
from vision.piece_chance import features
from vision.scene_set import SceneSet, picture
from vision.second_look import Comparison, compare
from vision.set_reader import SetReader

RIDGE = 0.3
"""Pull of every weight towards its belief: with few mistakes a fit would otherwise grow without bound."""

FACE_BELIEF = (0.0, 1.7)
COUNT_BELIEF = (0.0, 0.0, -6.0, -4.0)
"""What the weights are where the samples say nothing: rendered tables hold few misread faces, and few things that are
no part of the game. 14 nats for a face make it 0.99 sure; a refused piece with 8 nats, or 150 mm2 that nothing
explains, take a count that is sure to even odds."""


@dataclass
class Samples:
    """Features of what was read and whether it was right."""

    faces: list[tuple[tuple[float, ...], bool]]
    counts: list[tuple[tuple[float, ...], bool]]


class Watched(GridReader):
    """A grid reader that keeps what the probabilities of its second looks rest on."""

    comparisons: dict[tuple[int, int], Comparison]

    def second_look(
        self, canvas: Canvas, seen: np.ndarray, number: int, covered: np.ndarray, cell: CellReading
    ) -> CellReading:
        """As the reader, but keeping the comparison."""
        origin = (canvas.window.left_mm, canvas.window.top_mm)
        laid = canvas.faces[number]
        found = compare(seen, canvas.light, origin, laid, cell.alternatives, self.small, covered)
        if found is not None:
            self.comparisons[cell.row, cell.col] = found
        return super().second_look(canvas, seen, number, covered, cell)


def samples_of(directory: Path) -> Samples:
    """What every tile of a set's settled grids says."""
    scenes = SceneSet(directory)
    reader = SetReader(scenes)
    out = Samples([], [])
    for job in scenes.jobs("grid"):
        truth = json.loads(job.image.with_suffix(".json").read_text())
        if truth.get("hand") or job.players is None:
            continue
        table = reader.table(job.players)
        own = table.grid
        grid = Watched(own.plan, own.book, reader.scans, own.colours, own.piece_side_mm)
        grid.comparisons, table.grid = {}, grid
        reading = table.read(picture(job.image))
        if reading.grid is None:
            continue
        standing: dict[tuple[int, int], Counter[str]] = {}
        for cube in truth["cubes"]:
            standing.setdefault((cube["row"], cube["col"]), Counter())[cube["colour"]] += 1
        lying = {(c["row"], c["col"]): c["tile"] for c in truth["cells"] if c["tile"]}
        for cell in reading.grid.cells:
            at = (cell.row, cell.col)
            if at not in lying or cell.state not in (CellState.TILE, CellState.UNKNOWN):
                continue
            if cell.counted is None:  # taken back: it does not look like its face
                continue
            face = scenes.representative[lying[at]]
            if (found := grid.comparisons.get(at)) is not None:
                out.faces.append((found.features, found.faces[found.order[0]] == face))
            right = Counter(dict(cell.cubes)) == standing.get(at, Counter())
            out.counts.append((features(cell.counted), right))
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
