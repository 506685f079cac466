"""Scores of Spyrium line by line, and who wins."""

from __future__ import annotations

from companion.core.types import Result, ScoreLine, Seat, SeatScore
from companion.games.spyrium.edition.designs import (
    AUTOMATION,
    CAPITALIZATION,
    COMMERCE,
    CRANE,
    ENGINEERING,
    LOBBYING,
    TAYLORISM,
    TECHNIQUES,
    Building,
    Symbol,
)
from companion.games.spyrium.edition.tables import WORKERS, Tables
from companion.games.spyrium.state import Phase, Player, State

MOST_TECHNIQUE_POINTS = 7  # S51
POUNDS_PER_POINT = 2  # S91

TECHNIQUE_LABELS = {
    AUTOMATION: "Automation: {count} Spyrium",
    CAPITALIZATION: "Capitalization: {count} pounds",
    ENGINEERING: "Engineering: {count} points on buildings with the factory symbol",
    LOBBYING: "Lobbying: residence space {count}",
    CRANE: "Crane: {count} buildings",
    TAYLORISM: "Taylorism: {count} workers",
    COMMERCE: "Commerce: {count} tokens kept",
}


def _counted(t: Tables, p: Player, name: str) -> int:
    """S90-S96: what a technique counts at the end."""
    if name == AUTOMATION:
        return p.spyrium
    if name == CAPITALIZATION:
        return p.money
    if name == ENGINEERING:
        return sum(t.cards[b.kind].points for b in p.buildings if Symbol.FACTORY in _symbols(t, b.kind))
    if name == LOBBYING:
        return t.track[p.residence]
    if name == CRANE:
        return len(p.buildings)
    return WORKERS - p.reserve if name == TAYLORISM else sum(p.kept)


def _symbols(t: Tables, kind: int) -> tuple[Symbol, ...]:
    design = t.designs[kind]
    return design.symbols if isinstance(design, Building) else ()


def seat_scores(t: Tables, s: State) -> tuple[SeatScore, ...]:
    """S51: the score of every seat as if the game ended now."""
    return tuple(_score(t, seat, p) for seat, p in zip(t.seats, s.players, strict=True))


def _score(t: Tables, seat: Seat, p: Player) -> SeatScore:
    lines = [ScoreLine("S51", "Points scored during the game", p.points)]
    faces = tuple(t.cards[b.kind].id for b in p.buildings)
    printed = sum(t.cards[b.kind].points for b in p.buildings)
    label = "Points on own buildings ({count})"
    lines.append(ScoreLine("S51", label, printed, (("count", len(faces)),), faces))
    for kind in p.techniques:
        name = t.cards[kind].design_name
        count = _counted(t, p, name)
        points = min(MOST_TECHNIQUE_POINTS, count // POUNDS_PER_POINT if name == CAPITALIZATION else count)
        facts = (("count", count),)
        clause = TECHNIQUES[name].clause
        lines.append(ScoreLine(clause, TECHNIQUE_LABELS[name], points, facts, (t.cards[kind].id,)))
    return SeatScore(seat, tuple(lines), sum(line.points for line in lines))


def result(t: Tables, s: State) -> Result | None:
    """S51: most points win, without a tie-break; None while the game runs."""
    if s.phase is not Phase.OVER:
        return None
    scores = seat_scores(t, s)
    best = max(score.total for score in scores)
    return Result("S51", scores, tuple(score.seat for score in scores if score.total == best), "S51")
