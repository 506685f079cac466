"""What an act would do in a position of Spyrium, in one sentence: cards by name, its cost, what it brings or not."""

from __future__ import annotations

from typing import Any

from companion.core.game import Rules, State
from companion.core.messages import Message
from companion.core.types import Action
from companion.games.spyrium.actions import NEW_SPACE, Activate, Bonus, Money, Reuse, Use, UseEvent
from companion.games.spyrium.edition.designs import (
    CAPITALIZATION,
    EVENTS,
    POINTS_FOR_POUNDS,
    POUNDS_FOR_SPYRIUM,
    Building,
    Character,
    EventKind,
    Technique,
)
from companion.games.spyrium.edition.names import EVENT_NAMES
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.activation import (
    activation_cost,
    has_technique,
    space_index,
    token_used,
    workers_beside,
)
from companion.games.spyrium.play.acts import (
    CAPITALIZATION_POUNDS,
    NO_CARD,
    POINTS,
    POUNDS,
    RESIDENCE_EVENT_SPYRIUM,
    STRAIGHTEN_POUNDS,
    way_of,
    worker_event_pounds,
)
from companion.games.spyrium.play.costs import POINTS_GAINED, SPYRIUM_GAINED, SPYRIUM_PAID, cost_parts, effect_parts
from companion.games.spyrium.play.gains import BONUS_POUNDS
from companion.games.spyrium.state import State as Position
from companion.games.spyrium.table.describe import (
    BONUS_MONEY,
    CHOICES,
    COUNTS_AS,
    NEW_WORKER,
    Sentence,
    activation_details,
    describe_event,
)

TAKES_BACK = "{seat} takes the worker at {gap} back for £{pounds} at {card} ({slot})."
TAKES_BACK_ALONE = "{seat} takes the worker at {gap} back for £{pounds}; both cards are gone."
CALLS = "{seat} calls upon {card} ({slot}) with the worker at {gap} for £{total}: {details}."
PATENTS = "{seat} patents {card} ({slot}) with the worker at {gap} for £{total}: {details}."
BUILDS = "{seat} builds {card} ({slot}) in a new space with the worker at {gap} for £{total}: {details}."
REPLACES = (
    "{seat} builds {card} ({slot}) in the place of {old} ({space}) with the worker at {gap} for £{total}: {details}."
)
USES = "{seat} uses {card} ({space}): {details}."
USES_AGAIN = "{seat} uses {card} ({space}) again by Taylorism: {details}."
USES_BOTH = "{seat} uses {card} ({space}): {details}; and by Taylorism {other} ({again}) again: {more}."
EVENT = "{seat} uses the {event}: {details}."

PAYS, GAINS = "£{pounds} paid", "£{pounds} gained"
USED_AGAIN = "{card} ({space}) is used again"
WORKER_AT = "a worker is placed at {gap}"
NO_WORKER = "no new worker, for none is left in the reserve"
FEWER_WORKERS = "new workers: only {came} of {count}, for no more are left in the reserve"
NO_TOKEN = "nothing for a token, for none lies on the card"


def describe_offer(rules: Rules, state: State, action: Action) -> Sentence:
    """What the legal `action` does in this state of Spyrium."""
    t: Tables = rules.tables  # type: ignore[attr-defined]
    if isinstance(action, Money):
        return _money(t, state, action)
    if isinstance(action, Activate):
        return _activation(t, state, action)
    if isinstance(action, (Use, Reuse)):
        return _use(t, state, action)
    if isinstance(action, UseEvent):
        details = tuple(_event(t, state, action))
        return EVENT, (("seat", action.seat), ("event", EVENT_NAMES[EVENTS[state.event]]), ("details", details))
    sentence, facts = describe_event(t, action)
    if isinstance(action, Bonus):
        worker = _new_workers(state, action.seat, 1)
        details_bonus = worker if action.choice == "worker" else (Message(BONUS_MONEY, pounds=BONUS_POUNDS),)
        return sentence, (("seat", action.seat), ("details", details_bonus))
    return sentence, facts


def _money(t: Tables, s: Position, action: Money) -> Sentence:
    """S40, S91: the pounds that a worker brings."""
    more = CAPITALIZATION_POUNDS if has_technique(t, s.players[action.seat], CAPITALIZATION) else 0
    if action.card == NO_CARD:
        return TAKES_BACK_ALONE, (("seat", action.seat), ("gap", action.gap), ("pounds", more))
    slot = t.slot_index[action.card]
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", action.seat), ("gap", action.gap), ("pounds", workers_beside(t, s, slot) - 1 + more),
        ("card", t.cards[s.market[slot]].name), ("slot", action.card),
    )  # fmt: skip
    return TAKES_BACK, facts


def _activation(t: Tables, s: Position, action: Activate) -> Sentence:
    slot = t.slot_index[action.card]
    kind, player, cost = s.market[slot], s.players[action.seat], activation_cost(t, s, action)
    design = t.designs[kind]
    details = [*cost_parts(t, s, action, cost), *activation_details(action)]
    old = ""
    if isinstance(design, Building):
        if design.token is not None and not token_used(s, slot, action):
            details.append(Message(NO_TOKEN))  # R-S5
        if design.new_workers:
            details += _new_workers(s, action.seat, design.new_workers)
        if action.space != NEW_SPACE:
            old = t.cards[player.buildings[space_index(player, action.space)].kind].name
    elif isinstance(design, Character):
        brought = (SPYRIUM_PAID, design.spyrium), (SPYRIUM_GAINED, design.gain_spyrium), (POINTS_GAINED, design.points)
        details += [Message(text, count=count) for text, count in brought if count]
    sentence = PATENTS if isinstance(design, Technique) else CALLS
    if isinstance(design, Building):
        sentence = REPLACES if old else BUILDS
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", action.seat), ("card", t.cards[kind].name), ("slot", action.card), ("gap", action.gap),
        ("total", cost.total), ("old", old), ("space", action.space), ("details", tuple(details)),
    )  # fmt: skip
    return sentence, facts


def _new_workers(s: Position, seat: int, count: int) -> tuple[Message, ...]:
    """R-S1: as many new workers as the reserve still has."""
    came = min(count, s.players[seat].reserve)
    if not came:
        return (Message(NO_WORKER),)
    if came < count:
        return (Message(FEWER_WORKERS, came=came, count=count),)
    return (Message(NEW_WORKER),) if count == 1 else ()


def _effect(t: Tables, s: Position, seat: int, space: str, way: int) -> tuple[str, tuple[Message, ...]]:
    """The name of a building and what this way of using it takes and gives."""
    player = s.players[seat]
    place = space_index(player, space)
    use = way_of(t, player, place, way)
    return t.cards[player.buildings[place].kind].name, effect_parts(use) if use is not None else ()


def _use(t: Tables, s: Position, action: Use | Reuse) -> Sentence:
    card, details = _effect(t, s, action.seat, action.space, action.way)
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", action.seat), ("card", card), ("space", action.space), ("details", details),
    )  # fmt: skip
    if isinstance(action, Reuse):
        return USES_AGAIN, facts
    if not action.again:
        return USES, facts
    other, more = _effect(t, s, action.seat, action.again, action.again_way)
    return USES_BOTH, (*facts, ("other", other), ("again", action.again), ("more", more))


def _event(t: Tables, s: Position, action: UseEvent) -> list[Message]:
    """S60-S66: what the event costs and brings."""
    kind = EVENTS[s.event]
    if kind is EventKind.TOKEN:
        value = action.value or s.event_token
        gained = Message(GAINS, pounds=value) if action.choice == POUNDS else Message(
            POINTS_GAINED if action.choice == POINTS else SPYRIUM_GAINED, count=value
        )  # fmt: skip
        return [gained, *([Message(COUNTS_AS, value=action.value)] if action.value else [])]
    if kind is EventKind.RESIDENCE:
        return [Message(SPYRIUM_PAID, count=RESIDENCE_EVENT_SPYRIUM), Message(CHOICES[action.choice])]
    if kind is EventKind.POINTS:
        paid = int(action.choice)
        return [Message(PAYS, pounds=paid), Message(POINTS_GAINED, count=POINTS_FOR_POUNDS[paid])]
    if kind is EventKind.MONEY:
        paid = int(action.choice)
        return [Message(SPYRIUM_PAID, count=paid), Message(GAINS, pounds=POUNDS_FOR_SPYRIUM[paid])]
    if kind is EventKind.STRAIGHTEN:
        card, details = _effect(t, s, action.seat, action.space, action.way)
        again = Message(USED_AGAIN, card=Message(card), space=action.space)
        return [Message(PAYS, pounds=STRAIGHTEN_POUNDS), again, *details]
    if kind is EventKind.WORKER:
        paid = worker_event_pounds(s.players[action.seat])
        return [Message(PAYS, pounds=paid), *_new_workers(s, action.seat, 1)]
    return [Message(WORKER_AT, gap=action.gap)]
