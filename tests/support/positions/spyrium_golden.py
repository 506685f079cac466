"""The table of Spyrium as golden playthroughs show it at the start of each turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playthroughs import picking

from companion.core.game import Rules
from companion.games.spyrium.actions import Activate, Place, Reuse, Use, UseEvent
from companion.games.spyrium.state import Phase, State, Step

# people place their workers, use what they have and seldom only take money
industrious = picking({Place: 12, Activate: 8, Use: 8, Reuse: 8, UseEvent: 2})


def turn_laid_out(state: State) -> int | None:
    """The turn whose market has just been laid out; None in other states."""
    untouched = not any(any(here) for here in state.gaps)
    fresh = untouched and all(p.step is Step.PLACEMENT and not p.used_event for p in state.players)
    return state.turn if state.phase is Phase.PLAY and fresh else None


def table_text(rules: Rules, state: State) -> Iterator[str]:
    """The market, the event, and what everybody has."""
    view: Any = rules.view(state, None)
    event, future = view["event"], view["future"]
    yield (
        f"## turn {view['round']}, period {view['period']}: {view['first']} first, "
        f"{event['id']} {event['token'] or ''}".rstrip()
        + (f", then {future['id']}" if future else "")
    )
    for cell in view["cells"]:
        tokens = " ".join(map(str, cell["tokens"]))
        yield f"#   {cell['slot']} {cell['card']['id']} {tokens}".rstrip()
    for seat in view["seats"]:
        owned = " ".join(card["id"] for card in (*seat["buildings"], *seat["techniques"])) or "-"
        yield (
            f"#   {seat['seat']} {seat['points']} points, {seat['money']} pounds, {seat['spyrium']} Spyrium, "
            f"residence {seat['residence']}, {seat['workers']['active']} workers: {owned}"
        )
