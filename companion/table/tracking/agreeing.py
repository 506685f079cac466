"""What a settled picture shows for sure of what is believed: later pictures are compared with it (pure)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import log

from companion.core.layout import BoardView, SlotView
from companion.core.types import Slot
from companion.table.tracking.judging.verdicts import Ambiguous, Illegal, NoChange, Unreadable, Verdict
from companion.table.tracking.reading.evidence import SlotEvidence, TableEvidence

UNCLEAR = log(3.0)
"""A reading that is not clear and speaks less than this against what is believed does not dispute it."""


def agreed_views(
    view: BoardView, evidence: TableEvidence, verdict: Verdict | None, alarm: Illegal | None,
    asked: Ambiguous | Unreadable | None,
) -> dict[Slot, SlotView]:
    """What lies in the slots by `view`, where `evidence` reads so or does not clearly read otherwise, and nothing is
    open: no `alarm` and no question names them, nor does the `verdict` doubt them."""
    disputed = set(() if alarm is None else view.differs(alarm.seen))
    disputed |= set(() if asked is None else asked.telling if isinstance(asked, Ambiguous) else asked.slots)
    doubted: Collection[Slot] = ()
    match verdict:
        case Ambiguous():
            doubted = {*verdict.telling, *verdict.doubted}
        case NoChange(doubted=slots) | Unreadable(slots=slots):
            doubted = slots
    return {
        slot: view.at(slot)
        for slot, one in evidence.slots.items()
        if one.visible and slot not in disputed and _bears_out(one, view.at(slot), doubted=slot in doubted)
    }


def still_uncounted(before: frozenset[Slot], view: BoardView, evidence: TableEvidence) -> frozenset[Slot]:
    """The slots on whose faces in `view` nobody knows what lies: `evidence` names the face and does not clearly show
    what lies on it, or it was so `before` and no picture has clearly shown it since."""
    return frozenset(
        slot
        for slot, lies in view.slots
        if lies.face is not None and _is_uncounted(evidence.of(slot), lies, was=slot in before)
    )


def _is_uncounted(one: SlotEvidence, lies: SlotView, *, was: bool) -> bool:
    reads = one.most_likely()
    if not one.visible or reads.face != lies.face:
        return was
    return reads not in one.clear and (was or lies.face in one.named)


def is_right_again(alarm: Illegal, evidence: TableEvidence) -> bool:
    """Whether every slot that `alarm` names clearly reads as it should lie."""
    slots = alarm.nearest.differs(alarm.seen)
    right = (evidence.of(slot).most_likely() == alarm.nearest.at(slot) for slot in slots)
    return bool(slots) and evidence.unclear.isdisjoint(slots) and not evidence.unseen(slots) and all(right)


def _bears_out(one: SlotEvidence, view: SlotView, *, doubted: bool) -> bool:
    """Whether pictures of a slot show `view`, or show nothing clearly that speaks much against its pieces; `doubted`:
    something may have happened there, so that only the former will do."""
    best = one.most_likely()
    if best == view or best in one.clear or doubted:
        return best == view
    empty = best.face is None or view.face is None
    other = replace(best, pieces=view.pieces)
    return not empty and one.log_likelihood(other) >= one.log_likelihood(best) - UNCLEAR
