"""A server killed in the middle of requests loses and doubles nothing, and its tokens hold afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.files.settings import Settings
from companion.lab.trials.http_kills import kill_by_http

KILLS = 4
"""In a test run; `companion bench record --http-kills` kills many more."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system("postgresql"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "record.sqlite")
        return
    from postgres_server import PostgresServer

    server = PostgresServer()
    yield server.new_place()
    server.remove()


def test_what_was_told_by_http_is_in_the_record_once(place: str, tmp_path: Path) -> None:
    kills = list(kill_by_http(place, Settings(data_dir=str(tmp_path)), KILLS, seed=5))
    assert len(kills) == KILLS
    assert all(kill.told <= kill.found for kill in kills)
