"""JSON schemas of requests, written short, and their check by a validator of the standard: every problem at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import fastjsonschema
from fastjsonschema import JsonSchemaValueException, JsonSchemaValuesException

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
    """The check of bodies by `schema`, made once for all written alike. Raises ValueError when `schema` is none.

    What was sent is never said again: a PIN or a token never comes back in a refusal.
    """
    return _checker(json.dumps(schema))


@lru_cache(maxsize=256)  # the routes of a table and of a hall, for as many servers as are begun
def _checker(schema: str) -> Check:
    validate = fastjsonschema.compile(json.loads(schema), use_default=False, use_formats=False, fast_fail=False)

    def problems(value: Any) -> list[str]:
        try:
            validate(value, name_prefix="body")
        except JsonSchemaValuesException as found:
            return [f"{each.name}: {said}" for each in found.errors for said in _said(each)]
        return []

    return problems


_SAID = {
    "type": "what was sent is not of type {}",
    "enum": "what was sent is not one of {}",
    "pattern": "what was sent does not match {}",
    "minLength": "what was sent is shorter than {} characters",
    "maxLength": "what was sent is longer than {} characters",
    "minimum": "what was sent is less than the minimum of {}",
    "maximum": "what was sent is greater than the maximum of {}",
    "minItems": "what was sent has less than {} items",
    "maxItems": "what was sent has more than {} items",
}
"""By the broken keyword. The validator's own words begin with the place, which is said in front already."""


def _said(found: JsonSchemaValueException) -> list[str]:
    """What is wrong at one place: each missing or unknown key by itself."""
    rule, wanted = str(found.rule), found.rule_definition
    if rule == "required":
        return [f"{json.dumps(key)} is a required property" for key in wanted if key not in found.value]
    if rule == "additionalProperties":
        unknown = [key for key in found.value if key not in found.definition["properties"]]
        return [f"Additional properties are not allowed ({key!r} was unexpected)" for key in unknown]
    return [_SAID[rule].format(" or ".join(map(json.dumps, wanted)) if rule == "enum" else json.dumps(wanted))]
