"""What commands share: options, the opened store, a table that is closed, files that are no pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.errors import DataError
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


def counted(number: int, one: str) -> str:
    """A number of things in English: "1 record", "2 records"."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


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


class Unusable:
    """Files among the pictures of a command that are none, as they turn up: the others are read, and these told at the
    end. `done`: what is done with pictures, as "counted"."""

    def __init__(self, done: str) -> None:
        self._done = done
        self._faults: list[str] = []
        self._usable = 0

    @contextmanager
    def told_at_the_end(self, path: Path) -> Iterator[None]:
        """A ValueError raised within ends the work on this file alone."""
        try:
            yield
        except ValueError as error:
            self._faults.append(f"{path}: {error}")
        else:
            self._usable += 1

    def tell(self) -> None:
        """Raises DataError when there was any."""
        if self._faults:
            rest = "The other pictures were" if self._usable else "No picture was"
            raise DataError("; ".join(self._faults), remedy=f"{rest} {self._done}.")
