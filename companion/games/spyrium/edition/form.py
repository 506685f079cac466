"""What is printed on the cards of Spyrium, and what a whole box holds (S1, S2, R-S9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion.core.face_form import AskedNumber, FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.messages import Message
from companion.games.spyrium.edition.catalogue import (
    APPRENTICE_PRICE,
    DECK_SIZES,
    FACTORY_PRICE,
    KIND_COUNTS,
    PERIODS,
    PRINTED_POINTS,
    TRACK_START,
)
from companion.games.spyrium.edition.designs import (
    BUILDINGS,
    DESIGNS,
    EVENTS,
    TECHNIQUES,
    Building,
    Character,
    Design,
)
from companion.games.spyrium.edition.names import CARD_NAMES, EVENT_NAMES

CARD_MM = (44.0, 68.0)
CARD_THICKNESS_MM = 0.4
"""Sample data: the rulebook prints no sizes."""

DEAREST, MOST_POINTS = 15, 15
EVENT = "event"
"""The pile of the events: all editions have the same seven, no catalogue lists them, but the camera must know them."""
KINDS = {"buildings": "Buildings", "characters": "Characters", "techniques": "Techniques"}
EVENT_VALUES = tuple(event.value for event in EVENTS)

LATER_PLACES = {f"residence_{place}": place + 1 for place in (4, 5, 6)}
"""S3 prints 2, 3 and 4 for the first places of the residence track; what follows is on the board, of which no picture
is taken. Key -> what the sample edition has there."""
MOST_RESIDENCE = 20


def residence_track(numbers: Mapping[str, int]) -> str:
    """The track as the catalogue writes it: of the box once all of it was said."""
    track = [*TRACK_START, *(numbers.get(key, sample) for key, sample in LATER_PLACES.items())]
    origin = "box" if LATER_PLACES.keys() <= numbers.keys() else "sample"
    return f'[residence]\ntrack = {{ value = {track}, provenance = "{origin}" }}'


def is_card(piece: Values) -> bool:
    """Whether a piece is one of the cards that the catalogue lists, and no event."""
    return piece.get("period") != EVENT


def progress(pieces: Sequence[Values]) -> tuple[Progress, ...]:
    """Every count of S1 and R-S9 for the cards learnt so far, and what of S1 and S2 they break."""
    cards = [k for k, piece in enumerate(pieces) if is_card(piece)]
    lines = [_line("All cards", cards, sum(DECK_SIZES.values()), "S1")]
    for name, designs, count in KIND_COUNTS:
        numbers = [k for k in cards if pieces[k].get("design") in designs]
        lines.append(_line(KINDS[name], numbers, count, "S1"))
    for period, size in DECK_SIZES.items():  # R-S9
        numbers = [k for k in cards if pieces[k].get("period") == period]
        lines.append(_line("Cards of period {period}", numbers, size, "R-S9", period=period))
    events = [k for k, piece in enumerate(pieces) if not is_card(piece)]
    lines.append(_line("Events", events, len(EVENTS), "S1"))
    return (*lines, *_problems(pieces, cards, events))


def _problems(pieces: Sequence[Values], cards: Sequence[int], events: Sequence[int]) -> Iterator[Progress]:
    """What cannot become right by laying more cards, and what is still missing when all are there."""
    by_design: dict[str, list[int]] = {}
    for k in cards:
        by_design.setdefault(pieces[k].get("design", ""), []).append(k)
    for design in TECHNIQUES:  # S1: seven techniques, each once
        if len(by_design.get(design, ())) > 1:
            text = "Each technique is there once: {card}"
            yield _line(text, by_design[design], 1, "S1", card=Message(CARD_NAMES[design]))
    kinds = Counter(pieces[k].get("event", "") for k in events)
    for event in EVENTS:  # S1: seven events, each once
        if kinds[event.value] > 1:
            numbers = [k for k in events if pieces[k].get("event") == event.value]
            yield _line("Each event is there once: {card}", numbers, 1, "S1", card=Message(EVENT_NAMES[event]))
    if len(cards) >= sum(DECK_SIZES.values()):
        for design in DESIGNS:  # S1: of each card at least one
            if design not in by_design:
                text = "Of each card at least one: {card}"
                yield Progress(Message(text, card=Message(CARD_NAMES[design])), 0, 1, "S1")
        factories = [k for k in cards if pieces[k].get("design", "").startswith("factory")]
        if not any(pieces[k].get("price") == str(FACTORY_PRICE) for k in factories):
            dearer = Message("One of the factories costs {price} pounds", price=FACTORY_PRICE)
            yield Progress(dearer, 0, 1, "S2", True, tuple(factories))
    for key, want in (("points", PRINTED_POINTS), ("price", {"apprentice": APPRENTICE_PRICE})):  # S2
        for design, value in want.items():
            other = [k for k in by_design.get(design, ()) if pieces[k].get(key) != str(value)]
            if other:
                text = "{card} has {value} points" if key == "points" else "{card} costs {value} pounds"
                message = Message(text, card=Message(CARD_NAMES[design]), value=value)
                yield Progress(message, len(other), 0, "S2", True, tuple(other))


def _line(text: str, numbers: Sequence[int], want: int, clause: str, **facts: object) -> Progress:
    wrong = len(numbers) > want
    return Progress(Message(text, **facts), len(numbers), want, clause, wrong, tuple(numbers) if wrong else ())


def _gains(design: Design) -> tuple[str, ...]:
    """The numbers of what a card gives, as it prints them."""
    gives = design.uses if isinstance(design, Building) else (design,) if isinstance(design, Character) else ()
    return tuple(str(one.points or one.gain_spyrium) for one in gives if one.points or one.gain_spyrium)


FORM = FaceForm(
    table="card",
    one="card",
    many="cards",
    size_mm=CARD_MM,
    thickness_mm=CARD_THICKNESS_MM,
    fields=(
        FaceField("period", "Pile, by the back of the card", Shown.BACK, Written.TEXT, (*PERIODS, EVENT),
                  (*(f"period {period}" for period in PERIODS), "events")),
        FaceField("design", "Card", Shown.PICTURE, Written.TEXT, tuple(DESIGNS),
                  tuple(CARD_NAMES[design] for design in DESIGNS), only=("period", PERIODS),
                  names=(tuple(CARD_NAMES[design] for design in DESIGNS),),
                  figures=tuple(_gains(design) for design in DESIGNS.values())),
        FaceField("event", "Event", Shown.PICTURE, Written.TEXT, EVENT_VALUES,
                  tuple(EVENT_NAMES[event] for event in EVENTS), only=("period", (EVENT,)),
                  names=(tuple(EVENT_NAMES[event] for event in EVENTS),)),
        FaceField("price", "Price", Shown.FIGURE, Written.WHOLE, tuple(str(n) for n in range(DEAREST + 1)),
                  only=("period", PERIODS), ruled=("design", (("apprentice", str(APPRENTICE_PRICE)),))),
        FaceField("points", "Points", Shown.FIGURE, Written.WHOLE, tuple(str(n) for n in range(MOST_POINTS + 1)),
                  only=("design", tuple(BUILDINGS)),
                  ruled=("design", tuple((name, str(points)) for name, points in PRINTED_POINTS.items()))),
    ),
    named_by=("design",),
    progress=progress,
    asked=tuple(
        AskedNumber(key, Message("Residence track, place {place}", place=key.removeprefix("residence_")),
                    TRACK_START[-1] + 1, MOST_RESIDENCE, sample)
        for key, sample in LATER_PLACES.items()
    ),
    unseen=residence_track,
    copies_key="copies",
    own_id=lambda piece: "" if is_card(piece) else piece["event"],
    listed=is_card,
    resource=("spyrium", "Spyrium"),
)
