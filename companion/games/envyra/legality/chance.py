"""What chance may do in a position of Envyra: every possible draw with its exact probability, and why others are not.

Of the tiles nobody has seen it is known how many lie in the bag but not which; each is as likely as the other. So
a tile of the unseen Starting tiles comes with (Starting tiles in the bag / tiles in the bag) / (unseen Starting
tiles), likewise a Basic one, and a tile known to be in the bag with 1 / tiles in the bag.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from companion.core.game import Rules
from companion.core.shown import shown
from companion.core.types import ChanceOutcome, Draw, Seat, Violation
from companion.games.envyra.actions import (
    DRAW_TYPES,
    BoxTile,
    DealTile,
    HandCard,
    OpenCard,
    Refill,
    Replace,
    StartingFigure,
)
from companion.games.envyra.edition.names import tile_name
from companion.games.envyra.edition.tables import Row, Tables, bits, indexes
from companion.games.envyra.legality.check import expected_now, seats_to_act
from companion.games.envyra.play.setting_up import cards_left, hand_seat, tiles_to_box
from companion.games.envyra.state import CHANCE_PHASES, Phase, State

DRAW_OF_PHASE: dict[Phase, type[Draw]] = {
    Phase.BOX: BoxTile,
    Phase.DEAL: DealTile,
    Phase.START: StartingFigure,
    Phase.OPEN: OpenCard,
    Phase.HAND: HandCard,
    Phase.REFILL: Refill,
    Phase.REPLACE: Replace,
}


ROWS_LIMIT = 2_500  # rows of 38 outcomes each: some 10 MB; a table meets a few hundred


def _row(t: Tables, kind: type[DealTile] | type[Refill] | type[Replace], slot: int, part: int, whole: int) -> Row:
    """Ready-made outcomes of every tile for a slot, each with the probability part / whole."""
    key = (kind, slot, part, whole)
    row = t.outcome_rows.get(key)
    if row is None:
        if len(t.outcome_rows) >= ROWS_LIMIT:
            t.outcome_rows.clear()
        probability = Fraction(part, whole)
        row = tuple([ChanceOutcome(kind(t.slots[slot], tile.id), probability) for tile in t.tiles])
        t.outcome_rows[key] = row
    return row


def chance_outcomes(t: Tables, s: State) -> tuple[ChanceOutcome, ...]:
    """The possible draws; empty when no draw is awaited.

    Tiles come in the catalogue's order: first unseen Starting tiles, then unseen Basic ones, then those known to be in
    the bag; seats and cards in theirs.
    """
    phase = s.phase
    if phase is Phase.REFILL or phase is Phase.REPLACE:
        return _from_bag(t, s, Refill if phase is Phase.REFILL else Replace)
    if phase is Phase.DEAL:
        row = _row(t, DealTile, s.slot, 1, s.supply.pool_start.bit_count())
        return tuple([row[i] for i in indexes(s.supply.pool_start)])
    draws: list[Draw]
    if phase is Phase.BOX:
        draws = [BoxTile(t.tiles[i].id) for i in bits(tiles_to_box(t, s.supply))]
    elif phase is Phase.START:
        draws = [StartingFigure(seat) for seat in t.seats]
    elif phase is Phase.OPEN:
        draws = [OpenCard(t.cards[i].id) for i in cards_left(t, s)]
    elif phase is Phase.HAND:
        draws = [HandCard(t.seats[hand_seat(t, s)], t.cards[i].id) for i in cards_left(t, s)]
    else:
        return ()
    return tuple(ChanceOutcome(draw, Fraction(1, len(draws))) for draw in draws)


def _from_bag(t: Tables, s: State, kind: type[Refill] | type[Replace]) -> tuple[ChanceOutcome, ...]:
    supply, slot = s.supply, s.slot
    total = supply.in_bag
    outcomes: list[ChanceOutcome] = []
    if supply.start_in_bag:
        row = _row(t, kind, slot, supply.start_in_bag, total * supply.pool_start.bit_count())
        outcomes += [row[i] for i in indexes(supply.pool_start)]
    if supply.basic_in_bag:
        row = _row(t, kind, slot, supply.basic_in_bag, total * supply.pool_basic.bit_count())
        outcomes += [row[i] for i in indexes(supply.pool_basic)]
    if supply.known:
        row = _row(t, kind, slot, 1, total)
        outcomes += [row[i] for i in indexes(supply.known)]
    return tuple(outcomes)


def check_draw(t: Tables, s: State, draw: object) -> Violation | None:
    """Why `draw` cannot happen now, or None. Answers a Violation for anything at all; never raises."""
    clause, expected = expected_now(s)
    if type(draw) not in DRAW_TYPES:
        return Violation(clause, "This is no draw of Envyra; expected: {expected}.", (("expected", expected),))
    if s.phase not in CHANCE_PHASES:
        facts_now = (("expected", expected), ("awaited", seats_to_act(t, s)))
        return Violation(clause, "Nothing is drawn now; expected: {expected}.", facts_now)
    if type(draw) is not DRAW_OF_PHASE[s.phase]:
        message = "This is not the draw that is awaited; expected: {expected}."
        return Violation(clause, message, (("expected", expected),))
    if isinstance(draw, StartingFigure):
        return None if type(draw.seat) is Seat and draw.seat < len(t.seats) else _no_seat(t, draw.seat)
    if isinstance(draw, HandCard):
        return _check_hand(t, s, draw)
    if isinstance(draw, OpenCard):
        return _check_card(t, draw.card, s.cards.open, clause)
    if isinstance(draw, BoxTile):
        return _check_tile(t, s, draw.tile, tiles_to_box(t, s.supply), clause)
    assert isinstance(draw, (DealTile, Refill, Replace))
    slot = t.slots[s.slot]
    if draw.slot != slot:
        clause = clause if s.phase is Phase.REPLACE else "R-08"
        facts = (("slot", shown(draw.slot)), ("awaited", slot))
        return Violation(clause, "The next tile belongs at {awaited}, not at {slot}.", facts, (slot,))
    return _check_tile(t, s, draw.tile, _drawable(s), clause)


def _drawable(s: State) -> int:
    supply = s.supply
    if s.phase is Phase.DEAL:
        return supply.pool_start
    start = supply.pool_start if supply.start_in_bag else 0
    return supply.known | start | (supply.pool_basic if supply.basic_in_bag else 0)


def _no_seat(t: Tables, seat: object) -> Violation:
    facts = (("got", shown(seat)), ("players", len(t.seats)))
    return Violation("E14", "There is no seat {got} in this game; players: {players}.", facts)


def _check_hand(t: Tables, s: State, draw: HandCard) -> Violation | None:
    if type(draw.seat) is not Seat or draw.seat >= len(t.seats):
        return _no_seat(t, draw.seat)
    seat = t.seats[hand_seat(t, s)]
    if draw.seat != seat:
        facts = (("seat", draw.seat), ("awaited", seat))
        return Violation("E72", "The next secret card is for {awaited}, not for {seat}.", facts)
    # E72: a card that another seat was told to hold passes; a refusal would tell who asks what the other holds.
    return _check_card(t, draw.card, s.cards.open, "E72")


def draws_told_by(rules: Rules, state: Any, seat: Seat) -> tuple[ChanceOutcome, ...]:
    """The cards that `seat` may have been dealt as far as it knows: all that do not lie open, evenly (E72)."""
    t: Tables = rules.tables  # type: ignore[attr-defined]
    if state.phase is not Phase.HAND:
        return chance_outcomes(t, state)
    cards = [card.id for i, card in enumerate(t.cards) if i not in state.cards.open]
    return tuple(ChanceOutcome(HandCard(seat, card), Fraction(1, len(cards))) for card in cards)


def _check_card(t: Tables, name: object, gone: tuple[int, ...], clause: str) -> Violation | None:
    card = t.card_index.get(name) if isinstance(name, str) else None
    facts = (("card", t.face_name(name)),)
    if card is None:
        known = isinstance(name, str) and any(c.id == name for c in t.catalogue.cards)  # E73: not for fewer than four
        return Violation("E73" if known else clause, "{card} is no Equilibrium card of this game.", facts)
    if card in gone:
        return Violation(clause, "{card} has been drawn already.", facts)
    return None


def _check_tile(t: Tables, s: State, name: object, possible: int, clause: str) -> Violation | None:
    tile = t.tile_index.get(name) if isinstance(name, str) else None
    if tile is None:
        facts = (("tile", shown(name)),)
        other = next((x for x in t.catalogue.tiles if x.id == name), None)
        if other is not None:
            facts = (("tile", tile_name(t.catalogue, other)),)
            return Violation("R-01", "{tile} is not the End tile chosen for this game.", facts)
        return Violation("E1", "The catalogue has no tile {tile}.", facts)
    if possible >> tile & 1:
        return None
    broken, where = _whereabouts(t, s, tile)
    facts_where = (("tile", t.tile_names[tile]), ("where", where))
    return Violation(broken or clause, "{tile} cannot be drawn now: it is {where}.", facts_where)


def _whereabouts(t: Tables, s: State, tile: int) -> tuple[str, str]:
    """The clause by which a tile cannot come, and where it is."""
    bit, supply = 1 << tile, s.supply
    if tile in s.grid:
        return "", "in the grid"
    if any(owned & bit for owned in s.owned):
        return "", "captured"
    if supply.removed & bit:
        return "E55", "removed from the game"
    if supply.aside & bit:
        return ("E51" if tile == t.end else "E55"), "put aside until another tile has been drawn"
    if supply.boxed & bit:
        return "E10", "in the box"
    if s.phase in (Phase.DEAL, Phase.BOX):
        if t.starting & bit:
            return "E10", "one of the Starting tiles that stay in the game"
        return ("E11" if s.phase is Phase.DEAL else "E10"), "no Starting tile"
    return "E13", "not in the bag, for all tiles of its kind have come out"
