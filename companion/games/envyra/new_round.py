"""Between the rounds of Envyra: refill, cubes back, the starting figure, no valid move, the endings."""

from __future__ import annotations

from companion.games.envyra.actions import Refill, Remove, Replace, Show
from companion.games.envyra.state import NONE, Phase, State, Supply
from companion.games.envyra.tables import CUBES_PER_PLAYER, Tables


def end_round(t: Tables, s: State) -> State:
    """What follows Phase II, whose boards are empty: the next gap to fill, the next round, or the end of the game."""
    if s.last_round:
        return finish(t, s, "E62")
    supply = s.supply
    gap = next((slot for slot in t.fill_order if s.grid[slot] == NONE), NONE)
    if gap != NONE and supply.in_bag:
        if supply.in_bag == 1 and supply.known == 1 << t.end and not end_is_allowed(t, s):
            return finish(t, s, "E61")  # E51 (3)
        return s._replace(phase=Phase.REFILL, slot=gap)
    # E50: with the supply empty the grid keeps the gap
    for seat, left in enumerate(s.reserve):
        if left == 0:
            s = take_all_back(s, seat)
    return begin_round(t, s._replace(first=(s.first + 1) % len(t.seats)))  # E53


def take_all_back(s: State, seat: int) -> State:
    """E52: the seat takes its five cubes back from the grid."""
    cubes = tuple(tuple(x for x in here if x != seat) for here in s.cubes)
    reserve = (*s.reserve[:seat], CUBES_PER_PLAYER, *s.reserve[seat + 1 :])
    return s._replace(cubes=cubes, reserve=reserve)


def end_is_allowed(t: Tables, s: State) -> bool:
    """E51 (1): whether at least one player meets the restriction of the End tile."""
    return any(mask >> t.end & 1 for mask in s.unlocked)


def without(t: Tables, supply: Supply, tile: int) -> Supply:
    """The supply after `tile` has left the bag."""
    bit = 1 << tile
    if supply.known & bit:
        return supply._replace(known=supply.known & ~bit)
    if t.starting & bit:
        return supply._replace(pool_start=supply.pool_start & ~bit, start_in_bag=supply.start_in_bag - 1)
    return supply._replace(pool_basic=supply.pool_basic & ~bit, basic_in_bag=supply.basic_in_bag - 1)


def put_aside(s: State, supply: Supply, tile: int) -> State:
    """The drawn tile waits beside the grid and will be returned."""
    return s._replace(supply=supply._replace(aside=supply.aside | 1 << tile))


def put_back(supply: Supply) -> Supply:
    """What was put aside is returned to the bag; from now on it is known to be there."""
    return supply._replace(known=supply.known | supply.aside, aside=0) if supply.aside else supply


def put_tile(s: State, supply: Supply, tile: int) -> State:
    """The drawn tile lies in the gap, and what was put aside is back in the bag."""
    grid = (*s.grid[: s.slot], tile, *s.grid[s.slot + 1 :])
    return s._replace(grid=grid, filled=s.filled | 1 << s.slot, slot=NONE, supply=put_back(supply))


def refill(t: Tables, s: State, draw: Refill) -> State:
    """E50, E51: the drawn tile fills the gap, or the End tile is put aside until another has been drawn."""
    tile = t.tile_index[draw.tile]
    supply = without(t, s.supply, tile)
    if tile == t.end and not end_is_allowed(t, s):  # E51 (2)
        return put_aside(s, supply, tile)
    return end_round(t, put_tile(s, supply, tile))


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


def begin_round(t: Tables, s: State) -> State:
    """The next round: Phase I, or first the procedure for players who have no valid move."""
    everybody = (1 << len(t.seats)) - 1
    s = s._replace(phase=Phase.CHOOSE, round=s.round + 1, turn=0, moved=0, ready=0, playing=everybody, slot=NONE)
    stuck = stuck_seats(s, s.grid)
    if not stuck:
        return s
    if removable(s, chooser(t, s, stuck)):
        return s._replace(phase=Phase.REMOVE)
    return go_on_without(t, s)


def go_on_without(t: Tables, s: State) -> State:
    """E56: the last round, without the players who have no valid move; R-10: the end when that is everybody."""
    stuck = stuck_seats(s, s.grid)
    playing = ((1 << len(t.seats)) - 1) & ~sum(1 << seat for seat in stuck)
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
        return put_tile(s, supply, tile)._replace(phase=Phase.CHOOSE)
    s = put_aside(s, supply, tile)
    if s.supply.in_bag:
        return s
    return go_on_without(t, s._replace(supply=put_back(s.supply)))


def finish(t: Tables, s: State, clause: str) -> State:
    """The end of the game by `clause`; cubes left on the boards return to the reserves."""
    reserve = tuple(n + len(left) for n, left in zip(s.reserve, s.boards, strict=True))
    phase = Phase.SHOW if t.hidden_cards else Phase.OVER
    empty = ((),) * len(t.seats)
    return s._replace(phase=phase, over=clause, slot=NONE, turn=0, reserve=reserve, boards=empty, playing=0, ready=0)


def show_card(t: Tables, s: State, action: Show) -> State:
    """E72: the secret card is shown; the game is over when all are."""
    hands = list(s.cards.hands)
    hands[action.seat] = t.card_index[action.card]
    phase = Phase.SHOW if NONE in hands else Phase.OVER
    return s._replace(phase=phase, cards=s.cards._replace(hands=tuple(hands)))
