"""What settled pictures say together: the readings of each slot fused, and the evidence of the whole table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from math import log
from types import MappingProxyType

from companion.core.layout import EMPTY_SLOT, BoardView, SlotView
from companion.core.types import Face, Slot
from companion.table.tracking.reading.reading_weights import EVEN, ReadingWeights

FRAME_WEIGHTS: tuple[float, ...] = (1.0, 0.7, 0.5, 0.35, 0.25)
"""What each further picture of the same still scene adds. The errors of one camera are correlated, so pictures
are not multiplied as if independent: five pictures count as 2.8, and further ones not at all."""

TOTAL_WEIGHTS = tuple(accumulate(FRAME_WEIGHTS, initial=0.0))
"""By number of readings: what they are worth together."""

WEAK_READING = log(20.0)
"""A reading that speaks less than this against what is believed may be taken for a misreading without asking."""


@dataclass(frozen=True, slots=True)
class SlotEvidence:
    """All readings of one slot since the scene last changed; none: the slot was never seen."""

    slot: Slot
    last: ReadingWeights | None = None
    before: SlotEvidence | None = None
    """The evidence without the last reading."""
    count: int = 0
    """How many readings there are."""
    candidates: tuple[SlotView, ...] = ()
    """The best views of the readings, oldest first, each once."""
    clear: frozenset[SlotView] = frozenset()
    """Those of the candidates that a reading clearly shows."""
    named: frozenset[Face | None] = frozenset()
    """The faces of the candidates of which a reading is so sure that it is not flagged."""
    _known: dict[SlotView, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def and_then(self, reading: ReadingWeights) -> SlotEvidence:
        """This evidence and one reading more, up to `len(FRAME_WEIGHTS)` readings."""
        known = reading is self.last or reading.best in self.candidates
        candidates = self.candidates if known else (*self.candidates, reading.best)
        clear = self.clear | {reading.best} if reading.clear else self.clear
        named = self.named | {reading.best.face} if reading.named else self.named
        return SlotEvidence(self.slot, reading, self, self.count + 1, candidates, clear, named)

    def is_surely_other(self, seen: SlotView, legal: SlotView) -> bool:
        """Whether one reading is so sure of what tells `seen` from `legal`, its face or the count of a colour, that it
        is not flagged."""
        if seen.face != legal.face:
            return seen.face in self.named
        has, had = dict(seen.pieces), dict(legal.pieces)
        other = [colour for colour in has.keys() | had.keys() if has.get(colour, 0) != had.get(colour, 0)]
        one: SlotEvidence | None = self
        while one is not None and one.last is not None:
            if not other or any(one.last.counts(colour, has.get(colour, 0)) for colour in other):
                return True
            one = one.before
        return False

    def is_of(self, readings: Sequence[ReadingWeights]) -> bool:
        """Whether it is of just these readings, oldest first."""
        one: SlotEvidence | None = self
        for reading in reversed(readings):
            if one is None or one.last is not reading:
                return False
            one = one.before
        return one is not None and one.last is None

    @property
    def visible(self) -> bool:
        """Whether any picture shows the slot."""
        return self.last is not None

    @property
    def weight(self) -> float:
        """How many independent readings these readings are worth."""
        return TOTAL_WEIGHTS[self.count]

    def log_likelihood(self, view: SlotView) -> float:
        """Fused log-likelihood of `view`; 0 for every view when the slot was never seen."""
        if self.last is None or self.before is None:
            return 0.0
        known = self._known.get(view)
        if known is None:
            weight = FRAME_WEIGHTS[self.count - 1]
            known = self.before.log_likelihood(view) + weight * self.last.log_likelihood(view)
            self._known[view] = known
        return known

    def hides_the_difference(self, one: SlotView, other: SlotView) -> bool:
        """Whether two views differ only in pieces of colours that hardly show there: the slot reads the same whichever
        lies there, now and later, so that its reading not having changed says nothing."""
        hidden = {colour for colour, p in (self.last.doubted if self.last is not None else ()) if p <= EVEN}
        rest = (tuple(each for each in view.pieces if each[0] not in hidden) for view in (one, other))
        return bool(hidden) and len(set(rest)) == 1 and (one.face, one.turn) == (other.face, other.turn)

    def most_likely(self) -> SlotView:
        """The view that explains the readings best, among the best ones of each reading."""
        if len(self.candidates) == 1:
            return self.candidates[0]
        return max(self.candidates, key=self.log_likelihood, default=EMPTY_SLOT)


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """What the settled pictures since the last disturbance say of the whole table."""

    frames: tuple[int, ...]
    slots: Mapping[Slot, SlotEvidence]
    outside: frozenset[Slot] = frozenset()
    """Slots that lie outside of the picture, and were in none of this scene: nothing will be seen there."""

    def of(self, slot: Slot) -> SlotEvidence:
        """The evidence of `slot`; an unseen one when no picture names it."""
        return self.slots.get(slot) or SlotEvidence(slot)

    @property
    def unclear(self) -> frozenset[Slot]:
        """The slots that are seen, but in which no reading clearly shows what it takes for most probable."""
        return frozenset(s for s, one in self.slots.items() if one.visible and one.most_likely() not in one.clear)

    @property
    def flagged(self) -> frozenset[Slot]:
        """The slots that are seen, but flagged as unsure in the last picture that shows them."""
        return frozenset(slot for slot, one in self.slots.items() if one.last is not None and one.last.is_flagged)

    def perhaps_come(self, view: BoardView) -> frozenset[Slot]:
        """The slots in which a piece may have come that does not lie there by `view`: it is counted, and may be none.
        """
        return frozenset(
            slot for slot, one in self.slots.items()
            if one.last is not None
            and any(p <= EVEN and dict(one.last.pieces).get(colour, 0) > dict(view.at(slot).pieces).get(colour, 0)
                    for colour, p in one.last.doubted)
        )  # fmt: skip

    def called(self, slot: Slot, face: Face) -> TableEvidence:
        """The same pictures if the face that `slot` most likely shows is `face`, misread."""
        read = self.of(slot).most_likely().face
        return self._reread(slot, lambda reading: reading.called(read, face))

    def among(self, slot: Slot, come: Collection[Face]) -> TableEvidence:
        """The same pictures if one of the faces `come` lies in `slot`, or nothing: they show another one, misread."""
        return self._reread(slot, lambda reading: reading.among(come))

    def _reread(self, slot: Slot, anew: Callable[[ReadingWeights], ReadingWeights]) -> TableEvidence:
        """The same pictures with another sense of each reading of `slot`."""
        one, reread, readings = self.of(slot), SlotEvidence(slot), []
        while one.last is not None and one.before is not None:
            readings.append(one.last)
            one = one.before
        for reading in reversed(readings):
            reread = reread.and_then(anew(reading))
        return replace(self, slots={**self.slots, slot: reread})

    def unseen(self, slots: Iterable[Slot]) -> tuple[Slot, ...]:
        """Those of `slots` that no picture shows, in their order."""
        return tuple(s for s in slots if not self.of(s).visible)


NOTHING_SEEN = TableEvidence((), MappingProxyType({}))
"""Before the first settled picture."""
