"""A position of Envyra as JSON and back, by the names that people know, with every wrong key reported."""

from __future__ import annotations

from typing import Any

from companion.core.game_kit.state_reader import StateReader
from companion.core.types import Json
from companion.games.envyra.edition.tables import CUBES_PER_PLAYER, Tables, bits, mask_of
from companion.games.envyra.play.invariants import state_problems
from companion.games.envyra.state import NONE, Cards, Phase, State, Supply

ENDINGS = ("", "E60", "E61", "E62", "R-12")
MOST_ROUNDS = 1_000_000
_SUPPLY_SETS = ("pool_start", "pool_basic", "known", "aside", "removed", "boxed")
_SUPPLY_COUNTS = ("start_in_bag", "basic_in_bag")


def dump_state(t: Tables, s: State) -> Json:
    """The whole position, secrets included."""

    def tiles(mask: int) -> list[str]:
        return [t.tiles[i].id for i in bits(mask)]

    def seats(mask: int) -> list[str]:
        return [t.seats[i].name for i in bits(mask)]

    def card(index: int) -> str | None:
        return None if index == NONE else t.cards[index].id

    def seat(index: int) -> str | None:
        return None if index == NONE else t.seats[index].name

    supply: dict[str, Any] = {key: tiles(getattr(s.supply, key)) for key in _SUPPLY_SETS}
    supply |= {key: getattr(s.supply, key) for key in _SUPPLY_COUNTS}
    agreed = {"agreed": seats(s.agreed)} if s.agreed else {}  # seldom, so left out of every other position
    return {
        **agreed,
        "phase": s.phase.value,
        "round": s.round,
        "first": seat(s.first),
        "turn": s.turn,
        "moved": list(bits(s.moved)),
        "ready": seats(s.ready),
        "playing": seats(s.playing),
        "last_round": s.last_round,
        "slot": None if s.slot == NONE else t.slots[s.slot],
        "over": s.over,
        "grid": [None if tile == NONE else t.tiles[tile].id for tile in s.grid],
        "cubes": ["".join(t.seats[x].name for x in here) for here in s.cubes],
        "owned": [tiles(mask) for mask in s.owned],
        "reserve": list(s.reserve),
        "boards": [[t.slots[x] for x in marked] for marked in s.boards],
        "supply": supply,
        "open_cards": [{"card": card(c), "taken": seat(h)} for c, h in zip(s.cards.open, s.cards.taken, strict=True)],
        "hands": [card(c) for c in s.cards.hands],
    }


def load_state(t: Tables, data: Json) -> State:
    """The position that `dump_state` wrote. Raises DataError naming every key that is wrong."""
    x = StateReader(data)
    seat_names = {seat.name: int(seat) for seat in t.seats}
    phases = {p.value: i for i, p in enumerate(Phase)}
    players, places = len(t.seats), len(t.slots)
    owned = x.per("owned", players, lambda k, v: mask_of(x.many(k, v, t.tile_index)))
    grid = x.per("grid", places, lambda k, v: x.named(k, v, t.tile_index, optional=True))
    state = State(
        phase=tuple(Phase)[max(0, x.named("phase", data.get("phase"), phases))],
        round=x.whole("round", data.get("round"), MOST_ROUNDS),
        first=x.named("first", data.get("first"), seat_names, optional=True),
        turn=x.whole("turn", data.get("turn"), len(t.order[0]) - 1),
        moved=mask_of(tuple(x.whole("moved", v, len(t.order[0]) - 1) for v in x.get("moved", list, "a list"))),
        ready=mask_of(x.many("ready", data.get("ready"), seat_names)),
        playing=mask_of(x.many("playing", data.get("playing"), seat_names)),
        last_round=x.get("last_round", bool, "true or false"),
        slot=x.named("slot", data.get("slot"), t.slot_index, optional=True),
        over=ENDINGS[max(0, x.named("over", data.get("over"), {e: i for i, e in enumerate(ENDINGS)}))],
        grid=grid,
        cubes=x.per("cubes", places, lambda k, v: x.many(k, v, seat_names)),
        filled=mask_of(tuple(i for i, tile in enumerate(grid) if tile != NONE)),
        owned=owned,
        unlocked=tuple(t.unlocked(mask) for mask in owned),
        reserve=x.per("reserve", players, lambda k, v: x.whole(k, v, CUBES_PER_PLAYER)),
        boards=x.per("boards", players, lambda k, v: tuple(sorted(x.many(k, v, t.slot_index)))),
        supply=_load_supply(t, x),
        cards=_load_cards(t, x, seat_names),
        agreed=mask_of(x.many("agreed", data.get("agreed", []), seat_names)),
    )
    x.refuse(dump_state(t, state), lambda: state_problems(t, state))
    return state


def _load_supply(t: Tables, x: StateReader) -> Supply:
    raw = x.get("supply", dict, "an object")
    for key in sorted(set(raw) - {*_SUPPLY_SETS, *_SUPPLY_COUNTS}):
        x.wrong.append(f"supply.{key}: unknown key")
    sets = {key: mask_of(x.many(f"supply.{key}", raw.get(key), t.tile_index)) for key in _SUPPLY_SETS}
    counts = {key: x.whole(f"supply.{key}", raw.get(key), len(t.tiles)) for key in _SUPPLY_COUNTS}
    return Supply(**sets, **counts)


def _load_cards(t: Tables, x: StateReader, seat_names: dict[str, int]) -> Cards:
    opened, taken = [], []
    for i, entry in enumerate(x.get("open_cards", list, "a list")):
        if not isinstance(entry, dict) or set(entry) != {"card", "taken"}:
            x.fail(f"open_cards[{i}]", "an object of card and taken", entry)
            continue
        opened.append(x.named(f"open_cards[{i}].card", entry["card"], t.card_index))
        taken.append(x.named(f"open_cards[{i}].taken", entry["taken"], seat_names, optional=True))
    hands = x.per("hands", len(t.seats) if t.hand_cards else 0, lambda k, v: x.named(k, v, t.card_index, optional=True))
    return Cards(tuple(opened), tuple(taken), hands)
