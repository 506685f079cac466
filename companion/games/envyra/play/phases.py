"""Phases I and II of a round of Envyra: secret placement, the reveal, moving cubes, capture."""

from __future__ import annotations

from companion.games.envyra.actions import Choose, Confirm, Move, TakeBack
from companion.games.envyra.edition.tables import Tables
from companion.games.envyra.play.new_round import end_round, finish
from companion.games.envyra.state import NONE, Cards, Phase, State

CHOOSE, REVEAL, MOVE = Phase.CHOOSE, Phase.REVEAL, Phase.MOVE


def choose(t: Tables, s: State, action: Choose) -> State:
    """E20: the seat's cubes stand on its board and it is ready; R-04: the last one ends Phase I."""
    seat = action.seat
    _, marked = t.choices[action.slots]
    return _ready(t, s, seat, (*s.boards[:seat], marked, *s.boards[seat + 1 :]))


def confirm(t: Tables, s: State, action: Confirm) -> State:
    """R-04: the seat is ready, with cubes behind its shield that the companion was not told of."""
    return _ready(t, s, action.seat, s.boards)


def _ready(t: Tables, s: State, seat: int, boards: tuple[tuple[int, ...], ...]) -> State:
    ready = s.ready | 1 << seat
    if ready != s.playing:
        return _with_boards(s, CHOOSE, ready, boards)
    for other, marked in enumerate(boards):
        if not marked and s.playing >> other & 1:
            return _with_boards(s, REVEAL, ready, boards)  # E30: the shields go, this board is still to be read
    return _begin_phase_two(t, s, ready, boards)


def take_back(_t: Tables, s: State, action: TakeBack) -> State:
    """R-04: the seat is not ready any more and its cubes are in its reserve again."""
    seat = action.seat
    return _with_boards(s, CHOOSE, s.ready & ~(1 << seat), (*s.boards[:seat], (), *s.boards[seat + 1 :]))


def _with_boards(s: State, phase: Phase, ready: int, boards: tuple[tuple[int, ...], ...]) -> State:
    return State(
        phase, s.round, s.first, s.turn, s.moved, ready, s.playing, s.last_round, s.slot, s.over,
        s.grid, s.cubes, s.filled, s.owned, s.unlocked, s.reserve, boards, s.supply, s.cards,
    )  # fmt: skip


def _begin_phase_two(t: Tables, s: State, ready: int, boards: tuple[tuple[int, ...], ...]) -> State:
    reserve = tuple([n - len(marked) for n, marked in zip(s.reserve, boards, strict=True)])
    turn = next_turn(t, s.first, 0, s.grid, s.unlocked, boards)
    revealed = State(
        MOVE, s.round, s.first, turn, 0, ready, s.playing, s.last_round, NONE, s.over,
        s.grid, s.cubes, s.filled, s.owned, s.unlocked, reserve, boards, s.supply, s.cards,
    )  # fmt: skip
    return revealed if turn != NONE else _end_phase_two(t, revealed)


def next_turn(
    t: Tables,
    first: int,
    turn: int,
    grid: tuple[int, ...],
    unlocked: tuple[int, ...],
    boards: tuple[tuple[int, ...], ...],
) -> int:
    """The first place in the order from `turn` on whose player can move a cube, or NONE when Phase II is over."""
    order = t.order[first]
    for place in range(turn, len(order)):
        seat = order[place]
        for slot in boards[seat]:
            if unlocked[seat] >> grid[slot] & 1:  # E34: who can move must
                return place
        # passed over
    return NONE


def move(t: Tables, s: State, action: Move) -> State:
    """E31, E40: the cube lies on the tile; the tile is captured when its number is reached."""
    seat, slot = action.seat, t.slot_index[action.slot]
    tile = s.grid[slot]
    here = (*s.cubes[slot], int(seat))
    moved = s.moved | 1 << s.turn
    boards = (*s.boards[:seat], tuple([x for x in s.boards[seat] if x != slot]), *s.boards[seat + 1 :])
    if len(here) == t.need[tile]:
        return _capture(t, s, slot, here, moved, boards)
    cubes = (*s.cubes[:slot], here, *s.cubes[slot + 1 :])
    turn = next_turn(t, s.first, s.turn + 1, s.grid, s.unlocked, boards)
    after = State(
        MOVE, s.round, s.first, turn, moved, s.ready, s.playing, s.last_round, NONE, s.over,
        s.grid, cubes, s.filled, s.owned, s.unlocked, s.reserve, boards, s.supply, s.cards,
    )  # fmt: skip
    return after if turn != NONE else _end_phase_two(t, after)


def capturer(here: tuple[int, ...]) -> int:
    """Who captures a tile with these cubes, in the order of their placing.

    E40: the seat with most cubes. E41, R-07: among seats tied for most, the one whose cube was placed last.
    """
    most = max(map(here.count, here))
    return next(seat for seat in reversed(here) if here.count(seat) == most)


def _capture(
    t: Tables, s: State, slot: int, here: tuple[int, ...], moved: int, boards: tuple[tuple[int, ...], ...]
) -> State:
    tile, winner = s.grid[slot], capturer(here)
    reserve = [n + here.count(seat) for seat, n in enumerate(s.reserve)]  # E42
    for seat, marked in enumerate(boards):
        if slot in marked:  # E35: the cube marked for the tile returns
            reserve[seat] += 1
            boards = (*boards[:seat], tuple([x for x in marked if x != slot]), *boards[seat + 1 :])
    owned = s.owned[winner] | 1 << tile
    unlocked = (*s.unlocked[:winner], t.unlocked(owned), *s.unlocked[winner + 1 :])
    grid = (*s.grid[:slot], NONE, *s.grid[slot + 1 :])
    turn = next_turn(t, s.first, s.turn + 1, grid, unlocked, boards)
    after = State(
        MOVE, s.round, s.first, turn, moved, s.ready, s.playing, s.last_round, NONE, s.over,
        grid, (*s.cubes[:slot], (), *s.cubes[slot + 1 :]), s.filled & ~(1 << slot),
        (*s.owned[:winner], owned, *s.owned[winner + 1 :]), unlocked, tuple(reserve), boards, s.supply,
        _open_cards(t, s.cards, winner, owned) if s.cards.open else s.cards,
    )  # fmt: skip
    if tile == t.end:
        return finish(t, after, "E60")
    return after if turn != NONE else _end_phase_two(t, after)


def _open_cards(t: Tables, cards: Cards, seat: int, owned: int) -> Cards:
    """E71: the seat takes every open card that its tiles complete first; R-11: both, if it is both."""
    taken = tuple(
        seat if holder == NONE and t.completes(card, owned) else holder
        for card, holder in zip(cards.open, cards.taken, strict=True)
    )
    return Cards(cards.open, taken, cards.hands)


def _end_phase_two(t: Tables, s: State) -> State:
    reserve = tuple([n + len(left) for n, left in zip(s.reserve, s.boards, strict=True)])
    cleared = State(
        MOVE, s.round, s.first, 0, s.moved, 0, s.playing, s.last_round, NONE, s.over,
        s.grid, s.cubes, s.filled, s.owned, s.unlocked, reserve, ((),) * len(reserve), s.supply, s.cards,
    )  # fmt: skip
    return end_round(t, cleared)
