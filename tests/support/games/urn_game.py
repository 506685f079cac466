"""A game for the tests of the digital bag: players take turns to stop or to let a token be drawn from an urn."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.core.errors import NotationError
from companion.core.types import Action, ChanceOutcome, Draw, Event, Seat, SeatInfo, Setup

SETUP = Setup("urn", (SeatInfo("Žofia", "red"), SeatInfo("Řehoř", "blue")), "none")
BAG = (("end", 1), ("flora", 3), ("fire", 2), ("water", 6))


@dataclass(frozen=True, slots=True)
class Take(Draw):
    token: str


@dataclass(frozen=True, slots=True)
class Go(Action):
    pass


@dataclass(frozen=True, slots=True)
class UrnState:
    """Counts left per token, in the order of BAG; whether a draw is due."""

    left: tuple[int, ...]
    due: bool
    turns: int = 0


class UrnRules:
    """Seats alternate; each `Go` is followed by one draw without replacement."""

    setup = SETUP

    def initial(self) -> UrnState:
        return UrnState(tuple(count for _, count in BAG), due=True)

    def to_act(self, state: UrnState) -> tuple[Seat, ...]:
        return () if state.due or not sum(state.left) else (Seat(state.turns % 2),)

    def chance_outcomes(self, state: UrnState) -> tuple[ChanceOutcome, ...]:
        total = sum(state.left)
        if not state.due:
            return ()
        return tuple(
            ChanceOutcome(Take(token), Fraction(count, total))
            for (token, _), count in zip(BAG, state.left, strict=True)
            if count
        )

    def apply(self, state: UrnState, event: Event) -> UrnState:
        if isinstance(event, Go):
            if self.to_act(state) != (event.seat,):
                raise ValueError("not this seat's turn")
            return UrnState(state.left, True, state.turns + 1)
        assert isinstance(event, Take)
        names = [token for token, _ in BAG]
        left = list(state.left)
        left[names.index(event.token)] -= 1
        if not state.due or min(left) < 0:
            raise ValueError(f"{event.token} cannot be drawn")
        return UrnState(tuple(left), False, state.turns)

    def parse(self, text: str) -> Event:
        words = text.split()
        if words[:1] == ["take"] and len(words) == 2 and words[1] in dict(BAG):
            return Take(words[1])
        if words[1:] == ["go"] and words[0] in Seat.__members__:
            return Go(Seat[words[0]])
        raise NotationError(f"expected 'take TOKEN' or 'A go', got {text!r}")

    def format(self, event: Event) -> str:
        return f"take {event.token}" if isinstance(event, Take) else f"{event.seat.name} go"  # type: ignore[union-attr]

    def dump(self, state: UrnState) -> dict[str, Any]:
        return {"left": list(state.left), "due": state.due, "turns": state.turns}

    def load(self, data: dict[str, Any]) -> UrnState:
        return UrnState(tuple(data["left"]), data["due"], data["turns"])

    def legal_actions(self, state: UrnState) -> tuple[Action, ...]:
        return tuple(Go(seat) for seat in self.to_act(state))

    def result(self, state: UrnState) -> str | None:
        return None if sum(state.left) or state.due else "empty"
