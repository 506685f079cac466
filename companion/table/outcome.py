"""Why a game ended as it did, in words: how many points more, or what decided between equal ones."""

from __future__ import annotations

from companion.core.game import GameSpec, Told
from companion.core.types import Result, SeatScore

ALONE = "{player} has {points} points."
AHEAD = "{player} has {points} points, {more} more than {others}."
TIE_BROKEN = "{players} have {points} points each. {player} is ahead: {what} {own} against {other}."
SHARED = "{players} have {points} points each, and nothing else decides between them."
TOGETHER = "All won together."
ALL_LOST = "All lost together."
NEXT_TO_COMPARE = "the next thing to compare"


def why(spec: GameSpec, result: Result) -> Told:
    """Message id and facts."""
    ranked, tiebreaks = sorted(result.scores, key=_standing, reverse=True), spec.tiebreaks
    best = ranked[0]
    if spec.together or not result.winners:
        return (TOGETHER if result.winners else ALL_LOST), ()
    if len(result.winners) > 1:
        return SHARED, (("players", result.winners), ("points", best.total))
    second = ranked[1] if len(ranked) > 1 else None
    player = result.winners[0]
    if second is None:
        return ALONE, (("player", player), ("points", best.total))
    if second.total < best.total:
        others = tuple(score.seat for score in ranked[1:] if score.total == second.total)
        more = best.total - second.total
        return AHEAD, (("player", player), ("points", best.total), ("more", more), ("others", others))
    index = next(i for i, (own, other) in enumerate(zip(best.tiebreaks, second.tiebreaks, strict=True)) if own != other)
    return TIE_BROKEN, (
        ("players", tuple(score.seat for score in ranked if score.total == best.total)), ("points", best.total),
        ("player", player), ("what", tiebreaks[index] if index < len(tiebreaks) else NEXT_TO_COMPARE),
        ("own", best.tiebreaks[index]), ("other", second.tiebreaks[index]),
    )  # fmt: skip


def places(result: Result) -> tuple[tuple[int, SeatScore], ...]:
    """Each score with its place, the best first; equal ones share a place."""
    ranked = sorted(result.scores, key=_standing, reverse=True)
    standings = [_standing(score) for score in ranked]
    return tuple((standings.index(_standing(score)) + 1, score) for score in ranked)


def _standing(score: SeatScore) -> tuple[int, ...]:
    return (score.total, *score.tiebreaks)
