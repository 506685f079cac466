"""Every legal action of a position of Envyra, from lists that are made once."""

from __future__ import annotations

from companion.core.types import Action
from companion.games.envyra.actions import Pick, Remove, Show
from companion.games.envyra.legality import seats_to_act
from companion.games.envyra.new_round import removable
from companion.games.envyra.setting_up import cards_left
from companion.games.envyra.state import Phase, State
from companion.games.envyra.tables import Tables, bits

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
    """E20-E22, R-02-R-04. What is legal depends on little, so the lists are kept."""
    hidden = s.phase is CHOOSE
    done = s.ready if hidden else sum(1 << seat for seat, marked in enumerate(s.boards) if marked)
    key = (hidden, s.filled, s.playing, done, *s.reserve)
    found = t.choose_cache.get(key)
    if found is None:
        actions: list[Action] = []
        for seat in bits(s.playing):
            if done >> seat & 1:
                actions += [t.take_backs[seat]] if hidden else []
                continue
            most = min(s.reserve[seat], 2)  # E21
            actions += [
                choose
                for number, mask, choose in t.chooses[seat]
                if number <= most and not mask & ~s.filled
            ]
            actions += [t.confirms[seat]] if hidden else []
        if len(t.choose_cache) >= CACHE_LIMIT:
            t.choose_cache.clear()
        t.choose_cache[key] = found = tuple(actions)
    return found


CACHE_LIMIT = 2_000  # lists of a few hundred references: some megabytes at most
