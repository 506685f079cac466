"""Rendered pictures of Spyrium tables with their truth: market, workers in the gaps, events, own buildings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.spyrium_edition.art import edition_faces
from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.games.spyrium.board import WORKER_HEIGHT_MM, WORKER_WIDTH_MM
from companion.games.spyrium.edition.catalogue import Card, Catalogue, load_catalogue
from companion.games.spyrium.edition.designs import EVENTS, Building, Character
from companion.games.spyrium.edition.form import CARD_MM, CARD_THICKNESS_MM
from companion.games.spyrium.edition.options import COLOURS
from companion.lab.render.camera import Camera
from companion.lab.render.edition import CUBE_PALETTE
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.lights import LIGHTS
from companion.lab.render.pieces import SKIN_TONES, SLEEVES, Limb, Slab, hand, printed, rectangle, regular
from companion.lab.render.surfaces import TABLES
from companion.lab.scenes.envyra_pictures import Sizes
from companion.lab.scenes.profile import PLAIN, Profile, make_room, take

Floats = NDArray[np.float64]
Truth = dict[str, Any]

WORKER_RGB = {colour: CUBE_PALETTE[colour] for colour in COLOURS}
PEG_SIDES = 24
CARDBOARD = (170, 190, 200)
TOKEN_MM = 15.0
MOST_TRIES = 60


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The sample edition's cards."""
    return load_catalogue("sample")


@lru_cache(maxsize=1)
def faces() -> dict[str, NDArray[np.uint8]]:
    """Face -> flat scan, BGR, 8 px/mm."""
    return edition_faces(catalogue(), 8.0)


@dataclass(frozen=True, slots=True, eq=False)
class CardEdition:
    """An edition's cards and, of each of them and of the events, the flat scan, BGR, 8 px/mm."""

    catalogue: Catalogue
    faces: Mapping[str, NDArray[np.uint8]]


@lru_cache(maxsize=1)
def sample_edition() -> CardEdition:
    """The sample edition with its art."""
    return CardEdition(catalogue(), faces())


@lru_cache(maxsize=4)
def table_layout(players: int) -> TableLayout:
    """The layout that the rules give for so many players."""
    seats = tuple(SeatInfo(f"player {k + 1}", COLOURS[k]) for k in range(players))
    setup = Setup(GAME.name, seats, catalogue().id)
    return GAME.make_rules(setup, catalogue()).layout()


@dataclass(slots=True)
class Laid:
    """A table being laid: slot -> (face, middle mm, degrees); slot -> [(colour, middle mm)]; what else lies about."""

    cards: dict[str, tuple[str, Floats, float]] = field(default_factory=dict)
    workers: dict[str, list[tuple[str, Floats]]] = field(default_factory=dict)
    tokens: list[Slab] = field(default_factory=list)


def middle_mm(outline: SlotOutline) -> Floats:
    """(2,) middle of a slot."""
    return np.asarray(np.array(outline.corners_mm).mean(axis=0))


def lay_card(
    laid: Laid, outline: SlotOutline, face: str, turn_deg: float, rng: np.random.Generator, untidiness: float = 1.0
) -> None:
    """A card in its slot, a little off and askew."""
    place = middle_mm(outline) + rng.normal(0, 1.2 * untidiness, 2)
    laid.cards[outline.slot] = (face, place, float(turn_deg + rng.normal(0, 1.8 * untidiness)))


def lay_market(
    laid: Laid, layout: TableLayout, empty: float, turned: bool, rng: np.random.Generator,
    edition: CardEdition | None = None,
) -> None:
    """Cards in the market, each place empty with chance `empty`; tokens on characters that have some."""
    cards = (edition or sample_edition()).catalogue.cards
    by_id = {card.id: card for card in cards}
    deck = [card.id for card in cards for _ in range(card.copies)]
    market = [o for o in layout.slots if o.holds == "card" and o.slot.startswith("r")]
    for outline, face in zip(market, rng.permutation(deck), strict=False):
        if rng.random() < empty:
            continue
        lay_card(laid, outline, str(face), 180.0 * rng.integers(2) if turned else 0.0, rng)
        design = by_id[str(face)].design
        if isinstance(design, Character) and design.has_token:
            for k in range(int(rng.integers(0, 3))):
                laid.tokens.append(_token(laid.cards[outline.slot][1] + (rng.uniform(-10, 10), 12 - 22 * k), rng))


def _token(xy: Floats, rng: np.random.Generator) -> Slab:
    """A round cardboard token with a dark ring."""
    picture = np.full((96, 96, 3), CARDBOARD, np.uint8)
    y, x = np.mgrid[0:96, 0:96] - 47.5
    radius = np.hypot(x, y)
    picture[(radius > 36) & (radius < 42)] = (60, 70, 90)
    picture[radius < 6 * rng.integers(1, 4)] = (60, 70, 90)
    corners = rectangle(TOKEN_MM, TOKEN_MM, xy)
    return Slab(regular(24, TOKEN_MM / 2, xy), CARD_THICKNESS_MM, 2.0, picture, CARDBOARD, corners, layer=2)


def place_workers(laid: Laid, layout: TableLayout, counts: Counter[tuple[str, str]], rng: np.random.Generator) -> None:
    """Workers with their whole foot in the gap, apart or touching; one that finds no room is left out."""
    outlines = {o.slot: o for o in layout.slots}
    for (gap, colour), count in sorted(counts.items()):
        here = laid.workers.setdefault(gap, [])
        low, high = np.array(outlines[gap].corners_mm)[[0, 2]]
        inset = WORKER_WIDTH_MM / 2 + 0.5
        for _ in range(count):
            for _ in range(MOST_TRIES):
                spot = rng.uniform(low + inset, high - inset)
                if here and rng.random() < 0.25:  # set down against another
                    away = rng.uniform(0, 2 * np.pi)
                    spot = here[-1][1] + np.array([np.cos(away), np.sin(away)]) * (WORKER_WIDTH_MM + 0.2)
                inside = ((spot >= low + inset) & (spot <= high - inset)).all()
                if inside and all(np.linalg.norm(spot - other) >= WORKER_WIDTH_MM for _, other in here):
                    here.append((colour, spot))
                    break


def random_workers(layout: TableLayout, colours: list[str], rng: np.random.Generator) -> Counter[tuple[str, str]]:
    """Where the players' workers stand: up to seven each (S1), gathering in some gaps more than in others."""
    gaps = [o.slot for o in layout.slots if o.holds == "gap"]
    liking = rng.dirichlet(np.full(len(gaps), 0.8))
    counts: Counter[tuple[str, str]] = Counter()
    for colour in colours:
        for gap in rng.choice(gaps, int(rng.integers(0, 8)), p=liking):
            counts[str(gap), colour] += 1
    return counts


def lay_buildings(
    laid: Laid, layout: TableLayout, seat: str, rng: np.random.Generator, edition: CardEdition | None = None
) -> None:
    """A neighbourhood of up to twelve buildings, each upright or inclined."""
    cards = (edition or sample_edition()).catalogue.cards
    kinds = [card for card in cards if isinstance(card.design, Building)]
    spaces = [o for o in layout.slots if o.slot.startswith(f"{seat}-b")]
    for outline in spaces[: int(rng.integers(2, len(spaces) + 1))]:
        card: Card = kinds[rng.integers(len(kinds))]
        lay_card(laid, outline, card.id, 90.0 if rng.random() < 0.4 else 0.0, rng)


def slabs_of(laid: Laid, profile: Profile = PLAIN, edition: CardEdition | None = None) -> list[Slab]:
    """Cards, tokens and workers as the painter draws them."""
    scans = (edition or sample_edition()).faces
    slabs = [
        printed(profile.face(face, scans[face]), CARD_MM, xy, deg, CARD_THICKNESS_MM, side=(200, 206, 210), layer=1)
        for face, xy, deg in laid.cards.values()
    ]
    slabs += laid.tokens
    for here in laid.workers.values():
        for colour, xy in here:
            red, green, blue = WORKER_RGB[colour]
            outline = regular(PEG_SIDES, WORKER_WIDTH_MM / 2, xy)
            bgr = (blue, green, red)
            slabs.append(Slab(outline, 0.0, WORKER_HEIGHT_MM, bgr, bgr, None, layer=3))
    return slabs


def table_picture(
    seed: int, number: int, sizes: Sizes, edition: CardEdition | None = None
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job number `number`; every sixth shows the whole table of two, the others the market."""
    rng = np.random.default_rng([seed, 80, number])
    whole = number % 6 == 5
    players = 2 if whole else 2 + number % 4
    layout = table_layout(players)
    colours = [str(c) for c in rng.permutation(COLOURS)[:players]]
    laid = Laid()
    lay_market(laid, layout, float(rng.choice([0.0, 0.15, 0.5])), number % 3 == 2, rng, edition)
    place_workers(laid, layout, random_workers(layout, colours, rng), rng)
    view: dict[str, Any] = {"slack": (1.02, 1.22)}
    must_see = markers_extent_mm()
    if whole:
        events = rng.permutation([event.value for event in EVENTS])
        for slot, face in zip(("event", "future"), events, strict=False):
            lay_card(laid, next(o for o in layout.slots if o.slot == slot), str(face), 0.0, rng)
        for seat in "AB":
            lay_buildings(laid, layout, seat, rng, edition)
        corners = np.concatenate([np.array(o.corners_mm) for o in layout.slots])
        must_see = np.concatenate([must_see, corners])
        view = {"tilt_deg": 16.0, "roll_deg": 6.0, "slack": (1.0, 1.08)}
    size = sizes[-1] if whole else sizes[number % len(sizes)]
    room = make_room(rng, size, TABLES[number % 5], LIGHTS[number // 5 % 4], must_see, **view)
    limbs = _reaching(number, layout, rng)
    jpeg, _ = take(room, [*slabs_of(laid, edition=edition), *marker_slabs(rng)], rng, limbs)
    truth = {
        "kind": "table", "game": "spyrium", "edition": (edition or sample_edition()).catalogue.id,
        "players": players, "markers": True,
        "hand": bool(limbs), "camera": room.camera.as_truth(),
        "conditions": {"table": room.table, "light": room.light.name, "view": "whole" if whole else "market"},
        "slots": [_slot_truth(o, laid, room.camera) for o in layout.slots
                  if (whole or o.slot.startswith("r")) and _in_picture(o, room.camera)],
    }  # fmt: skip
    return jpeg, truth, {"kind": "table", "players": players, "colours": colours}


def _in_picture(outline: SlotOutline, camera: Camera) -> bool:
    """Whether the whole slot is in the picture; of others nothing is asked."""
    px = camera.project(np.column_stack([np.array(outline.corners_mm), np.zeros(len(outline.corners_mm))]))
    return bool(((px >= 1) & (px <= np.array(camera.size) - 2)).all())


def _reaching(number: int, layout: TableLayout, rng: np.random.Generator) -> tuple[Limb, ...]:
    """A hand over the market in some pictures."""
    if number % 23 != 17:
        return ()
    market = [o for o in layout.slots if o.slot.startswith("r")]
    target = middle_mm(market[rng.integers(len(market))])
    skin = SKIN_TONES[rng.integers(len(SKIN_TONES))]
    sleeve = SLEEVES[rng.integers(len(SLEEVES))] if rng.random() < 0.5 else None
    return hand(rng, (float(target[0]), float(target[1])), float(rng.choice([0, 90, 180, 270])), skin, sleeve)


def _slot_truth(outline: SlotOutline, laid: Laid, camera: Camera) -> Truth:
    if outline.holds == "gap":
        here = laid.workers.get(outline.slot, [])
        tops = np.array([[*xy, -WORKER_HEIGHT_MM] for _, xy in here]).reshape(-1, 3)
        px = camera.project(tops) if here else np.zeros((0, 2))
        corners = camera.project(np.column_stack([np.array(outline.corners_mm), np.zeros(4)]))
        return {
            "slot": outline.slot, "holds": "gap", "pieces": dict(Counter(colour for colour, _ in here)),
            "corners_px": np.round(corners, 1).tolist(),
            "tops": [{"colour": c, "px": np.round(p, 1).tolist()} for (c, _), p in zip(here, px, strict=True)],
        }  # fmt: skip
    if outline.slot not in laid.cards:
        return {"slot": outline.slot, "holds": outline.holds, "face": None}
    face, xy, deg = laid.cards[outline.slot]
    corners = np.column_stack([rectangle(*CARD_MM, xy, deg), np.full(4, -CARD_THICKNESS_MM)])
    return {
        "slot": outline.slot, "holds": outline.holds, "face": face, "turn": round(deg / 90) % 4,
        "corners_px": np.round(camera.project(corners), 1).tolist(),
    }  # fmt: skip
