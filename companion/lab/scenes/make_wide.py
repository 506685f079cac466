"""Writes sets of easy pictures of candies and chips over a wide range of sizes, numbers, tables and ways of teaching.

Example: `python -m companion.lab.scenes.make_wide smarties.png TABLES OUT --seed 5`.
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
from companion.lab.scenes.make_laid import Singles, read_beans
from companion.lab.scenes.wide_pieces import CANDIES, CHIPS, Look, chip, dome, lab_of, lay, linear_of

KINDS = ("beans", "domes", "chips")
TABLES = {
    "white": (235, 233, 228), "light grey": (190, 190, 192), "grey": (150, 150, 150), "dark": (48, 46, 46),
    "black": (24, 24, 26), "beige": (216, 204, 182), "pine": (214, 180, 134), "oak": (186, 142, 96),
    "walnut": (98, 66, 46), "green felt": (36, 98, 66), "blue cloth": (70, 92, 140), "red cloth": (140, 40, 44),
}  # fmt: skip
PHOTOGRAPHED = 0.4  # part of the pictures on a photographed table, where one is unlike the pieces
MEGAPIXELS = (0.17, 0.3, 0.41, 0.8, 1.2)  # larger pictures are reduced to about the last before they are counted
RADIUS, LEAST_RADIUS_PX = (0.012, 0.11), 5.0  # of the breadth of a picture
MOST, COVERED = 80, 0.42  # pieces, and the part of a picture that they cover at most
UNLIKE_LAB = (18.0, 25.0, 35.0)  # between a table and every colour
MARGINS = (-0.08, 0.0, 0.1, 0.25, 0.5, 1.0)  # of a piece's breadth, by which its crop is broader


@dataclass(frozen=True, slots=True)
class Light:
    """One light: the way shadows fall (2,), how far, soft and deep they are, how unevenly and in which colour it falls.
    """

    away: tuple[float, float]
    far: float
    soft: float
    deep: float
    uneven: float
    gains: tuple[float, float, float]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Light:
        turn = float(rng.uniform(0, 2 * np.pi))
        blue, green, red = (float(v) for v in np.exp(rng.normal(-0.1, 0.15) + rng.normal(0, 0.08, 3)))
        far, soft, deep, uneven = (float(v) for v in rng.uniform((0.05, 0.12, 0.15, 0.0), (0.5, 0.5, 0.5, 0.35)))
        return cls((float(np.cos(turn)), float(np.sin(turn))), far, soft, deep, uneven, (blue, green, red))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What the pictures of a set share: kind and colours of the pieces, how they look, and how often they touch."""

    kind: str
    colours: tuple[str, ...]
    look: Look
    touching: float
    sprites: dict[str, list[Singles]]


@click.command()
@click.argument("photograph", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("tables", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--sets", default=12, show_default=True, help="Of every kind by turns.")
@click.option("--pictures", default=3, show_default=True, help="In each set.")
@click.option("--seed", default=1, show_default=True)
def main(photograph: Path, tables: Path, out: Path, sets: int, pictures: int, seed: int) -> None:
    """Write KIND-N/NNN.jpg with truth.json, and boxes1.json, boxes3.json and crop-MARGIN.json, which teach by one or
    three boxes in taught.jpg or by crops.

    PHOTOGRAPH is OpenCV's smarties.png. In three sets of five all pictures have one table and light.
    """
    cv2.setNumThreads(1)
    beans = {colour: [bean.linear for bean in own] for colour, own in read_beans(photograph).items()}
    surfaces = photographed_tables(tables)
    for number in range(sets):
        kind = KINDS[number % len(KINDS)]
        _write_set(out / f"{kind}-{number:03d}", kind, beans, surfaces, np.random.default_rng([seed, number]), pictures)


def _write_set(
    folder: Path,
    kind: str,
    beans: dict[str, list[Singles]],
    photographs: list[Photograph],
    rng: np.random.Generator,
    pictures: int,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    known = {name: linear_of(rgb) for name, rgb in (CHIPS if kind == "chips" else CANDIES).items()}
    colours = tuple(str(c) for c in rng.permutation(sorted(known))[: int(rng.integers(3, 8))])
    look = Look.drawn(kind == "chips", rng)
    scene = Scene(kind, colours, look, float(rng.choice([0, 0, 0.2, 0.5])), beans if kind == "beans" else {})
    own = np.array([lab_of(known[colour]) for colour in colours])
    apart = float(rng.choice(UNLIKE_LAB))

    def table() -> Photograph | str:
        return some_table(photographs, own, apart, PHOTOGRAPHED, rng)

    one_room = bool(rng.random() < 0.6)
    room = table(), Light.drawn(rng)
    taught = room if one_room else (str(rng.choice(["white", "pine", "grey"])), Light.drawn(rng))
    seen, entries = _picture(scene, list(colours) * 3, *taught, float(rng.choice(MEGAPIXELS[2:])), 0.045, rng, 0.0)
    write_teaching(folder, seen, {c: [e["box"] for e in entries if e["colour"] == c] for c in colours}, rng)
    truths = {}
    for number in range(pictures):
        absent = int(rng.integers(1, 3)) if rng.random() < 0.3 else 0
        there = colours[: max(1, len(colours) - absent)]
        drawn = [str(c) for c in rng.choice(there, round(float(np.exp(rng.uniform(0, np.log(MOST))))))]
        where = room if one_room else (table(), Light.drawn(rng))
        radius = float(np.exp(rng.uniform(*np.log(RADIUS))))
        seen, entries = _picture(scene, drawn, *where, float(rng.choice(MEGAPIXELS)), radius, rng, scene.touching)
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 96))])
        counted = Counter(entry["colour"] for entry in entries)
        truths[f"{number:03d}.jpg"] = {"counts": {colour: counted[colour] for colour in colours}, "pieces": entries}
    write_json(folder / "truth.json", truths)


def some_table(
    photographs: list[Photograph], own: NDArray[np.float64], apart: float, photographed: float, rng: np.random.Generator
) -> Photograph | str:
    """A table that is `apart` Lab from all pieces' `own` colours (K, 3): a photographed one in such a part of the
    cases, if there is one, or the name of a drawn one."""
    seen = [p for p in photographs if unlike(usual_light(p), own) >= apart]
    plain = [name for name, rgb in TABLES.items() if unlike(linear_of(rgb), own) >= apart] or list(TABLES)
    if seen and rng.random() < photographed:
        return seen[int(rng.integers(len(seen)))]
    return str(rng.choice(plain))


def write_teaching(
    folder: Path,
    taught: NDArray[np.uint8],
    boxes: dict[str, list[list[int]]],
    rng: np.random.Generator,
    margins: tuple[float, ...] = MARGINS,
) -> None:
    """Write what teaches: taught.jpg, boxesN.json for one or three boxes a colour in it, and crops with margins."""
    cv2.imwrite(str(folder / "taught.jpg"), taught, [cv2.IMWRITE_JPEG_QUALITY, 92])
    for number in (1, 3):
        by_boxes = {colour: {"picture": "taught.jpg", "boxes": own[:number]} for colour, own in boxes.items()}
        (folder / f"boxes{number}.json").write_text(json.dumps(by_boxes, indent=1) + "\n", encoding="utf-8")
    for margin in margins:
        names = {colour: f"crop{margin}-{colour}.png" for colour in boxes}
        for colour, ((x, y, wide, high), *_) in boxes.items():
            off = np.round(rng.uniform(-0.05, 0.05, 2) * wide).astype(int) if margin > 0 else np.zeros(2, int)
            more = round(margin * wide / 2)
            left, top = max(0, x - more + int(off[0])), max(0, y - more + int(off[1]))
            crop = taught[top : y + high + more + int(off[1]), left : x + wide + more + int(off[0])]
            cv2.imwrite(str(folder / names[colour]), crop)
        (folder / f"crop{margin}.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")


def _picture(
    scene: Scene,
    drawn: list[str],
    table: Photograph | str,
    light: Light,
    megapixels: float,
    radius_share: float,
    rng: np.random.Generator,
    touching: float,
) -> tuple[NDArray[np.uint8], list[dict[str, Any]]]:
    """A picture of as many of the pieces drawn as find a place, and their `colour`, `px` and `box`."""
    aspect = float(rng.choice([4 / 3, 1.0, 3 / 4, 16 / 9]))
    wide = int(np.sqrt(megapixels * 1e6 * aspect))
    size = (wide, int(wide / aspect))
    radius = min(max(radius_share * wide, LEAST_RADIUS_PX), 0.16 * min(size))
    most = int(COVERED * size[0] * size[1] / (np.pi * (1.2 * radius) ** 2))
    squeeze = scene.look.squeeze
    places = _places(min(len(drawn), max(1, most)), (size[0], size[1] / squeeze), radius, touching, rng)
    linear = surface(table, size, rng)
    away = np.array(light.away)
    dark = np.zeros(size[::-1], np.float32)
    for place in places:
        x, y = (place - light.far * radius * away) * [1, squeeze]
        cv2.ellipse(dark, (round(x), round(y)), (round(radius), round(radius * squeeze)), 0, 0, 360, 1.0, -1)
    linear *= 1 - light.deep * cv2.GaussianBlur(dark, (0, 0), max(0.6, light.soft * radius))[..., None]
    entries = []
    for place, colour in zip(places, drawn, strict=False):
        own, xy = radius * float(np.exp(rng.normal(0, 0.012))), place * [1, squeeze]
        if scene.sprites:
            sprite = scene.sprites[colour][int(rng.integers(len(scene.sprites[colour])))]
        elif scene.kind == "domes":
            sprite = dome(CANDIES[colour], away, rng)
        else:
            sprite = chip(CHIPS[colour], scene.look, away, rng)
        shade = np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.015, 3)).astype(np.float32)
        axes = (own, own * squeeze / scene.look.oval)
        lay(linear, sprite * shade, xy, axes, 0.0 if scene.kind == "domes" else float(rng.uniform(0, 2 * np.pi)))
        box = [round(float(v)) for v in (*(xy - axes), 2 * axes[0], 2 * axes[1])]
        entries.append({"colour": colour, "px": [round(float(v), 1) for v in xy], "box": box})
    rows, cols = np.mgrid[: size[1], : size[0]].astype(np.float32)
    slope = (cols / size[0] - 0.5) * away[0] + (rows / size[1] - 0.5) * away[1]
    linear *= (1 + light.uneven * slope)[..., None] * np.array(light.gains, np.float32)
    shown = 255 * np.clip(cv2.GaussianBlur(linear, (0, 0), float(rng.uniform(0.5, 1.0))), 0, 1) ** (1 / 2.2)
    shown += float(rng.uniform(0, 0.5)) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    noisy = shown + float(rng.uniform(0.5, 3.0)) * rng.standard_normal(shown.shape, np.float32)
    return np.clip(noisy, 0, 255).astype(np.uint8), entries


def surface(table: Photograph | str, size: tuple[int, int], rng: np.random.Generator) -> Singles:
    """(H, W, 3) linear BGR of a table."""
    if isinstance(table, Photograph):
        seen = cv2.resize(table.cut(size, rng).picture, size, interpolation=cv2.INTER_CUBIC)
        return np.asarray((seen.astype(np.float32) / 255) ** 2.2, np.float32)
    field = rng.standard_normal(size[::-1], np.float32)
    if table in ("pine", "oak", "walnut"):  # grain along the longer side
        streaks = cv2.GaussianBlur(field, (0, 0), sigmaX=size[0] / 20, sigmaY=size[1] / 300)
        shade = 1 + 0.06 * streaks / max(float(streaks.std()), 1e-6)
    else:
        shade = 1 + (0.04 if "cloth" in table or "felt" in table else 0.01) * cv2.GaussianBlur(field, (0, 0), 1.0)
    return np.asarray(shade[..., None] * linear_of(TABLES[table]), np.float32)


def _places(
    number: int, size: tuple[float, float], radius: float, touching: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """(N, 2) middles in px, at most `number`: with chance `touching` beside one that is there, never on each other."""
    places: list[NDArray[np.float64]] = []
    low, high = np.full(2, 1.35 * radius), np.array(size) - 1.35 * radius
    for _ in range(6000):
        if len(places) == number:
            break
        spot, apart = rng.uniform(low, high), 2.35 * radius
        if places and rng.random() < touching:
            turn = float(rng.uniform(0, 2 * np.pi))
            beside = 2 * radius * float(rng.uniform(1.0, 1.05)) * np.array([np.cos(turn), np.sin(turn)])
            spot, apart = places[int(rng.integers(len(places)))] + beside, 2 * radius
        free = all(np.linalg.norm(spot - other) >= apart for other in places)
        if free and (spot >= low).all() and (spot <= high).all():
            places.append(spot)
    return np.array(places).reshape(-1, 2)


def usual_light(photograph: Photograph) -> NDArray[np.float64]:
    """(3,) linear BGR of a photographed table."""
    bgr = np.median(photograph.picture[::8, ::8].reshape(-1, 3), axis=0)
    return np.asarray((bgr / 255) ** 2.2, np.float64)


def unlike(linear: NDArray[np.float64], lab: NDArray[np.float64]) -> float:
    """How far a colour (3,) linear BGR is from the nearest of some, (K, 3) Lab."""
    return float(np.linalg.norm(lab - lab_of(linear), axis=1).min())


if __name__ == "__main__":
    main()
