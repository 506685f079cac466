"""Examples of a game's clauses, legal and illegal, read from TOML and put to the rules.

legal / illegal  what the example shows, in words
events           what happens first; all of it is legal
try              the event that is legal, or is refused
violates         the clause that refuses it, when it is another than the example's
says             what the refusal says to people, in English
expect           parts of the spectator's view that hold afterwards; "none" stands for null
claim            parts of the view that somebody might believe and that do not hold
catalogue        [from, to] replacements in the sample catalogue, which is then accepted or refused
Where a position comes from is the game's own affair.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import DataError
from companion.core.game import GameSpec, Rules, State
from companion.core.types import Action
from companion.i18n import fill

Example = Mapping[str, Any]
KEYS = frozenset({"legal", "illegal", "position", "events", "try", "violates", "says", "expect", "claim", "catalogue"})


@dataclass(frozen=True)
class ClauseExamples:
    """The examples of a file: by clause, one by one with readable ids, and its named positions."""

    by_clause: Mapping[str, Sequence[Example]]
    positions: Mapping[str, Any]

    @property
    def each(self) -> list[tuple[str, Example]]:
        """(clause, example) of every example."""
        return [(clause, example) for clause, examples in self.by_clause.items() for example in examples]

    @property
    def ids(self) -> list[str]:
        """A readable id of each."""
        return [
            f"{c} {'legal' if 'legal' in e else 'illegal'}: {e.get('legal', e.get('illegal'))}" for c, e in self.each
        ]

    def kinds(self, clause: str) -> set[str]:
        """Which of "legal" and "illegal" there is of a clause."""
        return {kind for kind in ("legal", "illegal") for e in self.by_clause.get(clause, []) if kind in e}


def read_examples(path: Path) -> ClauseExamples:
    """The examples in the TOML file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    positions = data.pop("positions")
    return ClauseExamples(data, positions)


def at(view: Mapping[str, Any], path: str) -> Any:
    """The part of a view that a path such as `seats.0.reserve` names."""
    part: Any = view
    for key in path.split("."):
        part = part[int(key)] if isinstance(part, (list, tuple)) else part[key]
    return part


def play(rules: Rules, state: State, events: Sequence[str]) -> State:
    """The state after these events. Raises ValueError naming the first that is not legal."""
    for text in events:
        state = rules.apply(state, rules.parse(text))
    return state


def _holds(view: Mapping[str, Any], path: str, value: object) -> bool:
    found = at(view, path)
    return found is None if value == "none" else bool(found == value)


@dataclass(frozen=True)
class ClauseGame:
    """A game's examples. `agrees` puts one that is about no catalogue to the game; `keys`: those only this game uses.

    A game `x` registers by a module `clauses_x` beside this one with a `CLAUSES: ClauseGame`.
    """

    spec: GameSpec
    examples: ClauseExamples
    agrees: Callable[[str, Example], None]
    keys: frozenset[str]


def has_clauses(name: str) -> bool:
    """Whether the game is registered."""
    return find_spec(f"clauses_{name}") is not None


def clauses_of(name: str) -> ClauseGame:
    """The registration of the game."""
    game: ClauseGame = import_module(f"clauses_{name}").CLAUSES
    return game


def catalogue_agrees(spec: GameSpec, clause: str, example: Example) -> None:
    """The sample catalogue with its replacements is accepted, or refused with the clause."""
    text = spec.load_catalogue("sample").text
    for old, new in example["catalogue"]:
        assert old in text
        text = text.replace(old, new)
    if "legal" in example:
        assert spec.load_catalogue(text).id == "sample"
    else:
        with pytest.raises(DataError, match=rf"\({clause}\)"):
            spec.load_catalogue(text)


def position_agrees(rules: Rules, state: State, clause: str, example: Example) -> None:
    """What is tried is allowed, or refused with the clause and words named; what is expected afterwards holds."""
    legal, violates = "legal" in example, example.get("violates", clause)
    state = play(rules, state, example.get("events", []))
    if "try" in example:
        event = rules.parse(example["try"])
        violation = rules.check(state, event) if isinstance(event, Action) else rules.check_draw(state, event)
        assert (None if legal else violates) == (violation and violation.clause), violation
        if violation is not None and "says" in example:
            assert fill(violation.message, violation.facts, str, lambda seat: seat.name) == example["says"]
        state = rules.apply(state, event) if legal else state
    view = rules.view(state, None)
    for path, value in example.get("expect", {}).items():
        assert _holds(view, path, value), (path, at(view, path))
    for path, value in example.get("claim", {}).items():
        assert not _holds(view, path, value), path
