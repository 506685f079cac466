"""The end of a game and what stays of it: ranking and reason, clocks and pause, the history, the same people again."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from web_kit import NAMES, Caller, deal, fresh_key, hosting, make_app, play_on

from companion.app.files.played import READING_S, Played
from companion.core.types import Result, ScoreLine, Seat, SeatScore
from companion.games import find_game
from companion.table.outcome import AHEAD, ALL_LOST, SHARED, TIE_BROKEN, TOGETHER, places, why
from companion.table.record.thinking import Thinking, by_round
from web.ports.tables import SetupChoice

A, B, C = Seat.A, Seat.B, Seat.C


def ended(winners: str, *scores: tuple[int, ...]) -> Result:
    """A result: for each seat its total and what breaks ties."""
    rows = tuple(
        SeatScore(Seat(i), (ScoreLine("E65", "", total),), total, tuple(more))
        for i, (total, *more) in enumerate(scores)
    )
    return Result("E61", rows, tuple(Seat[letter] for letter in winners), "E67")


REASONS = [
    ("envyra", ended("A", (30, 5, 0), (25, 9, 1), (25, 2, 0)), AHEAD, {"more": 5, "others": (B, C)}),
    ("envyra", ended("B", (30, 5, 0), (30, 9, 0), (12, 0, 1)), TIE_BROKEN, {"what": "set points", "own": 9}),
    ("envyra", ended("A", (30, 5, 1), (30, 5, 0)), TIE_BROKEN, {"what": "the End tile", "own": 1, "other": 0}),
    ("envyra", ended("AB", (30, 5, 0), (30, 5, 0)), SHARED, {"players": (A, B), "points": 30}),
    ("rifts", ended("AB", (3, 1), (2, 9)), TOGETHER, {}),
    ("rifts", ended("", (3, 1), (2, 9)), ALL_LOST, {}),
]


@pytest.mark.parametrize(("game", "result", "message", "facts"), REASONS)
def test_why_it_ended_so_is_said_in_words(game: str, result: Result, message: str, facts: dict[str, object]) -> None:
    said, with_facts = why(find_game(game), result)
    assert said == message
    assert facts.items() <= dict(with_facts).items()


def test_equal_players_share_a_place() -> None:
    found = places(ended("B", (25, 1, 0), (30, 1, 0), (25, 1, 0)))
    assert [(place, score.seat) for place, score in found] == [(1, B), (2, A), (2, C)]


def test_time_is_of_who_is_awaited_and_a_pause_is_nobodys() -> None:
    spans = [(0, (A, B)), (4000, (B,)), (9000, ()), (60_000, (A,)), (59_000, (A,)), (61_000, ())]
    thinking = Thinking()
    for span in spans:
        thinking = thinking.after(span)
    # 4 s for both, 5 s for B, a pause of 51 s, then 0 s while the clock went back and 2 s
    assert thinking.used_ms == {A: 6000, B: 9000}
    assert by_round(spans, [1, 1, 1, 2, 2, 2]) == {1: {A: 4000, B: 9000}, 2: {A: 2000}}


def test_a_finished_game_is_ranked_kept_and_begun_again_with_the_same_phones(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        play_on(host, 3)
        app = make_app(host)
        referee, phone, anyone = Caller(app, "referee"), Caller(app, "A", host), Caller(app)
        running = anyone.get("/api/history").get_json()
        assert running["games"][0]["players"] == [{"name": name} for name, _ in NAMES[:2]]  # of a running game no more
        assert running["players"] == []
        play_on(host, 400)
        result = anyone.state()["result"]
        assert result["ranking"][0]["place"] == 1
        assert result["why"].startswith(("Žofia", "Ján"))
        history = anyone.get("/api/history").get_json()
        (game,) = history["games"]
        totals = {row["name"]: row["total"] for row in game["players"]}
        assert totals == {name: row["total"] for (name, _), row in zip(NAMES, anyone.state()["scores"], strict=False)}
        assert {row["name"]: row["games"] for row in history["players"]} == {"Žofia": 1, "Ján": 1}
        assert sum(row["won"] for row in history["players"]) == len(result["winners"])
        for page in ("/result", "/history"):
            assert anyone.http.get(page).status_code == 200
        assert Caller(app, "B", host).post("/api/again", **{"as": "B"}).status_code == 403
        before = host.table.session.header.session
        assert referee.post("/api/again", **{"as": "referee"}).status_code == 200
        assert host.table.session.header.session != before
        assert [seat["name"] for seat in anyone.state()["seats"]] == ["Žofia", "Ján"]
        assert phone.http.get("/api/state?as=A").status_code == 200  # the cookie of the game before
        assert Caller(app).http.get("/api/state?as=A").status_code == 401
        assert referee.post("/api/seats/code", **{"as": "referee", "do": "renew"}, seat="A").status_code == 200
        assert phone.http.get("/api/state?as=A").status_code == 401


def test_clocks_are_off_until_asked_for_and_everybody_can_pause(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        deal(host)
        app = make_app(host)
        referee, phone = Caller(app, "referee"), Caller(app, "A", host)

        def note(caller: Caller, topic: str, text: str = "") -> int:
            body = {"as": caller.role, "topic": topic, "text": text, "key": fresh_key()}
            return int(caller.post("/api/note", **body).status_code)

        assert phone.state()["clock"] is None
        assert note(phone, "clock", "20") == 403
        assert note(referee, "clock", "soon") == 400
        assert note(referee, "clock", "20") == 200
        clock = phone.state()["clock"]
        assert (clock["limit_ms"], clock["running"]) == (20 * 60_000, ["A", "B"])
        assert note(phone, "pause") == 200
        assert (phone.state()["paused"], phone.state()["clock"]["running"]) == (True, [])
        assert note(phone, "resume") == 200
        assert phone.play("A choose r1c1 r1c2").status_code == 200
        assert phone.state()["clock"]["running"] == ["B"]  # who has confirmed is not waited for
        assert note(phone, "dispute") == 403
        assert Caller(app).get("/api/charts").get_json()["times"][0]["by"].keys() == {"A", "B"}
        clauses = Caller(app).get("/api/clauses?lang=sk").get_json()["clauses"]
        assert {"E33", "R-05"} <= {clause["id"] for clause in clauses}


def test_history_reads_a_while_and_goes_on_with_the_next_request(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        for _ in range(3):
            host.begin(SetupChoice("envyra", NAMES[:2]))
        ticks = count(0, READING_S * 0.6)
        played = Played(host._store, lambda: next(ticks))
        assert [played.rows()[1] for _ in range(3)] == [2, 1, 0]
