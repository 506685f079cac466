"""Facts about replaying: a record of these rules replays, and the first difference is named with its number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_kit import begin, play, resume
from toy_game import toy_rules

from companion.core.digest import digest
from companion.core.errors import RecordError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.core.types import Seat
from companion.table.commands import Note, Play, Topic, Undo
from companion.table.record.records import seal
from companion.table.record.replay import replay
from companion.table.record.store import Store

MANY = "rounds = 30\nred = 40\nblue = 40\n"


@pytest.fixture
def records(tmp_path: Path) -> list[LogRecord]:
    with Store(tmp_path / "record.sqlite") as store:
        with begin(store) as session:
            play(session, "A hide 2", "B hide 3", "token red", "A hide 1")
            session.ask(Undo(by=Seat.A))
            session.ask(Note(topic=Topic.REMARK))
            play(session, "B hide 1")
        return list(store.records("toy-1"))


def with_body(record: LogRecord, **body: Any) -> LogRecord:
    return replace(record, body=tuple(sorted(body.items())))


def test_a_sound_record_replays(records: list[LogRecord]) -> None:
    result = replay(toy_rules(), records)
    assert result.difference is None
    assert (result.records, result.history.head) == (8, 8)


CHANGES: list[tuple[int, str, Callable[[LogRecord], LogRecord], str]] = [
    (1, "another beginning", lambda r: replace(r, after="0" * 64), "state after"),
    (2, "an illegal act", lambda r: with_body(r, text="A take-back"), "event"),
    (3, "no event at all", lambda r: with_body(r, text="B sings"), "event"),
    (3, "no text", lambda r: with_body(r), "event"),
    (4, "an impossible draw", lambda r: with_body(r, text="token red red"), "event"),
    (4, "another draw", lambda r: with_body(r, text="token blue"), "state after"),
    (5, "another state before", lambda r: replace(r, before="0" * 64), "state before"),
    (6, "an undo to what never was", lambda r: with_body(r, to=99), "undo"),
    (6, "an undo to no number", lambda r: with_body(r, to="x"), "undo"),
    (6, "an undo to elsewhere", lambda r: with_body(r, to=2), "state after"),
    (7, "a note that changes the state", lambda r: replace(r, after="0" * 64), "state after"),
    (7, "an overruling without a state", lambda r: replace(r, kind=RecordKind.OVERRULE), "overrule"),
]


@pytest.mark.parametrize(("number", "what", "change", "found"), CHANGES, ids=[c[1] for c in CHANGES])
def test_replay_stops_at_the_first_difference(
    records: list[LogRecord], number: int, what: str, change: Callable[[LogRecord], LogRecord], found: str
) -> None:
    assert what
    records[number - 1] = change(records[number - 1])
    result = replay(toy_rules(), records)
    assert result.difference is not None
    assert (result.difference.number, result.difference.what) == (number, found)
    assert result.records == number - 1


def test_an_illegal_event_is_named_with_its_clause(records: list[LogRecord]) -> None:
    records[1] = with_body(records[1], text="A hide 9")
    difference = replay(toy_rules(), records).difference
    assert difference is not None
    assert difference.violation is not None
    assert difference.violation.clause == "T1"


@pytest.mark.parametrize("seed", range(5))
def test_random_games_with_undos_replay_to_the_same_digests(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    rules = toy_rules(MANY)
    with Store(tmp_path / "record.sqlite") as store:
        with begin(store, catalogue=MANY) as session:
            while rules.result(session.state) is None and session.number < 150:
                if chance.random() < 0.2 and session.number > 1:
                    session.ask(Undo(to=chance.randrange(1, session.number + 1), consents=(Seat.A, Seat.B)))
                else:
                    outcomes = rules.chance_outcomes(session.state)
                    events = [o.draw for o in outcomes] if outcomes else rules.legal_actions(session.state)
                    session.ask(Play(texts=(rules.format(chance.choice(events)),)))
            state = session.state
        result = replay(rules, store.records("toy-1"))
    assert result.difference is None
    assert digest(rules.dump(result.history.state)) == digest(rules.dump(state))


STEP = {"message": "on {slot}: put {face}", "facts": {}, "slots": []}
FORGED: list[tuple[RecordKind, dict[str, Any], dict[str, Any]]] = [
    (RecordKind.UNDO, {"to": "x", "steps": []}, {}),
    (RecordKind.UNDO, {"steps": []}, {}),
    (RecordKind.UNDO, {"to": 1, "steps": 5}, {}),
    (RecordKind.UNDO, {"to": 9, "steps": []}, {}),
    (RecordKind.UNDO, {"to": 1, "steps": [STEP, 5]}, {"key": "k"}),
    (RecordKind.EVENT, {"text": 5}, {}),
    (RecordKind.EVENT, {"text": "A hide 1"}, {}),  # A has hidden already
    (RecordKind.EVENT, {"text": "B hide 1"}, {"key": ["k"]}),
    (RecordKind.EVENT, {}, {}),
    (RecordKind.OVERRULE, {"state": [], "why": ""}, {}),
    (RecordKind.OVERRULE, {"state": {"round": 1}, "why": ""}, {}),
    (RecordKind.NOTE, {"topic": "alert", "text": "", "data": "x"}, {}),
    (RecordKind.NOTE, {"topic": 1}, {}),
]


@pytest.mark.parametrize(("kind", "body", "detail"), FORGED)
def test_a_record_with_right_hashes_that_makes_no_sense_is_not_played_on(
    tmp_path: Path, kind: RecordKind, body: dict[str, Any], detail: dict[str, Any]
) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        with begin(store) as session:
            play(session, "A hide 2")
        last = list(store.records("toy-1"))[-1]
        forged = seal(
            session="toy-1",
            number=3,
            time_ms=1,
            cause=Cause(CauseKind.SCRIPT, tuple(detail.items())),
            kind=kind,
            body=body,
            before=last.after,
            after=last.after,
            previous_hash=last.hash,
        )
        with store.writer("toy-1") as writer:
            writer.append(forged)
        with pytest.raises(RecordError, match=r"record 3 (does not fit these rules|cannot be read)"):
            resume(store)
