"""The table of Envyra as golden playthroughs show it at the start of each round."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Rules
from companion.games.envyra.state import State


def round_begun(state: State) -> int | None:
    """The round that begins in this state, before anybody has confirmed; None in other states."""
    return state.round if state.phase.value in ("choose", "remove") and not state.ready else None


def table_text(rules: Rules, state: State) -> Iterator[str]:
    """The table and what everybody has, at the start of a round."""
    view = rules.view(state, None)
    last = ", the last" if view["last_round"] else ""
    yield f"## round {view['round']}{last}: {view['first']} first, {view['supply']['count']} tiles in the bag"
    for cell in view["cells"]:
        tile = cell["tile"]
        lying = f"{tile['id']} {''.join(cell['cubes'])}/{tile['cubes']}" if tile else "-"
        yield f"#   {cell['slot']} {lying}"
    for seat in view["seats"]:
        captured = " ".join(tile["id"] for tile in seat["captured"]) or "-"
        yield f"#   {seat['seat']} reserve {seat['reserve']}, {seat['score']['total']} points: {captured}"
