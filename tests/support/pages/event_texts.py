"""The message ids of the events' pages and refusals, found in the sources: what every language must have."""

from __future__ import annotations

import ast
from pathlib import Path

from page_texts import _IN_PAGES

from companion.hub.events.standings import AHEAD, EQUAL, EXPLAINED, LAST, TITLES
from web.hall.events.views import ANONYMOUS
from web.texts import HERE, quoted

EVENTS = HERE / "hall" / "events"
HUB = Path(__file__).parents[3] / "companion" / "hub"
RAISED = ("EventError", "ImportRefusedError", "Message", "DataError")
SOURCES = (*(HUB / "events").glob("*.py"), HUB / "store" / "event_store.py", *EVENTS.glob("*.py"))
NOT_SAID = ("coding.py",)
"""Damage of the store is told as it is."""


def event_ids() -> tuple[str, ...]:
    """All of them, sorted."""
    found = set(quoted(_IN_PAGES, (EVENTS / "templates").rglob("*.html")))
    found |= {AHEAD, EQUAL, LAST, ANONYMOUS, *TITLES.values(), *EXPLAINED.values()}
    for path in SOURCES:
        if path.name in NOT_SAID:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                said = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "remedy")]
                found |= {each.value for each in said if isinstance(each, ast.Constant) and isinstance(each.value, str)}
            elif isinstance(node, ast.Constant) and str(node.value).startswith("line {line}:"):
                found.add(str(node.value))
    return tuple(sorted(found))


if __name__ == "__main__":
    print("\n".join(event_ids()))
