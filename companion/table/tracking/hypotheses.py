"""What may lie on the table next: the accepted state, its legal successors and short chains of them (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from math import log
from typing import NamedTuple

from companion.core.game import Rules, SeenFirst, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Draw, Event, Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.chance_ahead import ahead, drawable_faces
from companion.table.tracking.doings import (
    EVENT_PRIOR,
    Doing,
    doings,
    doings_in_one_go,
    forget_doings,
    telling_rules,
    unseen_chains,
)
from companion.table.tracking.reading.evidence import SlotEvidence, TableEvidence

Stages = tuple[SlotView, ...]
"""The views through which a slot may still pass, the one that must come last being the last."""

Shown = frozenset[tuple[Slot, SlotView]]
"""What may lie in slots, as pictures show it."""

MAX_EVENTS = 6
"""Longest chain between two settled pictures: two cubes, a capture and a row of refills."""

MAX_NODES = 400
"""Bound of the search; reached only when most of the table is unreadable."""

UNSEEN_PRIOR = log(0.05)
"""An event that no picture supports (its slot is covered, or cannot be read) needs a good reason."""

SUPPORT = log(2.0)
"""An event is supported by pictures that fit it this much better than they fit no event."""

LEAST_PRIOR = -12.0
"""Chains less probable than this before any picture is looked at are not searched: six supported events are well
above it, more than three unsupported ones below."""

IMPLAUSIBLE = log(1e-4)
"""What the pictures of a slot make this much less likely than what they show best has not happened there."""

TELLING = 0.02
"""A slot whose readings fit the accepted picture with more than 1 - TELLING each is not searched for changes."""


@dataclass(frozen=True, slots=True)
class Believed:
    """The accepted state of the game, and what was last seen to lie on the table.

    `view` lags behind `state`: a captured tile may still lie there, an empty place not be refilled yet.
    """

    state: State
    view: BoardView
    early: frozenset[Slot] = frozenset()
    """Slots in which a face was laid before its turn; elsewhere a face that should not lie was captured."""
    emptied: frozenset[Slot] = frozenset()
    """Slots that were empty on the way to `state`: hands may lift the face there, though an equal one comes."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A chain of legal events from what is believed, and in each slot the views it allows."""

    state: State
    events: tuple[Event, ...]
    stages: Mapping[Slot, Stages]
    log_prior: float
    touched: tuple[Slot, ...]
    unseen: tuple[Slot, ...] = ()
    early: Mapping[Slot, Stages] = field(default_factory=dict)
    """Views that a slot may show before its turn: refilled out of order, named when its turn comes."""
    drawn: frozenset[Slot] = frozenset()
    """Those of the touched slots into which chance has put something."""
    done: frozenset[Slot] = frozenset()
    """Those of the touched slots in which no act can follow; where only pieces lie, another one may."""
    sudden: tuple[Slot, ...] = ()
    """Those of the touched slots, act by act, of whose act no earlier scene gave a hint."""

    def allowed(self, slot: Slot) -> Stages:
        """The views this hypothesis allows in `slot`."""
        return self.stages.get(slot, (SlotView(),))


def between(now: SlotView, then: SlotView) -> Stages:
    """The views from `now` to `then` when pieces are taken one by one, and the face at once."""
    if now == then:
        return (now,)
    if now.face != then.face:
        empty = SlotView()  # one face is lifted before the other one is laid
        return (now, then) if now.face is None or then.face is None else (now, empty, then)
    start, end = dict(now.pieces), dict(then.pieces)
    if any(end.get(c, 0) > n for c, n in start.items()) or any(c not in start for c in end):
        return (now, then)
    views: list[SlotView] = []
    for colour, n in sorted(start.items()):
        for left in range(n - 1, end.get(colour, 0), -1):
            views.append(SlotView(now.face, now.turn, tuple(sorted({**start, colour: left}.items()))))
    return (now, *views, then)


def forget_other_tables() -> None:
    """Let go of what was worked out for other tables: the rules and positions of games that are over."""
    board_look.cache_clear()
    ahead.cache_clear()
    root.cache_clear()
    forget_doings()


@lru_cache(maxsize=256)  # what is believed stays the same from picture to picture
def root(rules: Rules, believed: Believed, slots: tuple[Slot, ...]) -> Hypothesis:
    """Nothing new happened; what was pending may have been done meanwhile."""
    target = board_look(rules, believed.state)
    coming_faces = ahead(rules, believed.state)
    later, coming = (None, {}) if coming_faces is None else coming_faces
    draws = () if coming_faces is None else tuple(d for d in doings(rules, believed.state) if isinstance(d.event, Draw))
    drawn_now = frozenset(slot for draw in draws for slot in draw.touched)
    drawable = drawable_faces(draws)
    stages: dict[Slot, Stages] = {}
    early: dict[Slot, Stages] = {}
    for slot in slots:
        now, then = believed.view.at(slot), target.at(slot)
        allowed = between(now, then)
        if slot in believed.emptied and now.face is not None and now == then:
            allowed = (now, SlotView())
        if slot in drawn_now and slot in believed.early and now.face in drawable:
            allowed = (then,)  # laid before its turn, which has come: it is to be named now
        if later is not None and then.face is None and later.at(slot).face is not None and slot not in drawn_now:
            early[slot] = tuple(SlotView(face) for face in coming.get(slot, ()))
        if later is not None and then.face is not None and later.at(slot).face == then.face:
            allowed = tuple(dict.fromkeys(allowed + between(then, later.at(slot))))
        stages[slot] = allowed
    return Hypothesis(believed.state, (), stages, 0.0, (), early=early)


def tidied(rules: Rules, believed: Believed, evidence: TableEvidence, slots: tuple[Slot, ...]) -> Iterator[Hypothesis]:
    """What must have happened unseen so that hands may tidy the table as they were seen to do; none where they did not.
    """
    if telling_rules(rules) is None:
        return
    now = board_look(rules, believed.state)
    for events, state, _ in unseen_chains(rules, believed.state):
        then = board_look(rules, state)
        changed = now.differs(then) if events else ()
        if any(_gain(evidence.of(s), then.at(s), (now.at(s),)) > SUPPORT for s in changed):
            start = root(rules, Believed(state, believed.view, believed.early), slots)
            yield replace(start, events=events, log_prior=EVENT_PRIOR)


def _tidied_after(rules: Rules, node: Hypothesis, evidence: TableEvidence) -> Iterator[Hypothesis]:
    """`node` with what must have happened unseen after it so that hands may tidy the table as they were seen to do."""
    if telling_rules(rules) is None or len(node.events) >= MAX_EVENTS:
        return
    now = board_look(rules, node.state)
    for events, state, _ in unseen_chains(rules, node.state):
        then = board_look(rules, state)
        changed = now.differs(then) if events else ()
        if any(_gain(evidence.of(s), then.at(s), node.allowed(s)) > SUPPORT for s in changed):
            stages = {s: tuple(dict.fromkeys((*node.allowed(s), *between(now.at(s), then.at(s))))) for s in changed}
            yield replace(
                node, state=state, events=(*node.events, *events), log_prior=node.log_prior + EVENT_PRIOR,
                stages={**node.stages, **stages},
            )  # fmt: skip


def _gain(one: SlotEvidence, view: SlotView, otherwise: Stages) -> float:
    """By how much the pictures of a slot fit `view` better than all that may lie there otherwise."""
    return one.log_likelihood(view) - max(map(one.log_likelihood, otherwise))


def changed_slots(hypothesis: Hypothesis, evidence: TableEvidence, slots: tuple[Slot, ...]) -> frozenset[Slot]:
    """The slots in which the pictures leave room for a change against `hypothesis`; nothing is seen outside of them."""
    inside = (s for s in slots if s not in evidence.outside)
    return frozenset(s for s in inside if _may_have_changed(evidence.of(s), hypothesis.allowed(s)))


def _may_have_changed(evidence: SlotEvidence, allowed: Stages) -> bool:
    if not evidence.visible:
        return True
    return max(map(evidence.log_likelihood, allowed)) < evidence.weight * log(1.0 - TELLING)


def successors(
    rules: Rules, starts: tuple[Hypothesis, ...], evidence: TableEvidence, slots: tuple[Slot, ...], *,
    anywhere: bool = False, hinted: frozenset[Event] = frozenset(), uncounted: frozenset[Slot] = frozenset(),
) -> Iterator[Hypothesis]:
    """`starts` and the chains of legal events from them that change only slots in which a change may be seen, or any
    that lies in the picture (`anywhere`). `hinted`: events that an earlier scene has hinted at; they may be gone again.
    `uncounted`: slots in which several may have gone unseen, as nobody knows what lay there.

    The most promising first, so that the bound of the search cuts off what hardly fits.
    """
    telling = changed_slots(starts[0], evidence, slots)
    if anywhere and telling:
        telling = frozenset(slots) - evidence.outside
    order = count()  # equal promises are searched first come, first served
    shown = _shown(evidence, starts[0], telling)
    queue: list[tuple[float, int, Hypothesis | _Further]] = [
        (starts[0].log_prior - start.log_prior, next(order), start) for start in starts
    ]
    seen = 0
    while queue and seen < MAX_NODES:
        doubt, _, next_one = heappop(queue)
        node = next_one if isinstance(next_one, Hypothesis) else next_one.hypothesis(rules)
        seen += 1
        yield node
        if node.events:
            yield from _tidied_after(rules, node, evidence)
        if telling and len(node.events) < MAX_EVENTS:
            for child in _children(rules, node, evidence, telling, hinted, uncounted, starts[0], shown):
                more = node.log_prior - child.log_prior + _misfit(evidence, child.doing)
                heappush(queue, (doubt + more, next(order), child))


def _misfit(evidence: TableEvidence, doing: Doing) -> float:
    """By how much the pictures of the slots that an event touches fit something else better."""
    total = 0.0
    for slot in doing.touched:
        one = evidence.of(slot)
        if one.visible:
            total += one.log_likelihood(one.most_likely()) - max(map(one.log_likelihood, _passed_through(doing, slot)))
    return total


def _passed_through(doing: Doing, slot: Slot) -> Iterable[SlotView]:
    """The views of a slot while something happens, each once."""
    path = doing.path
    return dict.fromkeys((*(view.at(slot) for view in path), *between(path[0].at(slot), path[-1].at(slot))))


class _Further(NamedTuple):
    """A hypothesis and what has happened after it: made one only when its turn comes in the search, as few are."""

    node: Hypothesis
    doing: Doing
    log_prior: float
    unseen: tuple[Slot, ...]
    done: frozenset[Slot]
    is_sudden: bool

    def hypothesis(self, rules: Rules) -> Hypothesis:
        """The chain with one doing more."""
        node, doing = self.node, self.doing
        stages = dict(node.stages)
        for slot in doing.changed:
            pending = () if slot in doing.touched else node.allowed(slot)
            stages[slot] = tuple(dict.fromkeys((*pending, *_passed_through(doing, slot))))
        return Hypothesis(
            rules.apply(doing.before, doing.event), (*node.events, *doing.events), stages, self.log_prior,
            (*node.touched, *doing.touched), (*node.unseen, *self.unseen),
            {slot: views for slot, views in node.early.items() if slot not in doing.changed},
            node.drawn if isinstance(doing.event, Action) else node.drawn.union(doing.touched),
            node.done | self.done,
            (*node.sudden, *doing.touched) if self.is_sudden else node.sudden,
        )


def _children(
    rules: Rules, node: Hypothesis, evidence: TableEvidence, telling: frozenset[Slot], hinted: frozenset[Event],
    uncounted: frozenset[Slot], start: Hypothesis, shown: Shown,
) -> Iterator[_Further]:
    """What may follow `node`; `shown`: what the pictures show, and `start` does not allow."""
    if telling.issubset(node.drawn) or (telling.issubset(node.done) and not rules.chance_outcomes(node.state)):
        return  # where something has happened only a draw may follow, and after a draw nothing
    if node.log_prior + EVENT_PRIOR < LEAST_PRIOR:
        return
    shown = _shown_beyond(evidence, node, telling, start, shown)

    def may_be(event: Event, first: SeenFirst) -> bool:
        if first.slot not in telling:
            return first.slot in evidence.outside
        one = evidence.of(first.slot)
        known = one.visible and first.slot not in uncounted and event not in hinted
        return not known or _is_plausible(one, (first.view,))

    for doing in (*doings(rules, node.state, may_be), *doings_in_one_go(rules, node.state, shown)):
        touched, path, claimed = doing.touched, doing.path, node.drawn
        if isinstance(doing.event, Action):
            claimed = claimed.union(node.done)
        inside = tuple(slot for slot in touched if slot not in evidence.outside)
        if not inside or not telling.issuperset(inside) or not claimed.isdisjoint(touched):
            continue
        unseen = evidence.unseen(inside)
        seen_before = hinted.issuperset(doing.events)
        counted = uncounted.isdisjoint(inside)
        if not unseen and counted and not seen_before and not _plausible(evidence, path, inside):
            continue
        prior = node.log_prior + doing.log_prior
        done = doing.done
        known = seen_before or _is_shown_instead(doing.events, hinted, evidence, path, inside)
        if unseen or (counted and not (known or _supported(evidence, node, path, inside))):
            prior += UNSEEN_PRIOR
            done = frozenset(touched)  # a piece that nobody saw is not taken away again unseen
        if prior < LEAST_PRIOR:
            continue
        yield _Further(node, doing, prior, unseen, done, not seen_before)


def _shown(evidence: TableEvidence, node: Hypothesis, slots: Iterable[Slot]) -> Shown:
    """What the pictures show in `slots`, and `node` does not allow."""
    return frozenset((s, view) for s in slots for view in evidence.of(s).candidates if view not in node.allowed(s))


def _shown_beyond(
    evidence: TableEvidence, node: Hypothesis, slots: frozenset[Slot], start: Hypothesis, shown: Shown
) -> Shown:
    """`_shown` of `node`, told by that of `start`: where both allow the very same views nothing is compared again."""
    unlike = {s for s, views in node.stages.items() if start.stages.get(s) is not views}
    if not unlike:
        return shown
    kept = frozenset(one for one in shown if one[0] not in unlike)
    return kept | _shown(evidence, node, slots & unlike)


def _supported(
    evidence: TableEvidence, node: Hypothesis, path: tuple[BoardView, ...], touched: tuple[Slot, ...]
) -> bool:
    """Whether the pictures of some slot fit the event clearly better than its not having happened."""
    for slot in touched:
        one = evidence.of(slot)
        without = max(map(one.log_likelihood, node.allowed(slot)))
        if max(one.log_likelihood(view.at(slot)) for view in path) - without > SUPPORT:
            return True
    return False


def _is_shown_instead(
    events: tuple[Event, ...], hinted: frozenset[Event], evidence: TableEvidence, path: tuple[BoardView, ...],
    touched: tuple[Slot, ...],
) -> bool:
    """Whether the last of `events` is what its slots most likely show, where another act of that kind by that player is
    hinted at: that somebody has acted is told by a hint, but where, by what is seen now."""
    last = events[-1]
    if not isinstance(last, Action) or not hinted.issuperset(events[:-1]):
        return False
    if not any(type(one) is type(last) and isinstance(one, Action) and one.seat is last.seat for one in hinted):
        return False
    return all(evidence.of(s).most_likely() in {view.at(s) for view in path} for s in touched)


def _plausible(evidence: TableEvidence, path: tuple[BoardView, ...], touched: tuple[Slot, ...]) -> bool:
    """Whether the pictures leave at least some room for what the event would leave behind."""
    return all(_is_plausible(evidence.of(slot), {view.at(slot) for view in path}) for slot in touched)


def _is_plausible(one: SlotEvidence, views: Iterable[SlotView]) -> bool:
    return max(map(one.log_likelihood, views)) >= one.log_likelihood(one.most_likely()) + IMPLAUSIBLE

