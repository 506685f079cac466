"""The tables of a store and their rows: how sessions and records are written down."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from companion.core.digest import canonical_json
from companion.core.errors import DataError, RecordError
from companion.core.events import LogRecord
from companion.table.record.records import (
    SessionHeader,
    record_from_json,
    record_to_json,
    setup_from_json,
    setup_to_json,
)

STORE_SCHEMA = 1
"""The layout of the tables below; a store with a higher number was written by a later companion."""

METADATA = sa.MetaData()
META = sa.Table(
    "companion_meta",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
SESSIONS = sa.Table(
    "companion_sessions",
    METADATA,
    sa.Column("session", sa.String(64), primary_key=True),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("header", sa.Text, nullable=False),  # canonical JSON: setup and catalogue text
    sa.Column("writer", sa.Text, nullable=False),  # who opened it last, for the refusal of a second one
)
RECORDS = sa.Table(
    "companion_records",
    METADATA,
    sa.Column("session", sa.String(64), sa.ForeignKey("companion_sessions.session"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("line", sa.Text, nullable=False),  # canonical JSON: the line of an export
)


def session_row(header: SessionHeader) -> dict[str, Any]:
    """The row of a new session, which nobody writes to yet."""
    text = canonical_json({"setup": setup_to_json(header.setup), "catalogue": header.catalogue_text})
    return {"session": header.session, "created_ms": header.created_ms, "header": text, "writer": "nobody"}


def record_row(record: LogRecord) -> dict[str, Any]:
    """The row of a record."""
    line = canonical_json(record_to_json(record))
    return {"session": record.session, "number": record.number, "line": line}


def read_header(session: str, text: str, created_ms: int) -> SessionHeader:
    """The header that `session_row` wrote. Raises RecordError when it is damaged."""
    try:
        data = json.loads(text)
        return SessionHeader(session, created_ms, setup_from_json(data["setup"]), data["catalogue"])
    except (ValueError, RecursionError, KeyError, TypeError, DataError) as error:
        raise RecordError(f"the header cannot be read: {error}", where=f"session {session}") from error


def read_line(session: str, number: int, line: str) -> LogRecord:
    """The record that `record_row` wrote. Raises RecordError when it is damaged or another one stands there."""
    where = f"session {session}"
    try:
        record = record_from_json(json.loads(line))
    except (ValueError, RecursionError, DataError) as error:
        raise RecordError(f"record {number} cannot be read: {error}", where=where) from error
    if record.number != number:
        raise RecordError(f"record {record.number} stands in the place of record {number}", where=where)
    return record
