"""What holds in every position of Rifts of N'Norya that play can reach: nothing is lost, nothing comes from nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.core.types import Problem
from companion.games.rifts.edition.hexes import mask_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import HAND, HORSE_MOVES, RESOURCES, WOUNDS_TO_KO
from companion.games.rifts.play.combat import (
    drawer,
    gold_due,
    has_token,
    may_be_down,
    must_be_down,
    next_to_draw,
    sure_wounds,
)
from companion.games.rifts.play.geography import LEAST_SIDES, Land, geography, sides_met, sites, temple_corners
from companion.games.rifts.play.growth import element_at, supply
from companion.games.rifts.play.market import drawable, place_to_fill
from companion.games.rifts.play.moving import ALL_RELICS, most_resources
from companion.games.rifts.state import NONE, Fight, Foe, Phase, State


def state_problems(t: Tables, s: State) -> tuple[Problem, ...]:
    """Every invariant that `s` breaks. The map comes first: when it is broken, nothing else can be told."""
    broken = tuple(_map(t, s))
    if broken:
        return broken
    return (*_tokens(t, s), *_temples(t, s), *_cards(t, s), *_mages(t, s), *_course(t, s))


def _map(t: Tables, s: State) -> Iterator[Problem]:
    """N2, N10: each tile is in one place, the map is whole, and everything on it stands on laid spaces."""
    laid = [tile.tile for tile in s.land]
    places = sum([1 << tile for tile in laid]) + s.stack + s.aside + (1 << s.tile if s.tile != NONE else 0)
    if len(set(laid)) != len(laid) or places != (1 << len(t.tiles)) - 1:
        yield Problem("land", "a location tile is lost or lies in two places", (), "N2")
        return
    broken = _land(t, s.land)
    yield from broken
    if broken:
        return
    mask = geography(t, s.land).mask
    on_map = s.enemies | mask_of(rift.cell for rift in s.rifts)
    crowded = all(s.enemies >> cell & 1 for cell in s.crowd) and s.crowd == tuple(sorted(s.crowd))
    if on_map & ~mask or not crowded:
        yield Problem("enemies", "tokens lie beside the map, or alone where others should be", (), "N12")
    if any(mage.cell != NONE and not mask >> mage.cell & 1 for mage in s.mages):
        yield Problem("mages", "a mage stands beside the map", (), "N20")


@lru_cache(maxsize=1024)
def _land(t: Tables, land: Land) -> tuple[Problem, ...]:
    """N10: the tiles were laid one by one on free spaces of the table, two sides meeting."""
    if not land:
        return ()
    before = _land(t, land[:-1])
    if before:
        return before
    tile, geo = land[-1], geography(t, land[:-1])
    cells, mask, _ = t.laid[tile.tile][tile.turn][tile.anchor]
    facts = (("tile", t.tiles[tile.tile].id),)
    if not cells or mask & geo.mask:
        return (Problem("land", "{tile} lies off the table or on another tile", facts, "N10"),)
    if sides_met(t, geo, cells) < LEAST_SIDES:
        return (Problem("land", "{tile} does not meet the map with two sides", facts, "N10"),)
    return ()


def _tokens(t: Tables, s: State) -> Iterator[Problem]:
    """R-N7: enemy tokens; N12: a rift wherever a rift icon is on the map."""
    turned = sum(t.enemies) - sum(s.tokens)
    beaten = sum(mage.vanquished for mage in s.mages)
    in_hand = 0
    if s.fight is not None and s.fight.foe is Foe.ENEMY and s.fight.won and not s.fight.settled:
        in_hand = 1  # won, and turned over or not, but not yet divided
    waiting = in_hand if s.fight is not None and gold_due(s.fight) else 0
    if beaten + in_hand != turned + waiting or any(a > b for a, b in zip(s.tokens, t.enemies, strict=True)):
        facts = (("got", turned), ("expected", beaten))
        yield Problem("tokens", "{got} enemy tokens have been turned over, {expected} are owned", facts, "N30")
    if supply(s) < waiting:
        yield Problem("tokens", "more enemies are on the map than there are tokens", (), "R-N7")
    icons = geography(t, s.land).rifts
    if mask_of(rift.cell for rift in s.rifts) != icons or len(s.rifts) != icons.bit_count():
        yield Problem("rifts", "rifts do not lie where the icons are", (), "N12")


def _temples(t: Tables, s: State) -> Iterator[Problem]:
    """N13, N40, N5: a temple stands or its relic is carried or destroyed, never two of these."""
    mask = geography(t, s.land).mask
    for index, corner in enumerate(s.temples):
        fits = corner == NONE or corner in temple_corners(t, s.land, mask, index)
        if not fits or (corner != NONE and s.taken >> index & 1):
            facts = (("element", RESOURCES[index].value),)
            yield Problem("temples", "the temple of {element} cannot stand there", facts, "N13")
    relics = [mage.relics for mage in s.mages]
    if sum(relics) + s.destroyed != s.taken or s.taken > ALL_RELICS:
        yield Problem("relics", "a relic is lost or is in two places", (), "N40")
    known = len(t.grid.corners)
    if s.corners and not all(0 <= c < known and s.temples[element_at(t, s, c)] == NONE for c in s.corners):
        yield Problem("corners", "a temple to be placed stands already", (), "R-N9")


def _cards(t: Tables, s: State) -> Iterator[Problem]:
    """N1, N3: every spell and Rift card is in one place."""
    lying = [s.market.count(kind) for kind in range(len(t.cards))]
    piles = [pile for mage in s.mages for pile in (mage.hand, mage.deck, mage.discard)]
    seen = tuple(map(sum, zip(s.book, s.gone, lying, *piles, strict=True)))
    owned = tuple(map(sum, zip(t.book, *t.decks, strict=True)))
    for kind, (got, expected) in enumerate(zip(seen, owned, strict=True) if seen != owned else ()):
        if got != expected and kind != t.wound:
            facts = (("card", t.cards[kind]), ("got", got), ("expected", expected))
            yield Problem("cards", "{got} cards {card}, not {expected}", facts, "N3")
    rifts = sum(card == t.rift_card for card in s.market)
    if rifts + s.book[t.rift_card] != t.book[t.rift_card] or s.gone[t.rift_card] or s.book[t.wound]:
        yield Problem("market", "a Rift card or a Wound is where none can be", (), "N51")


def _mages(t: Tables, s: State) -> Iterator[Problem]:
    for seat, mage in zip(t.seats, s.mages, strict=True):
        facts = (("seat", seat.name),)
        if any(n > most_resources(mage) for n in mage.resources):
            yield Problem("resources", "{seat} has more resources than the scroll holds", facts, "N4")
        wrong_kind = bool(sum(mage.hand) if t.real_hands else mage.held)
        if wrong_kind or mage.held > sum(mage.deck):
            yield Problem("hand", "{seat} has a hand of the wrong kind", facts, "R-N17")
        asked = s.phase is Phase.WOUNDS and next_to_draw(s) == seat
        if t.real_hands and must_be_down(t, mage) and not asked:
            yield Problem("hand", "{seat} must hold four Wounds and is not knocked out", facts, "N41")
        if t.real_hands and sure_wounds(t, mage) > mage.held:
            yield Problem("hand", "{seat} has played cards that cannot have been in hand", facts, "R-N17")
        if mage.hand_size > HAND or mage.hand[t.wound] >= WOUNDS_TO_KO or mage.hand[t.rift_card]:
            yield Problem("hand", "{seat} has a hand that cannot be", facts, "N41")
        if (mage.cell == NONE) != (s.turn == 0 and not (s.phase is Phase.START and seat < s.current)):
            yield Problem("mages", "{seat} is on the map too early, or not on it", facts, "N2")


def _course(t: Tables, s: State) -> Iterator[Problem]:
    """The phase fits what lies open."""
    fight, acting = s.fight, s.moves != NONE and s.turn > 0
    quiet = fight is None and not s.drawing
    choosing = s.tile != NONE and s.explored and not s.spawning
    fits = {
        Phase.MARKET: place_to_fill(s) != NONE and any(drawable(t, s)) and not s.drawing,
        Phase.HAND: not t.real_hands and drawer(s) != NONE and any(s.mages[drawer(s)].deck),
        Phase.LOCATION: quiet and bool(s.stack) and not s.explored and not s.spawning and not acting,
        Phase.GOLD: fight is not None and gold_due(fight) and any(s.tokens),
        Phase.START: quiet and s.turn == 0,
        Phase.SPAWN: quiet and bool(s.spawning) and s.turn > 0 and not acting,
        Phase.PLACE: quiet and choosing and not acting and bool(sites(t, s.land, s.tile).legal),
        Phase.TEMPLE: quiet and bool(s.corners) and s.tile == NONE and not acting,
        Phase.ACT: quiet and acting and s.tile == NONE and not s.corners and 0 <= s.moves <= HORSE_MOVES,
        Phase.JOIN: fight is not None and bool(fight.asked) and fight.won is None,
        Phase.CAST: fight is not None and not fight.asked and fight.won is None and not s.drawing,
        Phase.WOUNDS: t.real_hands and s.drawing > 0 and may_be_down(t, s.mages[next_to_draw(s)]),
        Phase.SHARE: fight is not None and fight.won is not None and not fight.settled and len(fight.fighters) > 1,
        Phase.OVER: bool(s.ended),
    }
    if not fits[s.phase] or bool(s.ended) != (s.phase is Phase.OVER):
        yield Problem("phase", "{phase} does not fit what lies open", (("phase", s.phase.value),), "N20")
    if s.tile != NONE and s.stack >> s.tile & 1:
        yield Problem("tile", "the drawn tile is still in the stack", (), "N10")
    if s.ended == "N5" and s.destroyed != ALL_RELICS:
        yield Problem("ended", "won without three relics destroyed", (), "N5")
    if s.ended == "N7" and s.book[t.rift_card]:
        yield Problem("ended", "a Rift card is still in the deck", (), "N7")
    if fight is not None:
        yield from _fight(t, s, fight)


def _fight(t: Tables, s: State, fight: Fight) -> Iterator[Problem]:
    """N30, N40: who fights, is asked, is done and makes offers; what the offer divides."""
    fighters = mask_of(fight.fighters)
    seats = s.current in fight.fighters and fight.proposer in fight.fighters and not fight.asked & fighters
    if not seats or fight.done & ~fighters or fight.fighters != tuple(sorted(set(fight.fighters))):
        yield Problem("fight", "the seats of the fight do not fit", (), "N30")
    if (fight.foe is Foe.TEMPLE) != (fight.element != NONE) or (fight.foe is not Foe.TEMPLE and fight.level):
        yield Problem("fight", "only a temple has an element and levels", (), "N40")
    if fight.offer is not None and not fight.settled:
        fits = len(fight.offer.gold) == len(fight.fighters) and sum(fight.offer.gold) == max(0, fight.gold)
        if not fits or fight.won is None or (fight.offer.taker != NONE) != (has_token(fight) or not fight.won):
            yield Problem("fight", "the offer does not divide what there is", (), "N30")
    if fight.won is None and (fight.gold != NONE or fight.settled or fight.offer is not None):
        yield Problem("fight", "gold or an offer while the round runs", (), "N30")
    if any(card >= t.wound for cards in fight.played for card in cards) or fight.refusals >= len(fight.fighters):
        yield Problem("fight", "cards or refusals that cannot be", (), "N30")
