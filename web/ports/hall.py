"""What the pages of a table see of the hall that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class HallCall:
    """A referee of the hall is called: by whom ("" for the table's own referee), whether the hub knows, who comes (""
    for nobody yet)."""

    who: str
    sent: bool
    person: str


@dataclass(frozen=True, slots=True)
class HallLook:
    """What this table is called in its hall, whether the hub was reached last, and the call that is open."""

    name: str
    linked: bool
    call: HallCall | None


class HallPort(Protocol):
    """The hall that this table belongs to."""

    def look(self) -> HallLook:
        """How a call stands."""

    def call(self, who: str) -> None:
        """Call a referee of the hall; nothing when one is called already."""

    def withdraw(self) -> None:
        """Nobody is needed any more."""
