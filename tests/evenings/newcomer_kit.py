"""A newcomer who teaches the companion a box on its pages: lays tiles under a phone, looks, and taps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from browser_kit import as_referee, served
from evening_kit import Person, Tally
from kept_browser import ARGUMENTS, PATIENCE_MS, chromium, driver
from playwright.sync_api import Page, Playwright, expect

from companion.app.dashboard.host import Host

FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
MATCH_PX = 96


@dataclass(frozen=True)
class LaidBatch:
    """A picture of tiles laid out, and what each of them is: id -> (4, 2) corners, px."""

    picture: np.ndarray
    corners: Mapping[str, np.ndarray]


@dataclass
class Newcomer:
    """What the person knows of the tiles: values as the form writes them, and how each looks to them."""

    values: Mapping[str, Mapping[str, str]]
    looks: dict[str, np.ndarray] = field(default_factory=dict)
    numbers: dict[tuple[str, str], str] = field(default_factory=dict)
    """(theme, symbol) -> the number under which the page knows the symbol: people see which it is, not a number."""
    wrong: list[str] = field(default_factory=list)
    fields: int = 0
    right: int = 0

    def wants(self, name: str, key: str, shown: str = "", *, settled: bool = True) -> str | None:
        """What a tile's field is. A symbol that is new to the page may get any number that is free: the one `shown`,
        or the first; it keeps it once the page is `settled` on it."""
        value = self.values[name].get(key)
        if key != "symbol" or value is None:
            return value
        theme = self.values[name]["theme"]
        if (theme, value) in self.numbers:
            return self.numbers[theme, value]
        free = [n for n in "1234" if n not in {used for (of, _), used in self.numbers.items() if of == theme}]
        number = shown if shown in free else free[0]
        if settled:
            self.numbers[theme, value] = number
        return number

    def see(self, batch: LaidBatch) -> None:
        """Look at the tiles before laying them."""
        for name, corners in batch.corners.items():
            square = np.float32([[0, 0], [MATCH_PX, 0], [MATCH_PX, MATCH_PX], [0, MATCH_PX]])
            to = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
            self.looks[name] = cv2.warpPerspective(batch.picture, to, (MATCH_PX, MATCH_PX))

    def which(self, shown: np.ndarray) -> str:
        """Which tile a picture shows. The page shows it upright, and the person knows which way up it belongs."""
        small = _in_any_light(cv2.resize(shown, (MATCH_PX, MATCH_PX), interpolation=cv2.INTER_AREA))
        return min(self.looks, key=lambda name: float(np.abs(_in_any_light(self.looks[name]) - small).mean()))


def _in_any_light(picture: np.ndarray) -> np.ndarray:
    """The picture without its brightness and contrast: people know a tile in any light."""
    values = picture.astype(float)
    return np.asarray((values - values.mean()) / values.std())


def batches_of(folder: Path) -> list[LaidBatch]:
    """The batches of a set's enrol/ folder."""
    out = []
    for path in sorted(folder.glob("tiles-*.jpg")):
        cells = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["cells"]
        corners = {one["tile"]: np.array(one["corners_px"]) for one in cells if one["tile"]}
        out.append(LaidBatch(cv2.imread(str(path)), corners))
    return out


def values_of(catalogue: Path) -> dict[str, dict[str, str]]:
    """Tile id -> what a person reads on it, from a set's catalogue.json."""
    themes = ("flora", "water", "fire")
    out = {}
    for tile in json.loads(catalogue.read_text(encoding="utf-8"))["tiles"]:
        values = {
            "theme": tile["theme"], "vp": str(tile["vp"]), "cubes": str(tile["cubes"]),
            "requires": ",".join(sorted(tile["requires"], key=themes.index)),
            "start": "yes" if tile["start"] else "no", "players_3_4": "yes" if tile["min34"] else "no",
        }
        if tile["theme"] in themes:
            values["symbol"] = str(tile["symbol"] + 1)
        out[tile["id"]] = values
    return out


def write_film(path: Path, picture: np.ndarray) -> None:
    """A still picture as a film that Chromium's fake camera shows (y4m, 4:2:0)."""
    height, width = picture.shape[:2]
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes()
    with path.open("wb") as film:
        film.write(f"YUV4MPEG2 W{width} H{height} F5:1 Ip A1:1 C420jpeg\n".encode())
        for frame in range(2):  # a camera's pictures of a still table differ, by noise if by nothing else
            noisy = bytearray(planes)
            noisy[frame] ^= 8
            film.write(b"FRAME\n" + noisy)


@contextmanager
def newcomer(
    folder: Path, device: tuple[int, int], query: str = ""
) -> Iterator[tuple[Playwright, Host, str, Person]]:
    """A companion that knows nothing, with its data in `folder`, and a person at a `device` (px) on the page on which
    boxes are learnt: the browsers, the companion, its address, the person. `query`: of the page's address."""
    with (
        driver() as playwright,
        served(folder / "data", game=False, camera="browser") as (host, where),
        chromium() as browser,
    ):
        person = Person(browser, "newcomer", device, Tally())
        as_referee(person.page, where.url)
        person.page.goto(f"{where.url}/enrol{query}")
        yield playwright, host, where.url, person


@contextmanager
def phone_over(playwright: Playwright, folder: Path, url: str, picture: np.ndarray) -> Iterator[Page]:
    """The newcomer's phone over the table with these tiles: it goes on streaming whenever it is held there again."""
    film = folder / "table.y4m"
    write_film(film, picture)
    context = playwright.chromium.launch_persistent_context(
        str(folder / "phone"), executable_path="/usr/bin/chromium", locale="en-GB",
        args=[*ARGUMENTS, *FAKE_CAMERA, f"--use-file-for-fake-video-capture={film}"],
    )
    try:
        context.set_default_timeout(PATIENCE_MS)
        page = context.pages[0]
        page.goto(f"{url}/camera")
        if page.locator("#pin").count():
            as_referee(page, url)
            page.goto(f"{url}/camera")
            page.click("#start")
        expect(page.locator("#rate")).not_to_be_empty()
        yield page
    finally:
        context.close()


def learn_batch(person: Person, knows: Newcomer, batch: LaidBatch) -> None:
    """Take a batch, answer what is asked, mend what is wrong, keep it."""
    page = person.page
    expect(page.locator("#outlines polygon:not(.bad)")).to_have_count(len(batch.corners))
    person.tap("#take", "take")
    expect(page.locator("#open .piece")).to_have_count(len(batch.corners))
    names = _names(page, knows)
    _note(page, knows, names)
    while True:
        question = page.locator("#question-card")
        asks = question.get_attribute("data-asks") or ""
        if asks:
            _answer(person, knows, names, asks)
            expect(question).not_to_have_attribute("data-asks", asks)
            continue
        wrong = _first_wrong(page, knows, names)
        if wrong is None:
            break
        number, key = wrong
        shown = _shown(page)[number, key]
        knows.wrong.append(f"{names[number]} {key}: {shown}, not {knows.wants(names[number], key)}")
        person.tap(f'#open [data-piece="{number}"] [data-field="{key}"]', "correct")
        asks = f"{key}:{number}"
        expect(question).to_have_attribute("data-asks", asks)
        _answer(person, knows, names, asks)
        expect(question).not_to_have_attribute("data-asks", asks)
    expect(page.locator("#keep")).to_be_in_viewport(ratio=1)  # however many lie above it
    person.tap("#keep", "keep")
    expect(page.locator("#open .piece")).to_have_count(0)


def _names(page: Page, knows: Newcomer) -> dict[int, str]:
    """Number of each open piece -> which tile it is, as the person sees it."""
    out = {}
    for piece in page.locator("#open .piece").all():
        source = piece.locator("> img").get_attribute("src") or ""
        data = page.request.get(page.url.split("/enrol")[0] + source).body()
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        out[int(piece.get_attribute("data-piece") or 0)] = knows.which(image)
    return out


def _shown(page: Page, fields: str = "[data-field]") -> dict[tuple[int, str], str]:
    """What the page shows of every open piece; `fields` selects some."""
    return {
        (int(n), key): value
        for n, key, value in page.evaluate(
            f"""() => [...document.querySelectorAll('#open .piece')].flatMap((piece) =>
              [...piece.querySelectorAll('{fields}')].map((one) =>
                [piece.dataset.piece, one.dataset.field, one.dataset.shows]))"""
        )
    }


def _note(page: Page, knows: Newcomer, names: Mapping[int, str]) -> None:
    """Count what was read right at first sight."""
    for (number, key), value in _shown(page).items():
        wanted = knows.wants(names[number], key, value, settled=False)
        if wanted is not None:
            knows.fields += 1
            knows.right += value == wanted


def _first_wrong(page: Page, knows: Newcomer, names: Mapping[int, str]) -> tuple[int, str] | None:
    for (number, key), value in _shown(page).items():
        wanted = knows.wants(names[number], key, value)
        if wanted is not None and value != wanted:
            return number, key
    return None


def _answer(person: Person, knows: Newcomer, names: Mapping[int, str], asks: str) -> None:
    key, _, numbers = asks.partition(":")
    pieces = [int(n) for n in numbers.split(",")]
    if len(pieces) > 1:
        for number in pieces:
            button = person.see(f'#question [data-piece="{number}"]')
            if (knows.values[names[number]][key] == "yes") != (button.get_attribute("aria-pressed") == "true"):
                person.tap(button, "answer")
        person.tap("#these-are-all", "answer")
        return
    wanted = _chosen(person.page, knows, names, pieces[0], key)
    if person.shown("#so-it-is"):
        _answer_list(person, wanted.split(",") if wanted else [])
        return
    person.tap(f'#question [data-value="{wanted}"]', "answer")


def _chosen(page: Page, knows: Newcomer, names: Mapping[int, str], number: int, key: str) -> str:
    """What a person taps: of a symbol that is new the value that is proposed, unless another piece shows it."""
    for (other, of), value in _shown(page, '[data-field="symbol"]:not(.unsure)').items():
        knows.wants(names[other], of, value)  # its picture stands beside that value
    likely = page.locator("#question .likely")
    proposed = likely.get_attribute("data-value") if likely.count() else None
    wanted = knows.wants(names[number], key, proposed or "")
    return "1" if wanted is None else wanted  # nothing is right of a field that the tile does not have


def _answer_list(person: Person, wanted: Sequence[str]) -> None:
    """Tap icons together: what is there is taken away first when it is not part of what is wanted."""
    icons: Any = person.page.evaluate(
        """() => [...document.querySelectorAll('#question p.row .icon')].map((one) => one.classList[2])"""
    )
    missing = list(wanted)
    extra = [one for one in icons if one not in missing or missing.remove(one)]  # type: ignore[func-returns-value]
    if extra:
        person.tap("#none-of-these", "answer")
        missing = list(wanted)
    for one in missing:
        person.tap(f'#question [data-value="{one}"]', "answer")
    person.tap("#so-it-is", "answer")
