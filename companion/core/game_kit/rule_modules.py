"""The modules in which a game of many files writes its rules, each with the functions that every game has there.

All are pure functions of `tables`, what the game works out of a set-up and a catalogue once (T), and of a state (S).
What each gives is what the method of `companion.core.game.Rules` with the same meaning says. A module is handed over as
it is: mypy compares it with its protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from companion.core.layout import BoardView, TableLayout
from companion.core.types import Action, ChanceOutcome, Event, Face, Json, Problem, Result, Seat, SeatScore, Violation

T = TypeVar("T")
S = TypeVar("S")
T_in = TypeVar("T_in", contravariant=True)
S_in = TypeVar("S_in", contravariant=True)


class Check(Protocol[T_in, S_in]):
    """`legality.check`."""

    def seats_to_act(self, tables: T_in, state: S_in, /) -> tuple[Seat, ...]: ...
    def check_action(self, tables: T_in, state: S_in, action: object, /) -> Violation | None: ...


class LegalActions(Protocol[T_in, S_in]):
    """`legality.legal_actions`."""

    def legal_actions(self, tables: T_in, state: S_in, /) -> tuple[Action, ...]: ...


class Chance(Protocol[T_in, S_in]):
    """`legality.chance`."""

    def check_draw(self, tables: T_in, state: S_in, draw: object, /) -> Violation | None: ...
    def chance_outcomes(self, tables: T_in, state: S_in, /) -> tuple[ChanceOutcome, ...]: ...


class Scoring(Protocol[T_in, S_in]):
    """`play.scoring`."""

    def result(self, tables: T_in, state: S_in, /) -> Result | None: ...
    def seat_scores(self, tables: T_in, state: S_in, /) -> tuple[SeatScore, ...]: ...


class Invariants(Protocol[T_in, S_in]):
    """`play.invariants`."""

    def state_problems(self, tables: T_in, state: S_in, /) -> tuple[Problem, ...]: ...


class Stored(Protocol[T_in, S]):
    """`table.stored`."""

    def dump_state(self, tables: T_in, state: S, /) -> Json: ...
    def load_state(self, tables: T_in, data: Json, /) -> S: ...


class Views(Protocol[T_in, S_in]):
    """`table.views`."""

    def state_view(self, tables: T_in, state: S_in, viewer: Seat | None, /) -> Json: ...


class Describe(Protocol[T_in]):
    """`table.describe`."""

    def describe_event(self, tables: T_in, event: Event, /) -> tuple[str, tuple[tuple[str, Any], ...]]: ...


class Board(Protocol[T_in, S_in]):
    """`board`."""

    def table_layout(self, tables: T_in, /) -> TableLayout: ...
    def board_view(self, tables: T_in, state: S_in, /) -> BoardView: ...
    def all_faces(self, tables: T_in, /) -> tuple[Face, ...]: ...
    def same_faces(self, tables: T_in, /) -> Mapping[Face, Face]:
        """Every face -> the first of those that look like it."""


@dataclass(frozen=True, slots=True)
class RuleModules(Generic[T, S]):
    """A game's modules; `initial`: the table before the first draw; `steps`: type of an event -> the state after a
    legal one."""

    initial: Callable[[T], S]
    steps: Mapping[type, Callable[[T, S, Any], S]]
    check: Check[T, S]
    legal_actions: LegalActions[T, S]
    chance: Chance[T, S]
    scoring: Scoring[T, S]
    invariants: Invariants[T, S]
    stored: Stored[T, S]
    views: Views[T, S]
    describe: Describe[T]
    board: Board[T, S]
