"""Messages in the languages of the table: gettext catalogues read straight from their .po files."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

import polib

from companion.core.messages import Message
from companion.core.types import Seat

LANGUAGE_NAMES = {"en": "English", "sk": "Slovenčina", "cs": "Čeština"}
"""Each language in its own words. A new one is a line here and a file of its name in each `locale` folder."""
LANGUAGES: tuple[str, ...] = tuple(LANGUAGE_NAMES)
LIST_OF_PEOPLE = "{first} and {last}"
"""The end of a list of players in a sentence; those before the last two are joined by commas."""
UI_LOCALE = Path(__file__).parent / "locale"


@lru_cache(maxsize=64)
def translations(language: str, *folders: Path) -> NullTranslations:
    """Translations of `language` from the folders, the first of which wins, then the companion's own.

    An unknown language reads as English, whose texts are the message ids.
    """
    found = NullTranslations()
    if language in LANGUAGES:
        for folder in (UI_LOCALE, *reversed(folders)):
            path = folder / f"{language}.po"
            if path.exists():  # English has none
                own = GNUTranslations(io.BytesIO(_compiled(path)))
                own.add_fallback(found)
                found = own
    return found


@lru_cache(maxsize=64)
def _compiled(path: Path) -> bytes:
    """A .po file as gettext reads it."""
    return bytes(polib.pofile(str(path)).to_binary())


class _Facts(dict[str, str]):
    """The words of a sentence by their placeholders; one that is missing stays as it is written."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def fill(
    message: str,
    facts: tuple[tuple[str, Any], ...] | Mapping[str, Any],
    translate: Callable[[str], str],
    seat_name: Callable[[Seat], str],
) -> str:
    """The sentence for a message id: translated, its `{placeholders}` filled from the facts.

    Seats become names, several of them joined by "and"; other tuples are joined with commas; a str fact is translated
    too when it is a message id. A placeholder without a fact stays visible as `{name}`, so that the mistake is seen and
    nothing raises.
    """

    def word(value: Any) -> str:
        if isinstance(value, Message):
            return fill(value.message, value.facts, translate, seat_name) if value else ""
        if isinstance(value, Seat):
            return seat_name(value)
        if isinstance(value, (tuple, list)):
            words = [word(v) for v in value]
            return listed(words, translate) if all(isinstance(v, Seat) for v in value) else ", ".join(words)
        if isinstance(value, str) and value:
            return translate(value)
        return str(value)

    pairs = facts.items() if isinstance(facts, Mapping) else facts
    return translate(message).format_map(_Facts({k: word(v) for k, v in pairs}))


def listed(people: Sequence[str], translate: Callable[[str], str]) -> str:
    """Names of people in a sentence: "Eva, Ján and Žofia"."""
    if len(people) < 2:
        return "".join(people)
    return translate(LIST_OF_PEOPLE).format(first=", ".join(people[:-1]), last=people[-1])


def calling(translate: Callable[[str], str], names: Mapping[str, Message]) -> Callable[[str], str]:
    """`translate`, for which the words in `names` are called as they say there."""

    def call(text: str) -> str:
        name = names.get(text)
        return translate(text) if name is None else fill(name.message, name.facts, translate, str)

    return call


def localize(data: Any, translate: Callable[[str], str]) -> Any:
    """`data` of a JSON answer with every `Message` in it, however deep, in the language of `translate`."""
    if isinstance(data, Message):
        return fill(data.message, data.facts, translate, str) if data else ""
    if isinstance(data, Mapping):
        return {key: localize(value, translate) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [localize(value, translate) for value in data]
    return data
