"""The exceptions of the companion: misuse or the world failing, never a broken rule of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.messages import Message


class CompanionError(Exception):
    """What failed, where, and what to do next; shown to people as it is, without a traceback.

    `exit_code` is what a command exits with when this error ends it. `parts`: the message as English message ids with
    their facts, for who says it in another language; empty when it has none.
    """

    exit_code = 1

    def __init__(
        self, message: str, *, where: str = "", remedy: str = "", parts: Sequence[tuple[str, Mapping[str, Any]]] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.remedy = remedy
        self.parts = tuple(parts)

    def __str__(self) -> str:
        return str(self.said)

    @property
    def said(self) -> Message:
        """The whole of it, for who says it in another language; only parts that are `Message` are said otherwise."""
        message = "{where}: {message}" if self.where else "{message}"
        parts = {"where": self.where, "message": self.message, "remedy": self.remedy}
        return Message(message + ". {remedy}" if self.remedy else message, **parts)


class NotationError(CompanionError):
    """A text is not an action or a draw of the game."""

    exit_code = 2


class DataError(CompanionError):
    """A file or a JSON document cannot be used; the message lists every problem found."""

    exit_code = 3


class RecordError(CompanionError):
    """A record is damaged, of another game, or does not replay; says at which number."""

    exit_code = 4


class DeviceError(CompanionError):
    """A camera or a box cannot be used; says whose fault it is: the device, the cable or this program."""

    exit_code = 5
