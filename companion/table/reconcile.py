"""Evidence against the rules: one verdict for what the settled pictures show (pure).

The rules are the prior, the camera the likelihood. Every chain of legal events competes with the explanation that
somebody did something illegal in the slots that do not fit, and with the explanation that the camera misread them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

from companion.core.game import Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Slot, Violation
from companion.table.evidence import Evidence
from companion.table.hypotheses import EVENT_PRIOR, Believed, Hypothesis, changed_slots, root, successors

Blame = Callable[[Rules, State, BoardView, BoardView], Violation]
"""(rules, state, accepted view, seen view) -> the clause that the change of the table breaks."""


@dataclass(frozen=True, slots=True)
class Demands:
    """How sure a verdict must be, as log-odds against the best other explanation."""

    accept: float = log(30.0)
    """An event is accepted when it is this much better than anything else that could have happened."""
    alarm: float = log(3.0)
    """Somebody is told of a mistake when it is this much better than the best innocent explanation."""


DEFAULT_DEMANDS = Demands()
"""For single pictures, where no second look is to be had."""

LIVE_DEMANDS = Demands(accept=log(15000.0), alarm=log(1000.0))
"""For a running camera: two or three pictures that agree, a tenth of a second, cost nothing."""

ADDED_PRIOR, REMOVED_PRIOR, LIFTED_PRIOR, OTHER_PRIOR = log(0.05), log(5e-4), log(0.02), log(0.01)
"""How often people do something illegal, per settled picture: lay a piece where none may lie, take one away, lift a
face, anything else (turning a face over, exchanging two). Orders of magnitude, not fitted to any film."""

NUDGED_PRIOR = log(0.01)
"""A piece pushed over to another slot: one act, not a piece laid and another one stolen."""

SKIPPED_PRIOR = log(1e-3)
"""A tile is taken after its last cube has been seen lying. Somebody who lays the cube and takes the tile in one go
looks just like somebody who takes it too early, so the referee asks rather than guesses."""

EARLY_PRIOR = log(0.02)
"""Tiles are refilled in row order; one that comes early is possible, one whose turn it is is likelier."""

SILENT_PENALTY = log(1e-3)
"""A slot whose reading has not changed since the last accepted picture has hardly changed on the table."""

FLICKER = log(0.2)
"""A slot that was read rightly in the last accepted picture is misread less often in the next one than slots are on
the whole, since the errors of one camera on one scene repeat themselves."""

CONTRADICTION = log(0.2)
"""A slot contradicts an explanation when it makes the readings this improbable against their own best view."""

UNRIVALLED = log(1e6)
"""The margin of an explanation that has no rival."""

MOST_CHOICES = 3
"""How many other explanations a question offers; more would not be read."""

_TAKE_BACK = log(0.1)


@dataclass(frozen=True, slots=True)
class NoChange:
    """Nothing new. `view` is what lies there now: what was pending may have been done meanwhile.

    `hinted`: events that cannot be excluded, because a slot is badly seen.
    """

    view: BoardView
    hinted: frozenset[Event] = frozenset()


@dataclass(frozen=True, slots=True)
class Explained:
    """A chain of legal events, with the log-odds against the best other explanation."""

    events: tuple[Event, ...]
    state: State
    view: BoardView
    margin: float


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several explanations are near each other; the slots in which they differ tell them apart."""

    choices: tuple[tuple[Event, ...], ...]
    telling: tuple[Slot, ...]

    @property
    def hinted(self) -> frozenset[Event]:
        """The events that may have happened."""
        return frozenset(event for events in self.choices for event in events)


@dataclass(frozen=True, slots=True)
class Illegal:
    """Something illegal lies on the table: the clause, what is seen, and the legal table nearest to it."""

    violation: Violation
    seen: BoardView
    nearest: BoardView
    events: tuple[Event, ...]
    """Legal events that happened as well; they are accepted once the table is right again."""
    margin: float
    unless: tuple[Event, ...] | None = None
    """Legal events that would have led to what is seen too, if a person says that they happened."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The table looks as it did after an earlier record."""

    to: int
    view: BoardView
    margin: float


@dataclass(frozen=True, slots=True)
class Unreadable:
    """These slots must be seen better before anything can be said."""

    slots: tuple[Slot, ...]


Verdict = NoChange | Explained | Ambiguous | Illegal | TakenBack | Unreadable


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier accepted state that a player may go back to: the number of its record, and its table."""

    record: int
    state: State
    view: BoardView


Lying = tuple[tuple[Slot, SlotView], ...]
"""What lies in each slot of the layout, empty ones included, in its order."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    hypothesis: Hypothesis
    lies: Lying  # what lies there if the hypothesis is true
    score: float
    wrong: tuple[Slot, ...]  # slots in which something illegal is the better explanation
    shows: Lying  # `lies` with what is seen in the wrong slots
    misread: float  # score if nothing illegal or early happened and the camera misread those slots
    back_to: Earlier | None = None

    @property
    def view(self) -> BoardView:
        """The table if the hypothesis is true."""
        return BoardView(self.lies)

    @property
    def seen(self) -> BoardView:
        """The table with what is seen in the wrong slots."""
        return BoardView(self.shows)


class _Fit(NamedTuple):
    """How one slot fits a hypothesis; many are made for each picture, and a named tuple is made fastest."""

    view: SlotView
    fits: float
    misread: float
    wrong: bool


def reconcile(
    rules: Rules,
    believed: Believed,
    evidence: Evidence,
    blame: Blame,
    *,
    silent: Mapping[Slot, SlotView] | None = None,
    earlier: tuple[Earlier, ...] = (),
    hinted: frozenset[Event] = frozenset(),
    demands: Demands = DEFAULT_DEMANDS,
) -> Verdict:
    """The verdict on settled evidence.

    `silent`: per slot what the readings said when the believed view was accepted, where they said something else;
    such a slot is believed to be unchanged as long as it reads the same. `earlier`: states that a take-back may lead
    to, latest first. `hinted`: events of which an earlier scene left it open whether they
    happened. The same arguments give the same verdict; nothing is changed.
    """
    slots = tuple(s.slot for s in rules.layout().slots)
    start = root(rules, believed, slots)
    if not earlier and _as_believed(start, believed, evidence, slots):
        return NoChange(believed.view)
    weigh = _Weigher(evidence, slots, believed.view, silent or {}, hinted, start)
    ranked = [weigh(h) for h in successors(rules, start, evidence, slots)]
    for one in earlier:
        back = Hypothesis(one.state, (), root(rules, Believed(one.state, one.view), slots).stages, _TAKE_BACK, ())
        weighed = weigh(back)
        if not weighed.wrong and weighed.view != believed.view:
            ranked.append(replace(weighed, back_to=one))
    ranked.sort(key=lambda w: -w.score)
    return _decide(rules, believed, evidence, blame, ranked, demands)


def _as_believed(start: Hypothesis, believed: Believed, evidence: Evidence, slots: tuple[Slot, ...]) -> bool:
    """Whether every slot surely reads as believed and may not be otherwise: then there is nothing to weigh."""
    for slot in slots:
        one, view = evidence.of(slot), believed.view.at(slot)
        if not one.visible or one.most_likely() != view or start.allowed(slot) != (view,):
            return False
    return not changed_slots(start, evidence, slots)


class _Weigher:
    """Scores hypotheses against one evidence, slot by slot.

    Hypotheses differ from the first one, `start`, in a few slots only; what the others come to is worked out once.
    """

    def __init__(
        self, evidence: Evidence, slots: tuple[Slot, ...], view: BoardView, silent: Mapping[Slot, SlotView],
        hinted: frozenset[Event], start: Hypothesis,
    ) -> None:
        self._slots = slots
        self._evidence = evidence
        self._view = view
        self._seen = {s: one.most_likely() for s in slots if (one := evidence.of(s)).visible}
        self._silent = {s for s, reads in silent.items() if self._seen.get(s) == reads}
        self._hinted = hinted
        self._start = start
        self._at_start = {s: self._slot_fit(s, start, skipped=False) for s in slots}

    def __call__(self, hypothesis: Hypothesis) -> _Weighed:
        half_seen = sum(event in self._hinted for event in hypothesis.events)
        score = misread = hypothesis.log_prior - half_seen * EVENT_PRIOR
        lies: dict[Slot, SlotView] = {}
        wrong: list[Slot] = []
        for slot in self._slots:
            touched = slot in hypothesis.touched
            if not touched and self._as_at_start(slot, hypothesis):
                one = self._at_start[slot]
            else:
                one = self._slot_fit(slot, hypothesis, skipped=touched and not half_seen)
            lies[slot] = one.view
            score += one.fits
            misread += one.misread
            if one.wrong:
                wrong.append(slot)
        source = self._nudged_from(lies, wrong)
        lifted = [slot for slot in wrong if lies[slot].face != self._seen[slot].face]
        if source is not None:
            as_nudge = self._evidence.of(source).log_likelihood(self._seen[source]) + NUDGED_PRIOR - ADDED_PRIOR
            as_misread = self._fit(source, hypothesis)[1]
            if as_nudge > as_misread:
                score += as_nudge - as_misread
                wrong.append(source)
        if len(lifted) == 2 and _exchanged(lies, self._seen, lifted[0], lifted[1]):
            score -= OTHER_PRIOR  # one act of one person, not two
        shows = lies | {slot: self._seen[slot] for slot in wrong}
        return _Weighed(hypothesis, tuple(lies.items()), score, tuple(wrong), tuple(shows.items()), misread)

    def _as_at_start(self, slot: Slot, hypothesis: Hypothesis) -> bool:
        start = self._start
        same = hypothesis.stages.get(slot) is start.stages.get(slot)
        return same and hypothesis.early.get(slot) is start.early.get(slot)

    def _slot_fit(self, slot: Slot, hypothesis: Hypothesis, *, skipped: bool) -> _Fit:
        """How a slot fits; `skipped`: its last view counts as reached in one go, unless it is the first one."""
        one = self._evidence.of(slot)
        allowed = hypothesis.allowed(slot)
        if allowed == (self._seen.get(slot),) and slot not in self._silent and slot not in hypothesis.early:
            fits = one.log_likelihood(allowed[0])  # the only view that is allowed is the one that is seen
            return _Fit(allowed[0], fits, fits, wrong=False)
        view, fits = self._fit(slot, hypothesis)
        if skipped and view != allowed[0]:
            fits += SKIPPED_PRIOR
        misread = fits
        if view in hypothesis.early.get(slot, ()):
            misread = one.log_likelihood(allowed[0]) + FLICKER
        if slot in self._seen and slot not in self._silent and not _allows(hypothesis, slot, self._seen[slot]):
            instead = one.log_likelihood(self._seen[slot]) + _illegal_prior(view, self._seen[slot])
            if instead > fits:
                return _Fit(view, instead, misread, wrong=True)
        return _Fit(view, fits, misread, wrong=False)

    def _nudged_from(self, legal: Mapping[Slot, SlotView], wrong: list[Slot]) -> Slot | None:
        """The slot that misses just the piece that lies in the only wrong one: pushed over, an act of its own."""
        if len(wrong) != 1:
            return None
        come = _pieces_more(self._seen[wrong[0]], legal[wrong[0]])
        for slot, view in legal.items():
            if slot in self._seen and slot not in wrong and slot not in self._silent:
                same_face = self._seen[slot].face == view.face
                if come and same_face and _pieces_more(view, self._seen[slot]) == come:
                    return slot
        return None

    def _fit(self, slot: Slot, hypothesis: Hypothesis) -> tuple[SlotView, float]:
        one = self._evidence.of(slot)
        allowed = hypothesis.allowed(slot)
        if slot in self._silent:
            unchanged = self._view.at(slot)
            if unchanged in allowed:
                return unchanged, 0.0
            best = max(allowed, key=one.log_likelihood)
            return best, one.log_likelihood(best) + SILENT_PENALTY
        if not one.visible:
            return (self._view.at(slot) if self._view.at(slot) in allowed else allowed[0]), 0.0
        now = self._view.at(slot)
        flickers = self._seen[slot] != now
        if len(allowed) == 1 and slot not in hypothesis.early:
            return allowed[0], one.log_likelihood(allowed[0]) + (FLICKER if flickers and allowed[0] == now else 0.0)
        views = [(one.log_likelihood(v) + (FLICKER if flickers and v == now else 0.0), v) for v in allowed]
        views += [(one.log_likelihood(v) + EARLY_PRIOR, v) for v in hypothesis.early.get(slot, ())]
        fits, view = max(views, key=lambda pair: pair[0])
        return view, fits


def _pieces_more(one: SlotView, other: SlotView) -> tuple[tuple[str, int], ...]:
    """The pieces that `one` has beyond those of `other`."""
    has = dict(other.pieces)
    return tuple((c, n - has.get(c, 0)) for c, n in one.pieces if n > has.get(c, 0))


def _allows(hypothesis: Hypothesis, slot: Slot, view: SlotView) -> bool:
    return view in hypothesis.allowed(slot) or view in hypothesis.early.get(slot, ())


def _exchanged(legal: Mapping[Slot, SlotView], seen: Mapping[Slot, SlotView], a: Slot, b: Slot) -> bool:
    return seen[a].face == legal[b].face and seen[b].face == legal[a].face


def _illegal_prior(legal: SlotView, seen: SlotView) -> float:
    if legal.face is not None and seen.face is None:
        return LIFTED_PRIOR
    if legal.face != seen.face:
        return OTHER_PRIOR
    had, has = dict(legal.pieces), dict(seen.pieces)
    added = sum(max(0, has.get(c, 0) - had.get(c, 0)) for c in has)
    removed = sum(max(0, had.get(c, 0) - has.get(c, 0)) for c in had)
    if removed == 0:
        return ADDED_PRIOR * added
    if added == 0:
        return REMOVED_PRIOR * removed
    return OTHER_PRIOR + ADDED_PRIOR * (added - 1) + REMOVED_PRIOR * (removed - 1)


def _decide(
    rules: Rules, believed: Believed, evidence: Evidence, blame: Blame, ranked: list[_Weighed],
    demands: Demands,
) -> Verdict:
    best = ranked[0]
    others = [w for w in ranked[1:] if _rivals(w, best)]
    rivals = [w.score for w in others]
    rivals += [w.misread for w in ranked if w.misread < w.score and w.hypothesis.events != best.hypothesis.events]
    margin = best.score - max(rivals) if rivals else UNRIVALLED
    covered = evidence.unseen(best.hypothesis.unseen)
    if covered:
        return Unreadable(covered)
    if best.wrong:
        innocent = max(w.misread for w in ranked)
        if best.score - innocent < demands.alarm:
            return Unreadable(best.wrong)
        violation = blame(rules, best.hypothesis.state, best.view, best.seen)
        fitting = tuple(w.hypothesis.events for w in ranked if w.lies == best.shows and not w.wrong)
        return Illegal(
            violation, best.seen, best.view, best.hypothesis.events, best.score - innocent,
            fitting[0] if fitting else None,
        )
    against = tuple(s for s in believed.view.differs(best.view) if _contradicts(evidence, s, best.view.at(s)))
    if against:
        return Unreadable(against)
    if not best.hypothesis.events and best.back_to is None:
        possible = (w for w in others if best.score - w.score < demands.accept and not w.wrong and w.back_to is None)
        return NoChange(best.view, frozenset(event for w in possible for event in w.hypothesis.events))
    if margin < demands.accept:
        return _doubtful(best, others, demands)
    if best.back_to is not None:
        return TakenBack(best.back_to.record, best.view, margin)
    return Explained(best.hypothesis.events, best.hypothesis.state, best.view, margin)


def _rivals(other: _Weighed, best: _Weighed) -> bool:
    """Whether `other` tells another story; less of the same story about the same table is no rival.

    Nor is the same story with something illegal elsewhere: that stays open until it is seen better.
    """
    if not best.wrong and other.wrong and other.hypothesis.events == best.hypothesis.events and other.back_to is None:
        return False
    if other.shows == best.shows:
        events = other.hypothesis.events
        return not other.wrong and events != best.hypothesis.events[: len(events)]
    return _outcome(other) != _outcome(best)


def _outcome(weighed: _Weighed) -> tuple[object, ...]:
    back = weighed.back_to.record if weighed.back_to else None
    return weighed.hypothesis.events, weighed.wrong, back


def _contradicts(evidence: Evidence, slot: Slot, view: SlotView) -> bool:
    one = evidence.of(slot)
    return one.visible and one.log_likelihood(view) < one.log_likelihood(one.most_likely()) + CONTRADICTION


def _doubtful(best: _Weighed, others: list[_Weighed], demands: Demands) -> Verdict:
    near = [w for w in others if best.score - w.score < demands.accept and not w.wrong]
    choices = tuple(dict.fromkeys(w.hypothesis.events for w in (best, *near[:MOST_CHOICES])))
    telling = tuple(sorted({slot for w in near for slot in best.view.differs(w.view)}))
    if len(choices) < 2:
        return Unreadable(best.hypothesis.touched)
    return Ambiguous(choices, telling)
