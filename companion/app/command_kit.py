"""What the commands around sessions share: options, the opened store, a table that is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from companion.i18n import LANGUAGES, translations

if TYPE_CHECKING:
    from companion.app.files.settings import Settings
    from companion.app.game.open_table import Table
    from companion.table.record.store import Store

Decorated = Callable[..., Any]


def json_option(command: Decorated) -> Decorated:
    """Add `--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")(command)


def lang_option(command: Decorated) -> Decorated:
    """Add `--lang`, handed over as `lang` (None: the setting)."""
    choice = click.Choice(LANGUAGES)
    return click.option("--lang", type=choice, help="Language of messages (setting `language`).")(command)


def spoken_language(lang: str | None) -> str:
    """The language a command speaks: `lang`, what its `--lang` says, else that of the setting. Raises DataError."""
    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings

    return lang or load_settings(config=config_file()).language


def speaker(language: str) -> Callable[..., str]:
    """Puts what a command says into `language`: a message id and its facts become a sentence."""
    translate = translations(language).gettext

    def sentence(message: str, **facts: object) -> str:
        return translate(message).format(**facts)

    return sentence


@contextmanager
def opened_store() -> Iterator[tuple[Store, Settings]]:
    """The record's store and the settings that name it; closed at the end."""
    from companion.app.files.paths import config_file
    from companion.app.files.sessions import open_store
    from companion.app.files.settings import load_settings

    settings = load_settings(config=config_file())
    with open_store(settings) as store:
        yield store, settings


@contextmanager
def closing(table: Table) -> Iterator[Table]:
    """The table, closed at the end however that comes."""
    try:
        yield table
    finally:
        table.close()
