"""Score lines and results as JSON for a page, the same in every game's view."""

from __future__ import annotations

from typing import Any

from companion.core.types import Result, ScoreLine


def line_view(line: ScoreLine) -> dict[str, Any]:
    """A line of a score: `clause`, `label` (a message id) with its `facts`, `points`, `faces`."""
    return {
        "clause": line.clause,
        "label": line.label,
        "facts": dict(line.facts),
        "points": line.points,
        "faces": list(line.faces),
    }


def result_view(result: Result | None) -> dict[str, Any] | None:
    """How the game ended: `clause`, `winners` (names of seats), `decided_by`; None while it runs."""
    if result is None:
        return None
    return {
        "clause": result.clause,
        "winners": [seat.name for seat in result.winners],
        "decided_by": result.decided_by,
    }
