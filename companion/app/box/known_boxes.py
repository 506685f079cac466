"""The button boxes that were seen at this companion: what people call them, and when each was tested."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from companion.app.files.atomic_write import write_whole
from companion.core.files import parse_json

FILE = "button-boxes.json"


@dataclass(frozen=True, slots=True)
class KnownButtonBox:
    """`name`: as people call it, "" for none yet; `tested`: the day of the last walk without a fault, "" for none."""

    name: str = ""
    tested: str = ""


class KnownButtonBoxes:
    """A file of boxes by their id (8 hex digits)."""

    def __init__(self, folder: Path) -> None:
        self._path, self._lock = folder / FILE, threading.Lock()

    def of(self, box: str) -> KnownButtonBox:
        """What is known of a box; nothing when it was never named or tested."""
        return self._read().get(box, KnownButtonBox())

    def be_called(self, box: str, name: str) -> None:
        """Name a box. Raises CompanionError when the file cannot be written."""
        self._write(box, name=name.strip())

    def was_tested(self, box: str) -> None:
        """The walk found nothing wrong today. Raises as `be_called`."""
        self._write(box, tested=time.strftime("%Y-%m-%d"))

    def _read(self) -> dict[str, KnownButtonBox]:
        try:
            data = parse_json(self._path.read_text(encoding="utf-8"))
            return {str(box): KnownButtonBox(str(row["name"]), str(row["tested"])) for box, row in data.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}  # only names are lost: the box itself says which it is

    def _write(self, box: str, **changes: str) -> None:
        with self._lock:
            known = self._read()
            known[box] = replace(known.get(box, KnownButtonBox()), **changes)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            rows = {each: asdict(what) for each, what in known.items()}
            write_whole(self._path, [json.dumps(rows, ensure_ascii=False).encode()])
