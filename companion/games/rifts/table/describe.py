"""Sentences about events of Rifts of N'Norya: English message ids with placeholders, and their facts."""

from __future__ import annotations

from typing import Any

from companion.core.game import Rules, State
from companion.core.messages import Message
from companion.core.shown import shown
from companion.core.types import Action, Event, Seat
from companion.games.rifts.actions import Buy, Cast, Done, Hand, Location, Share
from companion.games.rifts.edition.options import real_hands
from companion.games.rifts.edition.tables import Tables, card_name, terrains, tile_name
from companion.games.rifts.edition.world import Terrain
from companion.games.rifts.play.combat import PART

Sentence = tuple[str, tuple[tuple[str, Any], ...]]

SENTENCES: dict[str, str] = {
    "Start": "{seat} begins at {slot}.",
    "Spawn": "The enemy of the rift comes to {slot}.",
    "Place": "{seat} lays the tile at {slot}, turn {turn}.",
    "Temple": "The temple stands at {slot}.",
    "Move": "{seat} moves to {slot}.",
    "Attack": "{seat} starts combat against the {foe}.",
    "Seek": "{seat} seeks the relic.",
    "Join": "{seat} joins the fight.",
    "Stay": "{seat} stays out of the fight.",
    "Cast": "{seat} plays {card}.",
    "Done": "{seat} plays no more cards in this round.",
    "Share": "{seat} offers to divide it so: {parts}.",
    "TakeWound": "{seat} proposes that {who} takes the Wound.",
    "Agree": "{seat} agrees.",
    "Refuse": "{seat} does not agree.",
    "Buy": "{seat} buys the spell at {slot}.",
    "Clear": "{seat} clears the market for 3 gold.",
    "Equip": "{seat} buys the {item} in the store.",
    "Trade": "{seat} sells one {element}.",
    "End": "{seat} ends the turn.",
    "Fall": "{seat} shows four Wounds and is knocked out.",
    "Stand": "{seat} has fewer than four Wounds in hand.",
    "Market": "{card} comes into the market at {slot}.",
    "Hand": "{seat} draws {card}.",
    "Location": "{tile} is drawn: {terrains}.",
    "Gold": "{value} gold stands under the enemy token.",
}
SECRET_SENTENCES: dict[type[Event], str] = {Hand: "{seat} draws a card in secret."}
SHARE, SHARE_AND_THING = "{seat} {n} gold", "{seat} {n} gold and the token or relic"
FUELLED = "{seat} plays {card} with fuel."
BUYS = "{seat} buys the spell {card} ({slot}) for {price} gold."

HOLDS = "{seat} at {space}: gold {gold}; fire {fire}, earth {earth}, air {air}; hand of {hand} cards, deck of {deck}"
OWNS = "{seat} has: {things}"
DOWN = "{seat} lies knocked out."
TRACKER = "Rift Tracker {tracker}; movement left: {moves}; location tiles left: {tiles}; spell deck: {cards}"
FIGHTS = "Fight against the {foe}: damage {damage} of {health}, weak to {weakness}"
NO_WEAKNESS = "Fight against the {foe}: damage {damage} of {health}"
RELICS = "Temple or relic of {element}: {where}"
RELIC = "relic of {element}"
NOT_PLACED = "(not placed yet)"
WHERE = ("on the map", "carried", "destroyed")
LAND = "{terrain}: {spaces}"
CITY = "City: {spaces}"
SELLS = "At {slot} {element} is bought for {gold} gold."
DRAWN = "Drawn: {tile}, its spaces in order: {terrains}"
PLAIN_OFFER = "{slot}: {card} ({element}, damage {damage}) for {price} gold"
FUELLED_OFFER = "{slot}: {card} ({element}, damage {damage}, with fuel {fuel} {boost} more) for {price} gold"
STORE = "Store: {items}"
EMPTY_HAND = "{seat} has no card in hand."
PLAIN_CARD = "In hand: {card} ({element}, damage {damage})"
FUELLED_CARD = "In hand: {card} ({element}, damage {damage}, with fuel {fuel} {boost} more)"
WOUND_CARD = "In hand: a Wound"
CHAMPION = "Champion of N'Norya: {champions}"


def beside_board(rules: Rules, state: State) -> tuple[Sentence, ...]:
    """What the map does not show: tracker, fight, relics, what each mage has; hands only by their number."""
    view: Any = rules.view(state, None)
    t: Tables = rules.tables  # type: ignore[attr-defined]
    supply = view["supply"]
    lines: list[Sentence] = [
        (TRACKER, (("tracker", view["tracker"]), ("moves", view["moves"] or 0), ("tiles", supply["locations"]),
                   ("cards", supply["spell_deck"]))),
    ]  # fmt: skip
    lines += [*_land(t, view), *_market(t, view)]
    fight = view["fight"]
    if fight is not None:
        facts = tuple((name, fight[name]) for name in ("foe", "damage", "health", "weakness"))
        lines.append((FIGHTS if fight["weakness"] else NO_WEAKNESS, facts))
    lines += [
        (RELICS, (("element", temple["element"]), ("where", temple["where"])))
        for temple in view["temples"]
        if temple["where"] in WHERE
    ]
    for seat in view["seats"]:
        who = ("seat", Seat[seat["seat"]])
        held = {"space": seat["space"] or NOT_PLACED, "gold": seat["gold"], **seat["resources"]}
        held |= {"hand": seat["hand_count"], "deck": seat["deck_count"]}
        lines.append((HOLDS, (who, *held.items())))
        things = (*seat["items"], *(Message(RELIC, element=relic) for relic in seat["relics"]))
        if things:
            lines.append((OWNS, (who, ("things", things))))
        if seat["down"]:
            lines.append((DOWN, (who,)))
    if view["champions"]:
        lines.append((CHAMPION, (("champions", tuple(Seat[name] for name in view["champions"])),)))
    return tuple(lines)


def _land(t: Tables, view: Any) -> list[Sentence]:
    """The map in words: the spaces of each kind, cities, what villages buy, and the drawn tile."""
    kinds: dict[str, list[str]] = {}
    for space in view["map"]["spaces"]:
        kinds.setdefault(space["terrain"], []).append(space["slot"])
    lines: list[Sentence] = [
        (LAND, (("terrain", kind.value), ("spaces", tuple(kinds[kind.value]))))
        for kind in Terrain
        if kind.value in kinds
    ]
    cities = tuple(space["slot"] for space in view["map"]["spaces"] if space["city"])
    if cities:
        lines.append((CITY, (("spaces", cities),)))
    lines += [
        (SELLS, (("slot", space["slot"]), *space["sells"].items()))
        for space in view["map"]["spaces"]
        if space["sells"]
    ]
    tile = view["tile"]
    if tile is not None:
        lines.append((DRAWN, (("tile", tile_name(t, tile["id"])), ("terrains", terrains(t, tile["id"])))))
    return lines


def _market(t: Tables, view: Any) -> list[Sentence]:
    """What the spells of the market do and cost, and the prices of the store."""
    lines: list[Sentence] = []
    for card in view["market"]:
        if card is not None and card["sort"] == "spell":
            offer = PLAIN_OFFER if card["fuel"] is None else FUELLED_OFFER
            names = ("slot", "element", "damage", "fuel", "boost", "price")
            lines.append((offer, (("card", card_name(t, card["id"])), *((name, card[name]) for name in names))))
    items = tuple(word for one in view["store"] for word in (one["item"], one["price"]))
    return [*lines, (STORE, (("items", items),))]


def beside_seat(rules: Rules, state: State, seat: Seat) -> tuple[Sentence, ...]:
    """The own hand, card by card."""
    view: Any = rules.view(state, seat)
    t: Tables = rules.tables  # type: ignore[attr-defined]
    cards: list[Any] | None = view["seats"][seat]["hand"]
    if cards is None:
        return ()
    if not cards:
        return ((EMPTY_HAND, (("seat", seat),)),)
    lines: list[Sentence] = []
    for card in cards:
        if card["sort"] == "spell":
            sentence = PLAIN_CARD if card["fuel"] is None else FUELLED_CARD
            facts = tuple((name, card[name]) for name in ("element", "damage", "fuel", "boost"))
            lines.append((sentence, (("card", card_name(t, card["id"])), *facts)))
        else:
            lines.append((WOUND_CARD, ()))
    return tuple(lines)


def for_seat_only(rules: Rules, action: Action) -> bool:
    """Whether being able to do this tells a card of the hand: playing one, or playing no more (who holds a spell in a
    temple plays one, R-N13), when the companion knows the hands."""
    return isinstance(action, Cast | Done) and not real_hands(rules.setup)


def shares(seats: tuple[Seat, ...], gold: tuple[int, ...], taker: Seat | None) -> tuple[Message, ...]:
    """What each fighter gets: so much gold, and one of them the token or relic."""
    return tuple(
        Message(SHARE_AND_THING if seat is taker else SHARE, seat=seat, n=part)
        for seat, part in zip(seats, gold, strict=True)
    )


def _shares(parts: tuple[str, ...]) -> tuple[Message | str, ...]:
    """The parts of an offer in words; one that is none as it was written."""
    found = [PART.fullmatch(part) for part in parts]
    return tuple(
        shown(part) if match is None
        else Message(SHARE_AND_THING if match[3] else SHARE, seat=Seat[match[1]], n=int(match[2]))
        for part, match in zip(parts, found, strict=True)
    )


def describe_event(t: Tables, event: Event) -> Sentence:
    """The sentence for an event. Raises ValueError for another game's event."""
    sentence = SENTENCES.get(type(event).__name__)
    if sentence is None:
        raise ValueError(f"expected an event of Rifts of N'Norya, got {type(event).__name__}")
    if isinstance(event, Cast) and event.fuel:
        sentence = FUELLED
    facts = {name: getattr(event, name) for name in event.__dataclass_fields__}
    facts |= {"card": card_name(t, facts["card"])} if "card" in facts else {}
    if isinstance(event, Share):
        facts["parts"] = _shares(event.parts)
    if isinstance(event, Location):
        facts |= {"tile": tile_name(t, event.tile), "terrains": terrains(t, event.tile)}
    return sentence, tuple(facts.items())


def describe_offer(rules: Rules, state: State, action: Action) -> Sentence:
    """The sentence for an act that can be done now: a spell to buy is named with its price (N50)."""
    t: Tables = rules.tables  # type: ignore[attr-defined]
    if not isinstance(action, Buy):
        return describe_event(t, action)
    view: Any = rules.view(state, None)
    card = view["market"][t.places.index(action.slot)]
    names = (("card", card_name(t, card["id"])), ("slot", action.slot), ("price", card["price"]))
    return BUYS, (("seat", action.seat), *names)
