"""Whether an action is legal in a position of Envyra, and if not, which clause it breaks and what would be right.

Every check is total: it answers a Violation for anything at all that is not a legal action, and never raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.game import Rules
from companion.core.messages import Message
from companion.core.shown import shown
from companion.core.types import Action, Seat, Violation
from companion.games.envyra.actions import Choose, Confirm, Finish, Move, Pick, Remove, Show, TakeBack
from companion.games.envyra.edition.components import THEMES, Theme
from companion.games.envyra.edition.names import MANY_OF, THEME_WORDS
from companion.games.envyra.edition.tables import Tables, bits
from companion.games.envyra.play.new_round import can_go_on_for_ever, chooser, removable, stuck_seats
from companion.games.envyra.play.setting_up import cards_left, hand_seat
from companion.games.envyra.state import NONE, Phase, State

CHOOSE, REVEAL, MOVE = Phase.CHOOSE, Phase.REVEAL, Phase.MOVE
TEXT = frozenset({str})

EXPECTED: dict[Phase, tuple[str, str]] = {
    Phase.BOX: ("E10", "drawing a tile for the box"),
    Phase.DEAL: ("E11", "dealing a Starting tile into the grid"),
    Phase.START: ("E14", "who takes the starting figure"),
    Phase.OPEN: ("E71", "drawing an open Equilibrium card"),
    Phase.HAND: ("E72", "drawing a secret Equilibrium card"),
    Phase.REFILL: ("E50", "drawing a tile for the gap"),
    Phase.REPLACE: ("E55", "drawing a replacement"),
    Phase.PICK: ("R-11", "picking a secret Equilibrium card"),
    Phase.REMOVE: ("E55", "removing a restricted tile"),
    Phase.CHOOSE: ("E20", "placing cubes behind the shields and confirming"),
    Phase.REVEAL: ("E30", "reading the boards after the reveal"),
    Phase.MOVE: ("E31", "moving a cube from a board to its tile"),
    Phase.SHOW: ("E72", "showing the secret Equilibrium cards"),
}


def expected_now(s: State) -> tuple[str, str]:
    """The clause that says what is done now, and the words for it."""
    if s.phase is Phase.OVER:
        return s.over, "nothing more, for the game is over"
    return EXPECTED[s.phase]


def seats_to_act(t: Tables, s: State) -> tuple[Seat, ...]:
    """The seats that have a legal action."""
    phase = s.phase
    if phase is MOVE:
        return (t.seats[t.order[s.first][s.turn]],)
    if phase is CHOOSE:
        return tuple([t.seats[x] for x in bits(s.playing)])
    if phase is REVEAL:
        return tuple([t.seats[x] for x in bits(s.playing) if not s.boards[x]])
    if phase is Phase.REMOVE:
        return (t.seats[chooser(t, s, stuck_seats(s, s.grid))],)
    if phase is Phase.PICK:
        return (t.seats[hand_seat(t, s)],)
    if phase is Phase.SHOW:
        return tuple(seat for seat in t.seats if s.cards.hands[seat] == NONE)
    return ()


def check_action(t: Tables, s: State, action: object) -> Violation | None:
    """Why `action` is illegal, or None."""
    handler = _CHECKS.get(type(action))
    if handler is None:
        clause, expected = expected_now(s)
        message = "This is nothing that a player does in Envyra; expected: {expected}."
        return Violation(clause, message, (("expected", expected),))
    seat = action.seat  # type: ignore[attr-defined]
    if type(seat) is not Seat or seat >= len(t.seats):
        facts_seat = (("got", shown(seat)), ("players", len(t.seats)))
        return Violation("E4", "There is no seat {got} in this game; players: {players}.", facts_seat)
    return handler(t, s, action)


def _not_now(t: Tables, s: State, seat: Seat, clause: str = "") -> Violation:
    phase_clause, expected = expected_now(s)
    facts = (("seat", seat), ("expected", expected), ("awaited", seats_to_act(t, s)))
    if s.phase is Phase.OVER:
        return Violation(s.over, "The game is over: {seat} can do nothing more.", facts)
    return Violation(clause or phase_clause, "{seat} cannot do this now; expected: {expected}.", facts)


def _unknown_slot(t: Tables, slot: object, clause: str) -> Violation:
    facts = (("slot", shown(slot)), ("rows", t.rows), ("columns", t.columns))
    message = "{slot} is no place of this grid, which has {rows} rows and {columns} columns."
    return Violation(clause, message, facts)


def _check_choose(t: Tables, s: State, action: Choose) -> Violation | None:
    seat = action.seat
    if s.phase is not CHOOSE or s.playing & ~s.ready & 1 << seat == 0:
        early = _check_phase_one(t, s, seat)
        if early is not None:
            return early
    slots = action.slots
    if type(slots) is not tuple or {*map(type, slots)} - TEXT:
        message = "What {seat} chooses is no list of places of the grid, such as r1c1."
        return Violation("E20", message, (("seat", seat),))
    known = t.choices.get(slots)
    if known is not None and not known[0] & ~s.filled and len(slots) <= s.reserve[seat]:
        return None
    return _bad_choice(t, s, seat, slots)


def _bad_choice(t: Tables, s: State, seat: Seat, slots: tuple[str, ...]) -> Violation:
    """The first clause that a choice of these places breaks; it does break one."""
    count = len(slots)
    facts: tuple[tuple[str, Any], ...] = (("seat", seat), ("count", count), ("reserve", s.reserve[seat]))
    if count == 0:
        return Violation("E21", "{seat} must place at least one cube.", facts)
    for slot in slots:
        if slot not in t.slot_index:
            return _unknown_slot(t, slot, "R-03")
    if t.one_cube and count != 1:
        return Violation("E70", "In the basic variant {seat} places exactly one cube, not {count}.", facts, slots)
    if count > 2:
        return Violation("E20", "{seat} may place one or two cubes, not {count}.", facts, slots)
    if len(set(slots)) < count:
        message = "A cut-out holds one cube: {seat} named {slot} twice."
        return Violation("R-02", message, (*facts, ("slot", slots[0])), slots[:1])
    if count > s.reserve[seat]:
        message = "{seat} cannot place {count} cubes; in reserve: {reserve}."
        return Violation("E21", message, facts, slots)
    slot = next(name for name in slots if s.grid[t.slot_index[name]] == NONE)
    message = "No tile lies at {slot}: {seat} cannot choose it."
    return Violation("R-03", message, (*facts, ("slot", slot)), (slot,))


def _check_phase_one(t: Tables, s: State, seat: Seat) -> Violation | None:
    """What keeps `seat` from placing cubes or confirming at all."""
    facts = (("seat", seat),)
    if s.phase is CHOOSE:
        if not s.playing >> seat & 1:
            return _takes_no_part(seat)
        if s.ready >> seat & 1:
            return Violation("R-04", "{seat} has confirmed already and must take that back first.", facts)
        return None
    if s.phase is REVEAL:
        if not s.playing >> seat & 1:
            return _takes_no_part(seat)
        if s.boards[seat]:
            return Violation("R-04", "The boards are revealed: {seat} cannot choose again.", facts)
        return None
    if s.phase is MOVE:
        return Violation("R-04", "The boards are revealed: {seat} cannot choose again.", facts)
    return _not_now(t, s, seat)


def _takes_no_part(seat: Seat) -> Violation:
    message = "{seat} had no valid move at the start of this last round and takes no part in it."
    return Violation("E56", message, (("seat", seat),))


def _check_confirm(t: Tables, s: State, action: Confirm) -> Violation | None:
    seat = action.seat
    if s.phase is MOVE:
        facts = (("seat", seat), ("awaited", seats_to_act(t, s)), ("slots", _usable(t, s, seat)))
        if seat in seats_to_act(t, s):
            message = "{seat} may not skip: a cube must be moved; possible: {slots}."
            return Violation("E34", message, facts, _usable(t, s, seat))
        return _wrong_turn(t, s, seat)
    if s.phase is REVEAL:
        message = "Everybody has confirmed; now the boards of {awaited} are read."
        return Violation("E30", message, (("seat", seat), ("awaited", seats_to_act(t, s))))
    return _check_phase_one(t, s, seat)


def _check_take_back(t: Tables, s: State, action: TakeBack) -> Violation | None:
    seat = action.seat
    if s.phase in (REVEAL, MOVE):
        message = "Everybody has confirmed: {seat} cannot take the confirmation back any more."
        return Violation("R-04", message, (("seat", seat),))
    if s.phase is not CHOOSE:
        return _not_now(t, s, seat)
    if not s.playing >> seat & 1:
        return _takes_no_part(seat)
    if not s.ready >> seat & 1:
        return Violation("R-04", "{seat} has not confirmed, so there is nothing to take back.", (("seat", seat),))
    return None


def _usable(t: Tables, s: State, seat: int) -> tuple[str, ...]:
    return tuple([t.slots[x] for x in s.boards[seat] if s.unlocked[seat] >> s.grid[x] & 1])


def _check_move(t: Tables, s: State, action: Move) -> Violation | None:
    seat, slot = action.seat, action.slot
    if s.phase is not MOVE:
        if s.phase in (CHOOSE, REVEAL):
            message = "Cubes move after the reveal; awaited first: {awaited}."
            return Violation("E30", message, (("seat", seat), ("awaited", awaited_seats(t, s))))
        return _not_now(t, s, seat)
    if t.order[s.first][s.turn] != seat:
        return _wrong_turn(t, s, seat)
    place = t.slot_index.get(slot) if isinstance(slot, str) else None
    if place is None:
        return _unknown_slot(t, slot, "E11")
    marked = s.boards[seat]
    if place not in marked:
        facts = (("seat", seat), ("slot", slot), ("marked", tuple(t.slots[x] for x in marked)))
        if s.grid[place] == NONE:
            message = "The tile at {slot} is gone; a cube of {seat} marked for it went back to the reserve."
            return Violation("E35", message, facts, (slot,))
        if not marked:
            return Violation("E31", "{seat} has no cube marked for {slot}.", facts, (slot,))
        message = "{seat} has no cube marked for {slot}, only for {marked}."
        return Violation("E31", message, facts, (slot,))
    tile = s.grid[place]
    if not s.unlocked[seat] >> tile & 1:
        return _restricted(t, s, seat, place)
    return None


def _restricted(t: Tables, s: State, seat: Seat, place: int) -> Violation:
    """E33: what the tile requires, what the seat owns of that, and what it lacks."""
    tile, slot = t.tiles[s.grid[place]], t.slots[place]
    owned = dict(zip(THEMES, t.themes_owned(s.owned[seat]), strict=True))
    needs = {theme: tile.requires.count(theme) for theme in THEMES}
    lacking = {theme: max(0, need - owned[theme]) for theme, need in needs.items()}
    has = {theme: need - lacking[theme] for theme, need in needs.items()}
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat),
        ("slot", slot),
        ("tile", t.tile_names[s.grid[place]]),
        ("required", _one_by_one(needs)),
        ("owned", _one_by_one(has)),
        ("lacking", _one_by_one(lacking)),
        ("requires", _counted(needs)),
        ("missing", _counted(lacking)),
        *((f"owned_{theme.value}", owned[theme]) for theme in sorted(set(tile.requires), key=THEMES.index)),
        *((f"required_{x.value}", tile.requires.count(x)) for x in sorted(set(tile.requires), key=THEMES.index)),
    )
    message = "The tile at {slot} is restricted to {seat}: it requires {requires}; still to be captured: {missing}."
    return Violation("E33", message, facts, (slot,))


def _one_by_one(themes: dict[Theme, int]) -> tuple[str, ...]:
    return tuple(THEME_WORDS[theme] for theme, count in themes.items() for _ in range(count))


def _counted(themes: dict[Theme, int]) -> tuple[str, ...]:
    """The themes in words, those that are there several times with their number."""
    return tuple(
        Message(MANY_OF, count=count, theme=THEME_WORDS[theme]) if count > 1 else THEME_WORDS[theme]
        for theme, count in themes.items()
        if count > 0
    )


def _wrong_turn(t: Tables, s: State, seat: Seat) -> Violation:
    """E31, E32: who is to move; R-05 when the seat was passed over in this pass."""
    order, players = t.order[s.first], len(t.seats)
    second = s.turn >= players
    facts = (("seat", seat), ("awaited", seats_to_act(t, s)))
    place = order.index(seat, players if second else 0)
    if place < s.turn and not s.moved >> place & 1:
        message = "{seat} was passed over, for none of its cubes could be moved; it is the turn of {awaited}."
        return Violation("R-05", message, facts)
    clause = "E32" if second else "E31"
    return Violation(clause, "It is the turn of {awaited}, not of {seat}.", facts)


def awaited_seats(t: Tables, s: State) -> tuple[Seat, ...]:
    """The seats without which the game does not go on: of those that may act, the ones that are not ready."""
    if s.phase is CHOOSE:
        return tuple([t.seats[x] for x in bits(s.playing & ~s.ready)])
    return seats_to_act(t, s)


def _check_remove(t: Tables, s: State, action: Remove) -> Violation | None:
    seat, slot = action.seat, action.slot
    if s.phase is not Phase.REMOVE:
        if s.phase in (CHOOSE, REVEAL, MOVE):
            message = "A tile is removed only at the start of a round in which {seat} has no valid move."
            return Violation("E55", message, (("seat", seat),))
        return _not_now(t, s, seat)
    awaited = seats_to_act(t, s)
    if seat not in awaited:
        message = "The tile is removed by {awaited}, the restricted player closest to the starting figure."
        return Violation("E55", message, (("seat", seat), ("awaited", awaited)))
    place = t.slot_index.get(slot) if isinstance(slot, str) else None
    if place is None:
        return _unknown_slot(t, slot, "E11")
    if place in removable(s, seat):
        return None
    facts = (("seat", seat), ("slot", slot), ("slots", tuple(t.slots[x] for x in removable(s, seat))))
    if s.grid[place] == NONE:
        message = "No tile lies at {slot}; {seat} removes another one, possible: {slots}."
        return Violation("E55", message, facts, (slot,))
    message = "Cubes lie on the tile at {slot}; {seat} removes another one, possible: {slots}."
    return Violation("E55", message, facts, (slot,))


def _check_finish(t: Tables, s: State, action: Finish) -> Violation | None:
    seat = action.seat
    facts = (("seat", seat),)
    if s.phase is not CHOOSE:
        return _not_now(t, s, seat, "R-12")
    if not can_go_on_for_ever(t, s):
        message = "The game goes on: there is a tile that a player can capture alone, or one that may still come."
        return Violation("R-12", message, facts)
    if s.agreed >> seat & 1:
        return Violation("R-12", "{seat} has agreed to end the game already.", facts)
    return _check_phase_one(t, s, seat)


def _check_card(t: Tables, s: State, action: Pick | Show) -> Violation | None:
    seat, name = action.seat, action.card
    clause, phase = ("R-11", Phase.PICK) if isinstance(action, Pick) else ("E72", Phase.SHOW)
    if s.phase is not phase:
        return _not_now(t, s, seat, clause)
    awaited = seats_to_act(t, s)
    if seat not in awaited:
        message = "{seat} has a secret card already or is not yet to pick; awaited: {awaited}."
        return Violation(clause, message, (("seat", seat), ("awaited", awaited)))
    card = t.card_index.get(name) if isinstance(name, str) else None
    facts = (("seat", seat), ("card", t.face_name(name)))
    if card is None:
        # E73: a card with three symbols is not in a game of fewer than four
        known = isinstance(name, str) and any(c.id == name for c in t.catalogue.cards)
        message = "{card} is no Equilibrium card of this game."
        return Violation("E73" if known else clause, message, facts)
    if card not in cards_left(t, s):
        return Violation(clause, "{card} lies open or belongs to another player.", facts)
    return None


def for_seat_only(_rules: Rules, action: Action) -> bool:
    """Whether being able to do this tells what others hold: who picks a card sees which are left (R-11)."""
    return isinstance(action, Pick)


_CHECKS: dict[type, Callable[[Tables, State, Any], Violation | None]] = {
    Choose: _check_choose,
    Confirm: _check_confirm,
    TakeBack: _check_take_back,
    Move: _check_move,
    Remove: _check_remove,
    Pick: _check_card,
    Show: _check_card,
    Finish: _check_finish,
}
