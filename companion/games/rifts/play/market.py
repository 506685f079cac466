"""The spell market, the store and the villages of Rifts of N'Norya: what is bought, sold and cleared away."""

from __future__ import annotations

from companion.games.rifts.actions import Buy, Clear, Equip, Market, Trade
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import BOTTOM_CARDS, CLEARING_GOLD, ITEMS, RESOURCES, Item
from companion.games.rifts.play.geography import geography, group_of
from companion.games.rifts.state import NONE, Counts, State, put, with_mage


def place_to_fill(s: State) -> int:
    """N3, N50: the place of the market that waits for a card; NONE when none does or the spell deck is empty."""
    return s.market.index(NONE) if NONE in s.market and any(s.book) else NONE


def drawable(t: Tables, s: State) -> Counts:
    """What the top card of the spell deck can be, with weights.

    N3: at set-up Rift cards go back, so a spell comes; R-N21: the low one stays where it is. Later every card above the
    bottom five is equally likely, the low Rift card not being among them; of the bottom five every card is, so that no
    Rift card is told from another.
    """
    if s.turn == 0:
        return put(s.book, t.rift_card, -s.book[t.rift_card])
    if sum(s.book) > BOTTOM_CARDS:
        return put(s.book, t.rift_card, -1)  # R-N1: one Rift card lies among the bottom five
    return s.book


def fill(t: Tables, s: State, draw: Market) -> State:
    """N50: the card lies in the market; N51: a Rift card makes all rifts active; N7: the last one ends the game."""
    card, place = t.card_index[draw.card], t.place_index[draw.slot]
    market = (*s.market[:place], card, *s.market[place + 1 :])
    s = s._replace(book=put(s.book, card, -1), market=market)
    if card != t.rift_card:
        return s
    s = s._replace(rifts=tuple(rift._replace(active=True) for rift in s.rifts))
    return s if s.book[t.rift_card] else s._replace(ended="N7")


def take_away(s: State, places: tuple[int, ...]) -> State:
    """Spells are cleared from these places and do not come back."""
    gone, market = s.gone, list(s.market)
    for place in places:
        gone = put(gone, market[place], 1)
        market[place] = NONE
    return s._replace(gone=gone, market=tuple(market))


def spells_lying(t: Tables, s: State) -> tuple[int, ...]:
    """N51: the places of the market that hold a spell; Rift cards stay and block theirs."""
    return tuple(place for place, card in enumerate(s.market) if card not in (NONE, t.rift_card))


def clear_market(t: Tables, s: State) -> State:
    """N40, N50: all spells of the market go away."""
    return take_away(s, spells_lying(t, s))


def buy(t: Tables, s: State, action: Buy) -> State:
    """N50: the price is paid, the spell goes to the discard pile."""
    place, mage = t.place_index[action.slot], s.mages[action.seat]
    card = s.market[place]
    mage = mage._replace(gold=mage.gold - t.spells[card].price, discard=put(mage.discard, card, 1))
    return with_mage(s, action.seat, mage)._replace(market=(*s.market[:place], NONE, *s.market[place + 1 :]))


def clear(t: Tables, s: State, action: Clear) -> State:
    """N50: 3 gold clear the market."""
    mage = s.mages[action.seat]
    return clear_market(t, with_mage(s, action.seat, mage._replace(gold=mage.gold - CLEARING_GOLD)))


def equip(t: Tables, s: State, action: Equip) -> State:
    """N50: the item is paid and lies on the character card; R-N18: a horse gives movement from the next turn on."""
    mage, item = s.mages[action.seat], Item(action.item)
    items = list(mage.items)
    items[ITEMS.index(item)] = True
    mage = mage._replace(gold=mage.gold - t.catalogue.prices[item], items=(items[0], items[1], items[2]))
    return with_mage(s, action.seat, mage)


def trade(t: Tables, s: State, action: Trade) -> State:
    """R-N11: one resource is sold."""
    mage = s.mages[action.seat]
    index = [element.value for element in RESOURCES].index(action.element)
    resources = list(mage.resources)
    resources[index] -= 1
    gold = mage.gold + prices_paid(t, s, mage.cell)[index]
    mage = mage._replace(resources=(resources[0], resources[1], resources[2]), gold=gold)
    return with_mage(s, action.seat, mage)


def prices_paid(t: Tables, s: State, cell: int) -> tuple[int, ...]:
    """R-N11: the gold that is paid at `cell` for a resource of each of RESOURCES; 0: not bought there.

    In a city every connected village's text can be used (N13).
    """
    geo = geography(t, s.land)
    best = [0] * len(RESOURCES)
    here = group_of(t, s.land, cell) if geo.cities >> cell & 1 else 1 << cell
    for other, space in enumerate(geo.spaces):
        if here >> other & 1 and space is not None and space.sells is not None:
            index = RESOURCES.index(space.sells)
            best[index] = max(best[index], space.gold)
    return tuple(best)
