"""The message ids of the pages and of refusals, found in the sources: what every language must have."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from web.texts import HERE, quoted

TOLD = ("PLAIN", "HIDDEN", "remedy")
"""Names under which refusals keep their message ids."""
_IN_PAGES = re.compile(r"""_\(\s*("(?:[^"\\]|\\.)*")""")


def page_ids() -> tuple[str, ...]:
    """The message ids in the pages: what stands in `_("…")`."""
    return tuple(sorted(quoted(_IN_PAGES, (HERE / "templates").rglob("*.html"))))


@lru_cache(maxsize=1)
def refusal_ids() -> tuple[str, ...]:
    """The message ids of refusals: message and remedy of every `ApiError`, and the plain words for the server's own."""
    found: set[str] = set()
    for path in sorted(HERE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ApiError":
                found |= _constants([*node.args[1:2], *(k.value for k in node.keywords if k.arg == "remedy")])
            elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in TOLD for t in node.targets):
                found |= _constants(list(ast.walk(node.value)))
    return tuple(sorted(found))


def _constants(nodes: list[ast.expr] | list[ast.AST]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
