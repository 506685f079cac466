"""Cuts plain tables out of public photographs, for the sets in which pieces are laid on photographed tables.

Example: `python -m companion.lab.scenes.cut_tables PHOTOGRAPHS OUT`.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]

LEAST_PX = 640  # of the shorter side of a table: smaller parts are continued as in mirrors, which makes no edge
BORDER_PX = 4  # of a part: what lies beside it may be seen there


class Half(Enum):
    """Tables for sets that are looked at, and others for sets that are kept back."""

    LOOKED_AT = "looked-at"
    KEPT_BACK = "kept-back"


PLAIN_TABLES: dict[Half, dict[str, Box]] = {
    Half.LOOKED_AT: {
        "playing-cards/images/img_2655.jpg": (0, 270, 330, 504),  # oak
        "playing-cards/images/img_2516.jpg": (0, 0, 225, 165),  # pale wood
        "coins-on-tables/images/img_4187.jpg": (855, 1125, 1200, 1600),  # polished mahogany
        "playing-cards/images/img_2410.jpg": (0, 0, 255, 180),  # blue cloth
        "coins-on-tables/images/img_4194.jpg": (720, 1170, 1200, 1600),  # red weave
        "coins-on-tables/images/test_14.jpg": (0, 855, 450, 1200),  # white paper
        "coins-few/images/017.jpg": (270, 0, 720, 378),  # brown in warm light
        "coins-few/images/007.jpg": (0, 0, 540, 378),  # pale, glossy
        "coins-on-tables/images/train_30.jpg": (1260, 540, 1600, 900),  # dark glass
        "playing-cards/images/img_2550.jpg": (0, 0, 300, 210),  # slate
        "coins-on-tables/images/img_4200.jpg": (0, 0, 585, 450),  # a waffled towel
    },
    Half.KEPT_BACK: {
        "playing-cards/images/img_2633.jpg": (0, 345, 225, 504),  # oak
        "playing-cards/images/img_2647.jpg": (0, 330, 255, 504),  # dark oak
        "coins-on-tables/images/img_4201.jpg": (0, 0, 495, 405),  # mahogany
        "playing-cards/images/img_2594.jpg": (195, 270, 378, 504),  # green cloth
        "playing-cards/images/img_2662.jpg": (0, 0, 210, 150),  # carpet
        "coins-on-tables/images/test_4.jpg": (0, 855, 405, 1200),  # cream paper
        "coins-few/images/037.jpg": (0, 0, 486, 351),  # pale leather
        "playing-cards/images/cam_image44.jpg": (729, 0, 960, 189),  # a white board
        "coins-on-tables/images/train_33.jpg": (0, 765, 315, 1200),  # speckled stone
        "playing-cards/images/img_2571.jpg": (255, 285, 378, 495),  # a tile
        "coins-few/images/122.jpg": (297, 648, 720, 960),  # grey leather
    },
}
"""File -> the part (x0, y0, x1, y1 px) on which nothing lies. The photographs, by their folders: `playing-cards`, with
boxes, Apache-2.0; `coins-on-tables`, github.com/kaa/coins-dataset at dbfaaa6, MIT, at 1600 px; `coins-few`,
github.com/akhilpsin/Euro-Coin-Counting-App at 1c04eff, MIT. None is part of this repository."""


@click.command()
@click.argument("photographs", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
def main(photographs: Path, out: Path) -> None:
    """Write OUT/looked-at/*.png and OUT/kept-back/*.png: other tables in each."""
    for half, tables in PLAIN_TABLES.items():
        (out / half.value).mkdir(parents=True, exist_ok=True)
        for name, box in tables.items():
            picture = cv2.imread(str(photographs / name))
            if picture is None:
                raise click.UsageError(f"{photographs / name}: expected a photograph, found none that can be read")
            stem = f"{Path(name).parts[0]}-{Path(name).stem}.png"
            cv2.imwrite(str(out / half.value / stem), plain_table(picture, box))


def plain_table(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """The part of a photograph (H, W, 3) uint8 in a box, mirrored at its edges up to LEAST_PX high and wide."""
    x0, y0, x1, y1 = box
    part = picture[y0 + BORDER_PX : y1 - BORDER_PX, x0 + BORDER_PX : x1 - BORDER_PX]
    high, wide = (-(-LEAST_PX // side) for side in part.shape[:2])
    across = np.hstack([part[:, ::-1] if k % 2 else part for k in range(wide)])
    return np.ascontiguousarray(np.vstack([across[::-1] if k % 2 else across for k in range(high)]))


if __name__ == "__main__":
    main()
