"""What people must do with their hands so that one table becomes another: pieces off, faces, pieces on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.layout import BoardView, TableLayout
from companion.core.types import SEATS, Seat, Slot


@dataclass(frozen=True, slots=True)
class HandStep:
    """One thing to do: English message id, its facts, and the slots it concerns."""

    message: str
    facts: tuple[tuple[str, Any], ...]
    slots: tuple[Slot, ...]

    def to_json(self) -> dict[str, Any]:
        """As a JSON object, for a record or a page."""
        facts = {name: fact.name if isinstance(fact, Seat) else fact for name, fact in self.facts}
        return {"message": self.message, "facts": facts, "slots": list(self.slots)}


MOVE_PIECE = "from {source} to {slot}: move {count} {colour}"
MOVE_FIGURE = "from {source} to {slot}: move the figure of {seat}"
TAKE_FIGURE = "from {slot}: take the figure of {seat} away"
PUT_FIGURE = "on {slot}: put the figure of {seat}"
TAKE_PIECE = "from {slot}: give {count} {colour} back to the player"
TAKE_TOKEN = "from {slot}: take {count} {colour} away"
PUT_PIECE = "on {slot}: put {count} {colour}"
MOVE_FACE = "from {source} to {slot}: move {face}"
TAKE_FACE = "from {slot}: take {face} away"
PUT_FACE = "on {slot}: put {face}"
TURN_FACE = "on {slot}: turn {face} to {turn} quarter turns clockwise"
TURN_BACK = "on {slot}: turn {face} back as it lay"


def hand_steps(now: BoardView, wanted: BoardView, layout: TableLayout | None = None) -> tuple[HandStep, ...]:
    """The steps from the table as it lies `now` to the `wanted` one, in an order that hands can follow.

    Pieces that only change place are moved; the same face leaving one slot and missing in another is moved too.
    `layout`: tells which pieces are tokens of nobody and which are a seat's figure, and which faces have other turns
    than quarters.
    """
    tokens = () if layout is None else layout.tokens
    seats = {} if layout is None else dict(zip(layout.figures, SEATS, strict=False))
    sixths = set() if layout is None else {o.slot for o in layout.slots if o.holds == "location"}
    slots = now.differs(wanted)
    gone, come = _piece_changes(now, wanted, slots)
    moves = _pair_pieces(gone, come)
    steps = [_piece_step(MOVE_PIECE, seats, c, n, (a, b), source=a, slot=b) for a, b, c, n in moves]
    steps += [
        _piece_step(TAKE_TOKEN if c in tokens else TAKE_PIECE, seats, c, n, (a,), slot=a)
        for (a, c), n in gone.items() if n
    ]
    steps += _face_steps(now, wanted, slots, sixths)
    steps += [_piece_step(PUT_PIECE, seats, c, n, (b,), slot=b) for (b, c), n in come.items() if n]
    return tuple(steps)


_FIGURE_STEPS = {MOVE_PIECE: MOVE_FIGURE, TAKE_PIECE: TAKE_FIGURE, PUT_PIECE: PUT_FIGURE}


def _piece_step(
    message: str, seats: Mapping[str, Seat], colour: str, count: int, slots: tuple[Slot, ...], **places: Slot
) -> HandStep:
    """A step with pieces; `seats`: colour -> whose figure it is."""
    if colour in seats:
        return HandStep(_FIGURE_STEPS[message], _facts(seat=seats[colour], **places), slots)
    return HandStep(message, _facts(count=count, colour=colour, **places), slots)


_Counts = dict[tuple[Slot, str], int]


def _piece_changes(now: BoardView, wanted: BoardView, slots: tuple[Slot, ...]) -> tuple[_Counts, _Counts]:
    gone: _Counts = {}
    come: _Counts = {}
    for slot in slots:
        have, want = dict(now.at(slot).pieces), dict(wanted.at(slot).pieces)
        for colour in sorted(have.keys() | want.keys()):
            change = want.get(colour, 0) - have.get(colour, 0)
            if change < 0:
                gone[slot, colour] = -change
            elif change > 0:
                come[slot, colour] = change
    return gone, come


def _pair_pieces(gone: _Counts, come: _Counts) -> list[tuple[Slot, Slot, str, int]]:
    """Pair what leaves with what is missing, colour by colour; takes the pairs out of both counts."""
    moves = []
    for source, colour in gone:
        for slot, wanted_colour in come:
            count = min(gone[source, colour], come[slot, wanted_colour]) if colour == wanted_colour else 0
            if count:
                gone[source, colour] -= count
                come[slot, colour] -= count
                moves.append((source, slot, colour, count))
    return moves


def _face_steps(
    now: BoardView, wanted: BoardView, slots: tuple[Slot, ...], sixths: Collection[Slot]
) -> list[HandStep]:
    leaving = {s: now.at(s).face for s in slots if now.at(s).face not in (None, wanted.at(s).face)}
    missing = {s: wanted.at(s).face for s in slots if wanted.at(s).face not in (None, now.at(s).face)}
    sources: dict[Slot, Slot] = {}  # where a face must go -> where it lies now
    for slot, face in missing.items():
        source = next((s for s, f in leaving.items() if f == face and s not in sources.values()), None)
        # A face is moved only into a slot that is free; else it is taken away first and put afterwards.
        if source is not None and slot not in leaving:
            sources[slot] = source
    moved = set(sources.values())
    steps = [HandStep(MOVE_FACE, _facts(face=now.at(a).face, source=a, slot=b), (a, b)) for b, a in sources.items()]
    steps += [HandStep(TAKE_FACE, _facts(face=f, slot=s), (s,)) for s, f in leaving.items() if s not in moved]
    steps += [HandStep(PUT_FACE, _facts(face=f, slot=s), (s,)) for s, f in missing.items() if s not in sources]
    for slot in slots:
        have, want = now.at(slot), wanted.at(slot)
        if have.face is not None and have.face == want.face and want.turn is not None and have.turn != want.turn:
            facts = _facts(face=want.face, slot=slot, turn=want.turn)
            steps.append(HandStep(TURN_BACK if slot in sixths else TURN_FACE, facts, (slot,)))
    return steps


def _facts(**facts: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(facts.items())
