"""Acts of which nobody saw the middle: taken for the one legal way there until play goes on, or people say no (pure).

A cube laid and its tile taken in one go looks as a tile taken too early does. People who play by the rules are the
rule, so that what a single legal way leads to is recorded, and said to be a presumption.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import InferringRules, Rules, State
from companion.core.types import Action, Event, Seat
from companion.table.tracking.hypotheses import Believed
from companion.table.tracking.verdicts import Ambiguous, Explained, Illegal
from companion.table.tracking.weighing import Weighed


@dataclass(frozen=True, slots=True)
class Presumed:
    """`events` were recorded as the legal way from what was `believed` to the table that `breach` comes to as well."""

    events: tuple[Event, ...]
    believed: Believed
    breach: Illegal

    @property
    def seat(self) -> Seat | None:
        """The seat that acted last."""
        last = self.events[-1]
        return last.seat if isinstance(last, Action) else None


def presume(rules: Rules, asked: Ambiguous, ranked: list[Weighed], least: float) -> Explained | None:
    """The one legal way to a table where it was to be `asked` whether that or a breach happened; None where it must be.

    `ranked`: all explanations, the breach first. The way must beat every explanation of another table by `least`
    (log-odds), and no more than one act on each place may have gone unseen. Nothing is presumed while choices are
    inferred from the acts: nearly any tile might have been chosen.
    """
    breach, ways = asked.breach, [events for events in asked.choices if events]
    looks = ranked[0].looks
    legal = [w for w in ranked if w.looks == looks and not w.wrong and w.back_to is None]
    if breach is None or len(ways) != 1 or not legal or legal[0].hypothesis.events != ways[0]:
        return None
    way = legal[0]
    others = [w.score for w in ranked if w.looks != looks]
    misread = [w.misread for w in ranked if not any(w is one for one in legal)]
    margin = way.score - max((*others, *misread))
    acts = all(isinstance(event, Action) for event in ways[0])
    unseen = [slot for slot in way.hypothesis.touched if slot in ranked[0].wrong]
    if margin < least or not acts or len(unseen) > len(set(unseen)) or _infers(rules, way.hypothesis.state):
        return None
    return Explained(ways[0], way.hypothesis.state, way.view, margin, presumed=breach)


def _infers(rules: Rules, state: State) -> bool:
    """Whether what was chosen is inferred from the acts."""
    return isinstance(rules, InferringRules) and rules.account(state) is not None
