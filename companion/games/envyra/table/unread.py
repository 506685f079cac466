"""Phase II with boards that nobody has read: which choices the moves still allow, and which moves those allow.

The table after some moves does not depend on what else was chosen, and what a player chose is limited by that
player's own turns only. So the choices that fit are, seat by seat, those that every turn so far allows: a cube moved
must have been marked (E31), and a player passed over had no cube that could be moved (E34, R-05).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.types import Seat, Violation
from companion.games.envyra.actions import Choose, Move
from companion.games.envyra.edition.tables import Tables
from companion.games.envyra.legality.check import check_action
from companion.games.envyra.play.phases import choose, move
from companion.games.envyra.state import NONE, Phase, State

ENDED = frozenset({Phase.OVER, Phase.SHOW})


@dataclass(frozen=True, slots=True)
class Unread:
    """Phase II as far as it was seen.

    `reveal` is the position in which the boards were to be read; `held` are per seat the choices that fit, those
    with the fewest cubes first (none: the seat takes no part). `moved` is the mask of the places in the order of
    Phase II at which a cube was moved. `line` is the position after `moves` if the seats chose one of the things
    that fit.
    """

    reveal: State
    moves: tuple[Move, ...]
    moved: int
    held: tuple[tuple[Choose, ...], ...]
    line: State


@dataclass(frozen=True, slots=True)
class _Turn:
    """A place in the order whose turn may come now, and where its seat may move a cube."""

    place: int
    seat: int
    slots: tuple[int, ...]
    skippable: bool  # some choice of the seat that fits has no cube that can be moved


def begin(t: Tables, reveal: State) -> Unread:
    """Phase II just after the shields have gone: whose board is not read may have chosen anything legal."""
    held: list[tuple[Choose, ...]] = []
    for seat, marked in enumerate(reveal.boards):
        if not reveal.playing >> seat & 1:
            held.append(())  # E56
        elif marked:
            held.append((Choose(t.seats[seat], tuple(t.slots[x] for x in marked)),))
        else:
            most = min(reveal.reserve[seat], 2)  # E20, E21; R-03: only where a tile lies
            fits = [c for n, mask, c in t.chooses[seat] if n <= most and not mask & ~reveal.filled]
            held.append(tuple(sorted(fits, key=lambda c: (len(c.slots), c.slots))))
    return _with_line(t, Unread(reveal, (), 0, tuple(held), reveal))


def turns(t: Tables, u: Unread) -> tuple[_Turn, ...]:
    """The turns of which one comes next, in their order; only if all are skippable Phase II may be over."""
    if u.line.phase in ENDED:
        return ()
    found: list[_Turn] = []
    order = t.order[u.reveal.first]
    for place in range(u.moved.bit_length(), len(order)):
        seat = order[place]
        if any(turn.seat == seat for turn in found):
            continue  # passed over a moment ago, and nothing has changed since
        each = _movable_of(t, u, seat)
        skippable = not each or not all(each)
        found.append(_Turn(place, seat, tuple(sorted({x for movable in each for x in movable})), skippable))
        if not skippable:
            break
    return tuple(found)


def possible_moves(t: Tables, u: Unread) -> tuple[Move, ...]:
    """The moves that some choices that fit allow now."""
    return tuple(t.moves[turn.seat][slot] for turn in turns(t, u) for slot in turn.slots)


def after_move(t: Tables, u: Unread, action: Move) -> Unread:
    """What is known after a possible move."""
    held = list(u.held)
    slot = t.slot_index[action.slot]
    for turn in turns(t, u):
        if turn.seat == action.seat:
            each = _movable_of(t, u, turn.seat)
            held[turn.seat] = tuple(c for c, movable in zip(held[turn.seat], each, strict=True) if slot in movable)
            moved = replace(u, moves=(*u.moves, action), moved=u.moved | 1 << turn.place, held=tuple(held))
            return _with_line(t, moved)
        each = _movable_of(t, u, turn.seat)
        held[turn.seat] = tuple(c for c, movable in zip(held[turn.seat], each, strict=True) if not movable)
    raise ValueError(f"{action!r} is not the turn of that seat")


def after_choice(t: Tables, u: Unread, choice: Choose) -> Unread | State:
    """What is known after a board was read late; the position itself when no other is unread."""
    reveal = choose(t, u.reveal, choice)
    if reveal.phase is Phase.REVEAL:
        known = begin(t, reveal)
        for action in u.moves:
            known = after_move(t, known, action)
        return known
    state = reveal
    for action in u.moves:
        state = move(t, state, action)
    return state


def why_not_chosen(t: Tables, u: Unread, choice: Choose) -> Violation | None:
    """The clause that a board read late breaks, or None when the moves allow what lies on it."""
    violation = check_action(t, u.reveal, choice)
    if violation is not None or choice in u.held[choice.seat]:
        return violation
    # E31: the cubes that were moved came from the board
    facts = (("seat", choice.seat), ("marked", choice.slots),
             ("moved", tuple(done.slot for done in u.moves if done.seat is choice.seat)))
    message = "{seat} cannot have chosen {marked}: it does not fit the turns of Phase II; moved so far: {moved}."
    return Violation("E31", message, facts, choice.slots)


def ended(t: Tables, u: Unread) -> tuple[State, tuple[Choose, ...]] | None:
    """The position if nobody can move a cube any more, and the choices that say so; None if somebody still must."""
    if u.line.phase in ENDED:  # E60: whatever else was chosen
        world = tuple(fits[0] for fits in u.held if fits)
        return _replay(t, u, world), _unread_of(u, world)
    if not all(turn.skippable for turn in turns(t, u)):
        return None
    passed = {turn.seat for turn in turns(t, u)}
    world = tuple(
        next(c for c in fits if seat not in passed or not _movable(t, u, c)) for seat, fits in enumerate(u.held) if fits
    )
    return _replay(t, u, world), _unread_of(u, world)


def why_not(t: Tables, u: Unread, action: Move) -> Violation | None:
    """The clause that a move breaks whatever was chosen, or None when some choices that fit allow it."""
    coming = turns(t, u)
    slot = t.slot_index.get(action.slot)
    turn = next((turn for turn in coming if turn.seat == action.seat), None)
    if slot is None or action.seat >= len(t.seats) or not coming:
        return check_action(t, u.line, action)
    if turn is None:
        awaited = next((one for one in coming if not one.skippable), coming[0])
        # E31, E32, R-05: whose turn it is
        return check_action(t, _at_turn(u, awaited.place, awaited.seat, slot), action)
    if slot in turn.slots:
        return None
    board_read = bool(u.reveal.boards[turn.seat])
    there = _at_turn(u, turn.place, turn.seat, slot)
    if board_read or u.line.grid[slot] == NONE:
        marked = _left(t, u, u.held[turn.seat][0]) if board_read else ()
        boards = (*there.boards[: turn.seat], marked, *there.boards[turn.seat + 1 :])
        return check_action(t, there._replace(boards=boards), action)  # E31, E33, E35
    return check_action(t, there, action) or _contradiction(t, u, action)  # E33


def _contradiction(t: Tables, u: Unread, action: Move) -> Violation:
    """Why no choice that fits has a cube for a free tile."""
    seat, slots = action.seat, (action.slot,)
    facts = (("seat", seat), ("slot", action.slot))
    moved = [done for done in u.moves if done.seat is seat]
    if action in moved:
        # a cut-out holds one cube
        message = "A cut-out holds one cube, and {seat} has moved the one marked for {slot} already."
        return Violation("R-02", message, facts, slots)
    if moved and t.one_cube:
        # E70: one cube a round
        return Violation("E70", "In the basic variant {seat} has moved the only cube of this round.", facts, slots)
    if moved and u.reveal.reserve[seat] < 2:
        # E21: the last cube was the only one to be placed
        return Violation("E21", "{seat} had one cube in reserve and has moved it already.", facts, slots)
    # E34: no skipping; who was passed over had no cube for this tile
    message = "{seat} was passed over while {slot} was open to it, so no cube of {seat} can be marked for it."
    return Violation("E34", message, facts, slots)


def _at_turn(u: Unread, place: int, seat: int, slot: int) -> State:
    """The table as it is, the turn of `seat` at `place`, a cube of the seat marked for `slot`."""
    empty = ((),) * len(u.held)
    boards = (*empty[:seat], (slot,), *empty[seat + 1 :])
    return u.line._replace(phase=Phase.MOVE, turn=place, moved=u.moved, boards=boards)


def _left(t: Tables, u: Unread, choice: Choose) -> tuple[int, ...]:
    """The cubes of a choice that still lie on the board: neither moved nor returned by a capture (E35)."""
    gone = {done.slot for done in u.moves if done.seat is choice.seat}
    places = (t.slot_index[name] for name in choice.slots if name not in gone)
    return tuple(x for x in places if u.line.grid[x] != NONE)


def _movable(t: Tables, u: Unread, choice: Choose) -> tuple[int, ...]:
    """E33: those of them that can be moved now."""
    free = u.line.unlocked[choice.seat]
    return tuple(x for x in _left(t, u, choice) if free >> u.line.grid[x] & 1)


def _movable_of(t: Tables, u: Unread, seat: int) -> list[tuple[int, ...]]:
    """What `_movable` says of each choice of a seat that fits: they are many, and what is free is the same for all."""
    gone = {done.slot for done in u.moves if done.seat is t.seats[seat]}
    free, grid = u.line.unlocked[seat], u.line.grid
    now = {
        name: x for name, x in t.slot_index.items() if name not in gone and grid[x] != NONE and free >> grid[x] & 1
    }
    return [tuple(now[name] for name in c.slots if name in now) for c in u.held[seat]]


def _with_line(t: Tables, u: Unread) -> Unread:
    """`u` with the position under choices that fit, such that Phase II goes on if any do."""
    known = replace(u, line=_replay(t, u, tuple(fits[0] for fits in u.held if fits)))
    going_on = tuple(_first_movable(t, known, fits) for fits in u.held if fits)
    return replace(known, line=_replay(t, u, going_on))


def _first_movable(t: Tables, u: Unread, fits: tuple[Choose, ...]) -> Choose:
    return next((c for c in fits if _movable(t, u, c)), fits[0])


def _unread_of(u: Unread, world: tuple[Choose, ...]) -> tuple[Choose, ...]:
    return tuple(c for c in world if not u.reveal.boards[c.seat])


def _replay(t: Tables, u: Unread, world: tuple[Choose, ...]) -> State:
    """The position after the moves if the seats chose `world`."""
    state = u.reveal
    for choice in _unread_of(u, world):
        state = choose(t, state, choice)
    for action in u.moves:
        state = move(t, state, action)
    return state


def seats_awaited(t: Tables, u: Unread) -> tuple[Seat, ...]:
    """The seats whose turn may come next."""
    return tuple(t.seats[turn.seat] for turn in turns(t, u) if turn.slots)
