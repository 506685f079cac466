"""Between the rounds of Envyra: refill, cubes back, the starting figure, no valid move, the endings."""

from __future__ import annotations

from companion.games.envyra.actions import Finish, Refill, Remove, Replace, Show
from companion.games.envyra.edition.tables import CUBES_PER_PLAYER, Tables
from companion.games.envyra.state import NONE, Phase, State, Supply


def end_round(t: Tables, s: State) -> State:
    """What follows Phase II, whose boards are empty: the next gap to fill, the next round, or the end of the game."""
    if s.last_round:
        return finish(t, s, "E62")
    return _after_gap(t, s, s.grid, s.filled, s.supply)


def _after_gap(t: Tables, s: State, grid: tuple[int, ...], filled: int, supply: Supply) -> State:
    """The next gap of a grid that was refilled so far, or the next round; all else is as in `s`."""
    gap = next((slot for slot in t.fill_order if grid[slot] == NONE), NONE) if filled != t.full else NONE
    if gap != NONE and supply.in_bag:
        after = State(
            Phase.REFILL, s.round, s.first, 0, s.moved, 0, s.playing, False, gap, "",
            grid, s.cubes, filled, s.owned, s.unlocked, s.reserve, s.boards, supply, s.cards,
        )  # fmt: skip
        if supply.in_bag == 1 and supply.known == 1 << t.end and not end_is_allowed(t, s):
            return finish(t, after, "E61")  # E51 (3)
        return after
    # E50: with the supply empty the grid keeps the gap
    cubes, reserve = s.cubes, s.reserve
    for seat, left in enumerate(reserve):
        if left == 0:  # E52
            cubes = tuple([tuple([x for x in here if x != seat]) for here in cubes])
            reserve = (*reserve[:seat], CUBES_PER_PLAYER, *reserve[seat + 1 :])
    first = (s.first + 1) % len(reserve)  # E53
    return _open_round(
        t,
        State(
            Phase.CHOOSE, s.round + 1, first, 0, 0, 0, t.everybody, False, NONE, "",
            grid, cubes, filled, s.owned, s.unlocked, reserve, s.boards, supply, s.cards,
        ),
    )  # fmt: skip


def end_is_allowed(t: Tables, s: State) -> bool:
    """E51 (1): whether at least one player meets the restriction of the End tile."""
    return any(mask >> t.end & 1 for mask in s.unlocked)


def without(t: Tables, supply: Supply, tile: int) -> Supply:
    """The supply after `tile` has left the bag."""
    start, basic, start_in_bag, basic_in_bag, known, *rest = supply
    bit = 1 << tile
    if known & bit:
        return Supply(start, basic, start_in_bag, basic_in_bag, known & ~bit, *rest)
    if t.starting & bit:
        return Supply(start & ~bit, basic, start_in_bag - 1, basic_in_bag, known, *rest)
    return Supply(start, basic & ~bit, start_in_bag, basic_in_bag - 1, known, *rest)


def put_aside(s: State, supply: Supply, tile: int) -> State:
    """The drawn tile waits beside the grid and will be returned."""
    return s._replace(supply=supply._replace(aside=supply.aside | 1 << tile))


def put_back(supply: Supply) -> Supply:
    """What was put aside is returned to the bag; from now on it is known to be there."""
    return supply._replace(known=supply.known | supply.aside, aside=0) if supply.aside else supply


def refill(t: Tables, s: State, draw: Refill) -> State:
    """E50, E51: the drawn tile fills the gap, or the End tile is put aside until another has been drawn."""
    tile = t.tile_index[draw.tile]
    supply = without(t, s.supply, tile)
    if tile == t.end and not end_is_allowed(t, s):  # E51 (2)
        return put_aside(s, supply, tile)
    grid = (*s.grid[: s.slot], tile, *s.grid[s.slot + 1 :])
    return _after_gap(t, s, grid, s.filled | 1 << s.slot, put_back(supply))


def stuck_seats(s: State, grid: tuple[int, ...]) -> list[int]:
    """E55: the seats to which every tile of the grid is restricted."""
    tiles = 0
    for tile in grid:
        if tile != NONE:
            tiles |= 1 << tile
    return [seat for seat, free in enumerate(s.unlocked) if not free & tiles]


def removable(s: State, seat: int) -> tuple[int, ...]:
    """E55: the slots whose tile is unoccupied and restricted to the seat."""
    return tuple(
        slot
        for slot, tile in enumerate(s.grid)
        if tile != NONE and not s.cubes[slot] and not s.unlocked[seat] >> tile & 1
    )


def chooser(t: Tables, s: State, stuck: list[int]) -> int:
    """E55: of the stuck seats the one closest to the starting figure, clockwise."""
    return next(seat for seat in t.order[s.first] if seat in stuck)


def begin_first_round(t: Tables, s: State) -> State:
    """The first round, once the set-up is done."""
    return _open_round(t, s._replace(phase=Phase.CHOOSE, round=1, playing=t.everybody, slot=NONE))


def _open_round(t: Tables, s: State) -> State:
    """Phase I of the round, or first the procedure for players who have no valid move (E55)."""
    stuck = stuck_seats(s, s.grid)
    if not stuck:
        return s
    if removable(s, chooser(t, s, stuck)):
        return s._replace(phase=Phase.REMOVE)
    return go_on_without(t, s)


def go_on_without(t: Tables, s: State) -> State:
    """E56: the last round, without the players who have no valid move; R-10: the end when that is everybody."""
    stuck = stuck_seats(s, s.grid)
    playing = t.everybody & ~sum(1 << seat for seat in stuck)
    s = s._replace(phase=Phase.CHOOSE, slot=NONE, playing=playing, last_round=True)
    return s if playing else finish(t, s, "E62")


def remove(t: Tables, s: State, action: Remove) -> State:
    """E55: the tile leaves the game and a replacement is drawn; R-10: the gap stays when the bag is empty."""
    slot = t.slot_index[action.slot]
    supply = s.supply._replace(removed=s.supply.removed | 1 << s.grid[slot])
    grid = (*s.grid[:slot], NONE, *s.grid[slot + 1 :])
    s = s._replace(phase=Phase.REPLACE, grid=grid, filled=s.filled & ~(1 << slot), slot=slot, supply=supply)
    return s if supply.in_bag else go_on_without(t, s)


def replacement(t: Tables, s: State, draw: Replace) -> State:
    """E55: the drawn tile stays when it gives everybody a valid move, else it waits to be returned to the bag."""
    tile = t.tile_index[draw.tile]
    supply = without(t, s.supply, tile)
    if not stuck_seats(s, (*s.grid, tile)):
        grid, filled = (*s.grid[: s.slot], tile, *s.grid[s.slot + 1 :]), s.filled | 1 << s.slot
        return s._replace(phase=Phase.CHOOSE, grid=grid, filled=filled, slot=NONE, supply=put_back(supply))
    s = put_aside(s, supply, tile)
    if s.supply.in_bag:
        return s
    return go_on_without(t, s._replace(supply=put_back(s.supply)))


def can_go_on_for_ever(t: Tables, s: State) -> bool:
    """R-12: whether nobody can capture any tile of the grid alone, and no other tile comes before one is captured."""
    if not t.shared or s.phase is not Phase.CHOOSE:
        return False
    return all(tile == NONE or t.shared >> tile & 1 for tile in s.grid) and (s.filled == t.full or not s.supply.in_bag)


def agree(t: Tables, s: State, action: Finish) -> State:
    """R-12: the game ends when all who take part agree."""
    agreed = s.agreed | 1 << action.seat
    return finish(t, s, "R-12") if agreed == s.playing else s._replace(agreed=agreed)


def finish(t: Tables, s: State, clause: str) -> State:
    """The end of the game by `clause`; cubes left on the boards return to the reserves."""
    reserve = tuple(n + len(left) for n, left in zip(s.reserve, s.boards, strict=True))
    phase = Phase.SHOW if t.hidden_cards else Phase.OVER
    empty = ((),) * len(t.seats)
    return s._replace(
        phase=phase, over=clause, slot=NONE, turn=0, reserve=reserve, boards=empty, playing=0, ready=0, agreed=0
    )


def show_card(t: Tables, s: State, action: Show) -> State:
    """E72: the secret card is shown; the game is over when all are."""
    hands = list(s.cards.hands)
    hands[action.seat] = t.card_index[action.card]
    phase = Phase.SHOW if NONE in hands else Phase.OVER
    return s._replace(phase=phase, cards=s.cards._replace(hands=tuple(hands)))
