"""What lies on a simulated table, and a hand that lays things there."""

from __future__ import annotations

from dataclasses import replace

from companion.core.layout import BoardView, SlotView
from companion.core.types import Slot


class LaidView:
    """`view` is what lies there."""

    view: BoardView

    def put(self, slot: Slot, colour: str, count: int = 1) -> None:
        """Lay cubes (or, with a negative count, take them)."""
        at = self.view.at(slot)
        pieces = dict(at.pieces)
        pieces[colour] = pieces.get(colour, 0) + count
        self.lay(slot, replace(at, pieces=tuple(sorted((c, n) for c, n in pieces.items() if n))))

    def lay(self, slot: Slot, at: SlotView) -> None:
        """Let `at` lie in `slot`."""
        self.view = self.view.with_slots({slot: at})
