"""Changes of an event as JSON and back, by the fields and types of the dataclasses."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, get_args, get_origin, get_type_hints

from companion.core.errors import DataError
from companion.hub.events.changes import Change

KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Change)}


def change_to_json(change: Change) -> dict[str, Any]:
    """A JSON object; `change_from_json` reads it."""
    return {"kind": type(change).__name__, **to_json(change)}


def change_from_json(data: Any) -> Change:
    """The change that was written. Raises DataError, naming the field, for anything else."""
    if not isinstance(data, dict) or str(data.get("kind")) not in KINDS:
        raise DataError(f"a change has one of the kinds {', '.join(KINDS)}")
    rest = {key: value for key, value in data.items() if key != "kind"}
    found: Change = from_json(KINDS[str(data["kind"])], rest, "")
    return found


def to_json(value: Any) -> Any:
    """Dataclasses as objects, enums by value, fractions as text, tuples as arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    return value


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def from_json(kind: Any, data: Any, where: str) -> Any:
    """The value of a type that `to_json` wrote. Raises DataError naming the field."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is types.UnionType:
        if data is None and type(None) in arguments:
            return None
        return from_json(next(each for each in arguments if each is not type(None)), data, where)
    if origin is tuple and isinstance(data, list):
        return tuple(from_json(arguments[0], each, f"{where}[{index}]") for index, each in enumerate(data))
    if isinstance(kind, type):
        if is_dataclass(kind) and isinstance(data, dict):
            hints = _hints(kind)
            unknown = set(data) - set(hints)
            if unknown:
                raise DataError(f"{where or kind.__name__}: unknown fields {', '.join(sorted(unknown))}")
            try:
                return kind(**{key: from_json(hints[key], value, f"{where}.{key}") for key, value in data.items()})
            except TypeError as error:
                raise DataError(f"{where or kind.__name__}: {error}") from error
        if issubclass(kind, Enum) or kind is Fraction:
            try:
                return kind(data)
            except (ValueError, TypeError, ZeroDivisionError) as error:
                raise DataError(f"{where}: {error}") from error
        if kind in (int, str, bool) and type(data) is kind:
            return data
    raise DataError(f"{where}: expected {kind}, got {data!r}")
