"""A newcomer who teaches the companion the tiles of a map: knows each space by sight, and answers what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from browser_kit import shot
from evening_kit import Person
from playwright.sync_api import Page, expect

from calibration.box_file import EnrolledBox, write_box
from calibration.rifts_edition.art import SPACE_MM, draw_tile
from companion.app.camera.known_box import KnownBox
from companion.core.types import SeatInfo, Setup
from companion.games.rifts import GAME
from companion.games.rifts.edition.catalogue import Tile
from companion.games.rifts.edition.hexes import make_grid, turned
from companion.games.rifts.edition.tables import RADIUS
from companion.lab.films.map_film import PIECE_RGB
from companion.lab.scenes.rifts.pictures import MapEdition, table_picture
from companion.lab.scenes.rifts.read_values import values_of
from vision.appearance.picture_light import PieceColours
from vision.tables.place import PlaceState

Lies = Callable[[str, str, int], tuple[str, str, int]]

SPACE_PX = (45, 52)
MIDDLE = (slice(12, 40), slice(10, 36))  # of a space, where its neighbours never show
BASES = ("land", "enemy", "rift", "sells", "gold")


@dataclass
class MapNewcomer:
    """Knows the tiles of an edition by sight. `laid`: number of a piece -> its tile and its turn, thirds clockwise."""

    edition: MapEdition
    laid: dict[int, tuple[str, int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    fields: int = 0
    right: int = 0
    ticked: bool = False

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


def learn_tiles(person: Person, knows: MapNewcomer, count: int, name: str) -> None:
    """Take the `count` tiles that lie there, answer what is asked, mend what is wrong, keep them. `name`: of the
    pictures that are kept of the page."""
    page = person.page
    expect(page.locator("#outlines polygon:not(.bad)")).to_have_count(count)
    person.tap("#take", "take")
    expect(page.locator("#open .piece")).to_have_count(count)
    for piece in page.locator("#open .piece").all():
        knows.look_at(page, int(piece.get_attribute("data-piece") or 0))
    for (number, key), value in _shown(page).items():
        knows.fields += 1
        knows.right += value == knows.wants(number, key)
    shot(page, f"{name}-taken")
    question = page.locator("#question-card")
    while True:
        asks = question.get_attribute("data-asks") or ""
        if asks:
            if "," in asks and knows.fields and not knows.ticked:
                shot(page, f"{name}-ticks")
                knows.ticked = True
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


def learn_colours(person: Person, name: str) -> bool:
    """Have the page learn all mages and tokens in one picture; whether it did. Where it did not it says which it does
    not see and what to change, and the person reads that."""
    page = person.page
    expect(page.locator("#outlines polygon")).to_have_count(0)
    person.tap("#colours", "colours")
    learnt = page.locator("#colours-note", has_text="are learnt")
    refused = page.locator(".toast")
    expect(learnt.or_(refused)).to_be_visible()
    shot(page, f"{name}-colours")
    if not refused.count():
        return True
    expect(refused).to_contain_text("not seen: ")
    expect(refused).to_contain_text("white paper or a dark cloth")
    person.tap(".toast button", "close")
    # the browser notes the refusal (400), which was wanted, as a fault of the page
    person.faults[:] = [fault for fault in person.faults if "/api/setup/learn" not in fault]
    return False


def learn_group(person: Person, number: int, name: str) -> None:
    """Have the page learn the pieces of one group, which lie on a sheet of their own."""
    page = person.page
    person.tap(f'#colour-groups [data-group="{number}"]', "colours")
    expect(page.locator("#colour-groups .chip")).to_have_count(number + 1)
    shot(page, f"{name}-colours-{number + 1}")


def learn_again(person: Person, group: int, piece: int, name: str) -> None:
    """Have the page learn one colour by itself, of which alone pieces lie there."""
    with person.page.expect_response(lambda one: "/api/setup/learn" in one.url) as answer:
        person.tap(f'#colour-groups [data-colour="{group}.{piece}"]', "colours")
    assert answer.value.ok, answer.value.text()
    expect(person.page.locator("#colours-note")).to_contain_text("are learnt")
    shot(person.page, f"{name}-colour-alone")


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


@dataclass(frozen=True)
class MapsRead:
    """How the tiles of rendered maps were read: right (space and turn, too), left unknown, wrong."""

    right: int
    unknown: int
    wrong: int


def read_maps(known: KnownBox, catalogue: Any, edition: MapEdition, lies: Lies, maps: Sequence[int]) -> MapsRead:
    """Rendered maps of the edition read with a box. `lies`: what the tile `name` with its first space on a slot, at a
    turn, is for the box: its own id, the slot and the turn."""
    seats = (SeatInfo("Žofia", "yellow"), SeatInfo("Ján", "blue"))
    rules = GAME.make_rules(Setup(GAME.name, seats, catalogue.id), catalogue)
    reader = known.reader(rules, PieceColours.from_rgb(PIECE_RGB))
    right = unknown = wrong = 0
    for number in maps:
        jpeg, truth, _ = table_picture(9601, number, ((1280, 720),), edition)
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        named = {
            one.slot: (one.face, one.turn)
            for one in reader.read(np.asarray(image)).places if one.state is PlaceState.FACE
        }
        for slot in truth["slots"]:
            if slot["face"]:
                face, at, turn = lies(slot["face"], slot["slot"], slot["turn"])
                seen = named.pop(at, None)
                right += seen == (face, turn)
                unknown += seen is None
                wrong += seen is not None and seen != (face, turn)
        wrong += len(named)
    return MapsRead(right, unknown, wrong)


def as_drawn(name: str, slot: str, turn: int) -> tuple[str, str, int]:
    """For a box of the flat art itself."""
    return name, slot, turn


def as_learnt(knows: MapNewcomer) -> Lies:
    """For the box that the newcomer made: tiles by the ids they got, from another of their spaces on."""
    ids, letters = {}, iter("abcdefghijklmnopqrstuvwxyz")
    for name, thirds in (knows.laid[number] for number in sorted(knows.laid)):
        ids[name] = (name if name == "start" else f"tile-{next(letters)}", thirds)
    grid = make_grid(RADIUS)

    def lies(name: str, slot: str, turn: int) -> tuple[str, str, int]:
        own, thirds = ids[name]
        q, r = grid.cells[grid.name_index[slot]]
        dq, dr = turned(knows.tiles[name].spaces[-thirds % 3].at, turn)
        return own, grid.names[grid.index[q + dq, r + dr]], (turn - 2 * thirds) % 6

    return lies


def write_flat_box(path: Path, edition: MapEdition) -> None:
    """The edition's flat art as a box file."""

    def art(tile: Tile, number: int, px_per_mm: float) -> np.ndarray:
        width, height = (round(side * px_per_mm) for side in SPACE_MM)
        return cv2.resize(edition.paint(tile, number), (width, height), interpolation=cv2.INTER_AREA)

    known = edition.catalogue
    faces = {tile.id: (draw_tile(tile, 5.0, art),) for tile in (known.start, *known.tiles)}
    write_box(path, EnrolledBox(GAME.name, known.text, faces))
