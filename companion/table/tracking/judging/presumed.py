"""Acts of which nobody saw the middle: taken for the one legal way there until play goes on, or people say no (pure).

A cube laid and its tile taken in one go looks as a tile taken too early does. People who play by the rules are the
rule, so that what a single legal way leads to is recorded, and said to be a presumption.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.core.game import InferringRules, Rules, State
from companion.core.types import Action, Event, Seat
from companion.table.tracking.hypotheses import Believed
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal
from companion.table.tracking.judging.weighing import Weighed


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

    `ranked`: all explanations, the breach first. That this table lies there must beat everything else by `least`
    (log-odds), and no more than one act on each place may have gone unseen. Nothing is presumed while choices are
    inferred from the acts: nearly any tile might have been chosen.
    """
    breach, ways = asked.breach, [events for events in asked.choices if events]
    looks = ranked[0].looks
    legal = [w for w in ranked if w.looks == looks and not w.wrong and w.back_to is None]
    offered = [w for w in legal if w.hypothesis.events in ways]
    if breach is None or not offered or len(offered) < len(ways) or not _is_one_way(offered):
        return None
    way = offered[0]
    others = [w.score for w in ranked if w.looks != looks]
    misread = [w.misread for w in ranked if not any(w is one for one in legal)]
    margin = ranked[0].score - max((*others, *misread))
    events = way.hypothesis.events
    acts = all(isinstance(event, Action) for event in events)
    unseen = [slot for slot in way.hypothesis.sudden if slot in ranked[0].wrong]
    if margin < least or not acts or len(unseen) > len(set(unseen)) or _infers(rules, way.hypothesis.state):
        return None
    return Explained(events, way.hypothesis.state, way.view, margin, presumed=breach)


def _is_one_way(offered: list[Weighed]) -> bool:
    """Whether all are the same acts in some order, and come to the same position."""
    acts, state = Counter(offered[0].hypothesis.events), offered[0].hypothesis.state
    return all(Counter(w.hypothesis.events) == acts and w.hypothesis.state == state for w in offered)


def _infers(rules: Rules, state: State) -> bool:
    """Whether what was chosen is inferred from the acts."""
    return isinstance(rules, InferringRules) and rules.account(state) is not None
