"""What was being played and with which devices, kept so that the next start goes on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from companion.app.files.atomic_write import write_whole
from companion.app.files.paths import data_dir
from companion.app.files.settings import Settings
from companion.core.files import parse_json


@dataclass(frozen=True, slots=True)
class Evening:
    """The session that is open, "" for none, the source of each device by its kind, and whether the digital bag makes
    every draw by itself."""

    session: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    automatic: bool = False


TILES = "tiles"
"""The source that is a file: kept by its place in the data folder, which may be moved or restored elsewhere."""


def _file(settings: Settings) -> Path:
    return data_dir(settings) / "evening.json"


def keep_evening(settings: Settings, evening: Evening) -> None:
    """Remember `evening` for the next start. Raises CompanionError when it cannot be written."""
    path = _file(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    sources = dict(evening.sources)
    if sources.get(TILES):
        file, folder = Path(sources[TILES]).absolute(), path.parent.absolute()
        sources[TILES] = str(file.relative_to(folder) if file.is_relative_to(folder) else file)
    write_whole(path, [json.dumps(asdict(replace(evening, sources=sources)), ensure_ascii=False).encode()])


def last_evening(settings: Settings) -> Evening:
    """What was kept last; an empty evening when nothing was, or when the file says nothing that can be used."""
    try:
        data = parse_json(_file(settings).read_text(encoding="utf-8"))
        sources = {str(kind): str(source) for kind, source in data["sources"].items()}
        if sources.get(TILES):
            sources[TILES] = str(data_dir(settings).absolute() / sources[TILES])
        return Evening(str(data["session"]), sources, data.get("automatic") is True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Evening()  # nothing is lost: the set-up page lists every session
