"""Which secret acts of a record have become public: those that the reveal after them laid open."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Rules, State
from companion.core.types import Action, Event, Seat
from companion.table.record.history import HistoryStep


class Disclosure:
    """Grows with every event that is accepted. What was public once stays so, also when it is undone."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._last: dict[Seat, tuple[int, bool]] = {}  # per seat: the record of its last act, and whether it is secret
        self.public: set[int] = set()
        """The numbers of the records whose secret act everybody may know."""

    def take(self, number: int, event: Event, before: State) -> tuple[int, ...]:
        """Take in the event of record `number`; the records that it makes public.

        A reveal shows what every seat did last, if that was secret: a choice that was taken back before stays so.
        """
        secret = self._rules.is_secret(event)
        if isinstance(event, Action):
            self._last[event.seat] = (number, secret)
        if not self._rules.is_reveal(before, event):
            return ()
        shown = {n for n, hidden in self._last.values() if hidden} | ({number} if secret else set())
        shown -= self.public
        self.public |= shown
        return tuple(sorted(shown))

    def went_elsewhere(self, line: Iterable[HistoryStep]) -> None:
        """An undo or an overruling: `line` are the steps in force now."""
        self._last.clear()
        for step in line:
            if isinstance(step.event, Action):
                self._last[step.event.seat] = (step.number, self._rules.is_secret(step.event))
