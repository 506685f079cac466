"""Reads an exported record for the verifier: every byte accounted for, and every line chained to the one before.

The format is that of docs/reference/record.md, one canonical JSON object a line: a header (game, catalogue, number of
records, last hash, own hash), then the records. This reader shares no code with the one that resumes games.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from companion.core.digest import canonical_json, digest
from companion.core.errors import RecordError

HEADER_FORMAT = "companion-record"
SCHEMA = 1
NO_HASH = "0" * 64
HEADER_KEYS = frozenset(
    {"format", "schema", "session", "created_ms", "setup", "catalogue", "catalogue_digest", "records", "head", "hash"}
)
RECORD_KEYS = frozenset(
    {"schema", "session", "number", "time_ms", "cause", "kind", "body", "before", "after", "previous_hash", "hash"}
)
REMEDY = "Nothing after this place can be trusted."


@dataclass(frozen=True, slots=True)
class Line:
    """A record as a JSON object, and the line of the file it stands on (the header is line 1)."""

    line: int
    data: dict[str, Any]

    @property
    def where(self) -> str:
        """Where it stands, for people."""
        return f"line {self.line} (record {self.data['number']})"


@dataclass(frozen=True, slots=True)
class ExportedRecord:
    """A whole export whose chain holds."""

    header: dict[str, Any]
    records: tuple[Line, ...]


def read_export(data: bytes) -> ExportedRecord:
    """The record in `data`, the bytes of an export. Raises RecordError naming the first line that does not hold."""
    if not data:
        raise RecordError("the file is empty", where="line 1", remedy=REMEDY)
    lines = data.split(b"\n")
    if lines.pop():
        raise RecordError("the last line does not end with a line feed", where=f"line {len(lines) + 1}", remedy=REMEDY)
    header = _check_header(_parse(lines[0], 1))
    records: list[Line] = []
    previous = NO_HASH
    for number, raw in enumerate(lines[1:], start=1):
        record = _check_record(_parse(raw, number + 1), number, header["session"], previous)
        previous = record["hash"]
        records.append(Line(number + 1, record))
    _check_end(header, records, previous)
    _check_first(header, records[0])
    return ExportedRecord(header, tuple(records))


def _parse(raw: bytes, line: int) -> dict[str, Any]:
    where = f"line {line}"
    try:
        text = raw.decode("utf-8")
        value = json.loads(text)
        canonical = canonical_json(value)
        canonical.encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not a line of JSON: {error}", where=where, remedy=REMEDY) from error
    if not isinstance(value, dict):
        raise RecordError(f"expected a JSON object, got {type(value).__name__}", where=where, remedy=REMEDY)
    if canonical != text:
        place = next((i for i, (a, b) in enumerate(zip(text, canonical, strict=False)) if a != b), len(canonical))
        raise RecordError(
            f"the line is not written the one canonical way, first at character {place + 1}", where=where, remedy=REMEDY
        )
    return value


def _check_header(header: dict[str, Any]) -> dict[str, Any]:
    if header.get("format") != HEADER_FORMAT or set(header) != HEADER_KEYS:
        raise RecordError("this is no exported session: its first line is not a header", where="line 1", remedy=REMEDY)
    _expect("schema", SCHEMA, header["schema"], "line 1")
    _expect("hash", _own_hash(header), header["hash"], "line 1")
    text = header["catalogue"] if isinstance(header["catalogue"], str) else ""
    _expect("catalogue_digest", hashlib.sha256(text.encode("utf-8")).hexdigest(), header["catalogue_digest"], "line 1")
    return header


def _check_record(record: dict[str, Any], number: int, session: str, previous: str) -> dict[str, Any]:
    where = f"line {number + 1} (record {number})"
    if set(record) != RECORD_KEYS:
        keys = ", ".join(sorted(RECORD_KEYS))
        raise RecordError(f"a record has the keys {keys}; got {', '.join(sorted(record))}", where=where, remedy=REMEDY)
    _expect("hash", _own_hash(record), record["hash"], where)
    _expect("schema", SCHEMA, record["schema"], where)
    _expect("session", session, record["session"], where)
    _expect("number", number, record["number"], where)
    _expect("previous_hash", previous, record["previous_hash"], where)
    cause = record["cause"]
    if not isinstance(cause, dict) or set(cause) != {"kind", "detail"} or not isinstance(cause["detail"], dict):
        raise RecordError("a cause has a kind and a detail", where=where, remedy=REMEDY)
    if not isinstance(record["body"], dict):
        raise RecordError("a body is a JSON object", where=where, remedy=REMEDY)
    return record


def _check_end(header: dict[str, Any], records: list[Line], last_hash: str) -> None:
    where = f"line {len(records) + 1}"
    _expect("number of records", header["records"], len(records), where)
    if not records:
        raise RecordError("the session has no records", where=where, remedy=REMEDY)
    _expect("last hash", header["head"], last_hash, where)


def _check_first(header: dict[str, Any], first: Line) -> None:
    _expect("kind", "setup", first.data["kind"], first.where)
    for key in ("setup", "catalogue_digest", "created_ms"):
        _expect(key, header[key], first.data["body"].get(key), first.where)


def _own_hash(data: dict[str, Any]) -> str:
    return digest({key: value for key, value in data.items() if key != "hash"})


def _expect(name: str, expected: object, got: object, where: str) -> None:
    if type(expected) is not type(got) or expected != got:
        raise RecordError(f"{name}: expected {expected}, got {got}", where=where, remedy=REMEDY)
