"""What the guide's Orchard would declare so that its table is watched, tallied and reminded."""

from collections import Counter
from dataclasses import replace

from companion.core.duties import Duty, Reminder
from companion.core.errors import DataError
from companion.core.types import ScoreLine, Seat, SeatScore, Violation


def blame_change(_rules, state, accepted, seen):
    """O1 for a tile that came from nowhere, O3 for the place taken from last, O2 for all else."""
    slot = accepted.differs(seen)[0]
    facts, face = (("slot", slot),), seen.at(slot).face
    if face is not None:
        return Violation("O1", "{tile} cannot be drawn into {slot} now", (("tile", face), *facts), (slot,))
    if slot == state.last:
        return Violation("O3", "{slot} was taken from last: take from another place", facts, (slot,))
    return Violation("O2", "no tile lies in {slot}", facts, (slot,))


def score_faces(catalogue, faces):
    """The points of taken tiles, and two for each pair of equal fruit."""
    kinds = {kind.id: kind for kind in catalogue.kinds}
    unknown = sorted(set(faces) - set(kinds))
    if unknown:
        raise DataError(f"no tile is called {', '.join(unknown)}", where=catalogue.id)
    pairs = sum(n // 2 for n in Counter(kinds[face].fruit for face in faces).values())
    lines = (
        ScoreLine("O5", "points on tiles", sum(kinds[face].points for face in faces), (), tuple(faces)),
        ScoreLine("O5", "{pairs} pairs of fruit", 2 * pairs, (("pairs", pairs),)),
    )
    return SeatScore(Seat.A, lines, sum(line.points for line in lines))


def watched(spec):
    """The game with all that a game can declare."""
    return replace(
        spec,
        blame=blame_change,
        score_faces=score_faces,
        face_clause="O5",
        pieces=lambda catalogue: tuple({"id": kind.id, "points": kind.points} for kind in catalogue.kinds),
        faces=lambda catalogue: {kind.id: {"id": kind.id, "fruit": kind.fruit} for kind in catalogue.kinds},
        reminders={Duty.TURN: Reminder("O2"), Duty.REFILL: Reminder("O1", "A fruit is missing at {places}.")},
    )
