"""Writes pictures of loose pieces with their counts.

Example: `python -m companion.lab.scenes.make_loose OUT --numbers 0,5,13`.
"""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from companion.lab.render.free_pieces import KINDS, loose_picture
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.make_set import numbers_named

LEARN_SEED, LEARN_NUMBER = 2, 4  # the references: another scene, on a light and plain table


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--numbers", default="20", show_default=True, help="How many of each kind, or which: 0,5,13.")
@click.option("--seed", default=1, show_default=True)
@click.option("--size", type=(int, int), help="Width and height in px; else those of webcams in turn.")
def main(out: Path, numbers: str, seed: int, size: tuple[int, int] | None) -> None:
    """Write KIND/NNN.jpg, KIND/truth.json and KIND/references/COLOUR.jpg for candies, chips and cubes."""
    cv2.setNumThreads(1)
    for kind in KINDS:
        references = out / kind.name / "references"
        references.mkdir(parents=True, exist_ok=True)
        for colour in kind.colours:
            jpeg, _ = loose_picture(kind, LEARN_SEED, LEARN_NUMBER, only=colour, size=size)
            (references / f"{colour}.jpg").write_bytes(jpeg)
        truths = {}
        for number in numbers_named(numbers):
            jpeg, truth = loose_picture(kind, seed, number, size=size)
            (out / kind.name / f"{number:03d}.jpg").write_bytes(jpeg)
            truths[f"{number:03d}.jpg"] = truth
        write_json(out / kind.name / "truth.json", truths)


if __name__ == "__main__":
    main()
