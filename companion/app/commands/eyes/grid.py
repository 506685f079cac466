"""`companion grid`: reads the signs in the squares of a ruled grid, such as a printed puzzle, in photographs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from companion.app.command_kit import Unusable
from companion.app.commands.eyes.identify import reference_files
from companion.core.errors import DataError

EXIT_NOTHING = 1


@click.command(
    epilog="Example: companion grid --references digits/ puzzle-1.jpg puzzle-2.jpg",
    help="""Find a ruled grid in each PICTURE and name the signs in its squares.

    DIR holds a picture of a square a sign, as cut from any photograph of such a grid: 1.png, 2.png …; a folder in DIR
    is a sign with several pictures. Other typefaces and cameras are met as far as their signs look alike. The grid's
    first row must be on top.

    Prints one JSON object a picture: file, found, corners_px (clockwise from top left), cells (rows of names; null for
    an empty square, "?" for a sign that is unsure), unsure (column, row, alternatives). What is not found says so; the
    exit code is 1 when no picture shows the grid, 3 when a file is not a usable picture: the others are read.""",
)
@click.option(
    "--references", required=True, metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--columns", default=9, show_default=True, type=click.IntRange(3, 40))
@click.option("--rows", default=9, show_default=True, type=click.IntRange(3, 40))
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path))
def grid(references: Path, columns: int, rows: int, pictures: tuple[Path, ...]) -> None:
    """Read ruled grids."""
    from vision.printed.board import BoardShape
    from vision.printed.glyphs import sign_of
    from vision.sources.pictures import read_picture

    learnt: dict[str, list[Any]] = {}
    for name, files in reference_files(references).items():
        signs = [sign_of(_picture(path)) for path in files]
        learnt[name] = [sign for sign in signs if sign is not None]
        if not learnt[name]:
            where = ", ".join(str(path) for path in files)
            raise DataError(f"expected a square with the sign {name}, found no sign", where=where, remedy="Cut it anew")
    unusable, found = Unusable("read"), False
    for path in pictures:
        with unusable.told_at_the_end(path):
            line = read_grid(path, read_picture(path), BoardShape(columns, rows), learnt)
            click.echo(json.dumps(line, ensure_ascii=False))
            found |= line["found"]
    unusable.tell()
    if not found:
        raise SystemExit(EXIT_NOTHING)


def read_grid(path: Path, image: Any, shape: Any, learnt: dict[str, list[Any]]) -> dict[str, Any]:
    """What the command prints of one picture (H, W, 3). `shape`: a BoardShape; `learnt`: name -> signs."""
    from vision.printed.glyphs import name_signs, signs_of
    from vision.printed.ruled import find_grid

    place = find_grid(image, shape)
    if not place.found:
        return {"file": str(path), "found": False, "why": f"no grid of {shape.columns} x {shape.rows} squares is seen"}
    cells: list[list[str | None]] = [[None] * shape.columns for _ in range(shape.rows)]
    unsure = []
    for sign in name_signs(signs_of(image, place, shape), learnt):
        cells[sign.row][sign.column] = sign.name or "?"
        if sign.name is None:
            ranked = [[name, round(p, 3)] for name, p in sign.alternatives]
            unsure.append({"column": sign.column, "row": sign.row, "alternatives": ranked})
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in place.corners_px]
    return {"file": str(path), "found": True, "corners_px": corners, "cells": cells, "unsure": unsure}


def _picture(path: Path) -> Any:
    from vision.scenes.scene_set import picture

    return picture(path)


COMMANDS: tuple[click.Command, ...] = (grid,)
