"""Whether an action is legal in a position of Spyrium, and if not, which clause it breaks and what would be right.

Every check is total: it answers a Violation for anything at all that is not a legal action, and never raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.spyrium.actions import NOTATION, Activate, Bonus, Money, Pass, Place, Reuse, Start, Use, UseEvent
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.legality.check_cards import beside, check_activate
from companion.games.spyrium.legality.check_uses import check_event, check_placing, check_reuse, check_use
from companion.games.spyrium.play.acts import NO_CARD
from companion.games.spyrium.state import Phase, State, Step

EXPECTED: dict[Phase, tuple[str, str]] = {
    Phase.FUTURE: ("S21", "revealing the next event"),
    Phase.FUTURE_TOKEN: ("S21", "drawing a token for the future event"),
    Phase.FIRST: ("S13", "who begins"),
    Phase.DEAL: ("S22", "dealing a card into the market"),
    Phase.TOKEN: ("S22", "drawing a token for a market card"),
    Phase.PLAY: ("S24", "an action of Phase I or of Phase II"),
    Phase.BONUS: ("S52", "choosing a bonus"),
    Phase.OVER: ("S51", "nothing more, for the game is over"),
}
BONUSES = ("worker", "money")


def seats_to_act(t: Tables, s: State) -> tuple[Seat, ...]:
    """S24: the seat whose turn it is; nobody at chance and at the end."""
    return (t.seats[s.current],) if s.phase in (Phase.PLAY, Phase.BONUS) else ()


def check_action(t: Tables, s: State, action: object) -> Violation | None:
    """Why `action` is illegal, or None."""
    handler = _CHECKS.get(type(action))
    if handler is None:
        clause, expected = EXPECTED[s.phase]
        message = "This is nothing that a player does in Spyrium; expected: {expected}."
        return Violation(clause, message, (("expected", expected),))
    seat = action.seat  # type: ignore[attr-defined]
    if type(seat) is not Seat or seat >= len(t.seats):
        facts_seat = (("got", shown(seat)), ("players", len(t.seats)))
        return Violation("S1", "There is no seat {got} in this game; players: {players}.", facts_seat)
    early = _check_turn(t, s, seat, type(action))
    if early is not None:
        return early
    if not NOTATION.well_formed(action):
        message = "What {seat} does here names something that is no place, card or number."
        return Violation("S24", message, (("seat", seat),))
    return handler(t, s, action)


def _check_turn(t: Tables, s: State, seat: Seat, kind: type) -> Violation | None:
    """What keeps the seat from doing anything of this kind now."""
    if s.phase not in (Phase.PLAY, Phase.BONUS):
        return _nothing_now(s, seat)
    facts = (("seat", seat), ("awaited", t.seats[s.current]))
    if s.phase is Phase.BONUS:
        if kind is Bonus and seat == s.current:
            return None
        return Violation("S52", "First {awaited} chooses a bonus, the worker or the money.", facts)
    if kind is Bonus:
        return Violation("S52", "No bonus is due for {seat}.", facts)
    step = s.players[seat].step
    if step is Step.PASSED:
        return Violation("S47", "{seat} has passed and does nothing more this turn.", facts)
    if seat != s.current:
        return Violation("S24", "It is the turn of {awaited}, not of {seat}.", facts)
    if step is Step.ACTIVATION and kind in (Place, Start):
        return Violation("S24", "{seat} is in Phase II and never goes back to Phase I.", facts)
    if step is Step.PLACEMENT and kind not in (Place, Start, UseEvent):
        return Violation("S32", "{seat} is in Phase I and must start Phase II before that.", facts)
    return None


def _nothing_now(s: State, seat: Seat) -> Violation:
    """No seat may act: the game is over, or chance comes first."""
    clause, expected = EXPECTED[s.phase]
    facts = (("seat", seat), ("expected", expected))
    if s.phase is Phase.OVER:
        return Violation(clause, "The game is over: {seat} can do nothing more.", facts)
    return Violation(clause, "{seat} cannot do this now; expected: {expected}.", facts)


def _check_place(t: Tables, s: State, action: Place) -> Violation | None:
    return check_placing(t, s, action.seat, action.gap, "S30")


def _check_start(_t: Tables, _s: State, _action: Start) -> Violation | None:
    return None  # S32: who is in Phase I may always start Phase II


def _check_pass(t: Tables, s: State, action: Pass) -> Violation | None:
    seat = action.seat
    gaps = tuple(name for name, here in zip(t.gaps, s.gaps, strict=True) if here[seat])
    if not gaps:
        return None
    message = "{seat} cannot pass: own workers still stand in the market, at {gaps}."
    return Violation("S47", message, (("seat", seat), ("gaps", gaps)), gaps)


def _check_bonus(_t: Tables, _s: State, action: Bonus) -> Violation | None:
    if action.choice in BONUSES:
        return None
    facts = (("seat", action.seat), ("choice", shown(action.choice)))
    return Violation("S52", "{seat} chooses worker or money as a bonus, not {choice}.", facts)


def _check_money(t: Tables, s: State, action: Money) -> Violation | None:
    if action.card != NO_CARD:
        return beside(t, s, action.seat, action.gap, action.card, "S40")
    cards = tuple(t.slots[x] for x in t.gap_cards[t.gap_index[action.gap]]) if action.gap in t.gap_index else ()
    lying = tuple(slot for slot in cards if s.market[t.slot_index[slot]] >= 0)
    if lying and s.gaps[t.gap_index[action.gap]][action.seat]:
        facts = (("seat", action.seat), ("gap", action.gap), ("cards", lying))
        return Violation("S40", "Beside {gap} lies {cards}: {seat} chooses a card there.", facts, lying)
    return beside(t, s, action.seat, action.gap, None, "S40")


_CHECKS: dict[type, Callable[[Tables, State, Any], Violation | None]] = {
    Place: _check_place,
    Start: _check_start,
    Money: _check_money,
    Activate: check_activate,
    Use: check_use,
    Reuse: check_reuse,
    UseEvent: check_event,
    Pass: _check_pass,
    Bonus: _check_bonus,
}
