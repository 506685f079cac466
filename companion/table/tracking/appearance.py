"""The table as an eye can know it: faces that look the same are one face."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from companion.core.game import Rules, State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event


def look(rules: Rules, view: BoardView) -> BoardView:
    """`view` with every face replaced by the representative of those that look the same."""
    same = rules.same_face
    if all(at.face is None or same(at.face) == at.face for _, at in view.slots):
        return view
    return BoardView(tuple([(slot, slot_look(rules, at)) for slot, at in view.slots]))


def slot_look(rules: Rules, at: SlotView) -> SlotView:
    """What lies in one slot with its face replaced so."""
    same = None if at.face is None else rules.same_face(at.face)
    return at if same == at.face else replace(at, face=same)


@lru_cache(maxsize=256)  # each of some states is asked for by everything that may follow it, in every picture
def board_look(rules: Rules, state: State) -> BoardView:
    """What the table looks like in `state`."""
    return look(rules, rules.board(state))


def path_look(rules: Rules, before: State, event: Event) -> tuple[BoardView, ...]:
    """What the table looks like while `event` happens; the last is `board_look` of the state after it."""
    return tuple(look(rules, view) for view in rules.board_path(before, event))
