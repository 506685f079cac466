"""What lies on the table in a game of Spyrium, where, and what it looks like."""

from __future__ import annotations

from functools import lru_cache

from companion.core.game import SeenFirst
from companion.core.layout import EMPTY_SLOT, BoardView, PieceShape, SlotOutline, SlotView, TableLayout, slot_view
from companion.core.types import Event, Face, Seat, Slot
from companion.games.spyrium.actions import (
    NEW_SPACE,
    Activate,
    Deal,
    First,
    Future,
    Money,
    Pass,
    Place,
    Use,
    UseEvent,
)
from companion.games.spyrium.edition.designs import EVENTS, Character
from companion.games.spyrium.edition.form import CARD_MM, CARD_THICKNESS_MM
from companion.games.spyrium.edition.tables import SIDE, Tables
from companion.games.spyrium.state import NONE, Built, State

# Sizes in mm, as laid out by this companion; the rulebook prints none, so they are sample data.
CARD_WIDTH_MM, CARD_HEIGHT_MM = CARD_MM
GAP_MM = 26.0  # between two market cards, wide enough for workers to stand in
WORKER_WIDTH_MM, WORKER_HEIGHT_MM = 12.0, 16.0  # a round peg

# Own buildings lie in blocks; a space is a square in which a card fits upright and inclined.
SPACES_SEEN = 12  # spaces that the camera reads; a building beyond (the thirteenth space costs 12 pounds) is not seen
SPACE_PITCH_MM = 74.0
# Middles of the blocks and spaces in a row, clockwise from the bottom: one block below the market, two to the left of
# it, two to the right. The printed markers (220, 170 mm from the middle) lie between the market and the blocks.
BLOCKS_MM = ((0.0, 271.0, 6), (-361.0, 150.0, 3), (-361.0, -150.0, 3), (361.0, -150.0, 3), (361.0, 150.0, 3))
EVENT_SLOTS: tuple[Slot, Slot] = ("event", "future")
EVENTS_Y_MM = -230.0  # the two event cards lie above the market

# Money lies beside its owner's buildings, coins side by side, out of the way of arms that reach for the market: middles
# and sizes of the purses, clockwise from the bottom. The first one lies elsewhere where a fifth player has buildings.
PURSES_MM = (
    (364.0, 272.0, 140.0, 120.0), (-584.0, 150.0, 80.0, 140.0), (-584.0, -150.0, 80.0, 140.0),
    (584.0, -150.0, 80.0, 140.0), (584.0, 150.0, 80.0, 140.0),
)  # fmt: skip
FIRST_PURSE_OF_FIVE_MM = (364.0, 430.0, 140.0, 120.0)
COIN_THICKNESS_MM = 1.6

UPRIGHT, INCLINED = 0, 1  # quarter turns clockwise
TURNS_TOLD = 2  # upside down is upright, too


def _card(slot: Slot, x: float, y: float, turns: int = 1) -> SlotOutline:
    w, h = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    return SlotOutline(slot, ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)), "card", turns)


@lru_cache(maxsize=64)  # five seats at most
def building_slot(seat: int, place: int) -> tuple[Slot, ...]:
    """The slot of a building by its place in the neighbourhood, counted from 0; none beyond what is seen."""
    return (f"{Seat(seat).name}-b{place + 1}",) if place < SPACES_SEEN else ()


def purse_slot(seat: int) -> Slot:
    """Where a player's money lies."""
    return f"{Seat(seat).name}-purse"


def _purses(seats: int) -> tuple[SlotOutline, ...]:
    places = (FIRST_PURSE_OF_FIVE_MM, *PURSES_MM[1:]) if seats == len(PURSES_MM) else PURSES_MM[:seats]
    outlines = []
    for seat, (x, y, width, height) in enumerate(places):
        w, h = width / 2, height / 2
        corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
        outlines.append(SlotOutline(purse_slot(seat), corners, "purse"))
    return tuple(outlines)


def table_layout(t: Tables) -> TableLayout:
    """The market in the middle, gaps between its cards, the events above, a block of spaces for each neighbourhood and
    a purse beside it."""
    pitch_x, pitch_y = CARD_WIDTH_MM + GAP_MM, CARD_HEIGHT_MM + GAP_MM
    outlines = []
    middles = [((i % SIDE - 1) * pitch_x, (i // SIDE - 1) * pitch_y) for i in range(len(t.slots))]
    outlines += [_card(slot, x, y) for slot, (x, y) in zip(t.slots, middles, strict=True)]
    for gap, (a, b) in zip(t.gaps, t.gap_cards, strict=True):
        (ax, ay), (bx, by) = middles[a], middles[b]
        x, y = (ax + bx) / 2, (ay + by) / 2
        w, h = (GAP_MM, CARD_HEIGHT_MM) if ay == by else (CARD_WIDTH_MM, GAP_MM)
        corners = ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))
        outlines.append(SlotOutline(gap, corners, "gap"))
    outlines += [_card(slot, (i - 0.5) * pitch_x, EVENTS_Y_MM) for i, slot in enumerate(EVENT_SLOTS)]
    for seat, (block_x, block_y, in_row) in zip(t.seats, BLOCKS_MM, strict=False):
        rows = SPACES_SEEN // in_row
        for place in range(SPACES_SEEN):
            row, column = divmod(place, in_row)
            x = block_x + (column - (in_row - 1) / 2) * SPACE_PITCH_MM
            y = block_y + (row - (rows - 1) / 2) * SPACE_PITCH_MM
            outlines.append(_card(building_slot(seat, place)[0], x, y, TURNS_TOLD))
    return TableLayout(
        tuple(outlines), CARD_THICKNESS_MM, WORKER_HEIGHT_MM, WORKER_WIDTH_MM, PieceShape.ROUND,
        purses=_purses(len(t.setup.seats)), coins=t.catalogue.coins,
    )


def views_between(t: Tables, before: State, event: Event, after: State) -> tuple[BoardView, ...]:
    """What is seen one after the other while `event` leads from `before` to `after`; the last is the table after it.

    The worker comes back (S41), then its card goes to its owner. What ends the turn (S50) and who begins (S13) change
    nothing at first: hands clear the market, straighten buildings and move the event afterwards. Nor does the first
    event (S12), which soon lies elsewhere: people lay out the whole table before they tell anything.
    """
    end = board_view(t, after)
    if isinstance(event, Activate):
        slot = t.slot_index[event.card]
        if after.market[slot] == NONE:
            return (board_view(t, before._replace(gaps=after.gaps)), end)
    elif isinstance(event, (Pass, First)) or (isinstance(event, Future) and before.turn == 0):
        now = board_view(t, before)
        return (now, end) if now != end else (end,)
    return (end,)


def seen_first(t: Tables, before: State, event: Event) -> SeenFirst | None:
    """The one slot that changes first when `event` happens, and how it looks then; None where it depends on more."""
    if isinstance(event, Place | Money | Activate) or (isinstance(event, UseEvent) and event.gap):
        here = list(before.gaps[t.gap_index[event.gap]])
        here[event.seat] += 1 if isinstance(event, Place | UseEvent) else -1  # S30, S66; S40, S41
        then = _card_moved(t, before, event) if isinstance(event, Activate) else ()
        return SeenFirst(event.gap, _workers(t, tuple(here)), then)
    if isinstance(event, Use):  # S45
        place = int(event.space[1:]) - 1
        built = t.cards[before.players[event.seat].buildings[place].kind].id
        slots = building_slot(event.seat, place)
        return SeenFirst(slots[0], slot_view(built, INCLINED), None if event.again else ()) if slots else None
    return SeenFirst(event.slot, slot_view(event.card), ()) if isinstance(event, Deal) else None  # S22


def _card_moved(t: Tables, before: State, event: Activate) -> tuple[tuple[Slot, SlotView], ...]:
    """What changes when the worker has come back: S42: a character stays where it lies; S43, S44: other cards go to
    their owner, a building to its space."""
    kind = before.market[t.slot_index[event.card]]
    if isinstance(t.designs[kind], Character):
        return ()
    gone = ((event.card, EMPTY_SLOT),)
    if not event.space:
        return gone
    place = len(before.players[event.seat].buildings) if event.space == NEW_SPACE else int(event.space[1:]) - 1
    built = slot_view(t.cards[kind].id, UPRIGHT)
    return (*gone, *((slot, built) for slot in building_slot(event.seat, place)))


@lru_cache(maxsize=1024)  # few stand in few gaps, and they are asked for all the time
def _workers(t: Tables, here: tuple[int, ...]) -> SlotView:
    """A gap with so many workers of each seat."""
    pieces = sorted((t.setup.seats[seat].colour, count) for seat, count in enumerate(here) if count)
    return slot_view(pieces=tuple(pieces))


def board_view(t: Tables, s: State) -> BoardView:
    """Market cards, workers in the gaps by colour, the events, and own buildings, inclined ones as inclined."""
    return _laid_out(t, s.market, s.gaps, (s.event, s.future), tuple([player.buildings for player in s.players]))


@lru_cache(maxsize=256)  # most of what may happen next leaves the table as it lies
def _laid_out(
    t: Tables, market: tuple[int, ...], gaps: tuple[tuple[int, ...], ...], events: tuple[int, int],
    owned: tuple[tuple[Built, ...], ...],
) -> BoardView:
    """`board_view` of a state with `events`, now and next, and the buildings `owned` by seat; all else as in the
    state."""
    slots: list[tuple[Slot, SlotView]] = []
    for slot, kind in zip(t.slots, market, strict=True):
        if kind != NONE:
            slots.append((slot, slot_view(t.cards[kind].id)))
    for gap, here in zip(t.gaps, gaps, strict=True):
        if any(here):
            slots.append((gap, _workers(t, here)))
    for slot, event in zip(EVENT_SLOTS, events, strict=True):
        if event != NONE:
            slots.append((slot, slot_view(EVENTS[event].value)))
    for seat, buildings in enumerate(owned):
        for place, built in enumerate(buildings):
            turn = INCLINED if built.inclined else UPRIGHT
            view = slot_view(t.cards[built.kind].id, turn)
            slots += [(slot, view) for slot in building_slot(seat, place)]
    return BoardView(tuple(slots))


def all_faces(t: Tables) -> tuple[Face, ...]:
    """Every kind of card that can be seen, and the events."""
    return (*(card.id for card in t.cards), *(event.value for event in EVENTS))


def same_faces(t: Tables) -> dict[Face, Face]:
    """Each card's representative: the first kind of the catalogue that looks the same."""
    first: dict[tuple[object, ...], Face] = {}
    return {card.id: first.setdefault(card.look, card.id) for card in t.cards}
