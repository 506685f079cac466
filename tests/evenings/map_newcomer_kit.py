"""A newcomer who teaches the companion the tiles of a map: knows each space by sight, and answers what is asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import cv2
import numpy as np
from evening_kit import Person
from playwright.sync_api import Page, expect

from companion.games.rifts.edition.catalogue import Tile
from companion.lab.scenes.map_newcomer import values_of
from companion.lab.scenes.rifts_pictures import MapEdition

SPACE_PX = (45, 52)
MIDDLE = (slice(12, 40), slice(10, 36))  # of a space, where its neighbours never show
BASES = ("land", "enemy", "rift", "sells", "gold")


@dataclass
class MapNewcomer:
    """Knows the tiles of an edition by sight. `laid`: number of a piece -> its tile and its turn, thirds clockwise."""

    edition: MapEdition
    taps: Counter[str] = field(default_factory=Counter)
    laid: dict[int, tuple[str, int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    fields: int = 0
    right: int = 0

    def __post_init__(self) -> None:
        known = self.edition.catalogue
        self.tiles: dict[str, Tile] = {tile.id: tile for tile in (known.start, *known.tiles)}
        self._art = {
            name: [
                [_turned(cv2.resize(self.edition.paint(tile, k), SPACE_PX, interpolation=cv2.INTER_AREA), turn)
                 for k in range(3)]
                for turn in range(3)
            ]
            for name, tile in self.tiles.items()
        }

    def look_at(self, page: Page, number: int) -> None:
        """See which tile a piece is, and how it lies in its picture."""
        source = page.locator(f'#open [data-piece="{number}"] > img').get_attribute("src") or ""
        shown = [_picture(page, f"{source}&part={k}") for k in range(3)]

        def unlike(way: tuple[str, int]) -> float:
            name, turn = way
            pairs = ((self._art[name][turn][(k - turn) % 3], shown[k]) for k in range(3))
            return sum(float(np.abs(_in_any_light(art) - _in_any_light(seen)).mean()) for art, seen in pairs)

        self.laid[number] = min(((name, turn) for name in self.tiles for turn in range(3)), key=unlike)

    def wants(self, number: int, key: str) -> str:
        """What a field of a piece is."""
        name, turn = self.laid[number]
        values = values_of(self.tiles[name])
        base, _, space = key.rpartition("_")
        return values[f"{base}_{(int(space) - 1 - turn) % 3 + 1}"]


def learn_tiles(person: Person, knows: MapNewcomer, count: int) -> None:
    """Take the `count` tiles that lie there, answer what is asked, mend what is wrong, keep them."""
    page = person.page
    expect(page.locator("#outlines polygon:not(.bad)")).to_have_count(count)
    person.tap("#take", "take")
    expect(page.locator("#open .piece")).to_have_count(count)
    for piece in page.locator("#open .piece").all():
        knows.look_at(page, int(piece.get_attribute("data-piece") or 0))
    for (number, key), value in _shown(page).items():
        knows.fields += 1
        knows.right += value == knows.wants(number, key)
    question = page.locator("#question-card")
    while True:
        asks = question.get_attribute("data-asks") or ""
        if asks:
            _answer(person, knows, asks)
            expect(question).not_to_have_attribute("data-asks", asks)
            continue
        wrong = next((one for one, value in _shown(page).items() if value != knows.wants(*one)), None)
        if wrong is None:
            break
        number, key = wrong
        knows.wrong.append(f"{knows.laid[number][0]} {key}: {_shown(page)[wrong]}, not {knows.wants(number, key)}")
        person.tap(f'#open [data-piece="{number}"] [data-field="{key}"]', "correct")
        person.tap(f'#question [data-value="{knows.wants(number, key)}"]', "correct")
        expect(page.locator(f'#open [data-piece="{number}"] [data-field="{key}"]')).to_have_attribute(
            "data-shows", knows.wants(number, key))
    person.tap("#keep", "keep")
    expect(page.locator("#open .piece")).to_have_count(0)


def _answer(person: Person, knows: MapNewcomer, asks: str) -> None:
    key, _, names = asks.partition(":")
    items = [tuple(map(int, name.split("."))) for name in names.split(",")]
    if len(items) == 1:
        number, space = items[0]
        base = key.rpartition("_")[0]
        person.tap(f'#question [data-value="{knows.wants(number, f"{base}_{space}")}"]', "answer")
        return
    for number, space in items:
        button = person.see(f'#question [data-piece="{number}.{space}"]')
        if (knows.wants(number, f"{key}_{space}") == "yes") != (button.get_attribute("aria-pressed") == "true"):
            person.tap(button, "tick")
    person.tap("#these-are-all", "answer")


def _shown(page: Page) -> dict[tuple[int, str], str]:
    """What the page shows of every field of the open pieces."""
    every = page.evaluate(
        """() => [...document.querySelectorAll('#open .piece')].flatMap((piece) =>
          [...piece.querySelectorAll('[data-field]')].map((one) =>
            [piece.dataset.piece, one.dataset.field, one.dataset.shows]))"""
    )
    return {(int(number), key): value for number, key, value in every}


def _picture(page: Page, source: str) -> np.ndarray:
    data = page.request.get(page.url.split("/enrol")[0] + source).body()
    return cv2.resize(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), SPACE_PX)


def _turned(space: np.ndarray, thirds: int) -> np.ndarray:
    middle = ((SPACE_PX[0] - 1) / 2, (SPACE_PX[1] - 1) / 2)
    return cv2.warpAffine(space, cv2.getRotationMatrix2D(middle, -120 * thirds, 1.0), SPACE_PX)


def _in_any_light(space: np.ndarray) -> np.ndarray:
    values = space[MIDDLE].astype(float)
    return np.asarray(values - values.mean() * 0.5)
