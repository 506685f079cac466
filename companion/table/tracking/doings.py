"""What may happen next on a table so that it can be seen: legal events, those of which only the last is seen (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import log

from companion.core.game import ActsInOneGo, ActsInPlaces, ActsUnseen, Rules, SeenFirst, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Event, Seat, Slot
from companion.table.tracking.appearance import board_look, path_look, slot_look

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


@lru_cache(maxsize=8)
def _rules_in_places(rules: Rules) -> ActsInPlaces | None:
    """The rules, if they say where an event is seen first."""
    return rules if isinstance(rules, ActsInPlaces) else None


MayBe = Callable[[Event, SeenFirst], bool]
"""(an event, how it is seen first) -> whether it may have happened."""

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


@dataclass(slots=True)
class _Coming:
    """An event that may come next, what leads to it unseen, and what can be seen of both once that is asked for."""

    unseen: tuple[Action, ...]
    before: State  # of the event
    event: Event
    log_chance: float
    first: SeenFirst | None
    """How it is seen first; None: not known."""
    seen: Doing | None = None
    is_asked: bool = False


@dataclass(slots=True)
class _ComingNext:
    """What may happen next in one state; of events that look alike the first one stands for all."""

    rules: Rules
    state: State
    events: tuple[_Coming, ...]
    alike: dict[object, _Coming] = field(default_factory=dict)
    paths: dict[object, tuple[BoardView, ...]] = field(default_factory=dict)

    def seen(self, may_be: MayBe | None) -> tuple[Doing, ...]:
        """What can be seen, but for what may not be."""
        wanted = (one for one in self.events if may_be is None or one.first is None or may_be(one.event, one.first))
        return tuple(doing for one in wanted if (doing := self._seen(one)) is not None)

    def _seen(self, one: _Coming) -> Doing | None:
        if not one.is_asked:
            events = (*one.unseen, one.event)
            path = self._path(one)
            doing = _doing(self.rules, self.state, one.before, one.before, events, path, one.log_chance)
            if doing is not None:
                shows = () if isinstance(one.event, Action) else doing.path  # no two acts are one
                key = shows, one.unseen, _looks_like(self.rules, one.event)
                one.seen = doing if self.alike.setdefault(key, one) is one else None
            one.is_asked = True  # last: another thread that asks meanwhile works it out as well, and misses nothing
        return one.seen

    def _path(self, one: _Coming) -> tuple[BoardView, ...]:
        """The tables that an event leads through; many acts with one worker leave the same."""
        first = one.first
        if first is None or first.then is None:
            return path_look(self.rules, one.before, one.event)
        key = one.unseen, first
        if key not in self.paths:
            begun = board_look(self.rules, one.before).with_slots({first.slot: first.view})
            self.paths[key] = (begun, begun.with_slots(dict(first.then))) if first.then else (begun,)
        return self.paths[key]


@lru_cache(maxsize=SEARCHED_STATES)
def _coming_next(rules: Rules, state: State) -> _ComingNext:
    events: list[_Coming] = []
    in_one_go, in_places = _rules_in_one_go(rules), _rules_in_places(rules)
    for unseen, after, only in unseen_chains(rules, state):
        if in_one_go is not None and in_one_go.found_by_sight(after):
            continue
        for event, log_chance in _open_events(rules, after):
            if only is not None and not (isinstance(event, Action) and event.seat is only):
                continue
            first = None if in_places is None else in_places.seen_first(after, event)
            first = None if first is None else _look_first(rules, first)
            events.append(_Coming(unseen, after, event, log_chance, first))
    return _ComingNext(rules, state, tuple(events))


def _look_first(rules: Rules, first: SeenFirst) -> SeenFirst:
    """The same with faces replaced as in `board_look`."""
    then = None if first.then is None else tuple((slot, slot_look(rules, view)) for slot, view in first.then)
    return first._replace(view=slot_look(rules, first.view), then=then)


def doings(rules: Rules, state: State, may_be: MayBe | None = None) -> tuple[Doing, ...]:
    """What may happen next in `state` so that it can be seen; what may not be is left out where that is known before
    the table after it is worked out."""
    return _coming_next(rules, state).seen(may_be)


def _doing(
    rules: Rules, state: State, begun: State, before: State, events: tuple[Event, ...], path: tuple[BoardView, ...],
    log_chance: float,
) -> Doing | None:
    """The last of `events` in the state `before`, which leads through `path`; None when it leaves nothing to be seen.

    In `begun`, between `state` and `before`, hands began with what is seen: what they have still to tidy after what
    was done unseen until then changes too, but does not show it.
    """
    now, then = board_look(rules, state), board_look(rules, begun)
    touched = then.differs(path[0])
    if not touched:
        return None
    later = path if now is not then else path[1:]  # what the first changes is known
    changed = frozenset(touched).union(now.differs(then), *(now.differs(view) for view in later))
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
            path = path_look(rules, before, last)
            doing = _doing(rules, state, after, before, (*unseen, *chain), path, 0.0)
            found += [] if doing is None else [doing]
    return tuple(found)


def forget_doings() -> None:
    """Let go of what may happen next at other tables."""
    for known in (telling_rules, _rules_in_one_go, _rules_in_places, unseen_chains, _coming_next, doings_in_one_go):
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
