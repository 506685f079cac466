"""The table's end, pure: a session's records as they may be sent, and which of them may be opened.

A line may be opened when no secret can be worked out of it. Its digests of the state, and the hashes that chain it,
tell whatever was secret at or before it to who tries out all the possibilities; so lines are opened from the first on,
up to the one before the first that still holds a secret. At the end of the game all are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.events import LogRecord, RecordKind
from companion.core.game import Rules
from companion.core.types import Draw
from companion.hub.delivery.protocol import FIRST_LINK, Sent, commitment_of, line_of, link_after, salt_of
from companion.table.record.disclosure import Disclosure
from companion.table.record.history import History
from companion.table.record.updates import update_of


class Sealer:
    """Grows with every record of one session, in order."""

    def __init__(self, rules: Rules, seal: bytes) -> None:
        self._rules, self._seal = rules, seal
        self._history = History(rules)
        self._disclosure = Disclosure(rules)
        self._held: set[int] = set()
        self.origin = ""
        self.links = [FIRST_LINK]
        """The link after every number, 0 included."""
        self.over = False

    @property
    def number(self) -> int:
        """The last record that was taken in."""
        return len(self.links) - 1

    @property
    def openable(self) -> int:
        """The last record of which, and of all before it, the line may be known."""
        return min(self._held) - 1 if self._held else self.number

    def salt(self, number: int) -> str:
        """The salt of a record's commitment."""
        return salt_of(self._seal, number)

    def take(self, record: LogRecord) -> Sent:
        """The next record as it is sent. Raises ValueError, NotationError or DataError when it does not fit."""
        if record.number == 1:
            self.origin = record.hash
        else:
            self._follow(record)
        commitment = commitment_of(self.salt(record.number), line_of(record))
        self.links.append(link_after(self.links[-1], commitment))
        return Sent(record.number, commitment, told(record, self._rules))

    def _follow(self, record: LogRecord) -> None:
        before = self._history.state
        self._history.follow(record)
        if record.kind is RecordKind.EVENT:
            event = self._rules.parse(dict(record.body)["text"])
            self._held -= set(self._disclosure.take(record.number, event, before))
            # The proof of a secret draw tells what else somebody holds, be the draw itself public by then.
            secret = self._rules.is_secret(event)
            if secret and (isinstance(event, Draw) or record.number not in self._disclosure.public):
                self._held.add(record.number)
        elif record.kind is RecordKind.OVERRULE:
            self._held.add(record.number)  # its state holds whatever is secret
        if record.kind in (RecordKind.UNDO, RecordKind.OVERRULE):
            self._disclosure.went_elsewhere(self._history.line())
        self.over = self._rules.result(self._history.state) is not None
        if self.over:
            self._held.clear()


def told(record: LogRecord, rules: Rules) -> Mapping[str, Any]:
    """What a spectator may know of a record when it is made: without the text and cause of a secret event, the state of
    an overruling, digests, and in a draw's proof the digest of the one before."""
    update = update_of(record, rules)
    found = update.for_viewer(None)
    detail = found["cause"]["detail"]
    if "proof" in detail:
        proof = {key: value for key, value in detail["proof"].items() if key != "previous"}
        found["cause"] = {**found["cause"], "detail": {**detail, "proof": proof}}
    return found
