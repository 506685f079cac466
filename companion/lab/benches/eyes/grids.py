"""`companion bench grids`: ruled grids found and their signs named in a folder of photographs with truth."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

import click

from companion.core.errors import DataError
from companion.lab.evaluation.ruled_sets import read_truth, sign_at

NEAR = 0.05
"""Of the grid's width, by which a found corner may be off: half a square of nine."""


@click.command("grids")
@click.option("--learn", "teachers", multiple=True, help="Pictures to learn one sign a name from, by stem; repeatable.")
@click.option("--camera", "cameras", multiple=True, help="Judge only these cameras' pictures; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def bench_grids(teachers: tuple[str, ...], cameras: tuple[str, ...], as_json: bool, folder: Path) -> None:
    """Find the grid of every photograph of FOLDER and name its signs, learnt from one picture of another camera.

    truth.json: a list of {"file", "camera", "corners": 4 x [x, y] clockwise from top left, "cells": rows of numbers,
    0 for empty}. Each --learn is a run of its own over the photographs of all other cameras; without one, the first
    picture of each camera with all signs. Seconds are one thread's own time.

    Example: companion bench grids --camera phone photos/puzzles
    """
    import cv2
    import numpy as np

    from vision.printed.board import BoardShape
    from vision.printed.glyphs import name_signs, signs_of
    from vision.printed.ruled import find_grid

    cv2.setNumThreads(1)
    entries = read_truth(folder)
    found, near, wrong_squares, squares, seconds = 0, 0, 0, 0, []
    signs: dict[str, dict[tuple[int, int], Any]] = {}
    for entry in entries:
        image = cv2.imread(str(folder / entry["file"]))
        if image is None:
            raise DataError("expected a picture", where=str(folder / entry["file"]))
        shape = BoardShape(len(entry["cells"][0]), len(entry["cells"]))
        begun = time.thread_time()
        grid = find_grid(image, shape)
        signs[entry["file"]] = signs_of(image, grid, shape) if grid.found else {}
        seconds.append(time.thread_time() - begun)
        true = np.array(entry["corners"], np.float64)
        off = np.linalg.norm(grid.corners_px - true, axis=1).max() / np.linalg.norm(true[1] - true[0])
        found += grid.found
        near += grid.found and off <= NEAR
        squares += len(shape.squares())
        wrong_squares += sum(
            (sign_at(entry, square) != 0) != (square in signs[entry["file"]]) for square in shape.squares()
        )
    runs: dict[str, dict[str, float]] = {}
    for teacher in _teachers(entries, signs, teachers):
        learnt: dict[str, list[Any]] = {}
        for square, sign in signs[teacher["file"]].items():
            learnt.setdefault(str(sign_at(teacher, square)), [sign])
        learnt.pop("0", None)
        told: list[tuple[str, str | None, str]] = []
        for entry in entries:
            if entry["camera"] != teacher["camera"] and (not cameras or entry["camera"] in cameras):
                for one in name_signs(signs[entry["file"]], learnt):
                    told.append((str(sign_at(entry, (one.column, one.row))), one.name, one.alternatives[0][0]))
        runs[Path(teacher["file"]).stem] = {
            "signs": len(told),
            "right": sum(true == name for true, name, _ in told) / max(len(told), 1),
            "wrong": sum(name not in (None, true) for true, name, _ in told) / max(len(told), 1),
            "best guess right": sum(true == best for true, _, best in told) / max(len(told), 1),
        }
    figures = {
        "photographs": len(entries),
        "grids found": found / len(entries),
        f"corners within {NEAR:.0%} of the width": near / len(entries),
        "squares wrongly empty or filled": wrong_squares / squares,
        "seconds a photograph, median": statistics.median(seconds),
    }
    if as_json:
        click.echo(json.dumps({**figures, "learnt from": runs}))
        return
    for name, value in figures.items():
        click.echo(f"{name:40} {value:8.4g}")
    for name, run in runs.items():
        click.echo(f"learnt from {name:14} " + "  ".join(f"{key} {value:.4g}" for key, value in run.items()))


def _teachers(
    entries: list[dict[str, Any]], signs: dict[str, dict[tuple[int, int], Any]], named: tuple[str, ...]
) -> list[dict[str, Any]]:
    """The pictures called `named`, or the first of each camera that shows every sign there is."""
    if named:
        missing = sorted(set(named) - {Path(e["file"]).stem for e in entries})
        if missing:
            raise DataError(f"no pictures {', '.join(missing)}", where="--learn")
        return [e for e in entries if Path(e["file"]).stem in named]
    every = {value for e in entries for row in e["cells"] for value in row if value}
    out: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if {sign_at(entry, square) for square in signs[entry["file"]]} >= every:
            out.setdefault(entry["camera"], entry)
    return list(out.values())


BENCH = bench_grids
