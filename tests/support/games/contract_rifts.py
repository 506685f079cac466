"""Rifts of N'Norya in the contract test: one mage, two and four, every action and draw that can be named."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from contract_kit import ContractGame

from companion.core.game import Rules
from companion.core.types import SEATS, Action, Draw, Seat, SeatInfo, Setup
from companion.games.rifts.actions import (
    Agree,
    Attack,
    Buy,
    Cast,
    Clear,
    Done,
    End,
    Equip,
    Fall,
    Gold,
    Hand,
    Join,
    Location,
    Market,
    Move,
    Place,
    Refuse,
    Seek,
    Share,
    Spawn,
    Stand,
    Start,
    Stay,
    TakeWound,
    Temple,
    Trade,
)
from companion.games.rifts.edition.catalogue import load_catalogue

PEOPLE = (("Žofia", "yellow"), ("Řehoř", "green"), ("Ana", "white"), ("Šimon", "blue"))
LONGEST = 3_000  # random games take 30 to 500 events
MOST_GOLD = 5  # for a rift (N31); tokens and temples of the sample edition have less
PLAIN = (Seek, Join, Stay, Done, Agree, Refuse, Clear, End, Fall, Stand)


def rifts_setup(players: int, *colours: str, **options: str) -> Setup:
    """A set-up of the sample edition; `colours`: other than those of PEOPLE."""
    people = [(name, colour) for name, colour in PEOPLE[:players]]
    seats = tuple(SeatInfo(name, own) for (name, _), own in zip(people, colours or [c for _, c in people], strict=True))
    return Setup("rifts", seats, "sample", tuple(sorted(options.items())))


def all_actions(rules: Rules) -> Iterator[Action]:
    """Every action for every seat of the game and one more."""
    slots = [o.slot for o in rules.layout().slots if o.holds == "location" and o.slot != "drawn"]
    corners = [o.slot for o in rules.layout().slots if o.holds == "gap"]
    cards = [spell.id for spell in load_catalogue("sample").spells]
    players = len(rules.setup.seats)
    offers = [tuple(offer) for offer in _offers(players)]
    for seat in SEATS[: players + 1]:
        yield from (kind(seat) for kind in PLAIN)
        for slot in (*slots, "z9", "s1"):
            yield from (Start(seat, slot), Spawn(seat, slot), Move(seat, slot))
        yield from (Place(seat, slot, turn) for slot in (*slots, "z9") for turn in range(7))
        yield from (Temple(seat, corner) for corner in (*corners, "i9"))
        yield from (Attack(seat, foe) for foe in ("enemy", "rift", "temple", "dragon"))
        yield from (Cast(seat, card, fuel) for card in (*cards, "wound", "rift", "x") for fuel in ("", "yes", "no"))
        yield from (Share(seat, offer) for offer in offers)
        yield from (TakeWound(seat, who) for who in SEATS)
        yield from (Buy(seat, place) for place in ("s1", "s2", "s3", "s4", "s5", "s6"))
        yield from (Equip(seat, item) for item in ("horse", "boat", "scroll", "sword"))
        yield from (Trade(seat, element) for element in ("fire", "earth", "air", "water"))


def _offers(players: int) -> Iterator[list[str]]:
    """Every division of 0 to MOST_GOLD among every group of two or more, with the token to anybody or to nobody."""
    for size in range(2, players + 1):
        for group in combinations([seat.name for seat in SEATS[:players]], size):
            for gold in product(range(MOST_GOLD + 1), repeat=size):
                if sum(gold) <= MOST_GOLD:
                    parts = [f"{name}{n}" for name, n in zip(group, gold, strict=True)]
                    yield parts
                    for taker in range(size):
                        yield [f"{part}+token" if i == taker else part for i, part in enumerate(parts)]
    yield ["A1", "A1"]
    yield ["nonsense"]


def all_draws(rules: Rules) -> Iterator[Draw]:
    """Every draw of every card, tile and value, and some of none."""
    edition = load_catalogue("sample")
    cards = [*(spell.id for spell in edition.spells), "wound", "rift", "dragon"]
    yield from (Market(place, card) for place in ("s1", "s2", "s3", "s4", "s5", "s6") for card in cards)
    yield from (Hand(Seat(seat), card) for seat in range(len(rules.setup.seats)) for card in cards)
    yield Hand(Seat.E, cards[0])
    yield from (Location(tile.id) for tile in edition.tiles)
    yield Location("atlantis")
    yield from (Gold(value) for value in range(6))


CONTRACT = ContractGame(
    setups={
        "one mage": rifts_setup(1, "blue"),
        "three mages, real cards": rifts_setup(3, hands="table"),
        "four mages": rifts_setup(4),
    },
    actions=all_actions,
    draws=all_draws,
    longest=LONGEST,
)
