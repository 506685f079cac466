"""What the rulebook prints on the cards of Spyrium: symbols, uses and effects, which no edition changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Symbol(Enum):
    """The symbols by which one building can replace another more cheaply (S43)."""

    MINE = "mine"
    FACTORY = "factory"
    RESEARCH = "research"


class Gain(Enum):
    """What a token's value or an effect is counted in."""

    POUNDS = "pounds"
    SPYRIUM = "Spyrium"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Use:
    """One way to use a building: what it takes and what it gives."""

    workers: int = 0
    spyrium: int = 0
    gain_spyrium: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Building:
    """A building's design. `token`: what its token gives when it is built; `new_workers`, `residence`: at once."""

    clause: str
    symbols: tuple[Symbol, ...] = ()
    uses: tuple[Use, ...] = ()
    token: Gain | None = None
    new_workers: int = 0
    residence: bool = False


@dataclass(frozen=True, slots=True)
class Character:
    """A character's effect. `token_gain`: the token's value is gained; `token_price`: it is paid."""

    clause: str = "S70"
    spyrium: int = 0  # spent
    gain_spyrium: int = 0
    points: int = 0
    token_gain: Gain | None = None
    token_price: bool = False
    residence: bool = False

    @property
    def has_token(self) -> bool:
        """Whether tokens are put on the card (S22, S42)."""
        return self.token_price or self.token_gain is not None


@dataclass(frozen=True, slots=True)
class Technique:
    """A technique and the clause that says what it does."""

    clause: str


Design = Building | Character | Technique

_MINE, _FACTORY, _RESEARCH = (Symbol.MINE,), (Symbol.FACTORY,), (Symbol.RESEARCH,)
_LABORATORY = (Symbol.FACTORY, Symbol.RESEARCH)

BUILDINGS: dict[str, Building] = {
    "mine-left": Building("S80", _MINE, (Use(workers=1, gain_spyrium=1),)),
    "mine-middle": Building("S80", _MINE, (Use(gain_spyrium=1), Use(workers=1, gain_spyrium=2))),
    "mine-right": Building("S80", _MINE, (Use(gain_spyrium=1), Use(workers=1, gain_spyrium=3)), token=Gain.SPYRIUM),
    "workshop-left": Building("S81", _FACTORY, (Use(workers=1, spyrium=1, points=3),)),
    "workshop-right": Building("S81", _FACTORY, (Use(workers=1, spyrium=2, points=5),)),
    "factory-left": Building(
        "S81", _FACTORY, (Use(workers=1, spyrium=2, points=6), Use(workers=2, spyrium=3, points=10))
    ),
    "factory-right": Building(
        "S81", _FACTORY, (Use(workers=2, spyrium=3, points=10), Use(workers=2, spyrium=5, points=15))
    ),
    "laboratory-left": Building("S82", _LABORATORY, (Use(workers=1, spyrium=1, points=4),)),
    "laboratory-middle": Building("S82", _LABORATORY, (Use(workers=1, spyrium=1, points=5),)),
    "laboratory-right": Building("S82", _LABORATORY, (Use(workers=1, spyrium=2, points=7),)),
    "university-left": Building("S83", _RESEARCH, (Use(workers=1, points=2),), token=Gain.POINTS),
    "university-right": Building(
        "S83", _RESEARCH, (Use(workers=1, points=3), Use(workers=2, points=6)), token=Gain.POINTS
    ),
    "neighbourhood-left": Building("S84", new_workers=1),
    "neighbourhood-right": Building("S84", new_workers=2),
    "residence": Building("S84", residence=True),
    "luxury-home": Building("S84"),
    "mansion": Building("S84"),
    "palace": Building("S84"),
}

CHARACTERS: dict[str, Character] = {
    "miner": Character(token_gain=Gain.SPYRIUM),
    "geologist": Character(gain_spyrium=2),
    "apprentice": Character(spyrium=1, points=3),
    "engineer": Character(spyrium=1, points=4),
    "bureaucrat": Character(token_gain=Gain.POINTS),
    "adviser": Character(points=3),
    "banker": Character(points=4, token_price=True),
    "financier": Character(points=5, token_price=True),
    "architect": Character(token_price=True, residence=True),
}

AUTOMATION, CAPITALIZATION, ENGINEERING = "automation", "capitalization", "engineering"
LOBBYING, CRANE, TAYLORISM, COMMERCE = "lobbying", "crane", "taylorism", "commerce"

TECHNIQUES: dict[str, Technique] = {
    AUTOMATION: Technique("S90"),
    CAPITALIZATION: Technique("S91"),
    ENGINEERING: Technique("S92"),
    LOBBYING: Technique("S93"),
    CRANE: Technique("S94"),
    TAYLORISM: Technique("S95"),
    COMMERCE: Technique("S96"),
}

DESIGNS: dict[str, Design] = {**BUILDINGS, **CHARACTERS, **TECHNIQUES}


class EventKind(Enum):
    """The seven events; the values are their names as cards."""

    TOKEN = "event-token"  # S60
    RESIDENCE = "event-residence"  # S61
    POINTS = "event-points"  # S62
    MONEY = "event-money"  # S63
    STRAIGHTEN = "event-straighten"  # S64
    WORKER = "event-worker"  # S65
    PLACE = "event-place"  # S66


EVENTS: tuple[EventKind, ...] = tuple(EventKind)

EVENT_CLAUSES: dict[EventKind, str] = {kind: f"S{60 + number}" for number, kind in enumerate(EVENTS)}

# S62: pounds -> points; S63: Spyrium -> pounds
POINTS_FOR_POUNDS: dict[int, int] = {3: 3, 6: 5}
POUNDS_FOR_SPYRIUM: dict[int, int] = {1: 3, 3: 6}
