"""Plays a game of Envyra by the real rules and writes down what a camera would see, broken rules and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Action, Event, Seat, Slot
from companion.games.envyra.actions import Choose, Move, Refill, Remove, Replace
from companion.games.envyra.edition.components import Catalogue
from companion.games.envyra.state import Phase

Cell = tuple[int, int]

ACTS = ("restricted", "wrong-player", "wrong-tile", "early-take", "tile-swap")
"""Illegal acts that are filmed and put right: E33, E31 and E32, E31, E40, E11."""

_ACT_CLAUSES = {"restricted": ("E33",), "wrong-player": ("E31", "E32", "E34"), "wrong-tile": ("E31",)}
_ENDS = {"E60": "A", "E61": "B", "E62": "C"}


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame to film: what lies where (cubes in the order of placing) and, with a hand, who reaches where."""

    kind: str  # settled, hand or shields
    tiles: dict[Cell, str]
    cubes: dict[Cell, tuple[str, ...]]
    player: int | None = None
    reach: Cell | None = None
    bumped: bool = False


@dataclass(slots=True)
class Script:
    """A whole film: shots, what happened, and what the people told the companion."""

    players: int
    colours: tuple[str, ...]
    first: int = 0
    shots: list[Shot] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    presses: list[dict[str, int]] = field(default_factory=list)
    reveals: list[dict[str, Any]] = field(default_factory=list)
    complete: bool = False

    @property
    def acts(self) -> Counter[str]:
        """How often each illegal act occurs."""
        return Counter(e["act"] for e in self.events if e["event"] == "illegal")


def cell_of(slot: Slot) -> Cell:
    """`r1c2` -> (0, 1), as the scene sets count."""
    row, _, col = slot[1:].partition("c")
    return int(row) - 1, int(col) - 1


class Director:
    """Plays one game and records it; everything random comes from `rng`."""

    def __init__(self, rules: Rules, catalogue: Catalogue, rng: np.random.Generator, *, most_acts: int) -> None:
        self.rules, self.catalogue, self.rng = rules, catalogue, rng
        self.tiles_by_id = {tile.id: tile for tile in catalogue.tiles}
        seats = rules.setup.seats
        self.script = Script(len(seats), tuple(s.colour for s in seats))
        self.tiles: dict[Cell, str] = {}
        self.cubes: dict[Cell, list[str]] = {}
        self.acts_left = most_acts
        self.bumps_left = 1
        self.haste = float(rng.choice([2.0, 1.0, -1.0]))  # how much nearly full tiles draw cubes; spread out below 0

    def play(self, most_shots: int) -> Script:
        """The whole game, or its first `most_shots` frames (then `complete` is False)."""
        state = self.rules.initial()
        while self.rules.result(state) is None:
            if state.phase is Phase.CHOOSE and not state.ready:
                if len(self.script.shots) >= most_shots:
                    return self.script
                state = self._phase_one(state)
                continue
            if state.phase is Phase.MOVE:
                self._maybe_break_a_rule(state)
            event = self._next_event(state)
            after = self.rules.apply(state, event)
            self._film(state, event, after)
            state = after
        self._over(state)
        return self.script

    def _next_event(self, state: State) -> Event:
        outcomes = self.rules.chance_outcomes(state)
        if outcomes:
            weights = np.array([float(o.probability) for o in outcomes])
            return outcomes[int(self.rng.choice(len(outcomes), p=weights / weights.sum()))].draw
        legal = self.rules.legal_actions(state)
        captures = [a for a in legal if isinstance(a, Move) and self._would_capture(state, a)]
        pool = captures if captures and self.rng.random() < 0.8 else legal
        return pool[int(self.rng.integers(len(pool)))]

    def _would_capture(self, state: State, action: Action) -> bool:
        assert isinstance(action, Move)
        return self.rules.board(self.rules.apply(state, action)).at(action.slot).face is None

    # Phase I

    def _phase_one(self, state: State) -> State:
        """Shields up, everybody chooses; the presses and the reveal come before the next hand is seen."""
        if not self.script.shots:
            self._sync(self.rules.board(state))
            self.script.first = int(state.first)
            self._shoot("settled")
            self._note(event="start", first=int(state.first))
        elif self.bumps_left and len(self.script.shots) > 20:
            self.bumps_left -= 1
            self._shoot("settled", bumped=True)
            self._note(event="bump")
        self._shoot("shields")
        self._note(event="shields")
        frame = len(self.script.shots)
        choices, this_round = [], state.round
        while state.phase is Phase.CHOOSE and state.round == this_round:  # where nobody can move, the next one follows
            seat = next(s for s in self.rules.to_act(state) if not state.ready >> s & 1)
            choice = self._choose(state, seat)
            state = self.rules.apply(state, choice)
            cells = [list(cell_of(slot)) for slot in choice.slots]
            choices.append({"player": int(seat), "cells": cells})
            self.script.presses.append({"frame": frame, "player": int(seat)})
        for chosen in choices:
            self.script.events.append({"frame": frame, "event": "select", **chosen})
        self.script.events.append({"frame": frame, "event": "reveal"})
        self.script.reveals.append({"frame": frame, "choices": choices})
        return state

    def _choose(self, state: State, seat: Seat) -> Choose:
        """Dear tiles draw cubes, nearly full ones too in a hasty game; a locked one is taken now and then."""
        options = [a for a in self.rules.legal_actions(state) if isinstance(a, Choose) and a.seat == seat]
        weights = np.array(
            [np.prod([self._appeal(state, seat, slot) for slot in a.slots]) * len(a.slots) ** 3 for a in options]
        )
        return options[int(self.rng.choice(len(options), p=weights / weights.sum()))]

    def _appeal(self, state: State, seat: Seat, slot: Slot) -> float:
        cell = cell_of(slot)
        tile = self.tiles_by_id[self.tiles[cell]]
        missing = tile.cubes - len(self.cubes.get(cell, ()))
        owned = Counter(self.tiles_by_id[t].theme for t in self._owned(state, seat))
        locked = any(owned[theme] < n for theme, n in Counter(tile.requires).items())
        return float((tile.vp + (4 if tile.id == "end" else 0)) / missing**self.haste * (0.5 if locked else 1.0))

    def _owned(self, state: State, seat: int) -> list[str]:
        """The tiles a seat has captured."""
        return [tile["id"] for tile in self.rules.view(state, None)["seats"][int(seat)]["captured"]]

    # what the camera sees of an event

    def _film(self, before: State, event: Event, after: State) -> None:
        if not self.script.shots:
            return  # the table is being laid
        player = int(event.seat) if isinstance(event, Action) else int(before.first)
        owners = [set(self._owned(before, s)) for s in range(self.script.players)]
        for view in self.rules.board_path(before, event):
            changed = [cell_of(slot) for slot in self._known(view)]
            if not changed:
                continue
            lay = {cell: self.tiles[cell] for cell in changed if cell in self.tiles}
            lying = {cell: Counter(self.cubes.get(cell, ())) for cell in changed}
            self._shoot("hand", player=player, reach=changed[0])
            self._sync(view)
            gone = {cell: tile for cell, tile in lay.items() if cell not in self.tiles}
            self._shoot("settled")
            taken = sum((lying[cell] - Counter(self.cubes.get(cell, ())) for cell in changed), Counter())
            self._explain(event, after, changed, gone, owners, taken)

    def _known(self, view: BoardView) -> tuple[Slot, ...]:
        """The slots in which a view differs from what lies on the table now."""
        slots = {slot for slot, _ in view.slots} | {_slot(c) for c in (*self.tiles, *self.cubes)}
        return tuple(sorted(s for s in slots if self._differs(view, s)))

    def _differs(self, view: BoardView, slot: Slot) -> bool:
        cell, seen = cell_of(slot), view.at(slot)
        return seen.face != self.tiles.get(cell) or Counter(dict(seen.pieces)) != Counter(self.cubes.get(cell, ()))

    def _explain(
        self,
        event: Event,
        after: State,
        changed: list[Cell],
        gone: dict[Cell, str],
        owners: list[set[str]],
        taken: Counter[str],
    ) -> None:
        """Name what a settled frame shows for the first time; `taken` are the cubes that it no longer shows."""
        cell = changed[0]
        if taken and not gone:  # E52: cubes leave tiles that stay
            for colour in taken:
                self._note(event="returned", player=self.script.colours.index(colour))
        elif isinstance(event, Refill | Replace):
            self._note(event="refill", cell=list(cell), tile=self.tiles[cell])
        elif isinstance(event, Remove):
            self._note(event="remove", player=int(event.seat), cell=list(cell), tile=gone[cell])
        elif isinstance(event, Move) and cell in self.tiles:
            self._note(event="move", player=int(event.seat), cell=list(cell), tile=self.tiles[cell], legal=True)
        elif isinstance(event, Move):
            winner = next(s for s in range(self.script.players) if set(self._owned(after, s)) - owners[s])
            self._note(event="capture", player=winner, cell=list(cell), tile=gone[cell])
        else:
            raise AssertionError(f"{self.rules.format(event)} changed {changed}, which no event of a film explains")

    def _sync(self, view: BoardView) -> None:
        """Make the filmed table agree with a view, keeping the order in which cubes were laid."""
        for slot in {slot for slot, _ in view.slots} | {_slot(c) for c in (*self.tiles, *self.cubes)}:
            cell, seen = cell_of(slot), view.at(slot)
            if seen.face is None:
                self.tiles.pop(cell, None)
            else:
                self.tiles[cell] = seen.face
            wanted, lying = Counter(dict(seen.pieces)), []
            for colour in self.cubes.get(cell, ()):
                if wanted[colour] > 0:
                    wanted[colour] -= 1
                    lying.append(colour)
            lying += sorted(wanted.elements())
            if lying:
                self.cubes[cell] = lying
            else:
                self.cubes.pop(cell, None)

    def _shoot(self, kind: str, *, player: int | None = None, reach: Cell | None = None, bumped: bool = False) -> None:
        cubes = {cell: tuple(colours) for cell, colours in self.cubes.items()}
        self.script.shots.append(Shot(kind, dict(self.tiles), cubes, player, reach, bumped))

    def _note(self, **event: Any) -> None:
        """An event of the frame shot last."""
        self.script.events.append({"frame": len(self.script.shots) - 1, **event})

    # broken rules

    def _maybe_break_a_rule(self, state: State) -> None:
        """Film an illegal act and its correction, rarer ones first; each kind at least once while there is a chance."""
        done = self.script.acts
        if self.acts_left <= 0:
            return
        for act in sorted(ACTS, key=lambda a: (done[a], self.rng.random())):
            eager = act == "restricted" and not done[act]  # the chance seldom comes
            if not eager and self.rng.random() > 0.15:
                continue
            found = list(getattr(self, "_" + act.replace("-", "_"))(state))
            if found:
                player, cell, tiles, cubes = found[int(self.rng.integers(len(found)))]
                self._film_act(act, player, cell, tiles, cubes)
                self.acts_left -= 1
                return

    def _film_act(
        self, act: str, player: int, cell: Cell, tiles: dict[Cell, str], cubes: dict[Cell, list[str]]
    ) -> None:
        legal = (self.tiles, self.cubes)
        self._shoot("hand", player=player, reach=cell)
        self.tiles, self.cubes = tiles, cubes
        self._shoot("settled")
        self._note(event="illegal", act=act, player=player, cell=list(cell))
        self._shoot("hand", player=player, reach=cell)
        self.tiles, self.cubes = legal
        self._shoot("settled")
        self._note(event="corrected")

    def _with_cube(self, act: str, state: State, seat: int, slot: Slot) -> Iterator[tuple[Any, ...]]:
        """The table with a cube that may not be there, when the rules refuse it for the act's reason."""
        violation = self.rules.check(state, Move(Seat(seat), slot))
        if violation is None or violation.clause not in _ACT_CLAUSES[act]:
            return
        cell = cell_of(slot)
        cubes = {c: list(colours) for c, colours in self.cubes.items()}
        cubes.setdefault(cell, []).append(self.script.colours[seat])
        yield seat, cell, dict(self.tiles), cubes

    def _marked(self, state: State, seat: int) -> set[Slot]:
        """The slots still marked on a seat's board after the reveal."""
        names = [outline.slot for outline in self.rules.layout().slots]
        return {names[k] for k in state.boards[seat]}

    def _restricted(self, state: State) -> Iterator[tuple[Any, ...]]:
        seat = int(self.rules.to_act(state)[0])
        for slot in sorted(self._marked(state, seat)):
            yield from self._with_cube("restricted", state, seat, slot)

    def _wrong_player(self, state: State) -> Iterator[tuple[Any, ...]]:
        acting = int(self.rules.to_act(state)[0])
        for seat in range(self.script.players):
            if seat != acting:
                for slot in sorted(self._marked(state, seat)):
                    yield from self._with_cube("wrong-player", state, seat, slot)

    def _wrong_tile(self, state: State) -> Iterator[tuple[Any, ...]]:
        seat = int(self.rules.to_act(state)[0])
        for slot in sorted({_slot(cell) for cell in self.tiles} - self._marked(state, seat)):
            yield from self._with_cube("wrong-tile", state, seat, slot)

    def _early_take(self, state: State) -> Iterator[tuple[Any, ...]]:
        seat = int(self.rules.to_act(state)[0])
        for cell in sorted(self.cubes):
            tiles = {c: t for c, t in self.tiles.items() if c != cell}
            cubes = {c: list(colours) for c, colours in self.cubes.items() if c != cell}
            yield seat, cell, tiles, cubes

    def _tile_swap(self, state: State) -> Iterator[tuple[Any, ...]]:
        seat = int(self.rules.to_act(state)[0])
        cells = sorted(self.tiles)
        for first in cells:
            for second in cells:
                look = [self.rules.same_face(self.tiles[c]) for c in (first, second)]
                if first < second and look[0] != look[1]:
                    swapped = dict(self.tiles) | {first: self.tiles[second], second: self.tiles[first]}
                    yield seat, first, swapped, {c: list(v) for c, v in self.cubes.items()}

    def _over(self, state: State) -> None:
        result = self.rules.result(state)
        assert result is not None
        captured = [self._owned(state, s) for s in range(self.script.players)]
        scores = []
        for score, tiles in zip(result.scores, captured, strict=True):
            points = sum(self.tiles_by_id[t].vp for t in tiles)
            scores.append({"tiles": points, "sets": score.total - points, "total": score.total, "end": "end" in tiles})
        self._note(event="over", why=_ENDS[result.clause], scores=scores, captured=captured)
        self.script.complete = True


def _slot(cell: Cell) -> Slot:
    return f"r{cell[0] + 1}c{cell[1] + 1}"
