"""The languages of the pages: words of the pages themselves, of the open game, and those that scripts need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from flask import current_app, has_app_context, request

from companion.core.game import GameSpec
from companion.i18n import LANGUAGES, translations

LANGUAGE_COOKIE = "companion_language"
LOCALE_FOLDERS = "LOCALE_FOLDERS"
"""The setting of an application whose pages have words of their own: the folders that go before the dashboard's."""
HERE = Path(__file__).parent
COMMAND = re.compile(r"`([^`]+)`")
QUOTES = {"sk": "„{}“", "cs": "„{}“"}
_IN_SCRIPTS = re.compile(r"""\bt\(\s*("(?:[^"\\]|\\.)*")""")


def language() -> str:
    """The language of this request: `lang` in the address, the cookie, what the browser asks for, English."""
    for wanted in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return str(wanted)
    return request.accept_languages.best_match(LANGUAGES) or "en"


def translator(wanted: str, spec: GameSpec | None = None) -> Callable[[str], str]:
    """From message ids to texts: the game's words first, then the pages', then the companion's. Commands, which the
    command line writes between backticks, stand in the quotes of the language."""
    own = current_app.config.get(LOCALE_FOLDERS, ()) if has_app_context() else ()
    folders = (*own, HERE / "locale") if spec is None else (spec.locale_dir, *own, HERE / "locale")
    gettext, quotes = translations(wanted, *folders).gettext, QUOTES.get(wanted, "“{}”")
    return lambda message: COMMAND.sub(lambda found: quotes.format(found[1]), gettext(message))


def script_words(wanted: str) -> dict[str, str]:
    """The texts that the scripts of the pages show, by message id; only those that differ from it."""
    translate = translator(wanted)
    return {word: translate(word) for word in script_ids() if translate(word) != word}


@lru_cache(maxsize=1)
def script_ids() -> tuple[str, ...]:
    """The message ids in the scripts: what stands in `t("…")`."""
    return tuple(sorted(quoted_in_scripts(HERE / "static")))


def quoted_in_scripts(folder: Path) -> set[str]:
    """The message ids in the scripts of a folder."""
    return quoted(_IN_SCRIPTS, folder.rglob("*.js"))


def quoted(pattern: re.Pattern[str], files: Iterable[Path]) -> set[str]:
    """The texts between double quotes that `pattern` finds in the files."""
    texts = (text for path in files for text in pattern.findall(path.read_text(encoding="utf-8")))
    return {text[1:-1].replace('\\"', '"').replace("\\n", "\n") for text in texts}
