"""The script of a filmed market of Spyrium, and people who see to it that the record says what its truth says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.app.camera.film import FilmJobs, FilmPeople
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.wiring import begin_table
from companion.core.layout import BoardView, SlotView
from companion.core.types import SeatInfo
from companion.games.spyrium.board import WORKER_WIDTH_MM
from companion.lab.films.map_script import Script, Shot
from companion.lab.films.market_film import MarketStage, write_script
from companion.lab.trials.live_people import ActOutcome, TruthfulPeople
from companion.table.commands import Play
from companion.table.session import Session
from web.ports.devices import Question

SEED, ACTS = 3, 12


@pytest.fixture(scope="module")
def script() -> Script:
    return write_script(SEED, ACTS, hands_share=0.4)[1]


def test_a_hand_changes_nothing_and_every_act_changes_the_table(script: Script) -> None:
    shots = script.shots
    hands = {n for n, shot in enumerate(shots) if shot.player is not None}
    assert hands
    assert all(shots[n].view == shots[n - 1].view for n in hands)
    acts = {e["frame"] for e in script.events}
    assert acts.isdisjoint(hands)
    assert all(shots[n].view != shots[n - 1].view for n in acts)
    assert len(script.events) >= ACTS


def test_money_is_paid_with_an_act_or_after_it_and_never_without_one() -> None:
    still = [shot for shot in write_script(SEED, 30, hands_share=0.4)[1].shots if shot.player is None]
    paid = [n for n in range(1, len(still)) if still[n].money != still[n - 1].money]
    late = [n for n in paid if still[n].view == still[n - 1].view]
    assert 0 < len(late) < len(paid)
    assert all(still[n - 1].view != still[n - 2].view for n in late)


def test_coins_come_to_what_the_script_says_and_those_that_stay_are_not_moved(script: Script) -> None:
    rules, _ = write_script(SEED, 1, 0.0)
    stage = MarketStage(rules.layout(), np.random.default_rng(1))
    worth = {coin.value for coin in rules.layout().coins}
    for shot in script.shots:
        stage.arrange(shot)
        lying = stage.purses.lying
        assert {slot: sum(value for value, _ in here) for slot, here in lying.items()} == dict(shot.money)
        assert {value for here in lying.values() for value, _ in here} <= worth
        stayed = {slot: list(here) for slot, here in lying.items()}
        stage.purses.arrange({slot: total + 5 for slot, total in shot.money})
        assert all(coin is other for slot in lying for coin, other in zip(stayed[slot], lying[slot], strict=False))
        stage.purses.arrange(dict(shot.money))


def test_no_worker_stands_within_another_where_the_gap_has_room() -> None:
    layout = write_script(SEED, 1, 0.0)[0].layout()
    gap = next(outline for outline in layout.slots if outline.slot == "r1c2|r2c2")
    low, high = np.array(gap.corners_mm)[[0, 2]]
    for seed in range(10):
        stage = MarketStage(layout, np.random.default_rng(seed))
        for number in range(1, 7):
            view = BoardView(slots=((gap.slot, SlotView(pieces=(("red", number),))),))
            stage.arrange(Shot(view))
            stand = np.array([xy for _, xy in stage.laid.workers[gap.slot]])
            apart = [float(np.linalg.norm(one - other)) for one, other in combinations(stand, 2)]
            assert min(apart, default=WORKER_WIDTH_MM) >= WORKER_WIDTH_MM
            assert (np.abs(stand - (low + high) / 2) <= (high - low - WORKER_WIDTH_MM) / 2).all()


@dataclass
class Camera:
    """Asks what it is told to ask, and plays what is answered."""

    session: Session
    asks: Question | None = None

    def question(self) -> Question | None:
        return self.asks

    def answer(self, choice: int, texts: tuple[str, ...], by: str) -> None:  # noqa: ARG002 - the port's own
        assert self.session.ask(Play(texts=texts)).accepted


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    settings = Settings(data_dir=str(tmp_path))
    seats = (SeatInfo("player 1", "red"), SeatInfo("player 2", "blue"))
    with open_store(settings) as store:
        table = begin_table(store, settings, NewGame("spyrium", seats))
        yield table.session
        table.close()


def people(session: Session, script: Script) -> tuple[TruthfulPeople, int]:
    """People at the picture of the first act, which the camera has not found; and its number."""
    first = int(script.events[0]["frame"])
    jobs = FilmJobs(
        "spyrium", 2, ("red", "blue"), None, (), {}, {}, {n: tuple(texts) for n, texts in script.told.items()}
    )
    host = SimpleNamespace(table=SimpleNamespace(session=session), camera=Camera(session))
    knowing = TruthfulPeople(host, jobs, script.events)  # type: ignore[arg-type]
    told = FilmPeople(session, jobs)
    for number in range(first + 1):
        told.before_picture(number)
        knowing.before_picture(number)
    return knowing, first


def test_what_the_camera_found_is_left_alone(session: Session, script: Script) -> None:
    knowing, first = people(session, script)
    assert session.ask(Play(texts=(script.events[0]["text"],))).accepted
    number = session.number
    knowing.after_picture(first)
    assert knowing.found == [ActOutcome.ALONE]
    assert session.number == number


def test_a_question_is_answered_by_what_happened(session: Session, script: Script) -> None:
    knowing, first = people(session, script)
    right = (script.events[0]["text"],)
    others = [session.rules.format(a) for a in session.rules.legal_actions(session.state)]
    wrong = next(text for text in others if text != right[0])
    knowing.host.camera.asks = Question(((wrong,), right), (), None)  # type: ignore[union-attr]
    knowing.after_picture(first)
    assert knowing.found == [ActOutcome.ASKED]
    assert session.rules.format(session.line()[-1].event) == right[0]


def test_what_was_not_found_or_taken_for_something_else_is_entered(session: Session, script: Script) -> None:
    knowing, first = people(session, script)
    right = script.events[0]["text"]
    others = [session.rules.format(a) for a in session.rules.legal_actions(session.state)]
    assert session.ask(Play(texts=(next(text for text in others if text != right),))).accepted
    knowing.after_picture(first)
    assert knowing.found == [ActOutcome.ENTERED]
    assert session.rules.format(session.line()[-1].event) == right
