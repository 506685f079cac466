"""The rules of Envyra for a table whose boards nobody reads at the reveal: the choices follow from the moves.

They are the rules themselves but for one thing: after the reveal cubes may move before the boards are read. What was
chosen is then known to lie among the choices that fit, and is settled when Phase II is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.core.game import Account, Rules
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
from companion.games.envyra.actions import Choose, Move
from companion.games.envyra.board import views_between
from companion.games.envyra.edition.tables import Tables
from companion.games.envyra.state import Phase, State
from companion.games.envyra.table.unread import (
    Unread,
    after_choice,
    after_move,
    begin,
    ended,
    possible_moves,
    seats_awaited,
    why_not,
    why_not_chosen,
)


@dataclass(frozen=True, slots=True)
class PhaseOver(Action):
    """Nobody moves another cube: hands took cubes back that go back at the end of the round (E52). Never recorded."""


class UnreadRules:
    """`companion.core.game.InferringRules` for Envyra. States are those of Envyra, and Unread ones after the reveal."""

    def __init__(self, rules: Rules) -> None:
        """Raises TypeError for the rules of another game."""
        tables = getattr(rules, "tables", None)
        if not isinstance(tables, Tables):
            raise TypeError(f"expected the rules of Envyra, got {type(rules).__name__}")
        self._rules = rules
        self._tables = tables
        self._begun = lru_cache(maxsize=64)(self._begin)
        self._ended = lru_cache(maxsize=512)(self._end)

    @property
    def setup(self) -> Setup:
        """The set-up these rules are bound to."""
        return self._rules.setup

    @property
    def tables(self) -> Tables:
        """What the set-up fixes."""
        return self._tables

    def account(self, state: Any) -> Account | None:
        """What was inferred on the way to `state`; None for a state of the game itself."""
        if not isinstance(state, Unread):
            return None
        over = self._ended(state)
        moves = possible_moves(self._tables, state)
        held = tuple(
            (self._tables.seats[seat], len(fits))
            for seat, fits in enumerate(state.held)
            if fits and not state.reveal.boards[seat]
        )
        if over is None:
            return Account(state.moves, held)
        return Account(state.moves, held, over[1], over[0], certain=not moves)

    def begin(self, state: Any) -> Any:
        """The position in which moves are awaited though boards are unread; `state` itself at any other time."""
        unread = self._unread(state)
        return state if unread is None else unread

    def recorded(self, event: Event) -> bool:
        """Whether `event` is one of the game's."""
        return not isinstance(event, PhaseOver)

    def initial(self) -> Any:
        """The table before the first draw."""
        return self._rules.initial()

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        """The seats that may act now."""
        unread = self._unread(state)
        return self._rules.to_act(state) if unread is None else seats_awaited(self._tables, unread)

    def legal_actions(self, state: Any) -> tuple[Action, ...]:
        """Every legal action; after the reveal every move that choices which fit allow."""
        unread = self._unread(state)
        if unread is None:
            return self._rules.legal_actions(state)
        moves = possible_moves(self._tables, unread)
        over = self._ended(unread)
        if over is None:
            return moves
        if self._rules.board(over[0]) != self._rules.board(unread.line):
            return (*moves, PhaseOver(Seat.A))
        return (*moves, *self._rules.legal_actions(over[0]))

    def check(self, state: Any, action: object) -> Violation | None:
        """Why `action` is illegal whatever was chosen, or None."""
        unread = self._unread(state)
        if unread is None:
            return self._rules.check(state, action)
        if isinstance(action, Move) and isinstance(action.slot, str):
            return why_not(self._tables, unread, action)
        if isinstance(action, Choose):
            return why_not_chosen(self._tables, unread, action)
        over = self._ended(unread)
        if isinstance(action, PhaseOver) and over is not None:
            return None
        return self._rules.check(unread.reveal if over is None else over[0], action)

    def check_draw(self, state: Any, draw: object) -> Violation | None:
        """Why `draw` cannot happen, or None."""
        return self._rules.check_draw(self._settled(state), draw)

    def apply(self, state: Any, event: Event) -> Any:
        """The state after `event`. Raises ValueError when it is not legal."""
        unread = self._unread(state)
        if unread is None:
            return self._rules.apply(state, event)
        if isinstance(event, Move) and event in possible_moves(self._tables, unread):
            return after_move(self._tables, unread, event)
        if isinstance(event, Choose) and why_not_chosen(self._tables, unread, event) is None:
            return after_choice(self._tables, unread, event)
        over = self._ended(unread)
        if over is None:
            raise ValueError(f"{event!r} while cubes are still to be moved")
        return over[0] if isinstance(event, PhaseOver) else self._rules.apply(over[0], event)

    def chance_outcomes(self, state: Any) -> tuple[ChanceOutcome, ...]:
        """The possible draws; after the reveal those that come if nobody moves another cube."""
        return self._rules.chance_outcomes(self._settled(state))

    def result(self, state: Any) -> Result | None:
        """How the game ended, or None."""
        account = self.account(state)
        if account is None:
            return self._rules.result(state)
        return self._rules.result(account.over) if account.certain and account.over is not None else None

    def scores(self, state: Any) -> tuple[SeatScore, ...]:
        """The score of every seat as if the game ended now."""
        return self._rules.scores(self._line(state))

    def problems(self, state: Any) -> tuple[Problem, ...]:
        """Broken invariants."""
        return self._rules.problems(self._line(state))

    def parse(self, text: str) -> Event:
        """The event that `text` names. Raises NotationError."""
        return self._rules.parse(text)

    def format(self, event: Event) -> str:
        """The text of an event."""
        return self._rules.format(event)

    def dump(self, state: Any) -> Json:
        """The whole state as JSON, under choices that fit."""
        return self._rules.dump(self._line(state))

    def load(self, data: Json) -> Any:
        """The state that `dump` wrote. Raises DataError naming every wrong key."""
        return self._rules.load(data)

    def view(self, state: Any, viewer: Seat | None) -> Json:
        """What `viewer` may know, as JSON, under choices that fit."""
        return self._rules.view(self._line(state), viewer)

    def board(self, state: Any) -> BoardView:
        """What lies on the table."""
        return self._rules.board(self._line(state))

    def board_path(self, before: Any, event: Event) -> tuple[BoardView, ...]:
        """What is seen while `event` happens."""
        unread, after = self._unread(before), self.apply(before, event)
        if unread is None:
            return self._rules.board_path(before, event)
        if isinstance(after, Unread):
            return views_between(self._tables, unread.line, event, after.line)
        if isinstance(event, PhaseOver):
            return (self._rules.board(after),)
        return self._rules.board_path(self._settled(unread), event)

    def layout(self) -> TableLayout:
        """Where the slots lie."""
        return self._rules.layout()

    def faces(self) -> tuple[Face, ...]:
        """Every tile that can be seen in this game."""
        return self._rules.faces()

    def same_face(self, face: Face) -> Face:
        """The first tile of the catalogue that looks like `face`."""
        return self._rules.same_face(face)

    def is_reveal(self, before: Any, event: Event) -> bool:
        """Whether `event` makes a secret public."""
        return self._rules.is_reveal(self._line(before), event)

    def is_secret(self, event: Event) -> bool:
        """Whether `event` is known to its seat only."""
        return self._rules.is_secret(event)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event."""
        return self._rules.describe(event)

    def _unread(self, state: Any) -> Unread | None:
        if isinstance(state, Unread):
            return state
        return self._begun(state) if state.phase is Phase.REVEAL else None

    def _begin(self, reveal: State) -> Unread:
        return begin(self._tables, reveal)

    def _end(self, unread: Unread) -> tuple[State, tuple[Action, ...]] | None:
        return ended(self._tables, unread)

    def _settled(self, state: Any) -> State:
        """The state if Phase II is over where it may be, else the position of the reveal, in which nothing is drawn."""
        unread = self._unread(state)
        if unread is None:
            settled: State = state
            return settled
        over = self._ended(unread)
        return unread.reveal if over is None else over[0]

    def _line(self, state: Any) -> State:
        line: State = state.line if isinstance(state, Unread) else state
        return line
