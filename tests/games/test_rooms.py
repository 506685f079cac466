"""The modules of the games import each other without circles, also where only types are wanted."""

from __future__ import annotations

import ast
from pathlib import Path

import companion.games

GAMES = Path(companion.games.__file__).parent


def imports() -> dict[str, set[str]]:
    """Module of a game -> the modules of games that it names in an import."""
    found: dict[str, set[str]] = {}
    for path in GAMES.rglob("*.py"):
        name = ".".join(("companion.games", *path.relative_to(GAMES).with_suffix("").parts)).removesuffix(".__init__")
        found[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                # `from a.package import module` wants the module
                found[name] |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    packages = {name for name in found if (GAMES.parent / name.removeprefix("companion.").replace(".", "/")).is_dir()}
    found = {name: used - packages for name, used in found.items()}
    return {name: {other for other in used if other in found} for name, used in found.items()}


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    rest = [start]
    while rest:
        new = graph[rest.pop()] - seen
        seen |= new
        rest += new
    return seen


def test_no_module_of_a_game_imports_itself_by_way_of_others():
    graph = imports()
    assert "companion.games.envyra.edition.counts" in graph
    assert [name for name in graph if name in reached(graph, name)] == []
