"""What holds in every position of Envyra that play can reach: nothing lost, nothing doubled, nobody forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.types import Problem, Seat
from companion.games.envyra.edition.tables import CUBES_PER_PLAYER, Tables, bits
from companion.games.envyra.play.new_round import can_go_on_for_ever
from companion.games.envyra.play.setting_up import tiles_to_box
from companion.games.envyra.state import NONE, Phase, State

SETUP_PHASES = frozenset({Phase.BOX, Phase.DEAL, Phase.START, Phase.OPEN, Phase.HAND, Phase.PICK})


def state_problems(t: Tables, s: State) -> tuple[Problem, ...]:
    """Every invariant that `s` breaks."""
    return (*_cubes(t, s), *_tiles(t, s), *_kinds(t, s), *_round(t, s), *_cards(t, s))


def _cubes(t: Tables, s: State) -> Iterator[Problem]:
    on_grid = Counter(x for here in s.cubes for x in here)
    for seat in t.seats:
        # secret choices still count in the reserve
        marked = len(s.boards[seat]) if s.phase is Phase.MOVE else 0
        total = s.reserve[seat] + marked + on_grid[int(seat)]
        if total != CUBES_PER_PLAYER:
            facts = (("seat", seat.name), ("got", total), ("expected", CUBES_PER_PLAYER))
            yield Problem("cubes", "{seat} has {got} cubes, not {expected}", facts, "E4")
        most = min(1 if t.one_cube else 2, s.reserve[seat] + marked)
        if len(set(s.boards[seat])) < len(s.boards[seat]) or len(s.boards[seat]) > most:
            yield Problem("boards", "{seat}: more cubes than a board may hold", (("seat", seat.name),), "E20")
        for slot in s.boards[seat]:
            if s.grid[slot] == NONE:
                facts_gap = (("seat", seat.name), ("slot", t.slots[slot]))
                yield Problem("boards", "{seat} marked {slot}, where no tile lies", facts_gap, "R-03")
    for name, tile, here in zip(t.slots, s.grid, s.cubes, strict=True):
        room = t.need[tile] - 1 if tile != NONE else 0
        if len(here) > room:
            facts_slot = (("slot", name), ("got", len(here)), ("most", room))
            yield Problem("cubes", "{slot} holds {got} cubes, at most {most} can stay there", facts_slot, "E40")


def _tiles(t: Tables, s: State) -> Iterator[Problem]:
    supply = s.supply
    lying = [1 << tile for tile in s.grid if tile != NONE]
    pools = (supply.pool_start, supply.pool_basic, supply.known, supply.aside, supply.removed, supply.boxed)
    everywhere, seen, twice = (*s.owned, *pools, *lying), 0, 0
    for mask in everywhere:
        twice |= seen & mask
        seen |= mask
    for index in bits(twice | ~seen & (1 << len(t.tiles)) - 1):
        facts = (("tile", t.tiles[index].id), ("got", sum(mask >> index & 1 for mask in everywhere)))
        yield Problem("tiles", "{tile} lies in {got} places", facts, "E1")
    if any(t.unlocked(owned) != s.unlocked[seat] for seat, owned in enumerate(s.owned)):
        yield Problem("unlocked", "does not follow from the captured tiles", (), "E33")
    if s.filled != sum(1 << i for i, tile in enumerate(s.grid) if tile != NONE):
        yield Problem("filled", "does not follow from the grid")
    if supply.pool_start & ~t.starting or supply.pool_basic & ~t.basic or t.late & ~supply.boxed:
        yield Problem("supply", "a tile is among the wrong kind", (), "E10")


def _kinds(t: Tables, s: State) -> Iterator[Problem]:
    """E10: as many tiles of each kind are in the game as the number of players says."""
    supply = s.supply
    seen = supply.known | supply.aside | supply.removed
    for mask in s.owned:
        seen |= mask
    for tile in s.grid:
        if tile != NONE:
            seen |= 1 << tile
    kinds = (
        ("start_in_bag", t.starting, t.kept_start, supply.start_in_bag, supply.pool_start),
        ("basic_in_bag", t.basic, t.kept_basic, supply.basic_in_bag, supply.pool_basic),
    )
    for key, kind, kept, in_bag, pool in kinds:
        total = (seen & kind).bit_count() + in_bag
        if total != kept or in_bag > pool.bit_count():
            facts = (("got", total), ("kept", kept), ("pool", pool.bit_count()), ("in_bag", in_bag))
            message = "{got} of {kept} tiles are in the game, {in_bag} of {pool} unseen ones in the bag"
            yield Problem(f"supply.{key}", message, facts, "E10")


def _round(t: Tables, s: State) -> Iterator[Problem]:
    if s.phase in SETUP_PHASES:
        setup = s.round == 0 and not any(s.owned) and not any(s.cubes)
        if not setup or (s.phase is Phase.BOX) != bool(tiles_to_box(t, s.supply)):
            yield Problem("phase", "the set-up is over", (), "E11")
        if (s.first == NONE) != (s.phase in (Phase.BOX, Phase.DEAL, Phase.START)):
            yield Problem("first", "wrong at this step of the set-up", (), "E14")
    elif s.first == NONE or s.round == 0:
        yield Problem("first", "nobody holds the starting figure", (), "E14")
    elif s.ready & ~s.playing or s.playing & ~t.everybody:
        yield Problem("ready", "a seat is ready that does not take part", (), "R-04")
    elif s.phase in (Phase.CHOOSE, Phase.REVEAL, Phase.MOVE) and not s.playing:
        yield Problem("playing", "nobody takes part in the round", (), "R-10")
    elif s.phase is Phase.MOVE:
        seat = t.order[s.first][s.turn]
        marked = [s.grid[slot] for slot in s.boards[seat] if s.grid[slot] != NONE]
        if not any(s.unlocked[seat] >> tile & 1 for tile in marked):
            yield Problem("turn", "{seat} has no cube to move", (("seat", Seat(seat).name),), "R-05")
    elif s.phase is Phase.CHOOSE and s.ready == s.playing:
        yield Problem("ready", "everybody is ready, so Phase I is over", (), "R-04")
    elif s.phase is Phase.CHOOSE and 0 in s.reserve:
        seat = t.seats[s.reserve.index(0)]
        yield Problem("reserve", "{seat} begins the round without a cube", (("seat", seat.name),), "E52")
    if s.agreed and (s.agreed & ~s.playing or s.agreed & s.ready or not can_go_on_for_ever(t, s)):
        yield Problem("agreed", "seats agree to end a game that can go on", (), "R-12")
    gap_needed = s.phase in (Phase.DEAL, Phase.REFILL, Phase.REPLACE)
    if gap_needed != (s.slot != NONE) or (gap_needed and s.grid[s.slot] != NONE):
        yield Problem("slot", "does not name the gap to be filled", (), "R-08")
    if (s.over != "") != (s.phase in (Phase.SHOW, Phase.OVER)):
        yield Problem("over", "does not fit the phase", (), "E60")


def _cards(t: Tables, s: State) -> Iterator[Problem]:
    # E72: cards that seats told are not held against each other, since that would tell what they hold.
    held = {card for card in s.cards.hands if card != NONE}
    if len(set(s.cards.open)) < len(s.cards.open) or held & set(s.cards.open):
        yield Problem("cards", "an Equilibrium card lies in two places", (), "E71")
    complete = len(s.cards.open) == t.open_cards or s.phase in SETUP_PHASES
    if not complete or len(s.cards.open) > t.open_cards or len(s.cards.taken) != len(s.cards.open):
        yield Problem("open_cards", "expected {count}", (("count", t.open_cards),), "E71")
    if t.hand_cards and s.phase not in SETUP_PHASES:
        missing = NONE in s.cards.hands
        hidden = t.hidden_cards and s.phase is not Phase.OVER
        if missing != hidden and not (hidden and s.phase is Phase.SHOW):
            yield Problem("hands", "each player has one secret card", (), "E72")
