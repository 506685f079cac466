"""The languages of the pages: words of the pages themselves, of the open game, and those that scripts need."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from flask import request

from companion.core.game import GameSpec
from companion.i18n import LANGUAGES, translations

LANGUAGE_COOKIE = "companion_language"
HERE = Path(__file__).parent
TOLD = ("PLAIN", "HIDDEN", "remedy")
"""Names under which refusals keep their message ids."""
_IN_SCRIPTS = re.compile(r"""\bt\(\s*("(?:[^"\\]|\\.)*")""")
_IN_PAGES = re.compile(r"""_\(\s*("(?:[^"\\]|\\.)*")""")


def language() -> str:
    """The language of this request: `lang` in the address, the cookie, what the browser asks for, English."""
    for wanted in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return str(wanted)
    return request.accept_languages.best_match(LANGUAGES) or "en"


def translator(wanted: str, spec: GameSpec | None = None) -> Callable[[str], str]:
    """From message ids to texts: the game's words first, then the pages', then the companion's."""
    folders = (HERE / "locale",) if spec is None else (spec.locale_dir, HERE / "locale")
    return translations(wanted, *folders).gettext


def script_words(wanted: str) -> dict[str, str]:
    """The texts that the scripts of the pages show, by message id; only those that differ from it."""
    translate = translator(wanted)
    return {word: translate(word) for word in script_ids() if translate(word) != word}


@lru_cache(maxsize=1)
def script_ids() -> tuple[str, ...]:
    """The message ids in the scripts: what stands in `t("…")`."""
    return tuple(sorted(set(_found(_IN_SCRIPTS, "static", "*.js"))))


def page_ids() -> tuple[str, ...]:
    """The message ids in the pages: what stands in `_("…")`."""
    return tuple(sorted(set(_found(_IN_PAGES, "templates", "*.html"))))


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


def _found(pattern: re.Pattern[str], folder: str, names: str) -> Iterator[str]:
    for path in sorted((HERE / folder).rglob(names)):
        for text in pattern.findall(path.read_text(encoding="utf-8")):
            yield text[1:-1].replace('\\"', '"').replace("\\n", "\n")
