"""What may lie on the table next: the accepted state, its legal successors and short chains of them (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log

from companion.core.game import Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Event, Face, Slot
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
"""An event whose slot is covered needs a good reason."""

TELLING = 0.02
"""A slot that reads like the accepted picture with more than 1 - TELLING is not searched for changes."""


@dataclass(frozen=True, slots=True)
class Believed:
    """The accepted state of the game, and what was last seen to lie on the table.

    `view` lags behind `state`: a captured tile may still lie there, an empty place not be refilled yet.
    """

    state: State
    view: BoardView


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A chain of legal events from what is believed, and in each slot the views it allows."""

    state: State
    events: tuple[Event, ...]
    stages: Mapping[Slot, Stages]
    log_prior: float
    touched: tuple[Slot, ...]
    unseen: tuple[Slot, ...] = ()

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


def upcoming(rules: Rules, state: State) -> BoardView | None:
    """How the table will look when chance has had its say, whatever it says; None when chance is not asked.

    People take cubes back before the last tile is refilled; what will happen anyway is no mistake.
    """
    if not rules.chance_outcomes(state):
        return None
    for _ in range(64):
        outcomes = rules.chance_outcomes(state)
        if not outcomes:
            break
        state = rules.apply(state, outcomes[-1].draw)
    return board_look(rules, state)


def root(rules: Rules, believed: Believed, slots: tuple[Slot, ...]) -> Hypothesis:
    """Nothing new happened; what was pending may have been done meanwhile."""
    target = board_look(rules, believed.state)
    later = upcoming(rules, believed.state)
    drawn_now = _slots_of_next_draw(rules, believed.state, target)
    drawable = _drawable_faces(rules, believed.state)
    stages: dict[Slot, Stages] = {}
    for slot in slots:
        now, then = believed.view.at(slot), target.at(slot)
        allowed = between(now, then)
        if later is not None and then.face is None and later.at(slot).face is not None and slot not in drawn_now:
            allowed += tuple(SlotView(face) for face in drawable)  # refilled before its turn; named when its turn comes
        if later is not None and then.face is not None and later.at(slot).face == then.face:
            allowed = tuple(dict.fromkeys(allowed + between(then, later.at(slot))))
        stages[slot] = allowed
    return Hypothesis(believed.state, (), stages, 0.0, ())


def _slots_of_next_draw(rules: Rules, state: State, target: BoardView) -> frozenset[Slot]:
    views = (path_look(rules, state, outcome.draw)[-1] for outcome in rules.chance_outcomes(state))
    return frozenset(slot for view in views for slot in target.differs(view))


def _drawable_faces(rules: Rules, state: State) -> tuple[Face, ...]:
    before = board_look(rules, state)
    faces: dict[Face, None] = {}
    for outcome in rules.chance_outcomes(state):
        after = path_look(rules, state, outcome.draw)[-1]
        for slot in before.differs(after):
            face = after.at(slot).face
            if face is not None:
                faces[face] = None
    return tuple(faces)


def changed_slots(hypothesis: Hypothesis, evidence: Evidence, slots: tuple[Slot, ...]) -> frozenset[Slot]:
    """The slots in which the pictures leave room for a change against `hypothesis`."""
    return frozenset(s for s in slots if _may_have_changed(evidence.of(s), hypothesis.allowed(s)))


def _may_have_changed(evidence: SlotEvidence, allowed: Stages) -> bool:
    if not evidence.visible:
        return True
    return max(map(evidence.log_likelihood, allowed)) < log(1.0 - TELLING)


def successors(
    rules: Rules, start: Hypothesis, evidence: Evidence, slots: tuple[Slot, ...]
) -> Iterator[Hypothesis]:
    """`start` and every chain of legal events from it that changes only slots in which a change may be seen."""
    telling = changed_slots(start, evidence, slots)
    queue = [start]
    seen = 0
    while queue and seen < MAX_NODES:
        node = queue.pop(0)
        seen += 1
        yield node
        if telling and len(node.events) < MAX_EVENTS:
            queue.extend(_children(rules, node, evidence, telling))


def _children(rules: Rules, node: Hypothesis, evidence: Evidence, telling: frozenset[Slot]) -> Iterator[Hypothesis]:
    outcomes = rules.chance_outcomes(node.state)
    events: list[tuple[Event, float]] = [(o.draw, log(float(o.probability))) for o in outcomes]
    if not outcomes:
        events = [(action, 0.0) for action in rules.legal_actions(node.state)]
    before = board_look(rules, node.state)
    looks: set[tuple[BoardView, ...]] = set()
    for event, log_chance in events:
        path = path_look(rules, node.state, event)
        touched = before.differs(path[0])
        if not touched or not telling.issuperset(touched) or path in looks:
            continue
        looks.add(path)  # of two tiles that look the same the first one stands for both
        if isinstance(event, Action) and not _free(node, touched):
            continue
        unseen = evidence.unseen(touched)
        if not unseen and not _plausible(evidence, path, touched):
            continue
        after = path[-1]
        stages = dict(node.stages)
        for slot in set(touched).union(*(before.differs(view) for view in path)):
            views = dict.fromkeys(view.at(slot) for view in path)
            pending = () if slot in touched else node.allowed(slot)
            stages[slot] = tuple(dict.fromkeys((*pending, *views, *between(path[0].at(slot), after.at(slot)))))
        prior = node.log_prior + EVENT_PRIOR + (UNSEEN_PRIOR if unseen else 0.0)
        if not isinstance(event, Action):
            prior += 0.25 * log_chance  # which of the tiles that are left: the picture decides, not the odds
        yield Hypothesis(
            rules.apply(node.state, event), (*node.events, event), stages, prior,
            (*node.touched, *touched), (*node.unseen, *unseen),
        )


def _free(node: Hypothesis, touched: tuple[Slot, ...]) -> bool:
    """Whether no event of the chain has claimed the slots already; only a refill may follow in a slot."""
    return not set(touched) & set(node.touched)


def _plausible(evidence: Evidence, path: tuple[BoardView, ...], touched: tuple[Slot, ...]) -> bool:
    """Whether the pictures leave at least some room for what the event would leave behind."""
    for slot in touched:
        one = evidence.of(slot)
        views = {view.at(slot) for view in path}
        if max(map(one.log_likelihood, views)) < one.log_likelihood(one.most_likely()) + log(1e-4):
            return False
    return True

