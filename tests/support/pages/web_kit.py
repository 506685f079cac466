"""What tests of the dashboard share: a host on a temporary store, clients in each role, a game brought to a point."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient

from companion.app.dashboard.host import Host
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Seat
from companion.table.commands import Play
from web import create_app
from web.ports.devices import CameraLook, DeviceHealth, Picture, Question
from web.ports.tables import SetupChoice
from web.roles.access import TOKEN_HEADER, Access

PIN = "47110312"
KEY = b"sixteen bytes at least, the same in every test"
NAMES = (("Žofia", "pink"), ("Ján", "gray"), ("Mária", "purple"), ("Ľubomír", "white"))
_keys = count(1)


@contextmanager
def hosting(folder: Path, players: int = 3, *, game: bool = True, **more: Any) -> Iterator[Host]:
    """A host on a store in `folder`, with a game of `players` when `game`; `more`: `options`, or the host's own."""
    settings = Settings(data_dir=str(folder))
    options = more.pop("options", ())
    with open_store(settings) as store:
        host = open_host(store, settings, **more)
        try:
            if game:
                host.begin(SetupChoice("envyra", NAMES[:players], options))
            yield host
        finally:
            host.close()


def make_app(host: Host, clock_s: Any = None) -> Flask:
    """The application over `host`; without a clock its limits of requests never bite (an hour passes every time)."""
    ticks = count(0, 3600.0)
    access = Access(KEY, PIN, clock_s or (lambda: next(ticks)))
    app = create_app(host, access, lambda: next(ticks))  # devices are looked at anew for every request
    app.testing = False  # errors become answers, as they do for people
    return app


class StillCamera:
    """A camera port that shows one grey picture, says `note` and asks what it is told to ask."""

    def __init__(self, question: Question | None = None, note: Message = NO_MESSAGE) -> None:
        self.open, self.answered, self.note, self.by = question, -1, note, ""
        self.in_the_middle: Seat | None = None

    def health(self) -> DeviceHealth:
        return DeviceHealth("ok", "live")

    def granted(self) -> str:
        return ""

    def look(self) -> CameraLook:
        return CameraLook("settled", self.note, 1, 10.0, (64, 48), in_the_middle=self.in_the_middle)

    def picture(self, overlay: bool, called: Callable[[str], str] = str) -> Picture:
        del called
        shade = 90 if overlay else 120
        return Picture(1, cv2.imencode(".jpg", np.full((48, 64, 3), shade, np.uint8))[1].tobytes())

    def frame(self) -> np.ndarray:
        return np.full((48, 64, 3), 120, np.uint8)

    def question(self) -> Question | None:
        return self.open

    def answer(self, choice: int, texts: tuple[str, ...], by: str) -> None:
        if self.open is None or choice >= len(self.open.choices) or self.open.choices[choice] != texts:
            raise ValueError("no such choice")
        self.open, self.answered, self.by = None, choice, by

    def go_on(self) -> None:
        raise ValueError("nothing waits")

    def steps(self) -> tuple[()]:
        return ()

    def lies(self) -> None:
        return None

    def evidence(self, record: int) -> Picture | None:
        return self.picture(overlay=False) if record == 1 else None

    def push(self, jpeg: bytes) -> CameraLook:
        assert jpeg
        return self.look()


class Caller:
    """A client in one role: sends what its page would send."""

    def __init__(self, app: Flask, role: str | None = None, host: Host | None = None) -> None:
        self.http: FlaskClient = app.test_client()
        self.role, self.token = role, ""
        if role == "referee":
            assert self.post("/api/login", pin=PIN).status_code == 200
            self.token = self._token("/referee")
        elif role is not None:
            assert host is not None
            assert host.table is not None
            secret = app.extensions["access"].seat_token(host.table.session.header.session, Seat[role])
            assert self.post("/api/join", seat=role, token=secret).status_code == 200
            self.token = self._token(f"/seat/{role}")

    def _token(self, page: str) -> str:
        text = self.http.get(page).get_data(as_text=True)
        found = re.search(r'id="boot">(.*?)</script>', text, re.S)
        assert found is not None
        token: str = json.loads(found.group(1))["token"]
        assert token
        return token

    def post(self, path: str, **body: Any) -> Any:
        """The answer to a change."""
        return self.http.post(path, json=body, headers={TOKEN_HEADER: self.token} if self.token else {})

    def get(self, path: str) -> Any:
        """The answer to a look, as this role."""
        mark = "&" if "?" in path else "?"
        return self.http.get(f"{path}{mark}as={self.role}" if self.role else path)

    def told(self) -> dict[str, Any]:
        """What only this role is told of devices, from the head of its page."""
        page = self.http.get("/referee" if self.role == "referee" else f"/seat/{self.role}").get_data(as_text=True)
        found = re.search(r'id="boot">(.*?)</script>', page, re.S)
        assert found is not None
        devices: dict[str, Any] = json.loads(found.group(1))["devices"]
        return {key: devices[key] for key in ("joined", "wrong_pins", "wrong_from") if key in devices}

    def state(self) -> dict[str, Any]:
        """The table as this role sees it."""
        data: dict[str, Any] = self.get("/api/state").get_json()
        return data

    def play(self, *texts: str, expected: int | None = None, key: str = "") -> Any:
        """Tell what happened, having seen the present number unless `expected` says otherwise."""
        seen = self.state()["number"] if expected is None else expected
        return self.post("/api/play", **{"as": self.role}, texts=texts, expected=seen, key=key or fresh_key())


def taken(answer: Any) -> bool:
    """Whether what was told is in the record: neither the request was refused nor the act by the rules."""
    return answer.status_code == 200 and "refused" not in answer.get_json()


def fresh_key() -> str:
    """A key that no other request has."""
    return f"test-key-{next(_keys):06d}"


def deal(host: Host, seed: int = 1) -> None:
    """Make every draw that is due, as if from the table."""
    assert host.table is not None
    session, random = host.table.session, Random(seed)
    while outcomes := session.rules.chance_outcomes(session.state):
        draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        assert session.ask(Play(texts=(session.rules.format(draw),))).accepted


def play_on(host: Host, acts: int, seed: int = 1) -> None:
    """Play `acts` random legal acts, draws between them; stops at the end of the game."""
    assert host.table is not None
    session, random = host.table.session, Random(seed)
    for _ in range(acts):
        deal(host, random.randrange(10**6))
        legal = [a for a in session.rules.legal_actions(session.state) if type(a).__name__ != "TakeBack"]
        if not legal:
            return
        assert session.ask(Play(texts=(session.rules.format(random.choice(legal)),))).accepted
    deal(host, seed)
