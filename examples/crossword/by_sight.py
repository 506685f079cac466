"""What a board seen otherwise than believed can mean: words laid, the clause that is broken, the board as it lies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.core.game import Rules
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Problem, Violation

from .board import known_square
from .state import Lay, State

Tiles = tuple[tuple[str, str], ...]
"""(square's name, tile's id), in the order of the squares."""


def lays_that_show(rules: Rules, state: State, seen: frozenset[tuple[str, SlotView]]) -> tuple[tuple[Event, ...], ...]:
    """The word that was laid where `seen` lies, if all of it can be one turn.

    Tiles of two turns are not divided: almost always that can be done in more than one way, with other points.
    """
    seats, there = rules.to_act(state), {name for name, _ in state.board}
    tiles = tuple((name, at.face) for name, at in _sorted(seen) if at.face is not None and name not in there)
    if not seats or not tiles:
        return ()
    whole = _lay(seats[0], tiles)
    return ((whole,),) if rules.check(state, whole) is None else ()


def _sorted(seen: frozenset[tuple[str, SlotView]]) -> list[tuple[str, SlotView]]:
    return sorted(seen, key=lambda one: known_square(one[0]))


def _lay(seat: Any, tiles: Tiles) -> Lay:
    return Lay(seat, tuple(f"{name}={tile}" for name, tile in tiles))


def blame(rules: Rules, state: State, accepted: BoardView, seen: BoardView) -> Violation:
    """The clause that the change from the `accepted` board to the `seen` one breaks."""
    changed = accepted.differs(seen)
    gone = tuple(slot for slot in changed if seen.at(slot).face is None)
    other = tuple(slot for slot in changed if None not in (accepted.at(slot).face, seen.at(slot).face))
    if gone:
        # C10: all tiles of the word just laid, and no other
        return Violation("C10", "tiles are gone from {slots}: only the word just laid comes off, and whole",
                         (("slots", gone),), gone)  # fmt: skip
    if other:
        # C4: where a tile lies nothing else is laid
        return Violation("C4", "another tile lies at {slots} than was laid there", (("slots", other),), other)
    seats = rules.to_act(state)
    if not seats:
        # C11: nothing is laid any more
        return Violation("C11", "the game has ended: nothing is laid at {slots}", (("slots", changed),), changed)
    tiles = tuple((slot, at.face or "") for slot, at in _sorted(frozenset((s, seen.at(s)) for s in changed)))
    broken = rules.check(state, _lay(seats[0], tiles))
    # C9: the word could be laid, but not as the table stood
    return broken or Violation("C9", "one turn after the other: {slots} was not laid in one", (("slots", changed),),
                               changed)  # fmt: skip


def as_it_lies(rules: Rules, state: State, seen: BoardView) -> tuple[State, tuple[Problem, ...]]:
    """`state` with the board as `seen`: nobody's points change, and there is no word that could be challenged."""
    board = tuple(sorted((slot, at.face) for slot, at in seen.slots if at.face is not None))
    lying = replace(state, board=board, last=None)
    return lying, rules.problems(lying)
