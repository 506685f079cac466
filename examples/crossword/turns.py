"""How tiles that were laid in several turns between two pictures can have been laid, turn by turn (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from .board import known_square
from .laying import MOST_TILES
from .rules import CrosswordRules
from .state import Lay, State

Tiles = tuple[tuple[str, str], ...]
"""(square's name, tile's id), in the order of the squares."""

MOST_TURNS = 3
"""Turns between two pictures that are told apart: two pictures in a row that are missing."""


def divisions(rules: CrosswordRules, state: State, tiles: Tiles) -> tuple[tuple[Lay, ...], ...]:
    """The ways to lay `tiles` in the fewest legal turns, of 2 to MOST_TURNS; none when no such way is."""
    for turns in range(2, MOST_TURNS + 1):
        if len(tiles) <= turns * MOST_TILES:
            found = tuple(_divided(rules, state, tiles, turns))
            if found:
                return found
    return ()


def points_after(rules: CrosswordRules, state: State, way: tuple[Lay, ...]) -> tuple[int, ...]:
    """Everybody's points when these turns have been taken."""
    for lay in way:
        state = rules.after(state, lay)
    return state.points


def _divided(rules: CrosswordRules, state: State, tiles: Tiles, turns: int) -> Iterator[tuple[Lay, ...]]:
    seat = rules.to_act(state)[0] if rules.to_act(state) else None
    if seat is None:
        return
    for part in (tiles,) if turns == 1 else _parts(tiles):
        lay = Lay(seat, tuple(f"{name}={tile}" for name, tile in part))
        if rules.check(state, lay) is not None:
            continue
        if turns == 1:
            yield (lay,)
        else:
            left = tuple(one for one in tiles if one not in part)
            yield from ((lay, *more) for more in _divided(rules, rules.after(state, lay), left, turns - 1))


def _parts(tiles: Tiles) -> tuple[Tiles, ...]:
    """The tiles that one turn may have laid: some that follow each other in a row or a column, not all."""
    found: dict[Tiles, None] = {}
    for axis in (0, 1):
        lines: dict[int, list[tuple[str, str]]] = {}
        for one in sorted(tiles, key=lambda one: known_square(one[0])):
            lines.setdefault(known_square(one[0])[axis], []).append(one)
        for line in lines.values():
            for begin in range(len(line)):
                for end in range(begin + 1, min(len(line), begin + MOST_TILES) + 1):
                    if end - begin < len(tiles):
                        found.setdefault(tuple(line[begin:end]))
    return tuple(found)
