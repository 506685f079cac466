"""The states of a game by record number: a tree of which a few states are kept and the others are replayed.

An undo lets the state after an earlier record hold again; what was undone stays a branch that can be looked at.
Kept in memory: one small entry a record and one state in `CHECKPOINT_EVERY`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.core.events import LogRecord, RecordKind
from companion.core.game import Rules, State
from companion.core.types import Event

CHECKPOINT_EVERY = 32
"""Events between two kept states: a replay of 32 events takes about a millisecond, a kept state some kilobytes."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One step of the line in force: the record it is in, and what happened (None: a person overruled)."""

    number: int
    event: Event | None


@dataclass(slots=True)
class _Node:
    """A state: reached from the state after record `parent` by the event `text`, or kept as it is (no text)."""

    parent: int
    depth: int
    text: str


class History:
    """What state held after which record. Not safe for threads: the session guards it."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._nodes: dict[int, _Node] = {1: _Node(0, 0, "")}
        self._kept: dict[int, State] = {1: rules.initial()}
        self._holds: list[int] = [0, 1]  # per record number, the record whose event made the state that holds after it
        self.state: State = self._kept[1]

    @property
    def head(self) -> int:
        """The number of the last record."""
        return len(self._holds) - 1

    @property
    def point(self) -> int:
        """The record whose event (or set-up, or overruling) made the state that holds now."""
        return self._holds[-1]

    def event(self, event: Event, state: State) -> None:
        """The next record is `event`, which led to `state`."""
        number = len(self._holds)
        depth = self._nodes[self.point].depth + 1
        self._nodes[number] = _Node(self.point, depth, self._rules.format(event))
        if depth % CHECKPOINT_EVERY == 0:
            self._kept[number] = state
        self._holds.append(number)
        self.state = state

    def overrule(self, state: State) -> None:
        """The next record sets `state`, whatever came before."""
        number = len(self._holds)
        self._nodes[number] = _Node(self.point, self._nodes[self.point].depth + 1, "")
        self._kept[number] = state
        self._holds.append(number)
        self.state = state

    def same(self) -> None:
        """The next record changes no state: a note or a proof."""
        self._holds.append(self.point)

    def undo(self, to: int) -> None:
        """The next record lets the state after record `to` hold again. Raises ValueError when `to` is not in force."""
        if not self.in_force(to):
            raise ValueError(f"record {to} is not in force")
        self.state = self.state_after(to)
        self._holds.append(self._holds[to])

    def in_force(self, number: int) -> bool:
        """Whether the state after record `number` is an ancestor of the present one, or the present one."""
        if not 1 <= number <= self.head:
            return False
        target, node = self._holds[number], self.point
        while node > target:  # a parent is always an earlier record
            node = self._nodes[node].parent
        return node == target

    def state_after(self, number: int) -> State:
        """The state that held after record `number`, be it undone later. Raises ValueError when there is none."""
        if not 1 <= number <= self.head:
            raise ValueError(f"record {number}: the record has numbers 1 to {self.head}")
        node = self._holds[number]
        if node == self.point:
            return self.state
        texts = []
        while node not in self._kept:
            texts.append(self._nodes[node].text)
            node = self._nodes[node].parent
        state = self._kept[node]
        for text in reversed(texts):
            state = self._rules.apply(state, self._rules.parse(text))
        return state

    def line(self, after: int = 1) -> tuple[HistoryStep, ...]:
        """The steps in force since the state after record `after`, which must be in force itself, in order."""
        target, node = self._holds[after], self.point
        steps = []
        while node > target:
            entry = self._nodes[node]
            steps.append(HistoryStep(node, self._rules.parse(entry.text) if entry.text else None))
            node = entry.parent
        return tuple(reversed(steps))

    def before(self, number: int) -> int:
        """The record whose state held just before the event of record `number`."""
        return self._nodes[number].parent

    def follow(self, record: LogRecord) -> None:
        """Take in an accepted record without checking its digests (see `replay`).

        Raises ValueError, NotationError or DataError when it does not fit.
        """
        body: dict[str, Any] = dict(record.body)
        if record.kind is RecordKind.EVENT:
            event = self._rules.parse(body["text"])
            self.event(event, self._rules.apply(self.state, event))
        elif record.kind is RecordKind.UNDO:
            self.undo(body["to"])
        elif record.kind is RecordKind.OVERRULE:
            self.overrule(self._rules.load(body["state"]))
        else:
            self.same()
