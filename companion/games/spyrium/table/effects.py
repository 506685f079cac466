"""What a card of Spyrium does, drawn: rows of symbols that say when, what is paid, what is gained."""

from __future__ import annotations

from typing import Any

from companion.games.spyrium.edition.designs import (
    AUTOMATION,
    CAPITALIZATION,
    COMMERCE,
    CRANE,
    DESIGNS,
    ENGINEERING,
    LOBBYING,
    POINTS_FOR_POUNDS,
    POUNDS_FOR_SPYRIUM,
    TAYLORISM,
    Building,
    Character,
    Design,
    EventKind,
    Gain,
)
from companion.games.spyrium.edition.names import CARD_NAMES, EVENT_NAMES
from companion.games.spyrium.play.acts import CAPITALIZATION_POUNDS, RESIDENCE_EVENT_SPYRIUM, STRAIGHTEN_POUNDS

Row = dict[str, Any]
"""`when`: use, built, called, held, end or event. `pay`, `gain`: symbol -> how many; 0: as many as the token shows, or
no number. `of`: the symbol that the row is about; `per`: symbol -> how many of it count once."""

TOKEN_GAINS = {Gain.POUNDS: "pounds", Gain.SPYRIUM: "spyrium", Gain.POINTS: "points"}
AS_THE_TOKEN = 0

_TECHNIQUES: dict[str, tuple[Row, Row]] = {
    AUTOMATION: (
        {"when": "held", "of": "mine", "spare": {"worker": 0}},  # S90
        {"when": "end", "per": {"spyrium": 1}, "gain": {"points": 1}},
    ),
    CAPITALIZATION: (
        {"when": "held", "of": "money", "gain": {"pounds": CAPITALIZATION_POUNDS}},  # S91
        {"when": "end", "per": {"pounds": 2}, "gain": {"points": 1}},
    ),
    ENGINEERING: (
        {"when": "held", "of": "factory", "per": {"worker": 1}, "gain": {"points": 1}},  # S92
        {"when": "end", "of": "factory", "gain": {"points": AS_THE_TOKEN}},
    ),
    LOBBYING: (
        {"when": "held", "spare": {"surcharge": 0}},  # S93
        {"when": "end", "of": "residence", "gain": {"points": AS_THE_TOKEN}},
    ),
    CRANE: (
        {"when": "held", "of": "space", "spare": {"pounds": 3}},  # S94
        {"when": "end", "per": {"building": 1}, "gain": {"points": 1}},
    ),
    TAYLORISM: (
        {"when": "held", "gain": {"again": 0}},  # S95
        {"when": "end", "per": {"worker": 1}, "gain": {"points": 1}},
    ),
    COMMERCE: (
        {"when": "held", "gain": {"token": 0}},  # S96
        {"when": "end", "per": {"token": 1}, "gain": {"points": 1}},
    ),
}


def design_sketch(name: str) -> dict[str, Any]:
    """What the pages draw of every card of the design called `name`, whatever its price and points; `title` is a
    message id."""
    design = DESIGNS[name]
    sort = "technique"
    if isinstance(design, Building):
        sort = "building"
    elif isinstance(design, Character):
        sort = "character"
    symbols = [symbol.value for symbol in design.symbols] if isinstance(design, Building) else []
    return {"title": CARD_NAMES[name], "sort": sort, "symbols": symbols, "effects": effect_rows(name, design)}


def event_sketch(event: str) -> dict[str, Any]:
    """What the pages draw of the event card with this id."""
    kind = EventKind(event)
    return {"title": EVENT_NAMES[kind], "effects": event_rows(kind)}


def effect_rows(name: str, design: Design) -> list[Row]:
    """The rows of the card of the design called `name`."""
    if isinstance(design, Building):
        return _building(design)
    if isinstance(design, Character):
        return [_character(design)]
    return list(_TECHNIQUES[name])


def _building(design: Building) -> list[Row]:
    rows: list[Row] = [
        {
            "when": "use",
            "pay": _some(worker=use.workers, spyrium=use.spyrium),
            "gain": _some(spyrium=use.gain_spyrium, points=use.points),
        }
        for use in design.uses
    ]
    built: dict[str, int] = {}
    if design.token is not None:  # S80, S83
        built[TOKEN_GAINS[design.token]] = AS_THE_TOKEN
    if design.new_workers:  # S84
        built["newcomer"] = design.new_workers
    if design.residence:  # S84
        built["residence"] = 0
    return [*rows, *([{"when": "built", "gain": built}] if built else [])]


def _character(design: Character) -> Row:
    pay, gain = _some(spyrium=design.spyrium), _some(spyrium=design.gain_spyrium, points=design.points)
    if design.token_price:
        pay["pounds"] = AS_THE_TOKEN
    if design.token_gain is not None:
        gain[TOKEN_GAINS[design.token_gain]] = AS_THE_TOKEN
    if design.residence:
        gain["residence"] = 0
    return {"when": "called", "pay": pay, "gain": gain}


def event_rows(kind: EventKind) -> list[Row]:
    """The rows of an event card: one for each thing that can be chosen."""
    match kind:
        case EventKind.TOKEN:  # S60
            return [{"when": "event", "gain": {gain: AS_THE_TOKEN}} for gain in TOKEN_GAINS.values()]
        case EventKind.RESIDENCE:  # S61
            return [{"when": "event", "pay": {"spyrium": RESIDENCE_EVENT_SPYRIUM}, "gain": {"residence": 0}}]
        case EventKind.POINTS:  # S62
            return [_trade("pounds", p, "points", n) for p, n in POINTS_FOR_POUNDS.items()]
        case EventKind.MONEY:  # S63
            return [_trade("spyrium", p, "pounds", n) for p, n in POUNDS_FOR_SPYRIUM.items()]
        case EventKind.STRAIGHTEN:  # S64
            return [{"when": "event", "pay": {"pounds": STRAIGHTEN_POUNDS}, "gain": {"again": 0}}]
        case EventKind.WORKER:  # S65: a pound for each worker owned
            return [{"when": "event", "pay": {"pounds": 1}, "per": {"worker": 1}, "gain": {"newcomer": 1}}]
        case EventKind.PLACE:  # S66
            return [{"when": "event", "gain": {"place": 0}}]


def _trade(paid: str, count: int, gained: str, number: int) -> Row:
    return {"when": "event", "pay": {paid: count}, "gain": {gained: number}}


def _some(**counts: int) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
