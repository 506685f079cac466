"""What an act of Spyrium costs and brings, part by part, in words."""

from __future__ import annotations

from companion.core.messages import Message
from companion.games.spyrium.actions import NEW_SPACE, Activate
from companion.games.spyrium.edition.designs import Building, Use
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.activation import Cost
from companion.games.spyrium.state import State

PRICE, CHEAPER_PRICE = "price £{price}", "price £{price} after £{less} off for a shared symbol"
SURCHARGE = "other workers £{surcharge}"
SPACE, CHEAPER_SPACE = "new space £{space}", "new space £{space} after £{less} off by the Crane"
TOKEN_PAID = "token £{token}"
WORKERS_USED, SPYRIUM_PAID = "workers used: {count}", "Spyrium paid: {count}"
SPYRIUM_GAINED, POINTS_GAINED = "Spyrium gained: {count}", "points gained: {count}"


def cost_parts(t: Tables, s: State, action: Activate, cost: Cost) -> tuple[Message, ...]:
    """The pounds that an activation costs: S41 price and surcharge, S43 space and shared symbol, S70 token, S94."""
    kind = s.market[t.slot_index[action.card]]
    less = t.cards[kind].price - cost.price
    parts = [Message(CHEAPER_PRICE if less else PRICE, price=cost.price, less=less)]
    if cost.surcharge:
        parts.append(Message(SURCHARGE, surcharge=cost.surcharge))
    owned = len(s.players[action.seat].buildings)
    if isinstance(t.designs[kind], Building) and action.space == NEW_SPACE and owned:
        less = owned - cost.space
        parts.append(Message(CHEAPER_SPACE if less else SPACE, space=cost.space, less=less))
    if cost.token:
        parts.append(Message(TOKEN_PAID, token=cost.token))
    return tuple(parts)


def effect_parts(use: Use) -> tuple[Message, ...]:
    """S45: what a use of a building takes and gives."""
    taken = ((WORKERS_USED, use.workers), (SPYRIUM_PAID, use.spyrium))
    given = ((SPYRIUM_GAINED, use.gain_spyrium), (POINTS_GAINED, use.points))
    return tuple(Message(message, count=count) for message, count in (*taken, *given) if count)
