"""Draws the cards of a Spyrium edition: buildings, characters, techniques and events, each with its printed values."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.drawing import Picture, Rgb, Sheet
from calibration.shapes import disc, star
from calibration.spyrium_edition.emblems import box, emblems
from companion.games.spyrium.edition.catalogue import Card, Catalogue
from companion.games.spyrium.edition.designs import (
    EVENTS,
    POINTS_FOR_POUNDS,
    POUNDS_FOR_SPYRIUM,
    Building,
    Character,
    Design,
    EventKind,
    Symbol,
    Use,
)
from companion.games.spyrium.edition.form import CARD_MM

PX_PER_MM = 12.0  # as drawn: six times what a camera over a table resolves

INK: Rgb = (30, 28, 34)
PAPER: Rgb = (244, 238, 222)
COIN: Rgb = (240, 200, 60)
CRYSTAL: Rgb = (70, 190, 120)
WORKER: Rgb = (60, 60, 72)
_SYMBOL_GROUND: Mapping[Symbol, Rgb] = {
    Symbol.MINE: (150, 108, 70),
    Symbol.FACTORY: (120, 128, 140),
    Symbol.RESEARCH: (84, 126, 178),
}
_HOMES: Rgb = (150, 160, 96)
_CHARACTERS: Rgb = (196, 152, 140)
_TECHNIQUES: Rgb = (96, 160, 156)
_EVENTS: Rgb = (74, 66, 100)


def _ground(design: Design) -> Rgb:
    if isinstance(design, Building):
        return _SYMBOL_GROUND[design.symbols[0]] if design.symbols else _HOMES
    return _CHARACTERS if isinstance(design, Character) else _TECHNIQUES


def draw_card(card: Card, px_per_mm: float = PX_PER_MM) -> Picture:
    """The face of a card, upright: (68, 44) mm at `px_per_mm`, uint8 BGR."""
    sheet = _framed(_ground(card.design), card.design_name)
    _coin(sheet, str(card.price), (37.0, 7.0))
    if isinstance(card.design, Building):
        for k, symbol in enumerate(card.design.symbols):
            sheet.fill(disc(7.0 + 7.0 * k, 7.0, 3.1), INK)
            sheet.fill(disc(7.0 + 7.0 * k, 7.0, 2.6), _SYMBOL_GROUND[symbol])
            sheet.text(symbol.value[0].upper(), (7.0 + 7.0 * k, 7.0), 3.0, PAPER)
        sheet.fill(star(5, 0.62, 1.12) * 5.0 + (7.5, 59.5), COIN)
        sheet.text(str(card.points), (7.5, 59.8), 4.6, INK)
        for k, use in enumerate(card.design.uses):
            draw_use(sheet, use, 42.0 + 6.2 * k)
    elif isinstance(card.design, Character):
        draw_effect(sheet, card.design)
    return _scaled(sheet, px_per_mm)


def draw_event(event: EventKind, px_per_mm: float = PX_PER_MM) -> Picture:
    """The face of an event, upright, in the size of a card."""
    sheet = _framed(_EVENTS, event.value)
    trades = {EventKind.POINTS: POINTS_FOR_POUNDS, EventKind.MONEY: POUNDS_FOR_SPYRIUM}.get(event, {})
    for k, (paid, gained) in enumerate(trades.items()):
        sheet.text(f"{paid} > {gained}", (22.0, 44.5 + 7.0 * k), 4.0, PAPER)
    return _scaled(sheet, px_per_mm)


def edition_faces(catalogue: Catalogue, px_per_mm: float = PX_PER_MM) -> dict[str, Picture]:
    """Every face of an edition by its name: the catalogue's kinds of cards, and the events."""
    cards = {card.id: draw_card(card, px_per_mm) for card in catalogue.cards}
    return cards | {event.value: draw_event(event, px_per_mm) for event in EVENTS}


def _framed(ground: Rgb, name: str) -> Sheet:
    """A card with its frame, emblem and name."""
    width, height = CARD_MM
    sheet = Sheet(CARD_MM, PX_PER_MM, PAPER)
    sheet.fill(box(1.6, 1.6, width - 1.6, height - 1.6), ground)
    light = [np.array([[22.0, 25.0], [22 + 60 * np.cos(a), 25 + 60 * np.sin(a)],
                       [22 + 60 * np.cos(a + 0.2), 25 + 60 * np.sin(a + 0.2)]])
             for a in np.linspace(0, 2 * np.pi, 10)[:-1]]  # fmt: skip
    sheet.blend(light, (255, 255, 255), 0.1)
    for edge in (box(0, 0, width, 1.6), box(0, height - 1.6, width, height), box(0, 0, 1.6, height),
                 box(width - 1.6, 0, width, height)):  # fmt: skip
        sheet.fill(edge, PAPER)
    sheet.shape(emblems()[name], (22.0, 25.0), 11.0, PAPER, ground)
    words = name.removeprefix("event-").split("-")[0].upper()
    sheet.text(words, (25.0 if not name.startswith("event-") else 22.0, 61.5), min(3.0, 26.0 / len(words)), PAPER)
    return sheet


def _coin(sheet: Sheet, text: str, xy: tuple[float, float]) -> None:
    sheet.fill(disc(*xy, 5.0), INK)
    sheet.fill(disc(*xy, 4.5), COIN)
    sheet.text(text, xy, 4.8 if len(text) == 1 else 4.0, INK)


def draw_use(sheet: Sheet, use: Use, y: float) -> None:
    """A line of what a use takes and gives: workers, Spyrium, then what is gained."""
    x = 8.0
    for _ in range(use.workers):
        sheet.fill(disc(x, y - 1.2, 1.0), WORKER)
        sheet.fill(np.array([[x - 1.4, y + 2.0], [x, y - 0.8], [x + 1.4, y + 2.0]]), WORKER)
        x += 3.4
    for _ in range(use.spyrium):
        sheet.fill(star(3, 0.7, 1.2) * 1.5 + (x, y), CRYSTAL)
        x += 3.2
    sheet.fill(np.array([[x - 0.6, y - 1.4], [x + 1.6, y], [x - 0.6, y + 1.4]]), INK)
    x += 5.0
    if use.gain_spyrium:
        sheet.text(str(use.gain_spyrium), (x, y), 4.0, CRYSTAL)
    if use.points:
        sheet.text(str(use.points), (x, y), 4.0, COIN)


def draw_effect(sheet: Sheet, character: Character) -> None:
    """A character's line: what is spent, whether a token is paid or gained, what comes of it."""
    y, x = 46.0, 9.0
    if character.spyrium:
        sheet.fill(star(3, 0.7, 1.2) * 1.8 + (x, y), CRYSTAL)
        x += 6.0
    if character.has_token:
        sheet.fill(disc(x, y, 2.8), PAPER)
        sheet.text("-" if character.token_price else "+", (x, y), 2.6, INK)
        x += 7.0
    sheet.fill(np.array([[x - 0.6, y - 1.8], [x + 2.0, y], [x - 0.6, y + 1.8]]), INK)
    if character.gain_spyrium:
        sheet.text(str(character.gain_spyrium), (x + 7.0, y), 5.0, CRYSTAL)
    if character.points:
        sheet.text(str(character.points), (x + 7.0, y), 5.0, COIN)


def _scaled(sheet: Sheet, px_per_mm: float) -> Picture:
    if px_per_mm == PX_PER_MM:
        return sheet.pixels

    size = (round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm))
    return np.asarray(cv2.resize(sheet.pixels, size, interpolation=cv2.INTER_AREA))
