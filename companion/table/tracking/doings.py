"""What may happen next on a table so that it can be seen: legal events, those of which only the last is seen (pure)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log

from companion.core.game import ActsInOneGo, ActsUnseen, Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Event, Seat, Slot
from companion.table.tracking.appearance import board_look, path_look

EVENT_PRIOR = log(0.5)
"""Each further event that is claimed must pay for itself."""

SEARCHED_STATES = 512
"""How many states are remembered: more than one search goes through, which the pictures of a scene repeat."""


@dataclass(frozen=True, slots=True)
class Doing:
    """Legal events of which the last can be seen, and the views it leads the table through."""

    events: tuple[Event, ...]
    before: State  # of the last of them
    path: tuple[BoardView, ...]
    touched: tuple[Slot, ...]  # slots that the first view of the last of them changes
    changed: frozenset[Slot]  # slots that any of its views changes
    done: frozenset[Slot]  # touched slots whose face comes or goes; where only pieces are laid, others may follow
    log_prior: float

    @property
    def event(self) -> Event:
        """What can be seen."""
        return self.events[-1]


@lru_cache(maxsize=8)  # one set of rules is followed at a time, and asked for in every picture
def telling_rules(rules: Rules) -> ActsUnseen | None:
    """The rules, if they say what must have happened unseen."""
    return rules if isinstance(rules, ActsUnseen) else None


@lru_cache(maxsize=8)
def _rules_in_one_go(rules: Rules) -> ActsInOneGo | None:
    """The rules, if they say what hands may do in one go."""
    return rules if isinstance(rules, ActsInOneGo) else None


UnseenChain = tuple[tuple[Action, ...], State, Seat | None]
"""Acts, the state after them, and the seat that must be seen to act then (None: any)."""


@lru_cache(maxsize=SEARCHED_STATES)
def unseen_chains(rules: Rules, state: State) -> tuple[UnseenChain, ...]:
    """No act, and the chains of those that must have happened if it is seen that the game has gone on. The last of them
    may change the table, since hands then tidy up."""
    chains: list[UnseenChain] = [((), state, None)]
    telling = telling_rules(rules)
    if telling is None:
        return tuple(chains)
    acts: tuple[Action, ...] = ()
    now = board_look(rules, state)
    while board_look(rules, state) == now:
        unseen = telling.unseen_before(state)
        if unseen is None:
            break
        state, acts = rules.apply(state, unseen.action), (*acts, unseen.action)
        chains.append((acts, state, unseen.only))
        if unseen.only is not None:
            break
    return tuple(chains)


@lru_cache(maxsize=SEARCHED_STATES)
def doings(rules: Rules, state: State) -> tuple[Doing, ...]:
    """What may happen next in `state` so that it can be seen."""
    looks: dict[object, Doing] = {}
    in_one_go = _rules_in_one_go(rules)
    for unseen, after, only in unseen_chains(rules, state):
        if in_one_go is not None and in_one_go.found_by_sight(after):
            continue
        for event, log_chance in _open_events(rules, after):
            if only is not None and not (isinstance(event, Action) and event.seat is only):
                continue
            doing = _doing(rules, state, after, after, (*unseen, event), log_chance)
            if doing is not None:
                looks.setdefault((doing.path, unseen, _looks_like(rules, event)), doing)
    return tuple(looks.values())


def _doing(
    rules: Rules, state: State, begun: State, before: State, events: tuple[Event, ...], log_chance: float
) -> Doing | None:
    """The last of `events` in the state `before`; None when it leaves nothing to be seen.

    In `begun`, between `state` and `before`, hands began with what is seen: what they have still to tidy after what
    was done unseen until then changes too, but does not show it.
    """
    now, then, path = board_look(rules, state), board_look(rules, begun), path_look(rules, before, events[-1])
    touched = then.differs(path[0])
    if not touched:
        return None
    changed = frozenset(touched).union(now.differs(then), *(now.differs(view) for view in path))
    done = frozenset(s for s in touched if any(view.at(s).face != then.at(s).face for view in path))
    return Doing(events, before, path, touched, changed, done, EVENT_PRIOR + log_chance)


@lru_cache(maxsize=256)
def doings_in_one_go(rules: Rules, state: State, seen: frozenset[tuple[Slot, SlotView]]) -> tuple[Doing, ...]:
    """What hands may do next in `state` in one go, of which only the last act is seen, and shows some of `seen`."""
    in_one_go = _rules_in_one_go(rules)
    if in_one_go is None:
        return ()
    found: list[Doing] = []
    for unseen, after, only in unseen_chains(rules, state):
        for chain in in_one_go.acts_in_one_go(after, seen):
            last = chain[-1]
            if only is not None and not (isinstance(last, Action) and last.seat is only):
                continue
            before = after
            for event in chain[:-1]:
                before = rules.apply(before, event)
            # hands that do several things at once are one claim; which face was drawn is for the picture to say
            doing = _doing(rules, state, after, before, (*unseen, *chain), 0.0)
            found += [] if doing is None else [doing]
    return tuple(found)


def forget_doings() -> None:
    """Let go of what may happen next at other tables."""
    for known in (telling_rules, _rules_in_one_go, unseen_chains, doings, doings_in_one_go):
        known.cache_clear()


def lookalikes(
    rules: Rules, state: State, view: BoardView, outside: frozenset[Slot] = frozenset()
) -> tuple[tuple[Event, ...], ...]:
    """The chains of legal events, the last of which can be seen, that lead from `state` through the table `view`, as
    far as that can be told without the slots `outside`."""
    paths = ((doing.events, doing.path) for doing in doings(rules, state))
    return tuple(events for events, path in paths if any(outside.issuperset(view.differs(one)) for one in path))


def _open_events(rules: Rules, state: State) -> Iterator[tuple[Event, float]]:
    """Every event that may come next, with what the odds say for it; secret ones leave nothing to be seen."""
    # which of the tiles that are left comes is for the picture to say: the odds count for a quarter
    for outcome in rules.chance_outcomes(state):
        if not rules.is_secret(outcome.draw):
            yield outcome.draw, 0.25 * log(float(outcome.probability))
    for action in rules.legal_actions(state):
        if not rules.is_secret(action):
            yield action, 0.0


def _looks_like(rules: Rules, event: Event) -> object:
    """Equal for draws of faces that look the same, of which the first one stands for all; no two acts are one."""
    if isinstance(event, Action):
        return event
    values = (getattr(event, name) for name in event.__dataclass_fields__)
    return type(event), tuple(rules.same_face(v) if isinstance(v, str) else v for v in values)
