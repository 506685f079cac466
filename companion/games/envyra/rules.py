"""The rules of Envyra bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

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
from companion.games.envyra import actions as a
from companion.games.envyra import chance, legality, new_round, phases, scoring, setting_up
from companion.games.envyra.board import all_faces, board_view, same_faces, table_layout, views_between
from companion.games.envyra.catalogue import Catalogue
from companion.games.envyra.describe import describe_event
from companion.games.envyra.invariants import state_problems
from companion.games.envyra.legal import legal_actions
from companion.games.envyra.state import Phase, State
from companion.games.envyra.stored import dump_state, load_state
from companion.games.envyra.tables import Tables, build_tables
from companion.games.envyra.views import state_view

_APPLY: dict[type, Callable[[Tables, State, Any], State]] = {
    a.Choose: phases.choose,
    a.Confirm: phases.confirm,
    a.TakeBack: phases.take_back,
    a.Move: phases.move,
    a.Remove: new_round.remove,
    a.Pick: setting_up.hand_card,
    a.Show: new_round.show_card,
    a.BoxTile: setting_up.box_tile,
    a.DealTile: setting_up.deal_tile,
    a.StartingFigure: setting_up.starting_figure,
    a.OpenCard: setting_up.open_card,
    a.HandCard: setting_up.hand_card,
    a.Refill: new_round.refill,
    a.Replace: new_round.replacement,
}
_SECRET = (a.Choose, a.HandCard, a.Pick)


class EnvyraRules:
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit."""

    __slots__ = ("_layout", "_passed", "_same", "tables")

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        self.tables = build_tables(setup, catalogue)
        # What passed the check last: both are immutable, so `apply` of the very same objects need not check again.
        self._passed: tuple[State | None, object] = (None, None)
        self._same = same_faces(self.tables)
        self._layout = table_layout(self.tables)

    @property
    def setup(self) -> Setup:
        """The set-up these rules are bound to."""
        return self.tables.setup

    def initial(self) -> State:
        """The table before the first draw."""
        return setting_up.initial_state(self.tables)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats that have a legal action; in Phase I also those that could take a confirmation back."""
        return legality.seats_to_act(self.tables, state)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every legal action: seat by seat, places in the grid's order."""
        return legal_actions(self.tables, state)

    def check(self, state: State, action: object) -> Violation | None:
        """Why `action` is illegal, or None."""
        violation = legality.check_action(self.tables, state, action)
        if violation is None:
            self._passed = (state, action)
        return violation

    def check_draw(self, state: State, draw: object) -> Violation | None:
        """Why `draw` cannot happen, or None."""
        return chance.check_draw(self.tables, state, draw)

    def apply(self, state: State, event: Event) -> State:
        """The state after `event`. Raises ValueError, naming the clause, when it is not legal."""
        t = self.tables
        passed, passed_event = self._passed
        if passed is not state or passed_event is not event:
            if isinstance(event, Action):
                violation = legality.check_action(t, state, event)
            else:
                violation = chance.check_draw(t, state, event)
            if violation is not None:
                raise ValueError(f"{event!r} breaks {violation.clause}: {violation.message} {violation.facts!r}")
        return _APPLY[type(event)](t, state, event)

    def chance_outcomes(self, state: State) -> tuple[ChanceOutcome, ...]:
        """The possible draws with exact probabilities."""
        return chance.chance_outcomes(self.tables, state)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None."""
        return scoring.result(self.tables, state) if state.phase is Phase.OVER else None

    def scores(self, state: State) -> tuple[SeatScore, ...]:
        """The score of every seat as if the game ended now, secret cards that are known included."""
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
        """What is seen while `event` happens, the last view being the table after it."""
        return views_between(self.tables, before, event, self.apply(before, event))

    def layout(self) -> TableLayout:
        """Where the slots lie."""
        return self._layout

    def faces(self) -> tuple[Face, ...]:
        """Every tile that can be seen in this game."""
        return all_faces(self.tables)

    def same_face(self, face: Face) -> Face:
        """The first tile of the catalogue that looks like `face`; `face` itself when it is none of this game's."""
        return self._same.get(face, face)

    def is_reveal(self, before: State, event: Event) -> bool:
        """Whether `event` makes a choice of Phase I or a secret card public."""
        if isinstance(event, a.Show):
            return True
        if before.phase is Phase.REVEAL:
            return isinstance(event, a.Choose)
        if before.phase is not Phase.CHOOSE or not isinstance(event, (a.Choose, a.Confirm)):
            return False
        return before.ready | 1 << event.seat == before.playing

    def is_secret(self, event: Event) -> bool:
        """Whether `event` is known to its seat only: a choice of Phase I, a secret Equilibrium card."""
        return isinstance(event, _SECRET)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event."""
        return describe_event(event)
