"""Which clause a change on the table breaks that no legal event explains: what the camera's alarm says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Face, Seat, Slot, Violation
from companion.games.envyra.actions import Move
from companion.games.envyra.edition.tables import Tables


@dataclass(frozen=True, slots=True)
class _Cubes:
    """Cubes of `seat` that came to (or, negative, left) a slot."""

    seat: Seat
    slot: Slot
    count: int


def blame_change(rules: Rules, state: State, accepted: BoardView, seen: BoardView) -> Violation:
    """The clause broken by the change from the `accepted` table to the `seen` one, which differ.

    Of several things wrong at once the gravest is named: tiles before cubes, what was laid before what was taken.
    """
    slots = accepted.differs(seen)
    swapped = _exchanged(accepted, seen, slots)
    if swapped:
        # E11: the grid stays as it was laid; tiles leave it by capture only
        pair = (("slot", swapped[0]), ("other", swapped[1]), ("face", _name(rules, accepted.at(swapped[0]).face)))
        return Violation("E11", "The tiles at {slot} and {other} have changed places.", pair, swapped)
    for slot in slots:
        was, lies = accepted.at(slot), seen.at(slot)
        if was.face is not None and lies.face is None:
            return _taken_early(rules, state, accepted, slot)
        if was.face is None and lies.face is not None:
            # E50: only a tile from the supply comes into the grid, and only into a gap at the end of a round
            come = (("slot", slot), ("face", _name(rules, lies.face)))
            return Violation("E50", "{face} lies at {slot}, where no tile can come into the grid now.", come, (slot,))
        if was.face != lies.face:
            facts = (("slot", slot), ("face", _name(rules, lies.face)), ("expected", _name(rules, was.face)))
            return Violation("E11", "At {slot} lies {face} instead of {expected}.", facts, (slot,))
    return _cubes_blamed(rules, state, tuple(_cube_changes(rules, accepted, seen, slots)), slots)


def _name(rules: Any, face: Face | None) -> str:
    """What people call a tile of the game with these rules."""
    tables: Tables = rules.tables
    return tables.face_name(face)


def _exchanged(accepted: BoardView, seen: BoardView, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    for a in slots:
        for b in slots:
            was_a, was_b = accepted.at(a).face, accepted.at(b).face
            if a < b and was_a != was_b and (seen.at(a).face, seen.at(b).face) == (was_b, was_a):
                return (a, b)
    return ()


def _taken_early(rules: Rules, state: State, accepted: BoardView, slot: Slot) -> Violation:
    """E40: a tile leaves the grid as soon as its cubes equal its number, and not before."""
    there = accepted.at(slot)
    cell = next(c for c in rules.view(state, None)["cells"] if c["slot"] == slot)
    required = cell["tile"]["cubes"] if cell["tile"] else 0
    facts = (
        ("slot", slot), ("face", _name(rules, there.face)), ("cubes", sum(n for _, n in there.pieces)),
        ("required", required),
    )
    message = "The tile at {slot} was taken too early: cubes on it {cubes}, needed {required}."
    return Violation("E40", message, facts, (slot,))


def _cube_changes(rules: Rules, accepted: BoardView, seen: BoardView, slots: tuple[Slot, ...]) -> Iterator[_Cubes]:
    seats = {info.colour: Seat(n) for n, info in enumerate(rules.setup.seats)}
    for slot in slots:
        was, lies = dict(accepted.at(slot).pieces), dict(seen.at(slot).pieces)
        for colour in sorted(was.keys() | lies.keys()):
            change = lies.get(colour, 0) - was.get(colour, 0)
            if change and colour in seats:
                yield _Cubes(seats[colour], slot, change)


def _cubes_blamed(rules: Rules, state: State, changes: tuple[_Cubes, ...], slots: tuple[Slot, ...]) -> Violation:
    laid = [c for c in changes if c.count > 0]
    taken = [c for c in changes if c.count < 0]
    for lay in laid:
        source = next((c for c in taken if c.seat is lay.seat), None)
        if source is not None:
            # E42: a cube stays on its tile until the tile is captured
            moved = (("seat", lay.seat), ("source", source.slot), ("slot", lay.slot))
            message = "A cube of {seat} went from {source} to {slot}; a cube stays on its tile until the capture."
            return Violation("E42", message, moved, (source.slot, lay.slot))
    for lay in laid:
        violation = rules.check(state, Move(lay.seat, lay.slot))
        if violation is not None:
            return violation if violation.slots else _at(violation, lay.slot)
    if laid:
        # E31: one cube a turn
        lay = laid[0]
        facts = (("seat", lay.seat), ("slot", lay.slot), ("count", sum(c.count for c in laid)))
        message = "Cubes laid at once: {count}; {seat} moves one cube in a turn."
        return Violation("E31", message, facts, tuple(c.slot for c in laid))
    if taken:
        gone = taken[0]
        # E42: a cube stays on its tile until the tile is captured
        facts = (("seat", gone.seat), ("slot", gone.slot), ("count", -gone.count))
        message = "Cubes of {seat} missing at {slot}: {count}; a cube stays on its tile until the capture."
        return Violation("E42", message, facts, tuple(c.slot for c in taken))
    # E4: a cube of a colour that nobody plays
    return Violation("E4", "At {slots} lies a cube of a colour that nobody plays.", (("slots", slots),), slots)


def _at(violation: Violation, slot: Slot) -> Violation:
    return Violation(violation.clause, violation.message, (*violation.facts, ("slot", slot)), (slot,))
