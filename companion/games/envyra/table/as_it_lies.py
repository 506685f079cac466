"""The position in which the table lies as it was seen, everything else as it is: what an overruling asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Face, Problem
from companion.games.envyra.edition.tables import Tables
from companion.games.envyra.state import NONE, Phase
from companion.games.envyra.state import State as Position

SECRET_PHASES = frozenset({Phase.CHOOSE, Phase.REVEAL})

STRANGE_PLACE = "no place of the grid is called {slot}"
STRANGE_FACE = "{face} at {slot} did not lie on the grid before: enter it as a draw"
GONE_FACE = "{face} has gone from {slot}: enter who captured it, or undo"
STRANGE_COLOUR = "nobody plays with the {colour} pieces at {slot}"
SHIELDED = "while choices lie behind shields, whether a tile lies at {slot} must stay as it was"
TOO_MANY = "{count} more {colour} cubes would lie there than that player has left"


def as_it_lies(rules: Rules, state: State, seen: BoardView) -> tuple[State, tuple[Problem, ...]]:
    """`state` with the tiles and cubes of the grid as `seen`, and everything that keeps that from being a position.

    Tiles may have changed places. A tile that came or went is refused, since the table does not tell whence or
    whither; so are more cubes than a player has. Cubes that are missing are in their player's reserve again. What is
    refused while choices are secret does not depend on them.
    """
    t: Tables = rules.tables  # type: ignore[attr-defined]
    problems = [
        Problem(slot, STRANGE_PLACE, (("slot", slot),)) for slot, _ in seen.slots if slot not in t.slot_index
    ]
    grid, wrong = _tiles(rules, t, state, seen)
    cubes, strange = _cubes(t, state, seen)
    reserve, missing = _reserve(t, state, cubes)
    problems += [*wrong, *strange, *missing]
    if state.phase in SECRET_PHASES:
        places = zip(t.slots, state.grid, grid, strict=True)
        moved = [slot for slot, old, new in places if (old == NONE) != (new == NONE)]
        problems += [Problem(slot, SHIELDED, (("slot", slot),), "R-03") for slot in moved]
    if problems:
        return state, tuple(problems)
    gaps = [i for i, tile in enumerate(grid) if tile == NONE]
    moved_gap = state.slot != NONE and grid[state.slot] != NONE and len(gaps) == state.grid.count(NONE)
    opened = [i for i in gaps if state.grid[i] != NONE]
    lying = state._replace(
        grid=grid, cubes=cubes, reserve=reserve,
        filled=sum(1 << i for i, tile in enumerate(grid) if tile != NONE),
        # the gap that waits for a tile is where no tile lies
        slot=opened[0] if moved_gap and opened else state.slot,
    )
    return lying, rules.problems(lying)


def _tiles(rules: Rules, t: Tables, s: Position, seen: BoardView) -> tuple[tuple[int, ...], list[Problem]]:
    """The tile of every place; a face that lies elsewhere now is the tile that left its place, by its look."""
    looks = [None if tile == NONE else rules.same_face(t.tiles[tile].id) for tile in s.grid]
    wanted = [_look(rules, seen.at(slot).face) for slot in t.slots]
    grid = [tile if look == want else NONE for tile, look, want in zip(s.grid, looks, wanted, strict=True)]
    left = {i: look for i, (look, want) in enumerate(zip(looks, wanted, strict=True)) if look not in (None, want)}
    problems = []
    for i, want in enumerate(wanted):
        if want in (None, looks[i]):
            continue
        source = next((k for k, look in left.items() if look == want), None)
        if source is None:
            problems.append(Problem(t.slots[i], STRANGE_FACE, (("face", want), ("slot", t.slots[i])), "E50"))
        else:
            grid[i] = s.grid[source]
            del left[source]
    problems += [
        Problem(t.slots[i], GONE_FACE, (("face", t.tiles[s.grid[i]].id), ("slot", t.slots[i])), "E40") for i in left
    ]
    return tuple(grid), problems


def _look(rules: Rules, face: Face | None) -> Face | None:
    return None if face is None else rules.same_face(face)


def _cubes(t: Tables, s: Position, seen: BoardView) -> tuple[tuple[tuple[int, ...], ...], list[Problem]]:
    """The cubes of every place: those that stay in the order of placing, then what came, seat by seat."""
    seats = {info.colour: n for n, info in enumerate(t.setup.seats)}
    problems, found = [], []
    for slot, here in zip(t.slots, s.cubes, strict=True):
        lying: Mapping[str, int] = dict(seen.at(slot).pieces)
        problems += [
            Problem(slot, STRANGE_COLOUR, (("colour", colour), ("slot", slot)), "E4")
            for colour in lying if colour not in seats
        ]
        left = Counter({seats[colour]: count for colour, count in lying.items() if colour in seats})
        stay = []
        for seat in here:
            if left[seat] > 0:
                left[seat] -= 1
                stay.append(seat)
        found.append((*stay, *(seat for seat in sorted(left) for _ in range(left[seat]))))
    return tuple(found), problems


def _reserve(t: Tables, s: Position, cubes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], list[Problem]]:
    """E4: five cubes each; those that may be marked on a board stay there (E20)."""
    before, after = (Counter(seat for here in table for seat in here) for table in (s.cubes, cubes))
    reserve = tuple(s.reserve[n] + before[n] - after[n] for n in range(len(t.setup.seats)))
    most = 1 if t.one_cube else 2
    secret = [min(most, left) if s.phase in SECRET_PHASES else 0 for left in s.reserve]
    problems = [
        Problem("cubes", TOO_MANY, (("count", secret[n] - left), ("colour", t.setup.seats[n].colour)), "E4")
        for n, left in enumerate(reserve) if left < secret[n]
    ]
    return reserve, problems
