"""Photographs of glossy candies and chips on tables: solids in soft light, with shadows, bounce and reflections."""

from __future__ import annotations

import colorsys
from collections import Counter
from dataclasses import replace
from enum import Enum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.beside import Beside, draw_balls, stacked, things_beside
from companion.lab.render.glossy.eye import MOST_ASLANT, Eye, make_eye, turning
from companion.lab.render.glossy.kinds import Kind, Piece
from companion.lab.render.glossy.pieces import draw_piece, middle_mm
from companion.lab.render.glossy.table import CARD_MM, Table, lit_table
from companion.lab.render.glossy.tossed import ASLANT, BROAD, MOST, Photograph, as_fallen
from companion.lab.render.lights import LIGHTS, make_light
from companion.lab.render.sensor import Optics, develop
from companion.lab.render.surfaces import PLAIN_TABLES, TABLES, make_surface
from vision import srgb

Floats = NDArray[np.float64]

FINER_UP_TO = 4.0  # megapixels up to which every pixel is sampled twice across and down


class Scenery(Enum):
    """Where the pieces lie: `MIXED` in any light, mirrored lamps, playing cards beside the chips; `CALM` by daylight or
    many lamps, well exposed, on tables that mirror nothing; `PLAIN` the same and by a lamp, on plain wood, paint or
    cloth without cards, as most people's tables are; `EASY` there on a table unlike every colour, 3 to 60 pieces, most
    apart, and in every third picture of chips cards beside them.
    """

    MIXED = "mixed"
    CALM = "calm"
    PLAIN = "plain"
    EASY = "easy"


LIGHTS_OF = {
    Scenery.MIXED: LIGHTS,
    Scenery.CALM: ("window", "led"),
    Scenery.PLAIN: ("window", "led", "lamp"),
    Scenery.EASY: ("window", "led", "lamp"),
}
FEWEST, MOST_EASY = 3, 60  # pieces of an easy picture
UNLIKE = 30.0  # Lab from every colour from which a table is unlike the pieces


def glossy_picture(
    kind: Kind,
    seed: int,
    number: int,
    *,
    one_room: bool,
    taught: bool = False,
    megapixels: float = 1.2,
    scenery: Scenery = Scenery.MIXED,
    photograph: Photograph | None = None,
    beside: Beside = Beside.NOTHING,
) -> tuple[bytes, dict[str, Any]]:
    """A JPEG and its truth: mixed colours, or (`taught`) three pieces of every colour lying apart; on the table of a
    `photograph`, beside what is to be seen there, where one is given, and what is `beside` them.

    `one_room`: table and light are the same for all pictures of a seed; else each has its own, and what is taught lies
    on a white table. The truth has `counts`, and `pieces` with `colour`, `px` and `box` (x, y, width, height).
    """
    rng = np.random.default_rng([seed, 71, number])
    size = _size(megapixels, number)
    easy = scenery is Scenery.EASY
    many = kind.tossed and kind.domed and not taught
    broad = float(np.exp(rng.uniform(*np.log(BROAD)))) if many else 8.0 if taught else float(rng.uniform(6, 14))
    broad = float(rng.uniform(8, 22)) if easy and not taught else broad
    across = 2 * kind.radius_mm * kind.oval * broad
    area = (across, across * size[1] / size[0])
    most = 0.45 * across * area[1] / (2 * kind.radius_mm * kind.oval) ** 2  # of squares of a piece's breadth
    count = 3 * len(kind.colours) if taught else int(rng.integers(5, max(8, min(MOST if many else 45, int(most)))))
    if easy and not taught:
        count = min(int(most), round(float(np.exp(rng.uniform(*np.log((FEWEST, MOST_EASY)))))))
    places = _scatter(kind, count, area, 0.0 if taught else float(rng.uniform(0, 0.3 if easy else 0.8)), rng, easy)
    colours = [kind.colours[k % len(kind.colours)] for k in range(count)] if taught else []
    colours = colours or [str(rng.choice(kind.colours)) for _ in places]
    pieces = []
    for place, colour in zip(places, colours, strict=False):
        shade = np.exp(rng.normal(0, 0.05) + rng.normal(0, 0.02, 3))
        piece = Piece(place, float(rng.uniform(0, np.pi)), 0.0, kind.albedo(colour) * shade, colour)
        if kind.face_up < 1:
            piece = replace(piece, turn=2 * piece.turn, face_up=bool(rng.random() < kind.face_up))
        pieces.append(piece)
    room = np.random.default_rng([seed, 73]) if one_room else rng
    lights, tables = (seed, seed) if one_room else (number, number // 2)
    names = LIGHTS_OF[scenery]
    usual_tables = PLAIN_TABLES if scenery in (Scenery.PLAIN, Scenery.EASY) else TABLES
    mixed = scenery is Scenery.MIXED
    light = make_light(names[lights % len(names)], room)
    exposure = (light.exposure if mixed else 1.0) * float(rng.uniform(0.85, 1.25))
    light = replace(light, exposure=exposure)
    name = "white" if taught and not one_room else usual_tables[tables % len(usual_tables)]
    margin = 4 * kind.radius_mm
    cards = () if taught or kind.domed or number % 3 or scenery is Scenery.PLAIN else _cards(area, rng)
    if easy and cards:
        clear = np.hypot(*CARD_MM) / 2 + kind.radius_mm
        cards = tuple(c for c in cards if all(np.linalg.norm(c[0] - piece.xy) > clear for piece in pieces))
    gloss = float(rng.choice([0.0, 0.02, 0.05])) if name in ("wood", "dark") and mixed else 0.0
    seen = photograph.cut(size, room) if photograph else None
    surface = make_surface(name, room)
    if easy:
        surface = _unlike_pieces(surface, kind, "wood" in name, room)
    own = np.random.default_rng([seed, 74, number])  # the same pieces lie there whatever is beside them
    things = things_beside(beside, kind, area, own)
    table = Table(surface, float(rng.uniform(0, 6)), gloss, cards, seen.picture if seen else None, things.packages)
    finer = 2 if megapixels <= (1.2 if easy else FINER_UP_TO) else 1
    aslant = ASLANT if kind.tossed and not taught else MOST_ASLANT
    eye = make_eye((size[0] * finer, size[1] * finer), (area[0] + margin, area[1] + margin), rng, aslant)
    if seen:
        pieces = [piece for piece in pieces if seen.free(eye, piece)]
    if kind.tossed and not taught:
        pieces = as_fallen(kind, pieces, rng)
    pieces = things.left(kind, pieces, eye)
    if beside is Beside.STACKS:
        pieces = stacked(kind, pieces, own)
    canvas = lit_table(table, eye, light, kind, pieces, things)
    table_bgr = np.median(canvas.reshape(-1, 3)[::97], axis=0).astype(float)
    for piece in sorted(pieces, key=lambda p: (p.base_mm, -float(np.linalg.norm(eye.centre[:2] - p.xy)))):
        draw_piece(canvas, kind, piece, eye, light, table_bgr)
    draw_balls(canvas, things, eye, light, table_bgr)
    linear = canvas if finer == 1 else cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    picture = develop(linear, light, phone_optics(rng), rng)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 94))])[1].tobytes()
    return jpeg, {
        "counts": {colour: Counter(p.colour for p in pieces)[colour] for colour in kind.colours},
        "pieces": [_entry(kind, piece, eye, finer) for piece in pieces],
        "conditions": {"table": name, "light": light.name, "cards": len(cards), "size": list(size)},
    }


def phone_optics(rng: np.random.Generator) -> Optics:
    """The flaws of a phone: a good lens, much sharpening, colour noise that its denoising leaves in blotches."""
    return Optics(
        float(rng.uniform(0.4, 1.0)), float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.2, 0.9)), 90, mosaic=True,
        blotches=float(rng.uniform(0.0, 0.003)), metered=float(rng.uniform(0.18, 0.3)),
    )  # fmt: skip


def unlike(table: NDArray[np.uint8], kind: Kind) -> bool:
    """Whether a table (H, W, 3) uint8 BGR has a colour of its own beside all colours of a kind."""
    return _nearest(np.median(table[::8, ::8].reshape(-1, 3), axis=0), kind) >= UNLIKE


def _nearest(bgr: Floats, kind: Kind) -> float:
    """How far a colour (3,), 0 to 255 of sRGB, is from the nearest of a kind, in Lab."""
    own = srgb.to_linear(np.clip(bgr, 0, 255).astype(np.uint8))
    lab = srgb.linear_to_lab(np.stack([own, *(kind.albedo(colour) for colour in kind.colours)]))
    return float(np.linalg.norm(lab[1:] - lab[0], axis=1).min())


def _unlike_pieces(surface: NDArray[np.uint8], kind: Kind, wood: bool, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A surface (H, W, 3) uint8 BGR in the first colour drawn that is unlike all of a kind, or the least alike."""
    hues, saturations = ((0.05, 0.1), (0.2, 0.65)) if wood else ((0, 1), (0, 0.5))
    drawn = []
    for _ in range(40):
        hsv = (rng.uniform(*hues), rng.uniform(*saturations), rng.uniform(0.3, 0.92))
        drawn.append(255 * np.array(colorsys.hsv_to_rgb(*hsv)[::-1]))
        if _nearest(drawn[-1], kind) >= UNLIKE:
            break
    best = max(drawn, key=lambda bgr: _nearest(bgr, kind))
    usual = np.median(surface[::8, ::8].reshape(-1, 3), axis=0)
    return np.asarray(np.clip(surface * (best / np.maximum(usual, 1)), 0, 255).astype(np.uint8))


def _size(megapixels: float, number: int) -> tuple[int, int]:
    long, short = round(1000 * np.sqrt(megapixels * 4 / 3)), round(1000 * np.sqrt(megapixels * 3 / 4))
    return (long, short) if number % 3 else (short, long)


def _scatter(
    kind: Kind, count: int, area_mm: tuple[float, float], touching: float, rng: np.random.Generator, wide: bool = False
) -> Floats:
    """(N, 2) middles: with chance `touching` beside one that is there, never on each other; the others with a gap of a
    fifth of their breadth, if `wide`.
    """
    free = 1.2 if wide else 1.0
    apart = 2 * kind.radius_mm * (kind.oval if kind.domed else 1.0)
    places: list[Floats] = []
    for _ in range(20_000):
        if len(places) == count:
            break
        if places and rng.random() < touching:
            away = rng.uniform(0, 2 * np.pi)
            other = places[rng.integers(len(places))]
            spot, least = other + np.array([np.cos(away), np.sin(away)]) * apart * rng.uniform(1.0, 1.03), apart
        else:
            spot, least = rng.uniform(-0.5, 0.5, 2) * area_mm, free * apart
        if (np.abs(spot) <= np.array(area_mm) / 2).all() and all(
            np.linalg.norm(spot - other) >= least for other in places
        ):
            places.append(spot)
    return np.array(places).reshape(-1, 2)


def _cards(area: tuple[float, float], rng: np.random.Generator) -> tuple[tuple[Floats, float], ...]:
    """One or two playing cards somewhere at the rim of where the pieces lie."""
    spots = [rng.uniform(-0.5, 0.5, 2) * area for _ in range(int(rng.integers(1, 3)))]
    return tuple((spot, float(rng.uniform(0, np.pi))) for spot in spots)


def _entry(kind: Kind, piece: Piece, eye: Eye, finer: int) -> dict[str, Any]:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    long = kind.radius_mm * piece.size * kind.oval * piece.oval
    reach = np.stack([np.cos(angles) * long, np.sin(angles) * kind.radius_mm * piece.size], axis=1)
    flat = piece.xy + reach @ turning(piece.turn)
    heights = (middle_mm(kind, piece),) if kind.domed else (0.0, kind.height_mm)
    points = np.concatenate([np.column_stack([flat, np.full(len(flat), piece.base_mm + z)]) for z in heights])
    seen = eye.project(points) / finer
    low, high = seen.min(axis=0), seen.max(axis=0)
    box = [round(float(v)) for v in (*low, *(high - low))]
    return {"colour": piece.colour, "px": [round(float(v), 1) for v in (low + high) / 2], "box": box}
