"""Which modules of the eyes and of the table no test imports: `python tests/support/direct_tests.py`.

A module counts as tested directly when a test or a kit of the tests imports it, or a name that it defines by way of its
package. Modules without a function or class are left out.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("vision", "companion/table")


def imported() -> set[str]:
    """The modules that the tests import."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("vision", "companion"):
                module = import_module(node.module or "")
                found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
                found |= {getattr(getattr(module, a.name, None), "__module__", "") or "" for a in node.names}
    return found


def untested() -> list[str]:
    """The modules that have something to test and are imported by no test."""
    known = imported()
    found = []
    for part in PARTS:
        for path in sorted((ROOT / part).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            body = ast.parse(path.read_text(encoding="utf-8")).body
            if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body) and name not in known:
                found.append(name)
    return [name for name in found if not name.endswith("__init__")]


if __name__ == "__main__":
    print("\n".join(untested()))
