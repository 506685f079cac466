"""Whether a fight can begin, a card be played or an offer be made in Rifts of N'Norya, and if not, why."""

from __future__ import annotations

from companion.core.shown import shown
from companion.core.types import Violation
from companion.games.rifts.actions import YES, Attack, Cast, Done, Seek, Share, Stand, TakeWound
from companion.games.rifts.edition.tables import Tables, card_name
from companion.games.rifts.edition.world import RESOURCES
from companion.games.rifts.legality.check_map import standing
from companion.games.rifts.play.combat import has_token, holds_spell, may_hold, must_be_down, offer_of, temple_near
from companion.games.rifts.state import NONE, Foe, State, Withstood

FOES = (Foe.ENEMY.value, Foe.RIFT.value)


def check_attack(t: Tables, s: State, action: Attack) -> Violation | None:
    """N22, R-N23: why there is no such fight here, or None; whether the mage has moved does not matter."""
    cell, here = s.mages[action.seat].cell, standing(t, s, action.seat)
    facts = (("seat", action.seat), ("here", here), ("foe", shown(action.foe)))
    if action.foe not in FOES:
        return Violation("N22", "{seat} fights an enemy or a rift, not {foe}.", facts)
    tokens = tokens_at(s, cell, Foe(action.foe))
    if not tokens:
        enemy = action.foe == Foe.ENEMY.value
        message = "There is no enemy at {here}." if enemy else "There is no active rift at {here}."
        return Violation("N22", message, facts, (here,))
    if s.withstood.count(Withstood(cell, Foe(action.foe))) >= tokens:  # R-N13: each token may be tried once
        message = "The {foe} at {here} has withstood {seat} this turn; another turn is another try."
        return Violation("R-N13", message, facts, (here,))
    return None


def tokens_at(s: State, cell: int, foe: Foe) -> int:
    """How many tokens of this kind can be fought on a space."""
    if foe is Foe.RIFT:
        return sum(rift.active and rift.cell == cell for rift in s.rifts)
    return (s.enemies >> cell & 1) + s.crowd.count(cell)


def check_seek(t: Tables, s: State, action: Seek) -> Violation | None:
    """N40: why no relic can be sought here, or None."""
    if temple_near(t, s, action.seat) != NONE:
        return None
    here = standing(t, s, action.seat)
    facts = (("seat", action.seat), ("here", here))
    return Violation("N40", "{seat} stands at {here}, in no element group with a temple.", facts, (here,))


def check_cast(t: Tables, s: State, action: Cast) -> Violation | None:
    """N30, R-N10: why the card cannot be played, or None."""
    mage, card = s.mages[action.seat], t.card_index.get(action.card)
    facts = (("seat", action.seat), ("card", card_name(t, action.card)))
    if card is None:
        return Violation("N30", "The catalogue has no card {card}.", facts)
    if card == t.wound:
        return Violation("N41", "A Wound is not played: it stays in the hand of {seat}.", facts)
    if card == t.rift_card or not may_hold(t, mage, card):
        return Violation("N30", "{seat} does not have {card} in hand.", facts)
    if action.fuel not in ("", YES):
        return Violation("R-N10", "fuel is yes or left out, not {fuel}.", (("fuel", shown(action.fuel)),))
    fuel = t.spells[card].fuel
    if action.fuel and fuel is None:
        return Violation("R-N10", "{card} takes no fuel.", facts)
    if action.fuel and fuel is not None and not mage.resources[RESOURCES.index(fuel)]:
        message = "{card} is fuelled with {element}; {seat} has none."
        return Violation("R-N10", message, (*facts, ("element", fuel.value)))
    return None


def check_stand(t: Tables, s: State, action: Stand) -> Violation | None:
    """R-N17: why the mage cannot have fewer than four Wounds in hand, or None."""
    mage = s.mages[action.seat]
    if not must_be_down(t, mage):
        return None
    facts = (("seat", action.seat), ("wounds", mage.deck[t.wound]), ("deck", mage.deck_size))
    message = "{seat} holds four Wounds or more: Wounds in hand and deck {wounds}, cards in the deck {deck}."
    return Violation("R-N17", message, facts)


def check_done(t: Tables, s: State, action: Done) -> Violation | None:
    """R-N13: why the round cannot be ended yet, or None."""
    fight = s.fight
    assert fight is not None
    if fight.foe is not Foe.TEMPLE or fight.played[action.seat] or not holds_spell(t, s.mages[action.seat]):
        return None
    return Violation("R-N13", "In a temple {seat} plays at least one spell in each round.", (("seat", action.seat),))


def check_share(t: Tables, s: State, action: Share) -> Violation | None:
    """N30: why this does not divide what was won, or None."""
    fight = s.fight
    assert fight is not None
    fighters = tuple(t.seats[seat].name for seat in fight.fighters)
    gold = max(0, fight.gold)
    got = " ".join(map(shown, action.parts)) or shown("")
    facts = (("seat", action.seat), ("gold", gold), ("fighters", fighters), ("got", got))
    if not fight.won:
        return Violation("N30", "Nothing was won: {seat} says who takes the Wound.", facts)
    offer = offer_of(t, fight, action.parts)
    if offer is None:
        message = "Each of {fighters} gets a part such as A2, in this order; {got} is no such division."
        if has_token(fight):
            message = "Each of {fighters} gets a part such as A2, in this order, one +token; {got} is no such division."
        return Violation("N30", message, facts)
    if sum(offer.gold) != gold:
        return Violation("N30", "There are {gold} gold to divide; {got} is another sum.", facts)
    return None


def check_wound(t: Tables, s: State, action: TakeWound) -> Violation | None:
    """N30: why this one cannot take the Wound, or None."""
    fight = s.fight
    assert fight is not None
    facts = (("seat", action.seat), ("who", action.who), ("fighters", tuple(t.seats[x] for x in fight.fighters)))
    if fight.won:
        return Violation("N30", "The fight was won: there is no Wound to take.", facts)
    if action.who not in fight.fighters:
        return Violation("N30", "{who} takes no part in the fight; the Wound goes to one of {fighters}.", facts)
    return None
