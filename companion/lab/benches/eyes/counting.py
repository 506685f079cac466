"""`companion bench count`: pieces counted in a folder of photographs with their truth, beside a quick recipe."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.errors import DataError

if TYPE_CHECKING:
    from vision.count.teaching.colours import Picture, PieceColour

TRUTH = "truth.json"
NEVER = 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """One photograph: the true counts, those found, those of the quick recipe, and how sure the count was."""

    file: str
    truth: dict[str, int]
    found: dict[str, int]
    unknown: int
    quick: dict[str, int]
    sure: bool
    probability: float
    seconds: float

    def exact(self, counts: dict[str, int]) -> bool:
        """Whether every colour's number is right; colours that were not learnt are no part of it."""
        return all(counts.get(name, 0) == number for name, number in self.truth.items()) and sum(
            counts.values()
        ) == sum(self.truth.values())

    def total(self, counts: dict[str, int]) -> bool:
        """Whether the sum is right."""
        return sum(counts.values()) == sum(self.truth.values())


@click.command("count")
@click.option("--colours", type=click.Path(path_type=Path, exists=True), required=True, help="As for companion count.")
@click.option("--without", multiple=True, help="Leave out photographs whose file or group has this name; repeatable.")
@click.option("--each", is_flag=True, help="Print every photograph that was counted wrong by either.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def bench_count(colours: Path, without: tuple[str, ...], each: bool, as_json: bool, folder: Path) -> None:
    """Count the pieces in the photographs of FOLDER and compare with its truth.json.

    truth.json: a list of {"file": …, "counts": {colour: number}, "group": …}, or an object of file -> {"counts": …}.
    The quick recipe finds pieces by their Lab distance from the picture's rim and the peaks of the distance transform,
    and names them by the nearest learnt Lab colour. Seconds are one thread's own time, without reading the file.

    \b
    Example:
      companion bench count --colours coins.json --without mix29 photos/coins-on-tables
    """
    import cv2

    from vision.count.teaching.colour_file import read_colours

    cv2.setNumThreads(1)
    learnt = read_colours(colours)
    entries = [e for e in _truth(folder / TRUTH) if not {Path(e["file"]).stem, e.get("group")} & set(without)]
    if not entries:
        raise DataError("no photographs are left", where=str(folder / TRUTH), remedy="See --without.")
    rows = [_row(folder, entry, learnt) for entry in entries]
    figures = _figures(rows)
    if as_json:
        click.echo(json.dumps(figures))
        return
    if each:
        for row in rows:
            if not row.exact(row.found) or not row.exact(row.quick):
                click.echo(f"{row.file}: truth {row.truth}, found {row.found} + {row.unknown}, quick {row.quick}")
    for name, value in figures.items():
        click.echo(f"{name:38} {value:8.3g}")


def _truth(path: Path) -> list[dict[str, Any]]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"cannot read: {error}", where=str(path), remedy="Expected a list of files and counts."
        ) from None
    if isinstance(document, dict):
        document = [{"file": name, **entry} for name, entry in document.items()]
    return [entry for entry in document if "counts" in entry]


def _row(folder: Path, entry: dict[str, Any], colours: Sequence[PieceColour]) -> Row:
    from vision.count.counting import count_pieces
    from vision.count.teaching.colour_file import read_picture

    picture = read_picture(folder / entry["file"])
    begun = time.thread_time()
    result = count_pieces(picture, colours)
    spent = time.thread_time() - begun
    quick = quick_count(picture, colours)
    return Row(
        entry["file"], entry["counts"], result.counts, result.unknown, quick, result.sure, result.probability, spent
    )


def _figures(rows: list[Row]) -> dict[str, float]:
    """Shares of photographs, and the quick recipe's errors by ours."""
    number = len(rows)
    ours, quick = (sum(not row.exact(counts(row)) for row in rows) for counts in (_found, _quick))
    return {
        "photographs": number,
        "every colour exact": sum(row.exact(row.found) for row in rows) / number,
        "total exact": sum(row.total(row.found) for row in rows) / number,
        "said sure": sum(row.sure for row in rows) / number,
        "sure and wrong": sum(row.sure and not row.exact(row.found) for row in rows),
        "quick recipe: every colour exact": sum(row.exact(row.quick) for row in rows) / number,
        "quick recipe: total exact": sum(row.total(row.quick) for row in rows) / number,
        "quick recipe's errors by ours": quick / ours if ours else float("inf") if quick else 1.0,
        "seconds a photograph, median": statistics.median(row.seconds for row in rows),
        "seconds a photograph, most": max(row.seconds for row in rows),
    }


def _found(row: Row) -> dict[str, int]:
    return row.found


def _quick(row: Row) -> dict[str, int]:
    return row.quick


QUICK_PX, QUICK_RIM_PX = 800, 20
QUICK_APART, QUICK_DEEP = 1.2, 0.6  # peaks: least distance and depth, in the usual radius


def quick_count(picture: Picture, colours: Sequence[PieceColour]) -> dict[str, int]:
    """What a quick recipe counts: Lab distance from the rim (Otsu), peaks of the distance transform, nearest Lab."""
    import cv2
    import numpy as np

    from vision.count.table.ground import to_lab

    share = QUICK_PX / max(picture.shape[:2])
    lab = cv2.GaussianBlur(
        to_lab(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)), (0, 0), 1.5
    )
    edge = QUICK_RIM_PX
    rim = np.concatenate([part.reshape(-1, 3) for part in (lab[:edge], lab[-edge:], lab[:, :edge], lab[:, -edge:])])
    away = np.clip(2 * np.linalg.norm(lab - np.median(rim, axis=0), axis=2), 0, 255).astype(np.uint8)
    mask = cv2.threshold(away, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    mask = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), cv2.MORPH_OPEN, kernel)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    number, labels = cv2.connectedComponents(mask)
    counts = {colour.name: 0 for colour in colours}
    if number < 2:
        return counts
    radius = float(np.median([depth[labels == k].max() for k in range(1, number)]))
    reach = int(QUICK_APART * radius) | 1
    top = cv2.dilate(depth, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    peaks = ((depth >= top - NEVER) & (depth > QUICK_DEEP * radius)).astype(np.uint8)
    centres = np.array([colour.lab() for colour in colours])
    half = max(2, int(radius / 2))
    for x, y in cv2.connectedComponentsWithStats(peaks)[3][1:].astype(int):
        around = lab[max(0, y - half) : y + half, max(0, x - half) : x + half].reshape(-1, 3)
        nearest = int(np.linalg.norm(centres - np.median(around, axis=0), axis=1).argmin())
        counts[colours[nearest].name] += 1
    return counts


BENCH = bench_count
