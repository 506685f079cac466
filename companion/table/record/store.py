"""The append-only log of all sessions: an SQLite file by default, a PostgreSQL database by URL.

Every accepted record is one row, written in a transaction of its own that is on the disk before `append` returns.
Rows are never changed and never removed. Reading never locks; writing to a session needs its `SessionWriter`, of
which there is one at a time in all processes.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.events import LogRecord
from companion.table.record.database import BUSY_S, Database, lock_key
from companion.table.record.records import FIRST_HASH, SessionHeader, check_session_id
from companion.table.record.rescue import Identity, gone, identity, saved_elsewhere
from companion.table.record.store_tables import (
    META,
    RECORDS,
    SESSIONS,
    read_header,
    read_line,
    record_row,
    session_row,
)
from companion.table.record.trouble import WriterTakenError

PAGE = 500
"""Records read at once: bounds the memory of a long record's replay."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session in a store: its header, how many records it has and the last one's hash."""

    header: SessionHeader
    records: int
    head: str


class Store:
    """A file or database of sessions. May be read from several threads; close it when done.

    `where` is a path, `sqlite:///PATH` or `postgresql://USER@HOST/DATABASE`. Raises StoreError when it cannot be
    opened, RecordError when it is damaged or of a later schema. With `may_read` a file that may not be written is
    opened all the same, to be read as it is now; writing to it raises StoreError.
    """

    def __init__(self, where: str | Path, *, busy_s: float = BUSY_S, may_read: bool = False) -> None:
        self.database = Database(where, busy_s=busy_s, may_read=may_read)

    @property
    def name(self) -> str:
        """What the store is called in messages: its path, or its URL without the password."""
        return self.database.name

    @property
    def path(self) -> Path | None:
        """The file; None for a server's database."""
        return self.database.path

    def close(self) -> None:
        """Give back every connection."""
        self.database.close()

    def check_writable(self) -> None:
        """Raises StoreError when this store is only read."""
        self.database.check_writable()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def names(self) -> tuple[str, ...]:
        """What all sessions are called, the newest first."""
        newest = sa.select(SESSIONS.c.session).order_by(SESSIONS.c.created_ms.desc(), SESSIONS.c.session)
        with self.database.connected() as connection:
            return tuple(row[0] for row in connection.execute(newest))

    def session(self, session: str) -> StoredSession:
        """One session. Raises DataError when the store has none of that name, RecordError when it is damaged."""
        last = sa.select(RECORDS.c.number, RECORDS.c.line).where(RECORDS.c.session == session)
        with self.database.connected() as connection:
            row = connection.execute(sa.select(SESSIONS).where(SESSIONS.c.session == session)).first()
            end = connection.execute(last.order_by(RECORDS.c.number.desc()).limit(1)).first()
        if row is None:
            raise DataError(
                f"no session is called {session!r}",
                where=self.name,
                remedy="`companion status` lists the sessions; `companion new` begins one.",
            )
        head = read_line(session, end.number, end.line) if end is not None else None
        header = read_header(session, row.header, row.created_ms)
        return StoredSession(header, head.number if head else 0, head.hash if head else FIRST_HASH)

    def records(self, session: str, start: int = 1, stop: int | None = None) -> Iterator[LogRecord]:
        """The records from number `start` to `stop` (inclusive; None: the last), read page by page.

        Their form is checked, their chain is not (see `records.check_chain`). Raises RecordError at a damaged one.
        """
        number = start
        query = sa.select(RECORDS.c.number, RECORDS.c.line).where(RECORDS.c.session == session)
        while stop is None or number <= stop:
            most = PAGE if stop is None else min(PAGE, stop - number + 1)
            page = query.where(RECORDS.c.number >= number).order_by(RECORDS.c.number).limit(most)
            with self.database.connected() as connection:
                rows = connection.execute(page).all()
            for number, line in rows:
                if stop is not None and number > stop:
                    return
                yield read_line(session, number, line)
            if len(rows) < PAGE:
                return
            number += 1

    def add(self, header: SessionHeader, records: Iterable[LogRecord]) -> None:
        """Add a whole session, all of it or nothing. Raises DataError when one of that name is there already."""
        check_session_id(header.session)
        self.check_writable()
        with self.database.connected(companion_begin="BEGIN IMMEDIATE") as connection:
            try:
                with connection.begin():
                    connection.execute(sa.insert(SESSIONS), session_row(header))
                    for record in records:
                        connection.execute(sa.insert(RECORDS), record_row(record))
            except sa.exc.IntegrityError as error:
                raise DataError(
                    f"a session called {header.session!r} is there already",
                    where=self.name,
                    remedy=f"`companion status {header.session}` shows it; a new game takes another --session.",
                ) from error

    def kept(self, name: str, new: str | None = None) -> str | None:
        """What is kept in this store under a name, beside the records; `new` from now on when nothing was yet."""
        there = sa.select(META.c.value).where(META.c.key == name)
        with self.database.connected() as connection:
            found = connection.execute(there).scalar()
        if found is not None or new is None:
            return None if found is None else str(found)
        self.check_writable()
        with self.database.connected() as connection:
            try:
                with connection.begin():
                    connection.execute(sa.insert(META), {"key": name, "value": new})
            except sa.exc.IntegrityError:  # another program was quicker
                return self.kept(name)
        return new

    def writer(self, session: str) -> SessionWriter:
        """The one writer of a session. Raises WriterTakenError naming who has it, DataError when none is called so."""
        self.check_writable()
        return SessionWriter(self, self.session(session))

class SessionWriter:
    """The right to append to one session; a second one is refused until `close` or the end of the process."""

    def __init__(self, store: Store, stored: StoredSession) -> None:
        self._store = store
        self._stored = stored
        self.session = stored.header.session
        self._connection: Connection | None = None
        self._lock: sqlite3.Connection | None = None
        self._file: Identity | None = None
        self._saved: Path | None = None  # where everything is when the file was taken away
        self._turn = threading.Lock()  # the connection is used by one thread at a time
        try:
            with store.database.trouble():
                self._acquire()
        except CompanionError:
            self.close()
            raise

    def append(self, *records: LogRecord) -> None:
        """Write the records in one transaction, on the disk before this returns.

        Raises StoreError when that failed: then ask `head` whether they were written before trying again.
        Raises RecordError when a record of that number exists: another program wrote to the session.
        """
        self.check()
        with self._store.database.trouble(), self._transaction() as connection:
            try:
                connection.execute(sa.insert(RECORDS), [record_row(r) for r in records])
            except sa.exc.IntegrityError as error:
                raise RecordError(
                    f"record {records[0].number} of session {self.session} exists already",
                    where=self._store.name,
                    remedy="Another program wrote to this session: open it again.",
                ) from error

    def check(self) -> None:
        """Raises StoreError when the file is not the one that was opened any more (what it held is saved elsewhere
        then), or the server does not answer."""
        with self._store.database.trouble():
            if self._store.path is None:
                with self._transaction() as connection:
                    connection.execute(sa.text("SELECT 1"))
                return
            if self._connection is None or identity(self._store.path) == self._file:
                return
            with self._turn:
                if self._saved is None:
                    self._saved = saved_elsewhere(self._connection, self._store.path, self.session)
        raise gone(self._store.path, self._saved)

    def head(self) -> tuple[int, str]:
        """Number and hash of the last record that is in the store."""
        stored = self._store.session(self.session)
        return stored.records, stored.head

    def close(self) -> None:
        """Let another writer in."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            if self._lock is None:
                self._unlock_on_server(connection)
            with self._store.database.trouble():
                # The lock belongs to the server's session, which a pool would keep open.
                connection.invalidate()
                connection.close()
        if self._lock is not None:
            lock, self._lock = self._lock, None
            lock.close()

    def __enter__(self) -> SessionWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._turn:
            if self._connection is None:
                self._acquire()
            assert self._connection is not None
            try:
                with self._connection.begin():
                    yield self._connection
            except (sa.exc.SQLAlchemyError, sqlite3.Error):
                # Whether the connection (and with it the lock) still holds is not known: begin afresh next time.
                broken, self._connection = self._connection, None
                with suppress(sa.exc.SQLAlchemyError, sqlite3.Error):
                    broken.invalidate()
                    broken.close()
                raise

    def _acquire(self) -> None:
        if self._store.path is None:
            self._connection = self._lock_on_server()
        else:
            if self._lock is None:
                self._lock = self._lock_beside(self._store.path)
            self._connection = self._store.database.engine.connect()
            self._file = identity(self._store.path)
        who = {"writer": f"process {os.getpid()} on {platform.node()}"}
        with self._connection.begin():
            self._connection.execute(sa.update(SESSIONS).where(SESSIONS.c.session == self.session), who)

    def _lock_beside(self, store_path: Path) -> sqlite3.Connection:
        """An exclusive lock on a file of its own, which the system lets go when the process ends, however it ends."""
        folder = store_path.with_name(store_path.name + ".locks")
        folder.mkdir(exist_ok=True, mode=0o700)
        lock = sqlite3.connect(folder / self.session, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            raise self._taken() from error
        return lock

    def _lock_on_server(self) -> Connection:
        connection = self._store.database.engine.connect()
        with connection.begin():
            got = connection.execute(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": lock_key(self.session)})
            if got.scalar():
                return connection
        connection.close()
        raise self._taken()

    def _unlock_on_server(self, connection: Connection) -> None:
        """Let the lock go now: a busy server notices only later that a connection was closed."""
        with suppress(sa.exc.SQLAlchemyError):  # a broken connection has let it go, or will when the server notices
            connection.rollback()
            connection.execute(sa.text("SELECT pg_advisory_unlock(:key)"), {"key": lock_key(self.session)})

    def _taken(self) -> WriterTakenError:
        with self._store.database.engine.connect() as connection:
            query = sa.select(SESSIONS.c.writer).where(SESSIONS.c.session == self.session)
            who = connection.execute(query).scalar()
        return WriterTakenError(
            f"session {self.session} is being played by {who}",
            where=self._store.name,
            remedy="One program at a time writes a session: end that one, or look with `companion status`.",
        )
