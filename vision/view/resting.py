"""What lies over slots in one picture after the other: it is left out with the places on its way, and disturbs no
others. A patch of a window's light with sharp edges looks so, a thing that was laid there, and a hand at rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from companion.core.types import Slot

# Of what rests the covered part of a slot differs by so much from picture to picture: what a noisy edge does to it.
# A finger over a card covers more.
SAME_SHARE = 0.1


def no_more(share: float, before: float) -> bool:
    """Whether a slot of which the part `share` is covered, 0 to 1, may be covered by what covered the part `before`: a
    hand that has come covers more. Other light on what rests hides some of it."""
    return share <= before + SAME_SHARE


@dataclass
class RestingCovers:
    """Which slots have been covered alike in every picture for `stays` (seconds, or pictures of a film). What has
    rested still does while an arm lies over it, or a picture does not show it, and is forgotten when it was not seen
    for longer than `forgotten`."""

    stays: float
    forgotten: float
    _since: dict[Slot, tuple[float, float]] = field(default_factory=dict)
    _rested: dict[Slot, tuple[float, float]] = field(default_factory=dict)  # when it was seen last, covered part

    def see(self, share: Mapping[Slot, float], under: Collection[Slot], now: float) -> None:
        """Of the slots of `share`, slot -> covered part, those of `under` seemed to be under a hand at `now`; of all
        other slots nothing is known."""
        known = self.known(now)
        for slot, part in share.items():
            begun = self._since.get(slot)
            if slot not in under:
                self._since.pop(slot, None)
            elif begun is None or abs(part - begun[1]) > SAME_SHARE:
                self._since[slot] = now, part
            if slot in known and slot in under and no_more(part, known[slot]):
                self._rested[slot] = now, known[slot]

    def known(self, now: float) -> Mapping[Slot, float]:
        """Slot -> covered part, of those over which something rests at `now`."""
        rested = {slot: part for slot, (last, part) in self._rested.items() if now - last <= self.forgotten}
        return rested | {slot: part for slot, (since, part) in self._since.items() if now - since >= self.stays}
