"""Every legal action of a position of Envyra, from lists that are made once."""

from __future__ import annotations

from companion.core.types import Action
from companion.games.envyra.actions import Pick, Remove, Show
from companion.games.envyra.edition.tables import Tables, bits
from companion.games.envyra.legality.check import seats_to_act
from companion.games.envyra.play.new_round import can_go_on_for_ever, removable
from companion.games.envyra.play.setting_up import cards_left
from companion.games.envyra.state import Phase, State

CHOOSE, REVEAL, MOVE = Phase.CHOOSE, Phase.REVEAL, Phase.MOVE


def legal_actions(t: Tables, s: State) -> tuple[Action, ...]:
    """Every action that passes the check, seat by seat, in the grid's order; empty at chance and at the end."""
    phase = s.phase
    if phase is MOVE:
        seat = t.order[s.first][s.turn]
        moves, free, grid = t.moves[seat], s.unlocked[seat], s.grid
        return tuple([moves[slot] for slot in s.boards[seat] if free >> grid[slot] & 1])  # E31, E33
    if phase is CHOOSE or phase is REVEAL:
        return _phase_one(t, s)
    seats = seats_to_act(t, s)
    if phase is Phase.REMOVE:
        return tuple(Remove(seat, t.slots[x]) for seat in seats for x in removable(s, seat))
    if phase is Phase.PICK:
        return tuple(Pick(seat, t.cards[x].id) for seat in seats for x in cards_left(t, s))
    if phase is Phase.SHOW:
        return tuple(Show(seat, t.cards[x].id) for seat in seats for x in cards_left(t, s))
    return ()


def _phase_one(t: Tables, s: State) -> tuple[Action, ...]:
    """E20-E22, R-02-R-04, seat by seat. What is legal in Phase I follows from few things, so the lists are kept."""
    if s.phase is REVEAL:
        unread = [seat for seat in bits(s.playing) if not s.boards[seat]]
        return tuple([choice for seat in unread for choice in _choices(t, seat, s.filled, s.reserve[seat])])
    key = (s.filled, s.ready, s.playing, tuple([left < 2 for left in s.reserve]))
    found = t.choose_lists.get(key)
    if found is None:
        actions: list[Action] = []
        for seat in bits(s.playing):
            if s.ready >> seat & 1:
                actions.append(t.take_backs[seat])
            else:
                actions += _choices(t, seat, s.filled, s.reserve[seat])
                actions.append(t.confirms[seat])
        if len(t.choose_lists) >= LISTS_LIMIT:
            t.choose_lists.clear()
        t.choose_lists[key] = found = tuple(actions)
    if t.shared and can_go_on_for_ever(t, s):
        return (*found, *(t.finishes[seat] for seat in bits(s.playing & ~s.ready & ~s.agreed)))
    return found


def _choices(t: Tables, seat: int, filled: int, left: int) -> list[Action]:
    """What a seat with `left` cubes can choose in a grid with tiles at `filled`."""
    most = min(left, 2)  # E21
    return [choice for number, mask, choice in t.chooses[seat] if number <= most and not mask & ~filled]


LISTS_LIMIT = 2_000  # lists of at most 316 references: some 5 MB
