"""The ledger: what is accepted is written first and holds then; a write that fails is looked up before play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from table_kit import clock, toy_header
from toy_game import ToyRules, toy_rules

from companion.core.digest import digest
from companion.core.errors import RecordError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.core.types import Seat
from companion.table.ledger import Held, Ledger
from companion.table.planning import Planned
from companion.table.record.records import FIRST_HASH, check_chain, seal, setup_body
from companion.table.record.store import SessionWriter, Store
from companion.table.record.trouble import StoreError


def first(rules: ToyRules) -> LogRecord:
    return seal(
        session="toy-1", number=1, time_ms=1, cause=Cause(CauseKind.OPERATOR), kind=RecordKind.SETUP,
        body=setup_body(toy_header()), before="", after=digest(rules.dump(rules.initial())), previous_hash=FIRST_HASH,
    )  # fmt: skip


def plans(ledger: Ledger, *texts: str) -> tuple[Planned, ...]:
    """The events one after the other, as they would be accepted now."""
    rules, state, out = ledger.rules, ledger.moment.state, []
    for text in texts:
        event = rules.parse(text)
        state = rules.apply(state, event)
        out.append(Planned(Cause(CauseKind.OPERATOR), RecordKind.EVENT, {"text": text}, state, event))
    return tuple(out)


class CutWriter:
    """A writer whose line is cut: `reaches` says whether what was sent arrives before it is."""

    def __init__(self, writer: SessionWriter) -> None:
        self._writer = writer
        self.is_cut, self.reaches = False, False

    def append(self, *records: LogRecord) -> None:
        if not self.is_cut or self.reaches:
            self._writer.append(*records)
        self.check()

    def check(self) -> None:
        if self.is_cut:
            raise StoreError("the store does not answer")
        self._writer.check()

    def head(self) -> tuple[int, str]:
        return self._writer.head()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "record.sqlite") as store:
        store.add(toy_header(), [first(toy_rules())])
        yield store


@pytest.fixture
def line(store: Store) -> Iterator[CutWriter]:
    with store.writer("toy-1") as writer:
        yield CutWriter(writer)


@pytest.fixture
def ledger(store: Store, line: CutWriter) -> Ledger:
    return reopened(store, line)


def reopened(store: Store, line: CutWriter, rules: ToyRules | None = None) -> Ledger:
    return Ledger(toy_header(), rules or toy_rules(), line, store.records("toy-1"), clock())  # type: ignore[arg-type]


def test_what_is_accepted_is_in_the_store_in_one_chain_and_holds(store: Store, ledger: Ledger) -> None:
    held = ledger.accept(plans(ledger, "A hide 3", "B hide 2", "token red"), "key-1")
    stored = list(check_chain(toy_header(), store.records("toy-1")))
    assert stored[1:] == list(held.records)
    assert [record.number for record in stored] == [1, 2, 3, 4]
    assert ledger.moment.number == 4
    assert ledger.moment.state.points == (3, 0)  # T3: red, the larger number scores itself
    assert all(dict(record.cause.detail)["key"] == "key-1" for record in held.records)


def test_a_reveal_makes_the_secret_before_it_public(ledger: Ledger) -> None:
    (mine,) = ledger.accept(plans(ledger, "A hide 3"), "").records
    assert ledger.update(mine).secret
    assert ledger.accept(plans(ledger, "B hide 2"), "").disclosed == (2, 3)
    assert not ledger.update(mine).secret


def test_another_ledger_is_led_to_the_same_moment_by_the_record(store: Store, line: CutWriter, ledger: Ledger) -> None:
    ledger.accept(plans(ledger, "A hide 3", "B hide 2", "token blue"), "")
    again = reopened(store, line)
    assert again.moment == ledger.moment
    assert again.history.line() == ledger.history.line()
    assert again.spans == ledger.spans


def test_players_are_waited_for_until_both_have_hidden_and_nobody_while_a_token_is_due(ledger: Ledger) -> None:
    ledger.accept(plans(ledger, "A hide 3", "B hide 2"), "")
    assert [seats for _, seats in ledger.spans] == [(Seat.A, Seat.B), (Seat.A, Seat.B), ()]


@pytest.mark.parametrize("reaches", [True, False])
def test_after_a_failed_write_what_reached_the_store_holds_and_nothing_else(
    store: Store, line: CutWriter, ledger: Ledger, reaches: bool
) -> None:
    planned = plans(ledger, "A hide 3")
    line.is_cut, line.reaches = True, reaches
    with pytest.raises(StoreError):
        ledger.accept(planned, "")
    assert (ledger.moment.number, ledger.moment.trouble) == (1, "the store does not answer")
    with pytest.raises(StoreError):
        ledger.settle()  # the line is still cut: nothing is known
    line.is_cut = False
    settled = ledger.settle()
    assert [record.number for record in settled.records] == ([2] if reaches else [])
    assert (ledger.moment.number, ledger.moment.trouble) == (2 if reaches else 1, "")
    assert ledger.settle() == Held()
    ledger.accept(plans(ledger, "B hide 2"), "")
    assert ledger.moment.number == len(list(store.records("toy-1")))


def test_a_record_that_another_program_wrote_meanwhile_is_not_passed_over(
    store: Store, line: CutWriter, ledger: Ledger
) -> None:
    line.is_cut = True
    with pytest.raises(StoreError):
        ledger.accept(plans(ledger, "A hide 3"), "")
    line.is_cut = False
    other = reopened(store, line)
    other.accept(plans(other, "B hide 1"), "")
    with pytest.raises(RecordError, match="ends with number 2, this session knows 1"):
        ledger.settle()


def test_trouble_found_while_nothing_happens_is_shown_until_it_is_over(line: CutWriter, ledger: Ledger) -> None:
    line.is_cut = True
    ledger.look()
    assert ledger.moment.trouble == "the store does not answer"
    line.is_cut = False
    ledger.look()
    assert ledger.moment.trouble == ""


def test_the_end_of_one_trouble_does_not_hide_another(line: CutWriter, ledger: Ledger) -> None:
    line.is_cut = True
    ledger.look()
    ledger.in_trouble("the bag is not sealed")
    line.is_cut = False
    ledger.look()
    assert ledger.moment.trouble == "the bag is not sealed"


def test_a_record_that_does_not_fit_the_rules_is_refused_with_its_number(
    store: Store, line: CutWriter, ledger: Ledger
) -> None:
    ledger.accept(plans(ledger, "A hide 3", "B hide 2", "token blue"), "")
    with pytest.raises(RecordError, match="record 4 does not fit these rules"):
        reopened(store, line, toy_rules("rounds = 3\nred = 3\nblue = 0\n"))


def test_rules_that_lead_to_another_state_are_refused_at_the_end(store: Store, line: CutWriter, ledger: Ledger) -> None:
    ledger.accept(plans(ledger, "A hide 3"), "")
    with pytest.raises(RecordError, match="expected a state of digest"):
        reopened(store, line, toy_rules("rounds = 3\nred = 9\nblue = 2\n"))
