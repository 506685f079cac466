"""The database under a store: opened, made when it is new, read in a copy where it may not be written."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine

from companion.core.errors import CompanionError, DataError, RecordError
from companion.table.record.rescue import readable_copy
from companion.table.record.store_address import store_url
from companion.table.record.store_tables import META, METADATA, RECORDS, STORE_SCHEMA
from companion.table.record.trouble import StoreError, explain, may_not_write

BUSY_S = 5.0
"""How long another program's short transaction is waited for before the store counts as locked."""


class Database:
    """An SQLite file or a PostgreSQL database with the tables of a store.

    `where` is a path, `sqlite:///PATH` or `postgresql://USER@HOST/DATABASE`. Raises StoreError when it cannot be
    opened, RecordError when it is damaged or of a later schema. With `may_read` a file that may not be written is
    opened all the same, to be read as it is now.
    """

    def __init__(self, where: str | Path, *, busy_s: float = BUSY_S, may_read: bool = False) -> None:
        self.url = store_url(where)
        self.name = self.url.render_as_string(hide_password=True)
        self.path: Path | None = None
        self._unwritable: StoreError | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if self.url.get_backend_name() != "sqlite":
            self.engine = sa.create_engine(self.url, pool_pre_ping=True)
            self._begin()
            return
        self.path = Path(self.url.database or "")
        self.name = str(self.path)
        try:
            self.engine = self._sqlite_engine(self.path, busy_s)
            self._begin()
        except StoreError as error:
            if not may_read:
                raise
            self._read_only(self.path, busy_s, error)

    def _begin(self) -> None:
        try:
            with self.trouble():
                self._prepare()
        except CompanionError:
            self.engine.dispose()
            raise

    def _read_only(self, path: Path, busy_s: float, error: StoreError) -> None:
        """A store that may be read and not written is read in a copy. Raises `error` when there is no such store."""
        self._copy = readable_copy(path) if may_not_write(error) else None
        if self._copy is None:
            raise error
        self._unwritable = error
        copied = Path(self._copy.name) / path.name
        self.engine = self._sqlite_engine(copied, busy_s)
        try:
            self._begin()
        except CompanionError:
            self._copy.cleanup()
            raise

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()
        if self._copy is not None:
            self._copy.cleanup()

    def check_writable(self) -> None:
        """Raises StoreError when this store is only read."""
        if self._unwritable is not None:
            raise self._unwritable

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn what the database reports into a StoreError or RecordError that says what to do."""
        try:
            yield
        except UnicodeError as error:
            raise DataError("a session's name is plain text", where=self.name) from error
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise explain(error, self.name) from error

    @contextmanager
    def connected(self, **options: str) -> Iterator[Connection]:
        """A connection with these execution options. What goes wrong with it is told as by `trouble`."""
        with self.trouble(), self.engine.connect().execution_options(**options) as connection:
            yield connection

    def _sqlite_engine(self, path: Path, busy_s: float) -> Engine:
        with self.trouble():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The file may hold a bag's secret until the game ends: for its owner only.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600))
        engine = sa.create_engine(self.url.set(database=str(path)), connect_args={"timeout": busy_s})
        event.listen(engine, "connect", _on_sqlite_connect)
        event.listen(engine, "begin", _on_sqlite_begin)
        return engine

    def _prepare(self) -> None:
        """Make the tables in an empty store; refuse one that this program does not know."""
        begin = {"companion_begin": "BEGIN IMMEDIATE"}
        with self.engine.connect().execution_options(**begin) as connection, connection.begin():
            if self.path is None:
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_key("schema")})
            there = sa.inspect(connection).get_table_names()
            if META.name not in there:
                if RECORDS.name in there:
                    raise RecordError("the store has records but no schema number", where=self.name)
                METADATA.create_all(connection)
                connection.execute(sa.insert(META), {"key": "schema", "value": str(STORE_SCHEMA)})
            found = connection.execute(sa.select(META.c.value).where(META.c.key == "schema")).scalar()
        if found != str(STORE_SCHEMA):
            raise RecordError(
                f"the store has schema {found}, this companion knows {STORE_SCHEMA}",
                where=self.name,
                remedy="Update the companion, or choose another store (setting `store`, COMPANION_STORE).",
            )


def _on_sqlite_connect(connection: Any, _record: object) -> None:
    # The driver would begin transactions on its own, and late; `begin` below does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _on_sqlite_begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("companion_begin", "BEGIN"))


def lock_key(name: str) -> int:
    """A number for PostgreSQL's advisory locks (signed 64 bits) out of a name."""
    return int.from_bytes(hashlib.sha256(f"tabletop-companion {name}".encode()).digest()[:8], "big", signed=True)
