"""The script of a filmed map, shown to the tracker without pixels: every act is found, every wrong one named."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from followed_table import Table

from companion.core.layout import BoardView
from companion.core.types import Action
from companion.lab.films.map_breaches import EXPECTED_CLAUSES
from companion.lab.films.map_film import film_plan, write_script
from companion.lab.films.map_script import SEEN, Script, Shot
from companion.table.steps import hand_steps
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous
from vision.scenes.layout_file import HOLDS

PLAYERS, SEED, SHOTS = 2, 5, 26


def table_and_script(players: int, seed: int, shots: int, kinds: Collection[str] = ()) -> tuple[Table, Script]:
    rules, written = write_script(players, seed, shots, kinds)
    unread = frozenset(o.slot for o in rules.layout().slots if o.slot == "drawn" or o.holds == "card")
    return Table(rules, rules.initial(), outside=unread), written


@pytest.fixture(scope="module")
def script() -> tuple[Table, Script]:
    return table_and_script(PLAYERS, SEED, SHOTS)


def test_acts_are_found_in_order_and_wrong_ones_named_in_their_picture(script) -> None:
    table, written = script
    rules, due = table.rules, [e for e in written.events if e["event"] == "act"]
    assert len(due) > 8
    asked = 0
    for number, shot in enumerate(written.shots):
        table.told(*written.told.get(number, ()))
        if shot.player is not None:
            continue
        table.view = BoardView(tuple((s, at) for s, at in shot.view.slots))
        happenings = [*table.look(), *(h for _ in range(3) for h in table.glance())]
        if isinstance(table.tracker.asked, Ambiguous):
            texts = [tuple(map(rules.format, chain)) for chain in table.tracker.asked.choices]
            here = tuple(e["text"] for e in due if e["frame"] == number)
            assert here in texts  # the right answer is offered
            happenings += table.tracker.answered(table.tracker.asked.choices[texts.index(here)],
                                                 _after(rules, table.tracker.state, here), number)
            asked += 1
        found = [rules.format(h.event) for h in happenings if h.event is not None]
        if found:  # of two ways that come to the same either is right
            begun = next(h.before for h in happenings if h.event is not None)
            truth = [e["text"] for e in due[: len(found)]]
            assert _after(rules, begun, found) == _after(rules, begun, truth)
        due = due[len(found):]
        wrong = [e for e in written.events if e["event"] == "illegal" and e["frame"] == number]
        named = [h.violation.clause for h in happenings if h.kind is HappeningKind.ILLEGAL and h.violation is not None]
        assert bool(named) == bool(wrong)
        assert not wrong or named[0] in wrong[0]["clauses"]
    assert not due
    assert asked <= 2


@pytest.mark.parametrize(
    ("players", "seed", "kinds"),
    [
        (3, 112, {"start-beside", "start-too-early", "mage-gone", "tile-turned", "tile-moved", "tile-exchanged"}),
        (2, 105, {"enemy-put", "rift-put", "temple-put", "rift-gone", "rift-moved"}),
    ],
)
def test_each_kind_that_is_asked_for_is_filmed_once_named_in_its_picture_and_put_right(
    players: int, seed: int, kinds: set[str]
) -> None:
    table, written = table_and_script(players, seed, 40, kinds)
    wrong = {e["frame"]: e for e in written.events if e["event"] == "illegal"}
    assert sorted(e["act"] for e in wrong.values()) == sorted(kinds)
    for number, shot in enumerate(written.shots):
        table.told(*written.told.get(number, ()))
        if shot.player is None:
            table.view = shot.view
            happenings = [*table.look(), *(h for _ in range(3) for h in table.glance())]
            named = [h.violation for h in happenings if h.kind is HappeningKind.ILLEGAL]
            clauses = [violation.clause for violation in named if violation is not None]
            assert clauses == list(wrong[number]["clauses"] if number in wrong else ())
            alarm = table.tracker.alarm
            if alarm is not None:
                assert hand_steps(alarm.seen, table.tracker.view, table.rules.layout())
    assert table.tracker.alarm is None


def _after(rules, state, texts):
    for text in texts:
        state = rules.apply(state, rules.parse(text))
    return state


def test_what_is_told_is_nothing_that_the_camera_sees(script) -> None:
    table, written = script
    events = [table.rules.parse(text) for texts in written.told.values() for text in texts]
    assert not any(isinstance(event, SEEN) for event in events)
    assert {e["act"] for e in written.events if e["event"] == "illegal"} <= set(EXPECTED_CLAUSES)
    assert all(isinstance(shot, Shot) for shot in written.shots)
    assert any(isinstance(event, Action) for event in events) or written.told


def test_the_plan_of_a_film_is_the_whole_table() -> None:
    plan = film_plan()
    assert {slot["holds"] for slot in plan["slots"]["3"]} <= set(HOLDS)
    assert set(plan["pieces"]["corner_tokens"]) < set(plan["pieces"]["tokens"]) < set(plan["pieces"]["colours"])
