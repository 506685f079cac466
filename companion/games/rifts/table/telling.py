"""What a player of Rifts of N'Norya can do now, and what followed an event of itself, in sentences for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.core.game import Rules, Told
from companion.core.messages import Message
from companion.core.types import Action, Event, Seat
from companion.games.rifts.actions import (
    Attack,
    Buy,
    Clear,
    Done,
    End,
    Equip,
    Location,
    Move,
    Seek,
    Spawn,
    Start,
    Temple,
    Trade,
)
from companion.games.rifts.edition.hexes import cells_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import RESOURCES
from companion.games.rifts.play.combat import foe_health, has_token
from companion.games.rifts.state import NONE, Fight, Mage, Phase, State, round_of, tracker
from companion.games.rifts.table.describe import shares

START_AT = "Put your mage on a space of the starting tile: {slots}."
SPAWN_AT = "Agree where the enemy appears, and tap it: {slots}."
PLACE_TILE = "Lay the drawn tile: tap where its space with the bold rim comes to lie, then choose how it is turned."
TEMPLE_AT = "Choose where the temple stands: {slots}."
ACT = "You can now: {acts}."
DOABLE: dict[type[Action], str] = {
    Move: "move to {slots} (movement left: {moves})",
    Attack: "start a fight",
    Seek: "seek the relic",
    Buy: "buy a spell",
    Clear: "clear the market",
    Equip: "buy in the store",
    Trade: "sell resources",
    End: "end your turn",
}
"""What a mage can do in its turn, by the type of the act, in the order in which it is told."""
JOIN_OR_STAY = "Do you join the fight of {seat} against the {foe}? It has {health} health."
CAST_OR_DONE = "Play cards against the {foe}: damage so far {damage} of {health}. Or play no more in this round."
WOUNDS = "Say whether you hold four Wounds."
DIVIDE = "Propose how the gold is divided: {gold}."
DIVIDE_TOKEN = "Propose how the gold is divided ({gold}), and who gets the {thing}."
WHO_TAKES_WOUND = "Propose who takes the Wound."
AGREE_SHARE = "Do you agree that it is divided so: {parts}?"
AGREE_WOUND = "Do you agree that {seat} takes the Wound?"

RELICS_GONE = "All three relics are destroyed: everybody has won (N5)."
RIFT_IS_STUCK = "No enemy can be placed for the rift at {slot}: everybody has lost (N6)."
LAST_RIFT_CARD = "The last Rift card is in the market: everybody has lost (N7)."
NEXT_ROUND = "Round {round} begins."
NEXT_TURN = "It is the turn of {seat}."
STANDS_UP = "{seat} stands up again and has one movement less (N41)."
ENEMY_COMES = "An enemy appears at {slots}."
SO_MANY = "{slot} ({n}×)"
RIFT_OPENS = "A rift opens at {slots} (N12)."
RIFTS_ACTIVE = "Rifts become active again at {slots} (N51)."
RIFT_CLOSED = "The rift at {slots} is inactive now (N31)."
TRACKER_NOW = "The Rift Tracker stands at {n}."
TEMPLE_APPEARS = "The temple of {element} appears at {slot} (N13)."
FITS_NOWHERE = "{tile} fits nowhere and is put aside (R-N6)."
WON = "The fight is won: damage {damage} of {health}."
LOST = "The fight is lost: damage {damage} of {health}."
SEAT_GETS = "{seat}: {changes}."
BOUGHT = "Bought: {card}."
GOLD, GOLD_PAID = "gold +{n}", "gold −{n}"
RESOURCE = "{element} +{n}"
WOUND = "a Wound into the discard pile"
ENEMY_BEATEN = "an enemy token, for an enemy vanquished"
RELIC_TAKEN = "the relic of {element}"
KNOCKED_OUT = "{seat} has four Wounds and is knocked out (N41)."
RELIC_DESTROYED = "The relic of {element} is destroyed on the starting tile (N5)."
SPELLS_GONE = "Cleared from the market: {cards}."
THE_TOKEN, THE_RELIC = "enemy token", "relic"


def turn_words(rules: Rules, state: Any, seat: Seat) -> Told | None:
    """What `seat` can do now, as a message and its facts; None when nothing. Of a hand it tells nothing."""
    if not isinstance(state, State) or seat not in rules.to_act(state):
        return None
    t: Tables = rules.tables  # type: ignore[attr-defined]
    phase, acts = state.phase, rules.legal_actions(state)
    slots = tuple(dict.fromkeys(act.slot for act in acts if isinstance(act, (Start, Spawn, Temple, Move))))
    where = {Phase.START: START_AT, Phase.SPAWN: SPAWN_AT, Phase.TEMPLE: TEMPLE_AT}
    if phase in where:
        return where[phase], (("slots", slots),)
    if phase is Phase.PLACE:
        return PLACE_TILE, ()
    if phase is Phase.ACT:
        kinds = {type(act) for act in acts}
        facts = {"slots": slots, "moves": state.moves}
        return ACT, (("acts", tuple(Message(text, **facts) for kind, text in DOABLE.items() if kind in kinds)),)
    if phase is Phase.WOUNDS:
        return WOUNDS, ()
    return None if state.fight is None else _fight_words(t, state, state.fight)


def _fight_words(t: Tables, s: State, fight: Fight) -> Told:
    """N30: joining, casting, and the agreement after it."""
    foe: tuple[tuple[str, Any], ...] = (("foe", fight.foe.value), ("health", foe_health(t, s, fight)))
    if s.phase is Phase.JOIN:
        return JOIN_OR_STAY, (("seat", t.seats[s.current]), *foe)
    if s.phase is Phase.CAST:
        return CAST_OR_DONE, (*foe, ("damage", fight.damage))
    if fight.offer is not None:
        if not fight.won:
            return AGREE_WOUND, (("seat", t.seats[fight.offer.taker]),)
        seats = tuple(t.seats[other] for other in fight.fighters)
        taker = None if fight.offer.taker == NONE else t.seats[fight.offer.taker]
        return AGREE_SHARE, (("parts", shares(seats, fight.offer.gold, taker)),)
    if not fight.won:
        return WHO_TAKES_WOUND, ()
    gold = ("gold", max(0, fight.gold))
    if not has_token(fight):
        return DIVIDE, (gold,)
    return DIVIDE_TOKEN, (gold, ("thing", THE_TOKEN if fight.element == NONE else THE_RELIC))


def what_followed(rules: Rules, before: Any, event: Event, after: Any) -> tuple[Told, ...]:
    """What followed `event`: the outcome of a fight, what everybody got, enemies, rifts and temples that came, the next
    turn. All of it lies open at once, also after a card was drawn in secret."""
    if not isinstance(before, State) or not isinstance(after, State):
        return ()
    t: Tables = rules.tables  # type: ignore[attr-defined]
    return (*_bought(t, before, event), *_fought(t, before, event), *_got(t, before, after),
            *_land(t, before, event, after), *_next(t, before, after))  # fmt: skip


def _bought(t: Tables, b: State, event: Event) -> Iterator[Told]:
    """N50: which spell it was; its place in the market is empty by now."""
    if isinstance(event, Buy):
        yield BOUGHT, (("card", t.card_names[b.market[t.places.index(event.slot)]]),)


def _fought(t: Tables, b: State, event: Event) -> Iterator[Told]:
    """N30: the last fighter plays no more cards, and the damage is compared with the foe's health."""
    fight = b.fight
    if not isinstance(event, Done) or fight is None:
        return
    if any(not (fight.done | 1 << event.seat) >> seat & 1 for seat in fight.fighters):
        return
    health = foe_health(t, b, fight)
    yield (WON if fight.damage >= health else LOST), (("damage", fight.damage), ("health", health))


def _got(t: Tables, b: State, a: State) -> Iterator[Told]:
    """What each mage has more of; what it paid itself stands in the sentence of the act."""
    for seat in t.seats:
        was, has = b.mages[seat], a.mages[seat]
        changes = tuple(_changes(t, was, has))
        if changes:
            yield SEAT_GETS, (("seat", seat), ("changes", changes))
        if has.down and not was.down:
            yield KNOCKED_OUT, (("seat", seat),)
    for index in cells_of(a.destroyed & ~b.destroyed):
        yield RELIC_DESTROYED, (("element", RESOURCES[index].value),)
    cleared = tuple(
        name for name, was, has in zip(t.card_names, b.gone, a.gone, strict=True) for _ in range(has - was)
    )
    if cleared:
        yield SPELLS_GONE, (("cards", cleared),)


def _changes(t: Tables, was: Mage, has: Mage) -> Iterator[Message]:
    if has.gold != was.gold:
        yield Message(GOLD if has.gold > was.gold else GOLD_PAID, n=abs(has.gold - was.gold))
    for element, had, now in zip(RESOURCES, was.resources, has.resources, strict=True):
        if now > had:  # N21
            yield Message(RESOURCE, element=element.value, n=now - had)
    if _wounds(t, has) > _wounds(t, was):  # N30
        yield Message(WOUND)
    if has.vanquished > was.vanquished:
        yield Message(ENEMY_BEATEN)
    for index in cells_of(has.relics & ~was.relics):  # N40
        yield Message(RELIC_TAKEN, element=RESOURCES[index].value)


def _wounds(t: Tables, mage: Mage) -> int:
    """All Wounds of a mage: how many is public, where they are is not."""
    return mage.hand[t.wound] + mage.deck[t.wound] + mage.discard[t.wound]


def _times(slot: str, n: int) -> str:
    """A place once, and how many came to it when it was more than one."""
    return slot if n == 1 else Message(SO_MANY, slot=slot, n=n)


def _land(t: Tables, b: State, event: Event, a: State) -> Iterator[Told]:
    """Enemies, rifts and temples that came of themselves, the tracker, and a tile that fits nowhere."""
    names = t.grid.names
    came = Counter((*cells_of(a.enemies), *a.crowd)) - Counter((*cells_of(b.enemies), *b.crowd))
    if isinstance(event, Spawn):  # the act itself says it
        came -= Counter([t.grid.name_index[event.slot]])
    if came:
        yield ENEMY_COMES, (("slots", tuple(_times(names[cell], n) for cell, n in came.items())),)
    old = {rift.cell: rift.active for rift in b.rifts}
    for message, cells in (
        (RIFT_OPENS, [rift.cell for rift in a.rifts if rift.cell not in old]),
        (RIFTS_ACTIVE, [rift.cell for rift in a.rifts if rift.active and old.get(rift.cell) is False]),
        (RIFT_CLOSED, [rift.cell for rift in a.rifts if not rift.active and old.get(rift.cell)]),
    ):
        if cells:
            yield message, (("slots", tuple(names[cell] for cell in cells)),)
    if tracker(a) != tracker(b):
        yield TRACKER_NOW, (("n", tracker(a)),)
    if not isinstance(event, Temple):
        for element, was, corner in zip(RESOURCES, b.temples, a.temples, strict=True):
            if was == NONE and corner != NONE:
                yield TEMPLE_APPEARS, (("element", element.value), ("slot", t.grid.corner_names[corner]))
    if isinstance(event, Location) and a.tile == NONE and a.aside != b.aside:
        yield FITS_NOWHERE, (("tile", t.tile_names[t.tile_index[event.tile]]),)


def _why_over(t: Tables, a: State) -> Told:
    if a.ended == "N6":
        return RIFT_IS_STUCK, (("slot", t.grid.names[a.rifts[a.spawning[0]].cell]),)
    return (RELICS_GONE if a.ended == "N5" else LAST_RIFT_CARD), ()


def _next(t: Tables, b: State, a: State) -> Iterator[Told]:
    if a.ended and not b.ended:
        yield _why_over(t, a)
    if a.ended:
        return
    if round_of(a) != round_of(b):
        yield NEXT_ROUND, (("round", round_of(a)),)
    if a.turn != b.turn:
        yield NEXT_TURN, (("seat", t.seats[a.current]),)
    for seat in t.seats:
        if b.mages[seat].down and not a.mages[seat].down:
            yield STANDS_UP, (("seat", seat),)
