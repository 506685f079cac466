"""Positions of Rifts of N'Norya written down shortly, for examples and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from contract_rifts import rifts_setup

from companion.games.rifts import GAME
from companion.games.rifts.rules import RiftsRules
from companion.games.rifts.state import State

ELEMENTS = ("fire", "earth", "air")


def rules_of(players: int = 2, *colours: str, **options: str) -> RiftsRules:
    """The rules of a set-up of the sample edition."""
    return RiftsRules(rifts_setup(players, *colours, **options), GAME.load_catalogue("sample"))


def position(
    rules: RiftsRules,
    *,
    phase: str = "act",
    turn: int = 1,
    current: str = "A",
    moves: int | str = 3,
    land: Sequence[str] = (),
    stack: str | None = None,
    tile: str | None = None,
    enemies: str = "",
    inactive: str = "",
    spawning: Sequence[int] = (),
    temples: Mapping[str, str] | None = None,
    corners: Sequence[str] = (),
    destroyed: str = "",
    market: str | None = None,
    book: str | None = None,
    tokens: Sequence[int] | None = None,
    withstood: Sequence[Sequence[str]] = (),
    seats: Mapping[str, Mapping[str, Any]] | None = None,
) -> State:
    """A position by the names of its pieces.

    `land`: tiles as "location-05 i8 3". `stack`: tiles still face down (default: all that are not named); the others
    are aside. `enemies`: a space per token. `inactive`: spaces of rifts that are not active. `temples`: element ->
    corner. `market`: five cards, `rift` for a Rift card, `-` for none. `book`: the cards left in the spell deck
    (default: all that are not named); the others are gone. `tokens`: unseen enemy tokens by gold (default: all but
    those owned). `seats`: per seat `at` (empty: not placed yet), `gold`, `resources` (fire, earth, air), `items`,
    `relics`, `hand`, `deck`, `discard` (words; the deck is what is left of the starting deck and of `more`, cards
    that were bought), `down`, `vanquished`. `moves`: "none" before the map has grown this turn.
    """
    t, blank = rules.tables, rules.dump(rules.initial())
    laid = [dict(zip(("tile", "space", "turn"), words.split(), strict=True)) for words in land]
    named = {one["tile"] for one in laid} | ({tile} if tile else set())
    rest = [one.id for one in t.tiles if one.id not in named]
    left = rest if stack is None else stack.split()
    mages = [_mage(t, seat, (seats or {}).get(t.seats[seat].name, {})) for seat in range(len(t.seats))]
    beaten = sum(mage["vanquished"] for mage in mages)
    unseen = list(t.enemies) if tokens is None else list(tokens)
    if tokens is None:
        unseen[0] -= beaten
    spells = [t.cards[kind] for kind, n in enumerate(t.book) for _ in range(n)]
    lying = _market(market, spells)
    bought = [card for words in (seats or {}).values() for card in words.get("more", "").split()]
    over = Counter(spells) - Counter([card for card in lying if card]) - Counter(bought)
    deck = over if book is None else Counter(book.split())
    relics = {relic for mage in mages for relic in mage["relics"]} | set(destroyed.split())
    state = {
        **blank,
        "phase": phase,
        "turn": turn,
        "current": current,
        "moves": None if moves == "none" else moves,
        "withstood": [{"space": space, "foe": foe} for space, foe in withstood],
        "spawning": list(spawning),
        "explored": moves != "none" or tile is not None or phase == "temple",
        "tile": tile,
        "corners": list(corners),
        "stack": left,
        "aside": [one for one in rest if one not in left],
        "land": [{**one, "turn": int(one["turn"])} for one in laid],
        "enemies": sorted(set(enemies.split())),
        "crowd": _in_order(t, list((Counter(enemies.split()) - Counter(set(enemies.split()))).elements())),
        "rifts": _rifts(t, laid, inactive.split()),
        "temples": [(temples or {}).get(element) for element in ELEMENTS],
        "taken": [element for element in ELEMENTS if element in relics],
        "destroyed": destroyed.split(),
        "tokens": unseen,
        "book": dict(deck),
        "market": lying,
        "gone": dict(over - deck),
        "mages": mages,
    }
    return rules.load(state)


def _market(words: str | None, spells: list[str]) -> list[str | None]:
    if words is None:
        return [*[card for card in dict.fromkeys(spells) if card != "rift"][:5]]
    return [None if word == "-" else word for word in words.split()]


def _in_order(t: Any, names: list[str]) -> list[str]:
    return sorted(names, key=t.grid.name_index.__getitem__)


def _rifts(t: Any, laid: list[dict[str, str]], inactive: list[str]) -> list[dict[str, Any]]:
    found = []
    for one in laid:
        number = t.tile_index[one["tile"]]
        cells = t.laid[number][int(one["turn"])][t.grid.name_index[one["space"]]].cells
        for cell, space in zip(cells, t.tiles[number].spaces, strict=True):
            if space.rift:
                name = t.grid.names[cell]
                found.append({"space": name, "active": name not in inactive})
    return found


def _mage(t: Any, seat: int, words: Mapping[str, Any]) -> dict[str, Any]:
    start = Counter({t.cards[kind]: n for kind, n in enumerate(t.decks[seat]) if n})
    own = start + Counter(words.get("more", "").split())
    discard = Counter(words.get("discard", "").split())
    rest = list((own - discard).elements())
    hand = Counter(words["hand"].split()) if "hand" in words else Counter(rest[:5])
    held = words.get("held", 5) if t.real_hands else 0
    hand = Counter() if t.real_hands else hand
    deck = Counter(words["deck"].split()) if "deck" in words else own - discard - hand
    return {
        "space": words.get("at", "i9") or None,
        "resources": list(words.get("resources", (0, 0, 0))),
        "gold": words.get("gold", 0),
        "vanquished": words.get("vanquished", 0),
        "items": words.get("items", "").split(),
        "relics": words.get("relics", "").split(),
        "down": words.get("down", False),
        "hand": dict(hand),
        "deck": dict(deck),
        "discard": dict(discard),
        "held": held,
    }
