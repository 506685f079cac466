"""What chance may do in a position of Rifts of N'Norya: every draw with its probability, and why others cannot come."""

from __future__ import annotations

from fractions import Fraction

from companion.core.shown import shown
from companion.core.types import ChanceOutcome, Draw, Violation
from companion.games.rifts.actions import DRAW_TYPES, NOTATION, Gold, Hand, Location, Market
from companion.games.rifts.edition.hexes import cells_of
from companion.games.rifts.edition.tables import Tables, card_name, tile_name
from companion.games.rifts.legality.check import expected_now
from companion.games.rifts.play.combat import drawer
from companion.games.rifts.play.market import drawable, place_to_fill
from companion.games.rifts.state import CHANCE_PHASES, Phase, State

DRAW_OF_PHASE: dict[Phase, type[Draw]] = {
    Phase.MARKET: Market,
    Phase.HAND: Hand,
    Phase.LOCATION: Location,
    Phase.GOLD: Gold,
}


def chance_outcomes(t: Tables, s: State) -> tuple[ChanceOutcome, ...]:
    """The possible draws in the order of the catalogue; empty when no draw is awaited.

    A card comes with (its copies) / (cards that can come): of the seat's own deck, or of the spell deck (see
    `market.drawable`); a tile with 1 / (tiles face down); gold with (tokens that show it) / (tokens not yet seen).
    """
    draws: list[tuple[Draw, int]] = []
    if s.phase is Phase.MARKET:
        place = t.places[place_to_fill(s)]
        draws = [(Market(place, t.cards[card]), n) for card, n in enumerate(drawable(t, s)) if n]
    elif s.phase is Phase.HAND:
        seat = t.seats[drawer(s)]
        draws = [(Hand(seat, t.cards[card]), n) for card, n in enumerate(s.mages[seat].deck) if n]
    elif s.phase is Phase.LOCATION:
        draws = [(Location(t.tiles[tile].id), 1) for tile in cells_of(s.stack)]
    elif s.phase is Phase.GOLD:
        draws = [(Gold(gold), n) for gold, n in zip(t.gold, s.tokens, strict=True) if n]
    total = sum(n for _, n in draws)
    return tuple(ChanceOutcome(draw, Fraction(n, total)) for draw, n in draws)


def check_draw(t: Tables, s: State, draw: object) -> Violation | None:
    """Why `draw` cannot happen now, or None. Answers a Violation for anything at all; never raises."""
    clause, expected = expected_now(s)
    facts = (("expected", expected),)
    if type(draw) not in DRAW_TYPES:
        return Violation(clause, "This is no draw of Rifts of N'Norya; expected: {expected}.", facts)
    if s.phase not in CHANCE_PHASES:
        return Violation(clause, "Nothing is drawn now; expected: {expected}.", facts)
    if type(draw) is not DRAW_OF_PHASE[s.phase]:
        return Violation(clause, "This is not the draw that is awaited; expected: {expected}.", facts)
    if not NOTATION.well_formed(draw):
        return Violation(clause, "This draw names something that is no card, tile, value or seat.", facts)
    if isinstance(draw, Market):
        return _check_market(t, s, draw)
    if isinstance(draw, Hand):
        return _check_hand(t, s, draw)
    if isinstance(draw, Location):
        return _check_location(t, s, draw)
    assert isinstance(draw, Gold)
    return _check_gold(t, s, draw)


def _check_market(t: Tables, s: State, draw: Market) -> Violation | None:
    place, card = t.places[place_to_fill(s)], t.card_index.get(draw.card)
    if draw.slot != place:
        facts = (("slot", shown(draw.slot)), ("awaited", place))
        return Violation("N50", "The next card belongs at {awaited}, not at {slot}.", facts, (place,))
    facts_card = (("card", card_name(t, draw.card)),)
    if card is None:
        return Violation("N3", "The catalogue has no card {card}.", facts_card)
    if drawable(t, s)[card]:
        return None
    if card == t.rift_card and s.turn == 0:
        return Violation("N3", "A Rift card met while the market is laid out goes back; the next card counts.", ())
    if card == t.rift_card:
        return Violation("N3", "The only Rift card left lies among the bottom five of the spell deck.", ())
    if not t.book[card]:
        return Violation("N3", "{card} is in no spell book of this game.", facts_card)
    return Violation("N3", "All cards {card} of the spell deck have come out.", facts_card)


def _check_hand(t: Tables, s: State, draw: Hand) -> Violation | None:
    seat, card = drawer(s), t.card_index.get(draw.card)
    facts = (("seat", draw.seat), ("awaited", t.seats[seat]), ("card", card_name(t, draw.card)))
    if draw.seat != seat:
        return Violation("N30", "The next card is for {awaited}, not for {seat}.", facts)
    if card is None:
        return Violation("N30", "The catalogue has no card {card}.", facts)
    if not s.mages[seat].deck[card]:
        return Violation("N30", "There is no {card} in the deck of {seat}.", facts)
    return None


def _check_location(t: Tables, s: State, draw: Location) -> Violation | None:
    tile, facts = t.tile_index.get(draw.tile), (("tile", tile_name(t, draw.tile)),)
    if tile is None:
        return Violation("N2", "The catalogue has no location tile {tile}.", facts)
    if not s.stack >> tile & 1:
        return Violation("N10", "{tile} has been drawn already.", facts)
    return None


def _check_gold(t: Tables, s: State, draw: Gold) -> Violation | None:
    facts = (("value", draw.value), ("values", t.gold))
    if draw.value not in t.gold:
        return Violation("N30", "Enemy tokens show {values} gold, not {value}.", facts)
    if not s.tokens[t.gold.index(draw.value)]:
        return Violation("N30", "All enemy tokens with {value} gold have been turned over.", facts)
    return None
