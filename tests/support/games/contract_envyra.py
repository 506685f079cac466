"""Envyra in the contract test: every variant in some set-up, every action and draw that can be named."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from contract_kit import ContractGame

from companion.core.game import Rules
from companion.core.types import SEATS, Action, Draw, SeatInfo, Setup
from companion.games.envyra.actions import (
    BoxTile,
    Choose,
    Confirm,
    DealTile,
    Finish,
    HandCard,
    Move,
    OpenCard,
    Pick,
    Refill,
    Remove,
    Replace,
    Show,
    StartingFigure,
    TakeBack,
)
from companion.games.envyra.edition.catalogue import load_catalogue

PEOPLE = (("Žofia", "purple"), ("Dobromila", "gray"), ("Řehoř", "pink"), ("Ana", "white"))
CARDS = tuple(f"eq-{n}" for n in range(1, 10))
LONGEST = 20_000  # random games take 100 to 900 events


def envyra_setup(players: int, **options: str) -> Setup:
    """A set-up of the sample edition."""
    seats = tuple(SeatInfo(name, colour) for name, colour in PEOPLE[:players])
    return Setup("envyra", seats, "sample", tuple(sorted(options.items())))


def all_actions(rules: Rules) -> Iterator[Action]:
    """Every action for every seat, places of the largest grid and outside of it included."""
    places = (*tuple(outline.slot for outline in rules.layout().slots), "r4c1")
    for seat in SEATS:
        yield Confirm(seat)
        yield Finish(seat)
        yield TakeBack(seat)
        yield Choose(seat, ())
        for size in (1, 2):
            for group in combinations(places, size):
                yield Choose(seat, group)
        yield Choose(seat, (places[0], places[0]))
        yield Choose(seat, places[:3])
        for slot in places:
            yield Move(seat, slot)
            yield Remove(seat, slot)
        for card in CARDS:
            yield Pick(seat, card)
            yield Show(seat, card)


def all_draws(rules: Rules) -> Iterator[Draw]:
    """Every draw of every piece of the box."""
    tiles = [tile.id for tile in load_catalogue("sample").tiles] + ["dragon"]
    slots = [outline.slot for outline in rules.layout().slots]
    yield from (StartingFigure(seat) for seat in SEATS)
    for card in CARDS:
        yield OpenCard(card)
        yield from (HandCard(seat, card) for seat in SEATS)
    for tile in tiles:
        yield BoxTile(tile)
        for slot in slots:
            yield DealTile(slot, tile)
            yield Refill(slot, tile)
            yield Replace(slot, tile)


CONTRACT = ContractGame(
    setups={
        "two players": envyra_setup(2),
        "two players, basic variant, drawn": envyra_setup(2, variant="basic", removed_tiles="drawn", corner="br"),
        "three players, open cards": envyra_setup(3, equilibrium="a", end_tile="alternative"),
        "three players, both cards, picked": envyra_setup(3, equilibrium="c", card_choice="pick", corner="tr"),
        "four players, cards on the table": envyra_setup(4, equilibrium="c", secret_cards="table"),
        "four players, secret cards, drawn": envyra_setup(4, equilibrium="b", removed_tiles="drawn", corner="bl"),
    },
    actions=all_actions,
    draws=all_draws,
    longest=LONGEST,
)
