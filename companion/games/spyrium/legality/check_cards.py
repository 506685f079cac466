"""Whether a market card of Spyrium can be activated as said, and if not, why: place, token, space, techniques, cost."""

from __future__ import annotations

from typing import Any

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.spyrium.actions import MOVE, NEW_SPACE, SCORE, YES, Activate
from companion.games.spyrium.edition.designs import COMMERCE, LOBBYING, Building, Character
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.activation import (
    activation_cost,
    has_technique,
    space_index,
    space_name,
    technique_ready,
    token_used,
    workers_beside,
)
from companion.games.spyrium.play.costs import cost_parts
from companion.games.spyrium.state import NONE, State

TOKEN_VALUES = (1, 2, 3)


def unknown_gap(t: Tables, gap: str, clause: str) -> Violation | None:
    """Why `gap` is no place for a worker at all, or None."""
    if gap in t.gap_index:
        return None
    facts = (("gap", shown(gap)), ("example", t.gaps[0]))
    if not gap:
        return Violation(clause, "A worker stands between two neighbouring cards, as at {example}; say where.", facts)
    message = "{gap} is no gap inside the market; workers stand between two neighbouring cards, as at {example}."
    return Violation(clause, message, facts)


def beside(t: Tables, s: State, seat: Seat, gap: str, card: str | None, clause: str) -> Violation | None:
    """Why the seat has no worker in `gap` or no card lies in the slot `card` beside it, or None."""
    wrong = unknown_gap(t, gap, clause)
    if wrong is not None:
        return wrong
    index = t.gap_index[gap]
    facts: tuple[tuple[str, Any], ...] = (("seat", seat), ("gap", gap))
    if not s.gaps[index][seat]:
        mine = tuple(name for name, here in zip(t.gaps, s.gaps, strict=True) if here[seat])
        if not mine:
            return Violation(clause, "{seat} has no worker in the market.", facts, (gap,))
        return Violation(clause, "{seat} has no worker at {gap}, only at {mine}.", (*facts, ("mine", mine)), (gap,))
    if card is None:
        return None
    cards = tuple(t.slots[x] for x in t.gap_cards[index])
    if card not in cards:
        message = "{card} does not lie beside {gap}; {cards} do."
        return Violation(clause, message, (*facts, ("card", shown(card)), ("cards", cards)), (gap,))
    if s.market[t.slot_index[card]] == NONE:
        return Violation(clause, "No card lies at {card} any more.", (*facts, ("card", card)), (card,))
    return None


def residence_problem(t: Tables, s: State, seat: Seat, choice: str) -> Violation | None:
    """S53: why the seat cannot act on the residence track like this, or None."""
    value, last = t.track[s.players[seat].residence], s.players[seat].residence == len(t.track) - 1
    facts = (("seat", seat), ("value", value), ("choice", shown(choice)))
    if not choice:
        return Violation("S53", "On the residence track {seat} chooses move or score.", facts)
    if choice not in (MOVE, SCORE):
        return Violation("S53", "On the residence track {seat} chooses move or score, not {choice}.", facts)
    if choice == MOVE and last:
        return Violation("S53", "{seat} is on the last residence space, {value}, and can only score it.", facts)
    return None


def commerce_problem(t: Tables, s: State, seat: Seat, shows: int, value: int) -> Violation | None:
    """S96: why the seat cannot let a token that `shows` a value (0: no token) count as `value`, or None."""
    facts = (("seat", seat), ("shows", shows), ("value", value))
    if not has_technique(t, s.players[seat], COMMERCE):
        return Violation("S96", "{seat} does not have Commerce and takes a token as it is.", facts)
    if not technique_ready(t, s.players[seat], COMMERCE):
        return Violation("S96", "{seat} has chosen the value of a token by Commerce once this turn.", facts)
    if not shows:
        return Violation("S96", "There is no token whose value {seat} could choose.", facts)
    if value not in TOKEN_VALUES or value == shows:
        return Violation("S96", "A token of {shows} can count as another value from 1 to 3, not as {value}.", facts)
    return None


def check_activate(t: Tables, s: State, action: Activate) -> Violation | None:
    """Why this activation is illegal, or None."""
    seat, gap, card = action.seat, action.gap, action.card
    wrong = beside(t, s, seat, gap, card, "S41")
    if wrong is not None:
        return wrong
    slot = t.slot_index[card]
    design = t.designs[s.market[slot]]
    if isinstance(design, Building):
        wrong = _space_problem(t, s, action)
    elif action.space:
        facts = (("card", t.cards[s.market[slot]].name), ("space", shown(action.space)))
        wrong = Violation("S43", "Only buildings take a space; {card} does not go to {space}.", facts, (card,))
    if wrong is None:
        wrong = _token_problem(t, s, action, slot, isinstance(design, Character) and design.has_token)
    if wrong is None and (action.residence or _has_residence(t, s, slot)):
        wrong = _residence_problem(t, s, action, slot)
    if wrong is None and action.lobbying:
        wrong = _lobbying_problem(t, s, action, slot)
    return wrong or _cost_problem(t, s, action, slot)


def _space_problem(t: Tables, s: State, action: Activate) -> Violation | None:
    player = s.players[action.seat]
    if action.space == NEW_SPACE or space_index(player, action.space) != NONE:
        return None
    spaces = (NEW_SPACE, *(space_name(i) for i in range(len(player.buildings))))
    card = t.cards[s.market[t.slot_index[action.card]]].name
    facts = (("seat", action.seat), ("space", shown(action.space)), ("spaces", spaces), ("card", card))
    if not action.space:
        return Violation("S43", "{seat} says where {card} is built; possible: {spaces}.", facts, (action.card,))
    return Violation("S43", "{card} can be built at {spaces}, not at {space}.", facts, (action.card,))


def _token_problem(t: Tables, s: State, action: Activate, slot: int, needs_token: bool) -> Violation | None:
    """S42: a token character uses one of its tokens; S96: what a token counts as."""
    tokens, seat = s.tokens[slot], action.seat
    values = tuple(v for v in TOKEN_VALUES if tokens[v - 1])
    facts: tuple[tuple[str, Any], ...] = (
        ("card", t.cards[s.market[slot]].name), ("token", action.token), ("values", values), ("seat", seat),
    )  # fmt: skip
    if needs_token and not values:
        return Violation("S42", "No token is left on {card}: it cannot be called upon.", facts, (action.card,))
    if needs_token and not action.token:
        return Violation("S42", "{seat} chooses one of the tokens on {card}: {values}.", facts, (action.card,))
    if needs_token and action.token not in values:
        message = "{seat} chooses one of the tokens on {card}, {values}, not {token}."
        return Violation("S42", message, facts, (action.card,))
    if not needs_token and action.token:
        return Violation("S42", "No token is chosen when {card} is activated.", facts, (action.card,))
    if action.value:
        return commerce_problem(t, s, seat, token_used(s, slot, action), action.value)
    return None


def _has_residence(t: Tables, s: State, slot: int) -> bool:
    design = t.designs[s.market[slot]]
    return isinstance(design, (Building, Character)) and design.residence


def _residence_problem(t: Tables, s: State, action: Activate, slot: int) -> Violation | None:
    if _has_residence(t, s, slot):
        return residence_problem(t, s, action.seat, action.residence)
    facts = (("card", t.cards[s.market[slot]].name),)
    return Violation("S53", "{card} gives no action on the residence track.", facts, (action.card,))


def _lobbying_problem(t: Tables, s: State, action: Activate, slot: int) -> Violation | None:
    player, card = s.players[action.seat], t.cards[s.market[slot]].name
    facts = (("seat", action.seat), ("card", card), ("got", shown(action.lobbying)))
    if action.lobbying != YES:
        return Violation("S93", "Lobbying is yes or left out, not {got}.", facts)
    if not has_technique(t, player, LOBBYING):
        return Violation("S93", "{seat} does not have Lobbying and pays for the other workers.", facts)
    if not technique_ready(t, player, LOBBYING):
        return Violation("S93", "{seat} has used Lobbying once this turn.", facts)
    if workers_beside(t, s, slot) == 1:  # R-S8
        return Violation("S93", "No other worker stands beside {card}: Lobbying would save nothing.", facts)
    return None


def _cost_problem(t: Tables, s: State, action: Activate, slot: int) -> Violation | None:
    """S48: who cannot pay cannot choose the action."""
    seat, kind = action.seat, s.market[slot]
    player, cost, design = s.players[seat], activation_cost(t, s, action), t.designs[kind]
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("card", t.cards[kind].name), ("price", cost.price), ("surcharge", cost.surcharge),
        ("space", cost.space), ("token", cost.token), ("total", cost.total), ("money", player.money),
    )  # fmt: skip
    if cost.total > player.money:
        facts = (*facts, ("parts", cost_parts(t, s, action, cost)))
        return Violation("S48", "{card} costs £{total} ({parts}); {seat} has £{money}.", facts, (action.card,))
    if isinstance(design, Character) and design.spyrium > player.spyrium:
        facts_spyrium = (*facts, ("spyrium", design.spyrium), ("owned", player.spyrium))
        return Violation("S48", "{card} takes {spyrium} Spyrium; {seat} has {owned}.", facts_spyrium, (action.card,))
    return None
