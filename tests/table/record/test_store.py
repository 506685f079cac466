"""Facts about the store, the same on SQLite and PostgreSQL: append-only, one writer, clear refusals."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from table_kit import LONG_CATALOGUE, begin, clock, play, resume, toy_header
from toy_game import toy_rules

from companion.core.errors import DataError, RecordError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.table.commands import Play
from companion.table.record.records import FIRST_HASH, check_chain, seal, setup_body
from companion.table.record.store import Store
from companion.table.record.trouble import StoreError, WriterTakenError


def first_record(session: str = "toy-1") -> LogRecord:
    header = toy_header(session)
    return seal(
        session=session,
        number=1,
        time_ms=1,
        cause=Cause(CauseKind.OPERATOR),
        kind=RecordKind.SETUP,
        body=setup_body(header),
        before="",
        after="0" * 64,
        previous_hash=FIRST_HASH,
    )


def note_after(record: LogRecord, text: str = "tea") -> LogRecord:
    return seal(
        session=record.session,
        number=record.number + 1,
        time_ms=2,
        cause=Cause(CauseKind.SCRIPT, (("margin", 0.25), ("who", "Žofia \x00 \u2028"))),
        kind=RecordKind.NOTE,
        body={"topic": "remark", "text": text, "data": {}},
        before=record.after,
        after=record.after,
        previous_hash=record.hash,
    )


def test_what_is_written_is_read_again_by_another_store(place: str) -> None:
    first = first_record()
    second = note_after(first)
    with Store(place) as store:
        store.add(toy_header(), [first])
        with store.writer("toy-1") as writer:
            writer.append(second)
            assert writer.head() == (2, second.hash)
    with Store(place) as store:
        assert store.session("toy-1").header == toy_header()
        assert list(store.records("toy-1")) == [first, second]
        assert list(check_chain(toy_header(), store.records("toy-1"))) == [first, second]


def test_several_sessions_live_in_one_store_newest_first(place: str) -> None:
    with Store(place) as store:
        for name in ("toy-1", "toy-2"):
            store.add(toy_header(name), [first_record(name)])
        assert store.names() == ("toy-1", "toy-2")
        with store.writer("toy-1"), store.writer("toy-2") as second:
            second.append(note_after(first_record("toy-2")))
        assert [store.session(name).records for name in store.names()] == [1, 2]


def test_a_second_writer_is_refused_and_told_who_has_the_session(place: str) -> None:
    with Store(place) as one, Store(place) as other:
        one.add(toy_header(), [first_record()])
        with one.writer("toy-1"), pytest.raises(WriterTakenError, match=f"process {os.getpid()} on"):
            other.writer("toy-1")
        other.writer("toy-1").close()


def test_a_session_name_is_taken_once(place: str) -> None:
    with Store(place) as store:
        store.add(toy_header(), [first_record()])
        with pytest.raises(DataError, match="there already"):
            store.add(toy_header(), [first_record()])
        assert store.session("toy-1").records == 1


def test_a_session_that_cannot_be_resumed_is_let_go(place: str) -> None:
    with Store(place) as store:
        begin(store).close()
        with pytest.raises(RecordError):
            resume(store, rules=toy_rules(LONG_CATALOGUE))  # other rules: the digest of the state differs
        resume(store).close()


def test_a_record_number_is_written_once(place: str) -> None:
    first = first_record()
    with Store(place) as store:
        store.add(toy_header(), [first])
        with store.writer("toy-1") as writer:
            writer.append(note_after(first))
            with pytest.raises(RecordError, match=r"record 2 .* exists already"):
                writer.append(note_after(first, "coffee"))
            writer.append(note_after(note_after(first)))


def test_adding_a_session_is_all_or_nothing(place: str) -> None:
    def broken_off() -> object:
        yield first_record()
        raise DataError("line 3 is no JSON")

    with Store(place) as store:
        with pytest.raises(DataError, match="line 3"):
            store.add(toy_header(), broken_off())  # type: ignore[arg-type]
        assert store.names() == ()


def test_a_batch_is_written_all_or_none(place: str) -> None:
    first = first_record()
    second = note_after(first)
    with Store(place) as store:
        store.add(toy_header(), [first])
        with store.writer("toy-1") as writer:
            with pytest.raises(RecordError):
                writer.append(second, note_after(second), second)
            assert writer.head() == (1, first.hash)


def test_long_records_are_read_page_by_page_without_a_gap(place: str) -> None:
    with Store(place) as store:
        with begin(store, catalogue=LONG_CATALOGUE) as session:
            session.ask(Play(texts=("A hide 1", "B hide 2", "token red") * 400))
        assert [r.number for r in store.records("toy-1")] == list(range(1, 1202))
        assert [r.number for r in store.records("toy-1", 499, 502)] == [499, 500, 501, 502]
        assert list(store.records("toy-1", 1202)) == []


def test_a_session_that_is_not_there_is_named(place: str) -> None:
    with Store(place) as store, pytest.raises(DataError, match="no session is called 'nobody'"):
        store.writer("nobody")


def test_a_store_of_a_later_companion_is_refused_with_what_to_do(place: str) -> None:
    with Store(place) as store, store.database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE companion_meta SET value = '2'"))
    with pytest.raises(RecordError, match=r"schema 2, this companion knows 1.*Update the companion"):
        Store(place)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("UPDATE companion_records SET line = replace(line, 'hide 2', 'hide 3') WHERE number = 2", "record 2"),
        ("UPDATE companion_records SET line = '{' WHERE number = 3", "record 3"),
        ("DELETE FROM companion_records WHERE number = 2", "record 2"),
        ("UPDATE companion_records SET number = 7 WHERE number = 3", "record 3"),
        ("UPDATE companion_sessions SET header = replace(header, 'rounds = 3', 'rounds = 4')", "record 1"),
        ("UPDATE companion_sessions SET header = '[]'", "header"),
    ],
)
def test_a_record_that_was_altered_is_not_played_on(place: str, change: str, where: str) -> None:
    with Store(place) as store:
        with begin(store) as session:
            play(session, "A hide 2", "B hide 3")
        with store.database.engine.begin() as connection:
            connection.execute(sa.text(change))
        with pytest.raises(RecordError, match=where):
            resume(store)


@pytest.mark.system("postgresql")
def test_a_server_that_dies_and_comes_back_loses_nothing(postgres_server: object) -> None:
    server = postgres_server
    place = server.new_place()  # type: ignore[attr-defined]
    with Store(place) as store, begin(store) as session:
        play(session, "A hide 2")
        server.stop()  # type: ignore[attr-defined]
        try:
            with pytest.raises(StoreError, match="server runs"):
                play(session, "B hide 3", key="b3")
            assert session.snapshot(None)["trouble"]
        finally:
            server.start()  # type: ignore[attr-defined]
        assert play(session, "B hide 3", key="b3").accepted
        assert [r.number for r in store.records("toy-1")] == [1, 2, 3]
        with Store(place) as other, pytest.raises(WriterTakenError):
            other.writer("toy-1")


def test_a_server_that_is_not_there_is_named_with_what_to_check() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1.*Check that the server runs"):
        Store("postgresql://companion:topsecret@127.0.0.1:1/none")


@pytest.mark.parametrize("address", ["mysql://x/y", "sqlite://", "http://[", "postgresql+pg8000://x/y"])
def test_an_address_that_names_no_store_is_refused(address: str) -> None:
    with pytest.raises(StoreError, match="Expected a path"):
        Store(address)


def test_a_file_that_is_no_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    path.write_bytes(b"a shopping list, not a record" * 100)
    with pytest.raises(RecordError, match="companion import"):
        Store(path)
    assert path.read_bytes() == b"a shopping list, not a record" * 100


def test_a_file_damaged_in_the_middle_is_reported_and_not_played_on(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    with Store(path) as store, begin(store, catalogue=LONG_CATALOGUE) as session:
        session.ask(Play(texts=("A hide 1", "B hide 2", "token red") * 50))
    data = bytearray(path.read_bytes())
    data[8192 : len(data) - 4096] = b"\xa5" * (len(data) - 12288)
    path.write_bytes(bytes(data))
    with pytest.raises(RecordError), Store(path) as store:
        resume(store)
    assert path.read_bytes() == bytes(data)


def test_a_file_cut_off_at_any_byte_holds_what_was_accepted_before(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    log = path.with_name("record.sqlite-wal")
    with Store(path) as store, begin(store, catalogue=LONG_CATALOGUE) as session:
        written = [(log.stat().st_size, 1)]  # length of the log after each accepted record
        for text in ("A hide 1", "B hide 2", "token red", "A hide 3", "A take-back"):
            play(session, text)
            written.append((log.stat().st_size, session.number))
        main, logged = path.read_bytes(), log.read_bytes()
    edges = [size + shift for size, _ in written[1:] for shift in (-1, 0)]
    for cut in [*range(written[0][0], len(logged), 997), *edges]:
        copy = tmp_path / f"cut-{cut}.sqlite"
        copy.write_bytes(main)
        copy.with_name(copy.name + "-wal").write_bytes(logged[:cut])
        with Store(copy) as store:
            records = list(check_chain(toy_header(catalogue=LONG_CATALOGUE), store.records("toy-1")))
            assert len(records) == max(number for size, number in written if size <= cut)
            resume(store).close()


def test_a_file_held_by_another_program_is_said_to_be_held(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    with Store(path, busy_s=0) as store, begin(store) as session:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program holds the file"):
            play(session, "A hide 2", key="a2")
        assert session.number == 1
        holder.execute("ROLLBACK")
        holder.close()
        assert play(session, "A hide 2", key="a2").records == (2,)
        assert session.snapshot(None)["trouble"] == ""


def test_a_full_disk_is_said_and_the_act_can_be_repeated(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        limits = {"pages": 0}

        def limit(connection: sa.Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count={limits['pages'] or 1_000_000}")

        with begin(store, catalogue=LONG_CATALOGUE) as session:
            sa.event.listen(store.database.engine, "begin", limit)
            limits["pages"] = 1  # SQLite keeps the pages there are and gives no more
            with pytest.raises(StoreError, match="disk is full"):  # noqa: PT012 - it fills up after some turns
                for turn in range(1000):
                    session.ask(Play(texts=("A hide 1", "B hide 2", "token red"), key=f"turn {turn}"))
            number = session.number
            assert store.session("toy-1").records == number
            limits["pages"] = 0
            answer = session.ask(Play(texts=("A hide 1", "B hide 2", "token red"), key="again"))
            assert answer.records == (number + 1, number + 2, number + 3)
        with resume(store) as session:
            assert session.number == number + 3


def test_a_write_that_fails_after_it_was_done_is_not_done_twice(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store, begin(store) as session:
        lost = {"answers": 1}

        def lose_the_answer(_: object) -> None:
            if lost["answers"]:
                lost["answers"] -= 1
                raise sqlite3.OperationalError("the connection broke")

        original = session._ledger.writer.append

        def append(*records: LogRecord) -> None:
            original(*records)
            with store.database.trouble():
                lose_the_answer(records)

        session._ledger.writer.append = append  # type: ignore[method-assign]
        with pytest.raises(StoreError):
            play(session, "A hide 2", key="a2")
        assert session.number == 1
        assert play(session, "A hide 2", key="a2").records == (2,)
        assert [r.number for r in store.records("toy-1")] == [1, 2]


UNPRIVILEGED = """
import os, sys
sys.path[:0] = {support!r}
import table_kit
from companion.core.errors import CompanionError
from companion.table.record.store import Store
Store({other!r}).close()  # everything is imported before the rights go
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
try:
    Store({place!r})
except CompanionError as error:
    print(error)
"""


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_place_that_may_not_be_written_is_named_with_what_to_do(tmp_path: Path, what: str) -> None:
    tmp_path.chmod(0o755)
    for parent in (tmp_path.parent, tmp_path.parent.parent):
        if parent.stat().st_uid == os.geteuid():
            parent.chmod(0o755)
    folder = tmp_path / "locked"
    folder.mkdir()
    place = folder / "record.sqlite"
    if what == "file":
        Store(place).close()
        place.chmod(0o444)
    folder.chmod(0o555)
    support = [str(room) for room in (Path(__file__).parents[2] / "support").iterdir()]
    code = UNPRIVILEGED.format(support=support, other=str(tmp_path / "other.sqlite"), place=str(place))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    folder.chmod(0o755)
    assert str(place) in done.stdout
    assert "COMPANION_STORE" in done.stdout


def test_the_record_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "record.sqlite"
    Store(path).close()
    assert path.stat().st_mode & 0o077 == 0


def test_records_are_on_the_disk_at_each_commit(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store, store.database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_the_clock_that_is_passed_in_dates_the_records(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        with begin(store, clock_ms=clock(5)) as session:
            play(session, "A hide 2")
        assert [r.time_ms for r in store.records("toy-1")] == [5, 6]
