"""A game being played, with its session, its bag and what ends with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.core.errors import CompanionError
from companion.core.game import GameSpec, Rules
from companion.draws.bag import DigitalBag
from companion.draws.desk import BagDesk
from companion.table.commands import Prove
from companion.table.session import Session


@dataclass(slots=True)
class Table:
    """A game being played with all that belongs to it. `close` ends what `on_close` holds, last added first."""

    spec: GameSpec
    session: Session
    bag: DigitalBag
    desk: BagDesk = field(init=False)  # where the bag is filled; each step is in the record before the next
    on_close: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = BagDesk(self.bag, self._prove)

    @property
    def rules(self) -> Rules:
        """The rules of the game being played."""
        return self.session.rules

    def _prove(self, body: dict[str, object]) -> None:
        answer = self.session.ask(Prove(body=body))
        if not answer.accepted:
            raise CompanionError(f"the bag's step was not recorded: {answer.message}")

    def close(self) -> None:
        """End devices and pages, then the session."""
        while self.on_close:
            self.on_close.pop()()
        self.session.close()
