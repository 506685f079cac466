"""A sentence for people that can be said in another language wherever it has come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Said(str):
    """An English sentence that remembers what it was made of: its message id and the facts in its placeholders.

    It is a str wherever one is read or logged; what is cut or joined from it is a plain str again.
    `companion.i18n.spoken` says it in another language, whose translation stands in the nearest `locale/*.po`. Raises
    KeyError for a placeholder without a fact.
    """

    message: str
    facts: Mapping[str, Any]

    def __new__(cls, message: str = "", /, **facts: Any) -> Said:
        said = super().__new__(cls, message.format_map({key: _word(value) for key, value in facts.items()}))
        said.message, said.facts = message, facts
        return said

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.message,), dict(self.facts)


NOTHING = Said()
"""Nothing to say."""


def _word(value: object) -> str:
    return ", ".join(map(_word, value)) if isinstance(value, (tuple, list)) else str(value)
