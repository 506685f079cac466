"""A position of Rifts of N'Norya as JSON and back, by the names that people know, with every wrong key reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.game_kit.state_reader import NOTHING, StateReader
from companion.core.types import Json
from companion.games.rifts.edition.hexes import TURNS, cells_of, mask_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import HAND, ITEMS, RESOURCES, TEMPLE_LEVELS
from companion.games.rifts.play.invariants import state_problems
from companion.games.rifts.state import NONE, Counts, Fight, Foe, Laid, Mage, Offer, Phase, Rift, State, Withstood

MOST = 1_000_000
ENDINGS = ("", "N5", "N6", "N7")
_ELEMENTS = {element.value: index for index, element in enumerate(RESOURCES)}
_FOES = {foe.value: index for index, foe in enumerate(Foe)}


def dump_state(t: Tables, s: State) -> Json:
    """The whole position, hands included."""
    names = t.grid.names

    def spaces(mask: int) -> list[str]:
        return [names[cell] for cell in cells_of(mask)]

    def tiles(mask: int) -> list[str]:
        return [t.tiles[tile].id for tile in cells_of(mask)]

    def seats(mask: int) -> list[str]:
        return [t.seats[seat].name for seat in cells_of(mask)]

    return {
        "phase": s.phase.value,
        "turn": s.turn,
        "current": t.seats[s.current].name,
        "moves": None if s.moves == NONE else s.moves,
        "withstood": [{"space": names[stand.cell], "foe": stand.foe.value} for stand in s.withstood],
        "spawning": list(s.spawning),
        "explored": s.explored,
        "tile": None if s.tile == NONE else t.tiles[s.tile].id,
        "corners": [t.grid.corner_names[corner] for corner in s.corners],
        "stack": tiles(s.stack),
        "aside": tiles(s.aside),
        "land": [
            {"tile": t.tiles[laid.tile].id, "space": names[laid.anchor], "turn": laid.turn} for laid in s.land
        ],
        "enemies": spaces(s.enemies),
        "crowd": [names[cell] for cell in s.crowd],
        "rifts": [{"space": names[rift.cell], "active": rift.active} for rift in s.rifts],
        "temples": [None if corner == NONE else t.grid.corner_names[corner] for corner in s.temples],
        "taken": elements(s.taken),
        "destroyed": elements(s.destroyed),
        "tokens": list(s.tokens),
        "book": counted(t, s.book),
        "market": [None if card == NONE else t.cards[card] for card in s.market],
        "gone": counted(t, s.gone),
        "mages": [_dump_mage(t, mage) for mage in s.mages],
        "drawing": seats(s.drawing),
        "fight": None if s.fight is None else _dump_fight(t, s.fight, seats),
        "ended": s.ended,
    }


def counted(t: Tables, counts: Counts) -> dict[str, int]:
    """Card id -> how many, of those there are."""
    return {t.cards[card]: n for card, n in enumerate(counts) if n}


def elements(mask: int) -> list[str]:
    """The names of the elements in a bit mask."""
    return [RESOURCES[index].value for index in cells_of(mask)]


def _dump_mage(t: Tables, mage: Mage) -> dict[str, Any]:
    return {
        "space": None if mage.cell == NONE else t.grid.names[mage.cell],
        "resources": list(mage.resources),
        "gold": mage.gold,
        "vanquished": mage.vanquished,
        "items": [item.value for item, owned in zip(ITEMS, mage.items, strict=True) if owned],
        "relics": elements(mage.relics),
        "down": mage.down,
        "hand": counted(t, mage.hand),
        "deck": counted(t, mage.deck),
        "discard": counted(t, mage.discard),
        "held": mage.held,
    }


def _dump_fight(t: Tables, fight: Fight, seats: Any) -> dict[str, Any]:
    offer = fight.offer
    return {
        "foe": fight.foe.value,
        "fighters": [t.seats[seat].name for seat in fight.fighters],
        "asked": seats(fight.asked),
        "element": None if fight.element == NONE else RESOURCES[fight.element].value,
        "level": fight.level,
        "damage": fight.damage,
        "played": [[t.cards[card] for card in cards] for cards in fight.played],
        "done": seats(fight.done),
        "won": fight.won,
        "gold": None if fight.gold == NONE else fight.gold,
        "settled": fight.settled,
        "proposer": None if fight.proposer == NONE else t.seats[fight.proposer].name,
        "refusals": fight.refusals,
        "offer": None
        if offer is None
        else {"gold": list(offer.gold), "taker": None if offer.taker == NONE else t.seats[offer.taker].name},
    }


class _Reader(StateReader):
    """Reads what belongs to Rifts of N'Norya."""

    def __init__(self, t: Tables, data: Json) -> None:
        super().__init__(data)
        self.t = t
        self.seats = {seat.name: int(seat) for seat in t.seats}
        self.spaces = dict(t.grid.name_index)
        self.corners = {name: index for index, name in enumerate(t.grid.corner_names)}
        self.tiles = dict(t.tile_index)
        self.cards = dict(t.card_index)

    def mask(self, key: str, value: object, names: dict[str, int]) -> int:
        """The bit mask of a list of names."""
        return mask_of(self.many(key, value, names))

    def counts(self, key: str, value: object) -> Counts:
        """Counts by kind from an object of card names."""
        if not isinstance(value, dict):
            self.fail(key, "an object of card names and counts", value)
            return (0,) * len(self.t.cards)
        self.wrong += [f"{key}.{name}: no such card" for name in sorted(map(str, set(value) - set(self.cards)))]
        return tuple(self.whole(f"{key}.{card}", value.get(card, 0), MOST) for card in self.t.cards)

    def fields(self, key: str, value: object, names: Sequence[str]) -> Mapping[str, Any]:
        """An object with exactly these keys; an empty one when it is none."""
        if not isinstance(value, dict) or set(value) != set(names):
            self.fail(key, f"an object of {', '.join(names)}", value)
            return {}
        return value

    def flag(self, key: str, value: object) -> bool:
        """true or false."""
        if not isinstance(value, bool):
            self.fail(key, "true or false", value)
        return value is True

    def each(self, key: str, value: object) -> list[tuple[str, Any]]:
        """The entries of a list with their keys."""
        if not isinstance(value, list):
            self.fail(key, "a list", value)
            return []
        return [(f"{key}[{number}]", entry) for number, entry in enumerate(value)]

    def some(self, key: str, value: object, names: dict[str, int]) -> int:
        """The index of a name that must be there, 0 for a wrong one."""
        return max(0, self.named(key, value, names))

    def optional_whole(self, key: str, value: object) -> int:
        """A whole number, NONE for null."""
        return NONE if value is None else self.whole(key, value, MOST)


def load_state(t: Tables, data: Json) -> State:
    """The position that `dump_state` wrote. Raises DataError naming every key that is wrong."""
    x = _Reader(t, data)
    get = data.get
    where = x.each("temples", get("temples"))
    three = tuple(x.named(key, corner, x.corners, optional=True) for key, corner in where)
    if len(three) != len(RESOURCES):
        x.fail("temples", "three corners or null", get("temples"))
    temples = (*three, NOTHING, NOTHING, NOTHING)
    phases = {phase.value: index for index, phase in enumerate(Phase)}
    state = State(
        phase=tuple(Phase)[x.some("phase", get("phase"), phases)],
        turn=x.whole("turn", get("turn"), MOST),
        current=x.some("current", get("current"), x.seats),
        moves=x.optional_whole("moves", get("moves")),
        withstood=tuple(_stand(x, key, value) for key, value in x.each("withstood", get("withstood"))),
        spawning=tuple(x.whole(key, value, MOST) for key, value in x.each("spawning", get("spawning"))),
        explored=x.flag("explored", get("explored")),
        tile=x.named("tile", get("tile"), x.tiles, optional=True),
        corners=x.many("corners", get("corners"), x.corners),
        stack=x.mask("stack", get("stack"), x.tiles),
        aside=x.mask("aside", get("aside"), x.tiles),
        land=tuple(_laid(x, key, value) for key, value in x.each("land", get("land"))),
        enemies=x.mask("enemies", get("enemies"), x.spaces),
        crowd=x.many("crowd", get("crowd"), x.spaces),
        rifts=tuple(_rift(x, key, value) for key, value in x.each("rifts", get("rifts"))),
        temples=(temples[0], temples[1], temples[2]),
        taken=x.mask("taken", get("taken"), _ELEMENTS),
        destroyed=x.mask("destroyed", get("destroyed"), _ELEMENTS),
        tokens=x.per("tokens", len(t.enemies), lambda k, v: x.whole(k, v, MOST)),
        book=x.counts("book", get("book")),
        market=x.per("market", len(t.places), lambda k, v: x.named(k, v, x.cards, optional=True)),
        gone=x.counts("gone", get("gone")),
        mages=x.per("mages", len(t.seats), lambda k, v: _mage(x, k, v)),
        drawing=x.mask("drawing", get("drawing"), x.seats),
        fight=None if get("fight") is None else _fight(x, get("fight")),
        ended=ENDINGS[x.some("ended", get("ended"), {name: i for i, name in enumerate(ENDINGS)})],
    )
    if any(index >= len(state.rifts) for index in state.spawning):
        x.fail("spawning", "numbers of rifts", get("spawning"))
    x.refuse(State._fields, lambda: state_problems(t, state))
    return state


def _stand(x: _Reader, key: str, value: object) -> Withstood:
    got = x.fields(key, value, ("space", "foe"))
    return Withstood(
        x.some(f"{key}.space", got.get("space"), x.spaces), tuple(Foe)[x.some(f"{key}.foe", got.get("foe"), _FOES)]
    )


def _laid(x: _Reader, key: str, value: object) -> Laid:
    got = x.fields(key, value, ("tile", "space", "turn"))
    return Laid(
        x.some(f"{key}.tile", got.get("tile"), x.tiles),
        x.some(f"{key}.space", got.get("space"), x.spaces),
        x.whole(f"{key}.turn", got.get("turn"), TURNS - 1),
    )


def _rift(x: _Reader, key: str, value: object) -> Rift:
    got = x.fields(key, value, ("space", "active"))
    return Rift(x.some(f"{key}.space", got.get("space"), x.spaces), x.flag(f"{key}.active", got.get("active")))


def _mage(x: _Reader, key: str, value: object) -> Mage:
    names = ("space", "resources", "gold", "vanquished", "items", "relics", "down", "hand", "deck", "discard", "held")
    got = x.fields(key, value, names)
    stock = [x.whole(k, v, MOST) for k, v in x.each(f"{key}.resources", got.get("resources"))]
    if len(stock) != len(RESOURCES):
        x.fail(f"{key}.resources", "three numbers", got.get("resources"))
    stock += [0, 0, 0]
    owned = x.mask(f"{key}.items", got.get("items"), {item.value: i for i, item in enumerate(ITEMS)})
    return Mage(
        cell=x.named(f"{key}.space", got.get("space"), x.spaces, optional=True),
        resources=(stock[0], stock[1], stock[2]),
        gold=x.whole(f"{key}.gold", got.get("gold"), MOST),
        vanquished=x.whole(f"{key}.vanquished", got.get("vanquished"), MOST),
        items=(bool(owned & 1), bool(owned & 2), bool(owned & 4)),
        relics=x.mask(f"{key}.relics", got.get("relics"), _ELEMENTS),
        down=x.flag(f"{key}.down", got.get("down")),
        hand=x.counts(f"{key}.hand", got.get("hand")),
        deck=x.counts(f"{key}.deck", got.get("deck")),
        discard=x.counts(f"{key}.discard", got.get("discard")),
        held=x.whole(f"{key}.held", got.get("held"), HAND),
    )


def _fight(x: _Reader, value: object) -> Fight:
    got = x.fields("fight", value, Fight._fields)
    won, offer = got.get("won"), got.get("offer")
    played = [x.many(k, v, x.cards) for k, v in x.each("fight.played", got.get("played"))]
    if len(played) != len(x.seats):
        x.fail("fight.played", "the cards of every seat", got.get("played"))
    return Fight(
        foe=tuple(Foe)[x.some("fight.foe", got.get("foe"), _FOES)],
        fighters=x.many("fight.fighters", got.get("fighters"), x.seats),
        asked=x.mask("fight.asked", got.get("asked"), x.seats),
        element=x.named("fight.element", got.get("element"), _ELEMENTS, optional=True),
        level=x.whole("fight.level", got.get("level"), TEMPLE_LEVELS - 1),
        damage=x.whole("fight.damage", got.get("damage"), MOST),
        played=tuple(played),
        done=x.mask("fight.done", got.get("done"), x.seats),
        won=None if won is None else x.flag("fight.won", won),
        gold=x.optional_whole("fight.gold", got.get("gold")),
        settled=x.flag("fight.settled", got.get("settled")),
        proposer=x.named("fight.proposer", got.get("proposer"), x.seats, optional=True),
        refusals=x.whole("fight.refusals", got.get("refusals"), MOST),
        offer=None if offer is None else _offer(x, offer),
    )


def _offer(x: _Reader, value: object) -> Offer:
    got = x.fields("fight.offer", value, ("gold", "taker"))
    gold = tuple(x.whole(k, v, MOST) for k, v in x.each("fight.offer.gold", got.get("gold")))
    return Offer(gold, x.named("fight.offer.taker", got.get("taker"), x.seats, optional=True))
