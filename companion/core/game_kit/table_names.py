"""What people call the places and faces of a table: never by the words that the record has for them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.core.game import GameSpec, Rules
from companion.core.messages import Message

GRID_PLACE = "row {row} column {column}"
_GRID_SLOT = re.compile(r"r(\d+)c(\d+)")


def table_names(spec: GameSpec, rules: Rules) -> Mapping[str, Message]:
    """What people call the places and faces of this game's table, by the words that the record has for them."""
    return grid_names(rules) if spec.table_names is None else spec.table_names(rules)


def grid_names(rules: Rules) -> dict[str, Message]:
    """The places "r2c3" of a grid by row and column, both counted from 1 at the top left; no others."""
    slots = (outline.slot for outline in rules.layout().slots)
    found = {slot: _GRID_SLOT.fullmatch(slot) for slot in slots}
    return {
        slot: Message(GRID_PLACE, row=int(match[1]), column=int(match[2])) for slot, match in found.items() if match
    }
