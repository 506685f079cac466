"""Fits how sure the name of a printed sign is on photographs of ruled grids: run it, copy what it prints.

    python -m companion.lab.fitting.fit_signs FOLDER --leave-out "CAMERA" ...

Every picture that shows all signs teaches one square a sign, every picture by another camera is read. One sign in turn
is not learnt in every tenth of these pairs, so that strange signs take part. FOLDER is as for `companion bench grids`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

from companion.core.errors import DataError
from companion.lab.evaluation.ruled_sets import read_truth, sign_at
from companion.lab.fitting.logistic import logistic
from vision.printed.board import BoardShape
from vision.printed.glyphs import evidence, likeness, signs_of
from vision.printed.ruled import find_grid
from vision.scenes.scene_set import picture

RIDGE = 0.3
BELIEF = (0.0, 10.0, 10.0, 10.0, 10.0, 0.0, 0.0)
"""What the weights are where the samples say nothing."""
STRANGE_EVERY = 10

Read = tuple[str, npt.NDArray[np.str_], list[Any], npt.NDArray[np.float64]]
"""A picture's camera, the true names of its signs, the signs, and their likeness to each other."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--leave-out", "left_out", multiple=True, help="A camera whose pictures take no part; repeatable.")
def main(folder: Path, left_out: tuple[str, ...]) -> None:
    """Print the weights, to be copied into `vision.printed.glyphs`."""
    cv2.setNumThreads(1)
    read = [_read(folder, entry) for entry in read_truth(folder) if entry["camera"] not in left_out]
    every = {name for _, names, _, _ in read for name in names}
    rows: list[npt.NDArray[np.float64]] = []
    right: list[npt.NDArray[np.bool_]] = []
    pairs = 0
    for teaching, shown, signs, _ in read:
        if set(shown) != every:
            continue
        faces = sorted(every)
        taught = [signs[int(np.flatnonzero(shown == name)[0])] for name in faces]
        for camera, true, seen, own in read:
            if camera == teaching:
                continue
            like, pairs = likeness(seen, taught), pairs + 1
            strange = [pairs // STRANGE_EVERY % len(faces)] if pairs % STRANGE_EVERY == 0 else []
            for dropped in ([], strange) if strange else ([],):
                kept = [k for k in range(len(faces)) if k not in dropped]
                best, columns = evidence(like[:, kept], own)
                rows.append(columns)
                right.append(np.array([faces[kept[k]] for k in best]) == true)
    if not rows:
        raise DataError("expected pictures by two cameras at least, one of them with all signs", where=str(folder))
    weights = logistic(np.concatenate(rows), np.concatenate(right), np.array(BELIEF), RIDGE)
    click.echo(f"{pairs} pairs, {sum(map(len, right))} signs, {np.concatenate(right).mean():.4f} right")
    click.echo(f"SURE_WEIGHTS = ({', '.join(f'{w:.2f}' for w in weights)})")


def _read(folder: Path, entry: dict[str, Any]) -> Read:
    """The printed signs of a picture, as they are found in it."""
    image, cells = picture(folder / entry["file"]), entry["cells"]
    shape = BoardShape(len(cells[0]), len(cells))
    place = find_grid(image, shape)
    signs = signs_of(image, place, shape) if place.found else {}
    printed = [square for square in sorted(signs) if sign_at(entry, square)]
    seen = [signs[square] for square in printed]
    names = np.array([str(sign_at(entry, square)) for square in printed], np.str_)
    return entry["camera"], names, seen, likeness(seen, seen) if seen else np.zeros((0, 0))


if __name__ == "__main__":
    main()
