"""Fixtures of the table's tests: a place for a record, on SQLite and on PostgreSQL; a store, and a session in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from table_kit import ScriptedBag, begin

from companion.table.record.store import Store
from companion.table.session import Session


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system("postgresql"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once for each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "record.sqlite")
    address: str = request.getfixturevalue("postgres_server").new_place()
    return address


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "record.sqlite") as opened:
        yield opened


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    with begin(store, bag=ScriptedBag(0, 1, 0)) as opened:
        yield opened
