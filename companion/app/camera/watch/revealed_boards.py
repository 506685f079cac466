"""Boards that the camera reads at a reveal: whose, and the choices entered that are seen well enough."""

from __future__ import annotations

from companion.core.events import Cause, CauseKind
from companion.core.inputs import BoardObservation
from companion.table.commands import Play
from companion.table.session import Session
from companion.table.turn_flow import Stage, stage_of
from vision.tables.boards import SeatBoard

BOARD_P = 0.95
"""A cube in a cut-out is believed from this probability on; below it the choice is entered by hand."""

SEAT_DEG = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
"""Where people sit, in degrees clockwise from the bottom of the picture's table: the first seat there."""


def boards_to_read(session: Session) -> tuple[SeatBoard, ...]:
    """The boards of all players while a reveal is due, else none: only choices that are public now are awaited."""
    if stage_of(session.rules, session.state) is not Stage.REVEAL:
        return ()
    seats = session.rules.setup.seats
    return tuple(SeatBoard(at, info.colour) for at, info in zip(SEAT_DEG[len(seats)], seats, strict=True))


def enter_choices(session: Session, observation: BoardObservation) -> None:
    """Enter the choices of the awaited seats whose boards are seen well enough; the others stay awaited."""
    rules = session.rules
    seats = rules.setup.seats
    for seat in rules.to_act(session.state):
        seat_deg = SEAT_DEG[len(seats)][seat]
        cubes = [c for c in observation.cutouts if c.seat_deg == seat_deg]
        sure = all(c.p >= BOARD_P and c.colour == seats[seat].colour for c in cubes)
        if seat_deg not in observation.boards_seen or not cubes or not sure:
            continue
        text = f"{seat.name} choose {' '.join(sorted(c.slot for c in cubes))}"
        if rules.check(session.state, rules.parse(text)) is not None:
            continue
        p = min(c.p for c in cubes)
        cause = Cause(CauseKind.CAMERA, (("frame", observation.frame), ("p", round(p, 4))))
        session.ask(Play(texts=(text,), cause=cause))
