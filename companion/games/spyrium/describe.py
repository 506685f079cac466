"""Sentences about events of Spyrium: English message ids with placeholders, and their facts."""

from __future__ import annotations

from typing import Any

from companion.core.game import Rules, State
from companion.core.types import Event, Seat
from companion.games.spyrium.actions import NEW_SPACE, Activate, UseEvent

SENTENCES: dict[str, str] = {
    "Place": "{seat} places a worker at {gap}.",
    "Start": "{seat} starts Phase II.",
    "Money": "{seat} takes the worker at {gap} back for money (card: {card}).",
    "Activate": "{seat} activates the card at {card} with the worker at {gap}.",
    "Use": "{seat} uses the building in space {space}, effect {way}.",
    "Reuse": "{seat} uses the building in space {space} again by Taylorism, effect {way}.",
    "UseEvent": "{seat} uses the event ({choice}).",
    "Pass": "{seat} passes.",
    "Bonus": "{seat} takes a bonus: {choice}.",
    "Future": "{event} is revealed as the future event.",
    "FutureToken": "A token of {value} lies on the future event.",
    "First": "{who} begins.",
    "Deal": "{card} is dealt to {slot}.",
    "Token": "A token of {value} lies on the card at {slot}.",
}
BUILDS_NEW = "{seat} builds the card at {card} in a new space with the worker at {gap}."
REPLACES = "{seat} replaces the building in space {space} by the card at {card} with the worker at {gap}."
STRAIGHTENS = "{seat} uses the building in space {space} again by the event, effect {way}."
PLACES = "{seat} places a worker at {gap} by the event."


HOLDS = "{seat}: {money} pounds, {spyrium} Spyrium, active workers {active}, residence {residence}, points {points}"
TOKENS_LIE = "Tokens on the card at {slot}: {values}"


def beside_board(rules: Rules, state: State) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """What each player holds and which tokens lie on the market cards, in sentences and their facts."""
    view: Any = rules.view(state, None)
    lines: list[tuple[str, tuple[tuple[str, Any], ...]]] = []
    for seat in view["seats"]:
        named = {name: seat[name] for name in ("money", "spyrium", "residence", "points")}
        named |= {"seat": Seat[seat["seat"]], "active": seat["workers"]["active"]}
        lines.append((HOLDS, tuple(named.items())))
    for cell in (cell for cell in view["cells"] if cell["tokens"]):
        lines.append((TOKENS_LIE, (("slot", cell["slot"]), ("values", tuple(cell["tokens"])))))
    return tuple(lines)


def describe_event(event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """The sentence for an event. Raises ValueError for another game's event."""
    sentence = SENTENCES.get(type(event).__name__)
    if sentence is None:
        raise ValueError(f"expected an event of Spyrium, got {type(event).__name__}")
    if isinstance(event, Activate) and event.space:
        sentence = BUILDS_NEW if event.space == NEW_SPACE else REPLACES
    if isinstance(event, UseEvent) and (event.space or event.gap):
        sentence = STRAIGHTENS if event.space else PLACES
    return sentence, tuple((name, getattr(event, name)) for name in event.__dataclass_fields__)
