"""Sentences about events of Envyra: English message ids with placeholders, and their facts."""

from __future__ import annotations

from typing import Any

from companion.core.types import Event
from companion.games.envyra.actions import Choose, HandCard, Pick
from companion.games.envyra.edition.tables import Tables

SENTENCES: dict[str, str] = {
    "Choose": "{seat} chooses {slots}.",
    "Confirm": "{seat} confirms.",
    "TakeBack": "{seat} takes the confirmation back.",
    "Move": "{seat} moves a cube to {slot}.",
    "Remove": "{seat} removes the tile at {slot} from the game.",
    "Pick": "{seat} picks the Equilibrium card {card}.",
    "Show": "{seat} shows the Equilibrium card {card}.",
    "Finish": "{seat} agrees to end the game, as nobody can capture a tile alone any more.",
    "BoxTile": "{tile} goes back into the box.",
    "DealTile": "{tile} is dealt to {slot}.",
    "StartingFigure": "{seat} takes the starting figure.",
    "OpenCard": "The Equilibrium card {card} is laid open.",
    "HandCard": "{seat} gets the Equilibrium card {card}.",
    "Refill": "{tile} is drawn for {slot}.",
    "Replace": "{tile} is drawn as a replacement for {slot}.",
}

SECRET_SENTENCES: dict[type[Event], str] = {
    Choose: "{seat} chooses places in secret.",
    HandCard: "{seat} gets an Equilibrium card in secret.",
    Pick: "{seat} picks an Equilibrium card in secret.",
}


def describe_event(t: Tables, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """The sentence for an event. Raises ValueError for another game's event."""
    sentence = SENTENCES.get(type(event).__name__)
    if sentence is None:
        raise ValueError(f"expected an event of Envyra, got {type(event).__name__}")
    facts = {name: getattr(event, name) for name in event.__dataclass_fields__}
    facts |= {name: t.face_name(facts[name]) for name in ("tile", "card") if name in facts}
    return sentence, tuple(facts.items())
