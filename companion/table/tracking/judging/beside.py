"""What happened beside a place that is in doubt, or beside what an open alarm names (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.layout import BoardView, SlotView
from companion.core.types import Slot, Violation
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal, Unreadable, Verdict
from companion.table.tracking.reading.evidence import TableEvidence


def judge_beside(
    view: BoardView, evidence: TableEvidence, silent: Mapping[Slot, SlotView],
    judge: Callable[[Mapping[Slot, SlotView]], Verdict],
) -> Verdict:
    """The verdict of `judge` (misreadings that are known -> verdict). Where it is open whether something illegal lies
    in a place or the camera misreads it, what was done elsewhere, or is asked of it, does not wait for that; nor does
    what a player is to be asked wait for places that are flagged as unsure. `view`: what is believed."""
    verdict = judge(silent)
    if isinstance(verdict, Ambiguous):
        return _asked_beside(evidence, silent, judge, verdict)
    if not isinstance(verdict, Unreadable) or not verdict.misread:
        return verdict
    doubted = {slot: evidence.of(slot).most_likely() for slot in verdict.slots}
    rest = judge({**silent, **doubted})
    match rest:
        case Explained():
            apart = doubted.keys().isdisjoint(view.differs(rest.view))
        case Ambiguous(breach=None):
            apart = doubted.keys().isdisjoint(rest.telling)
        case _:
            apart = False
    return rest if apart else verdict


def _asked_beside(
    evidence: TableEvidence, silent: Mapping[Slot, SlotView], judge: Callable[[Mapping[Slot, SlotView]], Verdict],
    asked: Ambiguous,
) -> Ambiguous:
    """`asked`, or what is left of it where all that is flagged as unsure is as it was: one player's act, of which no
    picture will tell which one it is."""
    unsure = evidence.flagged.intersection(asked.telling)
    if asked.alike or asked.is_of_a_face or asked.corrects is not None or not unsure:
        return asked
    rest = judge({**silent, **{slot: evidence.of(slot).most_likely() for slot in unsure}})
    if not isinstance(rest, Ambiguous) or not rest.may_be_unfinished or not unsure.isdisjoint(rest.telling):
        return asked
    return replace(rest, doubted=unsure, ends=tuple(replace(end, open=end.open | unsure) for end in rest.ends))


def gone_on(alarm: Illegal | None, upheld: Violation | None, view: BoardView, verdict: Verdict) -> Verdict:
    """`verdict`, or the question whether an open alarm is false: legal acts happened beside it, and nothing is wrong
    but what it names, as it was then. People who are accused by right do not play on.

    `upheld`: what a person has said to be so; of that nobody is asked again.
    """
    if alarm is None or not isinstance(verdict, Illegal) or not verdict.events or verdict.violation == upheld:
        return verdict
    named = set(view.differs(alarm.seen))
    wrong = verdict.nearest.differs(verdict.seen)
    if any(slot not in named or verdict.seen.at(slot) != alarm.seen.at(slot) for slot in wrong):
        return verdict
    return Ambiguous((verdict.events, ()), wrong, alike=True, breach=verdict, beside=True)
