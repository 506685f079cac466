"""What is printed on the spell cards of Rifts of N'Norya, and what a whole box has of them (N1, N3)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from companion.core.face_form import FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.messages import Message
from companion.games.rifts.edition.catalogue import NO_FUEL
from companion.games.rifts.edition.form import BLUE_DEG, COLOURS, sample_text
from companion.games.rifts.edition.world import BOTTOM_CARDS, HAND, MARKET_PLACES, RESOURCES, Element

CARD_MM = (44.0, 68.0)
CARD_THICKNESS_MM = 0.4
"""Sample data: the rulebook prints no sizes."""

MOST_DAMAGE = MOST_PRICE = 15
MOST_BOOST = 9
START, BOOK = "start", "book"
"""The two piles of an element, by the catalogue's keys of how many copies each has (N1, N3)."""
BOOK_LEAST = MARKET_PLACES + BOTTOM_CARDS


def progress(cards: Sequence[Values]) -> tuple[Progress, ...]:
    """What N1 and N3 say of the spells of each element; how many there are beyond that is a box's own."""
    lines = []
    for element in Element:
        for pile, least, clause, text in (
            (START, HAND, "N1", "Starting deck, {element}: at least {least} spells"),
            (BOOK, BOOK_LEAST, "N3", "Spell book, {element}: at least {least} spells"),
        ):
            have = sum(card.get("pile") == pile and card.get("element") == element.value for card in cards)
            message = Message(text, element=Message(element.value), least=least)
            lines.append(Progress(message, min(have, least), least, clause))
    return tuple(lines)


def entry(card_id: str, values: Values) -> str:
    """A spell as its catalogue writes it, but for its copies; what it has not is 0."""
    lines = ["[[spell]]", f"id = {json.dumps(card_id)}"]
    lines += [f"{key} = {json.dumps(values[key])}" for key in ("element", "fuel")]
    return "\n".join(lines + [f"{key} = {int(values[key] or 0)}" for key in ("damage", "boost", "price")])


def _figures(most: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(most + 1))


_ELEMENTS = tuple(element.value for element in Element)
_FUELS = tuple(element.value for element in RESOURCES)
_HUES, _HUELESS = COLOURS["sells"]

SPELL_FORM = FaceForm(
    table="spell",
    one="spell",
    many="spells",
    size_mm=CARD_MM,
    thickness_mm=CARD_THICKNESS_MM,
    fields=(
        FaceField("pile", "Pile, by the back of the card", Shown.BACK, Written.NOWHERE, (START, BOOK),
                  ("starting deck", "spell book")),
        FaceField("element", "Element", Shown.GROUND, Written.TEXT, _ELEMENTS, (),
                  (*_HUES, (Element.WATER.value, BLUE_DEG)), _HUELESS, False),
        FaceField("damage", "Damage", Shown.FIGURE, Written.WHOLE, _figures(MOST_DAMAGE)),
        FaceField("fuel", "Fuel", Shown.PICTURE, Written.TEXT, (NO_FUEL, *_FUELS), ("nothing", *_FUELS)),
        FaceField("boost", "Boost", Shown.FIGURE, Written.WHOLE, _figures(MOST_BOOST), only=("fuel", _FUELS)),
        FaceField("price", "Price", Shown.FIGURE, Written.WHOLE, _figures(MOST_PRICE),
                  only=("pile", (BOOK,))),  # N3: a spell of a starting deck is never for sale
    ),
    named_by=("element",),
    progress=progress,
    copies_by="pile",
    own_print=True,
    unlearnt=sample_text(("spell",)),
    entry=entry,
)
