"""The ordered stream of what a session accepted, for any number of followers, each at its own pace."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.core.events import Cause, LogRecord, RecordKind
from companion.core.game import Rules
from companion.core.types import Event, Seat

RECENT = 256
"""Updates kept in memory; a follower further behind reads from the store. Nothing is ever dropped."""


@dataclass(frozen=True, slots=True)
class Update:
    """An accepted record as followers see it. `event` is what a record of kind EVENT holds."""

    number: int
    time_ms: int
    cause: Cause
    kind: RecordKind
    body: tuple[tuple[str, Any], ...]
    event: Event | None = None
    secret: bool = False  # the event may be shown to its seat only, until a reveal or the end of the game

    @property
    def seat(self) -> Seat | None:
        """The seat whose event it is, or None."""
        return getattr(self.event, "seat", None)

    def for_viewer(self, viewer: Seat | None, *, over: bool = False) -> dict[str, Any]:
        """As JSON for `viewer` (None: a spectator), without what they may not know.

        Left out: texts and causes of others' secret events, and the state of an overruling, until the game is `over`;
        always the digests, because a digest tells a secret to whoever tries out all the possibilities, and the
        command's key, which is its sender's.
        """
        body = dict(self.body)
        detail = {k: v for k, v in self.cause.detail if k != "key"}
        hidden = not over and self.secret and (viewer is None or self.seat is not viewer)
        if hidden:
            body = {}
            detail = {}
        if self.kind is RecordKind.OVERRULE and not over:
            del body["state"]
        return {
            "number": self.number,
            "time_ms": self.time_ms,
            "kind": self.kind.value,
            "cause": {"kind": self.cause.kind.value, "detail": detail},
            "seat": None if self.seat is None else self.seat.name,
            "hidden": hidden,
            "body": body,
        }


def update_of(record: LogRecord, rules: Rules, *, public: bool = False) -> Update:
    """The update for `record`; what is `public` is no secret any more."""
    event = rules.parse(dict(record.body)["text"]) if record.kind is RecordKind.EVENT else None
    secret = event is not None and not public and rules.is_secret(event)
    return Update(record.number, record.time_ms, record.cause, record.kind, record.body, event, secret)


class Stream:
    """The session's updates: it publishes, subscriptions wait for numbers and read what is missing from the store."""

    def __init__(self, head: int, read: Callable[[int, int], Iterator[Update]]) -> None:
        """`read(start, stop)` gives the updates of records `start` to `stop` from the store."""
        self._read = read
        self._head = head
        self._recent: deque[Update] = deque(maxlen=RECENT)
        self._changed = threading.Condition()
        self._closed = False
        self._nudges = 0

    def nudge(self) -> None:
        """Something that followers look at beside the record has changed."""
        with self._changed:
            self._nudges += 1
            self._changed.notify_all()

    def publish(self, updates: list[Update], disclosed: Collection[int] = ()) -> None:
        """Tell the followers; the records are in the store already. The secrets of `disclosed` are none any more."""
        with self._changed:
            for place, update in enumerate(self._recent):
                if update.number in disclosed:
                    self._recent[place] = replace(update, secret=False)
            self._recent.extend(updates)
            self._head = updates[-1].number
            self._changed.notify_all()

    def close(self) -> None:
        """End every subscription after what was published."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def recent(self, after: int) -> tuple[Update, ...] | None:
        """The updates after number `after`, or None when some are not in memory any more."""
        with self._changed:
            if after >= self._head:
                return ()
            if not self._recent or self._recent[0].number > after + 1:
                return None
            return tuple(u for u in self._recent if u.number > after)

    def wait(self, number: int, timeout_s: float | None, *, nudged: bool = False) -> tuple[Update, ...]:
        """The updates from `number` on, at most a page; empty when none came in time or the stream is closed, or, if
        `nudged`, when `nudge` was called meanwhile."""
        with self._changed:
            nudges = self._nudges
            self._changed.wait_for(
                lambda: self._head >= number or self._closed or (nudged and self._nudges != nudges), timeout_s
            )
            head = self._head
        if head < number:
            return ()
        known = self.recent(number - 1)
        return known if known is not None else tuple(self._read(number, min(head, number + RECENT - 1)))

    @property
    def closed(self) -> bool:
        """Whether the session has ended; what was published can still be read."""
        with self._changed:
            return self._closed


class Subscription:
    """One follower: every update after a number, in order, without gaps and without repetition."""

    def __init__(self, stream: Stream, after: int) -> None:
        self._stream = stream
        self._next = after + 1
        self._page: deque[Update] = deque()

    def get(self, timeout_s: float | None = None, *, nudged: bool = False) -> Update | None:
        """The next update; None when none came within `timeout_s` seconds (None: wait) or the session has ended, or, if
        `nudged`, when something beside the record has changed meanwhile."""
        if not self._page:
            self._page.extend(self._stream.wait(self._next, timeout_s, nudged=nudged))
        if not self._page:
            return None
        update = self._page.popleft()
        self._next = update.number + 1
        return update

    def so_far(self) -> Iterator[Update]:
        """Every update there is by now, without waiting for more."""
        while (update := self.get(0)) is not None:
            yield update

    @property
    def ended(self) -> bool:
        """Whether nothing more will come: the session has ended and everything was read."""
        return self._stream.closed and not self._page and not self._stream.wait(self._next, 0)

    def __iter__(self) -> Iterator[Update]:
        """Every update until the session ends."""
        while (update := self.get()) is not None:
            yield update
