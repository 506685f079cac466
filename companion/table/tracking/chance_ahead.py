"""What chance will lay on the table next, in whatever order places are filled (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Draw, Face, Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.doings import Doing, doings

MOST_DRAWS = 64
"""More draws in a row than any game's end of a round has."""


@lru_cache(maxsize=1024)
def ahead(rules: Rules, state: State) -> tuple[BoardView, Mapping[Slot, tuple[Face, ...]]] | None:
    """How the table will look when chance has had its say, whatever it says, and per slot into which it puts a face
    which faces may come there; None when chance is not asked.

    What may come is told by the first draw of its kind: places are filled in another order than the rules say.
    """
    if not rules.chance_outcomes(state):
        return None
    faces: dict[Slot, tuple[Face, ...]] = {}
    of_kind: dict[type, tuple[Face, ...]] = {}
    now = board_look(rules, state)
    for _ in range(MOST_DRAWS):
        draws = tuple(o.draw for o in rules.chance_outcomes(state))
        if not draws:
            break
        kind = type(draws[-1])
        if kind not in of_kind:
            of_kind[kind] = _faces_of_draws(rules, state, draws)
        state = rules.apply(state, draws[-1])
        then = board_look(rules, state)
        for slot in now.differs(then):
            face = then.at(slot).face
            if face is not None and slot not in faces:
                source = next((s for s in now.differs(then) if now.at(s).face == face and s in faces), None)
                faces[slot] = of_kind[kind] if source is None else faces[source]  # what came there moves on
        now = then
    return now, faces


def _faces_of_draws(rules: Rules, state: State, draws: tuple[Draw, ...]) -> tuple[Face, ...]:
    """The faces that one of `draws` would lay, at once or when hands follow."""
    seen = tuple(doing for doing in doings(rules, state) if isinstance(doing.event, Draw))
    if seen:
        return drawable_faces(seen)
    now = board_look(rules, state)
    ends = [board_look(rules, rules.apply(state, draw)) for draw in draws]
    come = (end.at(slot).face for end in ends for slot in now.differs(end))
    return tuple(dict.fromkeys(face for face in come if face is not None))


def upcoming(rules: Rules, state: State) -> BoardView | None:
    """How the table will look when chance has had its say, whatever it says; None when chance is not asked.

    People take cubes back before the last tile is refilled; what will happen anyway is no mistake.
    """
    known = ahead(rules, state)
    return None if known is None else known[0]


def faces_to_come(rules: Rules, state: State) -> Mapping[Slot, tuple[Face, ...]]:
    """Per slot that chance fills next, and after that, the faces that may come there."""
    known = ahead(rules, state)
    return {} if known is None else known[1]


def drawable_faces(draws: tuple[Doing, ...]) -> tuple[Face, ...]:
    """The faces that come to lie when one of `draws` is seen, each once."""
    faces = (draw.path[-1].at(slot).face for draw in draws for slot in draw.touched)
    return tuple(dict.fromkeys(face for face in faces if face is not None))
