"""The rules of Spyrium bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

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
from companion.games.spyrium import actions as a
from companion.games.spyrium import activation, acts, chance, legality, scoring, turns
from companion.games.spyrium.board import all_faces, board_view, same_faces, table_layout
from companion.games.spyrium.catalogue import Catalogue
from companion.games.spyrium.describe import describe_event
from companion.games.spyrium.invariants import state_problems
from companion.games.spyrium.legal import legal_actions
from companion.games.spyrium.state import State
from companion.games.spyrium.stored import dump_state, load_state
from companion.games.spyrium.tables import Tables, build_tables
from companion.games.spyrium.views import state_view

_APPLY: dict[type, Callable[[Tables, State, Any], State]] = {
    a.Place: acts.place,
    a.Start: acts.start,
    a.Money: acts.money,
    a.Activate: activation.activate,
    a.Use: acts.use,
    a.Reuse: acts.reuse,
    a.UseEvent: acts.use_event,
    a.Pass: acts.pass_turn,
    a.Bonus: acts.bonus,
    a.Future: turns.reveal_future,
    a.FutureToken: turns.future_token,
    a.First: turns.first_player,
    a.Deal: turns.deal,
    a.Token: turns.card_token,
}


class SpyriumRules:
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit.

    Nothing is hidden in Spyrium: no event is secret, none is a reveal, and every viewer sees the same.
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
        """The table before the first event is revealed."""
        return turns.initial_state(self.tables)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is."""
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
        return _APPLY[type(event)](self.tables, state, event)

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

    def view(self, state: State, viewer: Seat | None) -> Json:  # noqa: ARG002 - nothing is hidden
        """The position as JSON, the same for every viewer."""
        return state_view(self.tables, state)

    def board(self, state: State) -> BoardView:
        """What lies on the table."""
        return board_view(self.tables, state)

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """The table after `event`: everything that an event of Spyrium moves is moved in one go."""
        return (self.board(self.apply(before, event)),)

    def layout(self) -> TableLayout:
        """Where the slots lie."""
        return table_layout(self.tables)

    def faces(self) -> tuple[Face, ...]:
        """Every card that can be seen in this game."""
        return all_faces(self.tables)

    def same_face(self, face: Face) -> Face:
        """The first card of the catalogue that looks like `face`; `face` itself when it is none of this game's."""
        return self._same.get(face, face)

    def is_reveal(self, before: State, event: Event) -> bool:  # noqa: ARG002 - nothing is hidden
        """Never: nothing is secret before it happens."""
        return False

    def is_secret(self, event: Event) -> bool:  # noqa: ARG002 - nothing is hidden
        """Never: everything happens openly."""
        return False

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event."""
        return describe_event(event)
