"""The simulated hall: a short evening has no faults, and the check finds what is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hall_kit import a_hall, browser
from hall_table import a_table
from table_kit import play

from companion.lab.hall import checking
from companion.lab.hall.evening import Plan, _latencies, faults_of, run
from companion.lab.hall.proxy import FINE, Links, Weather

ROUND = ("A hide 1", "B hide 2", "token red")


@pytest.mark.system("postgresql")
def test_a_short_evening_with_faults_loses_nothing() -> None:
    found = run(Plan(tables=2, spectators=7, faults_s=3, calm_s=1, kills=1, restarts=1, backlog=30, speed=30, seed=3))
    assert faults_of(found) == {}
    assert found["records"] > 40
    assert found["samples"] > 0
    assert (found["hub_kills"], found["database_restarts"], found["sessions"]) == (1, 1, 3)


@pytest.mark.system("postgresql")
def test_the_check_finds_lost_changed_and_false_records(
    postgres_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_hall(postgres_server.new_place()) as (hall, _), a_table(tmp_path / "t", hall, browser(hall)) as table:
        monkeypatch.setattr(checking, "rules_of", lambda header: (None, table._rules_of(header)))
        session = table.begin()
        play(session, *ROUND, *ROUND, *ROUND)
        table.step()

        def found() -> tuple[int, ...]:
            one = checking.check(hall.database, [table.folder])
            return one.lost, one.doubled, one.disordered, one.false, one.wrong_results

        assert found() == (0, 0, 0, 0, 0)
        assert checking.check(hall.database, [table.folder]).results == 1
        hall.database.rows("UPDATE hall_records SET line = line || ' ' WHERE number = 3")
        assert found()[3] == 1
        hall.database.rows("UPDATE hall_records SET line = NULL WHERE number = 10")
        assert found()[4] == 1
        hall.database.rows("UPDATE hall_records SET commitment = link WHERE number = 4")
        assert found()[2] == 1
        hall.database.rows("DELETE FROM hall_records WHERE number = 10")
        assert found()[0] == 1


def test_the_time_to_a_screen_counts_to_the_first_picture_that_has_the_act() -> None:
    acts = [("1", "s", 2, 10.0), ("1", "s", 3, 10.5), ("2", "s", 2, 10.0)]
    arrivals = [(0, 1, "s", 1, 9.0), (0, 1, "s", 3, 11.0), (0, 1, "s", 3, 12.0), (1, 1, "s", 2, 10.25)]
    assert _latencies(acts, arrivals) == [1.0, 0.25, 0.5]


def test_a_link_carries_bytes_in_both_ways_and_a_cut_ends_it() -> None:
    async def echoed() -> tuple[bytes, bytes]:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(100):
                writer.write(data)
            writer.close()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        links = Links(1, server.sockets[0].getsockname()[1], FINE, 1)
        await links.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", links.ports[0])
        writer.write(b"hello")
        first = await reader.readexactly(5)
        links.weather = Weather(delay_s=0, lost=0, broken=0, cut_part=0.99, cut_s=0.1)
        last = await reader.read(100)
        assert links.cuts == 1
        writer.close()
        await links.close()
        server.close()
        return first, last

    assert asyncio.run(echoed()) == (b"hello", b"")
