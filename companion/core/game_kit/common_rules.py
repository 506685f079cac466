"""What the rules of most games have in common: a game subclasses one of these and writes what is its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.core.game_kit.notation import Notation
from companion.core.game_kit.rule_modules import RuleModules
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


def refusal(event: object, violation: Violation) -> ValueError:
    """What `apply` raises for an event that is not legal."""
    return ValueError(f"{event!r} breaks {violation.clause}: {violation.message} {violation.facts!r}")


class CommonRules(ABC):
    """The part of `companion.core.game.Rules` that seldom differs: a game gives `notation`, `check`, `check_draw`,
    `after` and `board`, and overrides what is otherwise with it.

    As it stands here an event happens openly, what it moves is moved in one go, and no two faces look the same.
    """

    __slots__ = ()
    notation: ClassVar[Notation]

    @abstractmethod
    def check(self, state: Any, action: object) -> Violation | None:
        """Why `action` is illegal, or None."""

    @abstractmethod
    def check_draw(self, state: Any, draw: object) -> Violation | None:
        """Why `draw` cannot happen, or None."""

    @abstractmethod
    def after(self, state: Any, event: Event) -> Any:
        """The state after an event that has passed its check."""

    @abstractmethod
    def board(self, state: Any) -> BoardView:
        """What lies on the table."""

    def apply(self, state: Any, event: Event) -> Any:
        """The state after `event`. Raises ValueError, naming the clause, when it is not legal."""
        violation = self.check(state, event) if isinstance(event, Action) else self.check_draw(state, event)
        if violation is not None:
            raise refusal(event, violation)
        return self.after(state, event)

    def parse(self, text: str) -> Event:
        """The event that `text` names. Raises NotationError."""
        return self.notation.parse(text)

    def format(self, event: Event) -> str:
        """The text of an event."""
        return self.notation.format(event)

    def board_path(self, before: Any, event: Event) -> tuple[BoardView, ...]:
        """The table after `event`: what an event moves is moved in one go."""
        return (self.board(self.apply(before, event)),)

    def same_face(self, face: Face) -> Face:
        """`face` itself: no other looks like it."""
        return face

    def is_reveal(self, before: Any, event: Event) -> bool:  # noqa: ARG002 - nothing is hidden
        """Never: nothing is secret before it happens."""
        return False

    def is_secret(self, event: Event) -> bool:  # noqa: ARG002 - nothing is hidden
        """Never: everything happens openly."""
        return False


class BoundTables(Protocol):
    """What a game works out of a set-up and a catalogue once, before the first event."""

    @property
    def setup(self) -> Setup:
        """The set-up they were built for."""


T = TypeVar("T", bound=BoundTables)
S = TypeVar("S")


class TabledRules(CommonRules, Generic[T, S]):
    """`companion.core.game.Rules` of a game whose `modules` are bound to the tables of one set-up."""

    __slots__ = ("_layout", "_passed", "_same", "modules", "tables")

    def __init__(self, modules: RuleModules[T, S], tables: T) -> None:
        self.modules = modules
        self.tables = tables
        # What passed a check last: both are immutable, so `apply` of the very same objects need not check again.
        self._passed: tuple[S | None, object] = (None, None)
        self._same = modules.board.same_faces(tables)
        self._layout = modules.board.table_layout(tables)

    @property
    def setup(self) -> Setup:
        """The set-up these rules are bound to."""
        return self.tables.setup

    def initial(self) -> S:
        """The table before the first draw."""
        return self.modules.initial(self.tables)

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that may act now."""
        return self.modules.check.seats_to_act(self.tables, state)

    def legal_actions(self, state: S) -> tuple[Action, ...]:
        """Every legal action, in canonical order."""
        return self.modules.legal_actions.legal_actions(self.tables, state)

    def check(self, state: S, action: object) -> Violation | None:
        """Why `action` is illegal, or None."""
        violation = self.modules.check.check_action(self.tables, state, action)
        if violation is None:
            self._passed = (state, action)
        return violation

    def check_draw(self, state: S, draw: object) -> Violation | None:
        """Why `draw` cannot happen, or None."""
        violation = self.modules.chance.check_draw(self.tables, state, draw)
        if violation is None:
            self._passed = (state, draw)
        return violation

    def apply(self, state: S, event: Event) -> S:
        """The state after `event`. Raises ValueError, naming the clause, when it is not legal."""
        passed, passed_event = self._passed
        if passed is not state or passed_event is not event:
            check = self.modules.check.check_action if isinstance(event, Action) else self.modules.chance.check_draw
            violation = check(self.tables, state, event)
            if violation is not None:
                raise refusal(event, violation)
        return self.after(state, event)

    def after(self, state: S, event: Event) -> S:
        """The state after an event that has passed its check."""
        return self.modules.steps[type(event)](self.tables, state, event)

    def chance_outcomes(self, state: S) -> tuple[ChanceOutcome, ...]:
        """The possible draws with exact probabilities."""
        return self.modules.chance.chance_outcomes(self.tables, state)

    def result(self, state: S) -> Result | None:
        """How the game ended, or None."""
        return self.modules.scoring.result(self.tables, state)

    def scores(self, state: S) -> tuple[SeatScore, ...]:
        """The score of every seat as if the game ended now."""
        return self.modules.scoring.seat_scores(self.tables, state)

    def problems(self, state: S) -> tuple[Problem, ...]:
        """Broken invariants."""
        return self.modules.invariants.state_problems(self.tables, state)

    def dump(self, state: S) -> Json:
        """The whole state as JSON."""
        return self.modules.stored.dump_state(self.tables, state)

    def load(self, data: Json) -> S:
        """The state that `dump` wrote. Raises DataError naming every wrong key."""
        return self.modules.stored.load_state(self.tables, data)

    def view(self, state: S, viewer: Seat | None) -> Json:
        """What `viewer` may know, as JSON."""
        return self.modules.views.state_view(self.tables, state, viewer)

    def board(self, state: S) -> BoardView:
        """What lies on the table."""
        return self.modules.board.board_view(self.tables, state)

    def layout(self) -> TableLayout:
        """Where the slots lie."""
        return self._layout

    def faces(self) -> tuple[Face, ...]:
        """Every face that can be seen on the table."""
        return self.modules.board.all_faces(self.tables)

    def same_face(self, face: Face) -> Face:
        """The first face of the catalogue that looks like `face`; `face` itself when it is none of this game's."""
        return self._same.get(face, face)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event."""
        return self.modules.describe.describe_event(self.tables, event)
