"""The parts of the walk of a filmed game through its pages, with people of paper instead of browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from film_walk import FilmedTable
from playwright.sync_api import TimeoutError as NotThere
from watched_table import WatchedTable

from companion.app.camera.film import FilmJobs
from companion.table.commands import Play
from web.ports.devices import Question

ACT, OTHER = "place r1c1|r1c2", "place r1c2|r2c2"


@dataclass
class Paper:
    """A page that shows what it is told to, and does what is written on its buttons."""

    name: str
    buttons: dict[str, Callable[[], object]] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    tapped: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def page(self) -> Any:
        return SimpleNamespace(wait_for_timeout=lambda _ms: None)

    def see(self, selector: str) -> Any:
        return SimpleNamespace(first=selector, all_inner_texts=lambda: self.says)

    def shown(self, selector: str) -> bool:
        place = selector.removesuffix(" button")
        return any(button.startswith(place) for button in self.buttons)

    def tap(self, selector: str, _label: str, _ms: int = 0) -> None:
        if selector not in self.buttons:
            raise NotThere(f"no {selector}")
        self.tapped.append(selector)
        self.buttons[selector]()

    def done(self, _label: str) -> None:
        """Nothing is counted on paper."""

    def look_round(self) -> None:
        """Nothing is missing on paper."""


@dataclass
class Camera:
    """Asks what it is told to ask, and plays what is answered."""

    one: WatchedTable
    asks: Question | None = None
    hands: tuple[str, ...] = ()

    def question(self) -> Question | None:
        return self.asks

    def answer(self, _choice: int, texts: tuple[str, ...], _by: str) -> None:
        self.one.say(*texts)

    def steps(self) -> tuple[str, ...]:
        return self.hands


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    table = WatchedTable(tmp_path, players=2, game="spyrium")
    yield table
    table.close()


def walk(one: WatchedTable, *events: dict[str, Any], told: dict[int, tuple[str, ...]] | None = None) -> FilmedTable:
    """A film of three still pictures with these events."""
    pictures = (Path("0000.jpg"), Path("0001.jpg"), Path("0002.jpg"))
    jobs = FilmJobs("spyrium", 2, ("blue", "red"), None, pictures, {}, {}, told or {})
    host: Any = SimpleNamespace(table=one.table, camera=Camera(one))
    shown: Any = SimpleNamespace(show=lambda _picture: None)
    people: list[Any] = [Paper(name) for name in ("referee", "screen", "A", "B")]
    return FilmedTable(jobs, ["settled"] * 3, list(events), host, shown, people[0], people[1], people[2:])


def mover(one: WatchedTable) -> int:
    return int(one.table.rules.to_act(one.table.session.state)[0])


def test_a_question_is_answered_by_one_tap_on_the_phone_where_it_stands(one: WatchedTable) -> None:
    who = mover(one)
    act, other = (f"{'AB'[who]} {text}" for text in (ACT, OTHER))
    film = walk(one, {"frame": 0, "event": "act", "text": act})
    phone: Any = film.phones[who]
    film.host.camera.asks = Question(((other,), (act,)), (), None)  # type: ignore[union-attr]
    phone.buttons['#question [data-key="answer-1"]'] = lambda: one.say(act)
    assert film.show(0).endswith(f"asked on the phone of {phone.name}, answer 2 of 2")
    assert phone.tapped == ['#question [data-key="answer-1"]']
    assert film.wrong == []


def test_a_question_that_stands_on_two_phones_is_wrong(one: WatchedTable) -> None:
    act = f"{'AB'[mover(one)]} {ACT}"
    film = walk(one, {"frame": 0, "event": "act", "text": act})
    film.host.camera.asks = Question(((act,),), (), None)  # type: ignore[union-attr]
    for phone in film.phones:
        phone.buttons["#question"] = lambda: None  # type: ignore[attr-defined]
    film.show(0)
    assert film.wrong == ["picture 0: asked ['A', 'B'], 1 answers right"]


@pytest.mark.parametrize(
    ("said", "wrong"), [("N22: gone", []), ("N30: gone", ["picture 0: taken is not named by ['N22']"])]
)
def test_an_alarm_names_a_clause_that_the_truth_names(one: WatchedTable, said: str, wrong: list[str]) -> None:
    film = walk(one, {"frame": 0, "event": "illegal", "act": "taken", "clauses": ["N22"]})
    film.host.camera.hands = ("put it back",)  # type: ignore[union-attr]
    film.screen.says = [said]  # type: ignore[attr-defined]
    film.show(0)
    assert film.wrong == wrong


def test_what_people_told_is_tapped_on_the_own_phone(one: WatchedTable) -> None:
    who = mover(one)
    act = f"{'AB'[who]} {ACT}"
    film = walk(one, told={1: (act,)})
    film.phones[who].buttons[f'#acts [data-key="{act}"]'] = lambda: one.say(act)  # type: ignore[attr-defined]
    film.tell(1)
    assert film.wrong == []
    assert one.table.rules.format(one.table.session.line()[-1].event) == act


def test_what_no_phone_offers_is_entered_and_told_as_wrong(one: WatchedTable) -> None:
    act = f"{'AB'[mover(one)]} {ACT}"
    film = walk(one, told={1: (act,)})
    film.tell(1)
    assert film.wrong == [f"picture 1: {act} was not offered on the phone of {act[0]}"]
    assert one.table.rules.format(one.table.session.line()[-1].event) == act


def test_what_was_before_the_first_picture_is_entered(one: WatchedTable) -> None:
    act = f"{'AB'[mover(one)]} {ACT}"
    film = walk(one, {"frame": 0, "event": "act", "text": act})
    film.skip(0)
    assert one.table.session.state == film.knowing.truth
    refused = one.table.session.ask(Play(texts=(act,)))
    assert not refused.accepted
