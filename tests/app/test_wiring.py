"""Devices at a table: a tap at the virtual box is in the record, the LEDs follow, and closing ends everything."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import pytest
from followed_table import ENVYRA

from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import attach_box, begin_table, resume_table
from companion.core.types import Seat, SeatInfo
from companion.table.commands import Play
from companion.table.record.store import Store
from firmware_bridge.constants import LedState

WAIT_S = 120.0


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path))


def dealt(store: Store, settings: Settings) -> Table:
    seats = tuple(SeatInfo(f"P{n}", colour) for n, colour in enumerate(ENVYRA.colours[:2]))
    table = begin_table(store, settings, NewGame("envyra", seats, session="boxed"))
    random, rules = Random(1), table.rules
    while outcomes := rules.chance_outcomes(table.session.state):
        draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        table.session.ask(Play(texts=(rules.format(draw),)))
    return table


def wait_for(table: Table, number: int) -> None:
    """Until the record has reached `number`."""
    news = table.session.subscribe(table.session.number)
    while table.session.number < number:
        assert news.get(WAIT_S) is not None, "the press did not reach the record"


def test_a_tap_is_recorded_once_and_the_led_shows_it(settings: Settings) -> None:
    with open_store(settings) as store:
        table = dealt(store, settings)
        number = table.session.number
        link = attach_box(table, store, settings, "virtual:")
        link.tap(Seat.A)
        wait_for(table, number + 1)
        assert table.session.state.ready == 0b01
        assert link.seats.leds()[:2] == (LedState.CONFIRMED, LedState.PLACE_NOW)
        table.close()
        assert not [t for t in threading.enumerate() if t.name in ("box", "leds")]
        capture = Path(settings.data_dir) / "captures" / "boxed.box.jsonl"
        assert len(capture.read_text(encoding="utf-8").splitlines()) > 1


def test_after_a_restart_the_confirmation_is_still_there_and_no_press_comes_twice(settings: Settings) -> None:
    with open_store(settings) as store:
        table = dealt(store, settings)
        number = table.session.number
        attach_box(table, store, settings, "virtual:").tap(Seat.B)
        wait_for(table, number + 1)
        table.close()
        again = resume_table(store, settings, "boxed")
        link = attach_box(again, store, settings, "virtual:")
        assert again.session.state.ready == 0b10
        link.tap(Seat.A)
        wait_for(again, number + 2)
        assert again.session.number == number + 2
        again.close()
