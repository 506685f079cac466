"""Rows of a store: what is written down is read back, and a damaged row is refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from table_kit import toy_header

from companion.core.errors import RecordError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.core.types import SeatInfo
from companion.table.record.records import FIRST_HASH, SessionHeader, seal
from companion.table.record.store_tables import METADATA, RECORDS, read_header, read_line, record_row, session_row

ODD = "Žofia \x00 \u2028 \"'; DROP TABLE"


def header() -> SessionHeader:
    plain = toy_header()
    setup = replace(plain.setup, seats=(SeatInfo(ODD, "pink"), SeatInfo("Ľuboš", "gray")), options=(("length", "2"),))
    return replace(plain, setup=setup, catalogue_text="rounds = 3\n# žltý \u2028\n")


def record(number: int = 7) -> LogRecord:
    return seal(
        session="toy-1", number=number, time_ms=5, cause=Cause(CauseKind.OPERATOR, (("who", ODD),)),
        kind=RecordKind.NOTE, body={"topic": "remark", "text": ODD, "data": {}},
        before="a" * 64, after="a" * 64, previous_hash=FIRST_HASH,
    )  # fmt: skip


def test_a_header_is_read_as_it_was_written_whatever_people_are_called() -> None:
    row = session_row(header())
    assert read_header(row["session"], row["header"], row["created_ms"]) == header()


def test_nobody_writes_to_a_session_that_was_just_begun() -> None:
    assert session_row(header())["writer"] == "nobody"


def test_a_record_is_read_as_it_was_written_and_its_row_is_one_line() -> None:
    row = record_row(record())
    assert read_line(row["session"], row["number"], row["line"]) == record()
    assert "\n" not in row["line"]


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"setup": {}}', "null", "[" * 100_000])
def test_a_damaged_header_is_refused_with_its_session(text: str) -> None:
    with pytest.raises(RecordError, match="header cannot be read") as refused:
        read_header("toy-9", text, 1)
    assert "toy-9" in str(refused.value)


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", "null", "[" * 100_000])
def test_a_damaged_record_is_refused_with_its_number(text: str) -> None:
    with pytest.raises(RecordError, match="record 7 cannot be read"):
        read_line("toy-1", 7, text)


def test_a_record_in_the_place_of_another_is_refused() -> None:
    with pytest.raises(RecordError, match="record 7 stands in the place of record 8"):
        read_line("toy-1", 8, record_row(record(7))["line"])


def test_a_session_has_one_record_of_each_number() -> None:
    engine = sa.create_engine("sqlite://")
    METADATA.create_all(engine)
    with engine.begin() as connection:
        for number in (1, 2):
            connection.execute(sa.insert(RECORDS), record_row(record(number)))
    with engine.connect() as connection, pytest.raises(sa.exc.IntegrityError):
        connection.execute(sa.insert(RECORDS), record_row(record(2)))
    with engine.connect() as connection:
        assert connection.execute(sa.select(RECORDS.c.number).order_by("number")).scalars().all() == [1, 2]
    engine.dispose()
