"""How an edition's tiles look: colours, border, places and forms of the marks; the sample's or made up by seed."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from enum import Enum

import numpy as np

from calibration.drawing import Rgb
from calibration.shapes import INVENTED_KINDS, SYMBOLS, Shape, invented

THEMES = ("flora", "water", "fire", "bonus", "end")


class Motif(Enum):
    """What is printed faintly behind the symbol."""

    PLAIN = "plain"
    RAYS = "rays"
    STRIPES = "stripes"
    DOTS = "dots"
    RINGS = "rings"


class Badge(Enum):
    """What carries the victory points."""

    STAR = "star"
    DISC = "disc"
    HEXAGON = "hexagon"
    SCALLOP = "scallop"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the marks of a tile stand: (x, y) in fractions of its side. The icons of a kind stand around theirs, one
    below the other or, where it says row, side by side."""

    cubes_xy: tuple[float, float] = (0.11, 0.54)
    cubes_in_row: bool = False
    requires_xy: tuple[float, float] = (0.89, 0.54)
    requires_in_row: bool = False
    symbol_xy: tuple[float, float] = (0.5, 0.57)
    start_xy: tuple[float, float] = (0.12, 0.89)
    late_xy: tuple[float, float] = (0.86, 0.89)


@dataclass(frozen=True, slots=True)
class Style:
    """One edition's look. Lengths are fractions of the tile's side; places are (x, y) from its top left corner."""

    ground: dict[str, Rgb]
    ink: Rgb
    border: float
    border_colour: Rgb
    corner_radius: float
    motif: Motif
    badge: Badge
    badge_xy: tuple[float, float]
    badge_size: float
    badge_fill: Rgb
    badge_text: Rgb
    cube_icon: Rgb
    cube_icon_round: bool
    require_round: bool
    icon_size: float
    font: str
    font_weight: int
    symbol_size: float
    symbols: dict[str, tuple[Shape, ...]]
    places: Places = Places()

    def require_colour(self, theme: str) -> Rgb:
        """The colour of a restriction icon: the theme's own, lightened, so that it stands out on every ground."""
        return _lighter(self.ground[theme], 0.28)


def _lighter(colour: Rgb, share: float) -> Rgb:
    red, green, blue = (round(c + (255 - c) * share) for c in colour)
    return red, green, blue


def sample_style() -> Style:
    """The look of the printable sample edition."""
    return Style(
        ground={
            "flora": (62, 128, 58),
            "water": (38, 92, 158),
            "fire": (206, 84, 32),
            "bonus": (112, 92, 122),
            "end": (44, 46, 52),
        },
        ink=(250, 244, 228),
        border=0.035,
        border_colour=(246, 240, 224),
        corner_radius=0.05,
        motif=Motif.RAYS,
        badge=Badge.STAR,
        badge_xy=(0.5, 0.16),
        badge_size=0.14,
        badge_fill=(244, 198, 44),
        badge_text=(44, 32, 8),
        cube_icon=(246, 244, 236),
        cube_icon_round=False,
        require_round=True,
        icon_size=0.09,
        font="sans",
        font_weight=700,
        symbol_size=0.25,
        symbols={theme: tuple(shape() for shape in shapes) for theme, shapes in SYMBOLS.items()},
    )


def made_up_style(seed: int) -> Style:
    """A look drawn from `seed`: the themes keep their hue family (green, blue, red to orange), all else is free."""
    rng = np.random.default_rng([seed, 1])
    hues = {
        "flora": rng.uniform(0.26, 0.42),
        "water": rng.uniform(0.53, 0.64),
        "fire": rng.uniform(0.0, 0.085) % 1,
        "bonus": rng.uniform(0.1, 0.9),
    }
    ground = {theme: _rgb(hue, rng.uniform(0.5, 0.85), rng.uniform(0.42, 0.8)) for theme, hue in hues.items()}
    ground["bonus"] = _rgb(hues["bonus"], rng.uniform(0.05, 0.3), rng.uniform(0.4, 0.62))
    ground["end"] = _rgb(rng.uniform(0, 1), rng.uniform(0.0, 0.3), rng.uniform(0.16, 0.3))
    border = float(rng.choice([0.0, 0.0, 0.03, 0.05]))
    dark_ink = rng.random() < 0.3
    badge_dark = rng.random() < 0.4
    symbols = {
        theme: tuple(invented(rng, int(k)) for k in rng.permutation(INVENTED_KINDS))
        for theme in ("flora", "water", "fire")
    }
    return Style(
        ground=ground,
        ink=(34, 30, 40) if dark_ink else (250, 246, 238),
        border=border,
        border_colour=_rgb(rng.uniform(0, 1), rng.uniform(0, 0.2), rng.choice([0.2, 0.95])),
        corner_radius=rng.uniform(0.0, 0.08),
        motif=Motif(rng.choice([m.value for m in Motif])),
        badge=Badge(rng.choice([b.value for b in Badge])),
        badge_xy=((0.5, 0.16), (0.84, 0.17), (0.5, 0.15))[rng.integers(3)],
        badge_size=rng.uniform(0.115, 0.145),
        badge_fill=(40, 38, 46) if badge_dark else _rgb(rng.uniform(0.1, 0.16), 0.75, 0.95),
        badge_text=(246, 240, 220) if badge_dark else (36, 26, 8),
        cube_icon=(246, 244, 236) if not dark_ink else (240, 236, 200),
        cube_icon_round=bool(rng.random() < 0.3),
        require_round=bool(rng.random() < 0.6),
        icon_size=rng.uniform(0.085, 0.1),
        font=str(rng.choice(["sans", "uni", "italic"])),
        font_weight=int(rng.choice([500, 700, 800])),
        symbol_size=rng.uniform(0.2, 0.26),
        symbols=symbols | {"bonus": (invented(rng, 1),)},
    )


def _rgb(hue: float, saturation: float, value: float) -> Rgb:
    red, green, blue = (round(255 * c) for c in colorsys.hsv_to_rgb(hue, saturation, value))
    return red, green, blue
