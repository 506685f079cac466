"""A browser in one role without a browser: it joins or logs in and sends what its page would send."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Any

from flask import Flask

from companion.app.dashboard.host import Host
from companion.core.errors import CompanionError
from companion.core.types import Seat
from web import create_app
from web.roles.access import TOKEN_HEADER, Access

KEY, PIN = b"the same in every trial, and none but trials", "24681357"
EVENTS = 2
"""Messages of a stream that are read: the state and what is known of the devices."""


def app_over(host: Host) -> Flask:
    """The pages of `host` with known key and PIN; an hour passes with every look at the clock, so no limit bites."""
    ticks = count(0, 3600.0)
    app = create_app(host, Access(KEY, PIN, clock_s=lambda: next(ticks)), lambda: next(ticks))
    app.testing = False
    return app


class PageClient:
    """One client of an application: `role` is "referee", a seat's letter or "" for a spectator."""

    def __init__(self, app: Flask, host: Host, role: str = "") -> None:
        """Raises CompanionError when the role is not given."""
        self.http, self.role, self.token = app.test_client(), role, ""
        if role == "referee":
            self._enter("/api/login", {"pin": PIN}, "/referee")
        elif role:
            assert host.table is not None
            code = app.extensions["access"].seat_token(host.table.session.header.session, Seat[role])
            self._enter("/api/join", {"seat": role, "token": code}, f"/seat/{role}")

    def _enter(self, path: str, body: dict[str, str], page: str) -> None:
        answer = self.http.post(path, json=body)
        found = re.search(r'id="boot">(.*?)</script>', self.http.get(page).get_data(as_text=True), re.S)
        if answer.status_code != 200 or found is None:
            raise CompanionError(f"{path} was refused: {answer.get_data(as_text=True)}")
        self.token = json.loads(found.group(1))["token"]

    def _as(self, path: str) -> str:
        return f"{path}{'&' if '?' in path else '?'}as={self.role}" if self.role else path

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a look; the tokens of the page, which differ by chance, are left out."""
        answer = self.http.get(self._as(path) if path.startswith("/api") else path)
        return answer.status_code, re.sub(r'"token": "[^"]*"', "", answer.get_data(as_text=True))

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, str]:
        """Status and text of a change."""
        answer = self.http.post(path, json=body, headers={TOKEN_HEADER: self.token} if self.token else {})
        return answer.status_code, answer.get_data(as_text=True)

    def number(self) -> int:
        """The number of the last record."""
        return int(json.loads(self.get("/api/state")[1])["number"])

    def stream(self) -> str:
        """The beginning of the client's stream."""
        answer = self.http.get(self._as("/api/stream"), buffered=False)
        text = ""
        for chunk in answer.response:
            text += chunk.decode() if isinstance(chunk, bytes) else chunk
            if text.count("event: ") >= EVENTS:
                break
        answer.close()
        return text
