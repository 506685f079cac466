"""What every game and every part of the companion speaks of: seats, actions, draws, clauses, verdicts, scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any

Slot = str
"""A place on the table that can hold something, in the game's own notation (Envyra: "r2c3")."""

Face = str
"""What lies face up in a slot: the id of a tile or card in the catalogue."""


class Seat(IntEnum):
    """A player's place at the table, in clockwise order; usable as an index into per-seat tuples."""

    A = 0
    B = 1
    C = 2
    D = 3
    E = 4


SEATS: tuple[Seat, ...] = tuple(Seat)


@dataclass(frozen=True, slots=True)
class Action:
    """What a player does. Games subclass it; an action knows no state and no table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """What chance does: observed on the table, or taken from the digital bag. Games subclass it."""


Event = Action | Draw
"""Everything that `Rules.apply` takes."""


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """One possible draw with its exact probability; the outcomes of a state sum to 1."""

    draw: Draw
    probability: Fraction


class ClauseSource(Enum):
    """Where a clause comes from; a ruling is always shown as a ruling."""

    RULEBOOK = "rulebook"
    RULING = "ruling"
    OPTION = "option"  # a ruling that can be switched at set-up


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause of a game's rules. `title` and `text` are English message ids for gettext."""

    id: str
    title: str
    text: str
    source: ClauseSource = ClauseSource.RULEBOOK


@dataclass(frozen=True, slots=True)
class Violation:
    """Why an action is illegal: a value, never an exception.

    `message` is the English message id with `{name}` placeholders, filled from `facts`
    (values are str, int, Seat, or tuples of these); `slots` are the slots to highlight.
    """

    clause: str
    message: str
    facts: tuple[tuple[str, Any], ...] = ()
    slots: tuple[Slot, ...] = ()

    def fact(self, name: str) -> Any:
        """The fact called `name`. Raises KeyError when the violation does not carry it."""
        return dict(self.facts)[name]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something inconsistent in a state or in a data file: where, what was expected and got, what next."""

    where: str
    message: str
    facts: tuple[tuple[str, Any], ...] = ()
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a player's score: its clause, what it counts (`label` is a message id) and its points."""

    clause: str
    label: str
    points: int
    facts: tuple[tuple[str, Any], ...] = ()
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A player's score line by line; `tiebreaks` are compared in order, larger first."""

    seat: Seat
    lines: tuple[ScoreLine, ...]
    total: int
    tiebreaks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: by which clause, the scores, the winners (several: a shared win; none: all lost)."""

    clause: str
    scores: tuple[SeatScore, ...]
    winners: tuple[Seat, ...]
    decided_by: str  # clause that decided between the best: points, a tie-break or a shared tie


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The person on a seat: the name as they write it and the colour of their pieces."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What the people chose before the game. `options` are sorted (key, value) pairs of the game's options."""

    game: str
    seats: tuple[SeatInfo, ...]
    catalogue: str  # name of the catalogue (edition)
    options: tuple[tuple[str, str], ...] = ()

    def option(self, key: str, default: str) -> str:
        """The chosen value of an option, or `default`."""
        return dict(self.options).get(key, default)


Json = Mapping[str, Any]
"""A JSON object: str keys, values of str, int, float, bool, None, list and dict."""
