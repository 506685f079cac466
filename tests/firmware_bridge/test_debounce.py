"""Debouncing by tables of time, contact and report, at several scan rates and across counter wrap, Python and C."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from random import Random

import pytest
from c_box import CBox, Debounce, build_c_box

from firmware_bridge.constants import DEBOUNCE_MS
from firmware_bridge.debounce import Debouncer

SILENCE_MS = 60_000

# name, contact changes as (ms, closed) and what must be reported as (ms, closed) when scanned every millisecond.
# The report comes 5 ms after the contact came to rest (DEBOUNCE_MS).
TABLES: tuple[tuple[str, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]], ...] = (
    ("clean press", ((10, 1),), ((15, 1),)),
    ("press and release", ((10, 1), (40, 0)), ((15, 1), (45, 0))),
    ("3 ms glitch", ((10, 1), (13, 0)), ()),
    ("1 ms glitch", ((10, 1), (11, 0)), ()),
    ("5 ms is not yet long enough", ((10, 1), (15, 0)), ()),
    ("6 ms counts", ((10, 1), (16, 0)), ((15, 1), (21, 0))),
    ("bounce on closing", ((10, 1), (11, 0), (12, 1), (14, 0), (15, 1)), ((20, 1),)),
    ("bounce on both edges", ((10, 1), (12, 0), (13, 1), (50, 0), (52, 1), (53, 0)), ((18, 1), (58, 0))),
    ("20 edges of bounce", tuple((10 + n, (n + 1) % 2) for n in range(21)), ((35, 1),)),
    ("glitch while held", ((10, 1), (30, 0), (33, 1), (60, 0)), ((15, 1), (65, 0))),
    ("glitches in a row", tuple((10 + 4 * n + d, 1 - d // 3) for n in range(10) for d in (0, 3)), ()),
)
STARTS = (0, 1, 0xFFFF - 12, 0xFFFF - 3, 0x10000 - 5, 0xFFFFFFFF - 12)

Sampler = Callable[[int, int], int]


def python_sampler(raw: int) -> Sampler:
    return Debouncer(raw).sample


@pytest.fixture(scope="module")
def c_box(tmp_path_factory: pytest.TempPathFactory) -> CBox:
    return build_c_box(tmp_path_factory.mktemp("c"))


def c_sampler(c_box: CBox, raw: int) -> Sampler:
    state = Debounce()
    c_box.library.debounce_start(ctypes.byref(state), ctypes.c_uint16(raw))

    def sample(level: int, now_ms: int) -> int:
        return int(c_box.library.debounce_sample(ctypes.byref(state), ctypes.c_uint16(level), ctypes.c_uint16(now_ms)))

    return sample


def play(
    sample: Sampler, changes: tuple[tuple[int, int], ...], scan_ms: int, start_ms: int, until_ms: int, bit: int = 0
) -> list[tuple[int, int]]:
    """The reports (ms since the start, closed) of one contact scanned every `scan_ms`."""
    told, level, settled, at = [], 0, 0, 0
    for now in range(0, until_ms, scan_ms):
        while at < len(changes) and changes[at][0] <= now:
            level = changes[at][1]
            at += 1
        changed = sample(level << bit, start_ms + now)
        assert changed in (0, 1 << bit)
        if changed:
            settled ^= 1
            told.append((now, settled))
    return told


@pytest.mark.parametrize("start_ms", STARTS)
@pytest.mark.parametrize("row", TABLES, ids=lambda row: row[0])
def test_contact_is_reported_by_the_table(row: tuple, start_ms: int) -> None:
    name, changes, expected = row
    assert tuple(play(python_sampler(0), changes, 1, start_ms, 1_000)) == expected, name


@pytest.mark.parametrize("row", TABLES, ids=lambda row: row[0])
def test_nothing_is_reported_in_the_minute_after(row: tuple) -> None:
    _, changes, expected = row
    assert tuple(play(python_sampler(0), changes, 1, 0xFFFF - 20, SILENCE_MS)) == expected


@pytest.mark.system("gcc")
@pytest.mark.parametrize("start_ms", STARTS)
def test_c_reports_by_the_same_tables(c_box: CBox, start_ms: int) -> None:
    for name, changes, expected in TABLES:
        for bit in (0, 8):
            assert tuple(play(c_sampler(c_box, 0), changes, 1, start_ms, 200, bit)) == expected, name


@pytest.mark.parametrize("scan_ms", [1, 2, 3, 4, 5, 8, 10])
@pytest.mark.parametrize("start_ms", STARTS)
def test_slower_scans_report_the_same_edges_at_most_two_scans_later(scan_ms: int, start_ms: int) -> None:
    changes = ((20, 1), (21, 0), (22, 1), (120, 0), (123, 1), (124, 0))
    moves, rests = (20, 120), (22, 124)  # when the bounce begins and ends
    told = play(python_sampler(0), changes, scan_ms, start_ms, SILENCE_MS)
    assert [closed for _, closed in told] == [1, 0]
    for (at, _), moved, rested in zip(told, moves, rests, strict=True):
        assert moved + DEBOUNCE_MS <= at <= rested + DEBOUNCE_MS + 2 * scan_ms


def test_what_is_closed_at_the_start_was_not_pressed() -> None:
    sample = python_sampler(0b11)
    assert [sample(0b11, now) for now in range(100)] == [0] * 100


def test_chord_settles_in_one_sample() -> None:
    sample = python_sampler(0)
    changed = [sample(0b1111 if now >= 10 else 0, now) for now in range(30)]
    assert [mask for mask in changed if mask] == [0b1111]


@pytest.mark.system("gcc")
def test_python_and_c_agree_on_any_contacts_and_times(c_box: CBox) -> None:
    random = Random(2)
    for _ in range(40):
        ours, theirs = python_sampler(0), c_sampler(c_box, 0)
        now, raw = random.randrange(1 << 16), 0
        for _ in range(300):
            now += random.choice((1, 1, 1, 2, 5, 11))
            if random.random() < 0.2:
                raw ^= 1 << random.randrange(9)
            assert ours(raw, now) == theirs(raw, now)
