"""Which clause a change on a table of Spyrium breaks that no legal act explains: what the camera's alarm says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.core.game import Rules
from companion.core.layout import BoardView
from companion.core.types import Seat, Slot, Violation
from companion.games.spyrium.actions import NEW_SPACE, SCORE, YES, Activate, Deal, Future, Money, Place, Use
from companion.games.spyrium.board import EVENT_SLOTS, UPRIGHT, building_slot
from companion.games.spyrium.edition.designs import EVENTS, Building, Character, Design, EventKind, Technique
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.legality.check_uses import check_placing
from companion.games.spyrium.play.acts import NO_CARD
from companion.games.spyrium.play.turns import slot_to_fill
from companion.games.spyrium.state import NONE, Phase, State, Step
from companion.games.spyrium.table.unseen import act_unseen


@dataclass(frozen=True, slots=True)
class _Workers:
    """Workers of `seat` that came into (or, negative, left) a gap."""

    seat: Seat
    gap: Slot
    count: int


@dataclass(frozen=True, slots=True)
class _Change:
    """The table as accepted and as seen, the rules, and the state with Phase II begun where that could be unseen."""

    rules: Rules
    t: Tables
    state: State
    accepted: BoardView
    seen: BoardView
    slots: tuple[Slot, ...]
    workers: tuple[_Workers, ...]

    def faces(self, slot: Slot) -> tuple[str | None, str | None]:
        """The card that lay in the slot and the one that is seen there."""
        return self.accepted.at(slot).face, self.seen.at(slot).face


def blame_change(rules: Any, state: State, accepted: BoardView, seen: BoardView) -> Violation:
    """The clause broken by the change from the `accepted` table to the `seen` one, which differ.

    `rules` are those of Spyrium. Of several things wrong at once the gravest is named: cards before workers, what was
    laid before what was taken.
    """
    t: Tables = rules.tables
    slots = accepted.differs(seen)
    change = _Change(rules, t, state, accepted, seen, slots, tuple(_worker_changes(t, accepted, seen, slots)))
    return _activation_blamed(change) or _cards_blamed(change) or _own_blamed(change) or _workers_blamed(change)


def _worker_changes(t: Tables, accepted: BoardView, seen: BoardView, slots: tuple[Slot, ...]) -> Iterator[_Workers]:
    seats = {info.colour: Seat(n) for n, info in enumerate(t.setup.seats)}
    for gap in (slot for slot in slots if slot in t.gap_index):
        was, lies = dict(accepted.at(gap).pieces), dict(seen.at(gap).pieces)
        for colour in sorted(was.keys() | lies.keys()):
            count = lies.get(colour, 0) - was.get(colour, 0)
            if count and colour in seats:
                yield _Workers(seats[colour], gap, count)


def _in_phase_two(c: _Change, seat: Seat) -> State:
    """The state in which the seat, if it is awaited, has started Phase II: that leaves nothing to be seen (S32)."""
    waits = c.state.phase is Phase.PLAY and seat == c.state.current
    if not waits or c.state.players[seat].step is not Step.PLACEMENT:
        return c.state
    start = act_unseen(c.t, c.state)
    return c.state if start is None else c.rules.apply(c.state, start.action)


def _activation_blamed(c: _Change) -> Violation | None:
    """S41: one worker was taken back and one card beside it: what keeps its owner from activating that card."""
    gone = [s for s in c.slots if s in c.t.slot_index and c.faces(s)[0] is not None and c.faces(s)[1] is None]
    taken = [w for w in c.workers if w.count < 0]
    if len(gone) != 1 or len(taken) != 1 or taken[0].count != -1 or len(c.workers) != 1:
        return None
    (card,), worker, design = gone, taken[0], _design(c, gone[0])
    if design is None or isinstance(design, Character):
        return None
    state = _in_phase_two(c, worker.seat)
    building = isinstance(design, Building)
    space = _space_of(c, worker.seat, card) if building else ""
    residence = SCORE if isinstance(design, Building) and design.residence else ""
    act = Activate(worker.seat, worker.gap, card, space, residence=residence)
    violation = c.rules.check(state, act)
    if violation is None or c.rules.check(state, replace(act, lobbying=YES)) is None:  # S93
        return None
    return _at(violation, worker.gap, card)


def _design(c: _Change, slot: Slot) -> Design | None:
    """The design of the card that lay in a slot of the market."""
    kind = c.t.kind_index.get(c.faces(slot)[0] or "", NONE)
    return None if kind == NONE else c.t.designs[kind]


def _space_of(c: _Change, seat: Seat, card: Slot) -> str:
    """Where the card has gone as a building: the space in which it now lies, a new one if it is not seen."""
    for place, _ in enumerate(c.state.players[seat].buildings):
        if any(c.faces(slot)[1] == c.accepted.at(card).face and slot in c.slots for slot in building_slot(seat, place)):
            return f"b{place + 1}"
    return NEW_SPACE


def _cards_blamed(c: _Change) -> Violation | None:
    """What is wrong with the cards of the market and the events."""
    cards = [s for s in c.slots if s in c.t.slot_index and c.faces(s)[0] != c.faces(s)[1]]
    swapped = next(((a, b) for a in cards for b in cards if a < b and c.faces(a) == c.faces(b)[::-1]), None)
    if swapped is not None:
        # S22: the market stays as it was laid out
        facts: tuple[tuple[str, Any], ...] = (("slot", swapped[0]), ("other", swapped[1]))
        return Violation("S22", "The cards at {slot} and {other} have changed places.", facts, swapped)
    gone = tuple(s for s in cards if c.faces(s)[1] is None)
    if len(gone) > 1 and c.state.phase in (Phase.PLAY, Phase.BONUS):
        # S50: the market is cleared when all have passed
        left = tuple(c.t.seats[i] for i, p in enumerate(c.state.players) if p.step is not Step.PASSED)
        message = "The cards at {slots} are gone before the end of the turn; not passed: {seats}."
        return Violation("S50", message, (("slots", gone), ("seats", left)), gone)
    if gone:
        return _card_gone(c, gone[0])
    for slot in cards:
        was, lies = c.faces(slot)
        if was is None:
            return _card_come(c, slot, lies or "")
        facts = (("slot", slot), ("card", c.t.face_name(lies)), ("expected", c.t.face_name(was)))
        return Violation("S22", "At {slot} lies {card} instead of {expected}.", facts, (slot,))
    return _events_blamed(c)


def _card_come(c: _Change, slot: Slot, card: str) -> Violation:
    """A card lies where none lay."""
    if c.state.phase is Phase.DEAL:
        drawn = c.rules.check_draw(c.state, Deal(c.t.slots[slot_to_fill(c.t, c.state)], card))
        if drawn is not None:
            return _at(drawn, slot)  # S2: a card of another period, or more of a kind than there are
    # S22: nine cards are laid out once a turn; a place that was emptied stays empty
    facts = (("slot", slot), ("card", c.t.face_name(card)))
    return Violation("S22", "{card} lies at {slot}, where no card can come now.", facts, (slot,))


def _card_gone(c: _Change, slot: Slot) -> Violation:
    design = _design(c, slot)
    facts: tuple[tuple[str, Any], ...] = (("slot", slot), ("card", c.t.face_name(c.faces(slot)[0])))
    if c.state.phase is Phase.PLAY and isinstance(design, (Building, Technique)):
        # S41: a building or technique is taken with a worker that comes back
        facts = (*facts, ("seat", c.t.seats[c.state.current]))
        message = "{card} at {slot} was taken, but no worker beside it came back; it is the turn of {seat}."
        return Violation("S41", message, facts, (slot,))
    # S42: a character stays where it is
    return Violation("S42", "{card} at {slot} was taken, and no card leaves the market like this.", facts, (slot,))


def _events_blamed(c: _Change) -> Violation | None:
    """S21: the events lie as the turn has laid them."""
    for slot in EVENT_SLOTS:
        was, lies = c.faces(slot)
        if was == lies:
            continue
        facts = (("slot", slot), ("card", c.t.face_name(lies)), ("expected", c.t.face_name(was)))
        drawn = c.rules.check_draw(c.state, Future(lies or ""))
        if lies is not None and c.state.phase is Phase.FUTURE and drawn is not None:
            return _at(drawn, slot)  # S21: an event that has been revealed before
        if lies is None:
            return Violation("S21", "The {expected} is gone from {slot}.", facts, (slot,))
        if was is None:
            return Violation("S21", "{card} lies at {slot}, where no event can come now.", facts, (slot,))
        return Violation("S21", "At {slot} lies {card} instead of {expected}.", facts, (slot,))
    return None


def _own_blamed(c: _Change) -> Violation | None:
    """What is wrong with the buildings in the neighbourhoods."""
    for seat in c.t.seats:
        for place, _ in enumerate(c.t.cards):
            for slot in building_slot(seat, place):
                if slot in c.slots:
                    return _building_blamed(c, seat, place, slot)
    return None


def _building_blamed(c: _Change, seat: Seat, place: int, slot: Slot) -> Violation:
    was, lies = c.accepted.at(slot), c.seen.at(slot)
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("slot", slot), ("card", c.t.face_name(lies.face)), ("expected", c.t.face_name(was.face)),
    )  # fmt: skip
    if was.face is None:
        # S43: a building comes from the market only
        return Violation("S43", "{card} lies at {slot}, but {seat} has not built it.", facts, (slot,))
    if lies.face is None:
        # S43: a building stays until it is replaced
        return Violation("S43", "{expected} of {seat} is gone from {slot}; a building stays.", facts, (slot,))
    if was.face != lies.face:
        return Violation("S43", "At {slot} lies {card} instead of {expected}.", facts, (slot,))
    if was.turn != UPRIGHT:
        # S50: inclined cards are straightened at the end of the turn
        return Violation("S50", "{card} of {seat} was straightened before the end of the turn.", facts, (slot,))
    violation = c.rules.check(_in_phase_two(c, seat), Use(seat, f"b{place + 1}", 1))
    if violation is not None:
        return _at(violation, slot)
    # S24: one action each
    return Violation("S24", "{card} of {seat} was inclined besides another action.", facts, (slot,))


def _workers_blamed(c: _Change) -> Violation:
    """What is wrong with the workers in the gaps."""
    laid = [w for w in c.workers if w.count > 0]
    taken = [w for w in c.workers if w.count < 0]
    for one in laid:
        source = next((w for w in taken if w.seat is one.seat), None)
        if source is not None:
            # S40, S41: a worker stays in its gap until it is taken back, and is inactive then
            facts: tuple[tuple[str, Any], ...] = (("seat", one.seat), ("source", source.gap), ("gap", one.gap))
            message = "A worker of {seat} went from {source} to {gap}; it stays in its gap until it is taken back."
            return Violation("S41", message, facts, (source.gap, one.gap))
    for one in laid:
        violation = _placing_blamed(c, one)
        if violation is not None:
            return _at(violation, one.gap)
    if laid:
        # S24: one action each
        facts = (("seat", laid[0].seat), ("count", sum(w.count for w in laid)))
        message = "Workers placed at once: {count}; {seat} places one worker in an action."
        return Violation("S24", message, facts, tuple(w.gap for w in laid))
    if taken:
        return _taking_blamed(c, taken)
    # S1: a worker of a colour that nobody plays
    return Violation("S1", "At {slots} stands a worker of a colour that nobody plays.", (("slots", c.slots),), c.slots)


def _placing_blamed(c: _Change, one: _Workers) -> Violation | None:
    """S30, S66: why the seat cannot place these workers here, or None when one of them could be placed."""
    player = c.state.players[one.seat]
    violation = c.rules.check(c.state, Place(one.seat, one.gap))
    if violation is not None and one.seat != c.state.current and one.count > player.active:
        # S30: more workers than are active
        facts = (("seat", one.seat), ("count", one.count), ("active", player.active), ("gap", one.gap))
        message = "{count} more came to {gap}; active workers of {seat}: {active}."
        return Violation("S30", message, facts, (one.gap,))
    awaited = c.state.phase is Phase.PLAY and c.state.current == one.seat and player.step is Step.ACTIVATION
    if awaited and c.state.event != NONE and EVENTS[c.state.event] is EventKind.PLACE and not player.used_event:
        # S66: with this event a worker may be placed in Phase II
        return check_placing(c.t, c.state, one.seat, one.gap, "S66")
    return violation


def _taking_blamed(c: _Change, taken: list[_Workers]) -> Violation:
    """S40, S41: who may take back a worker, and how many."""
    one = taken[0]
    gaps = tuple(w.gap for w in taken)
    lying = [c.t.slots[x] for x in c.t.gap_cards[c.t.gap_index[one.gap]] if c.state.market[x] != NONE]
    violation = c.rules.check(_in_phase_two(c, one.seat), Money(one.seat, one.gap, lying[0] if lying else NO_CARD))
    if violation is not None:
        facts: tuple[tuple[str, Any], ...] = (("seat", one.seat), ("gap", one.gap))
        if violation.clause == "S24" and c.state.phase is Phase.PLAY:
            # S24, S40: a player takes back own workers, in their own turn
            facts = (*facts, ("awaited", c.t.seats[c.state.current]))
            message = "A worker of {seat} is gone from {gap}, and it is the turn of {awaited}."
            return Violation("S24", message, facts, gaps)
        return _at(violation, one.gap)
    # S24: one action each
    count = -sum(w.count for w in taken)
    message = "Workers gone at {gaps}: {count}; {seat} takes back one worker in an action."
    return Violation("S24", message, (("count", count), ("gaps", gaps), ("seat", one.seat)), gaps)


def _at(violation: Violation, *slots: Slot) -> Violation:
    """The violation with slots to show, where it names none."""
    if violation.slots:
        return violation
    return Violation(violation.clause, violation.message, violation.facts, slots)
