"""The rules of Rifts of N'Norya bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.layout import BoardView, TableLayout
from companion.core.types import (
    Action,
    ChanceOutcome,
    Event,
    Face,
    Json,
    Problem,
    Result,
    Seat,
    SeatScore,
    Setup,
    Violation,
)
from companion.games.rifts import actions as a
from companion.games.rifts import chance, combat, growth, legality, market, moving, scoring, turns
from companion.games.rifts.board import all_faces, board_view, same_faces, table_layout
from companion.games.rifts.catalogue import Catalogue
from companion.games.rifts.describe import describe_event
from companion.games.rifts.invariants import state_problems
from companion.games.rifts.legal import legal_actions
from companion.games.rifts.state import State
from companion.games.rifts.stored import dump_state, load_state
from companion.games.rifts.tables import WOUND, Tables, build_tables
from companion.games.rifts.views import state_view
from companion.games.rifts.world import WOUNDS_TO_KO

_APPLY: dict[type, Callable[[Tables, State, Any], State]] = {
    a.Start: growth.place_mage,
    a.Spawn: growth.spawn,
    a.Place: growth.place_tile,
    a.Temple: growth.choose_temple,
    a.Move: moving.move,
    a.End: moving.end,
    a.Fall: combat.fall,
    a.Stand: combat.stand,
    a.Attack: combat.attack,
    a.Seek: combat.seek,
    a.Join: combat.join,
    a.Stay: combat.stay,
    a.Cast: combat.cast,
    a.Done: combat.done,
    a.Share: combat.share,
    a.TakeWound: combat.take_wound,
    a.Agree: combat.agree,
    a.Refuse: combat.refuse,
    a.Buy: market.buy,
    a.Clear: market.clear,
    a.Equip: market.equip,
    a.Trade: market.trade,
    a.Market: market.fill,
    a.Hand: combat.draw_card,
    a.Location: growth.draw_location,
    a.Gold: combat.turn_token,
}


class RiftsRules:
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit.

    Hands are hidden: a drawn card is secret to its seat until it is played.
    """

    __slots__ = ("_same", "tables")

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        self.tables: Tables = build_tables(setup, catalogue)
        self._same = same_faces(self.tables)

    @property
    def setup(self) -> Setup:
        """The set-up these rules are bound to."""
        return self.tables.setup

    def initial(self) -> State:
        """The table before the market is laid out."""
        return turns.initial_state(self.tables)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is, or those who are asked to join, fight or agree."""
        return legality.seats_to_act(self.tables, state)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every legal action."""
        return legal_actions(self.tables, state)

    def check(self, state: State, action: object) -> Violation | None:
        """Why `action` is illegal, or None."""
        return legality.check_action(self.tables, state, action)

    def check_draw(self, state: State, draw: object) -> Violation | None:
        """Why `draw` cannot happen, or None."""
        return chance.check_draw(self.tables, state, draw)

    def apply(self, state: State, event: Event) -> State:
        """The state after `event`. Raises ValueError, naming the clause, when it is not legal."""
        violation = self.check(state, event) if isinstance(event, Action) else self.check_draw(state, event)
        if violation is not None:
            raise ValueError(f"{event!r} breaks {violation.clause}: {violation.message} {violation.facts!r}")
        return turns.advance(self.tables, _APPLY[type(event)](self.tables, state, event))

    def chance_outcomes(self, state: State) -> tuple[ChanceOutcome, ...]:
        """The possible draws with exact probabilities."""
        return chance.chance_outcomes(self.tables, state)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None."""
        return scoring.result(self.tables, state)

    def scores(self, state: State) -> tuple[SeatScore, ...]:
        """The score of every seat as if the game ended now."""
        return scoring.seat_scores(self.tables, state)

    def problems(self, state: State) -> tuple[Problem, ...]:
        """Broken invariants."""
        return state_problems(self.tables, state)

    def parse(self, text: str) -> Event:
        """The event that `text` names. Raises NotationError."""
        return a.NOTATION.parse(text)

    def format(self, event: Event) -> str:
        """The text of an event."""
        return a.NOTATION.format(event)

    def dump(self, state: State) -> Json:
        """The whole state as JSON."""
        return dump_state(self.tables, state)

    def load(self, data: Json) -> State:
        """The state that `dump` wrote. Raises DataError naming every wrong key."""
        return load_state(self.tables, data)

    def view(self, state: State, viewer: Seat | None) -> Json:
        """What `viewer` may know, as JSON."""
        return state_view(self.tables, state, viewer)

    def board(self, state: State) -> BoardView:
        """What lies on the table."""
        return board_view(self.tables, state)

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """The table after `event`: what an event moves is moved in one go."""
        return (self.board(self.apply(before, event)),)

    def layout(self) -> TableLayout:
        """Where the slots lie."""
        return table_layout(self.tables)

    def faces(self) -> tuple[Face, ...]:
        """Every tile and card that can be seen on the table."""
        return all_faces(self.tables)

    def same_face(self, face: Face) -> Face:
        """The first piece of the catalogue that looks like `face`; `face` itself when it is none of this game's."""
        return self._same.get(face, face)

    def is_reveal(self, before: State, event: Event) -> bool:
        """Whether `event` shows cards of a hand: one that is played, or four Wounds (N41)."""
        if isinstance(event, a.Hand):
            wounds = before.mages[event.seat].hand[self.tables.wound]
            return event.card == WOUND and wounds == WOUNDS_TO_KO - 1
        return isinstance(event, (a.Cast, a.Fall))

    def is_secret(self, event: Event) -> bool:
        """Whether `event` is known to its seat only: a card drawn into a hand."""
        return isinstance(event, a.Hand)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event."""
        return describe_event(event)
