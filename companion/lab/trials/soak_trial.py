"""Hours at a table: a film again and again, a camera that is lost and whose exposure hunts; memory, and what came."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.lab.evaluation.film_events import seat_scores
from companion.lab.simulators.film_camera import FRAMES_A_SECOND
from companion.lab.trials.live_trial import LATEST_S, LiveTable, live_table, memory_mb

STILL_S = 30.0
"""How long people of the film think over a still picture: the film is half an hour long then."""
NEVER_S = 15.0
"""What has not come by then is missed; what comes after LATEST_S is late."""
AWAY_EVERY, AWAY_S = 37, 2.0
"""After so many pictures the camera's cable is pulled out, for so long."""
HUNTED_GAINS = (1.0, 1.05, 0.96, 1.03, 0.98)
"""The camera's exposure before the pictures of five rounds; within a still scene it jumps to the next one."""
HUNT_EVERY = 11
HUNT_S = 1.0
WARM_UP_SHARE = 0.2
"""Of the frames: what is loaded when it is first needed is there by then."""


@dataclass
class _Evening:
    """A soak under way. `until`: frames to be shown. `still_rate`: frames a second where nothing changes. `memory`:
    (hours of film, MB) before each picture."""

    table: LiveTable
    until: int
    still_rate: float
    counts: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)

    @property
    def frames(self) -> int:
        """Sent by the camera so far."""
        return self.table.camera.frames

    @property
    def is_over(self) -> bool:
        """Whether all frames have been shown."""
        return self.frames >= self.until

    def play(self) -> None:
        """The film once: every act is waited for; what came is counted, and what the program holds is noted."""
        self.counts["games"] += 1
        for number in range(len(self.table.jobs.pictures)):
            self.memory.append((self.frames / FRAMES_A_SECOND / 3600.0, memory_mb()))
            if self.is_over:
                return
            self._show(number)
        self.counts["ended as filmed"] += self._ended_as_filmed()

    def _ended_as_filmed(self) -> bool:
        """Whether the record ends with the scores of the film's truth: what came was right, too."""
        table, end = self.table.host.table, self.table.events[-1]
        assert table is not None
        session = table.session
        scores = [{k: seat[k] for k in ("tiles", "sets", "total")} for seat in end.get("scores", ())]
        return session.rules.result(session.state) is not None and seat_scores(session.rules, session.state) == scores

    def _show(self, number: int) -> None:
        table, counts = self.table, self.counts
        counts["pictures"] += 1
        begun, round_ = self.frames, counts["pictures"] // HUNT_EVERY
        took_s = table.act(number, HUNTED_GAINS[round_ % len(HUNTED_GAINS)], NEVER_S)
        if number in table.telling:
            counts["acts"] += 1
            counts["late"] += took_s is not None and took_s > LATEST_S
            if took_s is None:
                self.missed.append(f"game {counts['games']}, picture {number}")
        if number not in table.still:
            return
        if counts["pictures"] % HUNT_EVERY == 0:
            counts["exposure jumps"] += 1
            table.camera.show(table.jobs.pictures[number], HUNTED_GAINS[(round_ + 1) % len(HUNTED_GAINS)])
            time.sleep(HUNT_S)
        if counts["pictures"] % AWAY_EVERY == 0:
            counts["camera lost"] += 1
            table.camera.stay_away(AWAY_S)
        table.camera.rest(max(1, begun + round(STILL_S * FRAMES_A_SECOND) - self.frames), self.still_rate)


def soak(film: Path, hours: float, still_rate: float, told: Callable[[str], None]) -> dict[str, Any]:
    """Play so many hours of the film at `film`, a game after the other in one program; `told` gets a line after each.

    Whatever happens is shown at 30 frames a second; where people think and nothing changes, at most `still_rate`.
    """
    begun_s = time.monotonic()
    with live_table(film) as table:
        evening = _Evening(table, round(hours * 3600.0 * FRAMES_A_SECOND), still_rate)
        while True:
            evening.play()
            at, held = evening.memory[-1]
            counts = ", ".join(f"{n} {k}" for k, n in evening.counts.items())
            told(f"{at:.2f} h, {held:.0f} MB: {counts}, {len(evening.missed)} missed {evening.missed}")
            if evening.is_over:
                break
            table.begin_again()
    wall = {"frames": evening.frames, "wall_minutes": round((time.monotonic() - begun_s) / 60.0, 1)}
    return dict(evening.counts) | {"missed": len(evening.missed)} | wall | memory_figures(evening.memory)


def memory_figures(samples: Sequence[tuple[float, float]]) -> dict[str, float]:
    """What (hour, MB) samples say: after the warm-up, and how it goes on from there, by a straight line; `growth` is
    the part by which that line rises until the end."""
    settled = np.array(samples[int(WARM_UP_SHARE * len(samples)) :])
    slope = float(np.polyfit(settled[:, 0], settled[:, 1], 1)[0]) if len(settled) > 2 else 0.0
    rise = slope * float(settled[-1, 0] - settled[0, 0])
    middle = float(settled[:, 1].mean())
    return {
        "hours": round(float(settled[-1, 0]), 3), "memory_mb_first": round(float(settled[0, 1]), 1),
        "memory_mb_last": round(float(settled[-1, 1]), 1), "memory_mb_most": round(float(settled[:, 1].max()), 1),
        "memory_mb_an_hour": round(slope, 1), "memory_growth": round(rise / (middle - rise / 2), 3),
    }
