"""The live stream of the hub: server-sent events for hundreds of screens, in the server's own loop.

A screen that reads slowly gets the newest of each table and misses what lay between: what waits for it is bounded by
the number of tables.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from companion.hub.hall import Hall
from companion.hub.live.board import TableNow
from companion.hub.live.news import NEWS
from companion.hub.live.notices import RESYNC
from web.hall.access import COOKIE, HallAccess
from web.stream import message

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]

PATH = "/api/live"
STAFF = "staff"
MOST_STREAMS = 1500
"""Some 30 kB each; more are refused with 503."""
HEARTBEAT_S = 5.0
"""So often a stream says that it is there, whatever else it says, and one of the hall's people is looked up again."""
PAUSE_S = 0.05
"""Between two sendings to one screen: what changes in it is sent together."""
RETRY_MS = 1000
MOST_NEWS = 50
"""Notices beside the tables' that wait for a screen; of more the oldest are dropped, a page asks for all it shows."""


class _Screen:
    """What waits for one screen: the newest of each table, and news in order."""

    def __init__(self, table: int | None, staff: bool, brief: bool) -> None:
        self.table, self.staff, self.brief = table, staff, brief
        self.tables: dict[int, str] = {}
        self._told: dict[int, str] = {}
        self.news: list[str] = []
        self.wake = asyncio.Event()

    def put(self, now: TableNow) -> None:
        """The newest of a table, unless this screen knows all of it."""
        text = now.text(staff=self.staff, brief=self.brief)
        if self.table in (None, now.table) and self._told.get(now.table) != text:
            self.tables[now.table] = self._told[now.table] = text
            self.wake.set()

    def text(self) -> str:
        """What is to be sent now; nothing waits any more."""
        found = [message("table", text) for text in self.tables.values()] + self.news
        self.tables, self.news = {}, []
        self.wake.clear()
        return "".join(found)


class LiveStreams:
    """An ASGI application for PATH. Made and called in the server's loop; told from the notices' thread."""

    def __init__(self, hall: Hall, access: HallAccess) -> None:
        self._hall, self._access = hall, access
        self._loop: asyncio.AbstractEventLoop | None = None
        self._screens: set[_Screen] = set()
        self._ended = False
        hall.board.follow(self._heard)
        for kind in NEWS:
            hall.notices.on(kind, self._news)

    @property
    def open(self) -> int:
        """How many screens are connected."""
        return len(self._screens)

    def close(self) -> None:
        """End every stream. From any thread."""
        self._ended = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for screen in self._screens:
            screen.wake.set()

    def _heard(self, now: TableNow) -> None:
        if self._loop is not None and not self._ended:
            self._loop.call_soon_threadsafe(self._put_table, now)

    def _put_table(self, now: TableNow) -> None:
        for screen in self._screens:
            screen.put(now)

    def _news(self, notice: Mapping[str, Any]) -> None:
        if self._loop is not None and not self._ended and notice["kind"] != RESYNC:
            self._loop.call_soon_threadsafe(self._put_news, str(notice["kind"]), json.dumps(dict(notice)))

    def _put_news(self, kind: str, text: str) -> None:
        for screen in self._screens:
            if screen.staff or NEWS[kind]:
                screen.news = [*screen.news, message(kind, text)][-MOST_NEWS:]
                screen.wake.set()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request for the stream: `?table=N` for one table alone, `?as=staff` for the hall's
        people, `?brief=1` without the pictures of the tables."""
        self._loop = asyncio.get_running_loop()
        wanted = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        table = wanted.get("table", [""])[0]
        staff = wanted.get("as", [""])[0] == STAFF
        brief = wanted.get("brief", [""])[0] == "1"
        cookie = _cookie(scope)
        if staff and not await self._is_staff(cookie):
            await _refuse(send, 401)
            return
        if len(self._screens) >= MOST_STREAMS or self._ended:
            await _refuse(send, 503)
            return
        screen = _Screen(int(table[:9]) if table.isascii() and table.isdigit() else None, staff, brief)
        for now in self._hall.board.tables():
            screen.put(now)
        self._screens.add(screen)
        gone = asyncio.create_task(_gone(receive, screen.wake))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": [
                (b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"),
            ]})
            await self._send(screen, gone, cookie, send)
        finally:
            self._screens.discard(screen)
            gone.cancel()

    async def _send(self, screen: _Screen, gone: asyncio.Task[None], cookie: str, send: Send) -> None:
        clock = asyncio.get_running_loop().time
        text, due = f"retry: {RETRY_MS}\n\n" + screen.text(), clock() + HEARTBEAT_S
        while not gone.done() and not self._ended:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
            await asyncio.sleep(PAUSE_S)
            try:
                async with asyncio.timeout_at(due):
                    await screen.wake.wait()
                text, is_due = screen.text(), clock() >= due
            except TimeoutError:
                text, is_due = "", True
            if is_due:
                if screen.staff and not await self._is_staff(cookie):
                    break
                text, due = text + message("here", "{}"), clock() + HEARTBEAT_S
        if not gone.done():
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _is_staff(self, cookie: str) -> bool:
        return await asyncio.to_thread(self._access.person, cookie) is not None


async def _gone(receive: Receive, wake: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    wake.set()


async def _refuse(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def _cookie(scope: Mapping[str, Any]) -> str:
    """The log-in that the request brings, "" for none."""
    text = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value
