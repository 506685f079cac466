"""Sentences about events of Spyrium: English message ids with placeholders, and their facts."""

from __future__ import annotations

from typing import Any

from companion.core.game import Rules, State
from companion.core.messages import Message
from companion.core.types import Event, Seat
from companion.games.spyrium.actions import (
    MOVE,
    NEW_SPACE,
    SCORE,
    Activate,
    Bonus,
    Deal,
    Future,
    Money,
    Use,
    UseEvent,
)
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.acts import NO_CARD, PLAIN, POINTS, POUNDS, SPYRIUM
from companion.games.spyrium.play.gains import BONUS_POUNDS

Sentence = tuple[str, tuple[tuple[str, Any], ...]]

SENTENCES: dict[str, str] = {
    "Place": "{seat} places a worker at {gap}.",
    "Start": "{seat} starts Phase II.",
    "Money": "{seat} takes the worker at {gap} back for money at {card}.",
    "Activate": "{seat} activates the card at {card} with the worker at {gap}.",
    "Use": "{seat} uses the building in space {space}, effect {way}.",
    "Reuse": "{seat} uses the building in space {space} again by Taylorism, effect {way}.",
    "UseEvent": "{seat} uses the event: {details}.",
    "Pass": "{seat} passes.",
    "Bonus": "{seat} takes a bonus: {details}.",
    "Future": "The {event} is revealed; it comes next turn.",
    "FutureToken": "A token of {value} lies on the future event.",
    "First": "{who} begins.",
    "Deal": "{card} is dealt to {slot}.",
    "Token": "A token of {value} lies on the card at {slot}.",
}
NO_CARD_LEFT = "{seat} takes the worker at {gap} back; both cards are gone."
ACTIVATES_SO = "{seat} activates the card at {card} with the worker at {gap} ({details})."
BUILDS_NEW = "{seat} builds the card at {card} in a new space with the worker at {gap}."
BUILDS_NEW_SO = "{seat} builds the card at {card} in a new space with the worker at {gap} ({details})."
REPLACES = "{seat} replaces the building in space {space} by the card at {card} with the worker at {gap}."
REPLACES_SO = (
    "{seat} replaces the building in space {space} by the card at {card} with the worker at {gap} ({details})."
)
USES_TWICE = (
    "{seat} uses the building in space {space}, effect {way}, and by Taylorism the one in space {again}, "
    "effect {again_way}."
)
STRAIGHTENS = "{seat} uses the building in space {space} again by the event, effect {way}."
PLACES = "{seat} places a worker at {gap} by the event."

TOKEN_USED = "token {token}"
COUNTS_AS = "the token counts as {value} by Commerce"
MOVES, SCORES = "one residence space on", "points for the residence space"
BY_LOBBYING = "by Lobbying nothing for the other workers"
NEW_WORKER, BONUS_MONEY = "a new worker", "£{pounds}"
CHOICES: dict[str, str] = {
    POUNDS: "the token in pounds",
    SPYRIUM: "the token in Spyrium",
    POINTS: "the token in points",
    MOVE: MOVES,
    SCORE: SCORES,
    "1": "1 Spyrium is paid",
    "3": "3 are paid",
    "6": "£6 are paid",
    PLAIN: NEW_WORKER,
}
"""What is chosen at an event, without the event: 3 are pounds at one and Spyrium at another."""

HOLDS = "{seat}: £{money}, Spyrium {spyrium}, active workers {active}, residence {residence}, points {points}"
TOKENS_LIE = "Tokens on the card at {slot}: {values}"


def beside_board(rules: Rules, state: State) -> tuple[Sentence, ...]:
    """What each player holds and which tokens lie on the market cards, in sentences and their facts."""
    view: Any = rules.view(state, None)
    lines: list[Sentence] = []
    for seat in view["seats"]:
        named = {name: seat[name] for name in ("money", "spyrium", "residence", "points")}
        named |= {"seat": Seat[seat["seat"]], "active": seat["workers"]["active"]}
        lines.append((HOLDS, tuple(named.items())))
    for cell in (cell for cell in view["cells"] if cell["tokens"]):
        lines.append((TOKENS_LIE, (("slot", cell["slot"]), ("values", tuple(cell["tokens"])))))
    return tuple(lines)


def activation_details(action: Activate) -> tuple[Message, ...]:
    """What an activation says besides card, worker and space."""
    details = []
    if action.token:
        details.append(Message(TOKEN_USED, token=action.token))
    if action.value:  # S96
        details.append(Message(COUNTS_AS, value=action.value))
    if action.residence:  # S53
        details.append(Message(MOVES if action.residence == MOVE else SCORES))
    if action.lobbying:  # S93
        details.append(Message(BY_LOBBYING))
    return tuple(details)


def describe_event(t: Tables, event: Event) -> Sentence:
    """The sentence for an event. Raises ValueError for another game's event."""
    sentence = SENTENCES.get(type(event).__name__)
    if sentence is None:
        raise ValueError(f"expected an event of Spyrium, got {type(event).__name__}")
    facts = {name: getattr(event, name) for name in event.__dataclass_fields__}
    if isinstance(event, Activate):
        facts["details"] = activation_details(event)
        sentence = _activation(event, bool(facts["details"]))
    elif isinstance(event, UseEvent):
        value = (Message(COUNTS_AS, value=event.value),) if event.value else ()
        facts["details"] = (Message(CHOICES.get(event.choice, event.choice)), *value)
        if event.space or event.gap:
            sentence = STRAIGHTENS if event.space else PLACES
    elif isinstance(event, Money) and event.card == NO_CARD:
        sentence = NO_CARD_LEFT
    elif isinstance(event, Use) and event.again:
        sentence = USES_TWICE
    elif isinstance(event, Bonus):
        money = Message(BONUS_MONEY, pounds=BONUS_POUNDS)
        facts["details"] = Message(NEW_WORKER) if event.choice == "worker" else money
    elif isinstance(event, Future):
        facts["event"] = t.face_name(event.event)
    elif isinstance(event, Deal):
        facts["card"] = t.face_name(event.card)
    return sentence, tuple(facts.items())


def _activation(event: Activate, details: bool) -> str:
    if event.space == NEW_SPACE:
        return BUILDS_NEW_SO if details else BUILDS_NEW
    if event.space:
        return REPLACES_SO if details else REPLACES
    return ACTIVATES_SO if details else SENTENCES["Activate"]
