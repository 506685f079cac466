"""Operating a hub: backup and restore by pg_dump, metrics, units and compose file that name what exists."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import click
import psycopg
import pytest
import yaml
from hall_kit import a_hall, browser
from hall_table import a_table
from table_kit import play

from companion.app.commands.hall.hub import hub

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "docs" / "install" / "hall"
ROUND = ("A hide 1", "B hide 2", "token red")


@pytest.mark.system("postgresql")
def test_a_restored_backup_gets_what_came_after_it_from_the_table(postgres_server: Any, tmp_path: Path) -> None:
    server, dump = postgres_server, tmp_path / "hall.dump"
    before, after = (_database(server, name) for name in ("before", "after"))
    with a_hall(before) as (hall, clock), a_table(tmp_path / "t", hall, browser(hall)) as table:
        session = table.begin()
        play(session, *ROUND)
        table.step()
        subprocess.run([server.program("pg_dump"), "-Fc", "-f", dump, before], check=True)
        play(session, *ROUND)
        table.step()
        subprocess.run([server.program("pg_restore"), "-d", after, dump], check=True)
        with a_hall(after) as (restored, _):
            assert [one.number for one in restored.intake.deliveries()] == [4]
            table.link._client = browser(restored)
            play(session, "A hide 3")
            clock.now_ms += 60_000
            table.step()
            assert table.step() == ""
            assert [one.number for one in restored.intake.deliveries()] == [8]
            assert restored.staff.with_pin("47110312") is not None


def _database(server: Any, name: str) -> str:
    address = server.new_place().partition("?")[0]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.rpartition("/")[0] + f"/{name}"


@pytest.mark.system("postgresql")
def test_metrics_count_tables_records_and_requests_without_names(postgres_server: Any, tmp_path: Path) -> None:
    with a_hall(postgres_server.new_place()) as (hall, clock):
        client = browser(hall)
        with a_table(tmp_path / "t", hall, client, name="secret name") as table:
            play(table.begin(), *ROUND)
            table.step()
            clock.now_ms += 60_000
            text = client.get("/metrics").get_data(as_text=True)
    found = dict(re.findall(r"^(companion_hub_\w+) (\S+)$", text, re.MULTILINE))
    assert found["companion_hub_tables_joined"] == "1.0"
    assert found["companion_hub_tables_away"] == "1.0"
    assert found["companion_hub_records"] == "4.0"
    assert found["companion_hub_backlog_records"] == "0.0"
    assert 'companion_hub_request_seconds_count{route="/api/table/report"}' in text
    assert "secret name" not in text


def test_the_unit_and_the_compose_file_start_the_hub_with_options_that_exist() -> None:
    unit = (INSTALL / "companion-hub.service").read_text(encoding="utf-8")
    words = shlex.split(re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)[0])
    composed = yaml.safe_load((INSTALL / "compose.yaml").read_text(encoding="utf-8"))
    service = composed["services"]["hub"]
    for command in (words[1:], service["command"]):
        assert command[0] == "hub"
        hub.make_parser(click.Context(hub)).parse_args(list(command[1:]))
    assert "COMPANION_HUB_DATABASE=postgresql://" in unit
    assert service["environment"]["COMPANION_HUB_DATABASE"].startswith("postgresql://")
    assert (INSTALL / service["build"]["context"] / service["build"]["dockerfile"]).exists()
