"""A sentence for people that can be put into another language wherever it has come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Message(str):
    """An English sentence that remembers what it was made of: its message id and the facts in its placeholders.

    It is a str wherever one is read or logged; what is cut or joined from it is a plain str again.
    `companion.i18n.localize` puts it into another language, by the translation in the nearest `locale/*.po`. Raises
    KeyError for a placeholder without a fact.
    """

    message: str
    facts: Mapping[str, Any]

    def __new__(cls, message: str = "", /, **facts: Any) -> Message:
        made = super().__new__(cls, message.format_map({key: _word(value) for key, value in facts.items()}))
        made.message, made.facts = message, facts
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.message,), dict(self.facts)


NO_MESSAGE = Message()
"""Nothing to say."""


def with_decimals(value: float, digits: int = 1) -> Message | str:
    """A number of so many `digits` behind the decimal mark, which is that of the reader's language."""
    whole, mark, rest = f"{value:.{digits}f}".partition(".")
    return Message("{whole}.{digits}", whole=whole, digits=rest) if mark else whole


def _word(value: object) -> str:
    return ", ".join(map(_word, value)) if isinstance(value, (tuple, list)) else str(value)
