"""Records as JSON lines: how one is sealed by its hash, written, read back and checked against the one before."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.digest import canonical_json, digest
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.events import RECORD_SCHEMA, Cause, CauseKind, LogRecord, RecordKind
from companion.core.types import SeatInfo, Setup

LATEST_MS = 7_258_118_400_000
"""The year 2200: a clock beyond it is wrong, and some systems cannot say such a day."""
FIRST_HASH = "0" * 64
"""The `previous_hash` of record 1."""

SESSION_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
"""What a session may be called: it becomes part of file names and addresses."""

HEADER_FORMAT = "companion-record"
"""The value of `format` in the first line of an export, by which the file is told apart."""

LARGEST_NUMBER = 2**53
"""Whole numbers of a record stay below what every JSON reader keeps exactly (RFC 8259, section 6)."""


@dataclass(frozen=True, slots=True)
class SessionHeader:
    """What a session is played with: enough to build its rules anywhere, without the catalogue's file."""

    session: str
    created_ms: int
    setup: Setup
    catalogue_text: str

    @property
    def catalogue_digest(self) -> str:
        """SHA-256 of the catalogue's text in UTF-8, 64 hex digits."""
        return hashlib.sha256(self.catalogue_text.encode("utf-8")).hexdigest()


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """A Setup as a JSON object; `setup_from_json` is the inverse."""
    return {
        "game": setup.game,
        "seats": [{"name": s.name, "colour": s.colour} for s in setup.seats],
        "catalogue": setup.catalogue,
        "options": dict(setup.options),
    }


def setup_from_json(data: Any) -> Setup:
    """The Setup that `setup_to_json` wrote. Raises DataError naming what is wrong."""
    problems = _wrong_keys(data, {"game": str, "seats": list, "catalogue": str, "options": dict}, "setup")
    if not problems:
        for index, seat in enumerate(data["seats"]):
            problems += _wrong_keys(seat, {"name": str, "colour": str}, f"setup.seats[{index}]")
        problems += [
            f"setup.options.{key}: expected text, got {value!r}"
            for key, value in data["options"].items()
            if not isinstance(value, str)
        ]
    if problems:
        raise DataError("; ".join(problems))
    return Setup(
        game=data["game"],
        seats=tuple(SeatInfo(s["name"], s["colour"]) for s in data["seats"]),
        catalogue=data["catalogue"],
        options=tuple(sorted(data["options"].items())),
    )


def seal(
    *,
    session: str,
    number: int,
    time_ms: int,
    cause: Cause,
    kind: RecordKind,
    body: Mapping[str, Any],
    before: str,
    after: str,
    previous_hash: str,
) -> LogRecord:
    """A record with its hash. `body` and the cause's detail hold JSON values; tuples in them become lists.

    The hash is SHA-256 over the canonical JSON of the record without its `hash`. Raises TypeError or ValueError
    when a value is not JSON.
    """
    plain = Cause(cause.kind, _pairs(json.loads(canonical_json(dict(cause.detail)))))
    record = LogRecord(
        schema=RECORD_SCHEMA,
        session=session,
        number=number,
        time_ms=time_ms,
        cause=plain,
        kind=kind,
        body=_pairs(json.loads(canonical_json(dict(body)))),
        before=before,
        after=after,
        previous_hash=previous_hash,
        hash="",
    )
    return _with_hash(record)


def record_to_json(record: LogRecord) -> dict[str, Any]:
    """A record as a JSON object: what a line of an export holds."""
    return {
        "schema": record.schema,
        "session": record.session,
        "number": record.number,
        "time_ms": record.time_ms,
        "cause": {"kind": record.cause.kind.value, "detail": dict(record.cause.detail)},
        "kind": record.kind.value,
        "body": dict(record.body),
        "before": record.before,
        "after": record.after,
        "previous_hash": record.previous_hash,
        "hash": record.hash,
    }


def record_from_json(data: Any) -> LogRecord:
    """The record of a JSON object, its form checked but not its hash. Raises DataError naming every wrong key."""
    form = {
        "schema": int,
        "session": str,
        "number": int,
        "time_ms": int,
        "cause": dict,
        "kind": str,
        "body": dict,
        "before": str,
        "after": str,
        "previous_hash": str,
        "hash": str,
    }
    problems = _wrong_keys(data, form, "record")
    if not problems:
        if data["schema"] != RECORD_SCHEMA:
            problems.append(f"schema: expected {RECORD_SCHEMA}, got {data['schema']}; update the companion")
        if data["kind"] not in {k.value for k in RecordKind}:
            problems.append(f"kind: got {data['kind']!r}, expected one of {', '.join(k.value for k in RecordKind)}")
        problems += _wrong_keys(data["cause"], {"kind": str, "detail": dict}, "cause")
        kinds = {k.value for k in CauseKind}
        if not problems and data["cause"]["kind"] not in kinds:
            problems.append(f"cause.kind: got {data['cause']['kind']!r}, expected one of {', '.join(sorted(kinds))}")
        if not problems:
            problems += _body_problems(RecordKind(data["kind"]), data["body"], data["cause"]["detail"])
    if problems:
        raise DataError("; ".join(problems))
    return LogRecord(
        schema=data["schema"],
        session=data["session"],
        number=data["number"],
        time_ms=data["time_ms"],
        cause=Cause(CauseKind(data["cause"]["kind"]), _pairs(data["cause"]["detail"])),
        kind=RecordKind(data["kind"]),
        body=_pairs(data["body"]),
        before=data["before"],
        after=data["after"],
        previous_hash=data["previous_hash"],
        hash=data["hash"],
    )


_MUST_HOLD: dict[RecordKind, dict[str, type]] = {
    RecordKind.SETUP: {"setup": dict, "catalogue_digest": str, "created_ms": int},
    RecordKind.EVENT: {"text": str},
    RecordKind.UNDO: {"to": int},
    RecordKind.OVERRULE: {"state": dict},
    RecordKind.PROOF: {},
    RecordKind.NOTE: {},
}
"""What the body of each kind must hold; it may hold more."""

_MAY_HOLD: dict[RecordKind, dict[str, type]] = {
    RecordKind.UNDO: {"steps": list},
    RecordKind.OVERRULE: {"why": str},
    RecordKind.NOTE: {"topic": str, "text": str, "data": dict},
}
"""What it may hold besides, and then in this form."""


def _body_problems(kind: RecordKind, body: dict[str, Any], detail: dict[str, Any]) -> list[str]:
    form = _MUST_HOLD[kind] | {key: kept for key, kept in _MAY_HOLD.get(kind, {}).items() if key in body}
    problems = _wrong_keys({key: body[key] for key in form if key in body}, form, "body")
    if kind is RecordKind.UNDO and not problems:
        for index, step in enumerate(body.get("steps", ())):
            problems += _wrong_keys(step, {"message": str, "facts": dict, "slots": list}, f"body.steps[{index}]")
    if not isinstance(detail.get("key", ""), str):
        problems.append(f"cause.detail.key: expected text, got {detail['key']!r:.60}")
    return problems


def check_link(record: LogRecord, *, session: str, number: int, previous_hash: str) -> None:
    """Check that `record` is number `number` of `session`, follows `previous_hash` and bears its own hash.

    Raises RecordError with the record's number, what was expected and what was got.
    """
    where = f"record {number} of session {session}"
    expectations = (
        ("session", session, record.session),
        ("number", number, record.number),
        ("previous_hash", previous_hash, record.previous_hash),
        ("hash", _with_hash(record).hash, record.hash),
    )
    for name, expected, got in expectations:
        if expected != got:
            raise RecordError(
                f"{name}: expected {expected}, got {got}",
                where=where,
                remedy="The record was altered or damaged here; everything before it is sound.",
            )


def check_chain(header: SessionHeader, records: Iterable[LogRecord]) -> Iterator[LogRecord]:
    """Pass the records on, each checked against the one before and the first against the header.

    Raises RecordError at the first one that does not fit, or when there is none at all.
    """
    previous, number = FIRST_HASH, 0
    for number, record in enumerate(records, start=1):
        check_link(record, session=header.session, number=number, previous_hash=previous)
        if number == 1:
            _check_setup(header, record)
        previous = record.hash
        yield record
    if number == 0:
        raise RecordError("the session has no records", where=f"session {header.session}")


def setup_body(header: SessionHeader) -> dict[str, Any]:
    """The body of record 1, which ties the header into the chain."""
    return {
        "setup": setup_to_json(header.setup),
        "catalogue_digest": header.catalogue_digest,
        "created_ms": header.created_ms,
    }


def _check_setup(header: SessionHeader, record: LogRecord) -> None:
    where = f"record 1 of session {header.session}"
    if record.kind is not RecordKind.SETUP:
        raise RecordError(f"expected the set-up, got a record of kind {record.kind.value}", where=where)
    for name, expected in setup_body(header).items():
        got = dict(record.body).get(name)
        if got != expected:
            raise RecordError(f"{name}: the session says {expected!r}, the record says {got!r}", where=where)


def header_to_json(header: SessionHeader, records: int, head: str) -> dict[str, Any]:
    """The first line of an export: the header, how many records follow, the last one's hash, and its own hash."""
    data: dict[str, Any] = {
        "format": HEADER_FORMAT,
        "schema": RECORD_SCHEMA,
        "session": header.session,
        "created_ms": header.created_ms,
        "setup": setup_to_json(header.setup),
        "catalogue": header.catalogue_text,
        "catalogue_digest": header.catalogue_digest,
        "records": records,
        "head": head,
    }
    return data | {"hash": digest(data)}


def header_from_json(data: Any) -> tuple[SessionHeader, int, str]:
    """Header, number of records and last hash of an export's first line. Raises DataError naming what is wrong."""
    form = {
        "format": str,
        "schema": int,
        "session": str,
        "created_ms": int,
        "setup": dict,
        "catalogue": str,
        "catalogue_digest": str,
        "records": int,
        "head": str,
        "hash": str,
    }
    if not isinstance(data, dict) or data.get("format") != HEADER_FORMAT:
        raise DataError(f'this is no exported session: expected a first line with "format":"{HEADER_FORMAT}"')
    if data.get("schema") != RECORD_SCHEMA:
        raise DataError(f"schema: expected {RECORD_SCHEMA}, got {data.get('schema')!r}; update the companion")
    problems = _wrong_keys(data, form, "header")
    if problems:
        raise DataError("; ".join(problems))
    expected = digest({k: v for k, v in data.items() if k != "hash"})
    if data["hash"] != expected:
        raise DataError(f"hash: expected {expected}, got {data['hash']}; the header was altered")
    check_session_id(data["session"])
    header = SessionHeader(data["session"], data["created_ms"], setup_from_json(data["setup"]), data["catalogue"])
    if header.catalogue_digest != data["catalogue_digest"]:
        raise DataError(f"catalogue_digest: expected {header.catalogue_digest}, got {data['catalogue_digest']}")
    return header, data["records"], data["head"]


def check_time(time_ms: int) -> int:
    """`time_ms` itself. Raises CompanionError when a clock that says so is wrong, before anything is written."""
    if not 0 <= time_ms < LATEST_MS:
        raise CompanionError(
            f"this machine's clock is wrong: it says {time_ms // 1000} seconds since 1970",
            remedy="Set the clock and try again; nothing was written.",
        )
    return time_ms


def check_session_id(session: str) -> None:
    """Raises DataError when `session` cannot name a session."""
    if not SESSION_ID.fullmatch(session):
        raise DataError(
            f"{session!r} cannot name a session",
            remedy="Use 1 to 64 small letters, digits and hyphens, beginning with a letter or digit.",
        )


def _with_hash(record: LogRecord) -> LogRecord:
    data = record_to_json(record)
    del data["hash"]
    return LogRecord(
        record.schema,
        record.session,
        record.number,
        record.time_ms,
        record.cause,
        record.kind,
        record.body,
        record.before,
        record.after,
        record.previous_hash,
        digest(data),
    )


def _pairs(data: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(data.items()))


def _wrong_keys(data: Any, form: Mapping[str, type], where: str) -> list[str]:
    if not isinstance(data, dict):
        return [f"{where}: expected an object, got {type(data).__name__}"]
    problems = [f"{where}: unknown key {key!r}" for key in data if key not in form]
    for key, kind in form.items():
        if key not in data:
            problems.append(f"{where}: {key!r} is missing")
        elif not isinstance(data[key], kind) or isinstance(data[key], bool):
            problems.append(f"{where}.{key}: expected {kind.__name__}, got {data[key]!r:.60}")
        elif kind is int and not 0 <= data[key] <= LARGEST_NUMBER:
            problems.append(
                f"{where}.{key}: expected 0 to {LARGEST_NUMBER}, got a number of {len(str(data[key]))} digits"
            )
    return problems
