"""What hands have done between two views of the table, happening by happening (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Slot
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.verdicts import Explained


def begun(rules: Rules, view: BoardView, before: State, event: Event) -> tuple[tuple[Slot, ...], BoardView]:
    """The slots that `event` touches first in state `before`, and `view` with what it leaves there at first."""
    first = path_look(rules, before, event)[0]
    touched = board_look(rules, before).differs(first)
    return touched, view.with_slots({slot: first.at(slot) for slot in touched})


def explained(rules: Rules, state: State, view: BoardView, verdict: Explained, frame: int) -> Iterator[Happening]:
    """What happened from `state` and `view` to what the verdict on picture `frame` says, events and handling."""
    then = _taken(view, board_look(rules, state), verdict.view)
    yield from done(state, view, then, frame)
    for event in verdict.events:
        after = rules.apply(state, event)
        touched, first = begun(rules, then, state, event)
        cleared = _cleared(then, first)
        yield from done(state, then, cleared, frame)
        now = begun(rules, cleared, state, event)[1]
        yield Happening(
            HappeningKind.EVENT, frame, touched, event=event, before=state, state=after, margin=verdict.margin
        )
        then = _taken(now, path_look(rules, state, event)[-1], verdict.view)
        state = after
        yield from done(state, now, then, frame)
    yield from done(state, then, verdict.view, frame)


def done(state: State, before: BoardView, after: BoardView, frame: int) -> Iterator[Happening]:
    """What was pending and is done now: faces lifted and laid, pieces taken back and put down."""
    returned: list[Slot] = []
    placed: list[Slot] = []
    for slot in before.differs(after):
        was, lies = before.at(slot), after.at(slot)
        if was.face is not None and lies.face != was.face:
            yield Happening(HappeningKind.LIFTED, frame, (slot,), state=state, seen=before)
        elif lies.face is not None and was.face is None:
            yield Happening(HappeningKind.LAID, frame, (slot,), state=state, seen=after)
        else:
            had, has = dict(was.pieces), dict(lies.pieces)
            if any(has.get(colour, 0) < n for colour, n in had.items()):
                returned.append(slot)
            if any(had.get(colour, 0) < n for colour, n in has.items()):
                placed.append(slot)
    for kind, slots in ((HappeningKind.RETURNED, returned), (HappeningKind.PLACED, placed)):
        if slots:
            yield Happening(kind, frame, tuple(slots), state=state, seen=before, wanted=after)


def _cleared(before: BoardView, after: BoardView) -> BoardView:
    """`before` without the faces in whose place another one lies in `after`."""
    gone = [s for s, at in before.slots if at.face is not None and after.at(s).face not in (None, at.face)]
    return before.with_slots(dict.fromkeys(gone, SlotView()))


def _taken(view: BoardView, then: BoardView, left: BoardView) -> BoardView:
    """`view` without the faces that have no place in `then` and are gone in `left`: hands take them before they go on,
    as far as anybody can tell."""
    gone = [s for s, at in view.slots if at.face and not then.at(s).face and not left.at(s).face]
    return view.with_slots(dict.fromkeys(gone, SlotView()))
