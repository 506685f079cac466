"""Fixtures of the table's tests: a place for a record, on SQLite and on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system("postgresql"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once for each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "record.sqlite")
    address: str = request.getfixturevalue("postgres_server").new_place()
    return address
