"""That the table can hardly be read is said once, and until it can be read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from watched_table import WatchedTable, all_have_chosen

from companion.app.camera.watch.legibility_warning import LEGIBILITY
from companion.core.inputs import BoardObservation, ViewState


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    yield from all_have_chosen(tmp_path)


def look(one: WatchedTable, pieces_p: float, *, burnt_out: bool = False) -> dict[str, dict]:
    """A hand passes, and pieces are counted so surely, faces too bright or not; the alerts then."""
    one.watch.observe(BoardObservation(0, 0, ViewState.HAND))
    seen = one.eyes.look(one.view)
    slots = tuple(replace(slot, pieces_p=pieces_p, burnt_out=burnt_out) for slot in seen.slots)
    one.watch.observe(replace(seen, slots=slots))
    return one.alerts


def test_it_is_said_while_the_table_can_hardly_be_read(one: WatchedTable) -> None:
    assert look(one, 0.5) == look(one, 0.5) == {}
    assert "too dark" in look(one, 0.5)[LEGIBILITY]["text"]
    assert LEGIBILITY in look(one, 0.98)  # one better picture is not yet good light
    for _ in range(30):
        alerts = look(one, 0.98)
    assert alerts == {}


def test_in_too_much_light_nobody_is_told_to_turn_on_more(one: WatchedTable) -> None:
    for _ in range(3):
        alerts = look(one, 0.5, burnt_out=True)
    assert "lower the camera's exposure" in alerts[LEGIBILITY]["text"]
    for _ in range(30):
        alerts = look(one, 0.5)
    assert "too dark" in alerts[LEGIBILITY]["text"]
