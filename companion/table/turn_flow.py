"""Where a game stands between its beginning and its end, as one table: what each stage awaits, and from whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.core.game import Rules, State
from companion.core.secrecy import secrets_are_kept
from companion.core.types import Seat


class Stage(Enum):
    """What the game waits for."""

    OVER = "nothing: it has ended"
    DRAW = "a draw"
    SECRET = "secret choices, while there are secrets to keep"
    REVEAL = "choices that are public as soon as they are entered"
    TURN = "an act that everybody may see"


class Asks(Enum):
    """Who is to do something."""

    NOBODY = "nobody"
    BAG = "whoever draws"
    SEATS = "the awaited seats"
    BOARDS = "whoever reads the boards: the camera, or people who enter what they show"


@dataclass(frozen=True, slots=True)
class Awaits:
    """What a stage is known by and whom it asks. The first stage whose `holds` is true is the game's."""

    holds: Callable[[Rules, State], bool]
    asks: Asks
    shields: bool = False
    """Whether shields must stand: what they hide is not yet public."""


def _any_secret(rules: Rules, state: State) -> bool:
    return any(rules.is_secret(action) for action in rules.legal_actions(state))


FLOW: dict[Stage, Awaits] = {
    Stage.OVER: Awaits(lambda rules, state: rules.result(state) is not None, Asks.NOBODY),
    Stage.DRAW: Awaits(lambda rules, state: bool(rules.chance_outcomes(state)), Asks.BAG),
    Stage.SECRET: Awaits(secrets_are_kept, Asks.SEATS, shields=True),
    Stage.REVEAL: Awaits(_any_secret, Asks.BOARDS),
    Stage.TURN: Awaits(lambda rules, state: bool(rules.to_act(state)), Asks.SEATS),
}


def stage_of(rules: Rules, state: State) -> Stage:
    """The stage that `state` is in. Raises ValueError for a state in none, which the rules must not have."""
    for stage, awaits in FLOW.items():
        if awaits.holds(rules, state):
            return stage
    raise ValueError("the state is neither over nor at chance, and nobody may act in it")


def awaited_seats(rules: Rules, state: State) -> tuple[Seat, ...]:
    """The seats without which the game does not go on: of those that may act, the ones that the game's view calls
    awaited. Who has confirmed may still take it back, and is not waited for."""
    seats = rules.to_act(state)
    if len(seats) < 2:
        return seats
    named = rules.view(state, None).get("awaited", ())
    return tuple(seat for seat in seats if seat.name in named) or seats
