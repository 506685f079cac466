"""A newcomer who teaches the companion cards: knows each card by sight, and answers what is asked."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from browser_kit import shot
from evening_kit import Person
from newcomer_kit import newcomer, phone_over
from playwright.sync_api import Page, expect

from calibration.box_file import read_box
from companion.app.camera.known_box import KnownBox
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.lab.render.lights import LIGHTS
from companion.lab.scenes.laid_cards import laid_out
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, CardEdition, table_picture
from vision.appearance.picture_light import PieceColours
from vision.tables.place import PlaceState

SIZE = (1920, 1080)
CARD_PX = (44, 68)
TURN_ALL_FROM = 0.5
"""Of a batch that lies upside down by more than this share a person turns all."""


@dataclass
class CardNewcomer:
    """Knows the cards of an edition by sight. `faces`: each as it is printed; `values_of`: what a person reads on it;
    `pile`: the field that no face tells. `laid`: number of a piece -> its face."""

    faces: Mapping[str, np.ndarray]
    values_of: Callable[[str], Mapping[str, str]]
    pile: str
    laid: dict[int, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._art = {face: _in_any_light(scan) for face, scan in self.faces.items()}

    def look_at(self, page: Page, number: int, batch: Sequence[str]) -> bool:
        """See which card of the batch a piece is; whether it stands on its head."""
        source = page.locator(f'#open [data-piece="{number}"] > img').get_attribute("src") or ""
        data = page.request.get(page.url.split("/enrol")[0] + source).body()
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        ways = {
            (face, turned): float(np.abs(self._art[face] - _in_any_light(np.rot90(image, 2 * turned))).mean())
            for face in set(batch) for turned in (False, True)
        }
        face, turned = min(ways, key=lambda way: ways[way])
        self.laid[number] = face
        return turned

    def wants(self, number: int, key: str) -> str | None:
        """What a field of a piece is; None for one that the card has not."""
        return self.values_of(self.laid[number]).get(key)

    def note(self, page: Page) -> None:
        """Count what is read right before anything of this batch but its pile was told."""
        for (number, key), value in shown_fields(page).items():
            wanted = self.wants(number, key)
            if key != self.pile and wanted is not None:
                self.shown[key] += 1
                self.right[key] += value == wanted


def teach_cards(
    folder: Path, device: tuple[int, int], knows: CardNewcomer, batches: Sequence[Sequence[str]], name: str, *,
    game: str, sort: str = "", seed: int, table: str, most_taps: int,
) -> Path:
    """Learn a box of a game batch by batch, a phone over the table, with its data in `folder`, and save it; the box
    file. `name`: of the pictures that are kept of the page; `sort`: the course, where it is not of the game's own form;
    `seed`, `table`: of the rendered pictures."""
    light = LIGHTS[seed % len(LIGHTS)]
    begun_s = time.monotonic()
    with newcomer(folder, device, f"?game={game}") as (playwright, host, url, person):
        page, tally = person.page, person.tally
        if sort:
            person.tap(f'#sorts [data-key="{game}.{sort}"]', "sort")
            expect(page.locator("#lay-title")).to_contain_text(f"{sort}s")
        for number, batch in enumerate(batches):
            laid = laid_out(knows.faces, batch, 100 * seed + number, SIZE, table=table, light=light)
            picture = cv2.imdecode(np.frombuffer(laid.jpeg, np.uint8), cv2.IMREAD_COLOR)
            with phone_over(playwright, folder, url, np.asarray(picture)):
                learn_cards(person, knows, batch, f"{name}-{device[0]}-{number}")
        expect(page.locator("main button.primary:visible")).to_have_text("Save the box")
        person.tap("#save-box", "save")
        expect(page.locator("#saved a").first).to_be_visible()
        shot(page, f"{name}-{device[0]}-saved")
        assert host.setup.known is not None
        box = host.setup.known.path
        sys.stdout.write(
            f"{time.monotonic() - begun_s:.0f} s, {sum(tally.taps.values())} taps {dict(tally.taps)}, "
            f"{sum(knows.right.values())} of {sum(knows.shown.values())} fields right at first sight "
            f"({', '.join(f'{key} {knows.right[key]} of {count}' for key, count in knows.shown.items())})\n"
        )
        assert person.faults == []
        assert knows.wrong == [], "what the page was sure of was right"
        assert sum(tally.taps.values()) <= most_taps
    return Path(box)


def learn_cards(person: Person, knows: CardNewcomer, batch: Sequence[str], name: str) -> None:
    """Take the cards that lie there, answer what is asked, mend what is wrong, keep them. `name`: of the pictures that
    are kept of the page."""
    page = person.page
    expect(page.locator("#outlines polygon:not(.bad)")).to_have_count(len(batch))
    person.tap("#take", "take")
    expect(page.locator("#open .piece")).to_have_count(len(batch))
    _upright(person, knows, batch)
    question = page.locator("#question-card")
    shot(page, f"{name}-pile")
    noted = False
    while True:
        asks = question.get_attribute("data-asks") or ""
        if not noted and not asks.startswith(knows.pile):
            knows.note(page)
            noted = True
            shot(page, f"{name}-asked")
        if asks:
            key, _, numbers = asks.partition(":")
            wanted = knows.wants(int(numbers.split(",")[0]), key)
            first = question.locator("[data-value]").first.get_attribute("data-value")
            person.tap(f'#question [data-value="{first if wanted is None else wanted}"]', f"answer {key}")
            expect(question).not_to_have_attribute("data-asks", asks)
            continue
        shown = shown_fields(page)
        bad = next((one for one, value in shown.items() if value != knows.wants(*one)), None)
        if bad is None:
            break
        number, key = bad
        knows.wrong.append(f"{knows.laid[number]} {key}: {shown[bad]}, not {knows.wants(*bad)}")
        person.tap(f'#open [data-piece="{number}"] [data-field="{key}"]', "correct")
        person.tap(f'#question [data-value="{knows.wants(*bad)}"]', "correct")
        expect(page.locator(f'#open [data-piece="{number}"] [data-field="{key}"]')).to_have_attribute(
            "data-shows", knows.wants(*bad) or "")
    shot(page, f"{name}-known")
    person.tap("#keep", "keep")
    expect(page.locator("#open .piece")).to_have_count(0)


def _upright(person: Person, knows: CardNewcomer, batch: Sequence[str]) -> None:
    """Turn what stands on its head: all at once where most do."""
    page = person.page
    numbers = [int(piece.get_attribute("data-piece") or 0) for piece in page.locator("#open .piece").all()]
    heads = {number for number in numbers if knows.look_at(page, number, batch)}
    if len(heads) > TURN_ALL_FROM * len(numbers):
        for _ in range(2):  # a tap turns by a quarter
            _tap_turn(person, page.locator("#turn-all"), numbers[0])
        heads = set(numbers) - heads
    for number in heads:
        for _ in range(2):
            _tap_turn(person, page.locator(f'#open [data-piece="{number}"] .tools button').first, number)


def _tap_turn(person: Person, button: object, number: int) -> None:
    picture = person.page.locator(f'#open [data-piece="{number}"] > img')
    before = picture.get_attribute("src") or ""
    person.tap(button, "turn")  # type: ignore[arg-type]
    expect(picture).not_to_have_attribute("src", before)


def shown_fields(page: Page) -> dict[tuple[int, str], str]:
    """What the page shows of every field of the open pieces."""
    every = page.evaluate(
        """() => [...document.querySelectorAll('#open .piece')].flatMap((piece) =>
          [...piece.querySelectorAll('[data-field]')].map((one) =>
            [piece.dataset.piece, one.dataset.field, one.dataset.shows]))"""
    )
    return {(int(number), key): value for number, key, value in every}


def _in_any_light(card: np.ndarray) -> np.ndarray:
    values = cv2.resize(card, CARD_PX, interpolation=cv2.INTER_AREA).astype(float)
    return np.asarray((values - values.mean()) / values.std())


@dataclass(frozen=True)
class MarketsRead:
    """How the cards of rendered markets were read: right, left unknown, as the same card with another price or other
    points, as another card."""

    right: int
    unknown: int
    twins: int
    wrong: int


def read_markets(
    known: KnownBox, edition: CardEdition, looks: dict[str, tuple[object, ...]], pictures: Sequence[int]
) -> MarketsRead:
    """Rendered tables of the edition read with a box. `looks`: what each face of the box stands for, as `look_of`."""
    right = unknown = twins = wrong = 0
    truth_looks = looks_of(edition.catalogue)
    box = GAME.load_catalogue(read_box(known.path).catalogue)
    for number in pictures:
        jpeg, truth, _ = table_picture(9701, number, ((1280, 720),), edition)
        players = truth["players"]
        seats = tuple(SeatInfo(f"player {k + 1}", colour) for k, colour in enumerate(GAME.colours[:players]))
        reader = known.reader(GAME.make_rules(Setup(GAME.name, seats, box.id), box), PieceColours.from_rgb(WORKER_RGB))
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        seen = {one.slot: one.face for one in reader.read(np.asarray(image)).places if one.state is PlaceState.FACE}
        for slot in truth["slots"]:
            if slot.get("face"):
                face, lies = seen.get(slot["slot"]), truth_looks[slot["face"]]
                unknown += face is None
                if face is not None:
                    right += looks[face] == lies
                    twins += looks[face] != lies and looks[face][0] == lies[0]
                    wrong += looks[face][0] != lies[0]
    return MarketsRead(right, unknown, twins, wrong)


def looks_of(catalogue: object) -> dict[str, tuple[object, ...]]:
    """Face -> all that is seen of it, of the cards of a catalogue and of the events."""
    seats = (SeatInfo("Eva", GAME.colours[0]), SeatInfo("Ján", GAME.colours[1]))
    rules = GAME.make_rules(Setup(GAME.name, seats, "any"), catalogue)
    cards = {card.id: card.look for card in catalogue.cards}  # type: ignore[attr-defined]
    return {face: cards.get(face, (face,)) for face in rules.faces()}
