"""A rendered film of Rifts or Spyrium played through the product's pages: its pictures are the camera's, its people
have phones.

The companion runs with the film as a network camera of 30 frames a second. Each player scans a code; what people
entered during the film they tap on their own phone where it is offered; the camera's question is answered by one tap
on the phone where it is asked. `python tests/evenings/film_walk.py FILM --pictures 30 --shots DIR` prints a line for
each picture and what was wrong, and keeps pictures of the pages. A film is not shipped: one is rendered first
(`python -m companion.lab.films.map_film OUT --seed 2 --players 4`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.extend(map(str, (Path(__file__).parents[1] / "support").iterdir()))

from browser_kit import chromium
from evening_kit import LAPTOP, PHONE, SCREEN, Person, Tally, scanned
from playwright.sync_api import Browser, TimeoutError
from web_kit import NAMES, PIN

from companion.app.camera.film import FilmJobs, FilmPeople, read_jobs
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.lab.simulators.film_camera import FilmCamera
from companion.lab.trials.live_people import TruthfulPeople
from companion.table.commands import Play
from web.ports.tables import SetupChoice

MOST_TAPS = 6
"""Beginnings that are tapped, at most, until an answer is shown."""
LATEST_S, STILL_S, HAND_S = 60.0, 4.0, 0.9
"""How long an act, a still picture that tells nothing, and a hand are waited for; two busy cores are slow."""
PAGES_MS, OFFER_MS, POLL_MS = 1500, 4000, 100


@dataclass
class FilmedTable:
    """The pages of one film: a referee, a big screen, a phone for each player. `kinds`, `events`: the film's truth."""

    jobs: FilmJobs
    kinds: list[str]
    events: list[dict[str, Any]]
    host: Host
    camera: FilmCamera
    referee: Person
    screen: Person
    phones: list[Person]
    tally: Tally = field(default_factory=Tally)
    shots: Path | None = None
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        assert self.host.table is not None
        self.session = self.host.table.session
        self.people = FilmPeople(self.session, self.jobs)
        self.knowing = TruthfulPeople(self.host, self.jobs, self.events)

    @property
    def everybody(self) -> list[Person]:
        """All who have a page."""
        return [self.referee, self.screen, *self.phones]

    def of(self, picture: int, kind: str) -> list[dict[str, Any]]:
        """What the film's truth says of a picture."""
        return [event for event in self.events if event["frame"] == picture and event["event"] == kind]

    def skip(self, picture: int) -> None:
        """What happened in a picture is entered without a camera."""
        self.people.before_picture(picture)
        self.knowing.before_picture(picture)
        for event in self.of(picture, "act"):
            assert self.session.ask(Play(texts=(event["text"],))).accepted, event
            self.knowing.truth = self.session.state

    def tell(self, picture: int) -> None:
        """What people entered before a picture: tapped on their own phone where it is offered, else entered."""
        for text in self.jobs.told.get(picture, ()):
            whose = "ABCD".find(text.split()[0])
            phone = self.phones[whose] if whose >= 0 else None
            number = self.session.number
            try:
                if phone is None or picture == 0:
                    raise TimeoutError("drawn by nobody on a phone")
                phone.tap(phone.see(f'#acts [data-key="{text}"]').first, text.split()[1], OFFER_MS)
                self.wait(lambda before=number: self.session.number > before, OFFER_MS / 1000)
                phone.done(text.split()[1])
            except TimeoutError:
                if phone is not None and picture:
                    self.wrong.append(f"picture {picture}: {text} was not offered on the phone of {phone.name}")
            if self.session.number == number:
                assert self.session.ask(Play(texts=(text,))).accepted, text
        self.knowing.before_picture(picture)

    def asked(self) -> list[Person]:
        """On whose phones the camera's question stands."""
        return [phone for phone in self.phones if phone.shown("#question button")]

    def wait(self, holds: Any, latest_s: float) -> bool:
        """Whether it comes to hold by then."""
        until_s = time.monotonic() + latest_s
        while not holds() and time.monotonic() < until_s:
            self.phones[0].page.wait_for_timeout(POLL_MS)
        return bool(holds())

    def show(self, picture: int) -> str:
        """A picture is shown; what the camera made of it, and what it took."""
        self.tell(picture)
        acts = [event["text"] for event in self.of(picture, "act")]
        illegal, corrected = self.of(picture, "illegal"), self.of(picture, "corrected")
        wanted, camera, number = self.knowing.after(self.session.state, acts), self.host.camera, self.session.number
        assert camera is not None
        self.camera.show(self.jobs.pictures[picture])
        begun_s = time.monotonic()
        if self.kinds[picture] != "settled":
            self.wait(lambda: False, HAND_S)
            return "hand"
        if acts:
            self.wait(lambda: self.session.state == wanted or any(self.asked()), LATEST_S)
        elif illegal:
            self.wait(camera.steps, LATEST_S)
        else:
            self.wait(lambda: corrected and self.session.number > number, LATEST_S if corrected else STILL_S)
        took = f"{time.monotonic() - begun_s:.1f} s"
        if acts and self.session.state != wanted:
            took += f", {self.answer(picture, wanted)}"
        if illegal:
            self.keep(f"{picture:02}-alarm")
            said = self.screen.see("#alerts .alert").all_inner_texts()
            took += f", the screen says {said}"
            if not any(clause in " ".join(said) for clause in illegal[0]["clauses"]):
                self.wrong.append(f"picture {picture}: {illegal[0]['act']} is not named by {illegal[0]['clauses']}")
        if acts:
            self.knowing.after_picture(picture)
        for person in self.everybody:
            person.look_round()
        return took

    def answer(self, picture: int, wanted: Any) -> str:
        """The question is answered by a tap where it is asked."""
        question = self.host.camera and self.host.camera.question()
        if not question:
            self.wrong.append(f"picture {picture}: not seen, not asked")
            return "not seen"
        self.keep(f"{picture:02}-question")
        asked = self.asked()
        after = [self.knowing.after(self.session.state, texts) for texts in question.choices]
        right = [number for number, state in enumerate(after) if state == wanted]
        if len(asked) != 1 or not right:
            self.wrong.append(f"picture {picture}: asked {[p.name for p in asked]}, {len(right)} answers right")
            return "asked"
        self.tap_answer(asked[0], right[0])
        if not self.wait(lambda: self.session.state == wanted, LATEST_S):
            self.wrong.append(f"picture {picture}: the answer was not recorded")
        asked[0].done("answer")
        return f"asked on the phone of {asked[0].name}, answer {right[0] + 1} of {len(question.choices)}"

    def tap_answer(self, person: Person, number: int) -> None:
        """Tap the answer, and before it how it begins where that is what is offered, unfolded where it is folded."""
        answer = f'#question [data-key="answer-{number}"]'
        for _ in range(MOST_TAPS):
            if person.shown(answer):
                break
            begins = f'#question [data-answers~="{number}"]'
            person.tap(begins if person.shown(begins) else "#question summary", "answer")
        person.tap(answer, "answer")

    def keep(self, name: str) -> None:
        """Pictures of all pages, when they have heard."""
        self.screen.page.wait_for_timeout(PAGES_MS)
        for person in self.everybody if self.shots is not None else ():
            person.page.screenshot(path=f"{self.shots}/{name}-{person.name}.png", full_page=person is not self.screen)


def opened(film: Path, shots: Path | None, language: str, stack: ExitStack) -> FilmedTable:
    """The companion with the film as its camera, and the pages of its people, each come to by their own code."""
    jobs, tally = read_jobs(film / "game"), Tally()
    truth = json.loads((film / "game" / "truth.json").read_text(encoding="utf-8"))
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    camera = stack.enter_context(FilmCamera())
    store = stack.enter_context(open_store(settings := Settings(data_dir=folder)))
    host = open_host(store, settings, camera=camera.url, enrolled=film, idle=False)
    names = [name for name, _ in NAMES]
    host.begin(SetupChoice(jobs.game, tuple(zip(names, jobs.colours, strict=False))))
    where = stack.enter_context(serving(host, Path(folder) / "web", bind="127.0.0.1", port=0, pin=PIN))
    browser: Browser = stack.enter_context(chromium())
    referee, screen = (
        Person(browser, name, size, tally, language) for name, size in (("referee", LAPTOP), ("screen", SCREEN))
    )
    referee.page.goto(f"{where.url}/referee")
    referee.page.fill("#pin", PIN)
    referee.tap("#login button", "set-up")
    referee.page.wait_for_selector("#pin", state="detached")
    screen.page.goto(f"{where.url}/table")
    phones: list[Person] = []
    for name in names[: jobs.players]:
        phone = Person(browser, name, PHONE, tally, language)
        phone.page.goto(scanned(screen.see("#joining .code-card").filter(has_text=name).locator(".qr")))
        phone.page.wait_for_url("**/seat/*")
        phones.append(phone)
    kinds = [frame["kind"] for frame in truth["frames"]]
    return FilmedTable(jobs, kinds, truth["events"], host, camera, referee, screen, phones, tally, shots)


def main() -> int:
    """Play; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("film", type=Path)
    parser.add_argument("--first", type=int, default=0, help="the pictures before are entered, not shown")
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--language", default="en")
    parser.add_argument("--shots", type=Path)
    args = parser.parse_args()
    if args.shots is not None:
        args.shots.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        table = opened(args.film, args.shots, args.language, stack)
        for picture in range(args.first):
            table.skip(picture)
        for picture in range(args.first, min(args.first + args.pictures, len(table.jobs.pictures))):
            print(picture, [event["text"] for event in table.of(picture, "act")], table.show(picture), flush=True)
            if picture % 5 == 0:
                table.keep(f"{picture:02}-turn")
        print(table.tally.told())
        wrong = [*table.wrong, *(fault for person in table.everybody for fault in person.faults)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
