"""What the contract test needs to know of a game: set-ups to play and every action and draw that can be written down.

A game `x` registers by a module `contract_x` beside this one with a `CONTRACT: ContractGame`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from companion.core.game import Rules, State
from companion.core.types import Action, ChanceOutcome, Draw, Event, Seat, Setup


@dataclass(frozen=True, slots=True)
class ContractGame:
    """`setups` by label; `actions`/`draws`: all that could be attempted in a game, legal or not; `longest`: most events
    of a random game before it counts as endless."""

    setups: dict[str, Setup]
    actions: Callable[[Rules], Iterable[Action]]
    draws: Callable[[Rules], Iterable[Draw]]
    longest: int


def has_contract(name: str) -> bool:
    """Whether the game is registered."""
    return find_spec(f"contract_{name}") is not None


def contract_of(name: str) -> ContractGame:
    """The registration of the game."""
    return import_module(f"contract_{name}").CONTRACT


def sample_draw(outcomes: tuple[ChanceOutcome, ...], rng: random.Random) -> Draw:
    """One of the draws with its exact probability."""
    ticket = rng.random()
    for outcome in outcomes:
        ticket -= outcome.probability.numerator / outcome.probability.denominator
        if ticket < 0:
            return outcome.draw
    return outcomes[-1].draw


def random_event(rules: Rules, state: State, rng: random.Random) -> Event:
    """A legal action or a possible draw."""
    actions = rules.legal_actions(state)
    if actions:
        return actions[int(rng.random() * len(actions))]  # the same in every version of Python, unlike choice()
    return sample_draw(rules.chance_outcomes(state), rng)


def random_game(rules: Rules, seed: int, longest: int) -> Iterator[tuple[State, Event | None]]:
    """Every state of a random game with the event that follows; None after the last."""
    rng = random.Random(seed)
    state = rules.initial()
    for _ in range(longest):
        if rules.result(state) is not None:
            yield state, None
            return
        event = random_event(rules, state, rng)
        yield state, event
        state = rules.apply(state, event)
    raise AssertionError(f"no end after {longest} events with seed {seed}")


@dataclass(frozen=True, slots=True)
class ForeignAction(Action):
    """An action of a game that does not exist."""

    what: str = "dance"


@dataclass(frozen=True, slots=True)
class ForeignDraw(Draw):
    """A draw of a game that does not exist."""

    what: str = "rain"


class BadRepr:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


JUNK: tuple[Any, ...] = (
    None,
    0,
    -1,
    True,
    3.5,
    "r1c1",
    "r9c9",
    "",
    b"x",
    (),
    ("r1c1", 7),
    ([],),
    [],
    {},
    BadRepr(),
    Seat.E,
)


def absurd(types: tuple[type, ...]) -> Iterator[object]:
    """Objects of the given types with every kind of rubbish in every field, and things that are no events at all."""
    yield from JUNK
    yield ForeignAction(Seat.A)
    yield ForeignDraw()
    for kind in types:
        names = [f.name for f in fields(kind)]
        for junk in JUNK:
            yield kind(**dict.fromkeys(names, junk))
            if "seat" in names and len(names) > 1:
                yield kind(**{name: Seat.A if name == "seat" else junk for name in names})
