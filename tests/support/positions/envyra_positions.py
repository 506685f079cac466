"""Positions of Envyra written down shortly, for examples and tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from contract_envyra import envyra_setup

from companion.games.envyra import GAME
from companion.games.envyra.edition.components import Catalogue
from companion.games.envyra.rules import EnvyraRules
from companion.games.envyra.state import State

GRIDS = {
    2: "flora-1-a flora-1-b flora-2-a water-1-a water-1-b water-2-a",
    3: "flora-1-a flora-1-b flora-2-a water-1-a water-1-b water-2-a fire-1-a fire-1-b fire-2-a",
    4: "flora-1-a flora-1-b flora-2-a flora-3-a water-1-a water-1-b water-2-a water-2-b "
    "fire-1-a fire-1-b fire-2-a fire-2-b",
}
KEPT = {2: (11, 8), 3: (13, 16), 4: (14, 21)}  # E10


def rules_of(players: int = 3, six: str = "", **options: str) -> EnvyraRules:
    """The rules of a set-up of the sample edition, in which the tiles `six` need six cubes."""
    return EnvyraRules(envyra_setup(players, **options), edition(six))


def edition(six: str) -> Catalogue:
    """The sample edition with six cubes on these tiles."""
    text = GAME.load_catalogue("sample").text
    for tile in six.split():
        text = re.sub(rf'(id = "{tile}"\n(?:.+\n)*?cubes = )\d+', r"\g<1>6", text, count=1)
    catalogue: Catalogue = GAME.load_catalogue(text)
    assert {tile.id for tile in catalogue.tiles if tile.cubes == 6} == set(six.split())
    return catalogue


def position(
    rules: EnvyraRules,
    *,
    grid: str = "",
    cubes: Mapping[str, str] | None = None,
    owned: Mapping[str, str] | None = None,
    boards: Mapping[str, str] | None = None,
    bag: str | None = None,
    aside: str = "",
    phase: str = "choose",
    first: str = "A",
    turn: int = 0,
    last_round: bool = False,
    playing: str = "",
    slot: str | None = None,
    open_cards: Sequence[Sequence[str]] = (),
    hands: Sequence[str] = (),
) -> State:
    """A position by the names of its pieces; words are separated by blanks, `-` is a gap.

    `bag` names exactly what is in the bag (then the rest of the tiles in the game counts as removed); without it
    the bag holds what nobody has seen. `cubes` maps a slot to the seats in order of placing.
    """
    players = len(rules.setup.seats)
    seats = "ABCD"[:players]
    lying = [None if tile == "-" else tile for tile in (grid or GRIDS[players]).split()]
    captured = [(owned or {}).get(seat, "").split() for seat in seats]
    slots = [outline.slot for outline in rules.layout().slots]
    on_boards = [(boards or {}).get(seat, "").split() for seat in seats]
    grid_cubes = "".join((cubes or {}).values())
    seen = {*(t for t in lying if t), *(t for tiles in captured for t in tiles), *aside.split()}
    marked = [len(b) if phase == "move" else 0 for b in on_boards]
    return rules.load(
        {
            "phase": phase,
            "round": 3,
            "first": first,
            "turn": turn,
            "moved": list(range(turn)),
            "ready": list(playing or seats) if phase in ("move", "reveal") else [],
            "playing": list(playing or seats),
            "last_round": last_round,
            "slot": slot,
            "over": "",
            "grid": lying,
            "cubes": [(cubes or {}).get(slot_name, "") for slot_name in slots],
            "owned": captured,
            "reserve": [5 - m - grid_cubes.count(seat) for seat, m in zip(seats, marked, strict=True)],
            "boards": on_boards,
            "supply": _supply(rules, seen, bag, aside.split()),
            "open_cards": [{"card": card, "taken": taken or None} for card, taken in open_cards],
            "hands": [card or None for card in hands],
        }
    )


def _supply(rules: EnvyraRules, seen: set[str], bag: str | None, aside: list[str]) -> dict[str, Any]:
    players = len(rules.setup.seats)
    kept_start, kept_basic = KEPT[players]
    tiles = rules.tables.tiles
    late = [t.id for t in tiles if t.players_3_4 and players == 2]
    start = [t.id for t in tiles if t.start]
    basic = [t.id for t in tiles[:-1] if not t.start and t.id not in late]
    end = tiles[-1].id
    if bag is None:
        known = [end] if end not in seen else []
        removed: list[str] = []
        in_bag = [kept_start - len(seen & {*start}), kept_basic - len(seen & {*basic})]
    else:
        known, removed = bag.split(), []
        for kind, kept in ((start, kept_start), (basic, kept_basic)):
            here = {*seen, *known} & {*kind}
            removed += [t for t in kind if t not in here][: kept - len(here)]
        if end not in {*seen, *known}:
            removed.append(end)
        in_bag = [0, 0]
    gone = {*seen, *known, *removed}
    return {
        "pool_start": [t for t in start if t not in gone],
        "pool_basic": [t for t in basic if t not in gone],
        "start_in_bag": in_bag[0],
        "basic_in_bag": in_bag[1],
        "known": known,
        "aside": aside,
        "removed": removed,
        "boxed": late,
    }
