"""The desk where a bag is filled: one step at a time, each in the record before the next is prepared."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from companion.draws.bag import DigitalBag
from companion.draws.ceremony import Body


class BagDesk:
    """Serialises the steps of a bag that come from several threads (phones, box, dashboard).

    `write(body)` records a PROOF and returns when it is written; it raises CompanionError when it was not. Draws do
    not pass the desk: the session asks the bag itself, and never waits for a step that waits for the session.
    """

    def __init__(self, bag: DigitalBag, write: Callable[[Body], None]) -> None:
        self.bag = bag
        self._write = write
        self._turn = Lock()

    def record(self, prepare: Callable[[DigitalBag], Body]) -> Body:
        """Prepare a step with the bag and record it: `desk.record(lambda bag: bag.add(seat, how, text))`.

        Raises StepRefusedError when the step cannot come now, or what `write` raises; then nothing has changed.
        """
        with self._turn:
            body = prepare(self.bag)
            self._write(body)
            self.bag.catch_up()  # a revealed secret is removed now, not when somebody next asks
            return body
