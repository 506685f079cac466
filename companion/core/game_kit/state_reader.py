"""Reads a position from JSON key by key and remembers everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from companion.core.errors import DataError
from companion.core.types import Json, Problem

NOTHING = -1  # the index of no piece, no seat, no slot


class StateReader:
    """Turns names into indexes and collects what is wrong; every getter returns a usable value of its kind.

    `refuse` tells all that is wrong at the end. Raises DataError for data that are no JSON object.
    """

    def __init__(self, data: Json) -> None:
        if not isinstance(data, dict):
            raise DataError(f"expected an object, got {type(data).__name__}", where="state")
        self.data = data
        self.wrong: list[str] = []

    def fail(self, key: str, expected: str, got: object) -> None:
        """Remember that `key` holds something else than `expected`."""
        text = repr(got)
        self.wrong.append(f"{key}: expected {expected}, got {text if len(text) < 60 else text[:57] + '...'}")

    def get(self, key: str, kind: type, expected: str) -> Any:
        """The value of `key` when it is of `kind`, else an empty one."""
        value = self.data.get(key)
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        self.fail(key, expected, value)
        return kind()

    def whole(self, key: str, value: object, most: int) -> int:
        """A whole number from 0 to `most`."""
        if type(value) is int and 0 <= value <= most:
            return value
        self.fail(key, f"a whole number from 0 to {most}", value)
        return 0

    def named(self, key: str, value: object, names: dict[str, int], *, optional: bool = False) -> int:
        """The index of a name; NOTHING for null where that is `optional`, and for a wrong one."""
        if value is None and optional:
            return NOTHING
        if isinstance(value, str) and value in names:
            return names[value]
        self.fail(key, "one of " + ", ".join(list(names)[:4]) + ", ..." if names else "nothing", value)
        return NOTHING

    def many(self, key: str, value: object, names: dict[str, int]) -> tuple[int, ...]:
        """The indexes of a list of names."""
        if not isinstance(value, (list, str)):
            self.fail(key, "a list", value)
            return ()
        found = tuple(self.named(key, x, names) for x in value)
        return tuple(x for x in found if x != NOTHING)

    def per(self, key: str, count: int, read: Callable[[str, Any], Any]) -> tuple[Any, ...]:
        """A list of exactly `count` entries, each read by `read(key, value)`."""
        values = self.get(key, list, "a list")
        if len(values) != count:
            self.fail(key, f"{count} entries", len(values))
        values = (values + [None] * count)[:count]
        return tuple(read(f"{key}[{i}]", value) for i, value in enumerate(values))

    def refuse(self, known: Collection[str], problems: Callable[[], tuple[Problem, ...]]) -> None:
        """Raises DataError that names everything wrong: keys that are not `known`, too; `problems` gives the broken
        invariants of the position that was read and is asked when every key is right."""
        self.wrong += [f"{key}: unknown key" for key in sorted(map(str, set(self.data) - set(known)))]
        if not self.wrong:
            self.wrong += [f"{p.where}: {p.message.format_map(dict(p.facts))}" for p in problems()]
        if self.wrong:
            raise DataError("; ".join(self.wrong), where="state", remedy="Load what `dump` wrote for the same set-up.")
