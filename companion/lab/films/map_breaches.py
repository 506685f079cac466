"""What may be done on a map of Rifts against the rules where a camera sees it: every kind, with the table after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from companion.core.layout import BoardView, SlotView
from companion.core.types import Slot
from companion.games.rifts.actions import Location, Place, Start
from companion.games.rifts.board import ENEMY, RIFT_OFF, RIFT_ON, TEMPLES
from companion.games.rifts.edition.catalogue import START_TILE
from companion.games.rifts.edition.hexes import TURNS
from companion.games.rifts.play.geography import geography
from companion.games.rifts.play.moving import reach
from companion.games.rifts.rules import RiftsRules
from companion.games.rifts.state import Phase, State

Illegal = tuple[str, int, Slot, BoardView]
"""An illegal act: its kind, who does it, where a hand reaches, the table with it."""

EXPECTED_CLAUSES = {
    "wrong-turn": ("N20",), "too-far": ("N20",), "off-the-map": ("N20",), "enemy-moved": ("N32",),
    "enemy-taken": ("N22",), "rift-closed": ("N31",), "tile-taken": ("N10",), "bad-place": ("N10", "N14", "R-N5"),
}  # fmt: skip
"""The clauses that each kind of illegal act breaks that any film may show."""

RARER_CLAUSES = {
    "start-beside": ("N2",), "start-too-early": ("N2",), "mage-gone": ("N20",), "tile-turned": ("N10",),
    "tile-moved": ("N10",), "tile-exchanged": ("N10",), "river-broken": ("N14",), "temple-gone": ("N40",),
    "temple-moved": ("N13",), "temple-put": ("N13",), "rift-gone": ("N31",), "rift-moved": ("N12",),
    "rift-put": ("N12",), "rift-opened": ("N51",), "enemy-put": ("N32",), "enemy-won": ("N30",),
}  # fmt: skip
"""The same of the kinds that a film shows only where it is asked for them."""

KINDS = (*EXPECTED_CLAUSES, *RARER_CLAUSES)


class Breaches:
    """The illegal acts of a game by the `rules`, on the spaces that the camera sees (`inside`)."""

    def __init__(self, rules: RiftsRules, rng: np.random.Generator, inside: frozenset[Slot]) -> None:
        self.rules, self.t, self.rng, self.inside = rules, rules.tables, rng, inside

    def usual(self, state: State, view: BoardView) -> Iterator[Illegal]:
        """Those that can be done in `state`, while `view` lies on the table, of the kinds that any film may show."""
        if state.phase is Phase.LOCATION:
            yield from self._bad_places(state, view)
            return
        geo, names = geography(self.t, state.land), self.t.grid.names
        laid = [cell for cell in range(len(names)) if geo.mask >> cell & 1]
        for seat, info in enumerate(self.t.setup.seats):
            here = state.mages[seat].cell
            if here < 0:
                continue
            near = [cell for cell in self.t.grid.neighbours[here] if cell >= 0 and names[cell] in self.inside]
            for cell in near:
                if seat != state.current and geo.mask >> cell & 1:
                    yield "wrong-turn", seat, names[cell], moved(view, info.colour, names[here], names[cell])
                if seat == state.current and not geo.mask >> cell & 1:
                    yield "off-the-map", seat, names[cell], moved(view, info.colour, names[here], names[cell])
            if seat == state.current:
                for cell in laid:
                    if cell not in self._best(state, seat):
                        yield "too-far", seat, names[cell], moved(view, info.colour, names[here], names[cell])
        yield from self._with_tokens(state, view, laid)

    def rarer(self, state: State, view: BoardView) -> Iterator[Illegal]:
        """The same of the other kinds."""
        if state.phase is Phase.START:
            yield from self._bad_starts(state, view)
        elif state.phase is Phase.LOCATION:
            for _, seat, slot, after in self._bad_places(state, view, clause="N14"):
                yield "river-broken", seat, slot, after
        elif state.phase is Phase.ACT:
            geo, names = geography(self.t, state.land), self.t.grid.names
            laid = [names[cell] for cell in range(len(names)) if geo.mask >> cell & 1]
            yield from self._mages_and_enemies(state, view, laid)
            yield from self._rifts(state, view, laid)
            yield from self._temples(state, view, laid)
            yield from self._last_tile(state, view)

    def is_inside(self, drawn: State, lay: Place) -> bool:
        """Whether the camera sees all of the tile that was `drawn` where it is laid."""
        cells = self.t.laid[drawn.tile][lay.turn][self.t.grid.name_index[lay.slot]].cells
        return bool(cells) and all(self.t.grid.names[cell] in self.inside for cell in cells)

    def _with_tokens(self, state: State, view: BoardView, laid: list[int]) -> Iterator[Illegal]:
        names, who = self.t.grid.names, state.current
        for slot, at in view.slots:
            pieces = dict(at.pieces)
            cell = self.t.grid.name_index.get(slot)
            if cell is None:
                continue
            if pieces.get(ENEMY) and cell != state.mages[who].cell:
                yield "enemy-taken", who, slot, moved(view, ENEMY, slot, None)
                for other in self.t.grid.neighbours[cell]:
                    if other in laid:
                        yield "enemy-moved", who, slot, moved(view, ENEMY, slot, names[other])
            if pieces.get(RIFT_ON):
                yield "rift-closed", who, slot, turned_over(view, slot, RIFT_ON, RIFT_OFF)
        last = state.land[-1] if state.land else None
        if last is not None:
            cells = self.t.laid[last.tile][last.turn][last.anchor].cells
            if not any(view.at(names[cell]).pieces for cell in cells):
                yield "tile-taken", who, names[last.anchor], view.with_slots({names[last.anchor]: SlotView()})

    def _best(self, state: State, seat: int) -> dict[int, int]:
        """The spaces that the mage can reach with the movement it has left, and what is left there at best."""
        edge = [(state.mages[seat].cell, state.moves)]
        best = {state.mages[seat].cell: state.moves}
        while edge:
            cell, left = edge.pop()
            mages = list(state.mages)
            mages[seat] = mages[seat]._replace(cell=cell)
            for near, cost in reach(self.t, state._replace(mages=tuple(mages)), seat).items():
                if left - cost >= 0 and best.get(near, -1) < left - cost:
                    best[near] = left - cost
                    edge.append((near, left - cost))
        return best

    def _bad_places(self, state: State, view: BoardView, clause: str | None = None) -> Iterator[Illegal]:
        """A tile laid where it may not lie, because of one `clause` or of any."""
        geo, outcomes = geography(self.t, state.land), self.rules.chance_outcomes(state)
        draw = outcomes[int(self.rng.integers(len(outcomes)))].draw
        drawn = self.rules.apply(state, draw)
        if drawn.phase is not Phase.PLACE or not isinstance(draw, Location):
            return
        for slot in sorted(self.inside):
            for turn in range(TURNS):
                lay = Place(self.t.seats[state.current], slot, turn)
                cells, mask, _ = self.t.laid[drawn.tile][turn][self.t.grid.name_index[slot]]
                if not cells or mask & geo.mask or not self.is_inside(drawn, lay):
                    continue
                refused = self.rules.check(drawn, lay)
                if refused is not None and clause in (None, refused.clause):
                    yield "bad-place", state.current, slot, view.with_slots({slot: SlotView(draw.tile, turn)})

    def _bad_starts(self, state: State, view: BoardView) -> Iterator[Illegal]:
        """A mage that begins beside the starting tile, or before it is asked to."""
        grid = self.t.grid
        tile = [cell for cell in range(len(grid.names)) if geography(self.t, state.land).mask >> cell & 1]
        beside = {near for cell in tile for near in grid.neighbours[cell] if near >= 0 and near not in tile}
        awaited = int(self.rules.to_act(state)[0])
        colours = [info.colour for info in self.t.setup.seats]
        for cell in sorted(beside):
            slot = grid.names[cell]
            yield "start-beside", awaited, slot, moved(view, colours[awaited], None, slot)
        for seat in range(awaited + 1, len(colours)):
            for cell in tile:
                slot = grid.names[cell]
                # who is asked for may stand there, too: then both have begun, one after the other
                if self.rules.check(state, Start(self.t.seats[seat], slot)) is not None:
                    yield "start-too-early", seat, slot, moved(view, colours[seat], None, slot)

    def _mages_and_enemies(self, state: State, view: BoardView, laid: Sequence[Slot]) -> Iterator[Illegal]:
        names, who = self.t.grid.names, state.current
        for seat, info in enumerate(self.t.setup.seats):
            here = names[state.mages[seat].cell]
            yield "mage-gone", seat, here, moved(view, info.colour, here, None)
        here = names[state.mages[who].cell]
        if dict(view.at(here).pieces).get(ENEMY):
            yield "enemy-won", who, here, moved(view, ENEMY, here, None)
        for slot in laid:
            if not view.at(slot).pieces:
                yield "enemy-put", who, slot, moved(view, ENEMY, None, slot)

    def _rifts(self, state: State, view: BoardView, laid: Sequence[Slot]) -> Iterator[Illegal]:
        who, free = state.current, [slot for slot in laid if not view.at(slot).pieces]
        for slot, at in view.slots:
            for token in (RIFT_ON, RIFT_OFF):
                if dict(at.pieces).get(token):
                    yield "rift-gone", who, slot, moved(view, token, slot, None)
                    for other in free:
                        yield "rift-moved", who, slot, moved(view, token, slot, other)
            if dict(at.pieces).get(RIFT_OFF):
                yield "rift-opened", who, slot, turned_over(view, slot, RIFT_OFF, RIFT_ON)
        for slot in free:
            yield "rift-put", who, slot, moved(view, RIFT_ON, None, slot)

    def _temples(self, state: State, view: BoardView, laid: Sequence[Slot]) -> Iterator[Illegal]:
        grid, who = self.t.grid, state.current
        on_tiles = {grid.name_index[slot] for slot in laid}
        corners = [
            name for name, corner in zip(grid.corner_names, grid.corners, strict=True)
            if on_tiles.issuperset(corner) and not view.at(name).pieces
        ]
        for temple in TEMPLES:
            stands = next((slot for slot, at in view.slots if dict(at.pieces).get(temple)), None)
            if stands is not None:
                yield "temple-gone", who, stands, moved(view, temple, stands, None)
            for corner in corners:
                kind = "temple-put" if stands is None else "temple-moved"
                yield kind, who, corner, moved(view, temple, stands, corner)

    def _last_tile(self, state: State, view: BoardView) -> Iterator[Illegal]:
        """The tile laid last turned, moved, or another in its place, as long as nothing stands on it."""
        if not state.land:
            return
        last, names, who = state.land[-1], self.t.grid.names, state.current
        anchor, on = names[last.anchor], self.t.laid[last.tile][last.turn][last.anchor]
        if any(view.at(names[cell]).pieces for cell in on.cells):
            return
        others = geography(self.t, state.land[:-1]).mask
        own = self.t.tiles[last.tile]
        for slot in sorted(self.inside):
            for turn in range(TURNS):
                cells, mask, _ = self.t.laid[last.tile][turn][self.t.grid.name_index[slot]]
                if not cells or mask & others or any(names[cell] not in self.inside for cell in cells):
                    continue
                if slot == anchor and turn != last.turn:
                    yield "tile-turned", who, slot, view.with_slots({slot: SlotView(own.id, turn)})
                elif slot != anchor and not mask & on.mask:
                    yield "tile-moved", who, slot, view.with_slots({anchor: SlotView(), slot: SlotView(own.id, turn)})
        on_map = {START_TILE, *(self.t.tiles[one.tile].id for one in state.land)}
        for tile in self.t.tiles:
            if tile.id not in on_map and tile.shape == own.shape and tile.look != own.look:
                yield "tile-exchanged", who, anchor, view.with_slots({anchor: SlotView(tile.id, last.turn)})


def moved(view: BoardView, colour: str, source: Slot | None, slot: Slot | None) -> BoardView:
    """The table with one piece of a colour gone from `source` to `slot`; None: from or to beside the map."""
    for where, more in ((source, -1), (slot, 1)):
        if where is not None:
            at = view.at(where)
            pieces = dict(at.pieces)
            pieces[colour] = pieces.get(colour, 0) + more
            view = view.with_slots({where: replace(at, pieces=tuple(sorted((c, n) for c, n in pieces.items() if n)))})
    return view


def turned_over(view: BoardView, slot: Slot, token: str, other: str) -> BoardView:
    """The table with a token turned over to its other side."""
    at = view.at(slot)
    pieces = dict(at.pieces)
    del pieces[token]
    pieces[other] = 1
    return view.with_slots({slot: replace(at, pieces=tuple(sorted(pieces.items())))})
