"""Writes sets of pictures of photographed candies laid on photographed tables, with their counts and what teaches them.

Example: `python -m companion.lab.scenes.make_laid smarties.png TABLES OUT --seed 5`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.tossed import Photograph
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.make_glossy import photographed_tables

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

BEANS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "red": ((33, 229, 26.5), (98.5, 259.5, 26.5), (288, 213.5, 26.5), (219.5, 306, 27.5)),
    "orange": ((205, 211, 26.5), (135, 327, 26.5)),
    "green": ((268.5, 117, 26.5), (387, 170, 26)),
    "blue": ((377, 81.5, 26.5), (348, 238.5, 26.5), (294, 320, 27)),
    "brown": ((152.5, 272, 26.5),),
}
"""Middles and radii in px of the whole candies in OpenCV's samples/data/smarties.png (413 x 356 px, Apache-2.0; Debian:
opencv-doc). It is not part of this repository."""
MADE_OF = {  # colours that the photograph has not
    "yellow": "orange", "pink": "red", "purple": "blue", "white": "orange",
}  # fmt: skip
MEGAPIXELS = (1.0, 1.9, 3.0)
RADIUS_PX = (14.0, 42.0)  # of candies in a picture a thousand px broad
MOST, LEAST = 60, 12
INSET = 0.95  # of its radius that is cut out: what lies further out is mixed with the white table beneath
SHADOW, SHADOW_AWAY = 0.45, (0.15, 0.6)  # light that is missing in it, and how far it is thrown, in radii
CAST = 0.1  # natural log by which light differs between channels, from picture to picture
NOISE = (1.0, 3.5)  # of 255


@dataclass(frozen=True, slots=True, eq=False)
class Bean:
    """A candy that was cut out: linear BGR (N, N, 3) around its middle, in as many px as its diameter."""

    linear: Singles


@click.command()
@click.argument("photograph", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("tables", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--sets", default=4, show_default=True)
@click.option("--pictures", default=6, show_default=True, help="In each set.")
@click.option("--seed", default=1, show_default=True)
def main(photograph: Path, tables: Path, out: Path, sets: int, pictures: int, seed: int) -> None:
    """Write laid-N/NNN.png with truth.json and colours.json, one box a colour in taught.png.

    PHOTOGRAPH is OpenCV's smarties.png. What is taught lies on another of the TABLES, in another light and distance.
    """
    cv2.setNumThreads(1)
    beans, surfaces = read_beans(photograph), photographed_tables(tables)
    for number in range(sets):
        _write_set(out / f"laid-{number}", beans, surfaces, np.random.default_rng([seed, 74, number]), pictures)


def read_beans(photograph: Path) -> dict[str, list[Bean]]:
    """The candies of a photograph, OpenCV's smarties.png, by colour. Raises UsageError where none can be read."""
    whole = cv2.imread(str(photograph))
    if whole is None:
        raise click.UsageError(f"{photograph}: expected a photograph of candies, found none that can be read")
    return cut_beans(np.asarray(whole, np.uint8))


def cut_beans(whole: NDArray[np.uint8]) -> dict[str, list[Bean]]:
    """The candies of the photograph by colour, and those of colours that are made of them."""
    linear = ((whole.astype(np.float32) / 255) ** 2.2).astype(np.float32)
    beans = {}
    for colour, circles in BEANS.items():
        sides = [(round(2 * r * INSET),) * 2 for _, _, r in circles]
        cut = [cv2.getRectSubPix(linear, side, (x, y)) for side, (x, y, _) in zip(sides, circles, strict=True)]
        beans[colour] = [Bean(np.asarray(part, np.float32)) for part in cut]
    for colour, other in MADE_OF.items():
        beans[colour] = [Bean(_recoloured(colour, bean.linear)) for bean in beans[other]]
    return beans


def _recoloured(colour: str, linear: Singles) -> Singles:
    """Another colour of the same shading and highlights: channels of linear BGR mixed anew."""
    blue, green, red = (linear[..., k] for k in range(3))
    if colour == "yellow":
        return np.stack([blue, np.maximum(green, 0.72 * red), red], axis=-1)
    if colour == "pink":
        return np.stack([np.maximum(blue, 0.5 * red), np.maximum(green, 0.32 * red), red], axis=-1)
    if colour == "white":
        return np.stack([0.85 * red, 0.9 * red, 0.9 * red], axis=-1)
    return np.stack([0.6 * blue, 0.4 * green, np.maximum(red, 0.32 * blue)], axis=-1)


def _write_set(
    folder: Path, beans: dict[str, list[Bean]], tables: list[Photograph], rng: np.random.Generator, pictures: int
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    colours = [str(c) for c in rng.permutation(sorted(beans))[: int(rng.integers(4, 7))]]
    order = rng.permutation(len(tables))
    surface = tables[order[-1]]
    taught, entries = _picture(beans, colours, surface, rng, colours)
    cv2.imwrite(str(folder / "taught.png"), taught)
    boxes = {entry["colour"]: {"picture": "taught.png", "boxes": [entry["box"]]} for entry in entries}
    (folder / "colours.json").write_text(json.dumps(boxes, indent=1) + "\n", encoding="utf-8")
    truths = {}
    for number in range(pictures):
        drawn = [str(c) for c in rng.choice(colours, int(rng.integers(LEAST, MOST + 1)))]
        picture, entries = _picture(beans, drawn, tables[order[number % (len(tables) - 1)]], rng)
        cv2.imwrite(str(folder / f"{number:03d}.png"), picture)
        counted = Counter(entry["colour"] for entry in entries)
        truths[f"{number:03d}.png"] = {"counts": {colour: counted[colour] for colour in colours}, "pieces": entries}
    write_json(folder / "truth.json", truths)


def _picture(
    beans: dict[str, list[Bean]],
    drawn: list[str],
    surface: Photograph,
    rng: np.random.Generator,
    taught: list[str] | None = None,
) -> tuple[NDArray[np.uint8], list[dict[str, Any]]]:
    """A picture of candies of the colours drawn, as many as find a place, and their `colour`, `px` and `box`."""
    high = round(float(np.sqrt(rng.choice(MEGAPIXELS) * 0.75)) * 1000)
    wide = round(high * 4 / 3)
    size = (wide, high) if rng.random() < 0.7 else (high, wide)
    radius = float(np.exp(rng.uniform(*np.log(RADIUS_PX)))) * wide / 1000
    table = cv2.resize(surface.cut(size, rng).picture, size, interpolation=cv2.INTER_CUBIC)
    linear = ((table.astype(np.float32) / 255) ** 2.2).astype(np.float32)
    places = _places(len(drawn), size, radius, 0.0 if taught else float(rng.uniform(0, 0.7)), rng)
    away = float(rng.uniform(0, 2 * np.pi))
    linear *= 1 - SHADOW * _shadow(places, size, radius, away, float(rng.uniform(*SHADOW_AWAY)))[..., None]
    dim, lamp = float(np.exp(rng.normal(-0.15, 0.12))), float(np.degrees(away))
    light = (dim * np.exp(rng.normal(0, CAST, 3))).astype(np.float32)
    entries = []
    for place, colour in zip(places, drawn, strict=False):
        own = radius * float(np.exp(rng.normal(0, 0.015)))
        bean = beans[colour][int(rng.integers(len(beans[colour])))]
        _lay(linear, bean.linear * light, place, own, lamp + float(rng.normal(0, 10)))
        box = [round(float(v)) for v in (*(place - own), 2 * own, 2 * own)]
        entries.append({"colour": colour, "px": [round(float(v), 1) for v in place], "box": box})
    shown = 255 * np.clip(cv2.GaussianBlur(linear, (0, 0), float(rng.uniform(0.4, 0.9))), 0, 1) ** (1 / 2.2)
    noisy = shown + rng.normal(0, float(rng.uniform(*NOISE)), shown.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 95))]
    jpeg = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)[1]
    picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("a picture that was written cannot be read back")
    return np.asarray(picture, np.uint8), entries


def _places(number: int, size: tuple[int, int], radius: float, touching: float, rng: np.random.Generator) -> Floats:
    """(N, 2) middles in px, at most `number`: with chance `touching` beside one that is there, never on each other."""
    places: list[Floats] = []
    low, high = np.full(2, 1.3 * radius), np.array(size) - 1.3 * radius
    for _ in range(4000):
        if len(places) == number:
            break
        turn = float(rng.uniform(0, 2 * np.pi))
        if places and rng.random() < touching:
            beside = 2 * radius * float(rng.uniform(1.0, 1.04)) * np.array([np.cos(turn), np.sin(turn)])
            spot = places[int(rng.integers(len(places)))] + beside
            apart = 2 * radius
        else:
            spot, apart = rng.uniform(low, high), 2.3 * radius
        free = all(np.linalg.norm(spot - other) >= apart for other in places)
        if free and (spot >= low).all() and (spot <= high).all():
            places.append(spot)
    return np.array(places).reshape(-1, 2)


def _shadow(places: Floats, size: tuple[int, int], radius: float, away: float, far: float) -> Singles:
    """(H, W) the part of the lamp's light that the candies take off the table."""
    dark = np.zeros(size[::-1], np.float32)
    for place in places:
        x, y = place + far * radius * np.array([np.cos(away), np.sin(away)])
        cv2.circle(dark, (round(float(x)), round(float(y))), round(radius), 1.0, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(dark, (0, 0), 0.25 * radius), np.float32)


def _lay(linear: Singles, bean: Singles, place: Floats, radius: float, turned: float) -> None:
    """Draw a candy of that radius around a place, its edge one px soft."""
    middle = (bean.shape[0] - 1) / 2
    reach = int(np.ceil(radius)) + 2
    x, y = np.floor(place).astype(int)
    shift = place - (x, y)
    placed = cv2.getRotationMatrix2D((middle, middle), turned, 2 * radius / bean.shape[0])
    placed[:, 2] += reach + shift - middle
    side = (2 * reach + 1, 2 * reach + 1)
    drawn = cv2.warpAffine(bean, placed, side, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    across = np.arange(-reach, reach + 1)
    gap = np.hypot(across[None] - shift[0], across[:, None] - shift[1])
    cover = np.clip(radius + 0.5 - gap, 0, 1)[..., None].astype(np.float32)
    top, left = max(0, y - reach), max(0, x - reach)
    under = linear[top : y + reach + 1, left : x + reach + 1]
    rows = slice(top - y + reach, top - y + reach + under.shape[0])
    columns = slice(left - x + reach, left - x + reach + under.shape[1])
    under += cover[rows, columns] * (drawn[rows, columns] - under)


if __name__ == "__main__":
    main()
