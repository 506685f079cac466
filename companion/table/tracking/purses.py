"""What the coins in the players' purses say of acts that leave the same slots behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import log

from companion.core.game import MoneyShown, Rules, State
from companion.core.inputs import BoardObservation, PurseChange, PurseReading
from companion.core.types import Action, Event, Seat, Slot

Witness = Callable[[tuple[Event, ...], State], float]
"""Log-likelihood of what lies beside the slots if these events happened and the game stands at a state now."""

SUMS = 3
"""So many different sums of the record a purse must have followed before it is known what it held at first. Two might
be the same delay twice: a payment that comes one act late, and then another one of the same amount."""

TIMES = 2
"""And so many times as many as it would have followed if it had held something else."""

SUMS_FROM_START = 2
"""So many are enough where counting began before anybody had paid or taken money: no payment was late then."""

UNPAID = 0.02
"""How often a player has not paid or taken money yet when another one acts: nobody lays coins while others play."""

EVEN = 0.5
"""A purse is as the record says if that has more of a chance than all else."""

LATE, ASTRAY = 0.25, 0.02
"""How often a purse still holds what the record said before when the table is as it should be, and how often neither
that nor what the record says, for once that it is as the record says."""


@dataclass
class _Followed:
    """A purse that is counted since a look: for what it may have held at first, the sums of the record that agree.

    `from_start`: what it should have held at first, if that was before anybody had paid or taken money. `chances`: of
    what it held at first, as what was counted before it and the record say; empty where they say nothing.
    """

    since: int
    from_start: int | None = None
    agree: dict[int, set[int]] = field(default_factory=dict)
    chances: dict[int, float] = field(default_factory=dict)
    recorded: int | None = None
    """What the record said last that it holds."""

    def add(self, tally: int, held: int) -> None:
        """The record says that the purse holds `held` now."""
        heard = held in self.agree.get(held - tally, ())
        self.agree.setdefault(held - tally, set()).add(held)
        if not heard and len(self.chances) > 1:
            fits = {held: 1.0} if self.recorded in (None, held) else {held: 1.0, self.recorded: LATE}
            weighed = {first: p * fits.get(first + tally, ASTRAY) for first, p in self.chances.items()}
            whole = sum(weighed.values())
            self.chances = {first: p / whole for first, p in weighed.items()}
        self.recorded = held

    @property
    def begun_with(self) -> int | None:
        """What it held at first; None as long as that is not known."""
        ranked = sorted(((len(sums), first) for first, sums in self.agree.items()), reverse=True)
        if not ranked or (len(ranked) > 1 and ranked[0][0] < TIMES * ranked[1][0]):
            return None
        sums, first = ranked[0]
        return first if sums >= (SUMS_FROM_START if first == self.from_start else SUMS) else None

    @property
    def held_at_first(self) -> Mapping[int, float]:
        """The chances of what it held at first; empty as long as nothing is known."""
        known = self.begun_with
        return self.chances if known is None else {known: 1.0}

    def then(self, change: PurseChange, since: int) -> _Followed:
        """The same purse, counted `since` another look, by which it had changed so."""
        first = self.held_at_first or ({} if self.from_start is None else {self.from_start: 1.0})
        chances: dict[int, float] = {}
        for begun, p in first.items():
            for tally, q in change.tallies:
                chances[begun + tally] = chances.get(begun + tally, 0.0) + p * q
        return _Followed(since, chances=chances, recorded=self.recorded)


@dataclass
class PurseWitness:
    """Purses of one table. Coins tell acts apart, and accuse nobody: hands pay sooner or later, and change money.

    A purse is heard only if it held what the record says when the table was last as believed: what is misread, hidden
    under other coins, or not yet paid says nothing, and nor does a purse that still holds what it held then. What a
    purse holds whose coins cannot all be told follows from its changes, once these have gone with the record. Its first
    change in a game tells already; that it has not changed does not: nobody knows yet whether money lies there at all.
    """

    rules: Rules
    _seen: dict[Slot, PurseReading | None] = field(default_factory=dict)
    """What the pictures of this scene make of each purse; None where they differ."""
    _right: set[Slot] = field(default_factory=set)
    _followed: dict[Slot, _Followed] = field(default_factory=dict)

    def look(self, observation: BoardObservation) -> None:
        """One more settled picture of the scene."""
        for reading in observation.purses:
            known = self._seen.get(reading.slot, reading)
            self._seen[reading.slot] = reading if known is not None and _says(known) == _says(reading) else None
            self._count(reading)

    def _count(self, one: PurseReading) -> _Followed:
        """Since which look the purse is counted, and what is known of that."""
        known = self._followed.get(one.slot)
        if known is None or known.since != one.since:
            if known is None or one.after is None or one.after.since != known.since:
                known = _Followed(one.since)
            else:
                known = known.then(one.after, one.since)
            self._followed[one.slot] = known
        if one.total is not None:
            known.chances = {one.total - one.tally: 1.0}
        return known

    def scene_changed(self) -> None:
        """What comes is another scene."""
        self._seen = {}

    def as_believed(self, state: State, *, play_goes_on: bool = False) -> None:
        """The table is as it should be in `state`: which purses are, too. `play_goes_on`: others have acted since, and
        may have paid; then nothing is said of a purse that differs."""
        if isinstance(self.rules, MoneyShown):
            holds = self.rules.purses(state)
            at_start = holds == self.rules.purses_at_start()
            for slot, one in self._seen.items():
                held = holds.get(slot)
                if play_goes_on and (one is None or held is None or self._sums(one).get(held, 0.0) <= EVEN):
                    continue
                if one is not None and held is not None:
                    self._follow(one, held, at_start=at_start)
                if one is not None and held is not None and self._perhaps(one).get(held, 0.0) > EVEN:
                    self._right.add(slot)
                else:
                    self._right.discard(slot)

    def _follow(self, one: PurseReading, held: int, *, at_start: bool) -> None:
        known = self._count(one)
        if at_start:
            known.from_start = held - one.tally
        known.add(one.tally, held)

    def _sums(self, one: PurseReading) -> Mapping[int, float]:
        """The chances of what the coins come to, if they were read rightly; empty where nobody knows."""
        if one.total is not None:
            return {one.total: 1.0}
        known = self._followed.get(one.slot)
        if known is None or known.since != one.since:
            return {}
        return {first + one.tally: p for first, p in known.held_at_first.items()}

    def _perhaps(self, one: PurseReading) -> Mapping[int, float]:
        """The chances of what the coins come to, or would if the purse was right before anybody had paid; empty where
        nobody knows."""
        sums, known = self._sums(one), self._followed.get(one.slot)
        if sums or known is None or known.since != one.since or known.from_start is None:
            return sums
        return {known.from_start + one.tally: 1.0}

    def _heard(self, one: PurseReading, held: int) -> Mapping[int, float]:
        """The chances of what the coins of a purse that `held` so much come to; empty where it says nothing."""
        sums = self._perhaps(one)
        return sums if held not in sums else self._sums(one)

    def of(self, believed: State, *, all_paid: bool = False) -> Witness | None:
        """What the purses say now that `believed` was accepted last; None: nothing. `all_paid`: play has gone on, so
        that nobody has yet to pay or take money."""
        rules = self.rules
        if not isinstance(rules, MoneyShown):
            return None
        held = rules.purses(believed)
        seen = [one for slot, one in self._seen.items() if one is not None and slot in self._right]
        told = [(one, sums) for one in seen if (sums := self._heard(one, held[one.slot]))]
        if not told:
            return None

        played_on = _PlayedOn(rules, believed)

        def witness(events: tuple[Event, ...], state: State) -> float:
            holds = rules.purses(state)
            paid = holds if all_paid else played_on.until(events).paid
            return sum(_fits(one, sums, held[one.slot], holds[one.slot], paid.get(one.slot)) for one, sums in told)

        return witness


def _fits(one: PurseReading, sums: Mapping[int, float], held: int, holds: int, paid: int | None) -> float:
    """Log-likelihood of a purse that `held` so much, comes to one of `sums` now, each with its chance, and `holds` so
    much by the record; `paid`: what it came to when another player went on, None if none has."""
    fits = sum(p for total, p in sums.items() if total in (holds, paid))
    if held in sums and held not in (holds, paid):  # not paid yet
        fits += sums[held] * (1.0 if paid in (None, held) else UNPAID)
    return log(max(one.p * fits, 1.0 - one.p))


@dataclass(frozen=True, slots=True)
class _Played:
    """Where a chain of events has led: the player who acts, what the purses came to when that player began, and by slot
    what those came to that changed by what one player did before another one went on."""

    state: State
    begun: Mapping[Slot, int]
    seat: Seat | None
    paid: Mapping[Slot, int]


class _PlayedOn:
    """What chains of events from one state lead to; most of them begin as another one does."""

    def __init__(self, rules: Rules, state: State) -> None:
        assert isinstance(rules, MoneyShown)
        self._rules = rules
        self._known: dict[tuple[Event, ...], _Played] = {(): _Played(state, rules.purses(state), None, {})}

    def until(self, events: tuple[Event, ...]) -> _Played:
        """After `events`, one after the other."""
        known = self._known.get(events)
        if known is None:
            known = self._known[events] = self._then(self.until(events[:-1]), events[-1])
        return known

    def _then(self, was: _Played, event: Event) -> _Played:
        begun, seat, paid = was.begun, was.seat, was.paid
        if isinstance(event, Action):
            if seat not in (None, event.seat):
                now = self._rules.purses(was.state)
                paid = {**paid, **{slot: total for slot, total in now.items() if total != begun[slot]}}
                begun = now
            seat = event.seat
        return _Played(self._rules.apply(was.state, event), begun, seat, paid)


def _says(one: PurseReading) -> tuple[int | None, int, int]:
    """What a reading says of the purse."""
    return one.total, one.since, one.tally
