"""The table of Rifts of N'Norya as golden playthroughs show it when the map of a turn has grown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.core.game import Rules
from companion.games.rifts.state import NONE, State


def turn_begun(state: State) -> int | None:
    """The turn whose map has grown; None before."""
    return state.turn if state.turn and state.moves != NONE else None


def table_text(rules: Rules, state: State) -> Iterator[str]:
    """Tracker, enemies, rifts, temples, market, and what everybody has."""
    view: Any = rules.view(state, None)
    supply = view["supply"]
    yield (
        f"## turn {view['turn']}, {view['current']}: tracker {view['tracker']}, {supply['locations']} tiles, "
        f"{supply['spell_deck']} cards, {supply['enemies']} tokens left"
    )
    yield f"#   enemies {_counted(view['enemies'])}"
    rifts = " ".join(rift["slot"] + ("" if rift["active"] else "-inactive") for rift in view["rifts"])
    yield f"#   rifts {rifts or '-'}"
    where = [f"{one['element']}:{one['slot'] or one['where']}" for one in view["temples"]]
    yield "#   temples " + " ".join(where)
    yield "#   market " + " ".join(card["id"] if card else "-" for card in view["market"])
    for seat in view["seats"]:
        stock = "/".join(str(n) for n in seat["resources"].values())
        owned = " ".join((*seat["items"], *(f"relic-{relic}" for relic in seat["relics"]))) or "-"
        down = ", down" if seat["down"] else ""
        yield (
            f"#   {seat['seat']} at {seat['space']}{down}: {seat['vanquished']} vanquished, {seat['gold']} gold, "
            f"{stock}, {seat['hand_count']} in hand, {seat['deck_count']} in the deck, {owned}"
        )


def _counted(slots: list[str]) -> str:
    counts = Counter(slots)
    return " ".join(slot if n == 1 else f"{slot}x{n}" for slot, n in counts.items()) or "-"
