"""No part beside the games names one of them: what a game has of its own stands behind what it declares."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import game_names

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "companion" / "app" / "demo"
PARTS = ("companion/app", "companion/core", "companion/draws", "companion/table", "firmware_bridge", "vision", "web")
SOURCES = {".py", ".js", ".css", ".html", ".po", ".toml", ".json", ".svg"}
EXAMPLES = {"companion/core"}
"""Its docstrings may take an example from a game; its code names none."""
HELP_EXAMPLE = re.compile(r"(^|Example: )companion \w")
"""A line of a command's help that is to be typed as it stands, and so names a game that there is."""


def sources(part: str) -> list[Path]:
    """The sources of a part, demo data left out."""
    return [p for p in sorted((ROOT / part).rglob("*")) if p.suffix in SOURCES and not p.is_relative_to(DEMO)]


@pytest.mark.parametrize("part", [part for part in PARTS if part not in EXAMPLES])
def test_no_source_of_a_part_names_a_game(part: str) -> None:
    words = re.compile("|".join(map(re.escape, game_names())), re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources(part)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if words.search(line) and not HELP_EXAMPLE.search(line.strip())
    ]
    assert sources(part)
    assert not found, "\n".join(found)


CLAUSE = re.compile(r"""["'](?:E\d{1,2}|S\d{1,2}|N\d{1,2}|R-\d{2})["']""")


@pytest.mark.parametrize("part", ["companion/app", "companion/table", "web", "vision"])
def test_no_code_of_a_part_decides_by_a_games_clause(part: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {clause}"
        for path in sources(part)
        if path.suffix in (".py", ".js")
        for clause in CLAUSE.findall(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)
