"""JSON schemas of requests: the few keywords that the routes use, checked with every problem at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None),
}


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


def problems(value: Any, schema: Schema, where: str = "body") -> list[str]:
    """Everything in which `value` differs from `schema`: where, what was expected, what was got."""
    kind = schema.get("type")
    mistaken = isinstance(value, bool) and kind != "boolean"
    if kind is not None and (mistaken or not isinstance(value, _TYPES[kind])):
        return [f"{where}: expected {kind}, got {type(value).__name__}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: expected one of {', '.join(map(str, schema['enum']))}, got {value!r}"]
    found: list[str] = []
    if isinstance(value, str):
        found += _text_problems(value, schema, where)
    elif isinstance(value, dict):
        found += _object_problems(value, schema, where)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: expected {schema['minItems']} to {schema['maxItems']} items, got {len(value)}")
        else:
            found += [p for i, item in enumerate(value) for p in problems(item, schema["items"], f"{where}[{i}]")]
    elif isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{where}: expected {schema['minimum']} to {schema['maximum']}, got {value}")
    return found


def _text_problems(value: str, schema: Schema, where: str) -> list[str]:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return [f"{where}: expected {schema['minLength']} to {schema['maxLength']} characters, got {len(value)}"]
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return [f"{where}: expected the form {schema['pattern']}, got {value!r}"]
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        return [f"{where}: expected text, got half a surrogate pair"]
    return []


def _object_problems(value: dict[str, Any], schema: Schema, where: str) -> list[str]:
    known = schema.get("properties", {})
    found = [f"{where}.{key}: missing" for key in schema.get("required", ()) if key not in value]
    if schema.get("additionalProperties") is False:
        found += [f"{where}.{key}: unknown; known are {', '.join(known)}" for key in value if key not in known]
    for key, part in known.items():
        if key in value:
            found += problems(value[key], part, f"{where}.{key}")
    return found
