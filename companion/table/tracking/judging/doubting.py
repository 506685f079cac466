"""Whether what is seen is the fault of the record: a face that the camera misread when it was dealt (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.game import Rules
from companion.core.layout import SlotView
from companion.core.types import Event, Slot
from companion.table.tracking.hypotheses import Believed
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal, NoChange, Unreadable, Verdict
from companion.table.tracking.reading.evidence import TableEvidence
from companion.table.tracking.reading.sure_readings import SureReadings, surely_another
from companion.table.tracking.retold import Record, Retold, retell, retold_view

Judge = Callable[[TableEvidence, Believed, Mapping[Slot, SlotView]], Verdict]
"""(pictures, believed, silent misreadings) -> the verdict."""


def doubt_record(
    rules: Rules, record: Record, believed: Believed, silent: Mapping[Slot, SlotView], evidence: TableEvidence,
    readings: SureReadings, verdict: Verdict, judge: Judge,
) -> Verdict:
    """`verdict`, or the question whether the record or what is surely seen of a face is right: the record can be told
    again with that face, everything after it was legal then too, and the pictures fit. Nothing is rewritten unasked."""
    long = readings.often() if isinstance(verdict, NoChange | Unreadable) else ()
    for slot in dict.fromkeys((*_disputed(verdict), *long)):
        lies, face = believed.view.at(slot), surely_another(evidence, slot, believed.view.at(slot))
        story = None if face is None or lies.face is None else retell(rules, record, slot, lies.face, face)
        if story is None:
            continue
        view = retold_view(rules, believed.state, believed.view, story)
        others = {s: at for s, at in silent.items() if s != slot}
        if _settles(judge(evidence, replace(believed, state=story.state, view=view), others), slot):
            return _question(verdict, story)
    return _acts_on_misread(believed, silent, evidence, verdict, judge)


def _acts_on_misread(
    believed: Believed, silent: Mapping[Slot, SlotView], evidence: TableEvidence, verdict: Verdict, judge: Judge
) -> Verdict:
    """`verdict`, or the question whether something happened in a place that surely reads as a face which no story puts
    there: then the face is misread, and what else is seen in that place may be right."""
    breach = verdict if isinstance(verdict, Illegal) else None
    for slot in _disputed(verdict):
        lies = believed.view.at(slot).face
        if lies is None or surely_another(evidence, slot, believed.view.at(slot)) is None:
            continue
        acted = judge(evidence.called(slot, lies), believed, silent)
        if isinstance(acted, Explained) and slot in believed.view.differs(acted.view):
            return Ambiguous((acted.events, ()), (slot,), alike=True, breach=breach)
    return verdict


def _disputed(verdict: Verdict) -> tuple[Slot, ...]:
    """The slots in which the verdict may be the fault of what is in the record."""
    match verdict:
        case Illegal(seen=seen, nearest=nearest):
            wrong = nearest.differs(seen)  # a face that lay in another of them was moved from there
            return tuple(s for s in wrong if all(seen.at(s).face != nearest.at(other).face for other in wrong))
        case Unreadable(slots=slots):
            return slots
    return ()


def _settles(verdict: Verdict, slot: Slot) -> bool:
    """Whether nothing is wrong any more with the face in `slot` by the verdict on the story told again."""
    match verdict:
        case Illegal(seen=seen, nearest=nearest):
            return seen.at(slot).face == nearest.at(slot).face
        case Unreadable(slots=slots):
            return slot not in slots
    return True


def _question(verdict: Verdict, story: Retold) -> Ambiguous:
    """Which of two stories is true: the one told again, or the record; or neither, if something is wrong."""
    breach = verdict if isinstance(verdict, Illegal) else None
    choices: tuple[tuple[Event, ...], ...] = ((story.events[0],), (story.was,))
    return Ambiguous(
        choices if breach is None else (*choices, ()), (story.slot,), alike=True, breach=breach, corrects=story
    )
