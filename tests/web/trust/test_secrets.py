"""Secrets on the wire: what one seat chose or holds is in no answer, stream or log that another client gets."""

from __future__ import annotations

import json
import logging
import re
import threading
from pathlib import Path

import pytest
from web_kit import Caller, StillCamera, deal, hosting, make_app, taken

from web.routes import ROUTES

CHOSEN = ("r1c2", "r2c3")
BESIDE = re.compile(r'"(time_ms|created_ms|now_ms)": ?\d+|"times": ?\[[^\]]*\]|"token": "[^"]+"')
"""What differs between any two games: clocks, how long players took, and tokens."""


OF_NO_GAME = ("openapi", "sheets", "doctor_look", "doctor_report")
"""The machine's own state, which changes by itself, and sheets to print, with their date."""


def looks(caller: Caller) -> dict[str, str]:
    """Everything that a client may ask for by GET, as text; streams are read apart."""
    number = caller.state()["number"]
    found = {}
    for route in ROUTES:
        if route.method != "GET" or route.call in OF_NO_GAME or route.answers == "text/event-stream":
            continue
        paths = [route.path.replace("<name>", "envyra")]
        if "<int:number>" in route.path:
            paths = [route.path.replace("<int:number>", str(n)) for n in range(max(1, number - 6), number + 1)]
        for path in paths:
            found[path] = caller.get(path).get_data(as_text=True)
    for page in ("/", "/table", "/referee", "/draws", "/record", "/charts", "/sheet", "/seat/A", "/seat/B", "/setup"):
        found[page] = caller.http.get(page).get_data(as_text=True)
    return found


def streamed(caller: Caller, enough: int, act) -> str:
    """The stream of a client from its opening until `enough` events came after `act` was done."""
    answer = caller.http.get(f"/api/stream{f'?as={caller.role}' if caller.role else ''}", buffered=False)
    chunks, done = [], threading.Event()
    events = iter(answer.response)
    for chunk in events:
        chunks.append(chunk.decode())
        if not done.is_set() and "event: state" in chunks[-1]:
            act()
            done.set()
        if done.is_set() and "".join(chunks).count("event: record") >= enough:
            break
    answer.close()
    return "".join(chunks)


def watched(folder: Path, watcher: str | None, chosen: tuple[str, ...], caplog: pytest.LogCaptureFixture) -> dict:
    """All that `watcher` gets, and what is logged, while and after A chooses `chosen`; without times and tokens."""
    caplog.clear()
    with hosting(folder) as host:
        deal(host)
        app = make_app(host)
        chooser, other = Caller(app, "A", host), Caller(app, watcher, host)
        text = f"A choose {' '.join(chosen)}"

        def choose() -> None:
            assert taken(chooser.play(text))

        wire = streamed(other, 1, choose)
        assert '"hidden": true' in wire
        assert chooser.state()["view"]["seats"][0]["board"] == list(chosen)
        own = chooser.get("/api/records?after=1").get_json()["records"][-1]
        assert own["body"]["text"] == text
        found = {**looks(other), "stream": wire, "log": caplog.text}
    return {
        where: BESIDE.sub("", text.replace(str(folder), ""))
        for where, text in found.items()
    }


@pytest.mark.parametrize("watcher", [None, "B", "referee"])
def test_nothing_that_others_get_depends_on_a_choice_of_phase_one(
    tmp_path: Path, watcher: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    one, other = (
        watched(tmp_path / name, watcher, chosen, caplog) for name, chosen in (("one", CHOSEN), ("other", ("r3c1",)))
    )
    assert one.keys() == other.keys()
    for where, text in one.items():
        assert text == other[where], where


def test_secret_cards_and_what_their_draws_tell_stay_with_their_seats(tmp_path: Path) -> None:
    with hosting(tmp_path, 3, options=(("equilibrium", "b"),)) as host:
        app = make_app(host)
        referee = Caller(app, "referee")
        for step in ("commit", "close", "seal"):
            assert referee.post("/api/bag", **{"as": "referee"}, step=step).status_code == 200
        assert referee.post("/api/bag/automatic", **{"as": "referee"}, on=True).status_code == 200
        seats = {letter: Caller(app, letter, host) for letter in "ABC"}
        cards = {x: c.state()["view"]["seats"]["ABC".index(x)]["secret_card"]["id"] for x, c in seats.items()}
        assert len(set(cards.values())) == 3
        for letter, caller in {**seats, "referee": referee, "nobody": Caller(app)}.items():
            for where, text in looks(caller).items():
                for owner, card in cards.items():
                    # every card has its name in the table's words, whoever holds it: there it is a key
                    told = re.search(rf'"{card}"(?! ?:)', text) or f"hand {owner} {card}" in text
                    assert not told or letter == owner or "faces" in where, f"{letter} sees {owner}'s card in {where}"
        records = seats["A"].get("/api/records").get_json()["records"]
        hand = [r for r in records if r["hidden"] or r["body"].get("text", "").startswith("hand ")]
        assert len(hand) == 3
        assert all("proof" not in record["cause"]["detail"] for record in hand)


def test_the_camera_shows_nothing_while_players_place_in_secret(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        host.camera = StillCamera()
        deal(host)
        app = make_app(host)
        referee = Caller(app, "referee")
        assert referee.get("/api/camera/picture").get_json()["refused"]["code"] == "hidden"
        for letter in "ABC":
            referee.play(f"{letter} confirm")
        assert referee.get("/api/camera/picture").mimetype == "image/jpeg"


def test_a_stream_goes_on_after_the_last_event_that_was_seen(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        deal(host)
        app = make_app(host)
        referee = Caller(app, "referee")
        seen = referee.state()["number"]
        for letter in "ABC":
            referee.play(f"{letter} confirm")
        assert host.table is not None
        session = host.table.session.header.session
        answer = app.test_client().get(
            "/api/stream", headers={"Last-Event-ID": f"{session}:{seen}"}, buffered=False
        )
        text = ""
        for chunk in answer.response:
            text += chunk.decode()
            if f"id: {session}:{seen + 3}" in text:
                break
        answer.close()
        numbers = [json.loads(line[6:])["number"] for line in text.splitlines() if '"sentence"' in line
                   and line.startswith("data: ") and '"hidden"' in line]
        assert numbers == [seen + 1, seen + 2, seen + 3]


def test_a_stream_without_a_table_waits_for_one(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        app = make_app(host)
        referee = Caller(app, "referee")
        answer = app.test_client().get("/api/stream", buffered=False)
        events = iter(answer.response)
        text = ""
        while "event: devices" not in text:
            text += next(events).decode()
        seats = [{"name": "Ľuboš", "colour": "pink"}, {"name": "Žaneta", "colour": "gray"}]
        begun = referee.post("/api/begin", **{"as": "referee"}, game="envyra", seats=seats)
        assert begun.status_code == 200
        assert b"event: moved" in b"".join(events)
        answer.close()
