"""The door of the pages: what a request may cost before a thread of the application looks at it.

The server reads requests without threads. A body is taken in here, bounded and in time; only then is the request handed
to a thread, so that somebody who sends slowly, half or too much holds a socket and nothing else. One sender has so many
threads at once, the next requests of the same sender wait.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from a2wsgi import WSGIMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.roles.gate import BOX_FILE, JPEG, JSON_MOST_BYTES

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
WsgiApp = Callable[..., Iterable[bytes]]

HEAD_S = 10.0
"""A request whose head has not come by then is given up: a page sends it at once."""
BODY_S = 20.0
"""A phone sends a picture of 8 MB in this time at 3.5 Mbit/s."""
STALLED_S = 30.0
"""A connection that takes nothing of its answer for so long is closed."""
AT_ONCE = 6
"""Requests of one sender that are worked on at the same time, as many as a browser sends; streams are counted apart."""
BEGINNING_AT_ONCE = 1
"""Streams of one sender that begin at the same time: of hundreds asked for at once each would want the interpreter, and
a page of somebody else waits for its turn at every step between the loop and its thread."""
BODIES_AT_ONCE = 8
"""Pictures that are taken in at the same time by all: bounds the memory of bodies to 64 MB."""
FILES_AT_ONCE, FILE_S = 1, 120.0
"""The same of box files and parts of backups, which are as large as eight pictures: one at a time, and in this time
over a slow network of 5 Mbit/s."""
GONE = "companion.gone"
"""Where the request says to its thread that nobody waits for the answer any more."""
STREAM = "/api/stream"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may bring, and how many of one sender are worked on at the same time."""

    body_most_bytes: int = JSON_MOST_BYTES
    at_once: int = AT_ONCE


OF_A_TABLE = Limits()


@dataclass(slots=True)
class _Sender:
    """The turns of one sender, kept while it has requests."""

    working: asyncio.Semaphore
    beginning: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(BEGINNING_AT_ONCE))
    requests: int = 0


@dataclass(frozen=True, slots=True)
class _Bulky:
    """A kind of body that may be large: how large, in what time, and whose turn it is to send one."""

    most_bytes: int
    within_s: Callable[[], float]
    turn: asyncio.Semaphore


class Door:
    """An ASGI application over the pages, which are a WSGI application; `threads` of it run at once."""

    def __init__(self, pages: WsgiApp, threads: int, limits: Limits = OF_A_TABLE) -> None:
        self._limits = limits
        self._pages = WSGIMiddleware(_until_gone(pages), workers=threads)
        self._senders: dict[str, _Sender] = {}
        self._bulky = {
            JPEG.media: _Bulky(JPEG.most_bytes, lambda: BODY_S, asyncio.Semaphore(BODIES_AT_ONCE)),
            BOX_FILE.media: _Bulky(BOX_FILE.most_bytes, lambda: FILE_S, asyncio.Semaphore(FILES_AT_ONCE)),
        }

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        sender = (scope.get("client") or ("", 0))[0]
        turns = self._senders.setdefault(sender, _Sender(asyncio.Semaphore(self._limits.at_once)))
        turns.requests += 1
        try:
            if scope["path"] == STREAM:
                await self._stream(turns.beginning, scope, receive, send)
                return
            async with turns.working:
                body = await self._body(scope, receive)
                if body is not None:
                    await self._answer(scope, body, receive, send)
                else:
                    await _too_slow(send)
        finally:
            turns.requests -= 1
            if not turns.requests:
                del self._senders[sender]

    async def _stream(
        self, turn: asyncio.Semaphore, scope: MutableMapping[str, Any], receive: Receive, send: Send
    ) -> None:
        """An answer that goes on: it is its sender's turn only until it begins."""
        await turn.acquire()
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if not begun:
                begun = True
                turn.release()
            await send(message)

        try:
            await self._answer(scope, b"", receive, sent)
        finally:
            if not begun:
                turn.release()

    async def _body(self, scope: MutableMapping[str, Any], receive: Receive) -> bytes | None:
        """The body, of which nothing is kept when it is too large; None when it did not come in time."""
        headers = dict(scope["headers"])
        kind = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        bulky = self._bulky.get(kind)
        most = self._limits.body_most_bytes if bulky is None else bulky.most_bytes
        length = headers.get(b"content-length", b"0")
        size = int(length) if length.isdigit() and len(length) < 20 else 0
        if size <= most:
            try:
                async with asyncio.timeout(BODY_S if bulky is None else bulky.within_s()):
                    if bulky is None:
                        return _with_length(scope, await _taken(receive, most), most)
                    async with bulky.turn:
                        return _with_length(scope, await _taken(receive, most), most)
            except TimeoutError:
                return None
        # The pages see the length and refuse it, in the one shape and in the client's language; nothing is read.
        _set_length(scope, size)
        return b""

    async def _answer(self, scope: MutableMapping[str, Any], body: bytes, receive: Receive, send: Send) -> None:
        gone = threading.Event()
        scope[GONE] = gone
        left = [{"type": "http.request", "body": body, "more_body": False}]

        async def given() -> Message:
            return left.pop() if left else {"type": "http.request", "body": b"", "more_body": False}

        watch = asyncio.create_task(_tell_when_gone(receive, gone))
        try:
            await self._pages(scope, given, send)  # type: ignore[arg-type]
        finally:
            watch.cancel()


def _with_length(scope: MutableMapping[str, Any], body: bytes, most: int) -> bytes:
    """`body`, its length in the head; of one that is larger than `most` only the length is left."""
    _set_length(scope, len(body))
    return body if len(body) <= most else b""


def _set_length(scope: MutableMapping[str, Any], size: int) -> None:
    kept = [(k, v) for k, v in scope["headers"] if k not in (b"content-length", b"transfer-encoding")]
    scope["headers"] = [*kept, (b"content-length", str(size).encode())] if size else kept


async def _taken(receive: Receive, most: int) -> bytes:
    """The body as far as one byte beyond `most`."""
    taken = bytearray()
    while len(taken) <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        taken += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(taken[: most + 1])


async def _tell_when_gone(receive: Receive, gone: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass  # what comes of a body that is not wanted
    gone.set()


async def _too_slow(send: Send) -> None:
    await send({"type": "http.response.start", "status": 408, "headers": [(b"connection", b"close")]})
    await send({"type": "http.response.body", "body": b""})


def _until_gone(pages: WsgiApp) -> WsgiApp:
    """The same application, whose answers end when nobody takes them any more: a stream would go on for ever."""

    def answers(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        # a2wsgi gives the text of an exact body; werkzeug reads no further than the length that the door has set
        environ["wsgi.input_terminated"] = True
        return _Answer(pages(environ, start_response), environ["asgi.scope"][GONE])

    return answers


class _Answer:
    """An answer's chunks until nobody takes them; `close` as WSGI wants it."""

    def __init__(self, chunks: Iterable[bytes], gone: threading.Event) -> None:
        self._chunks, self._gone = chunks, gone

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if self._gone.is_set():
                return
            yield chunk

    def close(self) -> None:
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()


class PatientProtocol(H11Protocol):
    """A connection that is given up when a request's head does not come, or its answer is not taken, in time."""

    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(HEAD_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        asked = self.cycle is not None and not self.cycle.response_complete
        if asked and self._late is not None:
            self._late.cancel()
            self._late = None
        elif not asked and self._late is None:  # the head of a further request has begun
            self._late = self.loop.call_later(HEAD_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._late, self._stalled):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
