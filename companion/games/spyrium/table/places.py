"""The places of a drawn table that an act of Spyrium names: what people tap to tell it."""

from __future__ import annotations

from companion.core.types import Action, Slot
from companion.games.spyrium.actions import Activate, Money, Place, Reuse, Use, UseEvent
from companion.games.spyrium.play.acts import NO_CARD

EVENT = "event"


def act_places(action: Action) -> tuple[Slot, ...]:
    """Gap, card, own building or event card, in the order in which people think of them; () for none.

    What else an activation chooses (a space, a token, a bonus) is said in words once card and worker are tapped.
    """
    if isinstance(action, Place):
        return (action.gap,)
    if isinstance(action, Money):
        return (action.gap,) if action.card == NO_CARD else (action.gap, action.card)
    if isinstance(action, Activate):
        return (action.gap, action.card)
    if isinstance(action, Use):
        again = (own_place(action, action.again),) if action.again else ()
        return (own_place(action, action.space), *again)
    if isinstance(action, Reuse):
        return (own_place(action, action.space),)
    if isinstance(action, UseEvent):
        more = (action.gap,) if action.gap else ()
        return (EVENT, *((own_place(action, action.space),) if action.space else more))
    return ()


def own_place(action: Action, space: str) -> Slot:
    """The place of a building of the seat that acts: A-b2."""
    return f"{action.seat.name}-{space}"
