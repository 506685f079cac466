"""Contacts by tables of time, contact and report: bounce, wobble, lock-outs, scan rates, counter wrap; Python and C."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from random import Random

import pytest
from bounce import random_bounce
from c_box import CBox, CContacts, build_c_box

from firmware_bridge.constants import DEBOUNCE_MS, REST_MS
from firmware_bridge.model.contacts import LONGEST_LOCKOUT_MS, Contacts, Lockouts

SILENCE_MS = 60_000
BUTTON, SHIELD, REFEREE = 0, 5, 8
Row = tuple[str, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]

# name, contact changes as (ms, closed) and what must be reported as (ms, closed) when scanned every millisecond.
# A press counts after 5 ms of rest (DEBOUNCE_MS), a release after 40 (REST_MS); 300 ms after a press nothing counts.
BUTTON_TABLE: tuple[Row, ...] = (
    ("clean press", ((10, 1),), ((15, 1),)),
    ("a long press and its release", ((10, 1), (900, 0)), ((15, 1), (940, 0))),
    ("a tap is released when the lock-out ends", ((10, 1), (90, 0)), ((15, 1), (315, 0))),
    ("3 ms glitch", ((10, 1), (13, 0)), ()),
    ("5 ms is not yet long enough", ((10, 1), (15, 0)), ()),
    ("6 ms counts", ((10, 1), (16, 0)), ((15, 1), (315, 0))),
    ("bounce on closing", ((10, 1), (11, 0), (12, 1), (14, 0), (15, 1)), ((20, 1),)),
    ("opens again for 6 ms", ((10, 1), (17, 0), (23, 1), (900, 0)), ((15, 1), (940, 0))),
    ("opens again for 12 ms", ((10, 1), (17, 0), (29, 1), (900, 0)), ((15, 1), (940, 0))),
    ("opens again for 30 ms", ((10, 1), (17, 0), (47, 1), (900, 0)), ((15, 1), (940, 0))),
    ("opens for 30 ms long after the press", ((10, 1), (600, 0), (630, 1), (900, 0)), ((15, 1), (940, 0))),
    ("closes again for 6 and 30 ms on release", ((10, 1), (600, 0), (620, 1), (626, 0), (640, 1), (670, 0)),
     ((15, 1), (710, 0))),
    ("600 ms of bounce", tuple((10 + 30 * n, (n + 1) % 2) for n in range(21)), ((15, 1),)),
    ("a second press within the lock-out", ((10, 1), (90, 0), (200, 1), (280, 0)), ((15, 1), (320, 0))),
    ("a second press held beyond the lock-out", ((10, 1), (90, 0), (250, 1), (500, 0)), ((15, 1), (540, 0))),
    ("a second press after the lock-out", ((10, 1), (90, 0), (330, 1), (900, 0)),
     ((15, 1), (315, 0), (335, 1), (940, 0))),
    ("glitches in a row", tuple((10 + 4 * n + d, 1 - d // 3) for n in range(10) for d in (0, 3)), ()),
)  # fmt: skip
# A shield counts after 40 ms of rest both ways; 150 ms after that nothing counts.
SHIELD_TABLE: tuple[Row, ...] = (
    ("put up", ((10, 1),), ((50, 1),)),
    ("rocks as it is put up", ((10, 1), (30, 0), (45, 1), (70, 0), (90, 1)), ((130, 1),)),
    ("rocks for 30 ms as it stands", ((10, 1), (500, 0), (530, 1)), ((50, 1),)),
    ("is put down twice within the lock-out", ((10, 1), (60, 0), (130, 1)), ((50, 1),)),
    ("put up and lifted", ((10, 1), (400, 0)), ((50, 1), (440, 0))),
    ("lifted within the lock-out", ((10, 1), (100, 0)), ((50, 1), (200, 0))),
)
TABLES = [(BUTTON, row) for row in BUTTON_TABLE] + [(SHIELD, row) for row in SHIELD_TABLE]
STARTS = (0, 1, 0xFFFF - 12, 0xFFFF - 3, 0x10000 - 5, 0xFFFFFFFF - 12)

Sampler = Callable[[int, int, int], int]


def python_sampler(raw: int = 0, lockouts: Lockouts | None = None) -> Sampler:
    return Contacts(raw, lockouts).sample


@pytest.fixture(scope="module")
def c_box(tmp_path_factory: pytest.TempPathFactory) -> CBox:
    return build_c_box(tmp_path_factory.mktemp("c"))


def c_sampler(c_box: CBox, raw: int = 0, lockouts: Lockouts | None = None) -> Sampler:
    state = CContacts()
    c_box.library.contacts_start(ctypes.byref(state), ctypes.c_uint16(raw))
    button, shield = (ctypes.c_uint8(value) for value in (lockouts or Lockouts()).as_bytes)

    def sample(level: int, flickered: int, now_ms: int) -> int:
        levels = ctypes.c_uint16(level), ctypes.c_uint16(flickered)
        return int(
            c_box.library.contacts_sample(ctypes.byref(state), *levels, ctypes.c_uint16(now_ms), button, shield)
        )

    return sample


def play(
    sample: Sampler, changes: tuple[tuple[float, int], ...], scan_ms: int, start_ms: int, until_ms: int, index: int
) -> list[tuple[int, int]]:
    """The reports (ms since the start, closed) of one contact scanned every `scan_ms`."""
    told, level, settled, at, bit = [], 0, 0, 0, 1 << index
    busy_ms = int(changes[-1][0]) + 1_000  # after that every 50 ms: a minute of silence is a long one
    for now in [*range(0, min(busy_ms, until_ms), scan_ms), *range(busy_ms, until_ms, 50)]:
        moved = 0
        while at < len(changes) and changes[at][0] <= now:
            level, moved = changes[at][1], bit
            at += 1
        changed = sample(level << index, moved, start_ms + now)
        assert changed in (0, bit)
        if changed:
            settled ^= 1
            told.append((now, settled))
    return told


@pytest.mark.parametrize("start_ms", STARTS)
@pytest.mark.parametrize(("index", "row"), TABLES, ids=[row[0] for _, row in TABLES])
def test_contact_is_reported_by_the_table(index: int, row: Row, start_ms: int) -> None:
    _, changes, expected = row
    assert tuple(play(python_sampler(), changes, 1, start_ms, 1_500, index)) == expected


@pytest.mark.parametrize(("index", "row"), TABLES, ids=[row[0] for _, row in TABLES])
def test_nothing_is_reported_in_the_minute_after(index: int, row: Row) -> None:
    _, changes, expected = row
    assert tuple(play(python_sampler(), changes, 1, 0xFFFF - 20, SILENCE_MS, index)) == expected


@pytest.mark.system("gcc")
@pytest.mark.parametrize("start_ms", STARTS)
def test_c_reports_by_the_same_tables(c_box: CBox, start_ms: int) -> None:
    for index, (name, changes, expected) in TABLES:
        told = play(c_sampler(c_box), changes, 1, start_ms, 1_500, index if index == SHIELD else REFEREE)
        assert tuple(told) == expected, name


@pytest.mark.parametrize("scan_ms", [1, 2, 3, 4, 5, 8, 10])
@pytest.mark.parametrize("start_ms", STARTS)
def test_slower_scans_report_the_same_edges_at_most_two_scans_later(scan_ms: int, start_ms: int) -> None:
    changes = ((20, 1), (21, 0), (22, 1), (620, 0), (623, 1), (624, 0))
    told = play(python_sampler(), changes, scan_ms, start_ms, SILENCE_MS, BUTTON)
    assert [closed for _, closed in told] == [1, 0]
    for (at, _), (moved, rested, rest_ms) in zip(told, ((20, 22, DEBOUNCE_MS), (620, 624, REST_MS)), strict=True):
        assert moved + rest_ms <= at <= rested + rest_ms + 2 * scan_ms


def test_contact_that_opens_between_two_scans_is_not_at_rest() -> None:
    sample = python_sampler()
    told = [sample(1, int(now % 4 == 0), now) for now in range(100)]
    assert not any(told)


@pytest.mark.parametrize("index", range(9))
def test_a_thousand_bounces_are_one_event_each(index: int) -> None:
    """Up to 20 edges of 0.5 to 30 ms on closing and on opening, of every input, in turn."""
    random = Random(index)
    for _ in range(1_000 // 9 + 1):
        closing = [(10 + at, level) for at, level in random_bounce(random, 1)]
        opening = [(2_000 + at, level) for at, level in random_bounce(random, 0)]
        told = play(python_sampler(), tuple(closing + opening), 1, 0, 3_500, index)
        assert [closed for _, closed in told] == [1, 0], (closing, opening)


@pytest.mark.parametrize("lockout_ms", [0, 20, LONGEST_LOCKOUT_MS])
def test_lock_out_can_be_set(lockout_ms: int) -> None:
    changes = ((10, 1), (100, 0))
    told = play(python_sampler(0, Lockouts(lockout_ms, 0)), changes, 1, 0, 2_000, BUTTON)
    assert told == [(15, 1), (max(140, 15 + lockout_ms), 0)]


def test_lock_out_beyond_one_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 510 ms"):
        Lockouts(511)


def test_what_is_closed_at_the_start_was_not_pressed() -> None:
    sample = python_sampler(0b11)
    assert [sample(0b11, 0, now) for now in range(100)] == [0] * 100


def test_chord_settles_in_one_sample() -> None:
    sample = python_sampler()
    changed = [sample(0b1111 if now >= 10 else 0, 0, now) for now in range(30)]
    assert [mask for mask in changed if mask] == [0b1111]


@pytest.mark.system("gcc")
def test_python_and_c_agree_on_any_contacts_and_times(c_box: CBox) -> None:
    random = Random(2)
    for _ in range(40):
        lockouts = Lockouts(2 * random.randrange(256), 2 * random.randrange(256))
        ours, theirs = python_sampler(0, lockouts), c_sampler(c_box, 0, lockouts)
        now, raw = random.randrange(1 << 16), 0
        for _ in range(600):
            now += random.choice((1, 1, 1, 2, 5, 11, 60))
            moved = random.randrange(512) & random.randrange(512) if random.random() < 0.1 else 0
            if random.random() < 0.2:
                raw ^= 1 << random.randrange(9)
            assert ours(raw, moved, now) == theirs(raw, moved, now)
