"""What lies over slots in one picture after the other: it is left out with the places on its way, and disturbs no
others. A patch of a window's light with sharp edges looks so, a thing that was laid there, and a hand at rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from companion.core.types import Slot

# Of what rests the covered part of a slot differs by so much from picture to picture: what a noisy edge does to it.
# A finger over a card covers more.
SAME_SHARE = 0.1


def same_cover(share: float, before: float) -> bool:
    """Whether a slot of which the part `share` is covered, 0 to 1, may be covered by the same as `before`."""
    return abs(share - before) <= SAME_SHARE


@dataclass
class RestingCovers:
    """Which slots have been covered alike in every picture for `stays` (seconds, or pictures of a film)."""

    stays: float
    _since: dict[Slot, tuple[float, float]] = field(default_factory=dict)

    def see(self, share: Mapping[Slot, float], under: Collection[Slot], now: float) -> None:
        """Of the slots of `share`, slot -> covered part, those of `under` seemed to be under a hand at `now`; of all
        other slots nothing is known."""
        for slot, part in share.items():
            begun = self._since.get(slot)
            if slot not in under:
                self._since.pop(slot, None)
            elif begun is None or not same_cover(part, begun[1]):
                self._since[slot] = now, part

    def known(self, now: float) -> Mapping[Slot, float]:
        """Slot -> covered part, of those over which something rests at `now`."""
        return {slot: part for slot, (since, part) in self._since.items() if now - since >= self.stays}
