"""Spyrium in the contract test: the fewest, the usual and the most players, every action and draw that can be named."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from contract_kit import ContractGame

from companion.core.game import Rules
from companion.core.types import SEATS, Action, Draw, Seat, SeatInfo, Setup
from companion.games.spyrium.actions import (
    Activate,
    Bonus,
    Deal,
    First,
    Future,
    FutureToken,
    Money,
    Pass,
    Place,
    Reuse,
    Start,
    Token,
    Use,
    UseEvent,
)
from companion.games.spyrium.edition.catalogue import load_catalogue
from companion.games.spyrium.edition.designs import EVENTS

PEOPLE = (("Žofia", "blue"), ("Dobromila", "red"), ("Řehoř", "yellow"), ("Ana", "green"), ("Šimon", "black"))
LONGEST = 2_000  # random games take 150 to 450 events
SPACES = ("new", "b1", "b2", "b3", "b4")  # random games build three buildings at most, mostly
CHOICES = ("pounds", "spyrium", "points", "move", "score", "1", "3", "6", "use", "nonsense")


def spyrium_setup(players: int, **options: str) -> Setup:
    """A set-up of the sample edition."""
    seats = tuple(SeatInfo(name, colour) for name, colour in PEOPLE[:players])
    return Setup("spyrium", seats, "sample", tuple(sorted(options.items())))


def all_actions(rules: Rules) -> Iterator[Action]:
    """Every action for every seat of the game and one more."""
    gaps = [o.slot for o in rules.layout().slots if o.holds == "gap"]
    for seat in SEATS[: len(rules.setup.seats) + 1]:
        yield from (Start(seat), Pass(seat), Bonus(seat, "worker"), Bonus(seat, "money"), Bonus(seat, "cake"))
        for gap in (*gaps, "r3c1|r4c1"):
            yield Place(seat, gap)
            yield UseEvent(seat, "use", gap=gap)
            for card in (*gap.split("|"), "r2c2", "none"):
                yield Money(seat, gap, card)
            for card in gap.split("|"):
                yield from _activations(seat, gap, card)
        for space, way in product((*SPACES, "b99"), range(4)):
            yield Use(seat, space, way)
            yield Reuse(seat, space, way)
            yield UseEvent(seat, "use", space, way)
            for again, again_way in product((*SPACES[1:3], "b99"), (1, 2)):
                yield Use(seat, space, way, again, again_way)
        for choice, value in product(CHOICES, range(5)):
            yield UseEvent(seat, choice, value=value)


def _activations(seat: Seat, gap: str, card: str) -> Iterator[Action]:
    """Techniques, characters and buildings with every addition, and some that fit nothing."""
    for lobbying, residence in product(("", "yes"), ("", "move", "score")):
        yield Activate(seat, gap, card, residence=residence, lobbying=lobbying)
        for space in SPACES:
            yield Activate(seat, gap, card, space, 0, 0, residence, lobbying)
        for token, value in product((1, 2, 3), range(4)):
            yield Activate(seat, gap, card, "", token, value, residence, lobbying)
    for space, value, lobbying in product(SPACES, (1, 2, 3), ("", "yes")):
        yield Activate(seat, gap, card, space, 0, value, "", lobbying)
    yield Activate(seat, gap, card, "nowhere")


def all_draws(rules: Rules) -> Iterator[Draw]:
    """Every draw of every card, event and value, and some of none."""
    cards = [card.id for card in load_catalogue("sample").cards] + ["dragon"]
    slots = [o.slot for o in rules.layout().slots if o.holds == "card"]
    yield from (First(seat) for seat in SEATS)
    yield from (Future(event.value) for event in EVENTS)
    yield Future("event-rain")
    for value in range(5):
        yield FutureToken(value)
        yield from (Token(slot, value) for slot in slots)
    yield from (Deal(slot, card) for slot in slots for card in cards)


CONTRACT = ContractGame(
    setups={
        "two players": spyrium_setup(2),
        "three players, Taylorism along": spyrium_setup(3, taylorism="rider"),
        "five players": spyrium_setup(5),
    },
    actions=all_actions,
    draws=all_draws,
    longest=LONGEST,
)
