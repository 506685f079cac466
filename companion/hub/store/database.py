"""The hub's database: transactions, notices to every process that listens, and trouble in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from companion.core.digest import canonical_json
from companion.table.record.store_address import store_url
from companion.table.record.trouble import StoreError, explain

CHANNEL = "hall"
"""The one channel of LISTEN and NOTIFY; a notice says its kind itself."""

NOTICE_MOST_BYTES = 7900
"""PostgreSQL takes 8,000 bytes at most (https://www.postgresql.org/docs/current/sql-notify.html)."""

CONNECTIONS = 8
"""Connections that are kept open; as many again are opened while all are in use."""
WAIT_S = 5.0
"""How long a request waits for a connection before the hub says that it is busy."""
CONNECT_S = 5
"""How long a server that does not answer is waited for."""

Row = Mapping[str, Any]


class Database:
    """A PostgreSQL database, by its address. For any thread. Raises StoreError when it is none or cannot be used."""

    def __init__(self, where: str) -> None:
        url = store_url(where)
        if url.get_backend_name() != "postgresql":
            raise StoreError(
                f"{url.render_as_string()!r} is no address of a PostgreSQL database",
                remedy="Expected postgresql://USER@HOST/DATABASE.",
            )
        self.name = url.render_as_string(hide_password=True)
        self.engine: Engine = sa.create_engine(
            url, pool_pre_ping=True, pool_size=CONNECTIONS, max_overflow=CONNECTIONS, pool_timeout=WAIT_S,
            connect_args={"connect_timeout": CONNECT_S},
        )

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction, committed at the end; notices in it are sent then. Raises StoreError when it failed."""
        with self.trouble(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn what the database reports into a StoreError that says what to do."""
        try:
            yield
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise explain(error, self.name) from error

    def rows(self, query: str, **values: Any) -> list[Row]:
        """The rows of a query that is a transaction of its own."""
        with self.transaction() as connection:
            return rows(connection, query, **values)

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


def rows(connection: Connection, query: str, **values: Any) -> list[Row]:
    """The rows of a query, each by its columns' names; `:name` in it stands for a value. For statements too."""
    result = connection.execute(sa.text(query), values)
    return [dict(row) for row in result.mappings()] if result.returns_rows else []


def notify(connection: Connection, kind: str, **facts: Any) -> None:
    """Tell every process that listens, once this transaction is committed. Raises ValueError for a long notice: it
    names what has changed, whoever hears of it reads the rest."""
    text = canonical_json({"kind": kind, **facts})
    if len(text.encode()) > NOTICE_MOST_BYTES:
        raise ValueError(f"a notice has at most {NOTICE_MOST_BYTES} bytes, got {len(text.encode())}")
    rows(connection, "SELECT pg_notify(:channel, :text)", channel=CHANNEL, text=text)
