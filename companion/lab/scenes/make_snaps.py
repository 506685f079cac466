"""Writes sets of easy pictures of candies and chips, each set with one trouble of strangers' photographs.

Example: `python -m companion.lab.scenes.make_snaps smarties.png TABLES OUT --seed 5 --trouble slant`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from companion.lab.render.glossy.tossed import Photograph
from companion.lab.scenes import snap_camera, snap_things
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.make_glossy import photographed_tables
from companion.lab.scenes.make_laid import read_beans
from companion.lab.scenes.make_wide import TABLES, Light, some_table, surface, unlike, write_teaching
from companion.lab.scenes.wide_pieces import CANDIES, CHIPS, Look, chip, dome, lab_of, lay_shape, linear_of

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]


class Trouble(Enum):
    """What strangers' photographs have that the easy ones of `make_wide` have not."""

    NONE = "none"
    SLANT = "slant"  # perspective and depth of focus
    LAMP = "lamp"  # another white balance than where taught, warm or mixed
    PHONE = "phone"  # sharpening halos, lifted darkness, vivid colours, light that falls off
    FLASH = "flash"  # small hard glints, short shadows
    OVAL = "oval"  # ovals and peanuts that lie in all directions, of uneven sizes
    WORN = "worn"  # letters and cracks, not quite round
    CLEAR = "clear"  # the table is seen through chips
    NEAR = "near"  # colours that are near each other
    STRANGERS = "strangers"  # pieces of colours that were never learnt
    CLOTH = "cloth"  # a printed table
    PILED = "piled"  # some lie partly on others
    THINGS = "things"  # a bowl, packet, pen or hand in view
    CUT = "cut"  # pieces cut off by the picture's edge, which are not in the truth


NEAR: tuple[tuple[Rgb, Rgb], ...] = (
    ((186, 24, 32), (232, 92, 26)), ((86, 48, 32), (40, 34, 34)), ((60, 156, 50), (24, 92, 48)),
    ((238, 146, 28), (242, 202, 34)), ((228, 116, 150), (196, 30, 44)), ((28, 108, 196), (34, 58, 140)),
    ((28, 108, 196), (88, 48, 124)), ((186, 24, 32), (116, 26, 36)),
)  # fmt: skip
"""Pairs of red, green, blue that people tell apart and a nearest colour hardly: the gap is 20 to 45 Lab."""
UNLIKE_LAB = 25.0  # between a table and every colour
MEGAPIXELS = (0.8, 1.5, 3.0)
RADIUS, MOST, LEAST = (0.013, 0.05), 45, 3  # of the breadth of a picture; pieces
MARGINS = (0.0, 0.25)


@dataclass(frozen=True, slots=True, eq=False)
class Snap:
    """What the pictures of a set share: `inks` of the learnt and of `strange` colours, and how pieces look and lie."""

    trouble: Trouble
    chips: bool
    inks: dict[str, Rgb]
    strange: dict[str, Rgb]
    look: Look
    beans: dict[str, list[Singles]]
    radii: Floats
    touching: float


@click.command()
@click.argument("photograph", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("tables", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--sets", default=4, show_default=True, help="Of each trouble.")
@click.option("--pictures", default=3, show_default=True, help="In each set.")
@click.option("--seed", default=1, show_default=True)
@click.option("--trouble", "troubles", multiple=True, type=click.Choice([t.value for t in Trouble]))
def main(
    photograph: Path, tables: Path, out: Path, sets: int, pictures: int, seed: int, troubles: tuple[str, ...]
) -> None:
    """Write TROUBLE-N/NNN.jpg with truth.json, and boxes1.json, crop0.25.json, …, which teach by boxes or crops.

    PHOTOGRAPH is OpenCV's smarties.png. Sets of even number show chips, the others candies, half of them real ones.
    """
    cv2.setNumThreads(1)
    beans = {colour: [bean.linear for bean in own] for colour, own in read_beans(photograph).items()}
    surfaces = photographed_tables(tables)
    for k, trouble in enumerate(Trouble):
        for number in range(sets if not troubles or trouble.value in troubles else 0):
            folder = out / f"{trouble.value}-{number:03d}"
            rng = np.random.default_rng([seed, 75, k, number])
            _write_set(folder, _snap(trouble, number, beans, rng), surfaces, rng, pictures)


def _snap(trouble: Trouble, number: int, beans: dict[str, list[Singles]], rng: np.random.Generator) -> Snap:
    chips = number % 2 == 0 and trouble is not Trouble.OVAL
    known = CHIPS if chips else CANDIES
    order = [str(c) for c in rng.permutation(sorted(known))]
    learnt = int(rng.integers(3, 7))
    inks, strange = {c: known[c] for c in order[:learnt]}, {c: known[c] for c in order[learnt : learnt + 2]}
    if trouble is Trouble.NEAR:
        pairs = rng.permutation(len(NEAR))[:2]
        inks = {f"{'ab'[j]}{n}": rgb for n, k in enumerate(pairs) for j, rgb in enumerate(NEAR[k])}
    radii = snap_things.disc()
    if trouble is Trouble.OVAL:
        radii = snap_things.peanut() if number % 3 == 2 else snap_things.oval(float(rng.uniform(1.15, 1.6)))
    real = not chips and number % 4 == 3 and trouble not in (Trouble.NEAR, Trouble.WORN, Trouble.FLASH)
    look = replace(Look.drawn(chips, rng), oval=1.0, squeeze=1.0)
    touching = float(rng.choice([0, 0, 0.2, 0.4]))
    return Snap(trouble, chips, inks, strange, look, beans if real else {}, radii, touching)


def _write_set(
    folder: Path, snap: Snap, photographs: list[Photograph], rng: np.random.Generator, pictures: int
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    own = np.array([lab_of(linear_of(rgb)) for rgb in [*snap.inks.values(), *snap.strange.values()]])

    photographed = 0.0 if snap.trouble is Trouble.CLOTH else 0.5

    def table() -> Photograph | str:
        return some_table(photographs, own, UNLIKE_LAB, photographed, rng)

    one_room = snap.trouble is not Trouble.LAMP and bool(rng.random() < 0.6)
    room = table(), Light.drawn(rng)
    taught = room if one_room else (str(rng.choice(["white", "pine", "grey"])), Light.drawn(rng))
    calm = snap.trouble in (Trouble.SLANT, Trouble.LAMP, Trouble.STRANGERS, Trouble.CLOTH, Trouble.PILED)
    plainly = replace(snap, trouble=Trouble.NONE) if calm or snap.trouble in (Trouble.THINGS, Trouble.CUT) else snap
    seen, entries = _picture(plainly, list(snap.inks) * 3, *taught, 1.5, 0.04, 0.0, rng)
    boxes = {c: [e["box"] for e in entries if e["colour"] == c] for c in snap.inks}
    write_teaching(folder, seen, boxes, rng, MARGINS)
    truths = {}
    for number in range(pictures):
        there = list(snap.inks)[: max(2, len(snap.inks) - int(rng.random() < 0.3))]
        drawn = [str(c) for c in rng.choice(there, round(float(np.exp(rng.uniform(*np.log([LEAST, MOST]))))))]
        if snap.trouble is Trouble.STRANGERS:
            drawn = [str(c) for c in rng.choice(list(snap.strange), int(rng.integers(1, 4)))] + drawn
        where = room if one_room else (table(), Light.drawn(rng))
        radius = float(np.exp(rng.uniform(*np.log(RADIUS))))
        seen, entries = _picture(snap, drawn, *where, float(rng.choice(MEGAPIXELS)), radius, snap.touching, rng)
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 96))])
        counted = Counter(entry["colour"] for entry in entries)
        truths[f"{number:03d}.jpg"] = {"counts": {colour: counted[colour] for colour in snap.inks}, "pieces": entries}
    write_json(folder / "truth.json", truths)
    (folder / "snap.json").write_text(json.dumps({"chips": snap.chips, "real": bool(snap.beans)}) + "\n")


def _picture(
    snap: Snap,
    drawn: list[str],
    table: Photograph | str,
    light: Light,
    megapixels: float,
    radius_share: float,
    touching: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.uint8], list[dict[str, Any]]]:
    """A picture of as many of the pieces drawn as find a place, and their `colour`, `px` and `box`."""
    trouble = snap.trouble
    aspect = float(rng.choice([4 / 3, 4 / 3, 3 / 4, 16 / 9]))
    wide = int(np.sqrt(megapixels * 1e6 * aspect))
    size = (wide, int(wide / aspect))
    radius = radius_share * wide
    linear = surface(table, size, rng)
    if trouble is Trouble.CLOTH:
        own = np.array([lab_of(linear_of(rgb)) for rgb in snap.inks.values()])
        inks = [rgb for rgb in TABLES.values() if unlike(linear_of(rgb), own) >= UNLIKE_LAB] or list(TABLES.values())
        ink = linear_of(inks[int(rng.integers(len(inks)))])
        snap_things.printed_cloth(linear, ink, radius * float(rng.uniform(0.8, 5)), rng)
    taken = snap_things.lay_thing(linear, radius, rng) if trouble is Trouble.THINGS else np.zeros(size[::-1], bool)
    narrower = float(rng.uniform(0.1, 0.45)) if trouble is Trouble.SLANT else 0.0
    turn = snap_camera.slant(size, narrower)
    most = max(1, int(0.35 * size[0] * size[1] / (np.pi * (1.2 * radius) ** 2)))
    places = _places(drawn[:most], size, radius, touching, snap, taken, turn, rng)
    away = np.array(light.away)
    far, soft, deep = (0.12, 0.05, 0.7) if trouble is Trouble.FLASH else (light.far, light.soft, light.deep)
    dark = np.zeros(size[::-1], np.float32)
    for place in places:
        x, y = place - far * radius * away
        cv2.circle(dark, (round(float(x)), round(float(y))), round(0.95 * radius * float(snap.radii.mean())), 1.0, -1)
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.6, soft * radius))[..., None]
    linear *= 1 - (0.5 if trouble is Trouble.CLEAR else 1.0) * deep * dark
    entries = []
    for place, colour in zip(places, drawn, strict=False):
        size_px = radius * float(np.exp(rng.normal(0, 0.05 if trouble in (Trouble.OVAL, Trouble.WORN) else 0.012)))
        radii = snap_things.uneven(snap.radii, rng) if trouble in (Trouble.OVAL, Trouble.WORN) else snap.radii
        lie = float(rng.uniform(0, 2 * np.pi))
        sprite = _sprite(snap, colour, away, lie, rng)
        cover = 0.7 if trouble is Trouble.CLEAR else 1.0
        lay_shape(linear, sprite, place, size_px, radii, lie, not snap.chips and not snap.beans, cover)
        reach = size_px * float(radii.max())
        corners = cv2.perspectiveTransform((place + reach * snap_things.CORNERS)[None], turn)[0]
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        if trouble is Trouble.CUT and (x0 < 0 or y0 < 0 or x1 > size[0] or y1 > size[1]):
            continue
        box = [round(float(v)) for v in (x0, y0, x1 - x0, y1 - y0)]
        px = [round(float(v), 1) for v in corners.mean(axis=0)]
        entries.append({"colour": colour, "px": px, "box": box})
    return _taken(snap, linear, turn, light, away, rng), entries


def _sprite(snap: Snap, colour: str, away: Floats, lie: float, rng: np.random.Generator) -> Singles:
    """(N, N, 3) linear BGR of a piece that is lit from a side; what shines on it does not turn with it."""
    rgb = {**snap.inks, **snap.strange}[colour]
    if snap.chips:
        back = np.array([[np.cos(lie), np.sin(lie)], [-np.sin(lie), np.cos(lie)]])
        sprite = chip(rgb, snap.look, back @ away, rng)
    elif snap.beans:
        sprite = snap.beans[colour][int(rng.integers(len(snap.beans[colour])))]
    else:
        sprite = dome(rgb, away, rng)
    if snap.trouble is Trouble.WORN:
        sprite = snap_things.lettered(sprite, rng) if rng.random() < 0.6 else snap_things.worn(sprite, rng)
    if snap.trouble is Trouble.FLASH:
        sprite = snap_things.flashed(sprite, snap.chips, rng)
    return np.asarray(sprite * np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.015, 3)), np.float32)


def _taken(
    snap: Snap, linear: Singles, turn: Floats, light: Light, away: Floats, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The photograph (H, W, 3) uint8 BGR that a telephone takes of a table (H, W, 3) linear BGR."""
    high, wide = linear.shape[:2]
    trouble = snap.trouble
    rows, cols = np.mgrid[:high, :wide].astype(np.float32)
    slope = (cols / wide - 0.5) * away[0] + (rows / high - 0.5) * away[1]
    linear = linear * ((1 + light.uneven * slope)[..., None] * np.array(light.gains, np.float32)).astype(np.float32)
    if trouble is Trouble.SLANT:
        linear = cv2.warpPerspective(linear, turn, (wide, high), flags=cv2.INTER_LINEAR)
        linear = snap_camera.out_of_focus(np.asarray(linear, np.float32))
    if trouble is Trouble.LAMP:
        linear = snap_camera.two_lights(linear, bool(rng.random() < 0.5), float(rng.uniform(0, 6.3)))
    if trouble in (Trouble.PHONE, Trouble.FLASH):
        linear = snap_camera.falls_off(linear, float(rng.uniform(0.2, 0.6)))
    shown = 255 * np.clip(cv2.GaussianBlur(linear, (0, 0), float(rng.uniform(0.5, 1.0))), 0, 1) ** (1 / 2.2)
    if trouble is Trouble.PHONE:
        shown = snap_camera.processed(shown, rng)
    noisy = shown + float(rng.uniform(0.5, 3.0)) * rng.standard_normal(shown.shape, np.float32)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _places(
    drawn: list[str],
    size: tuple[int, int],
    radius: float,
    touching: float,
    snap: Snap,
    taken: NDArray[np.bool_],
    turn: Floats,
    rng: np.random.Generator,
) -> Floats:
    """(N, 2) middles in px on the table, on nothing that is `taken` (H, W), so that a picture by `turn` (3, 3) shows
    them whole.
    """
    places: list[Floats] = []
    edge = -0.7 if snap.trouble is Trouble.CUT else 1.35
    low, high = np.full(2, edge * radius), np.array(size) - edge * radius
    near = cv2.dilate(taken.astype(np.uint8), np.ones((2 * round(1.3 * radius) + 1,) * 2)) > 0
    upper: set[int] = set()
    for _ in range(8000):
        if len(places) == len(drawn):
            break
        spot, apart, under = rng.uniform(low, high), 2.35 * radius, -1
        if places and rng.random() < (0.25 if snap.trouble is Trouble.PILED else touching):
            way = float(rng.uniform(0, 2 * np.pi))
            under = int(rng.integers(len(places)))
            far = float(rng.uniform(1.3, 1.8) if snap.trouble is Trouble.PILED else rng.uniform(2.0, 2.1))
            spot, apart = places[under] + far * radius * np.array([np.cos(way), np.sin(way)]), 2 * radius
        piled = snap.trouble is Trouble.PILED and under >= 0
        if (spot < low).any() or (spot > high).any() or (piled and under in upper):
            continue
        x, y = np.clip(np.rint(spot).astype(int), 0, np.array(size) - 1)
        seen = cv2.perspectiveTransform(spot[None, None], turn)[0, 0]
        shown = snap.trouble is Trouble.CUT or ((seen > 2 * radius) & (seen < np.array(size) - 2 * radius)).all()
        free = all(np.linalg.norm(spot - o) >= apart for k, o in enumerate(places) if not (piled and k == under))
        if free and shown and not near[y, x]:
            upper |= {len(places), under} if piled else set()
            places.append(spot)
    return np.array(places).reshape(-1, 2)


if __name__ == "__main__":
    main()
