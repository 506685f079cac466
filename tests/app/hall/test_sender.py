"""The sender as a companion runs it: a thread over a real connection, with the hub's own certificate."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hall_kit import a_hall
from web_kit import hosting

from companion.app.cli import cli, gather
from companion.app.files.settings import Settings
from companion.app.hall.around import StandingFile
from companion.app.hall.hub_link import HubLink, HubLinkError, certificate_to_trust
from companion.app.hall.join_file import Joined, JoinFile
from companion.app.hub.serve import serving_hub
from companion.core.errors import DataError
from companion.hub.hall import Hall, wall_ms
from companion.table.commands import Note, Topic

pytestmark = pytest.mark.system("postgresql")


@pytest.fixture
def served(postgres_server: Any, tmp_path: Path) -> Iterator[tuple[Hall, str]]:
    """A hall and its https address."""
    with a_hall(postgres_server.new_place()) as (hall, clock):
        clock.now_ms = wall_ms()
        with serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=tmp_path / "tls") as where:
            yield hall, where.url


def until(true: Callable[[], bool]) -> None:
    """Wait for what another thread does; a minute means that it never will."""
    end_s = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end_s
        time.sleep(0.02)


def run(folder: Path, *words: str) -> Any:
    """A command with its data in `folder`."""
    gather()
    return CliRunner(env={"COMPANION_DATA_DIR": str(folder)}).invoke(cli, list(words))


def test_a_table_joins_delivers_what_is_played_and_says_so(served: tuple[Hall, str], tmp_path: Path) -> None:
    hall, url = served
    folder = tmp_path / "table"
    code = hall.tables.new_code(hall.tables.add("7", hall.clock_ms()), hall.clock_ms())
    assert run(folder, "hall", "status").output == "This table belongs to no hall.\n"
    joined = run(folder, "hall", "join", url, code)
    assert "This is table “7”" in joined.output, joined.output
    assert JoinFile(Settings(data_dir=str(folder))).path.stat().st_mode & 0o077 == 0
    with hosting(folder) as host:
        session = host.table.session
        until(lambda: [(d.session, d.number) for d in hall.intake.deliveries()] == [
            (session.header.session, session.number)])
        until(lambda: host.setup.hall is not None and host.setup.hall().state == "ok")
        shown = json.loads(hall.database.rows("SELECT status FROM hall_statuses")[0]["status"])
        assert [seat["name"] for seat in shown["page"]["seats"]] == ["Žofia", "Ján", "Mária"]
        assert "actions" not in shown["page"]
        assert shown["health"]["camera"]["state"] == "off"
        until(lambda: StandingFile(folder / "hall").read() is not None)
    assert "Everything is delivered" in run(folder, "hall", "status").output
    assert "Everything is delivered" in run(folder, "status").output
    assert "no hall any more" in run(folder, "hall", "leave").output
    assert json.loads(run(folder, "hall", "status", "--json").output)["hall"] is None


def test_a_table_whose_hub_is_away_plays_and_ends_at_once(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        JoinFile(settings).write(Joined(url, 1, "7", "key", "", 0))
        with hosting(tmp_path) as host:
            assert host.setup.hall is not None
            until(lambda: host.setup.hall().facts["waiting"] == host.table.session.number)
            assert host.setup.hall().state == "wait"
            began_s = time.monotonic()
        assert time.monotonic() - began_s < 10


def test_only_the_certificate_of_the_joining_is_taken(served: tuple[Hall, str]) -> None:
    url = served[1]
    known = certificate_to_trust(url)
    assert len(known) == 64
    with pytest.raises(HubLinkError, match="another certificate"):
        HubLink(url, "0" * 64).post("/api/table/join", {})
    with pytest.raises(HubLinkError, match="cannot be reached"):
        HubLink(url).post("/api/table/join", {})


def test_a_wrong_code_is_refused_and_nothing_is_kept(served: tuple[Hall, str], tmp_path: Path) -> None:
    refused = run(tmp_path / "table", "hall", "join", served[1], "AAAA-AAAA-AAAA")
    assert refused.exit_code == 1
    assert "wrong, used or too old" in str(refused.exception)
    assert not (tmp_path / "table" / "hall").exists()


def test_a_damaged_join_file_says_what_to_do(tmp_path: Path) -> None:
    joins = JoinFile(Settings(data_dir=str(tmp_path)))
    joins.path.parent.mkdir()
    joins.path.write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="join again with a new code"):
        joins.read()


def test_a_machine_with_the_tables_bundle_goes_on_at_the_hub(served: tuple[Hall, str], tmp_path: Path) -> None:
    hall, url = served
    number = hall.tables.add("7", hall.clock_ms())
    folders = tmp_path / "first", tmp_path / "second"
    bundle = tmp_path / "game.zip"
    for folder, begins in zip(folders, (True, False), strict=True):
        run(folder, "hall", "join", url, hall.tables.new_code(number, hall.clock_ms()))
        if not begins:
            assert run(folder, "import", str(bundle)).exit_code == 0
        with hosting(folder, game=begins) as host:
            if not begins:
                host.resume(hall.intake.deliveries()[0].session)
            session = host.table.session
            assert session.ask(Note(topic=Topic.REMARK, text="here")).accepted
            until(lambda session=session: [(d.number, d.opened, d.fork) for d in hall.intake.deliveries()] == [
                (session.number, session.number, "")])
        if begins:
            assert run(folder, "bundle", session.header.session, str(bundle)).exit_code == 0
    assert session.number == 3
