"""States by record number, what is public, and what is remembered of a record: pure, without a store."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_game import ToyRules, toy_rules

from companion.table.commands import Answer, Outcome
from companion.table.record.disclosure import Disclosure
from companion.table.record.history import CHECKPOINT_EVERY, History, HistoryStep
from companion.table.record.memory import REFUSALS_REMEMBERED, Memory
from companion.table.record.rescue import readable_copy
from companion.table.record.store_address import store_url
from companion.table.record.trouble import StoreError


def played(rules: ToyRules, *texts: str) -> History:
    history = History(rules)
    for text in texts:
        event = rules.parse(text)
        history.event(event, rules.apply(history.state, event))
    return history


def test_states_after_every_record_are_those_that_play_gave() -> None:
    rules = toy_rules("rounds = 90\nred = 90\nblue = 90\n")
    texts = ["A hide 2", "B hide 3", "token red"] * CHECKPOINT_EVERY
    history, state, states = played(rules, *texts), rules.initial(), []
    for text in texts:
        state = rules.apply(state, rules.parse(text))
        states.append(state)
    assert [history.state_after(number) for number in range(2, history.head + 1)] == states


def test_an_undo_takes_up_an_earlier_state_and_leaves_the_branch_to_be_looked_at() -> None:
    rules = toy_rules()
    history = played(rules, "A hide 2", "B hide 3", "token red")
    history.undo(2)
    assert history.state == history.state_after(2)
    assert history.state_after(4).round == 2
    assert [history.in_force(n) for n in (1, 2, 3, 4)] == [True, True, False, False]
    assert history.line() == (HistoryStep(2, rules.parse("A hide 2")),)
    with pytest.raises(ValueError, match="not in force"):
        history.undo(4)


def test_notes_change_no_state_and_an_overruling_sets_one() -> None:
    rules = toy_rules()
    history = played(rules, "A hide 2")
    history.same()
    assert (history.head, history.point) == (3, 2)
    history.overrule(rules.initial())
    assert history.state == rules.initial()
    assert history.line()[-1] == HistoryStep(4, None)
    assert history.before(4) == 2


def test_a_reveal_makes_the_last_secrets_public_and_not_those_taken_back() -> None:
    rules = toy_rules()
    state, disclosure, shown = rules.initial(), Disclosure(rules), []
    for number, text in enumerate(["A hide 1", "A take-back", "A hide 2", "B hide 3"], start=2):
        event = rules.parse(text)
        shown.append(disclosure.take(number, event, state))
        state = rules.apply(state, event)
    assert shown == [(), (), (), (4, 5)]
    assert disclosure.public == {4, 5}


def test_only_the_newest_refusals_are_remembered() -> None:
    memory = Memory()
    for n in range(REFUSALS_REMEMBERED + 1):
        memory.refuse(f"key-{n}", Answer(Outcome.REFUSED))
    assert memory.answer("key-0") is None
    assert memory.answer("key-1") == Answer(Outcome.REFUSED)


@pytest.mark.parametrize("where", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "no://\n"])
def test_what_is_no_address_of_a_store_is_refused(where: str) -> None:
    with pytest.raises(StoreError, match="no address"):
        store_url(where)


def test_a_path_is_an_sqlite_file_and_postgres_gets_its_driver(tmp_path: Path) -> None:
    assert store_url(tmp_path / "a.sqlite").database == str(tmp_path / "a.sqlite")
    assert store_url("postgresql://me@there/games").drivername == "postgresql+psycopg"


def test_a_store_that_cannot_be_written_is_read_from_a_copy_with_its_journal(tmp_path: Path) -> None:
    store = tmp_path / "record.sqlite"
    assert readable_copy(store) is None
    store.write_bytes(b"rows")
    (tmp_path / "record.sqlite-wal").write_bytes(b"journal")
    copy = readable_copy(store)
    assert copy is not None
    with copy as folder:
        assert {path.name: path.read_bytes() for path in Path(folder).iterdir()} == {
            "record.sqlite": b"rows", "record.sqlite-wal": b"journal",
        }


def test_seats_are_told_apart_by_their_last_act() -> None:
    rules = toy_rules()
    disclosure = Disclosure(rules)
    disclosure.went_elsewhere([HistoryStep(2, rules.parse("A hide 1"))])
    state = rules.apply(rules.initial(), rules.parse("A hide 1"))
    assert disclosure.take(3, rules.parse("B hide 2"), state) == (2, 3)
