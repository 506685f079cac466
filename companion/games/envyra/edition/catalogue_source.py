"""A set of scenes' JSON list of tiles, read as a catalogue of Envyra."""

from __future__ import annotations

import json
from collections.abc import Mapping


def scene_document(text: str) -> Mapping[str, object]:
    """A set of scenes' JSON list of tiles, in the form of the TOML catalogue. Raises ValueError when it is none."""
    data = json.loads(text)
    entries = data.get("tiles") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(entries, list) or not all(isinstance(x, dict) for x in entries):
        raise ValueError("expected a JSON object with a list of tiles, each an object")
    tiles = []
    for entry in entries:
        tile = {key: entry[key] for key in ("id", "theme", "vp", "cubes", "requires", "start") if key in entry}
        if entry.get("theme") in ("flora", "water", "fire"):
            symbol = entry.get("symbol")
            tile["symbol"] = symbol + 1 if type(symbol) is int else symbol  # scenes count symbols from 0
        if "min34" in entry:
            tile["players_3_4"] = entry["min34"]
        tiles.append(tile)
    edition = str(data.get("edition", "scenes"))
    header = {"game": "envyra", "id": edition, "title": f"{edition} (values invented)", "provenance": "sample"}
    return {"catalogue": header, "tile": tiles}
