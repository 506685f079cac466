"""The companion's settings: one frozen value from a TOML file and the environment, strictly checked.

The file is `companion.toml` in the user's configuration folder, or what COMPANION_CONFIG names. An environment variable
COMPANION_<KEY> goes before the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.i18n import LANGUAGES

CONFIG_VARIABLE = "COMPANION_CONFIG"
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "COMPANION_HUB_DATABASE", "COMPANION_REQUIRE_ALL"})
"""Variables that begin with COMPANION_ but are no settings: an option of `companion hub`, and one of the tests."""


def _setting(default: Any, what: str, *, choices: tuple[str, ...] = (), low: int = 0, high: int = 0) -> Any:
    """A field of Settings: `choices` of a text, or the range `low` to `high` of a number."""
    return field(default=default, metadata={"what": what, "choices": choices, "range": (low, high)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its default; see `settings_rows` for what each means."""

    data_dir: str = _setting("", "folder of records and secrets; empty: the user's data folder")
    store: str = _setting("", "record: a path or postgresql://USER@HOST/DATABASE; empty: sessions.sqlite in data_dir")
    language: str = _setting("en", "language of messages", choices=LANGUAGES)
    draws: str = _setting("physical", "who draws in a new game", choices=("physical", "digital"))
    games_dir: str = _setting("", "folder with more games, see add-your-own-game.md; empty: none")
    overlay_delay_s: int = _setting(0, "seconds by which overlays for streams show the table late", low=0, high=3600)
    shut_down: str = _setting("no", "page: the referee's page can switch this machine off", choices=("no", "page"))
    store_wait_s: int = _setting(5, "seconds to wait while another program holds the record", low=0, high=60)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting as people read of it."""

    key: str
    variable: str
    kind: str
    default: str
    allowed: str
    what: str


def settings_rows() -> tuple[SettingRow, ...]:
    """All settings in their order, for the help and the documentation."""
    rows = []
    for entry in fields(Settings):
        low, high = entry.metadata["range"]
        kind = type(entry.default).__name__
        allowed = ", ".join(entry.metadata["choices"]) or (f"{low} to {high}" if kind == "int" else "any text")
        default = f"{entry.default}"
        rows.append(SettingRow(entry.name, _variable(entry.name), kind, default, allowed, entry.metadata["what"]))
    return tuple(rows)


def load_settings(environment: Mapping[str, str] = os.environ, config: Path | None = None) -> Settings:
    """Settings from the file and the environment.

    Raises DataError listing everything that is wrong with file, key, what was expected and what was got.
    """
    named = environment.get(CONFIG_VARIABLE)
    path = Path(named) if named else config
    values: dict[str, Any] = {}
    problems: list[str] = []
    if path is not None and (named or path.exists()):
        values, problems = _from_file(path)
    from_environment, more = _from_environment(environment)
    problems += more
    if problems:
        raise DataError("; ".join(problems), where="settings", remedy="docs/reference/settings.md lists the settings.")
    return Settings(**(values | from_environment))


def _from_file(path: Path) -> tuple[dict[str, Any], list[str]]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {}, [f"{path}: cannot be read: {error}"]
    known = {entry.name: entry for entry in fields(Settings)}
    values, problems = {}, []
    for key, value in data.items():
        if key not in known:
            problems.append(f"{path}: unknown key {key!r}; known are {', '.join(known)}")
            continue
        problem = _problem(known[key], value)
        if problem:
            problems.append(f"{path}: {key}: {problem}")
        values[key] = value
    return values, problems


def _from_environment(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    known = {_variable(entry.name): entry for entry in fields(Settings)}
    values: dict[str, Any] = {}
    problems = []
    for variable in sorted(v for v in environment if v.startswith("COMPANION_") and v not in OTHER_VARIABLES):
        if variable not in known:
            problems.append(f"environment: unknown {variable}; known are {', '.join(known)}")
            continue
        entry = known[variable]
        value: Any = environment[variable]
        if isinstance(entry.default, int):
            try:
                value = int(value)
            except ValueError:
                problems.append(f"environment: {variable}: expected a whole number, got {value!r}")
                continue
        problem = _problem(entry, value)
        if problem:
            problems.append(f"environment: {variable}: {problem}")
        values[entry.name] = value
    return values, problems


def _problem(entry: Any, value: Any) -> str | None:
    if type(value) is not type(entry.default):
        return f"expected {'a whole number' if isinstance(entry.default, int) else 'text'}, got {value!r}"
    choices = entry.metadata["choices"]
    if choices and value not in choices:
        return f"expected one of {', '.join(choices)}, got {value!r}"
    low, high = entry.metadata["range"]
    if isinstance(value, int) and not low <= value <= high:
        return f"expected {low} to {high}, got {value}"
    return None


def _variable(key: str) -> str:
    return f"COMPANION_{key.upper()}"
