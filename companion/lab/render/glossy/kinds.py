"""Kinds of candies and chips: their colours, sizes and prints."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from companion.lab.render.glossy.chip_print import PRINTS
from vision import srgb

Floats = NDArray[np.float64]


CANDY_COLOURS: dict[str, Rgb] = {
    "red": (172, 18, 26),
    "orange": (232, 96, 18),
    "yellow": (236, 190, 22),
    "green": (58, 150, 44),
    "blue": (24, 104, 190),
    "brown": (74, 40, 26),
    "purple": (66, 20, 52),
    "pink": (226, 120, 150),
    "white": (230, 226, 214),
}
CHIP_COLOURS: dict[str, Rgb] = {
    "white": (226, 224, 216), "red": (180, 24, 32), "blue": (26, 56, 148), "green": (22, 108, 58),
    "black": (30, 30, 32), "yellow": (228, 186, 40), "purple": (84, 40, 110),
}  # fmt: skip
STYLES = tuple(PRINTS)[:3]  # of "chips": one colour; white spots at the edge; and a label in the middle
CANDIES = ("candies", "lettered", "nuts")
DULL = 0.2  # radians over which the grained face of a chip spreads a mirrored lamp
POKER_STYLES = tuple(PRINTS)[3:]  # of "poker" chips: stripes, dice, a second colour, printed values


@dataclass(frozen=True, slots=True)
class Kind:
    """Pieces of one kind: `oval` length over breadth, `style` of a chip's print or "" for candies; sizes in mm.

    `lettered`: a letter is printed on each candy, `letter` in an ink of that linear light, half as broad as `reach` of
    the radius, on the side that is up for `face_up` of them. `tossed`: pieces lie as they fell: candies leaning and on
    edge, some pieces partly on others, from nearer, farther and more aslant. `uneven`: natural log by which lengths and
    sizes of pieces differ, as nuts' do. `rough`: radians over which a face spreads what it mirrors.
    """

    name: str
    colours: tuple[str, ...]
    radius_mm: float
    height_mm: float
    oval: float = 1.0
    style: str = ""
    lettered: bool = False
    letter: str = "m"
    ink: float = 0.7
    reach: float = 0.55
    face_up: float = 1.0
    tossed: bool = False
    uneven: float = 0.0
    rough: float = 0.0

    @property
    def domed(self) -> bool:
        """Whether it is a flattened ball, not a disc."""
        return not self.style

    def albedo(self, colour: str) -> Floats:
        """(3,) linear BGR."""
        return to_linear((CANDY_COLOURS if self.domed else CHIP_COLOURS)[colour])


def glossy_kind(name: str, rng: np.random.Generator) -> Kind:
    """ "candies", "lettered" ones, "nuts" in sugar, "chips", "poker" chips or "tossed" chips of any style, in four to
    six colours, of sizes and styles drawn from `rng`.
    """
    candies = name in CANDIES
    every = list(CANDY_COLOURS if candies else CHIP_COLOURS)
    colours = tuple(str(c) for c in rng.permutation(every)[: int(rng.integers(4, 7))])
    if candies:
        radius = float(rng.uniform(5.5, 8))
        high, oval = radius * float(rng.uniform(0.85, 1.4)), float(rng.choice([1.0, 1.0, 1.3]))
        if name == "candies":
            return Kind(name, colours, radius, high, oval)
        if name == "lettered":
            return Kind(name, colours, radius, min(high, 1.1 * radius), lettered=True, tossed=True)
        return Kind(
            name, colours, radius, 1.9 * radius, 1.25, lettered=bool(rng.random() < 0.5), tossed=True, uneven=0.12
        )
    styles = {"chips": STYLES, "poker": POKER_STYLES, "tossed": STYLES + POKER_STYLES}[name]
    radius, high = float(rng.uniform(17, 20)), float(rng.uniform(2.2, 3.4))
    return Kind(name, colours, radius, high, 1.0, str(rng.choice(styles)), tossed=name == "tossed")


def as_printed(kind: Kind, rng: np.random.Generator) -> Kind:
    """The same as people shake them out and part them: lying flat, letters as thin and as pale as on real candies, the
    faces of chips as dull as clay and plastic with a grain are.
    """
    if not kind.lettered:
        return replace(kind, tossed=False, rough=0.0 if kind.domed else DULL)
    ink, reach, face_up = float(rng.uniform(0.45, 0.85)), float(rng.uniform(0.34, 0.5)), float(rng.uniform(0.5, 0.9))
    letter = str(rng.choice(["m", "S", "W"]))
    return replace(kind, tossed=False, letter=letter, ink=ink, reach=reach, face_up=face_up)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One piece: its middle (2,) on the table and its underside's height in mm, `albedo` (3,) linear BGR; how far a
    candy leans over, and its `size` and `oval` beside its kind's; whether its letter is on the side that is up.
    """

    xy: Floats
    turn: float
    base_mm: float
    albedo: Floats
    colour: str
    lean: float = 0.0
    size: float = 1.0
    oval: float = 1.0
    face_up: bool = True


def to_linear(rgb: Rgb) -> Floats:
    """(3,) linear BGR of 8-bit sRGB values."""
    return srgb.to_linear(np.array(rgb[::-1], np.uint8))
