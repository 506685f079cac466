"""Combat in Rifts of N'Norya: joining, casting, the outcome of a round, and how it is divided."""

from __future__ import annotations

import re

from companion.games.rifts.actions import (
    Agree,
    Attack,
    Cast,
    Done,
    Fall,
    Gold,
    Hand,
    Join,
    Refuse,
    Seek,
    Share,
    Stand,
    Stay,
    TakeWound,
)
from companion.games.rifts.edition.hexes import mask_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import (
    ELEMENT_OF,
    HAND,
    RESOURCES,
    RIFT_GOLD,
    RIFT_HEALTH,
    TEMPLE_LEVELS,
    WEAK_TO,
    WOUNDS_TO_KO,
    Element,
)
from companion.games.rifts.play.geography import geography, temple_group
from companion.games.rifts.play.growth import remove_enemy
from companion.games.rifts.play.market import clear_market
from companion.games.rifts.state import NONE, Fight, Foe, Mage, Offer, State, Withstood, added, put, tracker, with_mage

PART = re.compile(r"([A-E])(0|[1-9]\d?)(\+token)?")
"""A fighter's part of an offer: its seat, its gold, and the token or relic."""


def who_may_join(t: Tables, s: State, foe: Foe) -> int:
    """R-N12: who could fight with the mage whose turn it is, as a bit mask.

    Mages that stand on the same space, for a temple in the same element group; not those that lie knocked out.
    """
    cell = s.mages[s.current].cell
    where = 1 << cell
    if foe is Foe.TEMPLE:
        where = temple_group(t, s.land, s.temples[temple_near(t, s, s.current)])
    return mask_of(
        seat
        for seat, mage in enumerate(s.mages)
        if seat != s.current and where >> mage.cell & 1 and not mage.down
    )


def temple_near(t: Tables, s: State, seat: int) -> int:
    """N40: the element in whose group, with a temple, the mage stands; NONE when in none."""
    cell = s.mages[seat].cell
    for index, corner in enumerate(s.temples):
        if corner != NONE and temple_group(t, s.land, corner) >> cell & 1:
            return index
    return NONE


def foe_health(t: Tables, s: State, fight: Fight) -> int:
    """What the damage must reach: N30 the Rift Tracker, N31 ten, N40 the level's health."""
    if fight.foe is Foe.RIFT:
        return RIFT_HEALTH
    return tracker(s) if fight.foe is Foe.ENEMY else t.temples[fight.element].health[fight.level]


def weakness(t: Tables, s: State, fight: Fight) -> Element | None:
    """N30: the element that hurts the foe more. R-N4: an enemy has that of its space; R-N14: a rift has none."""
    element = None
    if fight.foe is Foe.TEMPLE:
        element = RESOURCES[fight.element]
    elif fight.foe is Foe.ENEMY:
        kind = geography(t, s.land).terrain(s.mages[s.current].cell)
        element = ELEMENT_OF.get(kind) if kind is not None else None
    return None if element is None else WEAK_TO[element]


def attack(t: Tables, s: State, action: Attack) -> State:
    """N22: the fight begins; first the others say whether they join."""
    return _begin(t, s, Foe(action.foe), NONE)


def seek(t: Tables, s: State, action: Seek) -> State:
    """N40: the first of three encounters begins."""
    return _begin(t, s, Foe.TEMPLE, temple_near(t, s, action.seat))


def _begin(t: Tables, s: State, foe: Foe, element: int) -> State:
    asked = who_may_join(t, s, foe)
    fight = Fight(foe, (s.current,), asked, element, played=((),) * len(s.mages), proposer=s.current)
    return _ready(s._replace(fight=fight))


def _ready(s: State) -> State:
    """N30: when everybody has answered, the fighters draw up to five."""
    assert s.fight is not None
    return s if s.fight.asked else s._replace(drawing=mask_of(s.fight.fighters))


def join(_t: Tables, s: State, action: Join) -> State:
    """N30: one more fights."""
    fight = s.fight
    assert fight is not None
    fighters = tuple(sorted((*fight.fighters, int(action.seat))))
    return _ready(s._replace(fight=fight._replace(fighters=fighters, asked=fight.asked & ~(1 << action.seat))))


def stay(_t: Tables, s: State, action: Stay) -> State:
    """N30: one does not fight."""
    fight = s.fight
    assert fight is not None
    return _ready(s._replace(fight=fight._replace(asked=fight.asked & ~(1 << action.seat))))


def damage_of(t: Tables, s: State, fight: Fight, card: int, *, fuelled: bool) -> int:
    """N30: the damage of a card, one more against a foe that is weak to its element; R-N10: more with fuel."""
    spell = t.spells[card]
    return spell.damage + spell.boost * fuelled + (spell.element is weakness(t, s, fight))


def cast(t: Tables, s: State, action: Cast) -> State:
    """N30: the card is played and goes to the discard pile."""
    seat, card, fight, mage = action.seat, t.card_index[action.card], s.fight, s.mages[action.seat]
    assert fight is not None
    fuel = t.spells[card].fuel
    resources = list(mage.resources)
    if action.fuel and fuel is not None:  # R-N10
        resources[RESOURCES.index(fuel)] -= 1
    mage = mage._replace(
        discard=put(mage.discard, card, 1), resources=(resources[0], resources[1], resources[2])
    )
    if t.real_hands:
        mage = mage._replace(deck=put(mage.deck, card, -1), held=mage.held - 1)
    else:
        mage = mage._replace(hand=put(mage.hand, card, -1))
    damage = fight.damage + damage_of(t, s, fight, card, fuelled=bool(action.fuel))
    played = (*fight.played[:seat], (*fight.played[seat], card), *fight.played[seat + 1 :])
    return with_mage(s, seat, mage)._replace(fight=fight._replace(damage=damage, played=played))


def done(t: Tables, s: State, action: Done) -> State:
    """N30: when the last fighter has ended the round, the damage is compared with the foe's health."""
    fight = s.fight
    assert fight is not None
    fight = fight._replace(done=fight.done | 1 << action.seat)
    if fight.done != mask_of(fight.fighters):
        return s._replace(fight=fight)
    fight = fight._replace(done=0, won=fight.damage >= foe_health(t, s, fight))
    cell = s.mages[s.current].cell
    if fight.won and fight.foe is Foe.RIFT:  # N31
        rifts = tuple(rift._replace(active=rift.active and rift.cell != cell) for rift in s.rifts)
        s, fight = s._replace(rifts=rifts), fight._replace(gold=RIFT_GOLD)
    elif fight.won and fight.foe is Foe.TEMPLE:  # N40
        fight = fight._replace(gold=t.temples[fight.element].coins[fight.level])
    elif fight.won:
        s = remove_enemy(s, cell)
    return _alone(t, s._replace(fight=fight))


def turn_token(t: Tables, s: State, draw: Gold) -> State:
    """N30: the gold under the token of the defeated enemy."""
    fight = s.fight
    assert fight is not None
    tokens = put(s.tokens, t.gold.index(draw.value), -1)
    return _alone(t, s._replace(tokens=tokens, fight=fight._replace(gold=draw.value)))


def gold_due(fight: Fight) -> bool:
    """Whether the token of a defeated enemy must be turned over."""
    return fight.foe is Foe.ENEMY and fight.won is True and fight.gold == NONE


def has_token(fight: Fight) -> bool:
    """Whether what was won goes to one fighter: an enemy's token, or after the last level a relic."""
    last = fight.foe is Foe.TEMPLE and fight.level == TEMPLE_LEVELS - 1
    return fight.won is True and (fight.foe is Foe.ENEMY or last)


def _alone(t: Tables, s: State) -> State:
    """Who fights alone has nobody to agree with."""
    fight = s.fight
    assert fight is not None
    if len(fight.fighters) > 1 or gold_due(fight):
        return s
    taker = fight.fighters[0] if has_token(fight) or not fight.won else NONE
    return _settle(t, s, Offer((max(0, fight.gold),), taker))


def share(t: Tables, s: State, action: Share) -> State:
    """N30: an offer to divide what was won."""
    fight = s.fight
    assert fight is not None
    return _offered(t, s, action.seat, offer_of(t, fight, action.parts))


def offer_of(t: Tables, fight: Fight, parts: tuple[str, ...]) -> Offer | None:
    """The offer that these words make; None when they do not name every fighter once in seat order."""
    found = [PART.fullmatch(part) for part in parts]
    names = tuple(t.seats[seat].name for seat in fight.fighters)
    if tuple(part[1] if part else "" for part in found) != names:
        return None
    takers = [seat for seat, part in zip(fight.fighters, found, strict=True) if part and part[3]]
    if len(takers) != has_token(fight):
        return None
    return Offer(tuple(int(part[2]) for part in found if part), takers[0] if takers else NONE)


def take_wound(t: Tables, s: State, action: TakeWound) -> State:
    """N30: an offer who takes the Wound."""
    fight = s.fight
    assert fight is not None
    return _offered(t, s, action.seat, Offer((0,) * len(fight.fighters), int(action.who)))


def _offered(t: Tables, s: State, seat: int, offer: Offer | None) -> State:
    fight = s.fight
    assert fight is not None
    assert offer is not None
    return _agreed(t, s._replace(fight=fight._replace(offer=offer, done=1 << seat)))


def agree(t: Tables, s: State, action: Agree) -> State:
    """N30: one more agrees."""
    fight = s.fight
    assert fight is not None
    return _agreed(t, s._replace(fight=fight._replace(done=fight.done | 1 << action.seat)))


def _agreed(t: Tables, s: State) -> State:
    fight = s.fight
    assert fight is not None
    assert fight.offer is not None
    return _settle(t, s, fight.offer) if fight.done == mask_of(fight.fighters) else s


def refuse(t: Tables, s: State, _action: Refuse) -> State:
    """R-N12: the next fighter makes an offer; when everybody's was refused, gold is split evenly."""
    fight = s.fight
    assert fight is not None
    fighters, refusals = fight.fighters, fight.refusals + 1
    if refusals < len(fighters):
        after = fighters[(fighters.index(fight.proposer) + 1) % len(fighters)]
        return s._replace(fight=fight._replace(offer=None, done=0, proposer=after, refusals=refusals))
    each, rest = divmod(max(0, fight.gold), len(fighters))
    gold = tuple(each + rest * (seat == s.current) for seat in fighters)
    return _settle(t, s, Offer(gold, s.current if has_token(fight) or not fight.won else NONE))


def _settle(t: Tables, s: State, offer: Offer) -> State:
    """Everybody gets the agreed part, and the fighters draw up to five again."""
    fight = s.fight
    assert fight is not None
    for seat, gold in zip(fight.fighters, offer.gold, strict=True):
        s = with_mage(s, seat, s.mages[seat]._replace(gold=s.mages[seat].gold + gold))
    if offer.taker != NONE:
        s = _taken(t, s, fight, offer.taker)
    settled = fight._replace(offer=offer, settled=True)
    return s._replace(fight=settled, drawing=mask_of(fight.fighters))


def _taken(t: Tables, s: State, fight: Fight, seat: int) -> State:
    """N30: a Wound goes to the discard pile, an enemy's token counts; N40: the relic is taken, the market cleared."""
    mage = s.mages[seat]
    if not fight.won:
        return with_mage(s, seat, mage._replace(discard=put(mage.discard, t.wound, 1)))
    if fight.foe is Foe.ENEMY:
        return with_mage(s, seat, mage._replace(vanquished=mage.vanquished + 1))
    temples = list(s.temples)
    temples[fight.element] = NONE
    s = with_mage(s, seat, mage._replace(relics=mage.relics | 1 << fight.element))
    s = s._replace(temples=(temples[0], temples[1], temples[2]), taken=s.taken | 1 << fight.element)
    return clear_market(t, s)


def after_round(s: State) -> State:
    """N40: a temple goes on until its third level is done; N30: any other fight is over after one round.

    R-N13: a foe that withstood is left alone by this mage for the rest of the turn.
    """
    fight = s.fight
    assert fight is not None
    if fight.foe is not Foe.TEMPLE:
        stand = () if fight.won else (Withstood(s.mages[s.current].cell, fight.foe),)
        return s._replace(fight=None, withstood=s.withstood + stand)
    if has_token(fight):
        return s._replace(fight=None)
    again = Fight(
        Foe.TEMPLE, fight.fighters, element=fight.element, level=fight.level + bool(fight.won),
        played=((),) * len(s.mages), proposer=s.current,
    )  # fmt: skip
    return s._replace(fight=again)


def draw_card(t: Tables, s: State, draw: Hand) -> State:
    """N30: a card comes into the hand; N41: with the fourth Wound the mage is knocked out."""
    seat, card = draw.seat, t.card_index[draw.card]
    mage = s.mages[seat]
    mage = mage._replace(hand=put(mage.hand, card, 1), deck=put(mage.deck, card, -1))
    if mage.hand[t.wound] < WOUNDS_TO_KO:
        return with_mage(s, seat, mage)
    mage = mage._replace(hand=put(mage.hand, t.wound, -WOUNDS_TO_KO))
    return _knocked_out(with_mage(s, seat, mage), seat)


def _knocked_out(s: State, seat: int) -> State:
    """N41: the Wounds have gone back; the mage lies there, and its turn or its part in the fight is over.

    N30: whoever else fought still draws up to five.
    """
    s = with_mage(s, seat, s.mages[seat]._replace(down=True))._replace(drawing=s.drawing & ~(1 << seat))
    fight = s.fight
    if fight is None or seat == s.current:  # N41: the turn ends immediately
        return s._replace(fight=None)
    left = tuple(other for other in fight.fighters if other != seat)  # R-N12: who is knocked out has left the fight
    still = fight._replace(
        fighters=left,
        done=fight.done & mask_of(left),
        proposer=s.current if fight.proposer == seat else fight.proposer,
        refusals=min(fight.refusals, len(left) - 1),
    )
    return s._replace(fight=still)


def drawer(s: State) -> int:
    """The seat that draws a card next, clockwise from the one whose turn it is; NONE when nobody does."""
    players = len(s.mages)
    for step in range(players):
        seat = (s.current + step) % players
        mage = s.mages[seat]
        if s.drawing >> seat & 1 and mage.hand_size < HAND and (mage.deck_size or any(mage.discard)):
            return seat
    return NONE


def fill_hand(t: Tables, mage: Mage) -> Mage:
    """N30, R-N17: a hand of real cards is filled up to five, the deck being shuffled anew when it runs out."""
    taken = min(HAND - mage.hand_size, mage.deck_size)
    mage = mage._replace(held=mage.held + taken)
    if mage.hand_size < HAND and any(mage.discard):
        mage = mage._replace(deck=added(mage.deck, mage.discard), discard=(0,) * len(t.cards))
        mage = mage._replace(held=mage.held + min(HAND - mage.hand_size, mage.deck_size))
    return mage


def may_hold(t: Tables, mage: Mage, card: int) -> bool:
    """N30: whether the card is in hand; R-N17: of real cards, whether it could be, beside the Wounds that must be."""
    if t.real_hands:
        return mage.held > sure_wounds(t, mage) and mage.deck[card] > 0
    return mage.hand[card] > 0


def holds_spell(t: Tables, mage: Mage) -> bool:
    """R-N13: whether a spell is in hand; R-N17: of real cards, whether one must be, as there are too few Wounds."""
    if t.real_hands:
        return mage.held > min(WOUNDS_TO_KO - 1, mage.deck[t.wound])
    return any(mage.hand[: t.wound])


def may_be_down(t: Tables, mage: Mage) -> bool:
    """R-N17: whether a hand of real cards could hold four Wounds."""
    return min(mage.held, mage.deck[t.wound]) >= WOUNDS_TO_KO


def must_be_down(t: Tables, mage: Mage) -> bool:
    """R-N17: whether a hand of real cards holds four Wounds for certain, as the deck is too small for them."""
    return sure_wounds(t, mage) >= WOUNDS_TO_KO


def sure_wounds(t: Tables, mage: Mage) -> int:
    """R-N17: how many Wounds a hand of real cards holds at least, as the deck has no room for them."""
    return max(0, mage.deck[t.wound] - mage.deck_size)


def next_to_draw(s: State) -> int:
    """R-N17: of the seats that fill a hand of real cards the next one clockwise; also the one asked for its Wounds."""
    players = len(s.mages)
    order = ((s.current + step) % players for step in range(players))
    return next(seat for seat in order if s.drawing >> seat & 1)


def fall(t: Tables, s: State, action: Fall) -> State:
    """N41, R-N17: four Wounds are shown."""
    mage = s.mages[action.seat]
    mage = mage._replace(deck=put(mage.deck, t.wound, -WOUNDS_TO_KO), held=mage.held - WOUNDS_TO_KO)
    return _knocked_out(with_mage(s, action.seat, mage), action.seat)


def stand(_t: Tables, s: State, action: Stand) -> State:
    """R-N17: the hand holds fewer than four Wounds."""
    return s._replace(drawing=s.drawing & ~(1 << action.seat))
