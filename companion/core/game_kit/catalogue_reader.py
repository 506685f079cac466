"""The catalogue file of any game: found by name, read key by key, every problem remembered with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from companion.core.errors import DataError
from companion.core.files import read_bytes


class Provenance(Enum):
    """Where a value was read: printed in the rulebook, on the pieces of the box, or invented for a sample."""

    RULEBOOK = "rulebook"
    BOX = "box"
    SAMPLE = "sample"


PROVENANCES = tuple(p.value for p in Provenance)
HEADER = "catalogue"  # the table that describes the file; every other table with an id is a piece of the box
_MISSING = object()

Found = tuple[int, str, str, str]
"""What is wrong: (line, key, message, clause or "")."""

LineOf = Callable[[str, int, str], int]
"""(table, number of the table among its kind, key or "") -> line, counted from 1; 1 when it cannot be told."""


def show(value: object) -> str:
    """A value as it can stand in a message: its repr, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(slots=True)
class Problems:
    """What is wrong in a file."""

    found: list[Found] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)  # "tile.vp": which values could not be used

    def add(self, line: int, key: str, message: str, clause: str = "") -> None:
        """Remember one problem."""
        self.found.append((line, key, message, clause))

    def extend(self, more: Sequence[Found]) -> None:
        """Remember several problems."""
        self.found.extend(more)

    def lines(self) -> list[str]:
        """The problems in the order of the file, one line each."""
        return [
            f"line {line}, {key}: {message}" + (f" ({clause})" if clause else "")
            for line, key, message, clause in sorted(self.found)
        ]


def line_finder(text: str) -> LineOf:
    """Finds the line of a table header or of a key below it in TOML text."""
    places: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    rows = text.splitlines()
    for at, row in enumerate(rows, start=1):
        header = re.match(r"\s*\[\[?\s*([A-Za-z_]+)\s*\]\]?", row)
        if header:
            name = header[1]
            places[name, counts.get(name, 0)] = at
            counts[name] = counts.get(name, 0) + 1

    def line_of(table: str, number: int, key: str) -> int:
        start = places.get((table, number), 1)
        for at in range(start + 1, len(rows) + 1) if key else ():
            row = rows[at - 1]
            if re.match(r"\s*\[", row):
                break
            if re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=.]", row):
                return at
        return start

    return line_of


@dataclass(slots=True)
class TableReader:
    """One table of the file. Each getter returns a usable value and remembers what was wrong with the real one."""

    name: str
    number: int
    raw: Mapping[str, object]
    problems: Problems
    line_of: LineOf
    default_provenance: str
    provenance: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def problem(self, key: str, message: str, clause: str = "") -> None:
        """Remember a problem with `key` of this table."""
        label = f"{self.name}.{key}" if self.name else key
        self.problems.keys.add(label)
        raw_id = self.raw.get("id")
        if self.name not in ("", HEADER) and isinstance(raw_id, str):
            label = f"{self.name} {show(raw_id)} {key}"
        line = self.line_of(self.name, self.number, key) if self.name else self.line_of(key, 0, "")
        self.problems.add(line, label, message, clause)

    def value(self, key: str, default: object = _MISSING) -> object:
        """The value of `key`, freed from its `{value=…, provenance=…}`; `default` or None with a problem if missing."""
        self.asked.add(key)
        found = self.raw.get(key, _MISSING)
        if found is _MISSING:
            if default is _MISSING:
                self.problem(key, "missing")
                return None
            return default
        origin: object = self.default_provenance
        if isinstance(found, dict) and "value" in found:
            origin = found.get("provenance", self.default_provenance)
            extra = sorted(set(found) - {"value", "provenance"})
            if extra:
                self.problem(key, f"expected value and provenance only, got {', '.join(map(show, extra))}")
            found = found["value"]
        if origin not in PROVENANCES:
            self.problem(key, f"provenance: expected one of {', '.join(PROVENANCES)}, got {show(origin)}")
        else:
            self.provenance[key] = str(origin)
        return found

    def text(self, key: str) -> str:
        """A text that is not empty."""
        found = self.value(key)
        if isinstance(found, str) and found.strip():
            return found
        if found is not None:
            self.problem(key, f"expected a text, got {show(found)}")
        return "?"

    def identifier(self, key: str) -> str:
        """A name of plain letters, digits, hyphens and underscores, as it stands in records."""
        found = self.text(key)
        if found != "?" and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", found):
            self.problem(key, f"expected plain letters, digits, hyphens and underscores, got {show(found)}")
            return "?"
        return found

    def whole(self, key: str, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        found = self.value(key)
        if type(found) is int and least <= found <= most:
            return found
        if found is not None:
            self.problem(key, f"expected a whole number from {least} to {most}, got {show(found)}")
        return least

    def width_mm(self, key: str, least: float, most: float, default: float) -> float:
        """A number of millimetres from `least` to `most`; `default` when missing."""
        found = self.value(key, default)
        if isinstance(found, int | float) and not isinstance(found, bool) and least <= found <= most:
            return float(found)
        self.problem(key, f"expected millimetres from {least:g} to {most:g}, got {show(found)}")
        return default

    def wholes(self, key: str, least: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers from `least` to `most`, at least one."""
        found = self.value(key)
        if isinstance(found, list) and found and all(type(x) is int and least <= x <= most for x in found):
            return tuple(found)
        if found is not None:
            self.problem(key, f"expected a list of whole numbers from {least} to {most}, got {show(found)}")
        return (least,)

    def flag(self, key: str) -> bool:
        """true or false; false when missing."""
        found = self.value(key, False)
        if isinstance(found, bool):
            return found
        self.problem(key, f"expected true or false, got {show(found)}")
        return False

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """One of the allowed words."""
        found = self.value(key)
        if isinstance(found, str) and found in allowed:
            return found
        if found is not None:
            self.problem(key, f"expected one of {', '.join(allowed)}, got {show(found)}")
        return allowed[0]

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.value(key)
        if isinstance(found, list) and all(isinstance(x, str) for x in found):
            return tuple(found)
        if found is not None:
            self.problem(key, f"expected a list of texts, got {show(found)}")
        return ()

    def choices(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        """A list of allowed words; a word may repeat."""
        words = self.words(key)
        for word in words:
            if word not in allowed:
                self.problem(key, f"expected {', '.join(allowed)}, got {show(word)}")
        return tuple(w for w in words if w in allowed)

    def table(self, key: str, default: Mapping[str, object] | None = None) -> Mapping[str, object]:
        """A table below this one."""
        self.asked.add(key)
        found = self.raw.get(key, default)
        if isinstance(found, Mapping):
            return found
        self.problem(key, "missing: a table of this name is needed" if found is None else "expected a table")
        return {}

    def tables(self, key: str, *, optional: bool = False) -> list[Mapping[str, object]]:
        """The tables written as [[key]]."""
        self.asked.add(key)
        found = self.raw.get(key, [] if optional else None)
        if isinstance(found, list) and all(isinstance(x, Mapping) for x in found):
            return found
        self.problem(key, f"missing: [[{key}]]" if found is None else f"expected tables written as [[{key}]]")
        return []

    def finish(self) -> None:
        """A problem for every key that nobody asked for."""
        for key in sorted(set(self.raw) - self.asked):
            self.problem(key, "unknown key")


def catalogue_text(source: str | Path, shipped: Path) -> tuple[str, str]:
    """The text of a catalogue and what to call it in messages.

    `source` is the name of a file (without .toml) in the folder `shipped`, a path, or the TOML text itself (a str of
    several lines). Raises DataError saying why it cannot be read and which catalogues are shipped.
    """
    if isinstance(source, str) and "\n" in source:
        return source, HEADER
    path = Path(source)
    by_name = shipped / f"{source}.toml"
    if not path.suffix and by_name.is_file():
        path = by_name
    try:
        return read_bytes(path).decode("utf-8"), path.name
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8 at byte {error.start}", where=str(path), remedy="Save the file as UTF-8.") from None
    except (OSError, ValueError) as error:
        known = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DataError(
            f"cannot read the catalogue: {reason}", where=str(source), remedy=f"Give a file or one of: {known}."
        ) from None


def refuse_problems(problems: Problems, where: str, form: str = "docs/reference/catalogue.md") -> None:
    """Raises DataError that lists every problem, when there is any; `form` is the document that shows the form."""
    if problems.found:
        listing = "\n  ".join(problems.lines())
        raise DataError(f"{len(problems.found)} problem(s); {form} shows the form:\n  {listing}", where=where)
