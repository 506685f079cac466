"""Messages in the languages of the table: gettext catalogues read straight from their .po files."""

from __future__ import annotations

import gettext
import io
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.core.said import Said
from companion.core.types import Seat

LANGUAGES: tuple[str, ...] = ("en", "sk", "cs")
UI_LOCALE = Path(__file__).parent / "locale"


@lru_cache(maxsize=64)
def _one(folder: Path, language: str) -> gettext.NullTranslations:
    path = folder / f"{language}.po"
    if not path.exists():  # English: the message ids themselves
        return gettext.NullTranslations()
    with path.open("rb") as source:
        catalog = read_po(source, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@lru_cache(maxsize=64)
def translations(language: str, *folders: Path) -> gettext.NullTranslations:
    """Translations of `language` from the folders, asked in their order, then the companion's own.

    An unknown language reads as English, whose texts are the message ids.
    """
    if language not in LANGUAGES:
        language = "en"
    chain: gettext.NullTranslations | None = None
    for folder in (*folders, UI_LOCALE):
        one = _one(folder, language)
        # a fresh object per chain, since add_fallback changes it
        part = gettext.GNUTranslations.__new__(type(one))
        part.__dict__.update(one.__dict__)
        part._fallback = None  # type: ignore[attr-defined]
        if chain is None:
            chain = part
        else:
            chain.add_fallback(part)
    assert chain is not None
    return chain


def fill(
    message: str,
    facts: tuple[tuple[str, Any], ...] | Mapping[str, Any],
    translate: Callable[[str], str],
    seat_name: Callable[[Seat], str],
) -> str:
    """The sentence for a message id: translated, its `{placeholders}` filled from the facts.

    Seats become names; tuples are joined with commas; a str fact is translated too when it is a message id.
    A placeholder without a fact stays visible as `{name}`, so that the mistake is seen and nothing raises.
    """

    def word(value: Any) -> str:
        if isinstance(value, Said):
            return fill(value.message, value.facts, translate, seat_name) if value else ""
        if isinstance(value, Seat):
            return seat_name(value)
        if isinstance(value, (tuple, list)):
            return ", ".join(word(v) for v in value)
        if isinstance(value, str) and value:
            return translate(value)
        return str(value)

    class _Facts(dict[str, str]):
        def __missing__(self, key: str) -> str:
            return "{" + key + "}"

    pairs = facts.items() if isinstance(facts, Mapping) else facts
    return translate(message).format_map(_Facts({k: word(v) for k, v in pairs}))


def spoken(data: Any, translate: Callable[[str], str]) -> Any:
    """`data` of a JSON answer with every `Said` in it, however deep, in the language of `translate`."""
    if isinstance(data, Said):
        return fill(data.message, data.facts, translate, str) if data else ""
    if isinstance(data, Mapping):
        return {key: spoken(value, translate) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [spoken(value, translate) for value in data]
    return data
