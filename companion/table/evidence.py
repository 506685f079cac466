"""Fuses settled pictures into what is believed of each slot: log-likelihoods of what may lie there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

from companion.core.inputs import BoardObservation, Sight, SlotReading
from companion.core.layout import SlotView
from companion.core.types import Face, Slot

FRAME_WEIGHTS: tuple[float, ...] = (1.0, 0.7, 0.5, 0.35, 0.25)
"""What each further picture of the same still scene adds. The errors of one camera are correlated, so pictures
are not multiplied as if independent: five pictures count as 2.8, and further ones not at all."""

FLOOR = log(1e-7)
"""No single reading is believed to be more certain than this."""

FLAGGED_P = 0.25
"""A count that is flagged as unsure is still this likely to be right: the flag says that little is known, not that
what was counted is impossible."""

SUREST_COUNT = 0.99
"""No count of pieces is believed more than this, whatever the reader says of it: on test pictures 98 to 99 % of the
tiles had every piece counted right."""

SUREST_FACE = 0.995
"""Nor is a face: on test pictures up to 0.5 % of the small tiles were named wrongly."""

UNTRIED_FACES = 20
"""Among how many faces the probability is shared that a reading left over."""


def _pieces_log_likelihood(reading: SlotReading, wanted: Mapping[str, int]) -> float:
    """Log-likelihood of the counts of a reading if the pieces `wanted` lie there.

    A piece that was overlooked, one too many, and one taken for another colour are one error each.
    """
    seen = {p.colour: p.count for p in reading.pieces}
    colours = wanted.keys() | seen.keys()
    lost = sum(max(0, wanted.get(c, 0) - seen.get(c, 0)) for c in colours)
    found = sum(max(0, seen.get(c, 0) - wanted.get(c, 0)) for c in colours)
    p = min(max(reading.pieces_p, FLAGGED_P), SUREST_COUNT)
    errors = max(lost, found)
    return log(p) if errors == 0 else log((1.0 - p) * 0.5**errors)


@lru_cache(maxsize=65536)
def reading_log_likelihood(reading: SlotReading, view: SlotView) -> float:
    """Log-likelihood of one reading if `view` lies in the slot; 0 for every view when the slot is not seen."""
    if reading.sight is not Sight.SEEN:
        return 0.0
    total = 0.0
    if reading.faces:
        for face, log_p in reading.faces:
            if face == view.face:
                total = min(max(log_p, FLOOR), log(SUREST_FACE))
                break
        else:
            rest = 1.0 - sum(exp(log_p) for _, log_p in reading.faces)
            total = log(max(rest, 1.0 - SUREST_FACE) / UNTRIED_FACES)
    total += _pieces_log_likelihood(reading, dict(view.pieces))
    return max(total, FLOOR)


def best_view(reading: SlotReading) -> SlotView:
    """What the reading takes for most probable: its first face and its piece counts."""
    face = reading.faces[0][0] if reading.faces else None
    return SlotView(face, None, tuple(sorted((p.colour, p.count) for p in reading.pieces if p.count)))


@dataclass(frozen=True, slots=True)
class SlotEvidence:
    """All readings of one slot since the scene last changed, oldest first; empty: the slot was never seen."""

    slot: Slot
    readings: tuple[SlotReading, ...]

    @property
    def visible(self) -> bool:
        """Whether any picture shows the slot."""
        return bool(self.readings)

    def log_likelihood(self, view: SlotView) -> float:
        """Fused log-likelihood of `view`; 0 for every view when the slot was never seen."""
        return sum(
            w * reading_log_likelihood(r, view) for w, r in zip(FRAME_WEIGHTS, self.readings, strict=False)
        )

    def most_likely(self) -> SlotView:
        """The view that explains the readings best, among the best ones of each reading."""
        candidates = dict.fromkeys(best_view(r) for r in self.readings)
        return max(candidates, key=self.log_likelihood, default=SlotView())

    def doubt(self) -> float:
        """Probability in 0..1 that something else than `most_likely` lies here, as the readings say."""
        return 1.0 - exp(min(0.0, self.log_likelihood(self.most_likely()))) if self.readings else 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the settled pictures since the last disturbance say of the whole table."""

    frames: tuple[int, ...]
    slots: Mapping[Slot, SlotEvidence]

    def of(self, slot: Slot) -> SlotEvidence:
        """The evidence of `slot`; an unseen one when no picture names it."""
        return self.slots.get(slot) or SlotEvidence(slot, ())

    def unseen(self, slots: Iterable[Slot]) -> tuple[Slot, ...]:
        """Those of `slots` that no picture shows, in their order."""
        return tuple(s for s in slots if not self.of(s).visible)


def _alike(reading: SlotReading, same_face: Callable[[Face], Face]) -> SlotReading:
    merged: dict[Face | None, float] = {}
    for face, log_p in reading.faces:
        key = None if face is None else same_face(face)
        merged[key] = log(exp(merged[key]) + exp(log_p)) if key in merged else log_p
    ranked = tuple(sorted(merged.items(), key=lambda item: -item[1]))
    return SlotReading(reading.slot, reading.sight, ranked, None, reading.pieces, reading.pieces_p)


def fuse(observations: Sequence[BoardObservation], same_face: Callable[[Face], Face]) -> Evidence:
    """Evidence of settled observations of one still scene, oldest first. Faces that look the same count as one.

    Only the last `len(FRAME_WEIGHTS)` pictures in which a slot is seen count for it.
    """
    per_slot: dict[Slot, list[SlotReading]] = {}
    for observation in observations:
        for reading in observation.slots:
            per_slot.setdefault(reading.slot, [])
            if reading.sight is Sight.SEEN:
                per_slot[reading.slot].append(_alike(reading, same_face))
    keep = len(FRAME_WEIGHTS)
    return Evidence(
        tuple(o.frame for o in observations),
        {slot: SlotEvidence(slot, tuple(readings[-keep:])) for slot, readings in per_slot.items()},
    )
