"""Whether an action is legal in a position of Rifts of N'Norya, and if not, which clause it breaks and what is right.

Every check is total: it answers a Violation for anything at all that is not a legal action, and never raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.shown import shown
from companion.core.types import Action, Seat, Violation
from companion.games.rifts import actions as a
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.legality.check_combat import (
    check_attack,
    check_cast,
    check_done,
    check_seek,
    check_share,
    check_stand,
    check_wound,
)
from companion.games.rifts.legality.check_map import check_move, check_place, check_spawn, check_start, check_temple
from companion.games.rifts.legality.check_trade import check_buy, check_clear, check_equip, check_trade
from companion.games.rifts.play.combat import next_to_draw
from companion.games.rifts.state import CHANCE_PHASES, Phase, State

EXPECTED: dict[Phase, tuple[str, str]] = {
    Phase.MARKET: ("N50", "dealing a card into the market"),
    Phase.HAND: ("N30", "drawing a card into a hand"),
    Phase.LOCATION: ("N10", "drawing a location tile"),
    Phase.GOLD: ("N30", "turning over the enemy token"),
    Phase.START: ("N2", "placing a mage on the starting tile"),
    Phase.SPAWN: ("N32", "agreeing on a spawn icon"),
    Phase.PLACE: ("N10", "adding the location tile to the map"),
    Phase.TEMPLE: ("N13", "choosing the corner where the temple stands"),
    Phase.ACT: ("N20", "a movement, a fight, a purchase, a sale or the end of the turn"),
    Phase.JOIN: ("N30", "who joins the fight"),
    Phase.CAST: ("N30", "playing cards, or ending the round"),
    Phase.WOUNDS: ("R-N17", "whether the mage holds four Wounds"),
    Phase.SHARE: ("N30", "agreeing on how to divide"),
    Phase.OVER: ("N5", "nothing more, for the game is over"),
}

_PHASE_OF: dict[type, Phase] = {
    a.Start: Phase.START,
    a.Spawn: Phase.SPAWN,
    a.Place: Phase.PLACE,
    a.Temple: Phase.TEMPLE,
    a.Join: Phase.JOIN,
    a.Stay: Phase.JOIN,
    a.Cast: Phase.CAST,
    a.Done: Phase.CAST,
    a.Share: Phase.SHARE,
    a.TakeWound: Phase.SHARE,
    a.Agree: Phase.SHARE,
    a.Refuse: Phase.SHARE,
    a.Fall: Phase.WOUNDS,
    a.Stand: Phase.WOUNDS,
}
"""When something is done; everything else is done in the turn proper."""


def expected_now(s: State) -> tuple[str, str]:
    """The clause in force and what is expected, a message id."""
    clause, expected = EXPECTED[s.phase]
    return (s.ended or clause, expected)


def seats_to_act(t: Tables, s: State) -> tuple[Seat, ...]:
    """The seats that may act: the one whose turn it is, those who are asked to join, fight or agree."""
    if s.phase is Phase.OVER or s.phase in CHANCE_PHASES:
        return ()
    if s.phase is Phase.WOUNDS:
        return (t.seats[next_to_draw(s)],)
    fight = s.fight
    if fight is None:
        return (t.seats[s.current],)
    if s.phase is Phase.JOIN:
        return tuple(seat for seat in t.seats if fight.asked >> seat & 1)
    if s.phase is Phase.SHARE and fight.offer is None:
        return (t.seats[fight.proposer],)
    return tuple(t.seats[seat] for seat in fight.fighters if not fight.done >> seat & 1)


def check_action(t: Tables, s: State, action: object) -> Violation | None:
    """Why `action` is illegal, or None."""
    handler = _CHECKS.get(type(action))
    if handler is None or not isinstance(action, Action):
        clause, expected = expected_now(s)
        message = "This is nothing that a player does in Rifts of N'Norya; expected: {expected}."
        return Violation(clause, message, (("expected", expected),))
    seat = action.seat
    if type(seat) is not Seat or seat >= len(t.seats):
        facts_seat = (("got", shown(seat)), ("players", len(t.seats)))
        return Violation("N1", "There is no seat {got} in this game; players: {players}.", facts_seat)
    early = _check_turn(t, s, seat, type(action))
    if early is not None:
        return early
    if not a.NOTATION.well_formed(action):
        clause, _ = expected_now(s)
        message = "What {seat} does here names something that is no space, card, number or seat."
        return Violation(clause, message, (("seat", seat),))
    return handler(t, s, action)


def _check_turn(t: Tables, s: State, seat: Seat, kind: type) -> Violation | None:
    """What keeps the seat from doing anything of this kind now."""
    clause, expected = expected_now(s)
    facts = (("seat", seat), ("expected", expected))
    if s.phase is Phase.OVER:
        return Violation(clause, "The game is over: {seat} can do nothing more.", facts)
    if s.phase is not _PHASE_OF.get(kind, Phase.ACT):
        return Violation(clause, "{seat} cannot do this now; expected: {expected}.", facts)
    awaited = seats_to_act(t, s)
    if seat not in awaited:
        facts_turn = (("seat", seat), ("awaited", awaited))
        return Violation(clause, "It is not for {seat} to act; awaited: {awaited}.", facts_turn)
    if s.phase is not Phase.SHARE or s.fight is None:
        return None
    offering = kind in (a.Share, a.TakeWound)
    if offering and s.fight.offer is not None:
        return Violation("N30", "An offer lies there: {seat} agrees to it or refuses it first.", facts)
    if not offering and s.fight.offer is None:
        return Violation("N30", "There is no offer yet: {seat} makes one.", facts)
    return None


def _always(_t: Tables, _s: State, _action: Action) -> Violation | None:
    return None  # who is awaited for this may always do it


_CHECKS: dict[type, Callable[[Tables, State, Any], Violation | None]] = {
    a.Start: check_start,
    a.Spawn: check_spawn,
    a.Place: check_place,
    a.Temple: check_temple,
    a.Move: check_move,
    a.Attack: check_attack,
    a.Seek: check_seek,
    a.Join: _always,
    a.Stay: _always,
    a.Cast: check_cast,
    a.Done: check_done,
    a.Share: check_share,
    a.TakeWound: check_wound,
    a.Agree: _always,
    a.Refuse: _always,
    a.Buy: check_buy,
    a.Clear: check_clear,
    a.Equip: check_equip,
    a.Trade: check_trade,
    a.End: _always,
    a.Fall: _always,
    a.Stand: check_stand,
}
