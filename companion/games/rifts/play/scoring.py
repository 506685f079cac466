"""The glory of each mage in Rifts of N'Norya, and how the game ended for all of them."""

from __future__ import annotations

from companion.core.types import Result, ScoreLine, Seat, SeatScore
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.state import State


def seat_scores(t: Tables, s: State) -> tuple[SeatScore, ...]:
    """N60, R-N20: tokens of vanquished enemies count, then gold."""
    return tuple(_score(seat, s) for seat in t.seats)


def _score(seat: Seat, s: State) -> SeatScore:
    mage = s.mages[seat]
    label = "Enemies vanquished (gold: {gold})"
    line = ScoreLine("N60", label, mage.vanquished, (("gold", mage.gold),))
    return SeatScore(seat, (line,), mage.vanquished, (mage.gold,))


def champions(t: Tables, s: State) -> tuple[Seat, ...]:
    """N60: who vanquished most enemies, of those who has most gold; several when even that is equal.

    R-N19: after a defeat, too; nobody where no enemy was vanquished.
    """
    scores = seat_scores(t, s)
    best = max((score.total, score.tiebreaks) for score in scores)
    return tuple(score.seat for score in scores if score.total and (score.total, score.tiebreaks) == best)


def result(t: Tables, s: State) -> Result | None:
    """N5: everybody has won; N6, N7: everybody has lost; None while the game runs."""
    if not s.ended:
        return None
    return Result(s.ended, seat_scores(t, s), t.seats if s.ended == "N5" else (), s.ended)
