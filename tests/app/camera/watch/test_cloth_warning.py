"""Colours that are hardly seen on the cloth are said when they are found, once, until play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from watched_table import WatchedTable, all_have_chosen

from companion.app.camera.watch.cloth_warning import CLOTH
from companion.core.inputs import BoardObservation, ViewState


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    yield from all_have_chosen(tmp_path)


def look(one: WatchedTable, *alike: str) -> dict[str, dict]:
    """A hand passes, and these colours are found to be like the table; the alerts then."""
    one.watch.observe(BoardObservation(0, 0, ViewState.HAND))
    one.watch.observe(replace(one.eyes.look(one.view), alike=alike))
    return one.alerts


def test_it_is_said_once_and_until_the_next_act(one: WatchedTable) -> None:
    assert look(one) == {}
    assert look(one, "purple")[CLOTH]["facts"] == {"colours": ["purple"]}
    assert CLOTH in look(one)  # just not so near to the table's colour in this picture
    one.put("r1c1", "purple")
    assert look(one, "purple") == {}
    assert look(one, "purple") == {}


def test_another_colour_is_said_with_those_before(one: WatchedTable) -> None:
    look(one, "purple")
    assert look(one, "gray")[CLOTH]["facts"] == {"colours": ["gray", "purple"]}


def test_a_picture_with_a_hand_says_nothing(one: WatchedTable) -> None:
    one.watch.observe(BoardObservation(1, 0, ViewState.HAND, alike=("purple",)))
    assert one.alerts == {}
