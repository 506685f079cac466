"""Positions of Spyrium written down shortly, for examples and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from contract_spyrium import spyrium_setup

from companion.games.spyrium import GAME
from companion.games.spyrium.edition.designs import EVENTS
from companion.games.spyrium.rules import SpyriumRules
from companion.games.spyrium.state import State

MARKET = "mine-left apprentice geologist workshop-left university-left crane adviser-c residence neighbourhood-left"
"""Nine cards, r1c1 to r3c3; they need not be of one period, so that an example can show any card."""


def rules_of(players: int = 3, **options: str) -> SpyriumRules:
    """The rules of a set-up of the sample edition."""
    return SpyriumRules(spyrium_setup(players, **options), GAME.load_catalogue("sample"))


def position(
    rules: SpyriumRules,
    *,
    phase: str = "play",
    turn: int = 1,
    first: str = "A",
    current: str = "A",
    market: str = MARKET,
    tokens: Mapping[str, list[int]] | None = None,
    gaps: Mapping[str, str] | None = None,
    event: str = "event-points",
    event_token: int = 0,
    future: str = "event-place",
    events_left: list[str] | None = None,
    future_token: int = 0,
    stock: list[int] | None = None,
    seats: Mapping[str, Mapping[str, Any]] | None = None,
) -> State:
    """A position by the names of its pieces.

    `market`: nine words, `-` for an empty space. `tokens`: slot -> values. `gaps`: gap -> the seats of its workers.
    `stock`: tokens of 1, 2 and 3 still to be drawn; the others used are on the discard pile. `seats`: per seat
    `step` (I, II, passed), `money`, `spyrium`, `points`, `residence` (place on the track from 0), `buildings` and
    `techniques` (words, `*` after an inclined one), `inactive`, `reserve`, `kept` (values), `used_event`, `bonuses`.
    """
    names = [seat.name for seat in rules.tables.seats]
    lying = [None if word == "-" else word for word in market.split()]
    standing = {gap: [workers.count(seat) for seat in names] for gap, workers in (gaps or {}).items()}
    in_gaps = [standing.get(gap, [0] * len(names)) for gap in rules.tables.gaps]
    on_cards = [_counts((tokens or {}).get(slot, [])) for slot in rules.tables.slots]
    players = [
        _player(
            (seats or {}).get(seat, {}), sum(here[i] for here in in_gaps), both=phase == "bonus" and seat == current
        )
        for i, seat in enumerate(names)
    ]
    used = [*on_cards, *(p["kept"] for p in players), _counts([event_token]), _counts([future_token])]
    rest = [8 - sum(heap[v] for heap in used) for v in range(3)]
    drawn = stock if stock is not None else rest
    owned = [b["card"] for p in players for b in p["buildings"]] + [x for p in players for x in p["techniques"]]
    gone = Counter(card for card in [*lying, *owned] if card)
    decks = [
        {c.id: c.copies - gone[c.id] for c in rules.tables.cards if c.period == period and c.copies > gone[c.id]}
        for period in "ABC"
    ]
    left = events_left if events_left is not None else [e.value for e in EVENTS if e.value not in (event, future)]
    return rules.load(
        {
            "phase": phase,
            "turn": turn,
            "first": first,
            "current": current,
            "decks": decks,
            "gone": {},
            "market": lying,
            "tokens": on_cards,
            "gaps": in_gaps,
            "events_left": left,
            "event": event,
            "event_token": event_token,
            "future": None if future == "-" else future,
            "future_token": future_token,
            "stock": drawn,
            "discard": [a - b for a, b in zip(rest, drawn, strict=True)],
            "players": players,
            "paid_money": sum(p["money"] for p in players) - 8 * len(names),
            "paid_spyrium": sum(p["spyrium"] for p in players) - 2 * len(names),
        }
    )


def _counts(values: list[int]) -> list[int]:
    return [values.count(v) for v in (1, 2, 3)]


def _player(words: Mapping[str, Any], placed: int, *, both: bool) -> dict[str, Any]:
    """`both`: both bonus tokens still lie there although the points are reached, for the bonus is being chosen."""
    inactive, points = words.get("inactive", 0), words.get("points", 0)
    reserve = words.get("reserve", min(4, 7 - placed - inactive))
    left = words.get("bonuses", ["worker", "money"] if points < 8 or both else ["money"] if points < 20 else [])
    buildings = [
        {"card": word.rstrip("*"), "inclined": word.endswith("*"), "workers": 0}
        for word in words.get("buildings", "").split()
    ]
    techniques = words.get("techniques", "").split()
    return {
        "step": {"I": "placement", "II": "activation", "passed": "passed"}[words.get("step", "II")],
        "used_event": words.get("used_event", False),
        "active": 7 - reserve - placed - inactive,
        "inactive": inactive,
        "reserve": reserve,
        "money": words.get("money", 8),
        "spyrium": words.get("spyrium", 2),
        "points": points,
        "residence": words.get("residence", 0),
        "buildings": buildings,
        "techniques": [word.rstrip("*") for word in techniques],
        "inclined": [word.rstrip("*") for word in techniques if word.endswith("*")],
        "kept": _counts(words.get("kept", [])),
        "worker_bonus": "worker" in left,
        "money_bonus": "money" in left,
    }
