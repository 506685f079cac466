"""Whether something can be bought, sold or cleared away in Rifts of N'Norya, and if not, why."""

from __future__ import annotations

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.rifts.actions import Buy, Clear, Equip, Trade
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import CLEARING_GOLD, ITEMS, RESOURCES, Item, Terrain
from companion.games.rifts.legality.check_map import standing
from companion.games.rifts.play.geography import geography
from companion.games.rifts.play.market import prices_paid, spells_lying
from companion.games.rifts.state import NONE, State


def _outside(t: Tables, s: State, seat: Seat, clause: str) -> Violation | None:
    """N50: the mage is in no village."""
    if geography(t, s.land).terrain(s.mages[seat].cell) is Terrain.VILLAGE:
        return None
    here = standing(t, s, seat)
    return Violation(clause, "{seat} stands at {here}, which is no village.", (("seat", seat), ("here", here)), (here,))


def _too_poor(s: State, seat: Seat, what: str, price: int, clause: str) -> Violation | None:
    """N50: the mage has less gold than it costs."""
    gold = s.mages[seat].gold
    if gold >= price:
        return None
    facts = (("seat", seat), ("what", what), ("price", price), ("gold", gold))
    return Violation(clause, "{what} costs {price} gold; {seat} has {gold}.", facts)


def check_buy(t: Tables, s: State, action: Buy) -> Violation | None:
    """N50, N51: why this spell cannot be bought, or None."""
    place = t.place_index.get(action.slot)
    if place is None:
        facts = (("slot", shown(action.slot)), ("places", t.places))
        return Violation("N50", "The market has the places {places}, not {slot}.", facts)
    outside = _outside(t, s, action.seat, "N50")
    if outside is not None:
        return outside
    card, slots = s.market[place], (action.slot,)
    if card == t.rift_card:
        return Violation("N51", "A Rift card blocks {slot}.", (("slot", action.slot),), slots)
    if card == NONE:
        return Violation("N50", "There is no card at {slot}.", (("slot", action.slot),), slots)
    spell = t.spells[card]
    return _too_poor(s, action.seat, t.card_names[card], spell.price, "N50")


def check_clear(t: Tables, s: State, action: Clear) -> Violation | None:
    """N50: why the market cannot be cleared, or None."""
    outside = _outside(t, s, action.seat, "N50")
    if outside is not None:
        return outside
    if not spells_lying(t, s):
        return Violation("N50", "There is no spell in the market to clear away.", ())
    gold, facts = s.mages[action.seat].gold, (("seat", action.seat), ("price", CLEARING_GOLD))
    if gold < CLEARING_GOLD:
        message = "Clearing the market costs {price} gold; {seat} has {gold}."
        return Violation("N50", message, (*facts, ("gold", gold)))
    return None


def check_equip(t: Tables, s: State, action: Equip) -> Violation | None:
    """N50: why the item cannot be bought, or None."""
    facts = (("seat", action.seat), ("item", shown(action.item)))
    known = [item.value for item in ITEMS]
    if action.item not in known:
        return Violation("N4", "The store has horse, boat and scroll, not {item}.", facts)
    mage = s.mages[action.seat]
    if not geography(t, s.land).cities >> mage.cell & 1:
        here = standing(t, s, action.seat)
        message = "The store is in a city, three villages that touch; {seat} stands at {here}."
        return Violation("N50", message, (*facts, ("here", here)), (here,))
    if mage.items[known.index(action.item)]:
        return Violation("N4", "{seat} has the {item} already.", facts)
    return _too_poor(s, action.seat, action.item, t.catalogue.prices[Item(action.item)], "N50")


def check_trade(t: Tables, s: State, action: Trade) -> Violation | None:
    """R-N11: why the resource cannot be sold, or None."""
    facts = (("seat", action.seat), ("element", shown(action.element)))
    known = [element.value for element in RESOURCES]
    if action.element not in known:
        return Violation("N1", "Resources are fire, earth and air, not {element}.", facts)
    outside = _outside(t, s, action.seat, "R-N11")
    if outside is not None:
        return outside
    mage, index = s.mages[action.seat], known.index(action.element)
    if not prices_paid(t, s, mage.cell)[index]:
        here = standing(t, s, action.seat)
        return Violation("R-N11", "Nobody buys {element} at {here}.", (*facts, ("here", here)), (here,))
    if not mage.resources[index]:
        return Violation("R-N11", "{seat} has no {element} to sell.", facts)
    return None
