"""Re-runs a record with the rules and stops at the first difference (pure)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.digest import digest
from companion.core.errors import CompanionError
from companion.core.events import LogRecord, RecordKind
from companion.core.game import Rules, violation_of
from companion.core.types import Violation
from companion.table.record.history import History


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """Where a record and the rules part: at which record, in what, and the two values.

    `violation`: set when the rules say that the event was illegal.
    """

    number: int
    what: str
    expected: str
    got: str
    violation: Violation | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a record replays: the records that agree, their kinds counted, the first difference if any."""

    records: int
    kinds: tuple[tuple[str, int], ...]
    difference: ReplayDifference | None
    history: History


def replay(rules: Rules, records: Iterable[LogRecord]) -> Replay:
    """Apply every record to the rules; each must be legal and lead to the state whose digest it carries."""
    history = History(rules)
    now = digest(rules.dump(history.state))
    kinds: dict[str, int] = {}
    number = 0
    for record in records:
        difference, after = _step(rules, history, record, now)
        if difference is not None:
            return Replay(number, tuple(sorted(kinds.items())), difference, history)
        now, number = after, record.number
        kinds[record.kind.value] = kinds.get(record.kind.value, 0) + 1
    return Replay(number, tuple(sorted(kinds.items())), None, history)


def _step(rules: Rules, history: History, record: LogRecord, now: str) -> tuple[ReplayDifference | None, str]:
    expected_before = "" if record.number == 1 else now
    if record.before != expected_before:
        return ReplayDifference(record.number, "state before", record.before, expected_before), now
    if record.number > 1:
        illegal = _violation(rules, history, record)
        if illegal is not None:
            text = str(dict(record.body).get("text"))
            return ReplayDifference(record.number, "event", text, f"illegal by {illegal.clause}", illegal), now
        try:
            history.follow(record)
        except (ValueError, KeyError, TypeError, CompanionError) as error:
            return ReplayDifference(record.number, record.kind.value, "something the rules can follow", str(error)), now
    after = digest(rules.dump(history.state))
    if record.after != after:
        return ReplayDifference(record.number, "state after", record.after, after), now
    return None, after


def _violation(rules: Rules, history: History, record: LogRecord) -> Violation | None:
    if record.kind is not RecordKind.EVENT:
        return None
    try:
        event = rules.parse(str(dict(record.body).get("text")))
    except CompanionError:
        return None  # `History.follow` meets the same text and says what is wrong with it
    return violation_of(rules, history.state, event)
