"""Writes down a game of Rifts as a camera would see it: who lays and moves what, what is told, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Slot
from companion.games.rifts.actions import (
    Attack,
    Buy,
    Cast,
    End,
    Equip,
    Join,
    Move,
    Place,
    Seek,
    Spawn,
    Start,
    Temple,
    Trade,
)
from companion.games.rifts.board import DRAWN_SLOT
from companion.games.rifts.play.moving import reach
from companion.games.rifts.rules import RiftsRules
from companion.games.rifts.state import Phase, State
from companion.lab.films.map_breaches import EXPECTED_CLAUSES, RARER_CLAUSES, Breaches, Illegal

SEEN = (Start, Place, Move, Spawn, Temple)
"""What is done on the map; everything else is told, but for the end of a turn and the draw of a tile."""

MOST_ON_A_SPACE = 3
"""Pieces for which there is room on a space."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what lies on the table, whose hand reaches where, and what the coins in each purse come to."""

    view: BoardView
    player: int | None = None
    reach: Slot | None = None
    money: tuple[tuple[Slot, int], ...] = ()


@dataclass
class Script:
    """The pictures of a film in order; `told`: number of a picture -> what people enter before it; `events`: truth."""

    shots: list[Shot] = field(default_factory=list)
    told: dict[int, list[str]] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)

    def note(self, **event: Any) -> None:
        """An event that the picture shot last shows."""
        self.events.append({"frame": len(self.shots) - 1, **event})

    def tell(self, text: str) -> None:
        """Something that people enter before the next picture."""
        self.told.setdefault(len(self.shots), []).append(text)


class Director:
    """Plays a game by the rules within what the camera sees (`inside`: the spaces of the map in the picture)."""

    def __init__(
        self, rules: RiftsRules, rng: np.random.Generator, inside: frozenset[Slot], *, most_shots: int,
        illegal_share: float = 0.18, hands_share: float = 0.3, kinds: Collection[str] = (),
    ) -> None:
        """`kinds`: the only illegal acts that are filmed, each once as soon as it can be done; with the last the film
        ends. Without any: the usual ones, now and then."""
        self.rules, self.t, self.rng, self.inside = rules, rules.tables, rng, inside
        self.kinds, self.breaches = frozenset(kinds), Breaches(rules, rng, inside)
        self.most_shots, self.illegal_share, self.hands_share = most_shots, illegal_share, hands_share
        self.script = Script()
        self.view = BoardView()
        self._untold: list[Event] = []

    def play(self) -> Script:
        """The game until it ends, the map would leave the picture, or the film is long enough."""
        state = self.rules.initial()
        while self.rules.result(state) is None and len(self.script.shots) < self.most_shots:
            if self.kinds:
                self._break_what_is_asked(state)
                if self.kinds == self._broken().keys():
                    break
            elif state.phase in (Phase.ACT, Phase.LOCATION) and self.rng.random() < self.illegal_share:
                self._break_a_rule(state, self.breaches.usual(state, self.view))
            chain = self._next(state)
            if not chain or not self._fits(state, chain):
                break
            state = self._film(state, chain)
        return self.script

    def _next(self, state: State) -> tuple[Event, ...]:
        """What happens next: one event, or several that hands do in one go."""
        if state.phase is Phase.LOCATION:
            return self._tile(state)
        outcomes = self.rules.chance_outcomes(state)
        if outcomes:
            weights = np.array([float(o.probability) for o in outcomes])
            return (outcomes[int(self.rng.choice(len(outcomes), p=weights / weights.sum()))].draw,)
        legal = self.rules.legal_actions(state)
        if not legal:
            return ()
        if state.phase is Phase.ACT:
            return self._act(state, legal)
        wanted: list[Event] = [a for a in legal if isinstance(a, (Cast, Join))]
        wanted = wanted or list(legal)
        return (wanted[int(self.rng.integers(len(wanted)))],)

    def _tile(self, state: State) -> tuple[Event, ...]:
        """N10: a tile is drawn and laid where the camera sees it."""
        outcomes = self.rules.chance_outcomes(state)
        for number in self.rng.permutation(len(outcomes)):
            draw = outcomes[int(number)].draw
            drawn = self.rules.apply(state, draw)
            if drawn.phase is not Phase.PLACE:
                continue
            laid = [a for a in self.rules.legal_actions(drawn) if isinstance(a, Place)]
            seen = [a for a in laid if self.breaches.is_inside(drawn, a)]
            if seen:
                return draw, seen[int(self.rng.integers(len(seen)))]
        return ()

    def _act(self, state: State, legal: tuple[Event, ...]) -> tuple[Event, ...]:
        fights = [a for a in legal if isinstance(a, (Attack, Seek))]
        trades = [a for a in legal if isinstance(a, (Buy, Trade, Equip))]
        moves = [a for a in legal if isinstance(a, Move)]
        for some, chance in ((fights, 0.5), (trades, 0.2)):
            if some and self.rng.random() < chance:
                return (some[int(self.rng.integers(len(some)))],)
        if moves and self.rng.random() < 0.85:
            first = moves[int(self.rng.integers(len(moves)))]
            if self.rng.random() < 0.25:
                after = self.rules.apply(state, first)
                here = {state.mages[state.current].cell, *reach(self.t, state, state.current)}
                more = [
                    a for a in self.rules.legal_actions(after)
                    if isinstance(a, Move) and self.t.grid.name_index[a.slot] not in here
                ]
                if after.phase is Phase.ACT and more:
                    second = more[int(self.rng.integers(len(more)))]
                    if self._goes_without_saying(state, first, second):
                        return first, second
            return (first,)
        return (next(a for a in legal if isinstance(a, End)),)

    def _goes_without_saying(self, state: State, *way: Event) -> bool:
        """R-N24: whether this way need not be shown step by step."""
        colour = self.t.setup.seats[state.current].colour
        seen = frozenset({(getattr(way[-1], "slot", ""), SlotView(pieces=((colour, 1),)))})
        return self._after(state, way) in [self._after(state, one) for one in self.rules.acts_in_one_go(state, seen)]

    def _after(self, state: State, events: tuple[Event, ...]) -> State:
        return reduce(self.rules.apply, events, state)

    def _fits(self, state: State, chain: tuple[Event, ...]) -> bool:
        """Whether everything has room in its space, and in the picture, after the chain."""
        for event in chain:
            state = self.rules.apply(state, event)
        for slot, at in self.rules.board(state).slots:
            if sum(n for _, n in at.pieces) > MOST_ON_A_SPACE:
                return False
            if slot in self.t.grid.name_index and slot not in self.inside:
                return False
        return True

    def _film(self, state: State, chain: tuple[Event, ...]) -> State:
        before = state
        for event in chain[:-1]:
            before = self.rules.apply(before, event)
        last = chain[-1]
        after = self.rules.apply(before, last)
        if isinstance(last, SEEN):
            path = self.rules.board_path(before, last)
            self._untold += chain
            self._shoot(path[0], getattr(last, "seat", state.current), getattr(last, "slot", None))
            self._name_untold()
        elif isinstance(last, End) and self._is_seen_later(state, after):
            self._untold.append(last)
        else:
            for event in chain:
                self.script.tell(self.rules.format(event))
        wanted = _on_the_map(self.rules.board(after))
        if wanted != self.view and self.script.shots:
            self._shoot(wanted, after.current, self.view.differs(wanted)[0])
            self._name_untold()
        return after

    def _is_seen_later(self, state: State, after: State) -> bool:
        unseen = self.rules.unseen_before(state)
        spawned = self.rules.board(after) != self.rules.board(state)
        return unseen is not None and (unseen.forced or spawned) and after.phase in (Phase.LOCATION, Phase.SPAWN)

    def _name_untold(self) -> None:
        for event in self._untold:
            self.script.note(event="act", text=self.rules.format(event), in_one_go=len(self._untold) > 1)
        self._untold = []

    def _shoot(self, view: BoardView, player: int, slot: Slot | None) -> None:
        if self.rng.random() < self.hands_share and slot is not None:
            self.script.shots.append(Shot(self.view, int(player), slot))
        self.view = _on_the_map(view)
        self.script.shots.append(Shot(self.view))

    # broken rules

    def _broken(self) -> Counter[str]:
        """How often each kind of illegal act has been filmed."""
        return Counter(e["act"] for e in self.script.events if e["event"] == "illegal")

    def _break_what_is_asked(self, state: State) -> None:
        """Film each of the `kinds` that has not been filmed and can be done now."""
        usual = self.breaches.usual(state, self.view) if state.phase in (Phase.ACT, Phase.LOCATION) else ()
        every = [*usual, *self.breaches.rarer(state, self.view)]
        for kind in sorted(self.kinds - self._broken().keys()):
            self._break_a_rule(state, [one for one in every if one[0] == kind])

    def _break_a_rule(self, state: State, illegal: Iterable[Illegal]) -> None:
        """Film one of the `illegal` acts and its correction, where one can be done now; rarer kinds first."""
        if (self._untold and state.phase is not Phase.LOCATION) or not self.script.shots:
            return
        found = list(illegal)
        if not found:
            return
        done = self._broken()
        least = min(done[one[0]] for one in found)
        some = [one for one in found if done[one[0]] == least]
        act, player, slot, view = some[int(self.rng.integers(len(some)))]
        legal, clauses = self.view, (EXPECTED_CLAUSES | RARER_CLAUSES)[act]
        self._shoot(view, player, slot)
        self.script.note(event="illegal", act=act, player=player, slot=slot, clauses=list(clauses))
        self._shoot(legal, player, slot)
        self.script.note(event="corrected")


def _on_the_map(view: BoardView) -> BoardView:
    """What lies on the map: the market and a drawn tile lie beside the picture."""
    return BoardView(tuple((s, at) for s, at in view.slots if s != DRAWN_SLOT and not s.startswith("s")))
