"""The recorded story of a game with another face where the camera misread one as it was dealt (pure)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from companion.core.game import Rules, State, violation_of
from companion.core.layout import BoardView
from companion.core.types import Draw, Event, Face, Slot
from companion.table.tracking.appearance import board_look


class Record(Protocol):
    """What is recorded of the game, so far as it may be told again with another face."""

    def steps(self) -> tuple[tuple[int, Event], ...]:
        """The events in force with their numbers, in order; none where what is seen now is not in the record."""

    def before(self, record: int) -> State:
        """The state before the event of `record`."""

    def by_camera(self, record: int) -> bool:
        """Whether nobody but the camera says so."""


@dataclass(frozen=True, slots=True)
class Retold:
    """The record with `face` in `slot` where it says `recorded`: instead of `was`, in `record`, `events` happened and
    led to `state`; all but the first of them are in the record as they are. Faces that look the same are one."""

    slot: Slot
    recorded: Face
    face: Face
    record: int
    was: Event
    events: tuple[Event, ...]
    state: State


def retell(rules: Rules, record: Record, slot: Slot, was: Face, face: Face) -> Retold | None:
    """The record with `face` drawn to `slot` where the camera alone says that it was `was`; None where what came after
    would not have been legal."""
    steps = record.steps()
    found = next((n for n in reversed(range(len(steps))) if _draws(rules, record, *steps[n], slot, was)), None)
    if found is None or not record.by_camera(steps[found][0]):
        return None
    number, event = steps[found]
    rest = tuple(event for _, event in steps[found + 1 :])
    before = record.before(number)
    for outcome in rules.chance_outcomes(before):
        after = rules.apply(before, outcome.draw)
        if board_look(rules, after).at(slot).face == face:
            state = _go_on(rules, after, rest)  # faces that look the same are one story
            fits = state is not None and board_look(rules, state).at(slot).face == face
            return Retold(slot, was, face, number, event, (outcome.draw, *rest), state) if fits else None
    return None


def _draws(rules: Rules, record: Record, number: int, event: Event, slot: Slot, face: Face) -> bool:
    """Whether `event` put `face` into `slot`."""
    if not isinstance(event, Draw) or getattr(event, "slot", slot) != slot:
        return False
    before = record.before(number)
    was, lies = (board_look(rules, state).at(slot).face for state in (before, rules.apply(before, event)))
    return was != face and lies == face


def _go_on(rules: Rules, state: State, events: tuple[Event, ...]) -> State | None:
    for event in events:
        if violation_of(rules, state, event) is not None:
            return None
        state = rules.apply(state, event)
    return state


def retold_view(rules: Rules, state: State, view: BoardView, story: Retold) -> BoardView:
    """What lies on the table if `story` is true, where `view` is what is believed to lie there in `state`."""
    now, then = board_look(rules, state), board_look(rules, story.state)
    told = {slot: then.at(slot) for slot in now.differs(then) if slot != story.slot}
    lies = replace(then.at(story.slot), pieces=view.at(story.slot).pieces)
    return view.with_slots({**told, story.slot: lies})
