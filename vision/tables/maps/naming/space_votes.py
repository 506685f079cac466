"""Which pieces the spaces of a map add up to: every space votes for the pieces that have its face where it lies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from companion.core.types import Face, Slot
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.map_plan import MapPlan, turned
from vision.tables.place import ACCEPTED, LOCATION, Laid, PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap, SpaceReading

# So many spaces of a piece must be recognised for it to be named without a doubt.
SPACES_AGREE = 2

# One space is believed no more than this, however sure it is of itself.
MOST_P = 0.999


class SpaceVotes:
    """Names the pieces of the `plan` by their spaces. `same`: for every face of a space the one that it is read as, of
    those that look the same."""

    def __init__(self, plan: MapPlan, same: Mapping[Face, Face]) -> None:
        self._plan, self._same = plan, same
        self._owners: dict[Face, list[tuple[Face, int]]] = {}
        for piece in plan.pieces.values():
            for number, face in enumerate(piece.faces):
                self._owners.setdefault(same[face], []).append((piece.name, number))

    def read_as(self, face: Face) -> Face:
        """The face as which that of a space is read."""
        return self._same[face]

    def named(
        self, spaces: Mapping[Slot, SpaceReading], known: Mapping[Slot, PlaceReading]
    ) -> tuple[dict[Slot, PlaceReading], set[Slot], dict[Slot, SpaceOnMap]]:
        """The pieces that the spaces add up to, in the slot of the first space of each, the others empty but for those
        that are `known`; which slots they lie on; and what those show of which a piece is accepted."""
        votes = self._votes(spaces)
        slots: dict[Slot, PlaceReading] = {}
        used: set[Slot] = set()
        shown: dict[Slot, SpaceOnMap] = {}
        faint = {k for k, places in votes.items() if not _any_clear([spaces[s] for s in places])}
        by_weight = sorted(votes, key=lambda k: (k in faint, -len(votes[k]), -sum(spaces[s].p for s in votes[k]), k))
        for key in by_weight:
            name, anchor, turn = key
            here = self._plan.lies_on(name, anchor, turn)
            if used & {anchor, *(place for place in here if place is not None)}:
                continue
            faces = self._plan.pieces[name].faces
            p = _probability([spaces[s] for s in votes[key]], here, faces, spaces)
            slots[anchor] = PlaceReading(anchor, LOCATION, PlaceState.UNKNOWN, turn=turn).named(((name, p),))
            for place, face in zip(here, faces, strict=True):
                if place is None:
                    continue
                used.add(place)
                if p >= ACCEPTED:
                    shown[place] = SpaceOnMap(face, 60.0 * turn, anchor)
                if place not in slots and place not in known:
                    slots[place] = PlaceReading(place, LOCATION, PlaceState.EMPTY, p=p)
        return slots, used, shown

    def next_turns(
        self, spaces: Mapping[Slot, SpaceReading], lay: Sequence[Laid], left: Collection[Slot]
    ) -> dict[Slot, int]:
        """Which of the spaces `left` are read next, and in which turn: of every piece that `spaces` clearly speak for,
        or that `lay` there before, as many as are lacking for enough to agree; all, where those do not settle it."""
        votes = self._spoken_for({slot: one for slot, one in spaces.items() if one.is_clear})
        out: dict[Slot, int] = {}
        for name, anchor, turn in dict.fromkeys([*((name, slot, turn) for slot, name, turn in lay), *votes]):
            lacking = SPACES_AGREE - len(votes.get((name, anchor, turn), ()))
            here = [p for p in self._plan.lies_on(name, anchor, turn) if p is not None and p in left]
            out |= dict.fromkeys(here[:lacking] if lacking > 0 else here, turn)
        return out

    def foretold(self, spaces: Mapping[Slot, SpaceReading]) -> dict[Slot, list[SpaceReading]]:
        """What the other spaces show of each piece for which one of these `spaces` speaks without a doubt."""
        sure = {slot: one for slot, one in spaces.items() if one.is_clear and one.p >= MOST_P}
        out: dict[Slot, list[SpaceReading]] = {}
        for (name, anchor, turn), agreeing in self._spoken_for(sure).items():
            one = sure[agreeing[0]]
            for place, face in zip(self._plan.lies_on(name, anchor, turn), self._plan.pieces[name].faces, strict=True):
                if place is not None and place not in spaces:
                    out.setdefault(place, []).append(SpaceReading(self._same[face], turn, one.p, one.likeness))
        return out

    def perhaps_lie(self, spaces: Mapping[Slot, SpaceReading]) -> dict[Laid, dict[Slot, Face]]:
        """The pieces that one of the `spaces` faintly speaks for, and the face that each of their spaces would show; of
        those alone that lie wholly on `spaces`."""
        faint = {s: one for s, one in spaces.items() if one.p >= ACCEPTED and not one.is_clear}
        out: dict[Laid, dict[Slot, Face]] = {}
        for name, anchor, turn in self._spoken_for(faint):
            lies_on = self._plan.lies_on(name, anchor, turn)
            here = [slot for slot in lies_on if slot is not None and slot in spaces]
            faces = [self._same[face] for face in self._plan.pieces[name].faces]
            if len(here) == len(faces):
                out[anchor, name, turn] = dict(zip(here, faces, strict=True))
        return out

    def borne_out(self, spaces: Mapping[Slot, SpaceReading]) -> dict[Slot, SpaceReading]:
        """What the other spaces show of each piece for which enough of these `spaces` speak without a doubt: a further
        one would make it no surer. Not of those that were read closely, nor where another piece may lie, for which as
        many or other clear spaces speak."""
        clear = {slot: one for slot, one in spaces.items() if one.is_clear}
        votes = self._spoken_for(clear)
        here = {(name, anchor, turn): self._plan.lies_on(name, anchor, turn) for name, anchor, turn in votes}
        out: dict[Slot, SpaceReading] = {}
        for (name, anchor, turn), agreeing in votes.items():
            p = min(clear[slot].p for slot in agreeing)
            if len(agreeing) < SPACES_AGREE or p < MOST_P:
                continue
            likeness = min(clear[slot].likeness for slot in agreeing)
            key = name, anchor, turn
            against = [here[k] for k, theirs in votes.items() if k != key and not set(theirs) < set(agreeing)]
            for place, face in zip(here[key], self._plan.pieces[name].faces, strict=True):
                if place is None or (place in spaces and spaces[place].face is not None):
                    continue
                if not any(place in other for other in against):
                    out[place] = SpaceReading(self._same[face], turn, p, likeness)
        return out

    def _votes(self, spaces: Mapping[Slot, SpaceReading]) -> dict[tuple[Face, Slot, int], list[Slot]]:
        """The spaces that speak for each piece, by its name, its first space and its turn.

        One that is too little like print to speak alone (worn, in poor light, half under a token) bears out one that
        does: by chance it would hardly be likest just that face of all faces in just that of six turns. Two of them
        alone name nothing, but are hardly bare table; more of them, where they are all that a piece has, name it.
        """
        votes = self._spoken_for({s: one for s, one in spaces.items() if one.likeness >= LIKE_A_FACE})
        faint = {s: one for s, one in spaces.items() if one.likeness < LIKE_A_FACE and one.p >= ACCEPTED}
        for key, slots in self._spoken_for(faint).items():
            if key in votes or len(slots) >= SPACES_AGREE:
                votes[key] = votes.get(key, []) + slots
        return votes

    def _spoken_for(self, spaces: Mapping[Slot, SpaceReading]) -> dict[tuple[Face, Slot, int], list[Slot]]:
        votes: dict[tuple[Face, Slot, int], list[Slot]] = {}
        for slot, space in spaces.items():
            if space.face is None:
                continue
            for name, number in self._owners[space.face]:
                off = turned(self._plan.pieces[name].middles_mm[number], space.turn)
                anchor = self._plan.slot_at(self._plan.middles[slot] - off)
                if anchor is not None:
                    votes.setdefault((name, anchor, space.turn), []).append(slot)
        return votes


def _probability(
    agreeing: Sequence[SpaceReading],
    here: Sequence[Slot | None],
    faces: Sequence[Face],
    spaces: Mapping[Slot, SpaceReading],
) -> float:
    """That the piece with these `faces` lies `here`: all its spaces would have to be misread alike; one alone, and
    those that are all too little like print, unless they are all that it has, are believed to a half."""
    wrong = float(np.prod([1.0 - min(s.p, MOST_P) for s in agreeing]))
    all_agree = len(agreeing) == len(faces) > SPACES_AGREE
    if len(agreeing) < min(SPACES_AGREE, len(here)) or not (all_agree or _any_clear(agreeing)):
        return min(0.5, 1.0 - wrong)
    for place, face in zip(here, faces, strict=True):
        other = spaces.get(place) if place is not None else None
        # a space that clearly shows something else speaks against it; its own print in another turn does not
        if other is None or other in agreeing or other.face == face:
            continue
        if other.is_clear:
            wrong = max(wrong, 0.5)
    return 1.0 - wrong


def _any_clear(spaces: Sequence[SpaceReading]) -> bool:
    """Whether one of the spaces is enough like print to speak alone."""
    return any(one.likeness >= LIKE_A_FACE for one in spaces)
