"""What was being played and with which devices, kept so that the next start goes on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from companion.app.files.atomic_write import write_whole
from companion.app.files.paths import data_dir
from companion.app.files.settings import Settings


@dataclass(frozen=True, slots=True)
class Evening:
    """The session that is open, "" for none, and the source of each device by its kind."""

    session: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


def _file(settings: Settings) -> Path:
    return data_dir(settings) / "evening.json"


def keep_evening(settings: Settings, evening: Evening) -> None:
    """Remember `evening` for the next start. Raises CompanionError when it cannot be written."""
    path = _file(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [json.dumps(asdict(evening), ensure_ascii=False).encode()])


def last_evening(settings: Settings) -> Evening:
    """What was kept last; an empty evening when nothing was, or when the file says nothing that can be used."""
    try:
        data = json.loads(_file(settings).read_text(encoding="utf-8"))
        sources = {str(kind): str(source) for kind, source in data["sources"].items()}
        return Evening(str(data["session"]), sources)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Evening()  # nothing is lost: the set-up page lists every session
