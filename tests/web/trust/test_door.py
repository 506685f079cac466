"""The server against one sender who misbehaves: bodies, halves of requests, idle connections, many streams."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_kit import hosting

from companion.app.dashboard.server import door, listening
from companion.app.dashboard.server.listening import Callers, listen
from companion.app.dashboard.server.serve import Serving, serving
from companion.core.errors import DeviceError

GREEDY = "127.0.0.2"
"""The address of who misbehaves; the others ask from 127.0.0.1."""
HALF = b"GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
WAIT_S = 180


@pytest.fixture
def where(tmp_path: Path) -> Iterator[Serving]:
    with hosting(tmp_path) as host, serving(host, tmp_path, bind="127.0.0.1", port=0, https_port=0) as where:
        yield where


def call(port: int, text: bytes = b"", sender: str = GREEDY) -> socket.socket:
    caller = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S, source_address=(sender, 0))
    caller.sendall(text)
    return caller


def post(path: str, kind: str, *head: str) -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {kind}", *head, "", "")
    return "\r\n".join(lines).encode()


def status_of(caller: socket.socket) -> int:
    return int(caller.makefile("rb").readline().split()[1])


def pages_are_there(where: Serving) -> bool:
    context = ssl._create_unverified_context()
    with urllib.request.urlopen(f"{where.url}/table", timeout=WAIT_S) as plain:
        there = plain.status == 200
    with urllib.request.urlopen(f"{where.https_url}/table", timeout=WAIT_S, context=context) as safe:
        return there and safe.status == 200


def open_as_long_as_allowed(port: int, many: int, text: bytes) -> list[socket.socket]:
    """So many connections with the beginning of something; those that were closed at once are left out."""
    opened = []
    for _ in range(many):
        try:
            opened.append(call(port, text))
        except OSError:
            continue
    return opened


@pytest.mark.parametrize("text", [b"", HALF, post("/api/play", "application/json", "Content-Length: 60000") + b"{"],
                         ids=["nothing", "half a head", "half a body"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_many_connections_of_one_sender_stop_nobody_else(where: Serving, text: bytes, scheme: str) -> None:
    port = where.port if scheme == "http" else int(where.https_url.rsplit(":", 1)[1])
    held = open_as_long_as_allowed(port, listening.CONNECTIONS, text)
    assert pages_are_there(where)
    for caller in held:
        caller.close()


def test_half_a_request_is_given_up_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HEAD_S", 0.2)
    with hosting(tmp_path) as host, serving(host, tmp_path, bind="127.0.0.1", port=0) as where:
        for beginning in (b"", HALF, HALF[:3]):
            with call(where.port, beginning) as caller, contextlib.suppress(ConnectionResetError):
                assert caller.recv(1) == b""


def test_a_second_half_request_on_a_connection_is_given_up_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "HEAD_S", 0.2)
    monkeypatch.setattr("companion.app.dashboard.server.serve.KEEP_ALIVE_S", 1)
    with (
        hosting(tmp_path) as host,
        serving(host, tmp_path, bind="127.0.0.1", port=0) as where,
        call(where.port, b"GET /api/words HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as caller,
    ):
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += caller.recv(65536)
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while len(answer.partition(b"\r\n\r\n")[2]) < length:
            answer += caller.recv(65536)
        caller.sendall(HALF)
        with contextlib.suppress(ConnectionResetError):
            assert caller.recv(1) == b""


def test_half_a_body_is_given_up_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "BODY_S", 0.2)
    with (
        hosting(tmp_path) as host,
        serving(host, tmp_path, bind="127.0.0.1", port=0) as where,
        call(where.port, post("/api/login", "application/json", "Content-Length: 20") + b"{") as caller,
    ):
        assert status_of(caller) == 408


@pytest.mark.parametrize(
    ("kind", "head", "body"),
    [
        ("application/json", "Content-Length: 1073741824", b"x" * 5000),
        ("application/json", "Content-Length: 70000", b"x" * 5000),
        ("image/jpeg", "Content-Length: 9000000", b"x" * 5000),
        ("application/octet-stream", "Content-Length: 70000000", b"x" * 5000),
        ("application/json", "Transfer-Encoding: chunked", (b"1000\r\n" + b"x" * 4096 + b"\r\n") * 20),
        ("text/plain", "Content-Length: 99999999999999999999999999", b""),
    ],
)
def test_a_body_that_is_too_large_is_refused_before_it_is_taken(
    where: Serving, kind: str, head: str, body: bytes
) -> None:
    path = {"image/jpeg": "/api/tally", "application/octet-stream": "/api/boxes"}.get(kind, "/api/login")
    with call(where.port, post(path, kind, head) + body) as caller:
        assert status_of(caller) in (400, 413)


def test_a_box_file_may_be_larger_than_a_picture(where: Serving) -> None:
    head, size = post("/api/boxes", "application/octet-stream", "Content-Length: 10000000"), 10_000_000
    with call(where.port, head) as caller:
        caller.sendall(bytes(size))
        assert status_of(caller) == 401  # it was taken in, and the page asks who sends it


def test_a_body_in_chunks_is_taken_like_one_with_a_length(where: Serving) -> None:
    body = json.dumps({"pin": where.pin}).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:5], body[5:], b""))
    with call(where.port, post("/api/login", "application/json", "Transfer-Encoding: chunked") + chunks) as caller:
        assert status_of(caller) == 200


@pytest.mark.parametrize(
    "text",
    [b"\x00" * 100, b"GET / HTTP/1.1\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01\x00",
     b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", b"A" * 40_000,
     b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"],
)
def test_bytes_that_are_no_request_are_refused_and_the_pages_go_on(where: Serving, text: bytes) -> None:
    with call(where.port, text) as caller:
        caller.shutdown(socket.SHUT_WR)
        try:
            answer = caller.recv(65536)
        except ConnectionResetError:
            answer = b""
        assert answer == b"" or answer.split()[1] in (b"400", b"403", b"431")
    assert pages_are_there(where)


def test_the_caller_is_known_behind_https_too(where: Serving) -> None:
    context = ssl._create_unverified_context()
    port = int(where.https_url.rsplit(":", 1)[1])
    wrong = json.dumps({"pin": "00000000"}).encode()

    def tries(sender: str) -> int:
        head = post("/api/login", "application/json", f"Content-Length: {len(wrong)}")
        with context.wrap_socket(call(port, b"", sender)) as caller:
            caller.sendall(head + wrong)
            return status_of(caller)

    assert [tries(GREEDY) for _ in range(6)] == [401] * 5 + [429]
    assert tries("127.0.0.3") == 401


def test_a_stream_whose_reader_has_gone_gives_its_thread_and_its_place_back(where: Serving) -> None:
    ask = b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    held = [call(where.port, ask) for _ in range(20)]
    for caller in held:
        assert status_of(caller) == 200
        caller.close()
    again = [call(where.port, ask) for _ in range(20)]
    assert [status_of(caller) for caller in again] == [200] * 20
    for caller in again:
        caller.close()


def test_a_sender_with_many_connections_leaves_room_for_others() -> None:
    callers = Callers()
    greedy = sum(callers.enter("10.0.0.1") for _ in range(listening.CONNECTIONS))
    assert greedy < listening.CONNECTIONS
    assert sum(callers.enter("10.0.0.2") for _ in range(listening.CONNECTIONS)) >= listening.OF_A_SENDER
    assert callers.enter("10.0.0.3")
    callers.leave("10.0.0.3")
    assert callers.enter("10.0.0.3")


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(DeviceError, match="port"):
        listen("127.0.0.1", taken.getsockname()[1], Callers(), where="--port")
