"""Evidence against the rules: one verdict for what the settled pictures show (pure).

The rules are the prior, the camera the likelihood. Every chain of legal events competes with the explanation that
somebody did something illegal in the slots that do not fit, and with the explanation that the camera misread them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile
from math import log

from companion.core.game import MoneyShown, Rules, State, WaysCompared
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Draw, Event, Slot, Violation
from companion.table.tracking.appearance import board_look
from companion.table.tracking.doings import doings
from companion.table.tracking.hypotheses import Believed, Hypothesis, changed_slots, root, successors, tidied
from companion.table.tracking.judging.half_seen import (
    perhaps_astray,
    surely_laid,
    unnamed_draw,
    with_figures_moved,
    with_tokens_arrived,
)
from companion.table.tracking.judging.presumed import presume, sensible_first
from companion.table.tracking.judging.turn_by_turn import UNRIVALLED, ended, margin_of, of_who_acted_first, what_is_over
from companion.table.tracking.judging.verdicts import (
    Ambiguous,
    Explained,
    Illegal,
    NoChange,
    TakenBack,
    Unreadable,
    Verdict,
)
from companion.table.tracking.judging.weighing import EarlierState, Weighed, Weigher
from companion.table.tracking.purses import Witness
from companion.table.tracking.reading.evidence import TableEvidence

Blame = Callable[[Rules, State, BoardView, BoardView], Violation]
"""(rules, state, accepted view, seen view) -> the clause that the change of the table breaks."""


@dataclass(frozen=True, slots=True)
class Demands:
    """How sure a verdict must be, as log-odds against the best other explanation."""

    accept: float = log(30.0)
    """An event is accepted when it is this much better than anything else that could have happened."""
    alarm: float = log(3.0)
    """A mistake is reported when it is this much better than the best innocent explanation."""
    overlooked: float | None = None
    """Acts are looked for even where the pictures surely show none; those that explain all that is wrong, and are less
    likely by these log-odds at most, are asked about. None: where pictures surely show none there is none."""
    may_presume: bool = False
    """The one legal way to a table that a breach would come to as well is what happened, until people say no."""


DEFAULT_DEMANDS = Demands()
"""For single pictures, where no second look is to be had."""

LIVE_DEMANDS = Demands(accept=log(15000.0), alarm=log(1000.0))
"""For a running camera: two or three pictures that agree, a tenth of a second, cost nothing."""

@dataclass(frozen=True, slots=True)
class Context:
    """What is known of a table besides what is believed of it and what its pictures show now."""

    silent: Mapping[Slot, SlotView] = field(default_factory=dict)
    """Per slot what the readings said when the believed view was accepted, where they said something else; such a slot
    is believed to be unchanged as long as it reads the same."""
    strange: frozenset[Slot] = frozenset()
    """Slots that are not clear, and were then."""
    earlier: tuple[EarlierState, ...] = ()
    """States that a take-back may lead to, latest first."""
    hinted: frozenset[Event] = frozenset()
    """Events of which an earlier scene left it open whether they happened."""
    witness: Witness | None = None
    """What lies beside the slots tells of acts."""
    uncounted: frozenset[Slot] = frozenset()
    """Slots on whose faces no picture has clearly shown what is believed to lie."""


NO_CONTEXT = Context()

CONTRADICTION = log(0.2)
"""A slot contradicts an explanation when it makes the readings this improbable against their own best view."""

MOST_CHOICES = 3
"""How many explanations of another table a question offers; more would not be read."""

MOST_ALIKE = 24
"""How many more explanations of the same table it offers: one of them is right, and no picture will tell which."""

MOST_STRANGE = 2
"""A figure that is set where the camera cannot tell it makes this many slots unclear; an arm over the table more."""

PERHAPS_LEGAL = log(500.0)
"""Legal acts that explain all that an alarm would name, and are this much less likely, are asked about instead: nobody
is accused of what the eyes may have missed. A tile laid early is so if one cube was overlooked; a cube laid out of turn
is not, unless the other player's cube may well have been."""

GONE_ON_LEGALLY = log(1e5)
"""The same where an alarm is open and people have gone on all the same."""

_TAKE_BACK = log(0.1)


def reconcile(
    rules: Rules, believed: Believed, evidence: TableEvidence, blame: Blame, context: Context = NO_CONTEXT,
    demands: Demands = DEFAULT_DEMANDS,
) -> Verdict:
    """The verdict on settled evidence. The same arguments give the same verdict; nothing is changed."""
    layout, witness = rules.layout(), context.witness
    outlines = layout.slots
    slots = tuple(s.slot for s in outlines)
    start = root(rules, believed, slots)
    if (not context.earlier or witness is None) and _as_believed(start, believed, evidence, slots):
        return NoChange(believed.view)  # an earlier table fits worse where it differs: only purses may speak for it
    set_aside = 0 < len(context.strange) <= MOST_STRANGE
    handled = (*layout.tokens, *layout.figures) if set_aside else layout.tokens
    starts = (start, *tidied(rules, believed, evidence, slots))
    looks_anywhere = demands.overlooked is not None
    found = tuple(successors(
        rules, starts, evidence, slots, anywhere=looks_anywhere, hinted=context.hinted,
        uncounted=context.uncounted if looks_anywhere else frozenset(),
    ))  # fmt: skip
    strays = perhaps_astray(layout.figures, context.strange, found) if set_aside else ()
    weigh = Weigher(
        evidence, outlines, believed.view, context.silent, context.hinted, start, handled, layout.figures, strays
    )
    ranked = [weigh(h) for h in found]
    for one in context.earlier:
        back = Hypothesis(one.state, (), root(rules, Believed(one.state, one.view), slots).stages, _TAKE_BACK, ())
        weighed = weigh(back)
        if not weighed.wrong and weighed.view != believed.view:
            ranked.append(replace(weighed, back_to=one))
    if witness is not None:
        heard = [witness(w.hypothesis.events, w.hypothesis.state) for w in ranked]
        ranked = [
            replace(w, score=w.score + log_p, misread=w.misread + log_p) for w, log_p in zip(ranked, heard, strict=True)
        ]
    ranked.sort(key=lambda w: -w.score)
    verdict = _decide(rules, believed, evidence, blame, ranked, demands, context.uncounted)
    if looks_anywhere and isinstance(verdict, Illegal) and _goes_uncounted(verdict, context.uncounted):
        # nobody knows whether the face went rightly, and so neither whose turn it is nor what may come
        return Unreadable(verdict.nearest.differs(verdict.seen), misread=True)
    if isinstance(verdict, Illegal):
        after = reduce(rules.apply, verdict.events, believed.state)
        if unnamed := unnamed_draw(rules, after, believed.view, evidence):
            return Unreadable(unnamed)
    if isinstance(verdict, Unreadable):
        return replace(verdict, choices=_perhaps(verdict.slots, ranked))
    if demands.may_presume and isinstance(verdict, Ambiguous) and verdict.breach is not None:
        return presume(rules, verdict, ranked, demands.accept) or verdict
    return verdict


def _perhaps(slots: tuple[Slot, ...], ranked: list[Weighed]) -> tuple[tuple[Event, ...], ...]:
    """The likeliest legal acts that touch one of the `slots`: too little is seen to say more."""
    legal = (w for w in ranked if not w.wrong and w.back_to is None and not set(slots).isdisjoint(w.hypothesis.touched))
    return tuple(dict.fromkeys(w.hypothesis.events for w in legal if w.hypothesis.events))[:MOST_CHOICES]


def _goes_uncounted(breach: Illegal, uncounted: frozenset[Slot]) -> bool:
    """Whether a face is gone from the table on which nobody knows what lay."""
    lie = {at.face for _, at in breach.seen.slots} | {None}
    return any(breach.nearest.at(slot).face not in lie for slot in uncounted)


def _as_believed(start: Hypothesis, believed: Believed, evidence: TableEvidence, slots: tuple[Slot, ...]) -> bool:
    """Whether every slot surely reads as believed and may not be otherwise: then there is nothing to weigh."""
    for slot in slots:
        one, view = evidence.of(slot), believed.view.at(slot)
        if not one.visible or one.most_likely() != view or start.allowed(slot) != (view,):
            return False
    return not changed_slots(start, evidence, slots)


def _decide(
    rules: Rules, believed: Believed, evidence: TableEvidence, blame: Blame, ranked: list[Weighed], demands: Demands,
    uncounted: frozenset[Slot],
) -> Verdict:
    best = ranked[0]
    others = [w for w in ranked[1:] if _rivals(rules, w, best)]
    rivals = [w.score for w in others if w.looks != best.looks or not _is_one_act(best.hypothesis, w.hypothesis)]
    rivals += [w.misread for w in ranked if w.misread < w.score and w.hypothesis.events != best.hypothesis.events]
    margin = best.score - max(rivals) if rivals else UNRIVALLED
    covered = evidence.unseen(best.hypothesis.unseen)
    if covered:
        return _agreed_on(believed, ranked, others, demands) or Unreadable(covered)
    if best.wrong:
        drawn = _drawn_before_telling(rules, believed, ranked, demands, uncounted)
        if drawn is not None:
            return drawn
        fitting = [w for w in ranked[1:] if w.looks == best.looks and not w.accuses and w.back_to is None]
        innocent = max(w.misread for w in ranked if not any(w is one for one in fitting))
        # in many slots two misreadings of one picture are nothing rare: one slot must be sure by itself
        if min(best.score - innocent, best.surest) < demands.alarm:
            return Unreadable(best.wrong, misread=True)
        seen = with_figures_moved(surely_laid(best, demands.accept), best.wrong, evidence, rules.layout().figures)
        seen = with_tokens_arrived(seen, best.wrong, best.view, evidence, rules.layout().tokens)
        violation = blame(rules, best.hypothesis.state, best.view, seen)
        breach = Illegal(
            violation, seen, best.view, best.hypothesis.events, best.score - innocent,
            fitting[0].hypothesis.events if fitting else None,
        )
        legal = [w for w in fitting[:MOST_CHOICES] if best.score - w.score < demands.accept]
        legal += [w for w in ranked if _is_perhaps_what_happened(w, best, demands.overlooked or 0.0)]
        told = [w.hypothesis.events for w in legal if not _brings_an_equal(w, believed)]
        choices = tuple(dict.fromkeys(told))[:MOST_CHOICES]
        return Ambiguous((*choices, ()), best.wrong, alike=True, breach=breach) if choices else breach
    against = tuple(s for s in believed.view.differs(best.view) if _contradicts(evidence, s, best.view.at(s)))
    if against:
        # what the record says lies there since before, and is read otherwise, keeps no act elsewhere waiting
        return Unreadable(against, misread=best.back_to is None and not set(against) & set(best.hypothesis.touched))
    if not best.hypothesis.events and best.back_to is None:
        possible = [w for w in others if best.score - w.score < demands.accept and not w.wrong and w.back_to is None]
        hinted = frozenset(event for w in possible for event in w.hypothesis.events)
        return NoChange(best.view, hinted, frozenset(slot for w in possible for slot in w.hypothesis.touched))
    if margin < demands.accept:
        sure = _agreed_on(believed, ranked, others, demands) or what_is_over(ranked, others, demands.accept)
        doubtful = _doubtful(rules, believed, best, others, demands)
        return sure or of_who_acted_first(doubtful, ranked, others, demands.accept)
    if best.back_to is not None:
        return TakenBack(best.back_to.record, best.view, margin)
    return Explained(best.hypothesis.events, best.hypothesis.state, best.view, margin)


def _brings_an_equal(legal: Weighed, believed: Believed) -> bool:
    """Whether a face must have gone unseen while its equal came there: nobody asks people for such a chance."""
    return any(legal.view.at(slot) == believed.view.at(slot) for slot in legal.hypothesis.drawn)


def _is_perhaps_what_happened(legal: Weighed, best: Weighed, overlooked: float) -> bool:
    """Whether legal acts lead to what is seen where `best` finds something illegal, an overlooked one among them."""
    if legal.wrong or legal.back_to is not None or best.score - legal.score >= overlooked:
        return False
    more = len(legal.hypothesis.events) > len(best.hypothesis.events)
    return more and all(legal.view.at(slot) == best.seen.at(slot) for slot in best.wrong)


def _rivals(rules: Rules, other: Weighed, best: Weighed) -> bool:
    """Whether `other` is another explanation; less or more of the same one about the same table is no rival.

    Nor is another way to the same last act if it comes to the same position or would be shown or told, nor the same
    acts in another order if they come to the same position: nobody need be asked which was first. Nor is the same story
    with something illegal elsewhere: that stays open until it is seen better.
    """
    if not best.wrong and other.wrong and other.hypothesis.events == best.hypothesis.events and other.back_to is None:
        return False
    if other.looks == best.looks:
        events, told = other.hypothesis.events, best.hypothesis.events
        if other.wrong:
            return False
        if best.back_to is not None:
            return events != told
        if told[: len(events)] == events[: len(told)]:
            return False
        if Counter(told) == Counter(events) and best.hypothesis.state == other.hypothesis.state:
            return False
        return told[-1:] != events[-1:] or not _comes_to_the_same(rules, best.hypothesis.state, other.hypothesis.state)
    return _outcome(other) != _outcome(best)


def _is_one_act(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether a player last did the same kind of thing after the same acts, and nothing depends on how: money is taken
    at either of two cards."""
    if not one.events or not other.events or one.events[:-1] != other.events[:-1]:
        return False
    last, then = one.events[-1], other.events[-1]
    if not isinstance(last, Action) or not isinstance(then, Action):
        return False
    return type(last) is type(then) and last.seat is then.seat and one.state == other.state


def _comes_to_the_same(rules: Rules, state: State, other: State) -> bool:
    """Whether `state` is to be recorded, though the way to `other` leads to the same act."""
    return bool(state == other) or (isinstance(rules, WaysCompared) and rules.goes_without_saying(state, other))


def _outcome(weighed: Weighed) -> tuple[object, ...]:
    back = weighed.back_to.record if weighed.back_to else None
    return weighed.hypothesis.events, weighed.wrong, back


def _contradicts(evidence: TableEvidence, slot: Slot, view: SlotView) -> bool:
    one = evidence.of(slot)
    return one.visible and one.log_likelihood(view) < one.log_likelihood(one.most_likely()) + CONTRADICTION


def _agreed_on(
    believed: Believed, ranked: list[Weighed], others: list[Weighed], demands: Demands
) -> Explained | None:
    """The draws with which the best explanation and all near it begin: they do not wait for the face that a later draw
    laid. None where there are none, or an explanation without them is near."""
    best = ranked[0]
    near = [best, *(w for w in others if best.score - w.score < demands.accept)]
    side_by_side = zip(*(w.hypothesis.events for w in near), strict=False)
    alike = takewhile(lambda events: isinstance(events[0], Draw) and len(set(events)) == 1, side_by_side)
    drawn = tuple(events[0] for events in alike)
    begun = [w.hypothesis for w in ranked if w.hypothesis.events and not w.hypothesis.unseen]
    only = max((h for h in begun if h.events == drawn[: len(h.events)]), key=lambda h: len(h.events), default=None)
    if only is None or only.events == best.hypothesis.events:
        return None
    drawn = only.events
    margin = margin_of(drawn, ranked)
    if margin < demands.accept:
        return None
    still = frozenset(slot for w in near for slot in (*best.view.differs(w.view), *w.hypothesis.unseen))
    view = best.view.with_slots({slot: believed.view.at(slot) for slot in still})
    return Explained(drawn, only.state, view, margin, still)


def _drawn_before_telling(
    rules: Rules, believed: Believed, ranked: list[Weighed], demands: Demands, uncounted: frozenset[Slot]
) -> Explained | Ambiguous | None:
    """The draws after which people tell what they will do, or those of what lies there already, where only pieces are
    wrong besides, or faces gone of which nothing was seen: nobody could take down what they told while a hand kept
    those draws from being seen. The question what was drawn where that is in doubt: pieces accuse nobody while the
    record does not know on what they lie."""
    best = ranked[0]
    events, state = best.hypothesis.events, best.hypothesis.state
    if not _are_draws_alone(best, uncounted) or not _goes_on_from(rules, state, believed):
        return None
    margin = margin_of(events, ranked)
    if margin >= demands.accept:
        return Explained(events, state, best.view, margin, frozenset(best.wrong))
    near = [w for w in ranked if best.score - w.score < demands.accept and _are_draws_alone(w, uncounted)]
    near = [w for w in near if _goes_on_from(rules, w.hypothesis.state, believed)]
    choices = tuple(dict.fromkeys(w.hypothesis.events for w in near))[:MOST_CHOICES]
    if len(choices) < 2:
        return None
    telling = {slot for w in near for slot in best.view.differs(w.view)}
    return Ambiguous(choices, tuple(sorted(telling)), alike=False, open=frozenset(best.wrong))


def _are_draws_alone(one: Weighed, uncounted: frozenset[Slot]) -> bool:
    """Whether there were draws and nothing else, all of them seen, and only pieces are wrong besides, or a face is gone
    on which nobody saw what lay."""
    events, hidden = one.hypothesis.events, one.hypothesis.unseen
    if not events or hidden or not all(isinstance(event, Draw) for event in events):
        return False
    faces = ((slot, one.view.at(slot).face, one.seen.at(slot).face) for slot in one.wrong)
    return all(seen == lies or (seen is None and slot in uncounted) for slot, lies, seen in faces)


def _goes_on_from(rules: Rules, state: State, believed: Believed) -> bool:
    """Whether people tell what comes next, or chance has put its next face there already."""
    return _is_to_be_told(rules, state) or _laid_already(rules, state, believed)


def _is_to_be_told(rules: Rules, state: State) -> bool:
    """Whether people say what comes next: in secret, or since it leaves nothing to be seen (who begins)."""
    return any(map(rules.is_secret, rules.legal_actions(state))) or not doings(rules, state)


def _laid_already(rules: Rules, state: State, believed: Believed) -> bool:
    """Whether chance comes next, and has put its face there before its turn."""
    coming = doings(rules, state)
    draws = all(isinstance(doing.event, Draw) for doing in coming)
    return draws and any(not believed.early.isdisjoint(doing.touched) for doing in coming)


def _doubtful(
    rules: Rules, believed: Believed, best: Weighed, others: list[Weighed], demands: Demands
) -> Verdict:
    near = [w for w in others if best.score - w.score < demands.accept and not w.wrong]
    alike = [w for w in near if w.looks == best.looks]  # no picture will tell them from the best
    apart = [w for w in near if w.looks != best.looks]
    offered = (best, *alike[:MOST_ALIKE], *apart[:MOST_CHOICES])
    choices = tuple(dict.fromkeys(w.hypothesis.events for w in offered))
    if not apart:  # no picture tells them apart, but people do
        choices = sensible_first(rules, believed.state, choices)
    telling = tuple(sorted({slot for w in near for slot in best.view.differs(w.view)}))
    if len(choices) < 2:
        return Unreadable(best.hypothesis.touched, hinted=frozenset(best.hypothesis.events))
    over = not apart and all(_leaves_nothing_to_do(rules, believed, w) for w in (best, *alike))
    by_acts = {w.hypothesis.events: w for w in reversed(offered)}
    ends = () if apart else tuple(ended(by_acts[events], events) for events in choices)
    return Ambiguous(choices, telling or best.hypothesis.touched, alike=not apart, is_over=over, ends=ends)


def _leaves_nothing_to_do(rules: Rules, believed: Believed, weighed: Weighed) -> bool:
    """Whether the table lies as it will after the acts, and no coins are paid or taken for them."""
    state = weighed.hypothesis.state
    if isinstance(rules, MoneyShown) and rules.purses(state) != rules.purses(believed.state):
        return False
    return not weighed.view.differs(board_look(rules, state))
