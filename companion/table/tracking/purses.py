"""What the coins in the players' purses say of acts that leave the same slots behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log

from companion.core.game import MoneyShown, Rules, State
from companion.core.inputs import BoardObservation, PurseReading
from companion.core.types import Slot

Witness = Callable[[State], float]
"""Log-likelihood of what lies beside the slots if the game stands at a state."""


@dataclass
class PurseWitness:
    """Purses of one table. Coins tell acts apart, and accuse nobody: hands pay sooner or later, and change money.

    A purse is heard only if it held what the record says when the table was last as believed: what is misread, hidden
    under other coins, or not yet paid says nothing, and nor does a purse that still holds what it held then.
    """

    rules: Rules
    _seen: dict[Slot, PurseReading | None] = field(default_factory=dict)
    """What the pictures of this scene make of each purse; None where they differ."""
    _right: set[Slot] = field(default_factory=set)

    def look(self, observation: BoardObservation) -> None:
        """One more settled picture of the scene."""
        for reading in observation.purses:
            known = self._seen.get(reading.slot, reading)
            self._seen[reading.slot] = reading if known is not None and known.total == reading.total else None

    def scene_changed(self) -> None:
        """What comes is another scene."""
        self._seen = {}

    def as_believed(self, state: State) -> None:
        """The table is as it should be in `state`: which purses are, too."""
        if isinstance(self.rules, MoneyShown):
            holds = self.rules.purses(state)
            for slot, one in self._seen.items():
                if one is not None and one.total == holds.get(slot):
                    self._right.add(slot)
                else:
                    self._right.discard(slot)

    def of(self, believed: State) -> Witness | None:
        """What the purses say now that `believed` was accepted last; None: nothing."""
        rules = self.rules
        if not isinstance(rules, MoneyShown):
            return None
        held = rules.purses(believed)
        heard = [one for slot, one in self._seen.items() if one is not None and slot in self._right]
        told = [one for one in heard if one.total != held[one.slot]]
        if not told:
            return None

        def witness(state: State) -> float:
            holds = rules.purses(state)
            return sum(log(one.p if holds[one.slot] == one.total else 1.0 - one.p) for one in told)

        return witness
