"""Measures a long record and killed players, for `companion bench record`."""

from __future__ import annotations

import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click

from companion.app.files.sessions import rules_of
from companion.app.files.settings import Settings
from companion.app.wiring import begin_table, resume_table
from companion.core.errors import CompanionError
from companion.lab.trials.http_kills import kill_by_http
from companion.lab.trials.record_trial import GAME, kill_and_resume, play_on
from companion.table.record.replay import replay
from companion.table.record.store import Store
from companion.table.record.transfer import export_lines, read_export

MEGABYTE = 1_000_000


def long_record_bench(length: int, address: str, seed: int) -> dict[str, Any]:
    """Play `length` records in one session and measure; `address` empty: a temporary SQLite file."""
    with _place(address) as (place, settings), Store(place) as store:
        begun_mb = memory_mb()
        name = f"bench-{time.time_ns()}"
        table = begin_table(store, settings, replace(GAME, session=name))
        chance = Random(seed)
        each_ms = []
        with click.progressbar(length=length, label="records", file=sys.stderr) as bar:
            while table.session.number < length:
                began = time.perf_counter()
                play_on(table.session, chance)
                each_ms.append((time.perf_counter() - began) * 1000)
                bar.update(table.session.number - bar.pos)
        played_mb = memory_mb()
        table.close()
        began = time.perf_counter()
        table = resume_table(store, settings, name)
        open_s = time.perf_counter() - began
        table.close()
        began = time.perf_counter()
        text = "".join(export_lines(store, name)).encode("utf-8")
        export_s = time.perf_counter() - began
        began = time.perf_counter()
        header, records = read_export(io.BytesIO(text), "export")
        result = replay(rules_of(header)[1], records)
        replay_s = time.perf_counter() - began
    if result.difference is not None:
        raise CompanionError(f"the record does not replay: {result.difference}")
    return {
        "records": result.records,
        "write_ms_median": round(statistics.median(each_ms), 3),
        "write_ms_p99": round(statistics.quantiles(each_ms, n=100)[98], 3),
        "process_mb_before": round(begun_mb, 1),
        "process_mb_after": round(played_mb, 1),
        "session_mb": round(played_mb - begun_mb, 1),
        "open_s": round(open_s, 2),
        "export_s": round(export_s, 2),
        "export_mb": round(len(text) / MEGABYTE, 2),
        "verify_and_replay_s": round(replay_s, 2),
    }


def kill_bench(kills: int, address: str, seed: int) -> dict[str, Any]:
    """Kill a player `kills` times; every time its record must be whole. Raises CompanionError when one is not."""
    found = 0
    with _place(address) as (place, settings), click.progressbar(
        kill_and_resume(place, settings, kills, seed), kills, "kills", file=sys.stderr
    ) as every:
        for kill in every:
            if not kill.sound or kill.told < found:
                raise CompanionError(f"told of record {kill.told}, found {kill.found}, {found} before that")
            found = kill.found
    return {"kills": kills, "killed_at_record": found, "lost": 0, "half_written": 0}


def http_kill_bench(kills: int, address: str, seed: int) -> dict[str, Any]:
    """Kill a server `kills` times in the middle of a request. Raises CompanionError for an act lost or doubled."""
    answered = written = 0
    with _place(address) as (place, settings), click.progressbar(
        kill_by_http(place, settings, kills, seed), kills, "kills", file=sys.stderr
    ) as every:
        for kill in every:
            answered += kill.answered
            written += not kill.answered and kill.found > kill.told
    return {"http_kills": kills, "answered_before": answered, "written_without_answer": written, "http_lost": 0,
            "http_doubled": 0}


def memory_mb() -> float:
    """What this process holds in memory now, in MB (Linux: /proc/self/statm, second field, pages)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


@contextmanager
def _place(address: str) -> Iterator[tuple[str, Settings]]:
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        yield address or str(Path(folder) / "record.sqlite"), Settings(data_dir=folder)
