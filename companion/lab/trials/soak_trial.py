"""Hours at a table: a film again and again, a camera that is lost and whose exposure hunts; memory, and what came."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.lab.trials.live_trial import LiveTable, live_table, memory_mb

AWAY_EVERY, AWAY_S = 37, 2.0
"""After so many pictures the camera's cable is pulled out, for so long."""
HUNTED_GAINS = (1.0, 1.05, 0.96, 1.03, 0.98)
"""The camera's exposure before the pictures of five rounds; within a still scene it jumps to the next one."""
HUNT_EVERY = 11
HUNT_S = 1.0
WARM_UP_SHARE = 0.2
"""Of the samples: what is loaded when it is first needed is there by then."""


def soak(film: Path, hours: float, told: Callable[[str], None]) -> dict[str, Any]:
    """Play the film at `film` for so long, a game after the other in one program; `told` gets a line after each."""
    begun_s = time.monotonic()
    until_s = begun_s + hours * 3600.0
    counts: Counter[str] = Counter()
    memory: list[tuple[float, float]] = []
    with live_table(film) as table:
        while True:
            _play(table, counts, memory, begun_s, until_s)
            told(f"{memory[-1][0]:.2f} h, {memory[-1][1]:.0f} MB: " + ", ".join(f"{n} {k}" for k, n in counts.items()))
            if time.monotonic() >= until_s:
                break
            table.begin_again()
    return dict(counts) | memory_figures(memory)


def _play(
    table: LiveTable, counts: Counter[str], memory: list[tuple[float, float]], begun_s: float, until_s: float
) -> None:
    """The film once: every act is waited for; what came is counted, and what the program holds is noted."""
    counts["games"] += 1
    for number, picture in enumerate(table.jobs.pictures):
        memory.append(((time.monotonic() - begun_s) / 3600.0, memory_mb()))
        if time.monotonic() >= until_s:
            return
        counts["pictures"] += 1
        round_ = counts["pictures"] // HUNT_EVERY
        acted = table.act(number, HUNTED_GAINS[round_ % len(HUNTED_GAINS)])
        if number in table.telling:
            counts["acts"] += 1
            counts["missed"] += acted is None
        if number in table.still and counts["pictures"] % HUNT_EVERY == 0:
            counts["exposure jumps"] += 1
            table.camera.show(picture, HUNTED_GAINS[(round_ + 1) % len(HUNTED_GAINS)])
            time.sleep(HUNT_S)
        if number in table.still and counts["pictures"] % AWAY_EVERY == 0:
            counts["camera lost"] += 1
            table.camera.stay_away(AWAY_S)


def memory_figures(samples: Sequence[tuple[float, float]]) -> dict[str, float]:
    """What (hour, MB) samples say: after the warm-up, and how it goes on from there, by a straight line."""
    settled = np.array(samples[int(WARM_UP_SHARE * len(samples)) :])
    slope = float(np.polyfit(settled[:, 0], settled[:, 1], 1)[0]) if len(settled) > 2 else 0.0
    return {
        "hours": round(float(settled[-1, 0]), 3), "memory_mb_first": round(float(settled[0, 1]), 1),
        "memory_mb_last": round(float(settled[-1, 1]), 1), "memory_mb_most": round(float(settled[:, 1].max()), 1),
        "memory_mb_an_hour": round(slope, 1),
    }
