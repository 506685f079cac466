"""Set-up of Envyra: the empty table, and what each draw or pick of the set-up does to it."""

from __future__ import annotations

from companion.games.envyra.actions import BoxTile, DealTile, HandCard, OpenCard, Pick, StartingFigure
from companion.games.envyra.edition.tables import CUBES_PER_PLAYER, Tables
from companion.games.envyra.play.new_round import begin_first_round, without
from companion.games.envyra.state import NONE, Cards, Phase, State, Supply


def initial_state(t: Tables) -> State:
    """The table before the first draw: an empty grid, everybody's five cubes in reserve."""
    players, places = len(t.seats), len(t.slots)
    supply = Supply(
        pool_start=t.starting,
        pool_basic=t.basic,
        start_in_bag=t.kept_start,
        basic_in_bag=t.kept_basic,
        known=1 << t.end,  # E13
        boxed=t.late,  # E10
    )
    state = State(
        phase=Phase.DEAL,
        round=0,
        first=NONE,
        turn=0,
        moved=0,
        ready=0,
        playing=0,
        last_round=False,
        slot=NONE,
        over="",
        grid=(NONE,) * places,
        cubes=((),) * places,
        filled=0,
        owned=(0,) * players,
        unlocked=(t.unlocked(0),) * players,
        reserve=(CUBES_PER_PLAYER,) * players,  # E4
        boards=((),) * players,
        supply=supply,
        cards=Cards(hands=(NONE,) * players if t.hand_cards else ()),
    )
    return next_of_setup(t, state)


def tiles_to_box(t: Tables, supply: Supply) -> int:
    """E10: the mask of tiles one of which is drawn next for the box; 0 when none is left to draw or none is drawn."""
    if not t.digital:
        return 0
    if supply.pool_start.bit_count() > supply.start_in_bag:
        return supply.pool_start
    if supply.pool_basic.bit_count() > supply.basic_in_bag:
        return supply.pool_basic
    return 0


def cards_left(t: Tables, s: State) -> tuple[int, ...]:
    """The cards that lie neither open nor before a player, as far as the companion knows."""
    gone = {*s.cards.open, *s.cards.hands}
    return tuple(i for i in range(len(t.cards)) if i not in gone)


def hand_seat(t: Tables, s: State) -> int:
    """R-11: whose secret card is next: clockwise from the starting figure."""
    return next(seat for seat in t.order[s.first][: len(t.seats)] if s.cards.hands[seat] == NONE)


def next_of_setup(t: Tables, s: State) -> State:
    """The state with its phase set to the next step of the set-up, or the first round begun."""
    if tiles_to_box(t, s.supply):
        return s._replace(phase=Phase.BOX)
    gap = next((slot for slot in t.fill_order if s.grid[slot] == NONE), NONE)
    if gap != NONE:
        return s._replace(phase=Phase.DEAL, slot=gap)
    if s.first == NONE:
        return s._replace(phase=Phase.START, slot=NONE)
    if len(s.cards.open) < t.open_cards:
        return s._replace(phase=Phase.OPEN)
    if t.hand_cards and not t.hidden_cards and NONE in s.cards.hands:
        return s._replace(phase=Phase.PICK if t.pick_cards else Phase.HAND)
    return begin_first_round(t, s)


def box_tile(t: Tables, s: State, draw: BoxTile) -> State:
    """E10: the tile goes back into the box."""
    bit, supply = 1 << t.tile_index[draw.tile], s.supply
    supply = supply._replace(
        pool_start=supply.pool_start & ~bit,
        pool_basic=supply.pool_basic & ~bit,
        boxed=supply.boxed | bit,
    )
    return next_of_setup(t, s._replace(supply=supply))


def deal_tile(t: Tables, s: State, draw: DealTile) -> State:
    """E11: the tile lies in the grid."""
    tile, slot, supply = t.tile_index[draw.tile], s.slot, s.supply
    supply = without(t, supply, tile)
    grid = (*s.grid[:slot], tile, *s.grid[slot + 1 :])
    return next_of_setup(t, s._replace(grid=grid, filled=s.filled | 1 << slot, supply=supply))


def starting_figure(t: Tables, s: State, draw: StartingFigure) -> State:
    """E14: the seat takes the starting figure."""
    return next_of_setup(t, s._replace(first=int(draw.seat)))


def open_card(t: Tables, s: State, draw: OpenCard) -> State:
    """E71: the card lies open beside the grid."""
    opened = s.cards._replace(open=(*s.cards.open, t.card_index[draw.card]), taken=(*s.cards.taken, NONE))
    return next_of_setup(t, s._replace(cards=opened))


def hand_card(t: Tables, s: State, event: HandCard | Pick) -> State:
    """E72: the card lies secretly before the seat."""
    hands = list(s.cards.hands)
    hands[event.seat] = t.card_index[event.card]
    return next_of_setup(t, s._replace(cards=s.cards._replace(hands=tuple(hands))))
