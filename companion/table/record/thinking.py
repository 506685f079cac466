"""How long each player has been waited for, by the times of the record; a pause and a draw are nobody's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.core.types import Seat

Span: TypeAlias = tuple[int, tuple[Seat, ...]]
"""From when (Unix ms, the time of a record) who is waited for, until the next one begins."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """Time used so far: `used_ms` by seat up to `since_ms`, and whose time runs from then on."""

    since_ms: int = 0
    running: tuple[Seat, ...] = ()
    used_ms: dict[Seat, int] = field(default_factory=dict)

    def after(self, span: Span) -> Thinking:
        """After the record with which `span` begins. A clock that was set back takes nothing away."""
        time_ms, running = span
        passed = max(0, time_ms - self.since_ms)
        used = dict(self.used_ms)
        for seat in self.running:
            used[seat] = used.get(seat, 0) + passed
        return Thinking(time_ms, running, used)


NOTHING_YET = Thinking()


def by_round(spans: Sequence[Span], rounds: Sequence[int]) -> dict[int, dict[Seat, int]]:
    """Milliseconds of each seat in each round; `rounds` says the round in which each span began. The last span, which
    has no end yet, is left out."""
    found: dict[int, dict[Seat, int]] = {}
    for (start, running), (end, _), number in zip(spans, spans[1:], rounds, strict=False):
        for seat in running:
            row = found.setdefault(number, {})
            row[seat] = row.get(seat, 0) + max(0, end - start)
    return found
