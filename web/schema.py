"""JSON schemas of requests, written short, and their check by a validator of the standard: every problem at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jsonschema_rs

Schema = Mapping[str, Any]

Check = Callable[[Any], list[str]]
"""A JSON value -> everything that is wrong with it: where, and what was expected. Values are never repeated in it."""


def text(most: int = 200, least: int = 0, pattern: str = "") -> dict[str, Any]:
    """A string of `least` to `most` characters."""
    return {"type": "string", "minLength": least, "maxLength": most} | ({"pattern": pattern} if pattern else {})


def one_of(*values: str) -> dict[str, Any]:
    """One of some strings."""
    return {"type": "string", "enum": list(values)}


def whole(low: int, high: int) -> dict[str, Any]:
    """A whole number."""
    return {"type": "integer", "minimum": low, "maximum": high}


def rows(items: Schema, most: int, least: int = 0) -> dict[str, Any]:
    """A list."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def checker(schema: Schema) -> Check:
    """The check of bodies by `schema`, made once. Raises ValueError when `schema` is none.

    What was sent is masked: a PIN or a token never comes back in a refusal.
    """
    validator = jsonschema_rs.Draft202012Validator(dict(schema), mask="what was sent")

    def problems(value: Any) -> list[str]:
        return [f"{_place(e.instance_path)}: {e.message}" for e in validator.iter_errors(value)]

    return problems


def _place(path: list[str | int]) -> str:
    """Where in a body: `body.seats[0].name`."""
    return "body" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
