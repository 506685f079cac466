"""The starting player of the set-up is told to the game when it asks who begins, and not before."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from web_kit import NAMES, Caller, hosting, make_app

from companion.app.game.first_player import asks_who_begins, who_begins
from companion.core.types import Seat
from companion.games import find_game
from companion.table.commands import Play
from web.ports.tables import SetupChoice

WAIT_S = 120.0


def draw_until_asked(session, seed: int = 3) -> None:
    """Make the draws that are due, up to the one that says who begins."""
    random = Random(seed)
    while not who_begins(session.rules, session.state):
        outcomes = session.rules.chance_outcomes(session.state)
        draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        assert session.ask(Play(texts=(session.rules.format(draw),))).accepted


@pytest.mark.parametrize("letter", ["A", "C"])
def test_the_chosen_player_begins_as_soon_as_the_game_asks(tmp_path: Path, letter: str) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("envyra", NAMES[:3], first=letter))
        session = host.current().session
        news = session.subscribe(0)
        draws = 0
        random = Random(3)
        while session.rules.view(session.state, None)["phase"] == "deal":
            outcomes = session.rules.chance_outcomes(session.state)
            draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
            assert session.ask(Play(texts=(session.rules.format(draw),))).accepted
            draws += 1
        last = None
        while last is None or last.number < 1 + draws + 1:
            last = news.get(WAIT_S)
            assert last is not None
        assert dict(last.body)["text"] == f"start {letter}"
        assert session.state.first == Seat[letter]


def test_without_a_choice_it_is_asked(tmp_path: Path) -> None:
    with hosting(tmp_path, 3) as host:
        session = host.current().session
        draw_until_asked(session)
        assert who_begins(session.rules, session.state) == {
            Seat.A: "start A", Seat.B: "start B", Seat.C: "start C"
        }
        number = session.number
        assert session.subscribe(number).get(0) is None


def test_a_seat_that_nobody_has_cannot_begin_and_the_set_up_knows_who_can_be_chosen(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        referee = Caller(make_app(host), "referee")
        seats = [{"name": name, "colour": colour} for name, colour in NAMES[:2]]
        refused = referee.post("/api/begin", **{"as": "referee"}, game="envyra", seats=seats, first="C")
        assert refused.status_code == 400
        assert "nobody sits at C" in refused.get_json()["error"]["message"]
        games = {game["name"]: game for game in referee.get("/api/games").get_json()["games"]}
        assert games["envyra"]["first"]
        assert games["envyra"]["first"] == asks_who_begins(find_game("envyra"))
        corner = next(option for option in games["envyra"]["options"] if option["key"] == "corner")
        assert [value["text"] for value in corner["values"]] == ["top left", "top right", "bottom right", "bottom left"]
