"""Attacks on purpose, with figures: twin games, one sender who misbehaves, pictures and archives, odd command lines."""

from __future__ import annotations

import http.client
import io
import json
import multiprocessing
import resource
import socket
import statistics
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.core.errors import CompanionError
from companion.lab.trials.command_fuzz import fuzz
from companion.lab.trials.twins import ENVYRA, SCENARIOS, compare
from web.ports.tables import SetupChoice

GREEDY = "127.0.0.2"
"""The address of who misbehaves; the others ask from 127.0.0.1 (Linux has the whole of 127/8 on its loopback)."""
HALF = b"GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
WHOLE = b"GET /api/words HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
MISDEEDS = ("nothing", "half requests", "idle TLS", "streams", "requests as fast as can be")
HELD = 310
KB_OF_A_MB = 1024


def twin_bench(requests: int, seeds: int) -> dict[str, Any]:
    """Ask every pair of twins; how many answers were compared. Raises CompanionError at the first that differs."""
    compared = accepted = 0
    for scenario in SCENARIOS:
        for seed in range(1, seeds + 1):
            with tempfile.TemporaryDirectory(prefix="companion-twins-") as folder:
                report = compare(Path(folder), scenario, seed, requests)
            if report.differences:
                raise CompanionError(f"{scenario.name}, seed {seed}: {report.differences[0]}")
            compared, accepted = compared + report.compared, accepted + report.accepted
    return {"twin_pairs": len(SCENARIOS) * seeds, "answers_compared": compared, "acts_accepted": accepted, "differ": 0}


def latency_bench(asked: int) -> dict[str, Any]:
    """Median and 99 % of a page's time in ms for one client, while another sender does each of MISDEEDS."""
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="companion-attack-") as name:
        settings = Settings(data_dir=name)
        with open_store(settings) as store:
            host = open_host(store, settings)
            host.begin(SetupChoice("envyra", ENVYRA))
            with serving(host, Path(name) / "web", bind="127.0.0.1", port=0, https_port=0) as where:
                tls_port = int(where.https_url.rsplit(":", 1)[1])
                for misdeed in MISDEEDS:
                    times = _while_another(misdeed, where.port, tls_port, asked)
                    key = misdeed.replace(" ", "_")
                    result[f"median_ms_with_{key}"] = round(statistics.median(times), 1)
                    result[f"p99_ms_with_{key}"] = round(times[int(0.99 * (len(times) - 1))], 1)
    return result


def _while_another(misdeed: str, port: int, tls_port: int, asked: int) -> list[float]:
    here, there = multiprocessing.Pipe()
    other = multiprocessing.get_context("spawn").Process(target=_misbehave, args=(there, misdeed, port, tls_port))
    other.start()
    there.close()
    try:
        here.recv()
        times = []
        for _ in range(asked):
            begun = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=200)
            connection.request("GET", "/table")
            answer = connection.getresponse()
            answer.read()
            connection.close()
            if answer.status != 200:
                raise CompanionError(f"the table was refused with {answer.status} while another sent {misdeed}")
            times.append((time.perf_counter() - begun) * 1000)
        return sorted(times)
    except EOFError as error:
        raise CompanionError(f"the other sender ended before it sent {misdeed}") from error
    finally:
        other.kill()
        other.join()


def _misbehave(pipe: Connection, misdeed: str, port: int, tls_port: int) -> None:
    held = []

    def call(to: int, text: bytes) -> socket.socket | None:
        try:
            caller = socket.create_connection(("127.0.0.1", to), timeout=10, source_address=(GREEDY, 0))
            caller.sendall(text)
        except OSError:
            return None
        held.append(caller)
        return caller

    begun = {"half requests": (port, HALF), "idle TLS": (tls_port, b""),
             "streams": (port, WHOLE.replace(b"words", b"stream"))}
    if misdeed in begun:
        for _ in range(HELD):
            call(*begun[misdeed])
    pipe.send("ready")
    while True:
        if misdeed == "requests as fast as can be":
            caller = call(port, WHOLE)
            if caller is not None:
                caller.recv(65536)
                held.pop().close()
        else:
            time.sleep(1)


def memory_bench() -> dict[str, Any]:
    """The most memory in MB of a process that is given pictures and archives that promise too much; how many."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=_take_bombs, args=(there,))
    child.start()
    there.close()
    try:
        result: dict[str, Any] = here.recv()
    except EOFError as error:
        raise CompanionError("the process that was given bombs died of them") from error
    finally:
        child.join()
    return result


def _take_bombs(pipe: Connection) -> None:
    from calibration.box_file import read_box
    from vision.sources.pictures import decoded

    begun_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB_OF_A_MB
    refused = taken = 0
    with tempfile.TemporaryDirectory(prefix="companion-bombs-") as name:
        tries: list[Callable[[], Any]] = [partial(decoded, data) for data in _pictures()]
        for number, data in enumerate(_archives()):
            path = Path(name) / f"{number}.zip"
            path.write_bytes(data)
            tries.append(partial(read_box, path))
        for attempt in tries:
            try:
                attempt()
                taken += 1
            except (ValueError, CompanionError):
                refused += 1
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB_OF_A_MB
    pipe.send({"bombs": len(tries), "bombs_refused": refused, "bombs_taken": taken,
               "memory_mb_before": round(begun_mb), "memory_mb_most": round(most_mb)})


def _png(width: int, height: int) -> bytes:
    """A small PNG of so many black pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, row = zlib.compressobj(9), bytes(1 + (width + 7) // 8)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def _pictures() -> list[bytes]:
    sizes = ((1, 1), (1, 5000), (5000, 1), (7, 7), (7000, 7000), (8000, 8000), (30_000, 30_000), (60_000, 30_000))
    return [_png(*size) for size in sizes]


def _archives() -> list[bytes]:
    """Box files: one large picture under many names, many large ones, a member of zeros, an index without an end."""
    large, faces = _png(4096, 4096), [f"f{n}" for n in range(60)]
    listings: tuple[dict[str, Any], ...] = (
        {face: ["x.png"] for face in faces}, {face: [f"{face}.png"] for face in faces}, {"a": ["x.png"] * 100_000},
    )
    found = []
    for listing in listings:
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("box.json", json.dumps({"schema": 1, "game": "envyra", "faces": listing}))
            archive.writestr("catalogue.toml", b"\0" * 60_000_000)
            for name in sorted({name for names in listing.values() for name in names}):
                archive.writestr(name, large)
        found.append(target.getvalue())
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("box.json", b"[" * 60_000_000)
    return [*found, target.getvalue()]


def fuzz_bench(seed: int, each: int) -> dict[str, Any]:
    """Call every command. Raises CompanionError at the first call that ends as none may."""
    report = fuzz(seed, each)
    if report.findings:
        raise CompanionError(f"{report.findings[0][0]}: {report.findings[0][1]}")
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(report.codes.items()))
    return {"fuzzed_calls": report.calls, "exit_codes": codes}
