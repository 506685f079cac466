"""Every registered game on the pages: its state is JSON for each role, and its table is drawn or laid out by slots."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_kit import NAMES, Caller, hosting, make_app, play_on

import companion.app
from companion.games import find_game, game_names
from web.ports.tables import SetupChoice


@pytest.mark.parametrize("name", game_names())
def test_a_game_begins_from_the_set_up_and_has_a_state_for_every_role(tmp_path: Path, name: str) -> None:
    spec = find_game(name)
    colours = spec.colours or tuple(f"colour {n}" for n in range(spec.min_seats))
    seats = tuple((player, colours[n]) for n, (player, _) in enumerate(NAMES[: spec.min_seats]))
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice(name, seats))
        play_on(host, 6)
        app = make_app(host)
        described = {game["name"]: game for game in Caller(app).get("/api/games").get_json()["games"]}
        assert described[name]["title"] == spec.title
        assert len(described[name]["options"]) == len(spec.options)
        for caller in (Caller(app), Caller(app, "referee"), Caller(app, "A", host)):
            state = caller.state()
            assert (state["game"], len(state["seats"])) == (name, spec.min_seats)
            assert state["board"] is None or state["board"]["slots"]
            assert bool(state["beside"]) == (spec.beside_board is not None)
            for page in ("/table", "/sheet", "/record"):
                assert caller.http.get(page).status_code == 200
        assert Caller(app).get("/api/charts").status_code == 200


def test_a_game_goes_on_without_a_camera_that_cannot_follow_it(tmp_path: Path) -> None:
    film = Path(companion.app.__file__).parent / "demo" / "film"
    with hosting(tmp_path, game=False, camera=f"replay:{film}") as host:
        app = make_app(host)
        seats = [{"name": name, "colour": colour} for name, colour in NAMES[:3]]
        answer = Caller(app, "referee").post("/api/begin", **{"as": "referee"}, game="envyra", seats=seats)
        assert answer.status_code == 409
        assert "another game" in answer.get_json()["error"]["message"]
        assert len(Caller(app).state()["seats"]) == 3
        assert Caller(app).get("/api/devices").get_json()["camera"] is None


def test_a_phone_of_a_larger_game_is_asked_to_join_the_smaller_one(tmp_path: Path) -> None:
    with hosting(tmp_path, players=2) as host:
        http = make_app(host).test_client()
        for page in ("/seat/B", "/seat/C", "/draws?seat=C"):
            assert http.get(page).status_code == 200, page
        asked = http.get("/seat/C", headers={"Accept": "text/html"}).get_data(as_text=True)
        assert 'id="join"' in asked  # a page that hears of the next game, and goes on by itself
