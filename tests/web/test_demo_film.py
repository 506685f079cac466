"""The demo's film: held, gone on with and played again from the page; its tiles in their own art."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
from web_kit import Caller, hosting, make_app

import companion.app
from companion.app.dashboard.filmed_game import film_choice
from companion.app.dashboard.host import Host

FILM = Path(companion.app.__file__).parent / "demo" / "film"
PATIENCE_S = 120


def until_seen(host: Host, least: int) -> int:
    """Wait until so many pictures of the film were taken; how many there are."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        camera = host.camera
        seen = 0 if camera is None else camera.look().frame
        if seen >= least:
            return seen
        time.sleep(0.02)
    raise AssertionError("waited in vain for the film")


def test_the_film_is_held_goes_on_and_is_played_again(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False, box="virtual:", camera=f"replay:{FILM}", enrolled=FILM, idle=False) as host:
        host.begin(film_choice(FILM))
        app = make_app(host)
        referee, anyone = Caller(app, "referee"), Caller(app)

        def do(caller: Caller, what: str) -> int:
            return int(caller.post("/api/film", **{"as": "referee", "do": what}).status_code)

        assert do(anyone, "hold") == 401
        until_seen(host, 1)
        assert do(referee, "hold") == 200
        assert anyone.get("/api/devices").get_json()["camera"]["film"] == "held"
        assert do(referee, "go") == 200
        until_seen(host, 3)
        assert host.table is not None
        before = host.table.session.header.session
        assert do(referee, "again") == 200
        assert host.table.session.header.session != before
        assert host.film == "running"
        picture = anyone.get("/api/art/flora-1-a")
        assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR).shape == (128, 128, 3)
        assert len(picture.data) < 8000  # 30 tiles on a page are far below its 300 kB
        for name in ("nothing", "..%2Fcatalogue", "a" * 61):
            assert anyone.get(f"/api/art/{name}").status_code == 404


def test_a_table_without_a_film_has_neither(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        app = make_app(host)
        assert Caller(app, "referee").post("/api/film", **{"as": "referee", "do": "hold"}).status_code == 409
        assert Caller(app).get("/api/art/flora-1-a").status_code == 404
