"""A small game for tests: two seats hide numbers at the same time, a token drawn from a bag says who scores.

T1: both players hide 1, 2 or 3 pearls, secretly, and may take them back until both have. T2: then both are shown and
a token is drawn. T3: red, the larger number scores itself; blue, the smaller one; equal numbers score nothing.
T4: the game ends after the last round (T5: `rounds` of the catalogue). Tokens do not go back.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.game import GameSpec
from companion.core.game_kit.common_rules import CommonRules
from companion.core.game_kit.notation import Notation
from companion.core.layout import BoardView, SlotOutline, SlotView, TableLayout
from companion.core.types import (
    Action,
    ChanceOutcome,
    Clause,
    Draw,
    Event,
    Problem,
    Result,
    ScoreLine,
    Seat,
    SeatInfo,
    SeatScore,
    Setup,
    Violation,
)

CATALOGUE = 'rounds = 3\nred = 3\nblue = 2\norigin = "sample"\n'
NUMBERS = (1, 2, 3)
TOKENS = ("red", "blue")
CLAUSES = {
    "T1": Clause("T1", "Hiding", "Both players hide 1, 2 or 3 pearls, secretly, until both have."),
    "T2": Clause("T2", "Drawing", "When both have hidden, both are shown and a token is drawn."),
    "T3": Clause("T3", "Scoring", "Red: the larger number scores; blue: the smaller; equal numbers score nothing."),
    "T4": Clause("T4", "End", "The game ends after the last round."),
}


@dataclass(frozen=True, slots=True)
class Hide(Action):
    number: int


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    pass


@dataclass(frozen=True, slots=True)
class Token(Draw):
    colour: str


@dataclass(frozen=True, slots=True)
class ToyState:
    round: int = 1
    hidden: tuple[int | None, int | None] = (None, None)
    points: tuple[int, int] = (0, 0)
    bag: tuple[int, int] = (0, 0)
    shown: tuple[int, int, str] | None = None  # numbers and token of the round before


@dataclass(frozen=True, slots=True)
class ToyRules(CommonRules):
    notation = Notation("Pearls", {"hide": Hide, "take-back": TakeBack}, {"token": Token})
    setup: Setup
    catalogue: dict[str, Any]

    def initial(self) -> ToyState:
        return ToyState(bag=(self.catalogue["red"], self.catalogue["blue"]))

    def _over(self, state: ToyState) -> bool:
        return state.round > self.catalogue["rounds"]  # T4

    def to_act(self, state: ToyState) -> tuple[Seat, ...]:
        if self._over(state) or None not in state.hidden:
            return ()
        return (Seat.A, Seat.B)

    def legal_actions(self, state: ToyState) -> tuple[Action, ...]:
        actions: list[Action] = []
        for seat in self.to_act(state):
            if state.hidden[seat] is None:
                actions += [Hide(seat, n) for n in NUMBERS]
            else:
                actions.append(TakeBack(seat))
        return tuple(actions)

    def check(self, state: ToyState, action: object) -> Violation | None:
        if not isinstance(action, Hide | TakeBack) or action.seat not in (Seat.A, Seat.B):
            return Violation("T1", "that is no act of this game")
        if not self.to_act(state):
            return Violation("T1", "{player} cannot act now", (("player", action.seat),))
        has = state.hidden[action.seat] is not None
        if isinstance(action, TakeBack):
            return None if has else Violation("T1", "{player} has hidden nothing", (("player", action.seat),))
        if has:
            return Violation("T1", "{player} has hidden already", (("player", action.seat),))
        if action.number not in NUMBERS:
            facts = (("player", action.seat), ("number", action.number))
            return Violation("T1", "{player} may hide 1, 2 or 3, not {number}", facts)
        return None

    def check_draw(self, state: ToyState, draw: object) -> Violation | None:
        if any(o.draw == draw for o in self.chance_outcomes(state)):
            return None
        return Violation("T2", "that token cannot be drawn now")

    def after(self, state: ToyState, event: Event) -> ToyState:
        if isinstance(event, Hide | TakeBack):
            number = event.number if isinstance(event, Hide) else None
            a, b = state.hidden
            return replace(state, hidden=(number, b) if event.seat == Seat.A else (a, number))
        assert isinstance(event, Token)
        a, b = state.hidden
        assert a is not None
        assert b is not None
        points = list(state.points)
        if a != b:  # T3
            winner = Seat.A if (a > b) == (event.colour == "red") else Seat.B
            points[winner] += (a, b)[winner]
        bag = list(state.bag)
        bag[TOKENS.index(event.colour)] -= 1
        return ToyState(state.round + 1, (None, None), (points[0], points[1]), (bag[0], bag[1]), (a, b, event.colour))

    def chance_outcomes(self, state: ToyState) -> tuple[ChanceOutcome, ...]:
        if self._over(state) or None in state.hidden:
            return ()
        total = sum(state.bag)
        return tuple(
            ChanceOutcome(Token(colour), Fraction(n, total)) for colour, n in zip(TOKENS, state.bag, strict=True) if n
        )

    def result(self, state: ToyState) -> Result | None:
        if not self._over(state):
            return None
        best = max(state.points)
        winners = tuple(Seat(i) for i in (0, 1) if state.points[i] == best)
        return Result("T4", self.scores(state), winners, "T4")

    def scores(self, state: ToyState) -> tuple[SeatScore, ...]:
        return tuple(SeatScore(Seat(i), (ScoreLine("T3", "pearls", p),), p) for i, p in enumerate(state.points))

    def problems(self, state: ToyState) -> tuple[Problem, ...]:
        if sum(state.bag) + state.round - 1 != self.catalogue["red"] + self.catalogue["blue"]:
            return (Problem("bag", "{number} tokens are too many or too few", (("number", sum(state.bag)),), "T2"),)
        return ()

    def dump(self, state: ToyState) -> dict[str, Any]:
        shown = None if state.shown is None else list(state.shown)
        return {
            "round": state.round,
            "hidden": list(state.hidden),
            "points": list(state.points),
            "bag": list(state.bag),
            "shown": shown,
        }

    def load(self, data: Any) -> ToyState:
        try:
            shown = data["shown"]
            return ToyState(
                int(data["round"]),
                tuple(data["hidden"]),
                tuple(data["points"]),
                tuple(data["bag"]),
                None if shown is None else tuple(shown),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"state: {error!r}") from error

    def view(self, state: ToyState, viewer: Seat | None) -> dict[str, Any]:
        hidden = [n if n is None or viewer == i else "hidden" for i, n in enumerate(state.hidden)]
        return {"round": state.round, "hidden": hidden, "points": list(state.points)}

    def board(self, state: ToyState) -> BoardView:
        if state.shown is None:
            return BoardView()
        a, b, token = state.shown
        pearls = [
            (name, SlotView(pieces=((seat.colour, n),)))
            for name, n, seat in zip("ab", (a, b), self.setup.seats, strict=True)
        ]
        return BoardView((*pearls, ("token", SlotView(face=token))))

    def layout(self) -> TableLayout:
        square = ((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0))
        return TableLayout(
            tuple(
                SlotOutline(name, tuple((x + dx, y) for x, y in square), "gap" if name in "ab" else "tile")
                for name, dx in (("a", -60.0), ("token", 0.0), ("b", 60.0))
            )
        )

    def faces(self) -> tuple[str, ...]:
        return TOKENS

    def is_reveal(self, before: ToyState, event: Event) -> bool:
        return isinstance(event, Hide) and before.hidden[1 - event.seat] is not None  # T2

    def is_secret(self, event: Event) -> bool:
        return isinstance(event, Hide)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        if isinstance(event, Hide):
            return "{player} hides {number}", (("player", event.seat), ("number", event.number))
        if isinstance(event, TakeBack):
            return "{player} takes the pearls back", (("player", event.seat),)
        assert isinstance(event, Token)
        return "the {colour} token is drawn", (("colour", event.colour),)


def load_catalogue(source: str | Path) -> dict[str, Any]:
    """The toy's catalogue: "toy", or the path of a TOML file."""
    try:
        data = tomllib.loads(CATALOGUE if str(source) == "toy" else Path(source).read_text(encoding="utf-8"))
        return {"rounds": int(data["rounds"]), "red": int(data["red"]), "blue": int(data["blue"])}
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"catalogue: {error!r}") from error


TOY_SETUP = Setup("toy", (SeatInfo("Žofia", "pink"), SeatInfo("Ľuboš", "gray")), "toy")

TOY = GameSpec(
    name="toy",
    title="Pearls",
    min_seats=2,
    max_seats=2,
    clauses=CLAUSES,
    options=(),
    action_types=(Hide, TakeBack),
    draw_types=(Token,),
    default_catalogue="toy",
    load_catalogue=load_catalogue,
    make_rules=ToyRules,
    locale_dir=Path(__file__).parent / "no-locale",
    colours=("pink", "gray"),
)


def toy_rules(text: str = CATALOGUE) -> ToyRules:
    """Rules of the toy for a catalogue's text."""
    data = tomllib.loads(text)
    return ToyRules(TOY_SETUP, {k: int(data[k]) for k in ("rounds", "red", "blue")})
