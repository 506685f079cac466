"""Measures the dashboard: from an accepted act to every spectator's socket, the weight of pages, the first paint."""

from __future__ import annotations

import json
import multiprocessing
import re
import selectors
import shutil
import socket
import statistics
import tempfile
import time
import urllib.request
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from companion.app.dashboard.access_file import AccessFile
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.core.types import Event, Seat
from companion.table.commands import Play
from web.ports.tables import SetupChoice
from web.roles.access import Access

NUMBER = re.compile(rb"id: [^:\n]+:(\d+)\nevent: record\n")
PAUSE_S = 0.12
"""Between two acts: faster than any table, and slow enough that one is shown before the next comes."""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
VISITS = 5
CHROMIUM = "chromium"
PAGES = (
    "/", "/table", "/referee", "/seat/A", "/draws", "/tally", "/record", "/charts", "/sheet", "/setup", "/camera",
    "/result", "/history", "/overlay", "/overlay/grid", "/verify.html",
)


def web_bench(spectators: int, acts: int, seed: int) -> dict[str, Any]:
    """Figures of one run: latency in ms over all spectators and acts, bytes of each page, first paint in ms.

    The spectators are sockets of one other process, which takes the time of arrival by the same clock. The time
    runs from before the act is handed to the session until its record has arrived; both cores do everything.
    """
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        settings = Settings(data_dir=folder)
        with open_store(settings) as store:
            host = open_host(store, settings)
            host.begin(SetupChoice("envyra", (("A", "pink"), ("B", "gray"), ("C", "purple"), ("D", "white"))))
            with serving(host, Path(folder) / "web", bind="127.0.0.1", port=0) as where:
                result = _latency(host, where.port, spectators, acts, seed)
                result |= _pages(where.url, where.pin, seat_token(host, Path(folder) / "web", where.pin))
    return result


def seat_token(host: Host, folder: Path, pin: str) -> str:
    """What the code of the first seat carries; `folder` holds the key of the pages."""
    assert host.table is not None
    kept = AccessFile(folder)
    access = Access(kept.key, pin, keeper=kept)
    return access.seat_token(host.table.session.header.session, Seat.A)


def _latency(host: Host, port: int, spectators: int, acts: int, seed: int) -> dict[str, Any]:
    here, there = multiprocessing.Pipe()
    watchers = multiprocessing.get_context("spawn").Process(target=_watch, args=(there, port, spectators, acts))
    watchers.start()
    assert here.recv() == "ready"
    sent = _act(host, acts, seed)
    arrived: dict[int, list[float]] = here.recv()
    watchers.join()
    waits = sorted((moment - sent[n]) * 1000 for n, moments in arrived.items() for moment in moments)
    lost = spectators * len(sent) - len(waits)
    return {
        "spectators": spectators, "acts": len(sent), "not_arrived": lost,
        "event_median_ms": round(statistics.median(waits), 1),
        "event_p99_ms": round(waits[int(0.99 * (len(waits) - 1))], 1), "event_worst_ms": round(waits[-1], 1),
    }


def _act(host: Host, acts: int, seed: int) -> dict[int, float]:
    """Play random legal acts; the time before each by the number of its record."""
    assert host.table is not None
    session, random = host.table.session, Random(seed)
    sent = {}
    for _ in range(acts):
        rules, state = session.rules, session.state
        events: list[Event] = [o.draw for o in rules.chance_outcomes(state)]
        events += rules.legal_actions(state)
        text = rules.format(random.choice(events))
        begun = time.monotonic()
        answer = session.ask(Play(texts=(text,)))
        sent[answer.records[0]] = begun
        time.sleep(PAUSE_S)
    return sent


def _watch(pipe: Connection, port: int, spectators: int, acts: int) -> None:
    """The spectators: `spectators` open streams; sends {record number: times of arrival} when all have come."""
    selector = selectors.DefaultSelector()
    buffers: dict[socket.socket, bytes] = {}
    for _ in range(spectators):
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while b"event: devices" not in buffers.get(stream, b""):
            buffers[stream] = buffers.get(stream, b"") + stream.recv(65536)
        buffers[stream] = b""
        selector.register(stream, selectors.EVENT_READ)
    pipe.send("ready")
    arrived: dict[int, list[float]] = {}
    until = time.monotonic() + acts * PAUSE_S * 4 + 20
    while sum(map(len, arrived.values())) < spectators * acts and time.monotonic() < until:
        for key, _ in selector.select(1.0):
            stream = key.fileobj  # type: ignore[assignment]
            data = buffers[stream] + stream.recv(262144)
            now = time.monotonic()
            for found in NUMBER.finditer(data):
                arrived.setdefault(int(found.group(1)), []).append(now)
            # What follows the last whole event may be the beginning of the next.
            buffers[stream] = data[data.rfind(b"\n\n") + 2 :] if b"\n\n" in data else data
    pipe.send(arrived)


def _pages(url: str, pin: str, token: str) -> dict[str, Any]:
    """The bytes of each page with all that it loads at first, and the median first paint where Chromium is there."""
    weights = page_weights(url, pin, token)
    result: dict[str, Any] = {"page_bytes_most": max(weights.values()), "page_bytes": weights}
    paint = _first_paint(url) if shutil.which(CHROMIUM) else None
    return result | {"first_paint_ms": paint}


def page_weights(url: str, pin: str, token: str) -> dict[str, int]:
    """Path -> bytes of every page with all that it loads at first, as the referee (`pin`) and the seat A get them."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    for path, body in (("/api/login", {"pin": pin}), ("/api/join", {"seat": "A", "token": token})):
        sent = urllib.request.Request(url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        opener.open(sent).close()
    return {path: _weight(opener, url, path) for path in PAGES}


def _weight(opener: urllib.request.OpenerDirector, url: str, path: str) -> int:
    """Bytes of a page, its styles, its pictures and its scripts with what they import."""
    todo, seen, total = [path], set(), 0
    while todo:
        address = todo.pop()
        if address in seen:
            continue
        seen.add(address)
        with opener.open(url + address) as answer:
            body = answer.read()
        total += len(body)
        todo += re.findall(r'(?:src="|href="|from "|import ")(/static/[^"]+)"', body.decode("utf-8"))
    return total


def _first_paint(url: str) -> float | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        times = []
        for _ in range(VISITS):
            page = browser.new_context().new_page()
            page.goto(f"{url}/table")
            page.wait_for_selector(".player")
            times.append(page.evaluate(FIRST_PAINT))
        browser.close()
    return round(float(statistics.median(t for t in times if t is not None)), 1)
