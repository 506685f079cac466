"""The odds of the next draw, for people: what can still come, how likely, and whether it could be placed now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Draw


@dataclass(frozen=True, slots=True)
class OddsLine:
    """One group of outcomes: how many there are, their exact chance, and the chance that one comes and is laid out."""

    label: str
    outcomes: int
    chance: Fraction
    placed: Fraction

    @property
    def can_be_placed(self) -> bool:
        """Whether any of these, drawn now, would lie on the table."""
        return self.placed > 0


def odds(rules: Rules, state: State, label: Callable[[Draw], str] | None = None) -> tuple[OddsLine, ...]:
    """The odds of the draw that is due in `state`, likeliest group first; empty when none is due.

    `label` names the group of a draw (a theme, "end"); without it each outcome stands for itself under its canonical
    text. A draw counts as placed when a face comes to lie on the table: an end tile that is drawn while nobody
    meets its restriction is not.
    """
    groups: dict[str, list[Fraction]] = {}
    before = rules.board(state)
    for outcome in rules.chance_outcomes(state):
        name = label(outcome.draw) if label else rules.format(outcome.draw)
        lies = _new_face(before, rules.board(rules.apply(state, outcome.draw)))
        group = groups.setdefault(name, [Fraction(0), Fraction(0), Fraction(0)])
        group[0] += 1
        group[1] += outcome.probability
        group[2] += outcome.probability if lies else 0
    lines = [OddsLine(name, int(count), chance, placed) for name, (count, chance, placed) in groups.items()]
    return tuple(sorted(lines, key=lambda line: -line.chance))


def _new_face(before: BoardView, after: BoardView) -> bool:
    return any(after.at(slot).face not in (None, before.at(slot).face) for slot in before.differs(after))
