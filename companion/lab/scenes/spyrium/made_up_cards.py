"""Editions of Spyrium's cards with other art and values, and rendered pictures of their cards laid out to be learnt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb, Sheet
from calibration.shapes import Shape, disc, invented, star
from calibration.spyrium_edition.art import COIN, INK, draw_effect, draw_use
from calibration.spyrium_edition.emblems import box
from companion.games.spyrium.edition.catalogue import DECK_SIZES, KIND_COUNTS, PRINTED_POINTS, Catalogue, load_catalogue
from companion.games.spyrium.edition.designs import (
    BUILDINGS,
    DESIGNS,
    EVENTS,
    Building,
    Character,
)
from companion.games.spyrium.edition.form import CARD_MM, EVENT
from companion.lab.scenes.laid_cards import CELLS
from companion.lab.scenes.spyrium.pictures import CardEdition

PX_PER_MM = 8.0
PLACES = (
    ((37.0, 7.0), (7.5, 59.5), (22.0, 25.0), 61.5),
    ((7.0, 7.0), (36.5, 59.5), (22.0, 27.0), 14.5),
    ((7.0, 60.5), (36.5, 60.5), (22.0, 22.0), 6.0),
    ((36.5, 60.0), (7.0, 8.0), (24.0, 26.0), 52.5),
)
"""Middles of price, points and emblem, mm from top left, and the height of the name: an edition has one of them."""
FONTS = ("sans", "serif", "italic")
RAREST = "apprentice"


@dataclass(frozen=True, slots=True, eq=False)
class CardArt:
    """How an edition prints its cards: all of it drawn from `seed`."""

    seed: int
    grounds: dict[str, Rgb]
    emblems: dict[str, Shape]
    paper: Rgb
    frame_mm: float
    font: str

    @classmethod
    def made_up(cls, seed: int) -> CardArt:
        """The art of a made-up edition."""
        rng = np.random.default_rng([seed, 821])
        hues = rng.permutation(np.arange(6)) * 60 + rng.uniform(-12, 12, 6)
        names = ("mine", "factory", "research", "homes", "character", "technique")
        grounds = {
            name: _rgb(hue, rng.uniform(0.3, 0.6), rng.uniform(0.55, 0.8))
            for name, hue in zip(names, hues, strict=True)
        }
        grounds[EVENT] = _rgb(rng.uniform(0, 360), 0.35, 0.35)
        order = rng.permutation(np.array([*DESIGNS, *(event.value for event in EVENTS)]))
        emblems = {str(name): invented(rng, k % 4) for k, name in enumerate(order)}
        paper = (244, 240, 230) if seed % 2 else (34, 32, 38)
        return cls(seed, grounds, emblems, paper, (1.6, 0.0, 2.2)[seed % 3], FONTS[seed % len(FONTS)])

    def card(self, design_name: str, price: int, points: int) -> NDArray[np.uint8]:
        """A card, upright."""
        design = DESIGNS[design_name]
        sort = "technique"
        if isinstance(design, Building):
            sort = design.symbols[0].value if design.symbols else "homes"
        elif isinstance(design, Character):
            sort = "character"
        sheet = self._framed(design_name, self.grounds[sort], design_name.split("-")[0].upper())
        coin, badge, _, _ = PLACES[self.seed % len(PLACES)]
        sheet.fill(disc(*coin, 5.0), INK)
        sheet.fill(disc(*coin, 4.5), COIN)
        self._number(sheet, price, coin, 4.8)
        if isinstance(design, Building):
            sheet.fill(star(5, 0.62, 1.12) * 5.2 + badge, (250, 250, 250))
            self._number(sheet, points, (badge[0], badge[1] + 0.3), 4.6)
            for k, use in enumerate(design.uses):
                draw_use(sheet, use, 40.0 + 6.2 * k)
        elif isinstance(design, Character):
            draw_effect(sheet, design)
        return sheet.pixels

    def event(self, name: str) -> NDArray[np.uint8]:
        """An event card, upright."""
        return self._framed(name, self.grounds[EVENT], name.removeprefix("event-").upper()).pixels

    def _number(self, sheet: Sheet, value: int, xy: tuple[float, float], height: float) -> None:
        text = str(value)
        sheet.text(text, xy, height if len(text) == 1 else 0.8 * height, INK, font=self.font)

    def _framed(self, name: str, ground: Rgb, words: str) -> Sheet:
        width, height = CARD_MM
        sheet = Sheet(CARD_MM, PX_PER_MM, ground)
        rng = np.random.default_rng([self.seed, 822, *map(ord, name)])
        for kind in rng.integers(0, 4, 8):  # a picture of the card's own
            xy, size = rng.uniform((4, 12), (width - 4, 40)), rng.uniform(3.0, 9.0)
            tone = (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0)
            sheet.blend([layer.points * size + xy for layer in invented(rng, int(kind))], tone, 0.14)
        edge = self.frame_mm
        for side in (box(0, 0, width, edge), box(0, height - edge, width, height), box(0, 0, edge, height),
                     box(width - edge, 0, width, height)) if edge else ():  # fmt: skip
            sheet.fill(side, self.paper)
        _, _, emblem, at = PLACES[self.seed % len(PLACES)]
        sheet.shape(self.emblems[name], emblem, 9.5, self.paper, ground)
        sheet.text(words, (width / 2, at), min(3.0, 24.0 / len(words)), self.paper, font=self.font)
        return sheet


def _rgb(hue: float, saturation: float, value: float) -> Rgb:
    hsv = np.array([[[hue % 360, saturation, value]]], np.float32)
    red, green, blue = np.round(255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]).astype(int).tolist()
    return red, green, blue


def made_up_cards(seed: int) -> CardEdition:
    """An edition with other art, other numbers of each card, other periods, prices and points (S1, S2, R-S9 hold)."""
    made, art = _catalogue(seed), CardArt.made_up(seed)
    faces = {card.id: art.card(card.design_name, card.price, card.points) for card in made.cards}
    return CardEdition(made, faces | {event.value: art.event(event.value) for event in EVENTS})


def _catalogue(seed: int) -> Catalogue:
    rng = np.random.default_rng([seed, 823])
    deck: list[str] = []
    for _, designs, count in KIND_COUNTS:  # S1: one of each at least
        deck += [*designs, *(str(name) for name in rng.choice(list(designs), count - len(designs)))]
    periods = rng.permutation([period for period, size in DECK_SIZES.items() for _ in range(size)])
    copies = Counter(zip(deck, map(str, periods), strict=True))
    lines = ["[catalogue]", 'game = "spyrium"', f'id = "made-up-{seed}"', 'title = "Made up"', 'provenance = "sample"']
    lines += ["[residence]", "track = [2, 3, 4, 5, 6, 7]"]
    base = {name: (int(rng.integers(0, 10)), int(rng.integers(1, 6))) for name in DESIGNS}
    base |= {"factory-left": (6, base["factory-left"][1]), RAREST: (0, 0)}  # S2
    for (design, period), count in copies.items():
        price, points = base[design]
        later = int(rng.integers(0, 3)) if period != "A" and design not in ("factory-left", RAREST) else 0
        lines += ["[[card]]", f'id = "{design}-{period.lower()}"', f'design = "{design}"', f'period = "{period}"',
                  f"copies = {count}", f"price = {price + later}"]
        if design in BUILDINGS:
            lines.append(f"points = {PRINTED_POINTS.get(design, points + later // 2)}")  # S2
    return load_catalogue("\n".join(lines))


def values_of(edition: CardEdition, face: str) -> dict[str, str]:
    """What a person reads on a card and on its back, as the form of the game writes it."""
    card = next((one for one in edition.catalogue.cards if one.id == face), None)
    if card is None:
        return {"period": EVENT, "event": face}
    values = {"period": card.period, "design": card.design_name, "price": str(card.price)}
    return values | ({"points": str(card.points)} if isinstance(card.design, Building) else {})


def batches_of(edition: CardEdition) -> list[list[str]]:
    """The faces of all cards as a person lays them out: pile by pile, up to twelve at a time, then the events."""
    out = []
    for period in DECK_SIZES:
        cards = [card for card in edition.catalogue.cards if card.period == period]
        pile = [card.id for card in cards for _ in range(card.copies)]
        pile = [str(face) for face in np.random.default_rng([ord(period), 824]).permutation(pile)]
        out += [pile[k : k + len(CELLS)] for k in range(0, len(pile), len(CELLS))]
    return [*out, [event.value for event in EVENTS]]
