"""A filmed game is refereed without help: a stretch of the one that ships, whole simulated ones, and the comparison."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from followed_table import ENVYRA
from run_companion import Companion
from shortened_film import shortened

from companion.app.camera.film import FilmJobs, read_jobs
from companion.app.camera.picture_loop import PictureLoop
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.core.errors import DataError
from companion.core.game import State
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView
from companion.core.types import Seat
from companion.games.envyra.actions import Choose, Confirm, TakeBack
from companion.games.envyra.state import Phase
from companion.lab.evaluation.film import FilmReferee, begin_filmed, referee_film
from companion.lab.evaluation.film_report import as_json, as_text, compare_film
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes, random_state, scenes
from companion.table.tracking.appearance import board_look

CATALOGUE = ENVYRA.locale_dir.parent / "catalogues" / "sample.toml"


def test_a_stretch_of_the_film_that_ships_is_refereed_as_it_was_played(tmp_path: Path) -> None:
    companion = Companion(tmp_path / "home")
    told = tmp_path / "told.json"
    run = companion(
        "evaluate", str(shortened(tmp_path / "film")), "--only", "game", "--quiet", "--json", str(told),
        "--readings", str(tmp_path / "out"),
    )
    assert run.code == 0, run.err
    report = json.loads(told.read_text(encoding="utf-8"))["game"]
    assert report["kinds"]["move"]["true"] >= 3
    assert (report["recall"], report["precision"], report["asked"]) == (1.0, 1.0, 0)
    (alarm,) = report["alarms"]
    assert (alarm["act"], alarm["flagged"], alarm["settled"]) == ("wrong-tile", ["wrong-tile", "E31"], 1)
    assert report["false_alarms"] == []
    assert report["cells_right"] is True
    assert report["scores_right"] is None  # the stretch ends before the game
    assert "event recall 1.0000" in run.out
    written = json.loads((tmp_path / "out" / "game" / "events.json").read_text(encoding="utf-8"))
    assert {e["event"] for e in written} >= {"move", "capture", "refill", "illegal", "corrected"}


@contextmanager
def refereed(folder: Path, jobs: FilmJobs) -> Iterator[FilmReferee]:
    """A session with the sample edition that is watched as a film."""
    settings = Settings(data_dir=str(folder))
    with open_store(settings) as store:
        table = begin_filmed(store, settings, jobs, CATALOGUE)
        try:
            yield FilmReferee(store, table, jobs)
        finally:
            table.close()


def simulate(referee: FilmReferee, seed: int, reveals: dict, presses: dict, *, told: bool) -> tuple[list[str], State]:
    """Let `referee` watch a random game: the moves and refills that were played, and the last state.

    What was chosen is `told` at the reveals, or only that everybody has confirmed.
    """
    rules, random = referee.table.rules, Random(seed)
    state = random_state(rules, random)
    referee.people.jobs = replace(referee.jobs, first=state.first)
    loop, picture, played = PictureLoop(SimulatedEyes(rules, Noise(), Random(seed)), referee.watch), 0, []

    def show(view: BoardView) -> None:
        nonlocal picture
        referee.people.before_picture(picture)
        referee.after(loop.step(picture + 1, view, float(picture)), picture)
        picture += 1

    show(board_look(rules, state))
    show(board_look(rules, state))
    while rules.result(state) is None:
        outcomes = rules.chance_outcomes(state)
        events = [o.draw for o in outcomes] or [a for a in rules.legal_actions(state) if not isinstance(a, TakeBack)]
        event = random.choice(events)  # a film's jobs know confirmations only, none that is taken back
        after = rules.apply(state, event)
        if told and isinstance(event, Choose):
            reveals.setdefault(picture, {})[event.seat] = event.slots
        elif isinstance(event, (Choose, Confirm)) and state.phase is Phase.CHOOSE:
            presses[picture] = (*presses.get(picture, ()), event.seat)
        for scene in scenes(rules, event, state, after):
            referee.watch.observe(BoardObservation(picture, 0, ViewState.HAND))
            show(scene.view)
            if scene.event is not None:
                played.append(rules.format(scene.event))
        state = after
    referee.scribe.end(referee.watch.tracker.state, picture, last=True)
    return played, state


@pytest.mark.parametrize(
    ("seed", "players", "told"), [(1, 2, True), (3, 4, True), (1, 2, False), (2, 3, False)]
)
def test_a_whole_simulated_game_is_followed_to_its_score(tmp_path: Path, seed: int, players: int, told: bool) -> None:
    reveals: dict[int, dict[Seat, tuple[str, ...]]] = {}
    presses: dict[int, tuple[Seat, ...]] = {}
    jobs = FilmJobs("envyra", players, ENVYRA.colours[:players], 0, (), presses, reveals)
    with refereed(tmp_path, jobs) as referee:
        played, state = simulate(referee, seed, reveals, presses, told=told)
        events, final = referee.scribe.events, referee.final()
        scores = referee.table.rules.scores(state)
    accepted = [e for e in events if e["event"] in ("move", "remove", "refill")]
    assert len(accepted) == len(played)
    assert not [e for e in events if e["event"] == "illegal" or e["asked"]]
    assert final["choices"] == ("told" if told else "inferred from the moves")
    assert final["over"] is True
    assert [s["total"] for s in final["scores"]] == [s.total for s in scores]
    assert [e["event"] for e in events].count("over") == 1


def test_a_film_that_never_shows_the_grid_accepts_nothing(tmp_path: Path) -> None:
    with refereed(tmp_path, FilmJobs("envyra", 2, ENVYRA.colours[:2], 0, (), {}, {})) as referee:
        referee.after(referee.watch.observe(BoardObservation(1, 0, ViewState.HAND)), 0)
        assert (referee.scribe.events, referee.final()) == ([], {})


def test_a_film_that_lacks_a_picture_is_refused(tmp_path: Path) -> None:
    film = shortened(tmp_path / "film")
    (film / "game" / "0005.webp").unlink()
    with pytest.raises(DataError, match=r"lacks 1 of \d+ pictures, 0005\.webp first"):
        read_jobs(film / "game")


@pytest.mark.parametrize("text", ["", "{}", '{"players": 2, "colours": ["a", "b"], "first": 0, "frames": 0}'])
def test_jobs_that_cannot_be_used_are_refused_with_their_place(tmp_path: Path, text: str) -> None:
    (tmp_path / "jobs.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"jobs\.json"):
        read_jobs(tmp_path)


def test_a_set_without_a_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    with pytest.raises(DataError, match=r"jobs\.json"):
        referee_film(tmp_path)


MOVE = {"frame": 3, "event": "move", "player": 0, "cell": [0, 1], "tile": "x-b"}
CAPTURE = {"frame": 5, "event": "capture", "player": 0, "cell": [0, 1], "tile": "x-b"}
ILLEGAL = {"frame": 7, "event": "illegal", "act": "restricted", "player": 1, "cell": [0, 0]}
RIGHTED = {"frame": 9, "event": "corrected"}
FRAMES = [{"frame": n, "kind": "settled" if n % 2 else "hand", "cells": {"0,0": "x-a"}} for n in range(12)]
TRUTH = {"frames": FRAMES, "events": [MOVE, CAPTURE, ILLEGAL, RIGHTED]}
SAME = {"x-b": "x-a"}
FLAG = {**ILLEGAL, "clause": "E33"}


def compared(*events: dict[str, Any], cells: dict[str, str] | None = None) -> dict[str, Any]:
    report = compare_film(TRUTH, events, {"cells": cells or {"0,0": "x-b"}}, SAME, [0.1, 0.3])
    assert as_text(report)
    return as_json(report)


def test_faces_that_look_the_same_are_the_same_event() -> None:
    told = compared({**MOVE, "tile": "x-a"}, CAPTURE, FLAG, RIGHTED)
    assert (told["recall"], told["precision"], told["cells_right"]) == (1.0, 1.0, True)
    assert told["judging_ms"]["median"] == 200


@pytest.mark.parametrize(
    ("events", "recall", "precision", "missed", "wrong"),
    [
        ((), 0.0, 1.0, 3, 0),
        ((MOVE, CAPTURE), 2 / 3, 1.0, 1, 0),
        ((CAPTURE, MOVE, RIGHTED), 2 / 3, 2 / 3, 1, 1),
        (({**MOVE, "player": 1}, CAPTURE, RIGHTED), 2 / 3, 2 / 3, 1, 1),
        ((MOVE, MOVE, CAPTURE, RIGHTED), 1.0, 3 / 4, 0, 1),
        (({**MOVE, "asked": True}, CAPTURE, RIGHTED), 2 / 3, 1.0, 0, 0),
    ],
    ids=["nothing", "one missed", "out of order", "wrong player", "twice", "with help"],
)
def test_only_what_was_accepted_in_order_and_without_help_counts(
    events: tuple, recall: float, precision: float, missed: int, wrong: int
) -> None:
    told = compared(*events)
    assert (told["recall"], told["precision"]) == (pytest.approx(recall, abs=1e-4), pytest.approx(precision, abs=1e-4))
    assert (len(told["missed"]), len(told["wrong"])) == (missed, wrong)


@pytest.mark.parametrize(
    ("alarm", "flagged", "settled", "false"),
    [
        (FLAG, ("restricted", "E33"), 1, 0),
        ({**FLAG, "frame": 8}, ("restricted", "E33"), 1, 0),
        ({**FLAG, "act": "wrong-tile", "clause": "E31"}, ("wrong-tile", "E31"), 1, 0),
        ({**FLAG, "frame": 3}, None, 0, 1),
        ({**FLAG, "frame": 9}, None, 0, 1),
    ],
    ids=["at once", "before the next settled one", "as something else", "too early", "after it was put right"],
)
def test_an_alarm_counts_between_the_act_and_its_correction(
    alarm: dict, flagged: tuple | None, settled: int, false: int
) -> None:
    told = compared(MOVE, CAPTURE, alarm, RIGHTED)
    (one,) = told["alarms"]
    assert (one["flagged"], one["settled"], len(told["false_alarms"])) == (flagged, settled, false)


def test_the_delay_is_counted_in_pictures() -> None:
    told = compared({**MOVE, "frame": 7}, {**CAPTURE, "frame": 7}, FLAG, RIGHTED)
    assert told["delay_pictures"] == {"median": 2, "most": 4}


@pytest.mark.parametrize(
    ("final", "right"),
    [
        ({"over": True, "scores": [{"tiles": 3, "sets": 2, "total": 5}], "captured": [["x-a"]]}, True),
        ({"over": True, "scores": [{"tiles": 3, "sets": 2, "total": 5}], "captured": [["y"]]}, False),
        ({"over": True, "scores": [{"tiles": 3, "sets": 0, "total": 3}], "captured": [["x-a"]]}, False),
        ({"over": False, "scores": [{"tiles": 3, "sets": 2, "total": 5}], "captured": [["x-a"]]}, False),
        ({}, False),
    ],
    ids=["right", "another tile", "another score", "not over", "never begun"],
)
def test_the_end_must_be_right_in_captures_and_scores(final: dict, right: bool) -> None:
    last = {
        "frame": 11, "event": "over", "why": "A", "captured": [["x-b"]],
        "scores": [{"tiles": 3, "sets": 2, "total": 5, "end": True}],
    }
    truth = {"frames": FRAMES, "events": [MOVE, last]}
    assert compare_film(truth, (), {"cells": {}, **final} if final else {}, SAME, ()).scores_right is right
