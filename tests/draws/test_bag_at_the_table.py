"""The digital bag in a real session on a real store: order, undo, restart, lost secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, resume_table
from companion.core.digest import canonical_json
from companion.core.errors import CompanionError
from companion.core.events import CauseKind
from companion.core.types import Seat, SeatInfo
from companion.draws import generator
from companion.draws.ceremony import How, Phase, StepRefusedError
from companion.draws.desk import BagDesk
from companion.draws.lines import read_export
from companion.draws.verify import Report, verify
from companion.table.commands import DrawContext, DrawNext, Outcome, Undo
from companion.table.record.records import header_to_json, record_to_json
from companion.table.record.store import Store

SALT = "00112233445566778899aabbccddeeff"
GAME = NewGame("envyra", (SeatInfo("Žofia", "purple"), SeatInfo("Jiří", "gray")), session="evening")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "sessions.sqlite")
    yield store
    store.close()


def fill_bag(desk: Callable[[], BagDesk]) -> None:
    """Seat A throws dice openly, seat B seals a phrase; each step at the desk that `desk` gives."""
    code = desk().record(lambda bag: bag.commit())["commitment"]
    desk().record(lambda bag: bag.add(Seat.A, How.DICE, "3 1 6 6 2 5 4 1 1 2"))
    sealed = generator.promise("evening", code, "B", "phrase", "modrý slon", SALT)
    desk().record(lambda bag: bag.promise(Seat.B, sealed))
    desk().record(lambda bag: bag.close())
    desk().record(lambda bag: bag.open(Seat.B, How.PHRASE, "modrý slon", SALT))
    desk().record(lambda bag: bag.seal())


def draw(table: Table) -> str:
    """One digital draw, as its event's text."""
    answer = table.session.ask(DrawNext())
    assert answer.accepted, answer
    (record,) = table.session._store.records("evening", answer.records[0], answer.records[0])
    return str(dict(record.body)["text"])


def export(store: Store) -> bytes:
    records = list(store.records("evening"))
    header = header_to_json(store.session("evening").header, len(records), records[-1].hash)
    rows = [header, *(record_to_json(record) for record in records)]
    return "".join(canonical_json(row) + "\n" for row in rows).encode()


def proved(table: Table, store: Store) -> Report:
    return verify(read_export(export(store)), table.rules)


def numbers(store: Store) -> list[int]:
    draws = (r for r in store.records("evening") if r.cause.kind is CauseKind.DRAW)
    return [dict(r.cause.detail)["proof"]["number"] for r in draws]


def test_session_draws_nothing_before_the_bag_is_sealed(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    with pytest.raises(CompanionError, match="needs a sealed bag"):
        table.session.ask(DrawNext())
    assert table.session.number == 1
    table.close()


def test_draws_of_a_real_session_are_proved_after_the_reveal(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    for _ in range(6):
        draw(table)
    assert not proved(table, store).complete
    table.desk.record(lambda bag: bag.reveal())
    report = proved(table, store)
    assert report.complete
    assert report.proved == 6
    table.close()


def test_secret_is_in_no_export_before_the_reveal_and_in_no_file_after_it(
    store: Store, settings: Settings, tmp_path: Path
):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    draw(table)
    (file,) = (tmp_path / "secrets").iterdir()
    secret = file.read_text().strip()
    assert secret not in export(store).decode()
    table.desk.record(lambda bag: bag.reveal())
    assert list((tmp_path / "secrets").iterdir()) == []
    assert secret in export(store).decode()
    assert table.bag.ceremony.phase is Phase.REVEALED
    table.close()


def test_draw_after_an_undo_has_a_new_number(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    draw(table)
    before = table.session.number
    draw(table)
    undone = table.session.ask(Undo(to=before, consents=(Seat.A, Seat.B)))
    assert undone.accepted
    draw(table)
    assert numbers(store) == [1, 2, 3]
    table.desk.record(lambda bag: bag.reveal())
    assert proved(table, store).taken_back == (2,)
    table.close()


def test_undo_across_a_digital_draw_needs_everybody(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    before = table.session.number
    draw(table)
    assert table.session.ask(Undo(to=before, consents=(Seat.A,))).outcome is Outcome.CONSENT
    table.close()


def test_restart_goes_on_with_the_next_number_and_the_same_bag(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    for _ in range(3):
        draw(table)
    code = table.bag.ceremony.commitment
    table.close()
    again = resume_table(store, settings, "evening")
    assert again.bag.ceremony.commitment == code
    assert again.bag.drawn == 3
    draw(again)
    assert numbers(store) == [1, 2, 3, 4]
    again.desk.record(lambda bag: bag.reveal())
    assert proved(again, store).complete
    again.close()


def test_bag_is_filled_through_a_restart_before_every_step(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)

    def desk_after_restart() -> BagDesk:
        nonlocal table
        table.close()
        table = resume_table(store, settings, "evening")
        return table.desk

    fill_bag(desk_after_restart)
    assert table.bag.ceremony.phase is Phase.SEALED
    draw(table)
    table.desk.record(lambda bag: bag.reveal())
    assert proved(table, store).complete
    table.close()


def test_same_draw_prepared_twice_is_the_same(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    state = table.session.state
    outcomes = table.rules.chance_outcomes(state)
    texts = tuple(table.rules.format(outcome.draw) for outcome in outcomes)

    context = DrawContext("evening", 1, table.session.number + 1, texts)
    first = table.bag.draw(outcomes, context)
    assert table.bag.draw(outcomes, context) == first
    assert draw(table) == texts[first[0]]
    with pytest.raises(CompanionError, match="the session asks for draw 1"):
        table.bag.draw(outcomes, context)
    table.close()


def test_lost_secret_stops_digital_draws_and_says_what_to_do(store: Store, settings: Settings, tmp_path: Path):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    table.close()
    (tmp_path / "secrets" / "evening.1.secret").unlink()
    again = resume_table(store, settings, "evening")
    answer = again.session.ask(DrawNext())
    assert answer.outcome is Outcome.REFUSED
    assert "go on with the physical bag" in answer.message
    again.close()


def test_secret_of_another_bag_is_noticed(store: Store, settings: Settings, tmp_path: Path):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    table.close()
    (tmp_path / "secrets" / "evening.1.secret").write_text("00" * 32 + "\n")
    again = resume_table(store, settings, "evening")
    answer = again.session.ask(DrawNext())
    assert answer.outcome is Outcome.REFUSED
    assert "not the one that was committed to" in answer.message
    again.close()


def test_late_contribution_is_refused_and_leaves_no_record(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    number = table.session.number
    with pytest.raises(StepRefusedError, match="cannot come now"):
        table.desk.record(lambda bag: bag.add(Seat.B, How.PHRASE, "too late"))
    assert table.session.number == number
    table.close()


def test_fresh_bag_in_the_middle_of_a_game_goes_on_counting(store: Store, settings: Settings):
    table = begin_table(store, settings, GAME)
    fill_bag(lambda: table.desk)
    draw(table)
    table.desk.record(lambda bag: bag.reveal())
    with pytest.raises(CompanionError, match="needs a sealed bag"):
        table.session.ask(DrawNext())
    fill_bag(lambda: table.desk)
    draw(table)
    table.desk.record(lambda bag: bag.reveal())
    assert numbers(store) == [1, 2]
    report = proved(table, store)
    assert report.complete
    assert len(report.commitments) == 2
    assert json.loads(export(store).splitlines()[2])["body"]["bag"] == 1
    table.close()
