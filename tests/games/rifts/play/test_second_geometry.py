"""Where tiles can go, where temples stand and which villages are cities, worked out again with millimetres only.

Nothing of the game's hexagon arithmetic is used but the middles of the spaces: tiles are turned as points of a plane,
and spaces touch when they have a side, or three of them a corner, in common.
"""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin, sqrt

import pytest
from contract_kit import random_game
from rifts_positions import rules_of

from companion.games.rifts.edition.hexes import middle_mm
from companion.games.rifts.play.geography import geography, temple_corners
from companion.games.rifts.state import Phase

SIDE = 10.0
Point = tuple[float, float]


def rounded(x: float, y: float) -> Point:
    return round(x, 3) + 0.0, round(y, 3) + 0.0


def corners(middle: Point) -> list[Point]:
    x, y = middle
    return [rounded(x + SIDE * sin(i * pi / 3), y - SIDE * cos(i * pi / 3)) for i in range(6)]


def sides(middle: Point) -> set[Point]:
    """The middles of its six sides."""
    found = corners(middle)
    pairs = zip(found, found[1:] + found[:1], strict=True)
    return {(round((ax + bx) / 2, 1) + 0.0, round((ay + by) / 2, 1) + 0.0) for (ax, ay), (bx, by) in pairs}


class Plane:
    """A map as points: the terrain at each middle."""

    def __init__(self, rules) -> None:
        t = rules.tables
        middles = [rounded(*middle_mm(cell, SIDE)) for cell in t.grid.cells]
        self.names = dict(zip(middles, t.grid.names, strict=True))
        self.kinds: dict[Point, str] = {}
        self.tables = t

    def lay(self, spaces, at: Point, turn: int) -> list[Point] | None:
        """Where the spaces of a tile come to lie; None when one is off the table."""
        angle, found = turn * pi / 3, []
        for space in spaces:
            q, r = space.at
            x, y = SIDE * sqrt(3) * (q + r / 2), SIDE * 1.5 * r
            turned = at[0] + x * cos(angle) - y * sin(angle), at[1] + x * sin(angle) + y * cos(angle)
            found.append(rounded(*turned))
        near = [next((m for m in self.names if abs(m[0] - x) + abs(m[1] - y) < 0.1), None) for x, y in found]
        return None if None in near else near

    def add(self, spaces, at: Point, turn: int) -> None:
        for space, middle in zip(spaces, self.lay(spaces, at, turn) or (), strict=True):
            self.kinds[middle] = space.terrain.value

    def places(self, tile) -> set[tuple[str, int]]:
        """N10, N14: every place and turn of a tile."""
        taken = Counter(side for middle in self.kinds for side in sides(middle))
        river_sides = {side for m, kind in self.kinds.items() if kind == "river" for side in sides(m)}
        free, joining = set(), set()
        for middle, name in self.names.items():
            for turn in range(6):
                lying = self.lay(tile.spaces, middle, turn)
                if lying is None or any(m in self.kinds for m in lying):
                    continue
                if sum(side in taken for m in lying for side in sides(m)) < 2:
                    continue
                free.add((name, turn))
                rivers = [m for m, space in zip(lying, tile.spaces, strict=True) if space.terrain.value == "river"]
                if any(sides(m) & river_sides for m in rivers):
                    joining.add((name, turn))
        return joining or free

    def temples(self, kind: str) -> set[frozenset[str]]:
        """N13: the threes of spaces of a kind that have a corner in common, none touching the starting tile."""
        home = {side for m, terrain in self.kinds.items() if terrain == "imperium" for side in sides(m)}
        apart = [m for m, terrain in self.kinds.items() if terrain == kind and not sides(m) & home]
        at: dict[Point, list[str]] = {}
        for middle in apart:
            for x, y in corners(middle):
                at.setdefault((round(x, 1) + 0.0, round(y, 1) + 0.0), []).append(self.names[middle])
        return {frozenset(names) for names in at.values() if len(names) == 3}

    def cities(self) -> set[str]:
        """N13: villages that hang together with two others or more."""
        villages = [m for m, kind in self.kinds.items() if kind == "village"]
        groups: list[set[Point]] = []
        for village in villages:
            near = [group for group in groups if any(sides(village) & sides(other) for other in group)]
            groups = [group for group in groups if group not in near] + [{village}.union(*near)]
        return {self.names[m] for group in groups if len(group) >= 3 for m in group}


def plane_of(rules, state) -> Plane:
    plane, t = Plane(rules), rules.tables
    middles = {name: middle for middle, name in plane.names.items()}
    plane.add(t.catalogue.start.spaces, middles["i9"], 0)
    for laid in state.land:
        plane.add(t.tiles[laid.tile].spaces, middles[t.grid.names[laid.anchor]], laid.turn)
    return plane


@pytest.mark.parametrize("seed", [3, 8])
def test_places_temples_and_cities_agree_with_the_plane(seed):
    rules = rules_of(2)
    t, compared = rules.tables, 0
    for state, _ in random_game(rules, seed, 3000):
        if state.phase is not Phase.PLACE:
            continue
        plane = plane_of(rules, state)
        assert {(a.slot, a.turn) for a in rules.legal_actions(state)} == plane.places(t.tiles[state.tile])
        everywhere = geography(t, state.land).mask
        for element, kind in enumerate(("desert", "forest", "mountain")):
            found = temple_corners(t, state.land, everywhere, element)
            assert {frozenset(t.grid.corner_names[corner].split("|")) for corner in found} == plane.temples(kind)
        assert {s["slot"] for s in rules.view(state, None)["map"]["spaces"] if s["city"]} == plane.cities()
        compared += 1
    assert compared >= 5
