"""What people call the places and faces of a table: never by the words that the record has for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from companion.core.game import GameSpec, Rules
from companion.core.messages import Message

GRID_PLACE = "row {row} column {column}"
_GRID_SLOT = re.compile(r"r(\d+)c(\d+)")


def table_names(spec: GameSpec, rules: Rules) -> Mapping[str, Message]:
    """What people call the places and faces of this game's table, by the words that the record has for them."""
    return _names(rules, spec.table_names or plain_names)


@lru_cache(maxsize=16)  # of every game that is open, and some that were
def _names(rules: Rules, naming: Callable[[Rules], Mapping[str, Message]]) -> Mapping[str, Message]:
    return naming(rules)


def plain_names(rules: Rules) -> dict[str, Message]:
    """Where a game names nothing itself: places as `grid_names`, each face by the words of its id ("pear-4": pear 4),
    which the game's own locale may translate."""
    return grid_names(rules) | {face: Message(face.replace("-", " ")) for face in rules.faces() if "-" in face}


def grid_names(rules: Rules) -> dict[str, Message]:
    """The places "r2c3" of a grid by row and column, both counted from 1 at the top left; no others."""
    slots = (outline.slot for outline in rules.layout().slots)
    found = {slot: _GRID_SLOT.fullmatch(slot) for slot in slots}
    return {
        slot: Message(GRID_PLACE, row=int(match[1]), column=int(match[2])) for slot, match in found.items() if match
    }
