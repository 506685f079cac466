"""The record's file or server is gone in play: the pages show the last state and the trouble, acts are refused."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_kit import NAMES, Caller, deal, fresh_key, hosting, make_app, taken

from companion.app.commands.game.serve import _go_on
from companion.app.dashboard.host import Host
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.i18n import localize
from companion.table.record.store import SessionWriter
from companion.table.record.trouble import explain
from web.ports.tables import SetupChoice
from web.texts import translator


def shows_the_trouble(app, host: Host, seat: Caller) -> None:
    """Every page and the state are there with the last state; an act is refused as not saved."""
    number = host.table.session.number
    refused = seat.play("A confirm", expected=number)
    assert refused.status_code == 503
    assert refused.get_json()["error"]["code"] == "unsaved"
    for caller in (seat, Caller(app)):
        state = caller.get("/api/state")
        assert state.status_code == 200
        assert state.get_json()["trouble"]
        assert state.get_json()["number"] == number
    for page in ("/", "/table", "/referee", "/draws", "/record", "/seat/A", "/setup"):
        assert seat.http.get(page).status_code == 200
    stream = seat.http.get("/api/stream?as=A", buffered=False)
    text = ""
    for chunk in stream.response:
        text += chunk.decode()
        if "event: state" in text:
            break
    stream.close()
    assert '"trouble": ""' not in text


def test_pages_live_on_when_the_file_is_removed(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        deal(host)
        app = make_app(host)
        seat = Caller(app, "A", host)
        (tmp_path / "sessions.sqlite").unlink()
        shows_the_trouble(app, host, seat)


def test_a_full_disk_is_told_in_the_language_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_records: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"  # as SQLite says it
        raise explain(error, "sessions.sqlite")

    with hosting(tmp_path) as host:
        deal(host)
        seat = Caller(make_app(host), "A", host)
        monkeypatch.setattr(SessionWriter, "append", full)
        body = {"as": "A", "texts": ["A choose r1c1"], "expected": seat.state()["number"], "key": fresh_key()}
        refused = seat.post("/api/play?lang=sk", **body).get_json()["error"]
        assert (refused["message"], refused["remedy"]) == (
            "disk je plný (database or disk is full)", "Uvoľnite miesto a skúste to znova."
        )
        trouble = "sessions.sqlite: disk je plný (database or disk is full). Uvoľnite miesto a skúste to znova."
        assert seat.get("/api/state?lang=sk").get_json()["trouble"] == trouble


@pytest.mark.parametrize(("number", "said"), [
    (errno.EROFS, "tento disk sa dá len čítať"),
    (errno.EACCES, "do súboru alebo priečinka sa nesmie zapisovať"),
    (errno.ENOSPC, "disk je plný"),
])
def test_what_the_system_refuses_is_told_in_the_language_of_the_page(number: int, said: str) -> None:
    told = explain(OSError(number, os.strerror(number)), "sessions.sqlite").said
    localized = localize(told, translator("sk"))
    assert localized.startswith(f"sessions.sqlite: {said} ({os.strerror(number)}). ")
    assert "COMPANION_STORE" in localized or "Uvoľnite miesto" in localized


@pytest.fixture
def server() -> Iterator[object]:
    from postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.remove()


@pytest.mark.system("postgresql")
def test_pages_live_on_when_the_server_stops_and_go_on_when_it_is_back(server, tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path), store=server.new_place())
    with open_store(settings) as store:
        host = open_host(store, settings)
        host.begin(SetupChoice("envyra", NAMES[:3]))
        try:
            deal(host)
            app = make_app(host)
            seat = Caller(app, "A", host)
            number = host.table.session.number
            server.stop()
            shows_the_trouble(app, host, seat)
            server.start()
            assert taken(seat.play("A confirm", expected=number))
            assert seat.state()["trouble"] == ""
        finally:
            host.close()


def test_pages_say_why_the_last_game_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object) -> None:
        raise explain(OSError(errno.EROFS, os.strerror(errno.EROFS)), "sessions.sqlite")

    with hosting(tmp_path) as host:
        assert host.table is not None
        session = host.table.session.header.session
    with hosting(tmp_path, game=False) as host:
        app = make_app(host)
        with monkeypatch.context() as gone:
            gone.setattr(SessionWriter, "append", read_only)
            gone.setattr(SessionWriter, "__init__", read_only)
            _go_on(host, session)
        for language, why in (("en", "this disk can only be read"), ("sk", "Posledná hra nepokračuje.")):
            page = Caller(app).get(f"/table?lang={language}").get_data(as_text=True)
            assert why in page
            assert "sessions.sqlite" in page
        host.begin(SetupChoice("envyra", NAMES[:2]))
        assert "sessions.sqlite" not in Caller(app).get("/table").get_data(as_text=True)
