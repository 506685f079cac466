"""What a player of Envyra can do now, and what followed an act of itself, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.game import Rules, Told
from companion.core.types import Event, Seat
from companion.games.envyra.actions import Choose, Move
from companion.games.envyra.edition.names import THEME_WORDS
from companion.games.envyra.edition.tables import CUBES_PER_PLAYER, Tables, bits
from companion.games.envyra.play.new_round import removable
from companion.games.envyra.play.phases import capturer
from companion.games.envyra.state import NONE, Phase, State

CHOOSE_ONE = "Mark the place for your cube and confirm; tap it again to unmark it."
CHOOSE_TWO = "Mark one or two places for your cubes and confirm; tap a place again to unmark it."
CHANGE = "You are ready. Until the last player is, you can take it back and choose anew."
REVEAL = "Mark the places where your cubes stand on your board, and confirm."
MOVE_ONE = "Put your cube on the tile at {slot}: {theme}."
MOVE_SEVERAL = "Put a cube on one of your marked tiles: {slots}."
REMOVE = "Choose which restricted tile leaves the game: {slots}."
PICK = "Pick one of the Equilibrium cards; nobody else sees which."
SHOW = "Show your Equilibrium card."

LIFTED = "The shields are lifted."
MARKED = "{seat} marked {slots}."
CAPTURED = "{seat} captures the tile at {slot}, {theme}, with most cubes (E40); points: {points}."
CAPTURED_TIE = (
    "{seat} captures the tile at {slot}, {theme}: most cubes were tied, the last one counts (E41); points: {points}."
)
CUBES_BACK = "Cubes back to {seat}: {n}."
GONE = "{seat} is passed over: the marked tile has been captured (E35)."
RESTRICTED = "{seat} is passed over: the marked tile at {slots} is restricted (E33)."
ALL_BACK = "{seat} has no cube left: the cubes on the grid come back (E52)."
NEXT_ROUND = "Round {round} begins; {seat} has the starting figure (E53)."
LAST_ROUND = "This is the last round (E56)."
ENDED = {
    "E60": "The End tile is captured: the game ends here (E60).",
    "E61": "Only the End tile is left, and nobody meets what it requires: the game ends here (E61).",
    "E62": "Somebody could make no valid move in this round: the game ends here (E62).",
    "R-12": "Everybody agrees to end the game here (R-12).",
}
"""Why the game ended, by the clause by which it did."""


def turn_words(rules: Rules, state: Any, seat: Seat) -> Told | None:
    """What `seat` can do now, as a message and its facts; None when nothing."""
    t, s = getattr(rules, "tables", None), state
    if not isinstance(t, Tables) or not isinstance(s, State):
        return None
    if s.phase is Phase.CHOOSE and s.playing >> seat & 1:
        if s.ready >> seat & 1:
            return CHANGE, ()
        return (CHOOSE_ONE if s.reserve[seat] < 2 else CHOOSE_TWO), ()  # E21
    if seat not in rules.to_act(state):
        return None
    if s.phase is Phase.MOVE:
        slots = [x for x in s.boards[seat] if s.unlocked[seat] >> s.grid[x] & 1]  # E31, E33
        if len(slots) == 1:
            return MOVE_ONE, (("theme", _theme(t, s.grid[slots[0]])), ("slot", t.slots[slots[0]]))
        return MOVE_SEVERAL, (("slots", tuple(t.slots[x] for x in slots)),)
    if s.phase is Phase.REMOVE:
        return REMOVE, (("slots", tuple(t.slots[x] for x in removable(s, seat))),)
    return {Phase.REVEAL: (REVEAL, ()), Phase.PICK: (PICK, ()), Phase.SHOW: (SHOW, ())}.get(s.phase)


def what_followed(rules: Rules, before: Any, event: Event, after: Any) -> tuple[Told, ...]:
    """What the rules made of `event` by themselves: the reveal, a capture, cubes that return, who is passed over, the
    next round. All of it is public."""
    t = getattr(rules, "tables", None)
    if not isinstance(t, Tables) or not isinstance(before, State) or not isinstance(after, State):
        return ()
    return tuple(_followed(t, before, event, after))


def _followed(t: Tables, b: State, event: Event, a: State) -> Iterator[Told]:
    boards = b.boards
    if b.phase in (Phase.CHOOSE, Phase.REVEAL) and a.phase not in (Phase.CHOOSE, Phase.REVEAL):
        boards = _boards_at_reveal(t, b, event)
        yield LIFTED, ()
        for seat in bits(b.playing):
            yield MARKED, (("seat", t.seats[seat]), ("slots", tuple(t.slots[x] for x in boards[seat])))
        yield from _passed_over(t, boards, b, a, start=0)
    if isinstance(event, Move):
        yield from _captured(t, b, event)
    if b.phase is Phase.MOVE and isinstance(event, Move):
        yield from _after_move(t, b, a, event)
    if a.round > b.round > 0:
        for seat, left in enumerate(b.reserve):
            if left == 0 and a.reserve[seat] == CUBES_PER_PLAYER:
                yield ALL_BACK, (("seat", t.seats[seat]),)
        yield NEXT_ROUND, (("round", a.round), ("seat", t.seats[a.first]))
    if a.last_round and not b.last_round:
        yield LAST_ROUND, ()
    if a.over and not b.over:
        yield ENDED[a.over], ()


def _boards_at_reveal(t: Tables, b: State, event: Event) -> tuple[tuple[int, ...], ...]:
    """What everybody had marked when the last one became ready."""
    if not isinstance(event, Choose):
        return b.boards
    seat = event.seat
    return (*b.boards[:seat], t.choices[event.slots][1], *b.boards[seat + 1 :])


def _captured(t: Tables, b: State, event: Move) -> Iterator[Told]:
    slot = t.slot_index[event.slot]
    tile, here = b.grid[slot], (*b.cubes[slot], int(event.seat))
    if len(here) != t.need[tile]:
        return
    winner, most = capturer(here), max(map(here.count, here))
    tied = sum(here.count(seat) == most for seat in set(here)) > 1
    facts = (("seat", t.seats[winner]), ("theme", _theme(t, tile)), ("slot", event.slot), ("points", t.tiles[tile].vp))
    yield (CAPTURED_TIE if tied else CAPTURED), facts
    for seat in t.seats:
        marked = sum(slot in board for board in b.boards[seat : seat + 1]) - (seat == event.seat)
        back = here.count(int(seat)) + max(0, marked)  # E42, E35
        if back:
            yield CUBES_BACK, (("seat", seat), ("n", back))


def _after_move(t: Tables, b: State, a: State, event: Move) -> Iterator[Told]:
    """Who is passed over between this move and the next one."""
    if a.over == "E60":  # E60: it ends at once, nobody's turn would come any more
        return
    slot = t.slot_index[event.slot]
    own = tuple(x for x in b.boards[event.seat] if x != slot)
    boards = (*b.boards[: event.seat], own, *b.boards[event.seat + 1 :])
    captured = slot if len(b.cubes[slot]) + 1 == t.need[b.grid[slot]] else NONE
    yield from _passed_over(t, boards, b, a, start=b.turn + 1, captured=captured)


def _passed_over(
    t: Tables, boards: tuple[tuple[int, ...], ...], b: State, a: State, start: int, captured: int = NONE
) -> Iterator[Told]:
    """R-05: who has a marked tile left and cannot move to it, from the turn `start` up to the next who can or the end
    of the phase; `boards` are the marks that are left, `captured` is the place of the tile that has just gone."""
    order = t.order[b.first]
    until = a.turn if a.phase is Phase.MOVE and a.round == b.round and a.over == "" else len(order)
    told: set[int] = set()
    for seat in order[start:until]:
        left = boards[seat]
        if not left or seat in told:
            continue
        told.add(seat)
        standing = tuple(t.slots[x] for x in left if x != captured)
        yield (RESTRICTED, (("seat", t.seats[seat]), ("slots", standing))) if standing else (
            GONE, (("seat", t.seats[seat]),)
        )


def _theme(t: Tables, tile: int) -> str:
    return THEME_WORDS[t.tiles[tile].theme]
