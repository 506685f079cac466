"""What may lie on the table next: the accepted state, its legal successors and short chains of them (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from math import log

from companion.core.game import Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Draw, Event, Face, Slot
from companion.table.evidence import Evidence, SlotEvidence
from companion.table.looks import board_look, path_look

Stages = tuple[SlotView, ...]
"""The views through which a slot may still pass, the one that must come last being the last."""

MAX_EVENTS = 6
"""Longest chain between two settled pictures: two cubes, a capture and a row of refills."""

MAX_NODES = 400
"""Bound of the search; reached only when most of the table is unreadable."""

EVENT_PRIOR = log(0.5)
"""Each further event that is claimed must pay for itself."""

UNSEEN_PRIOR = log(0.05)
"""An event that no picture supports (its slot is covered, or cannot be read) needs a good reason."""

SUPPORT = log(2.0)
"""An event is supported by pictures that fit it this much better than they fit no event."""

LEAST_PRIOR = -12.0
"""Chains less probable than this before any picture is looked at are not searched: six supported events are well
above it, more than three unsupported ones below."""

MOST_DRAWS = 64
"""More draws in a row than any game's end of a round has."""

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

    def allowed(self, slot: Slot) -> Stages:
        """The views this hypothesis allows in `slot`."""
        return self.stages.get(slot, (SlotView(),))


def between(now: SlotView, then: SlotView) -> Stages:
    """The views from `now` to `then` when pieces are taken one by one, and the face at once."""
    if now == then:
        return (now,)
    if now.face != then.face:
        return (now, then)
    start, end = dict(now.pieces), dict(then.pieces)
    if any(end.get(c, 0) > n for c, n in start.items()) or any(c not in start for c in end):
        return (now, then)
    views: list[SlotView] = []
    for colour, n in sorted(start.items()):
        for left in range(n - 1, end.get(colour, 0), -1):
            views.append(SlotView(now.face, now.turn, tuple(sorted({**start, colour: left}.items()))))
    return (now, *views, then)


@dataclass(frozen=True, slots=True)
class _Doing:
    """A legal event that can be seen, and the views it leads the table through."""

    event: Event
    path: tuple[BoardView, ...]
    touched: tuple[Slot, ...]  # slots that its first view changes
    changed: frozenset[Slot]  # slots that any of its views changes
    log_prior: float


@lru_cache(maxsize=1024)  # the pictures of one scene ask for the same few states again and again
def _doings(rules: Rules, state: State) -> tuple[_Doing, ...]:
    """What may happen next in `state` so that it can be seen."""
    # which of the tiles that are left comes is for the picture to say: the odds count for a quarter
    events: list[tuple[Event, float]] = [
        (o.draw, 0.25 * log(float(o.probability))) for o in rules.chance_outcomes(state)
    ]
    events += [(action, 0.0) for action in rules.legal_actions(state)]
    # what is secret leaves nothing to be seen on the table
    open_events = [(event, log_chance) for event, log_chance in events if not rules.is_secret(event)]
    if not open_events:
        return ()
    now = board_look(rules, state)
    looks: dict[tuple[BoardView, ...], _Doing] = {}
    for event, log_chance in open_events:
        path = path_look(rules, state, event)
        touched = now.differs(path[0])
        if touched and path not in looks:  # of two tiles that look the same the first one stands for both
            changed = frozenset(touched).union(*(now.differs(view) for view in path[1:]))
            looks[path] = _Doing(event, path, touched, changed, EVENT_PRIOR + log_chance)
    return tuple(looks.values())


@lru_cache(maxsize=1024)
def upcoming(rules: Rules, state: State) -> BoardView | None:
    """How the table will look when chance has had its say, whatever it says; None when chance is not asked.

    People take cubes back before the last tile is refilled; what will happen anyway is no mistake.
    """
    if not rules.chance_outcomes(state):
        return None
    for _ in range(MOST_DRAWS):
        outcomes = rules.chance_outcomes(state)
        if not outcomes:
            break
        state = rules.apply(state, outcomes[-1].draw)
    return board_look(rules, state)


@lru_cache(maxsize=256)  # what is believed stays the same from picture to picture
def root(rules: Rules, believed: Believed, slots: tuple[Slot, ...]) -> Hypothesis:
    """Nothing new happened; what was pending may have been done meanwhile."""
    target = board_look(rules, believed.state)
    later = upcoming(rules, believed.state)
    at_chance = bool(rules.chance_outcomes(believed.state))
    draws = tuple(d for d in _doings(rules, believed.state) if isinstance(d.event, Draw)) if at_chance else ()
    drawn_now = frozenset(slot for draw in draws for slot in draw.touched)
    drawable = _drawable_faces(draws)
    stages: dict[Slot, Stages] = {}
    early: dict[Slot, Stages] = {}
    for slot in slots:
        now, then = believed.view.at(slot), target.at(slot)
        allowed = between(now, then)
        if slot in drawn_now and slot in believed.early and now.face in drawable:
            allowed = (then,)  # laid before its turn, which has come: it is to be named now
        if later is not None and then.face is None and later.at(slot).face is not None and slot not in drawn_now:
            early[slot] = tuple(SlotView(face) for face in drawable)
        if later is not None and then.face is not None and later.at(slot).face == then.face:
            allowed = tuple(dict.fromkeys(allowed + between(then, later.at(slot))))
        stages[slot] = allowed
    return Hypothesis(believed.state, (), stages, 0.0, (), early=early)


def _drawable_faces(draws: tuple[_Doing, ...]) -> tuple[Face, ...]:
    faces = (draw.path[-1].at(slot).face for draw in draws for slot in draw.touched)
    return tuple(dict.fromkeys(face for face in faces if face is not None))


def changed_slots(hypothesis: Hypothesis, evidence: Evidence, slots: tuple[Slot, ...]) -> frozenset[Slot]:
    """The slots in which the pictures leave room for a change against `hypothesis`."""
    return frozenset(s for s in slots if _may_have_changed(evidence.of(s), hypothesis.allowed(s)))


def _may_have_changed(evidence: SlotEvidence, allowed: Stages) -> bool:
    if not evidence.visible:
        return True
    return max(map(evidence.log_likelihood, allowed)) < evidence.weight * log(1.0 - TELLING)


def successors(
    rules: Rules, start: Hypothesis, evidence: Evidence, slots: tuple[Slot, ...]
) -> Iterator[Hypothesis]:
    """`start` and the chains of legal events from it that change only slots in which a change may be seen.

    The most promising first, so that the bound of the search cuts off what hardly fits.
    """
    telling = changed_slots(start, evidence, slots)
    order = count()  # equal promises are searched first come, first served
    queue = [(0.0, next(order), start)]
    seen = 0
    while queue and seen < MAX_NODES:
        doubt, _, node = heappop(queue)
        seen += 1
        yield node
        if telling and len(node.events) < MAX_EVENTS:
            for child in _children(rules, node, evidence, telling):
                more = node.log_prior - child.log_prior + _misfit(evidence, node, child)
                heappush(queue, (doubt + more, next(order), child))


def _misfit(evidence: Evidence, node: Hypothesis, child: Hypothesis) -> float:
    """By how much the pictures of the slots that the last event of `child` touches fit something else better."""
    total = 0.0
    for slot in child.touched[len(node.touched) :]:
        one = evidence.of(slot)
        if one.visible:
            total += one.log_likelihood(one.most_likely()) - max(map(one.log_likelihood, child.allowed(slot)))
    return total


def _children(rules: Rules, node: Hypothesis, evidence: Evidence, telling: frozenset[Slot]) -> Iterator[Hypothesis]:
    if telling.issubset(node.drawn) or (telling.issubset(node.touched) and not rules.chance_outcomes(node.state)):
        return  # where something has happened only a draw may follow, and after a draw nothing
    if node.log_prior + EVENT_PRIOR < LEAST_PRIOR:
        return
    for doing in _doings(rules, node.state):
        touched, path, claimed = doing.touched, doing.path, node.drawn
        if isinstance(doing.event, Action):
            claimed = claimed.union(node.touched)
        if not telling.issuperset(touched) or not claimed.isdisjoint(touched):
            continue
        unseen = evidence.unseen(touched)
        if not unseen and not _plausible(evidence, path, touched):
            continue
        prior = node.log_prior + doing.log_prior
        if unseen or not _supported(evidence, node, path, touched):
            prior += UNSEEN_PRIOR
        if prior < LEAST_PRIOR:
            continue
        stages = dict(node.stages)
        for slot in doing.changed:
            views = dict.fromkeys(view.at(slot) for view in path)
            pending = () if slot in touched else node.allowed(slot)
            stages[slot] = tuple(dict.fromkeys((*pending, *views, *between(path[0].at(slot), path[-1].at(slot)))))
        yield Hypothesis(
            rules.apply(node.state, doing.event), (*node.events, doing.event), stages, prior,
            (*node.touched, *touched), (*node.unseen, *unseen),
            {slot: views for slot, views in node.early.items() if slot not in doing.changed},
            node.drawn if isinstance(doing.event, Action) else node.drawn.union(touched),
        )


def _supported(
    evidence: Evidence, node: Hypothesis, path: tuple[BoardView, ...], touched: tuple[Slot, ...]
) -> bool:
    """Whether the pictures of some slot fit the event clearly better than its not having happened."""
    for slot in touched:
        one = evidence.of(slot)
        without = max(map(one.log_likelihood, node.allowed(slot)))
        if max(one.log_likelihood(view.at(slot)) for view in path) - without > SUPPORT:
            return True
    return False


def _plausible(evidence: Evidence, path: tuple[BoardView, ...], touched: tuple[Slot, ...]) -> bool:
    """Whether the pictures leave at least some room for what the event would leave behind."""
    for slot in touched:
        one = evidence.of(slot)
        views = {view.at(slot) for view in path}
        if max(map(one.log_likelihood, views)) < one.log_likelihood(one.most_likely()) + log(1e-4):
            return False
    return True

