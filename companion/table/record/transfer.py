"""Export and import of a session as JSON Lines: a header, then one record a line, each in canonical JSON.

The header says how many records follow, the last one's hash and its own, and every record carries its hash, so that a
change of any byte of the file is found, and on which line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.core.digest import canonical_json
from companion.core.errors import DataError, RecordError
from companion.core.events import LogRecord
from companion.table.record.records import (
    SessionHeader,
    check_chain,
    header_from_json,
    header_to_json,
    record_from_json,
    record_to_json,
)
from companion.table.record.store import Store

LINE_LIMIT = 4_000_000
"""Bytes of the longest line that is read; a header with a catalogue has some 20,000."""


def export_lines(store: Store, session: str) -> Iterator[str]:
    """The lines of an export of what is in the store now, each with its line feed; the chain is checked on the way.

    Raises DataError when there is no such session, RecordError at a damaged record.
    """
    stored = store.session(session)
    yield canonical_json(header_to_json(stored.header, stored.records, stored.head)) + "\n"
    for record in check_chain(stored.header, store.records(session, stop=stored.records)):
        yield canonical_json(record_to_json(record)) + "\n"


def read_export(source: BinaryIO, name: str) -> tuple[SessionHeader, Iterator[LogRecord]]:
    """The header of an export, and its records, read and checked as they are asked for. `name`: what messages call it.

    Raises DataError or RecordError naming the line; also for a file that is cut off or goes on after its end.
    """
    number = 1
    first = _line(source, name, number)
    try:
        header, count, head = header_from_json(first)
    except DataError as error:
        raise DataError(error.message, where=f"{name}, line 1", remedy=error.remedy) from error
    return header, _records(source, name, header, count, head)


def _records(source: BinaryIO, name: str, header: SessionHeader, count: int, head: str) -> Iterator[LogRecord]:
    last = ""
    line = 1
    try:
        for record in check_chain(header, _read_lines(source, name, count)):
            line += 1
            last = record.hash
            yield record
    except RecordError as error:
        raise RecordError(str(error), where=f"{name}, line {line + 1}") from error
    if last != head:
        raise RecordError(f"the header says that the last hash is {head}, got {last}", where=f"{name}, line {line}")
    if source.read(1):
        raise RecordError(f"the file goes on after its {count} records", where=f"{name}, line {line + 1}")


def _read_lines(source: BinaryIO, name: str, count: int) -> Iterator[LogRecord]:
    for number in range(2, count + 2):
        data = _line(source, name, number)
        try:
            yield record_from_json(data)
        except DataError as error:
            raise DataError(error.message, where=f"{name}, line {number}") from error


def _line(source: BinaryIO, name: str, number: int) -> Any:
    where = f"{name}, line {number}"
    raw = source.readline(LINE_LIMIT)
    if not raw:
        raise DataError("the file ends here", where=where, remedy="It was cut off: get a whole copy.")
    if not raw.endswith(b"\n"):
        raise DataError("the line does not end", where=where, remedy="The file was cut off: get a whole copy.")
    try:
        text = raw[:-1].decode("utf-8")
        data = json.loads(text)
        canonical = canonical_json(data)
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is no JSON ({error})", where=where) from error
    if canonical != text:
        raise DataError(
            "expected canonical JSON (sorted keys, no white space)",
            where=where,
            remedy="The file was edited or converted: get an unchanged copy.",
        )
    return data
