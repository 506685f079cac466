"""An Envyra box as the renderer knows it: tiles, their look, the cubes' colours; the sample's or made up by seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from calibration.sample_edition.art import TileFacts, draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import Places, Style, made_up_style, sample_style
from companion.lab.render.painted import painted_style, painted_tiles, painter

REFERENCE_PX = 440
SYMBOL_COPIES = (3, 3, 2, 2)  # E1: 4 symbols a theme
BONUS_VP = (2, 2, 3, 3, 4, 4, 5)  # E1
STARTING_TILES = 15  # E2
THEMES = ("flora", "water", "fire")

CUBE_PALETTE: dict[str, Rgb] = {
    "purple": (98, 48, 120),
    "gray": (118, 118, 122),
    "pink": (228, 120, 158),
    "white": (226, 222, 212),
    "black": (34, 34, 38),
    "yellow": (232, 196, 40),
    "orange": (228, 120, 30),
    "red": (178, 34, 40),
    "blue": (36, 74, 160),
    "green": (40, 124, 62),
    "teal": (40, 148, 150),
    "brown": (108, 72, 44),
    "lime": (150, 190, 50),
}
_LEAST_LAB_DISTANCE = 28.0  # closer pairs are what the colour check warns of, so no box would be printed with them


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """A box: `cube_colours` in the order of the seats, RGB; `draw` makes a face of a side in px, BGR."""

    name: str
    tiles: tuple[TileFacts, ...]
    style: Style
    cube_colours: dict[str, Rgb]
    draw: Callable[[TileFacts, Style, int], NDArray[np.uint8]] = draw_tile
    _drawn: dict[str, NDArray[np.uint8]] = field(default_factory=dict)

    def face(self, tile_id: str) -> NDArray[np.uint8]:
        """The flat scan of a tile, (REFERENCE_PX, REFERENCE_PX, 3) BGR."""
        if tile_id not in self._drawn:
            self._drawn[tile_id] = self.draw(self.tile(tile_id), self.style, REFERENCE_PX)
        return self._drawn[tile_id]

    def tile(self, tile_id: str) -> TileFacts:
        """The tile with this id. Raises StopIteration for an unknown one."""
        return next(t for t in self.tiles if t.id == tile_id)

    def catalogue(self) -> str:
        """The set's catalogue.json."""
        copies: dict[tuple[str, int], int] = {}
        rows = []
        for tile in self.tiles:
            copy = copies.get((tile.theme, tile.symbol), 0)
            copies[tile.theme, tile.symbol] = copy + 1
            values = {"start": tile.start, "cubes": tile.cubes, "vp": tile.vp, "requires": list(tile.requires)}
            kind = {"theme": tile.theme, "symbol": tile.symbol, "copy": copy}
            rows.append(kind | values | {"min34": tile.min34, "id": tile.id})
        return json.dumps({"edition": self.name, "tiles": rows}, indent=1)


def sample_edition() -> Edition:
    """The printable sample edition."""
    colours = {name: CUBE_PALETTE[name] for name in ("purple", "gray", "pink", "white")}
    tiles = tuple(tile for tile in sample_tiles() if not tile.alternative)  # the film plays with the standard End tile
    return Edition("sample", tiles, sample_style(), colours)


def made_up_edition(seed: int) -> Edition:
    """Another box: art, values and cube colours drawn from `seed`."""
    rng = np.random.default_rng([seed, 2])
    return Edition(f"made-up-{seed}", made_up_tiles(seed), made_up_style(seed), _cube_colours(rng))


def painted_edition(seed: int) -> Edition:
    """Another box with dark paintings of low contrast, whose copies differ by a digit and an icon."""
    plain = made_up_edition(seed)
    style, tiles = painted_style(seed), painted_tiles(plain.tiles)
    return Edition(f"painted-{seed}", tiles, style, plain.cube_colours, painter(seed))


OTHER_PLACES: tuple[tuple[Places, tuple[float, float]], ...] = (
    (Places((0.5, 0.89), True, (0.89, 0.5), False, (0.45, 0.52), (0.12, 0.14), (0.14, 0.6)), (0.84, 0.17)),
    (Places((0.89, 0.5), False, (0.5, 0.11), True, (0.48, 0.5), (0.88, 0.88), (0.5, 0.9)), (0.16, 0.84)),
    (Places((0.42, 0.11), True, (0.4, 0.89), True, (0.52, 0.5), (0.12, 0.5), (0.86, 0.86)), (0.85, 0.17)),
)
"""Other layouts of the face: where the marks stand, and where the points do."""


def laid_out_otherwise(seed: int, layout: int) -> Edition:
    """A made-up box whose faces are laid out as none of ours is: 0 to 2."""
    box = made_up_edition(seed)
    places, badge_xy = OTHER_PLACES[layout]
    return replace(box, name=f"{box.name}-{layout}", style=replace(box.style, places=places, badge_xy=badge_xy),
                   _drawn={})


def edition_named(name: str) -> Edition:
    """`sample`, `random:SEED` or `painted:SEED`. Raises ValueError for anything else."""
    if name == "sample":
        return sample_edition()
    kind, _, seed = name.partition(":")
    if kind not in ("random", "painted") or not seed.isdigit():
        raise ValueError(f"edition: expected sample, random:SEED or painted:SEED, got {name!r}")
    return made_up_edition(int(seed)) if kind == "random" else painted_edition(int(seed))


def _cube_colours(rng: np.random.Generator) -> dict[str, Rgb]:
    chosen: dict[str, Rgb] = {}
    for name in rng.permutation(sorted(CUBE_PALETTE)):
        if all(_lab_distance(CUBE_PALETTE[str(name)], other) >= _LEAST_LAB_DISTANCE for other in chosen.values()):
            chosen[str(name)] = CUBE_PALETTE[str(name)]
        if len(chosen) == 4:
            break
    return chosen


def _lab_distance(first: Rgb, second: Rgb) -> float:
    pair = np.array([[first[::-1], second[::-1]]], np.float32) / 255
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))


def made_up_tiles(seed: int) -> tuple[TileFacts, ...]:
    """38 tiles with invented values within the counts of E1 to E3: easy ones start, dear ones are restricted."""
    rng = np.random.default_rng([seed, 3])
    theme_tiles = [
        (theme, symbol, copy) for theme in THEMES for symbol, n in enumerate(SYMBOL_COPIES) for copy in range(n)
    ]
    starting = {theme_tiles[k] for k in rng.permutation(len(theme_tiles))[:STARTING_TILES]}
    tiles = []
    for theme, symbol, copy in theme_tiles:
        start = (theme, symbol, copy) in starting
        cubes = int(rng.choice([1, 2, 2, 3] if start else [2, 3, 3, 4]))
        others = [t for t in THEMES if t != theme]
        wanted = 0 if start else int(rng.choice([0, 1, 1, 2]))
        requires = tuple(sorted(str(t) for t in rng.choice(others, wanted)))
        vp = int(np.clip(cubes + wanted - (1 if start else 0) + rng.integers(0, 2), 1, 5))
        min34 = not start and rng.random() < 0.25
        tiles.append(TileFacts(f"{theme}-{symbol + 1}-{'abc'[copy]}", theme, symbol, vp, cubes, requires, start, min34))
    for k, vp in enumerate(BONUS_VP):
        requires = tuple(sorted(str(t) for t in rng.choice(THEMES, min(3, 1 + vp // 2))))
        tiles.append(
            TileFacts(f"bonus-{vp}-{'ab'[BONUS_VP[:k].count(vp)]}", "bonus", 0, vp, vp, requires, False, k == 1)
        )
    return (*tiles, TileFacts("end", "end", 0, 3, 3, ("fire", "flora", "water")))


def best_sets(tiles: list[TileFacts]) -> int:
    """Points of the best division into sets (E66), by trying every division: only for small collections."""
    value = {2: 2, 3: 4, 4: 7}

    def best(counts: tuple[int, ...]) -> int:
        top = 0
        for mask in range(1, 1 << len(counts)):
            chosen = [k for k in range(len(counts)) if mask >> k & 1]
            if len(chosen) >= 2 and all(counts[k] for k in chosen):
                rest = tuple(c - (k in chosen) for k, c in enumerate(counts))
                top = max(top, value[len(chosen)] + best(rest))
        return top

    total = 0
    for theme in THEMES:
        counts = [0] * len(SYMBOL_COPIES)
        for tile in tiles:
            if tile.theme == theme:
                counts[tile.symbol] += 1
        total += best(tuple(counts))
    return total
