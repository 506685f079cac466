"""The demo's film tells a game that the rules accept, breaks them where it says so, and ends with the true score."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.core.types import Seat, SeatInfo, Setup
from companion.games.envyra import GAME
from companion.games.envyra.actions import Choose, DealTile, Move, Refill, StartingFigure
from companion.games.envyra.state import Phase
from companion.lab.films.film import write_script
from companion.lab.films.game_script import ACTS
from companion.lab.films.smaller import main as smaller
from companion.lab.render.edition import sample_edition

FILM = Path(__file__).parents[3] / "companion" / "app" / "demo" / "film"
CLAUSES = {"restricted": {"E33"}, "wrong-player": {"E31", "E32", "E34"}, "wrong-tile": {"E31"}}


def slot(cell: list[int]) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


class Telling:
    """The demo's game told to the rules from jobs.json and truth.json alone."""

    def __init__(self) -> None:
        self.jobs = json.loads((FILM / "game" / "jobs.json").read_text(encoding="utf-8"))
        self.truth = json.loads((FILM / "game" / "truth.json").read_text(encoding="utf-8"))
        catalogue = GAME.load_catalogue(FILM / "catalogue.json")
        seats = tuple(SeatInfo(colour, colour) for colour in self.jobs["colours"])
        self.rules = GAME.make_rules(Setup("envyra", seats, catalogue.id), catalogue)
        self.violations: list[tuple[str, str]] = []

    @cached_property
    def final(self):
        rules, state = self.rules, self.rules.initial()
        for place, tile in self.truth["frames"][0]["cells"].items():
            row, col = place.split(",")
            state = rules.apply(state, DealTile(slot([int(row), int(col)]), tile))
        state = rules.apply(state, StartingFigure(Seat(self.jobs["first"])))
        for event in self.truth["events"]:
            state = self._told(state, event)
        return state

    def _told(self, state, event):
        rules, kind = self.rules, event["event"]
        if kind == "select":
            cells = tuple(sorted(slot(cell) for cell in event["cells"]))
            return rules.apply(state, Choose(Seat(event["player"]), cells))
        if kind == "move":
            action = Move(Seat(event["player"]), slot(event["cell"]))
            assert rules.check(state, action) is None, event
            return rules.apply(state, action)
        if kind == "refill":
            return rules.apply(state, Refill(slot(event["cell"]), event["tile"]))
        if kind == "illegal" and event["act"] in CLAUSES:
            violation = rules.check(state, Move(Seat(event["player"]), slot(event["cell"])))
            assert violation is not None, event
            self.violations.append((event["act"], violation.clause))
        return state


@pytest.fixture(scope="module")
def telling():
    return Telling()


def test_demo_film_replays_through_the_rules_to_its_score(telling):
    assert telling.final.phase is Phase.OVER
    over = telling.truth["events"][-1]
    assert [score.total for score in telling.rules.result(telling.final).scores] == [s["total"] for s in over["scores"]]


def test_demo_film_breaks_the_rules_with_the_clause_of_its_kind(telling):
    assert telling.final is not None
    assert {act for act, _ in telling.violations} == set(CLAUSES)
    for act, clause in telling.violations:
        assert clause in CLAUSES[act]


def test_demo_film_shows_every_kind_of_illegal_act_and_one_bump(telling):
    events = telling.truth["events"]
    assert {e["act"] for e in events if e["event"] == "illegal"} == set(ACTS)
    assert sum(e["event"] == "corrected" for e in events) == sum(e["event"] == "illegal" for e in events)
    assert sum(e["event"] == "bump" for e in events) == 1
    assert telling.truth["complete"]


def test_demo_film_has_a_picture_of_the_stated_size_for_every_frame(telling):
    pictures = sorted((FILM / "game").glob("*.webp"))
    assert [p.stem for p in pictures] == [f"{n:04d}" for n in range(telling.jobs["frames"])]
    assert len(telling.truth["frames"]) == telling.jobs["frames"]
    first = cv2.imread(str(pictures[0]))
    assert list(first.shape[1::-1]) == telling.jobs["camera_size"]


def test_demo_film_is_small_enough_to_ship():
    assert sum(p.stat().st_size for p in (FILM / "game").glob("*.webp")) < 4e6


def test_a_film_written_smaller_shows_the_same(tmp_path: Path) -> None:
    shown = cv2.imread(str(FILM / "game" / "0000.webp"))
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number:04d}.jpg"), shown)
    done = CliRunner().invoke(smaller, [str(tmp_path), "--quality", "60"])
    assert (done.exit_code, done.output) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0000.webp", "0001.webp"]
    assert np.abs(cv2.imread(str(tmp_path / "0001.webp")).astype(int) - shown).mean() < 4


def test_events_of_a_script_explain_every_change_between_settled_frames():
    catalogue = GAME.load_catalogue(FILM / "catalogue.json")
    script = write_script(sample_edition(), catalogue, 3, 4, most_acts=3, most_shots=30)
    explained = {e["frame"] for e in script.events}
    last = None
    for number, shot in enumerate(script.shots):
        if shot.kind != "settled":
            continue
        if last is not None and (shot.tiles, shot.cubes) != last:
            assert number in explained
        last = (shot.tiles, shot.cubes)
    assert not script.complete


def test_the_same_seed_scripts_the_same_game():
    catalogue = GAME.load_catalogue(FILM / "catalogue.json")
    first, second = (write_script(sample_edition(), catalogue, 2, 9, most_acts=2, most_shots=12) for _ in range(2))
    assert first.events == second.events
    assert np.array_equal([s.kind for s in first.shots], [s.kind for s in second.shots])
