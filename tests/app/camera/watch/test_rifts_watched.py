"""A session of Rifts of N'Norya that the camera follows: whom it asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from watched_table import WatchedTable

from companion.core.types import Seat
from companion.table.tracking.doings import unseen_chains
from companion.table.tracking.hypotheses import root
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable


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
                                  "before": None, "held": False}


def test_a_place_that_cannot_be_seen_is_asked_of_the_one_whose_turn_it_is(one: WatchedTable) -> None:
    one.stage("A start j9")
    one.look()
    one.watch.tracker.open.asked = Unreadable(("i9",))
    assert one.watch.question == {"choices": [], "slots": ["i9"],
                                  "seat": Seat.B, "corrects": False, "unnamed": False, "presumed": False,
                                  "before": None, "held": False}


def test_a_watch_begins_by_letting_go_of_the_tables_before(one: WatchedTable) -> None:
    one.stage("A start j9")
    one.look()
    assert root.cache_info().currsize
    assert unseen_chains.cache_info().currsize
    one._new_watch()
    assert not root.cache_info().currsize
    assert not unseen_chains.cache_info().currsize
