"""The message ids of the pages and of refusals, found in the sources: what every language must have."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from web.hall.app import NAVIGATION
from web.texts import _IN_SCRIPTS, HERE, quoted

HALL = HERE / "hall"
"""The pages of a hall have words of their own in `web/hall/locale`, beside the dashboard's."""
TOLD = ("PLAIN", "HIDDEN", "remedy")
"""Names under which refusals keep their message ids."""
_IN_PAGES = re.compile(r"""_\(\s*("(?:[^"\\]|\\.)*")""")


def page_ids() -> tuple[str, ...]:
    """The message ids in the pages: what stands in `_("…")`."""
    return tuple(sorted(quoted(_IN_PAGES, (HERE / "templates").rglob("*.html"))))


def hall_page_ids() -> tuple[str, ...]:
    """The message ids in the pages of a hall, and of what leads to them."""
    pages = quoted(_IN_PAGES, (HALL / "templates").rglob("*.html"))
    return tuple(sorted(pages | quoted(_IN_SCRIPTS, (HALL / "static").rglob("*.js")) | {n[1] for n in NAVIGATION}))


@lru_cache(maxsize=1)
def hall_refusal_ids() -> tuple[str, ...]:
    """The message ids of a hall's refusals."""
    return _refusals(sorted(HALL.rglob("*.py")))


@lru_cache(maxsize=1)
def refusal_ids() -> tuple[str, ...]:
    """The message ids of refusals: message and remedy of every `ApiError`, and the plain words for the server's own."""
    return _refusals([path for path in sorted(HERE.rglob("*.py")) if not path.is_relative_to(HALL)])


def _refusals(paths: list[Path]) -> tuple[str, ...]:
    found: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ApiError":
                found |= _constants([*node.args[1:2], *(k.value for k in node.keywords if k.arg == "remedy")])
            elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in TOLD for t in node.targets):
                found |= _constants(list(ast.walk(node.value)))
    return tuple(sorted(found))


def _constants(nodes: list[ast.expr] | list[ast.AST]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
