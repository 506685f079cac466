"""A session of Rifts of N'Norya that the camera follows: whom it asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from watched_table import WatchedTable

from companion.core.inputs import BoardObservation, ViewState
from companion.core.types import Seat
from companion.table.tracking.appearance import board_look
from companion.table.tracking.doings import unseen_chains
from companion.table.tracking.hypotheses import root
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    table = WatchedTable(tmp_path, players=2, game="rifts")
    yield table
    table.close()


def test_what_either_of_two_players_may_have_done_is_asked_of_the_one_whose_turn_it_is(one: WatchedTable) -> None:
    start = (one.table.rules.parse("A start j9"),)
    both = (*start, one.table.rules.parse("B start j9"))
    one.watch.tracker.open.asked = Ambiguous((start, (), both), ("j9",))
    assert one.watch.question == {"choices": [["A start j9"], [], ["A start j9", "B start j9"]], "slots": ["j9"],
                                  "seat": Seat.A, "corrects": False, "unnamed": False, "presumed": False,
                                  "before": None, "held": False, "unseen": False}


def test_a_place_that_cannot_be_seen_is_asked_of_the_one_whose_turn_it_is(one: WatchedTable) -> None:
    one.stage("A start j9")
    one.look()
    one.watch.tracker.open.asked = Unreadable(("i9",))
    assert one.watch.question == {"choices": [], "slots": ["i9"],
                                  "seat": Seat.B, "corrects": False, "unnamed": False, "presumed": False,
                                  "before": None, "held": False, "unseen": True}


def test_where_too_little_is_seen_the_legal_acts_there_are_offered_and_one_tap_records_them(one: WatchedTable) -> None:
    for text in ("A start j9", "B start i9"):
        one.say(text)
    one.deal(Random(3))
    one.say("A place j10 0")
    one.deal(Random(3))
    one.view = board_look(one.table.rules, one.table.session.state)
    one.look()
    one.stage("A move i10")
    one.watch.observe(BoardObservation(0, one.now_ms + 20, ViewState.HAND))
    for picture in range(1, 1 + len(FRAME_WEIGHTS)):
        seen = one.eyes.look(one.view)
        nowhere = {"i10": {"pieces": (), "pieces_p": 0.8}}  # the mage has left, and is seen nowhere
        slots = tuple(replace(each, **nowhere.get(each.slot, {})) for each in seen.slots)
        one.watch.observe(replace(seen, slots=slots, time_ms=one.now_ms + 500 * picture))
    question = one.watch.question
    assert question is not None
    assert (question["choices"], question["seat"], question["unseen"]) == ([["A move i10"]], Seat.A, True)
    one.watch.answer(0, "A")
    assert one.table.session.line()[-1].event == one.table.rules.parse("A move i10")
    assert (one.watch.question, dict(one.alerts)) == (None, {})


def test_a_watch_begins_by_letting_go_of_the_tables_before(one: WatchedTable) -> None:
    one.stage("A start j9")
    one.look()
    assert root.cache_info().currsize
    assert unseen_chains.cache_info().currsize
    one._new_watch()
    assert not root.cache_info().currsize
    assert not unseen_chains.cache_info().currsize
