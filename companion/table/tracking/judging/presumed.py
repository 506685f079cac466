"""Acts that no picture tells: taken for what people do until they say no (pure).

A cube laid and its tile taken in one go looks as a tile taken too early does. People who play by the rules are the
rule, so that what a single legal way leads to is recorded, and said to be a presumption. So is, of several legal acts
that leave the same table, the one to which all others are plainly worse for whoever did it: people want to win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log

from companion.core.game import InferringRules, Rules, SensibleActs, State
from companion.core.types import Action, Draw, Event, Seat, Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.hypotheses import Believed
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal
from companion.table.tracking.judging.weighing import Weighed
from companion.table.tracking.purses import Witness

OUTWEIGHED = log(20.0)
"""What the purses make this much less likely than another act has not happened."""

DOUBTED = log(3.0)
"""What they make this much less likely is not presumed on sense alone."""


@dataclass(frozen=True, slots=True)
class Presumed:
    """`events` were recorded as what led from what was `believed` to a table to which `breach` leads as well, or the
    acts of each of `others`."""

    events: tuple[Event, ...]
    believed: Believed
    breach: Illegal | None = None
    others: tuple[tuple[Event, ...], ...] = ()
    slots: tuple[Slot, ...] = ()

    @property
    def seat(self) -> Seat | None:
        """The seat that acted last."""
        last = self.events[-1]
        return last.seat if isinstance(last, Action) else None

    @property
    def answers(self) -> int:
        """How many people may give: that it was so, each of the others, and that it was a breach."""
        return 1 + len(self.others) + (self.breach is not None)

    def outlasts(self, events: Iterable[Event]) -> bool:
        """Whether people may still say no when `events` have happened since: the player has not acted again. A breach
        would have been put right before play goes on."""
        return bool(self.others) and all(isinstance(e, Draw) or e.seat is not self.seat for e in events)

    @classmethod
    def instead_of(cls, events: tuple[Event, ...], believed: Believed, other: Illegal | Ambiguous) -> Presumed:
        """That `events` happened instead of `other`."""
        if isinstance(other, Illegal):
            return cls(events, believed, breach=other, slots=other.nearest.differs(other.seen))
        others = tuple(choice for choice in other.choices if choice != events)
        return cls(events, believed, others=others, slots=other.telling)


def sensible(
    rules: Rules, state: State, asked: Ambiguous, purses: Witness | None, *, gone_on: bool
) -> Explained | None:
    """What people who want to win and finish what they begin have done from `state` on, of what is to be `asked`; None
    where it is open. It is presumed but where all that may have been comes to the same.

    `purses`: their log-likelihood. `gone_on`: others have acted since, or people tell what came after it, so that hands
    and coins are done.
    """
    if not isinstance(rules, SensibleActs) or asked.seat is None or not asked.ends:
        return None
    ends = asked.ends
    if gone_on or asked.open:
        ends = _finished(rules, ends) or ends
    heard = [0.0 if purses is None else purses(end.events, end.state) for end in ends]
    likelihood = {end.events: log_p for end, log_p in zip(ends, heard, strict=True)}
    ends = tuple(end for end in ends if max(heard) - likelihood[end.events] < OUTWEIGHED)
    kept = set(rules.sensible(state, tuple(end.events for end in ends)))
    likely = [end for end in ends if end.events in kept]
    if not likely or any(end.state != likely[0].state for end in likely):
        return None
    if max(heard) - max(likelihood[end.events] for end in likely) >= DOUBTED:
        return None
    alike = all(end.state == likely[0].state for end in asked.ends)
    return likely[0] if alike else replace(likely[0], presumed=asked)


def sensible_first(
    rules: Rules, state: State, choices: tuple[tuple[Event, ...], ...]
) -> tuple[tuple[Event, ...], ...]:
    """Chains of events from `state` on, as they are to be offered to people: first what people do who want to win, each
    part in the order given."""
    if not isinstance(rules, SensibleActs) or len(choices) < 2 or not all(choices):
        return choices
    kept = set(rules.sensible(state, choices))
    return tuple(sorted(choices, key=lambda events: events not in kept))


def _finished(rules: Rules, ends: tuple[Explained, ...]) -> tuple[Explained, ...]:
    """The ends in which hands have nothing left to do but what others have done since."""
    return tuple(end for end in ends if end.open.issuperset(end.view.differs(board_look(rules, end.state))))


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
