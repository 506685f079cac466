"""What chance may do in a position of Spyrium: every draw with its exact probability, and why others cannot come."""

from __future__ import annotations

from fractions import Fraction

from companion.core.shown import shown
from companion.core.types import ChanceOutcome, Draw, Violation
from companion.games.spyrium.actions import DRAW_TYPES, NOTATION, Deal, First, Future, FutureToken, Token
from companion.games.spyrium.edition.designs import EVENTS
from companion.games.spyrium.edition.names import event_name
from companion.games.spyrium.edition.tables import PERIOD_OF_TURN, Tables
from companion.games.spyrium.legality.check import EXPECTED
from companion.games.spyrium.play.turns import drawable, slot_to_fill
from companion.games.spyrium.state import CHANCE_PHASES, Phase, State

DRAW_OF_PHASE: dict[Phase, type[Draw]] = {
    Phase.FUTURE: Future,
    Phase.FUTURE_TOKEN: FutureToken,
    Phase.FIRST: First,
    Phase.DEAL: Deal,
    Phase.TOKEN: Token,
}


def chance_outcomes(t: Tables, s: State) -> tuple[ChanceOutcome, ...]:
    """The possible draws, in the order of the events, seats, kinds or values; empty when no draw is awaited.

    A kind comes with (its copies left in the deck) / (cards left), a token value likewise (S54: of the stock, or of
    the discard pile when the stock is empty).
    """
    draws: list[tuple[Draw, int]] = []
    if s.phase is Phase.FUTURE:
        draws = [(Future(EVENTS[i].value), 1) for i in s.events_left]
    elif s.phase is Phase.FIRST:
        draws = [(First(seat), 1) for seat in t.seats]
    elif s.phase is Phase.FUTURE_TOKEN:
        draws = [(FutureToken(v), n) for v, n in enumerate(drawable(s), start=1) if n]
    elif s.phase is Phase.DEAL:
        slot, deck = t.slots[slot_to_fill(t, s)], s.decks[PERIOD_OF_TURN[s.turn - 1]]
        draws = [(Deal(slot, t.cards[kind].id), n) for kind, n in enumerate(deck) if n]
    elif s.phase is Phase.TOKEN:
        slot = t.slots[slot_to_fill(t, s)]
        draws = [(Token(slot, v), n) for v, n in enumerate(drawable(s), start=1) if n]
    total = sum(n for _, n in draws)
    return tuple(ChanceOutcome(draw, Fraction(n, total)) for draw, n in draws)


def check_draw(t: Tables, s: State, draw: object) -> Violation | None:
    """Why `draw` cannot happen now, or None. Answers a Violation for anything at all; never raises."""
    clause, expected = EXPECTED[s.phase]
    facts = (("expected", expected),)
    if type(draw) not in DRAW_TYPES:
        return Violation(clause, "This is no draw of Spyrium; expected: {expected}.", facts)
    if s.phase not in CHANCE_PHASES:
        return Violation(clause, "Nothing is drawn now; expected: {expected}.", facts)
    if type(draw) is not DRAW_OF_PHASE[s.phase]:
        return Violation(clause, "This is not the draw that is awaited; expected: {expected}.", facts)
    if not NOTATION.well_formed(draw):
        return Violation(clause, "This draw names something that is no card, value or seat.", facts)
    if isinstance(draw, First):
        return None if draw.who < len(t.seats) else _no_seat(t, draw)
    if isinstance(draw, Future):
        return None if draw.event in [EVENTS[i].value for i in s.events_left] else _no_event(draw)
    if isinstance(draw, (Deal, Token)):
        slot = t.slots[slot_to_fill(t, s)]
        if draw.slot != slot:
            facts_slot = (("slot", shown(draw.slot)), ("awaited", slot))
            return Violation("S22", "The next one belongs at {awaited}, not at {slot}.", facts_slot, (slot,))
    if isinstance(draw, Deal):
        return _check_card(t, s, draw)
    assert isinstance(draw, (Token, FutureToken))
    return _check_token(s, draw, clause)


def _no_seat(t: Tables, draw: First) -> Violation:
    facts = (("got", draw.who.name), ("players", len(t.seats)))
    return Violation("S13", "There is no seat {got} in this game; players: {players}.", facts)


def _no_event(draw: Future) -> Violation:
    known = draw.event in [event.value for event in EVENTS]
    if known:
        facts = (("event", event_name(draw.event)),)
        return Violation("S21", "The {event} has been revealed already.", facts)
    return Violation("S1", "There is no event {event}.", (("event", shown(draw.event)),))


def _check_card(t: Tables, s: State, draw: Deal) -> Violation | None:
    kind, period = t.kind_index.get(draw.card), PERIOD_OF_TURN[s.turn - 1]
    if kind is None:
        return Violation("S1", "The catalogue has no card {card}.", (("card", shown(draw.card)),))
    if s.decks[period][kind]:
        return None
    card = t.cards[kind]
    facts = (("card", card.name), ("period", card.period), ("turn", s.turn), ("copies", card.copies))
    if t.decks[period][kind]:
        return Violation("S2", "All cards {card} of the deck ({copies}) have come out.", facts)
    return Violation("S2", "{card} belongs to period {period} and cannot come in turn {turn}.", facts)


def _check_token(s: State, draw: Token | FutureToken, clause: str) -> Violation | None:
    value, there = draw.value, drawable(s)
    facts = (("value", value),)
    if not 1 <= value <= len(there):
        return Violation("S1", "Tokens have the values 1, 2 and 3, not {value}.", facts)
    if not there[value - 1]:
        return Violation("S54" if any(s.discard) else clause, "No token of {value} can come now.", facts)
    return None
