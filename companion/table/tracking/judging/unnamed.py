"""A face that chance has laid and that no picture names or shows any more: which one it may be, and what holds
whichever it is (pure)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from companion.core.game import Rules
from companion.core.layout import EMPTY_SLOT, SlotView
from companion.core.types import Draw, Face, Slot
from companion.table.tracking.appearance import path_look
from companion.table.tracking.chance_ahead import faces_to_come
from companion.table.tracking.doings import Doing, doings
from companion.table.tracking.hypotheses import SUPPORT, Believed
from companion.table.tracking.judging.reconcile import Blame
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal, TakenBack, Verdict
from companion.table.tracking.reading.evidence import TableEvidence

Judge = Callable[[Believed, Mapping[Slot, SlotView]], Verdict]
"""(believed, silent misreadings) -> the verdict on the same pictures."""


def foreign_faces(rules: Rules, blame: Blame, believed: Believed, evidence: TableEvidence) -> dict[Slot, Illegal]:
    """The empty places that chance fills and that read as a face that cannot come there, as one does that the light has
    washed out; and what it is if that face lies there. Another thing is a face that was moved there from where it lay.
    """
    foreign: dict[Slot, Illegal] = {}
    for slot, come in faces_to_come(rules, believed.state).items():
        one = evidence.of(slot)
        reads = one.most_likely()
        if not one.visible or believed.view.at(slot).face is not None or reads.face in (None, *come):
            continue
        if not _lay_elsewhere(reads.face, believed, evidence):
            seen = believed.view.with_slots({slot: reads})
            margin = one.log_likelihood(reads) - max(one.log_likelihood(replace(reads, face=face)) for face in come)
            violation = blame(rules, believed.state, believed.view, seen)
            foreign[slot] = Illegal(violation, seen, believed.view, (), margin)
    return foreign


def _lay_elsewhere(face: Face | None, believed: Believed, evidence: TableEvidence) -> bool:
    """Whether `face` lay in a place where it is not seen any more."""
    places = (slot for slot, at in believed.view.slots if at.face == face)
    return any(not evidence.of(slot).visible or evidence.of(slot).most_likely().face != face for slot in places)


def without_foreign(
    rules: Rules, believed: Believed, evidence: TableEvidence, foreign: Iterable[Slot]
) -> TableEvidence:
    """`evidence` if the slots `foreign` show one of the faces that may come there, or nothing."""
    come = faces_to_come(rules, believed.state)
    for slot in foreign:
        evidence = evidence.among(slot, come[slot])
    return evidence


def judge_unnamed(
    rules: Rules, believed: Believed, silent: Mapping[Slot, SlotView], evidence: TableEvidence, judge: Judge,
    foreign: Mapping[Slot, Illegal],
) -> Verdict:
    """The verdict of `judge`; where a drawn face cannot be named, which face it is comes first.

    The pictures are then judged as if the likeliest face lay there. What is against the rules even so is reported, for
    it does not rest on the face; anything else waits until the face is known. So do pieces that are laid where people
    would first have told in secret what they will do: nobody could take that down before the face is named.

    `foreign`: places that read as a face that cannot come there, and what it is if people say that it lies there.
    """
    verdict = judge(believed, silent)
    if isinstance(verdict, Explained | TakenBack):
        return verdict
    draws, gone = _unnamed_draws(rules, believed, evidence), False
    if not draws:
        draws, gone = _draws_gone(rules, believed, evidence, verdict), True
    if not draws:
        return verdict
    (slot,) = draws[0].touched
    lay, laid = believed.view.at(slot), EMPTY_SLOT if gone else draws[0].path[-1].at(slot)
    named = replace(
        believed, state=rules.apply(draws[0].before, draws[0].event), view=believed.view.with_slots({slot: laid})
    )
    reads = evidence.of(slot).most_likely()
    otherwise = judge_unnamed(rules, named, {**silent, slot: reads}, evidence, judge, foreign)
    waits = _rests_on_a_draw if gone else _only_pieces
    if isinstance(otherwise, Illegal) and not (waits(otherwise) and _untold(rules, named)):
        # nobody is told to take away what lies there by right
        seen, nearest = (view.with_slots({slot: lay}) for view in (otherwise.seen, otherwise.nearest))
        # and nothing that followed the draw can be recorded before it
        return replace(otherwise, seen=seen, nearest=nearest, events=(), unless=None)
    breach, choices = foreign.get(slot), [draw.events for draw in draws]
    acted: frozenset[Slot] = frozenset()
    if gone and isinstance(verdict, Illegal):
        breach, acted = verdict, frozenset((slot, *verdict.nearest.differs(verdict.seen)))
    return Ambiguous((*choices, *([()] if breach else [])), (slot,), breach=breach, unnamed=otherwise, open=acted)


def _unnamed_draws(rules: Rules, believed: Believed, evidence: TableEvidence) -> tuple[Doing, ...]:
    """The draws into the one place that chance fills next, the likeliest face first; none unless something lies there
    that was not there before, or came before its turn, and no picture clearly names."""
    draws = doings(rules, believed.state)
    slots = {slot for draw in draws for slot in draw.touched}
    if len(slots) != 1 or not all(isinstance(draw.event, Draw) for draw in draws):
        return ()
    (slot,) = slots
    one = evidence.of(slot)
    if not one.visible or slot not in evidence.unclear:
        return ()
    if believed.view.at(slot).face is not None and slot not in believed.early:
        return ()
    if one.log_likelihood(one.most_likely()) - one.log_likelihood(EMPTY_SLOT) < SUPPORT:
        return ()  # it may as well be empty still
    return tuple(sorted(draws, key=lambda draw: -one.log_likelihood(draw.path[-1].at(slot))))


def _draws_gone(rules: Rules, believed: Believed, evidence: TableEvidence, verdict: Verdict) -> tuple[Doing, ...]:
    """The draws into the one place that chance fills next, the likeliest face first, where a face has come and gone
    without a picture of it: the place is empty, chance has filled a later one, and `verdict` accuses people of acts
    that may be right after it."""
    if not isinstance(verdict, Illegal) or not _rests_on_a_draw(verdict) or not believed.early:
        return ()
    draws = doings(rules, believed.state)
    slots = {slot for draw in draws for slot in draw.touched}
    if len(slots) != 1 or not all(isinstance(draw.event, Draw) for draw in draws):
        return ()
    (slot,) = slots
    lies = believed.view.at(slot)
    if lies != EMPTY_SLOT or not evidence.of(slot).visible or evidence.of(slot).most_likely() != lies:
        return ()
    odds: defaultdict[SlotView, Fraction] = defaultdict(Fraction)
    for outcome in rules.chance_outcomes(draws[0].before):
        odds[path_look(rules, draws[0].before, outcome.draw)[-1].at(slot)] += outcome.probability
    return tuple(sorted(draws, key=lambda draw: -odds[draw.path[-1].at(slot)]))


def _only_pieces(breach: Illegal) -> bool:
    """Whether no face is wrong."""
    lie, seen = breach.nearest, breach.seen
    return all(lie.at(slot).face == seen.at(slot).face for slot in lie.differs(seen))


def _rests_on_a_draw(breach: Illegal) -> bool:
    """Whether nothing is wrong but pieces and faces that are gone: what may be laid and taken depends on what lies
    there. Faces that lie where others lay do not."""
    lie, seen = breach.nearest, breach.seen
    return all(seen.at(slot).face in (None, lie.at(slot).face) for slot in lie.differs(seen))


def _untold(rules: Rules, believed: Believed) -> bool:
    """Whether what comes next is told in secret."""
    return any(map(rules.is_secret, rules.legal_actions(believed.state)))
