"""Made-up editions of the spell cards of Rifts of N'Norya, with art, places and values of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Picture, Rgb, Sheet
from calibration.shapes import Shape, disc, flame, invented, leaf, star, waves
from companion.games.rifts.edition.catalogue import NO_FUEL, Spell
from companion.games.rifts.edition.spell_form import BOOK, CARD_MM, START
from companion.games.rifts.edition.world import RESOURCES, Element

PX_PER_MM = 8.0
PLACES = (
    ((7.5, 8.0), (36.5, 8.0), (36.5, 60.0), (22.0, 27.0), 46.0),
    ((36.5, 60.0), (7.5, 60.0), (7.5, 8.0), (22.0, 30.0), 49.0),
    ((22.0, 8.0), (9.0, 60.0), (35.0, 60.0), (22.0, 32.0), 50.0),
)
"""Middles of damage, fuel with its boost and price, mm from top left, of the emblem, and the height of the name: an
edition has one of them."""
FONTS = ("sans", "serif", "italic")
FUELS: Mapping[Element, Shape] = {Element.FIRE: flame(), Element.EARTH: leaf(), Element.AIR: waves()}
INK: Rgb = (26, 24, 30)
STARTING, COPIES = 3, (3, 2, 1)
"""So many kinds of an element are in its starting deck, with so many copies of each: six cards (N1)."""
BOOK_KINDS, BOOK_COPIES = 5, 2  # N3: ten in a spell book at least


@dataclass(frozen=True, slots=True, eq=False)
class SpellEdition:
    """The spells of an edition, and how each looks: id -> upright (h, w, 3) uint8 BGR."""

    spells: tuple[Spell, ...]
    faces: Mapping[str, Picture]

def made_up_spells(seed: int) -> SpellEdition:
    """An edition with other art and other damage, fuel, boost and price than the sample's."""
    rng = np.random.default_rng([seed, 831])
    spells: list[Spell] = []
    for element in Element:
        for number in range(STARTING + BOOK_KINDS):
            fuel = None if rng.random() < 0.3 else RESOURCES[int(rng.integers(len(RESOURCES)))]
            starts = number < STARTING
            spells.append(Spell(
                f"{element.value}-{number + 1}", element, int(rng.integers(1, 10)), fuel,
                0 if fuel is None else int(rng.integers(1, 5)), 0 if starts else int(rng.integers(2, 13)),
                COPIES[number] if starts else 0, 0 if starts else BOOK_COPIES,
            ))
    hues = rng.permutation(np.arange(4)) * 90 + rng.uniform(-15, 15, 4)
    grounds = {element: _rgb(float(hue), float(rng.uniform(0.35, 0.6)), float(rng.uniform(0.55, 0.8)))
               for element, hue in zip(Element, hues, strict=True)}
    return SpellEdition(tuple(spells), {spell.id: _card(spell, seed, grounds[spell.element]) for spell in spells})


def _card(spell: Spell, seed: int, ground: Rgb) -> Picture:
    damage, boost, price, emblem, name_y = PLACES[seed % len(PLACES)]
    font, paper = FONTS[seed % len(FONTS)], (244, 240, 230) if seed % 2 else (30, 28, 34)
    width = CARD_MM[0]
    sheet = Sheet(CARD_MM, PX_PER_MM, ground)
    rng = np.random.default_rng([seed, 832, *map(ord, spell.id)])
    for kind in rng.integers(0, 4, 8):  # a picture of the card's own
        xy, size = rng.uniform((4, 14), (width - 4, 48)), rng.uniform(3.0, 9.0)
        tone = (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0)
        sheet.blend([layer.points * size + xy for layer in invented(rng, int(kind))], tone, 0.16)
    sheet.shape(invented(rng, int(rng.integers(4))), emblem, 9.5, paper, ground)
    name = "".join(chr(ord("A") + int(n)) for n in rng.integers(0, 26, 7))
    sheet.text(name, (width / 2, name_y), 3.0, paper, font=font)
    sheet.fill(star(8, 0.75) * 5.6 + damage, (250, 250, 250))
    _number(sheet, spell.damage, damage, font)
    if spell.fuel is not None:
        sheet.fill(disc(*boost, 5.0), (238, 232, 214))
        sheet.shape(FUELS[spell.fuel], (boost[0] - 2.2, boost[1]), 2.4, INK, (238, 232, 214))
        _number(sheet, spell.boost, (boost[0] + 2.4, boost[1]), font, 3.8)
    if spell.price:
        sheet.fill(disc(*price, 5.0), INK)
        sheet.fill(disc(*price, 4.5), (232, 190, 70))
        _number(sheet, spell.price, price, font)
    return sheet.pixels


def _number(sheet: Sheet, value: int, xy: tuple[float, float], font: str, height: float = 4.8) -> None:
    text = str(value)
    sheet.text(text, xy, height if len(text) == 1 else 0.8 * height, INK, font=font)


def _rgb(hue: float, saturation: float, value: float) -> Rgb:
    hsv: NDArray[np.float32] = np.array([[[hue % 360, saturation, value]]], np.float32)
    red, green, blue = np.round(255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]).astype(int).tolist()
    return red, green, blue


def spells_in_piles(edition: SpellEdition) -> list[list[str]]:
    """The ids of all cards as a person lays them out: the starting decks two by two, then each spell book."""
    piles: list[list[str]] = []
    for starts in (True, False):
        for element in Element:
            own = [one for one in edition.spells if one.element is element]
            cards = [one.id for one in own for _ in range(one.start if starts else one.book)]
            piles.append([str(face) for face in np.random.default_rng([len(piles), 833]).permutation(cards)])
    starting, books = piles[: len(Element)], piles[len(Element) :]
    return [*(one + other for one, other in zip(starting[::2], starting[1::2], strict=True)), *books]


def spell_values(edition: SpellEdition, face: str) -> dict[str, str]:
    """What a person reads on a card and knows of its pile, as the form of the game writes it."""
    spell = next(one for one in edition.spells if one.id == face)
    values = {"pile": START if spell.start else BOOK, "element": spell.element.value, "damage": str(spell.damage),
              "fuel": NO_FUEL if spell.fuel is None else spell.fuel.value}
    values |= {} if spell.fuel is None else {"boost": str(spell.boost)}
    return values | ({} if spell.start else {"price": str(spell.price)})
