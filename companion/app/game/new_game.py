"""What people choose at the set-up of a game, and everything that can be wrong with it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from companion.core.game import GameSpec
from companion.core.types import SeatInfo

NAME_LENGTH = 40
"""Characters of a player's name: more fits no line of the dashboard."""

WRONG_NUMBER = "{game} is for {least} to {most} players, got {got}"
WRONG_NAME = "a name has 1 to {most} characters on one line, got {got}"
SAME_NAME = "two players are called {name}: give one of them another name"
SAME_COLOUR = "two players have {colour}"
NO_OPTION = "{game} has no option {key}; it has {known}"
NO_VALUE = "option {key} is one of {known}, got {got}"
TWICE = "option {key} is given twice"


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the people chose: everything a beginning needs. `catalogue` is a name or a path; empty: the game's own."""

    game: str
    seats: tuple[SeatInfo, ...]
    options: tuple[tuple[str, str], ...] = ()
    catalogue: str = ""
    session: str = ""


def choice_problems(spec: GameSpec, chosen: NewGame) -> list[tuple[str, dict[str, Any]]]:
    """What is wrong with the choice: message ids with their facts."""
    problems: list[tuple[str, dict[str, Any]]] = []
    if not spec.min_seats <= len(chosen.seats) <= spec.max_seats:
        facts = {"game": spec.title, "least": spec.min_seats, "most": spec.max_seats, "got": len(chosen.seats)}
        problems.append((WRONG_NUMBER, facts))
    names = [unicodedata.normalize("NFC", seat.name) for seat in chosen.seats]
    for name in dict.fromkeys(names):
        if not name.strip() or len(name) > NAME_LENGTH or any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
            problems.append((WRONG_NAME, {"most": NAME_LENGTH, "got": repr(name)}))
    problems += [(SAME_NAME, {"name": name}) for name in sorted({n for n in names if n.strip() and names.count(n) > 1})]
    colours = [seat.colour for seat in chosen.seats]
    problems += [(SAME_COLOUR, {"colour": colour}) for colour in sorted({c for c in colours if colours.count(c) > 1})]
    known = {option.key: option for option in spec.options}
    for key, value in chosen.options:
        if key not in known:
            facts = {"game": spec.title, "key": repr(key), "known": ", ".join(known) or "-"}
            problems.append((NO_OPTION, facts))
        elif value not in known[key].values:
            facts = {"key": key, "known": ", ".join(known[key].values), "got": repr(value)}
            problems.append((NO_VALUE, facts))
    keys = [key for key, _ in chosen.options]
    problems += [(TWICE, {"key": key}) for key in sorted({k for k in keys if keys.count(k) > 1})]
    return problems
