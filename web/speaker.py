"""Sentences for one table in one language, the pages' own words included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.game_kit.table_names import table_names
from companion.core.types import Seat
from companion.i18n import calling, fill
from companion.table.prompts import Prompter
from web.ports.tables import OpenTable
from web.texts import translator

SEAT_FACTS = frozenset({"seat", "player", "awaited", "seats"})
"""Facts of messages that are seats, or lists of them."""


class Speaker:
    """Makes sentences for one table in one language, the pages' own words included."""

    def __init__(self, table: OpenTable, language: str) -> None:
        self.table = table
        names = table_names(table.spec, table.session.rules)
        self.prompter = Prompter(table.spec, table.session.header.setup, language, names)
        self.translate = calling(translator(language, table.spec), names)
        self._names = names

    @property
    def names(self) -> dict[str, str]:
        """What people call the places and faces of the table, in this language."""
        return {word: self.translate(word) for word in self._names}

    def text(self, message: str, facts: Mapping[str, Any] | tuple[tuple[str, Any], ...] = ()) -> str:
        """A message with its facts; a seat's letter as one of the SEAT_FACTS becomes the name."""
        named = {k: _seat_of(k, v) for k, v in dict(facts).items()}
        return fill(message, named, self.translate, self.prompter.name)

    def clause(self, clause_id: str) -> dict[str, str]:
        """A clause for a page: id, title, text and where it comes from."""
        clause = self.table.spec.clauses.get(clause_id)
        if clause is None:
            return {"id": clause_id, "title": "", "text": "", "source": ""}
        return {
            "id": clause_id,
            "title": self.translate(clause.title),
            "text": self.translate(clause.text),
            "source": clause.source.value,
        }


def _seat_of(key: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_seat_of(key, one) for one in value)
    return Seat[value] if key in SEAT_FACTS and isinstance(value, str) and value in Seat.__members__ else value


def words_at(table: OpenTable | None, language: str) -> Callable[[str], str]:
    """What translates the words of devices: those of the table that is open are called as people call them."""
    return translator(language) if table is None else Speaker(table, language).translate
