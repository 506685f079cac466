"""Alerts of one session, each open at most once under its id: notes that open them, and notes that close them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.core.events import Cause, CauseKind
from companion.core.types import Seat
from companion.table.commands import Note, Topic
from companion.table.session import Session

CAMERA = Cause(CauseKind.CAMERA)


@dataclass(frozen=True, slots=True)
class Alerts:
    """Opens and closes the alerts that `cause` raises."""

    session: Session
    cause: Cause = CAMERA

    @property
    def shown(self) -> dict[str, Any]:
        """The open alerts of the whole session: id -> data, with the message id as `text`."""
        return dict(self.session.moment.mood.alerts)

    def open(self, name: str, text: str, **data: Any) -> None:
        """Open the alert `name`, or change what it says; nothing when it says so already."""
        plain = {k: _plain(v) for k, v in data.items()}
        if self.shown.get(name) != {"open": True, "text": text, **plain}:
            self._note(text, {"id": name, "open": True, **plain})

    def close(self, name: str, text: str) -> None:
        """Close the alert `name`; `text` says why. Nothing when it is not open."""
        if name in self.shown:
            self._note(text, self.session.moment.mood.closing(name))

    def _note(self, text: str, data: dict[str, Any]) -> None:
        self.session.ask(Note(topic=Topic.ALERT, text=text, data=data, cause=self.cause))


def _plain(value: Any) -> Any:
    """`value` as JSON: seats by their letter, tuples as lists."""
    if isinstance(value, Seat):
        return value.name
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value
