"""Readings made by hand: a figure that has left a slot which cannot be told, and a face that nobody can name."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import BoardView, SlotView
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.judging import half_seen
from companion.table.tracking.judging.half_seen import perhaps_astray, unnamed_draw, with_figures_moved
from companion.table.tracking.reading.evidence import TableEvidence
from companion.table.tracking.reading.still_scene import StillScene


def reading(slot: str, face: str | None, face_p: float, pieces: tuple[str, ...], p: float) -> SlotReading:
    counted = tuple(PieceReading(colour, 1, p) for colour in pieces)
    return SlotReading(slot, Sight.SEEN, ((face, log(face_p)),), None, counted, p)


def evidence(*readings: SlotReading) -> TableEvidence:
    return StillScene(lambda face: face).add(BoardObservation(0, 0, ViewState.SETTLED, readings))


BLUE, BOTH = SlotView(None, None, (("blue", 1),)), SlotView(None, None, (("blue", 1), ("red", 1)))
SEEN = BoardView((("new", BLUE), ("old", BOTH)))


def test_a_figure_seen_elsewhere_has_left_a_slot_that_is_not_clear_and_another_seats_has_not() -> None:
    of = evidence(reading("new", None, 0.99, ("blue",), 0.99), reading("old", None, 0.99, (), 0.4))
    moved = with_figures_moved(SEEN, ("new",), of, ("blue", "red"))
    assert moved.at("old").pieces == (("red", 1),)
    assert moved.at("new") == SEEN.at("new")
    assert with_figures_moved(SEEN, ("new",), of, ()) == SEEN  # a token comes in numbers


def test_a_figure_that_is_read_in_its_old_slot_as_well_is_there_twice() -> None:
    of = evidence(reading("new", None, 0.99, ("blue",), 0.99), reading("old", None, 0.99, ("blue",), 0.99))
    assert with_figures_moved(SEEN, ("new",), of, ("blue",)) == SEEN


def test_a_figure_may_be_astray_where_no_legal_act_brings_it_to_a_slot_that_is_not_clear() -> None:
    moved = Hypothesis(None, (), {"new": (SlotView(), BLUE)}, 0.0, ("old", "new"))
    elsewhere = Hypothesis(None, (), {"new": (BLUE,)}, 0.0, ("old", "other"))
    assert perhaps_astray(("blue", "red"), ("new",), (moved,)) == {"red"}
    assert perhaps_astray(("blue",), ("new", "other"), (moved,)) == {"blue"}
    assert perhaps_astray(("blue",), ("new",), (elsewhere,)) == {"blue"}


@dataclass(frozen=True)
class Drawing:
    """Rules of a game in which a face is drawn to a pile beside the table, or nothing is drawn."""

    is_due: bool = True

    def chance_outcomes(self, _: str) -> tuple[Any, ...]:
        return (SimpleNamespace(draw="face"),) if self.is_due else ()

    def apply(self, _: str, event: str) -> str:
        return event


@pytest.mark.parametrize(("is_due", "face_p", "doubted"), [(True, 0.25, ("b2",)), (True, 0.99, ()), (False, 0.25, ())])
def test_a_face_that_nobody_can_name_may_be_the_one_that_is_to_be_drawn(
    monkeypatch: pytest.MonkeyPatch, is_due: bool, face_p: float, doubted: tuple[str, ...]
) -> None:
    looks = {"": BoardView(()), "face": BoardView((("pile", SlotView("leaf")),))}
    monkeypatch.setattr(half_seen, "board_look", lambda _, state: looks[state])
    monkeypatch.setattr(half_seen, "unseen_chains", lambda _, state: (((), state, None),))
    of = evidence(reading("b2", "leaf", face_p, (), 0.0), reading("c3", None, 0.99, (), 0.99))
    rules: Any = Drawing(is_due)
    assert unnamed_draw(rules, "", BoardView(()), of) == doubted
