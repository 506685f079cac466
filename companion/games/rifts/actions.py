"""What players do and what chance does in Rifts of N'Norya, and the one-line text of each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game_kit.notation import Notation
from companion.core.types import Action, Draw, Seat, Slot

YES = "yes"


@dataclass(frozen=True, slots=True)
class Start(Action):
    """N2: the mage is placed on a space of the starting tile."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Spawn(Action):
    """N32: the players agree on the spawn icon at `slot`, one of several that are equally near."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Place(Action):
    """N10: the drawn tile is laid with its first space on `slot`, turned by `turn` sixths clockwise."""

    slot: Slot
    turn: int


@dataclass(frozen=True, slots=True)
class Temple(Action):
    """N13, R-N9: of several corners the temple comes to `slot`."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Move(Action):
    """N20: one movement to `slot`."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """N22: combat against the "enemy" or the "rift" on the mage's space begins."""

    foe: str


@dataclass(frozen=True, slots=True)
class Seek(Action):
    """N40: the mage seeks the relic of the temple in whose element group it stands."""


@dataclass(frozen=True, slots=True)
class Join(Action):
    """N30: the mage fights together with the one whose turn it is."""


@dataclass(frozen=True, slots=True)
class Stay(Action):
    """N30: the mage stays out of the fight."""


@dataclass(frozen=True, slots=True)
class Cast(Action):
    """N30: a card is played from the hand; `fuel`: "yes" to pay a resource for more damage (R-N10)."""

    card: str
    fuel: str = ""


@dataclass(frozen=True, slots=True)
class Done(Action):
    """N30: the mage plays no more cards in this round."""


@dataclass(frozen=True, slots=True)
class Share(Action):
    """N30: an offer how to divide: gold of every fighter in seat order, "A2 B0+token"; a token or relic goes to one."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeWound(Action):
    """N30: an offer that `who` takes the Wound."""

    who: Seat


@dataclass(frozen=True, slots=True)
class Agree(Action):
    """N30: the mage agrees to the offer."""


@dataclass(frozen=True, slots=True)
class Refuse(Action):
    """N30: the mage does not agree; the next one makes an offer (R-N12)."""


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """N50: the spell in place `slot` of the market is bought."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Clear(Action):
    """N50: the market is cleared for 3 gold."""


@dataclass(frozen=True, slots=True)
class Equip(Action):
    """N50: the "horse", "boat" or "scroll" is bought in a city."""

    item: str


@dataclass(frozen=True, slots=True)
class Trade(Action):
    """R-N11: a resource of "fire", "earth" or "air" is sold in a village."""

    element: str


@dataclass(frozen=True, slots=True)
class End(Action):
    """N20: the mage ends its turn."""


@dataclass(frozen=True, slots=True)
class Fall(Action):
    """N41, R-N17: the mage shows four Wounds in its hand of real cards and is knocked out."""


@dataclass(frozen=True, slots=True)
class Stand(Action):
    """R-N17: the mage has fewer than four Wounds in its hand of real cards."""


@dataclass(frozen=True, slots=True)
class Market(Draw):
    """N3, N50: `card` comes into place `slot` of the market."""

    slot: Slot
    card: str


@dataclass(frozen=True, slots=True)
class Hand(Draw):
    """N1, N30: `seat` draws `card`, which only that seat sees."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Location(Draw):
    """N10: `tile` is drawn."""

    tile: str


@dataclass(frozen=True, slots=True)
class Gold(Draw):
    """N30: so much gold stands under the token of the defeated enemy."""

    value: int


ACTION_TYPES: tuple[type[Action], ...] = (
    Start, Spawn, Place, Temple, Move, Attack, Seek, Join, Stay, Cast, Done, Share, TakeWound, Agree, Refuse, Buy,
    Clear, Equip, Trade, End, Fall, Stand,
)  # fmt: skip
DRAW_TYPES: tuple[type[Draw], ...] = (Market, Hand, Location, Gold)

NOTATION = Notation(
    "Rifts of N'Norya",
    {
        "start": Start,
        "spawn": Spawn,
        "place": Place,
        "temple": Temple,
        "move": Move,
        "fight": Attack,
        "seek": Seek,
        "join": Join,
        "stay": Stay,
        "cast": Cast,
        "done": Done,
        "share": Share,
        "wound": TakeWound,
        "agree": Agree,
        "refuse": Refuse,
        "buy": Buy,
        "clear": Clear,
        "store": Equip,
        "trade": Trade,
        "end": End,
        "fall": Fall,
        "stand": Stand,
    },
    {"market": Market, "hand": Hand, "location": Location, "gold": Gold},
)
