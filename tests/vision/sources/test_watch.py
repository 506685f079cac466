"""When a camera counts as frozen, silent or hopeless: tables of times and pictures."""

from __future__ import annotations

import pytest

from vision.sources.base import Health
from vision.sources.watch import SourceWatch, backoff_s

# frames as (time s, fingerprint), the moment asked about, expected health
CASES = [
    ("nothing yet", [], 0.2, Health.OPENING),
    ("one frame just now", [(0.1, 1)], 0.2, Health.LIVE),
    ("a slow camera, five frames a second", [(0.2 * i, i) for i in range(1, 20)], 4.0, Health.LIVE),
    ("silent for 0.8 s", [(0.1, 1), (0.2, 2)], 1.0, Health.LIVE),
    ("silent for a second", [(0.1, 1), (0.2, 2)], 1.2, Health.STALE),
    ("the same picture for 0.5 s", [(0.1 * i, 7) for i in range(1, 6)], 0.55, Health.LIVE),
    ("the same picture for a second", [(0.1 * i, 7) for i in range(1, 12)], 1.1, Health.STALE),
    ("a new picture after a frozen second", [(0.1 * i, 7) for i in range(1, 12)] + [(1.2, 8)], 1.3, Health.LIVE),
    ("one repeated frame in between", [(0.1, 1), (0.2, 1), (0.3, 2)], 0.4, Health.LIVE),
]


@pytest.mark.parametrize(("frames", "now_s", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_health_follows_from_times_and_pictures(frames, now_s, expected):
    watch = SourceWatch(live=True, opened_s=0.0)
    for time_s, mark in frames:
        watch.frame(time_s, mark)
    assert watch.health(now_s)[0] is expected


def test_trouble_is_noticed_within_one_second_at_any_frame_rate():
    for fps in (5, 10, 25, 30, 60):
        watch = SourceWatch(live=True, opened_s=0.0)
        for i in range(1, 3 * fps):
            watch.frame(i / fps, i)
        last = (3 * fps - 1) / fps
        assert watch.health(last + 1.0)[0] is Health.STALE
        for i in range(3 * fps, 5 * fps):
            watch.frame(i / fps, 3 * fps)
        assert watch.health(3.0 + 1.0)[0] is Health.STALE


def test_pictures_of_a_file_may_stand_still():
    watch = SourceWatch(live=False, opened_s=0.0)
    watch.frame(0.1, 1)
    assert watch.health(60.0)[0] is Health.LIVE
    assert not watch.hopeless(60.0)


def test_a_frozen_camera_is_given_up_after_two_seconds_not_before():
    watch = SourceWatch(live=True, opened_s=0.0)
    watch.frame(1.0, 1)
    assert not watch.hopeless(2.9)
    assert watch.hopeless(3.0)


def test_waits_between_attempts_grow_and_stay_bounded():
    waits = [backoff_s(i) for i in range(20)]
    assert waits == sorted(waits)
    assert waits[0] < 0.5
    assert max(waits) <= 5.0
