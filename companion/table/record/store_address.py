"""Where a store is: an SQLite file or a PostgreSQL database, named by a path or an address."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from companion.table.record.trouble import StoreError

ADDRESSES = "Expected a path, sqlite:///PATH or postgresql://USER@HOST/DATABASE."


def store_url(where: str | Path) -> URL:
    """The address of the store `where`. Raises StoreError when it is none, or its driver is missing."""
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    try:
        url = make_url(text)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise StoreError(f"{text!r} is no address of a store", remedy=ADDRESSES) from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database and url.database != ":memory:":
        return url
    if url.drivername != "postgresql+psycopg":
        raise StoreError(f"{text!r} is no address of a store", remedy=ADDRESSES)
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise StoreError("PostgreSQL needs the package psycopg", remedy="pip install 'psycopg[binary]'") from error
    return url
