"""How long people may be in the middle of an act before anybody is asked which it is."""

from __future__ import annotations

import pytest

from companion.core.types import Seat
from companion.games.spyrium.actions import Money, Start
from companion.table.tracking.judging.verdicts import Ambiguous, NoChange, Unreadable
from companion.table.tracking.lasting_doubts import LastingDoubts, Patience
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS
from companion.table.tracking.standing import TableFinding

NEAR, FAR = (Money(Seat.A, "r1c1|r1c2", card) for card in ("r1c1", "r1c2"))
BEGUN = Ambiguous(((NEAR,), (FAR,)), ("r1c1|r1c2",), alike=True)
NOTHING = NoChange(None)  # type: ignore[arg-type]


def found(*pictures: tuple[int, int], stills: bool, hold_ms: int = 4000) -> list[TableFinding]:
    """What pictures of (scene, time in ms) mean that all show the same begun act; one doubtful picture is enough."""
    doubts, patience = LastingDoubts(), Patience(1, stills, hold_ms)
    findings = []
    for scene, now_ms in pictures:
        while doubts.scene < scene:
            doubts.scene_changed(stills=stills)
        findings.append(doubts.finding(BEGUN, None, now_ms, patience))
    return findings


@pytest.mark.parametrize("stills", [True, False])
def test_what_is_begun_is_asked_about_when_the_next_scene_leaves_it_open(stills: bool) -> None:
    assert found((0, 0), (1, 500), stills=stills) == [TableFinding.DOUBTFUL, TableFinding.UNDECIDED]


def test_what_is_begun_is_asked_about_after_some_seconds_of_a_still_scene() -> None:
    doubtful, undecided = TableFinding.DOUBTFUL, TableFinding.UNDECIDED
    assert found((0, 0), (0, 3900), (0, 4000), stills=False) == [doubtful, doubtful, undecided]


def test_nobody_waits_where_no_time_is_given() -> None:
    assert found((0, 0), stills=True, hold_ms=0) == [TableFinding.UNDECIDED]


def test_another_act_is_given_its_own_time() -> None:
    doubts, patience = LastingDoubts(), Patience(1, True, 4000)
    assert doubts.finding(BEGUN, None, 0, patience) is TableFinding.DOUBTFUL
    doubts.scene_changed(stills=True)
    assert doubts.finding(NOTHING, None, 500, patience) is TableFinding.FITS
    assert doubts.begun_ms is None
    assert doubts.finding(BEGUN, None, 500, patience) is TableFinding.DOUBTFUL


def test_a_question_of_a_breach_or_of_nobody_in_particular_is_no_act_in_its_middle() -> None:
    assert BEGUN.may_be_unfinished
    assert not Ambiguous(((NEAR,), (Start(Seat.B),)), (), alike=True).may_be_unfinished
    assert not Ambiguous(((NEAR,), (FAR,)), ()).may_be_unfinished


@pytest.mark.parametrize(
    ("verdict", "stills", "asked_after"),
    [
        (Ambiguous(((NEAR,), (FAR,)), ("r1c1|r1c2",), alike=True, is_over=True), False, 3),
        (Ambiguous(((NEAR,), ()), ("r1c1|r1c2",)), False, len(FRAME_WEIGHTS)),
        (Unreadable(("r1c1|r1c2",)), False, len(FRAME_WEIGHTS)),
        (Unreadable(("r1c1|r1c2",)), True, 3),  # of a film each picture is a scene
    ],
)
def test_where_more_pictures_of_a_scene_may_tell_they_are_waited_for(
    verdict: Ambiguous | Unreadable, stills: bool, asked_after: int
) -> None:
    doubts, patience = LastingDoubts(), Patience(3, stills, 0)
    findings = [doubts.finding(verdict, None, 100 * picture, patience) for picture in range(6)]
    assert findings.index(TableFinding.UNDECIDED) + 1 == asked_after
