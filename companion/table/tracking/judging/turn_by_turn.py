"""What several players did one after the other: the first of them is over when the next one acts (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from companion.core.types import Action, Event, Seat, Slot
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Verdict
from companion.table.tracking.judging.weighing import Weighed

UNRIVALLED = log(1e6)
"""The margin of an explanation that has no rival."""


def what_is_over(ranked: list[Weighed], others: list[Weighed], least: float) -> Explained | None:
    """The acts of players after whom others have acted, or may have, where all explanations near the best begin with
    them: they do not wait for what the last player did. None where there are none.

    `ranked`: all explanations, the best first; `others`: those that rival it; near ones are less likely by less than
    `least` (log-odds).
    """
    near = _near(ranked, others, least)
    agreed = _all_begin_with([w.hypothesis.events for w in near])
    if not agreed:
        return None
    done = _only(ranked, agreed)
    if done is None:
        return None
    still = frozenset(slot for w in near for slot in w.view.differs(done.view))
    margin = min(margin_of(agreed, ranked), _margin_beside(done, ranked, still))
    if margin < least:
        return None
    return Explained(agreed, done.hypothesis.state, done.view, margin, still)


def _margin_beside(done: Weighed, ranked: list[Weighed], still: frozenset[Slot]) -> float:
    """The log-odds of the acts of `done` where nothing is made of what is read in the slots `still` open: it may be
    misread as well, and must not be what makes them sure."""
    begun = done.hypothesis.events
    others = [w for w in ranked if w.hypothesis.events[: len(begun)] != begun]
    beside = [w for w in others if still.isdisjoint(w.view.differs(done.view))]
    apart = [done.score - w.score for w in beside if _unlike(w, done) - still]
    apart += [done.misread - w.misread for w in beside if w.misread < w.score]
    return min(apart, default=UNRIVALLED)


def _unlike(one: Weighed, other: Weighed) -> frozenset[Slot]:
    """The slots in the picture that two explanations show differently."""
    return frozenset(here[0] for here, there in zip(one.looks, other.looks, strict=True) if here != there)


def margin_of(begun: tuple[Event, ...], ranked: list[Weighed]) -> float:
    """The log-odds of the best explanation against all that do not begin with the events `begun`, as it does."""
    best, others = ranked[0], [w for w in ranked if w.hypothesis.events[: len(begun)] != begun]
    rivals = [w.score for w in others if w.looks != best.looks] + [w.misread for w in others if w.misread < w.score]
    return best.score - max(rivals) if rivals else UNRIVALLED


def of_who_acted_first(verdict: Verdict, ranked: list[Weighed], others: list[Weighed], least: float) -> Verdict:
    """`verdict`, or the question what the first player did of whom that is open, where others have acted since."""
    near = _near(ranked, others, least)
    if not isinstance(verdict, Ambiguous) or not verdict.alike:
        return verdict
    # what needs no unseen act, as a plain placement, is offered first
    first = sorted(dict.fromkeys(_up_to_the_first_doubt([w.hypothesis.events for w in near])), key=len)
    if len(first) < 2 or all(w.hypothesis.events in first for w in near):
        return verdict
    ways = [(w, events) for events in first for w in near if w.hypothesis.events[: len(events)] == events]
    ways += _other_ways(first, [w for w in ranked if w.looks == ranked[0].looks and w not in near], ranked, least)
    first = list(dict.fromkeys(events for _, events in ways))
    found = [(w, _only(ranked, events)) for w, events in ways]
    begun = [(w, only) for w, only in found if only is not None]
    if len(begun) < len(found):
        return verdict
    later = (slot for w, only in begun for slot in w.hypothesis.touched[len(only.hypothesis.touched) :])
    telling = sorted({slot for _, only in begun for slot in only.hypothesis.touched})
    ends = {events: ended(only, events, w) for (_, events), (w, only) in zip(ways, begun, strict=True)}
    return replace(
        verdict, choices=tuple(first), telling=tuple(telling), open=frozenset(later), ends=tuple(ends.values())
    )


def _other_ways(
    first: list[tuple[Event, ...]], others: list[Weighed], ranked: list[Weighed], least: float
) -> list[tuple[Weighed, tuple[Event, ...]]]:
    """Those of `others` near the best that begin with the same kind of act as one of `first`, done otherwise and coming
    to the same, and what they begin with: nothing depends on which it was, but who did it looks for it."""
    likely = [w for w in others if ranked[0].score - w.score < least and not w.wrong and w.back_to is None]
    ways: list[tuple[Weighed, tuple[Event, ...]]] = []
    for events in first:
        known = _only(ranked, events)
        for w in likely if known is not None else ():
            way = w.hypothesis.events[: len(events)]
            only = _only(ranked, way)
            if way in first or only is None or known is None or way[:-1] != events[:-1]:
                continue
            last, other = events[-1], way[-1]
            of_one = isinstance(last, Action) and isinstance(other, Action) and last.seat is other.seat
            if of_one and type(last) is type(other) and only.hypothesis.state == known.hypothesis.state:
                ways.append((w, way))
    return ways


def left_open(asked: Ambiguous | None, verdict: Verdict) -> Verdict:
    """`verdict`, or what was to be `asked` of one player in the scene before, where all of it may still have happened:
    that other places are in doubt now, or another player's act, keeps that question waiting no longer."""
    if asked is None or not isinstance(verdict, Ambiguous) or verdict.alike or verdict.is_told:
        return verdict
    chains = verdict.choices
    if not all(any(chain[: len(events)] == events for chain in chains) for events in asked.choices):
        return verdict
    return replace(asked, open=asked.open.union(verdict.telling).difference(asked.telling))


def ended(only: Weighed, events: tuple[Event, ...], later: Weighed | None = None) -> Explained:
    """What is believed if `events` happened, as `only` explains them; `later`: what explains the acts since, too."""
    still_open = () if later is None else later.view.differs(only.view)
    return Explained(events, only.hypothesis.state, only.view, 0.0, frozenset(still_open))


def _near(ranked: list[Weighed], others: list[Weighed], least: float) -> list[Weighed]:
    best = ranked[0]
    return [best, *(w for w in others if best.score - w.score < least and not w.wrong and w.back_to is None)]


def _only(ranked: list[Weighed], events: tuple[Event, ...]) -> Weighed | None:
    """The explanation by these events alone, all of them seen."""
    return next((w for w in ranked if w.hypothesis.events == events and not w.hypothesis.unseen), None)


def _ends(events: Sequence[Event]) -> list[int]:
    """After how many of `events` another player goes on than the one before, and the number of all."""
    ends, seat = [], None
    for number, event in enumerate(events):
        acting: Seat | None = event.seat if isinstance(event, Action) else None
        if seat is not None and acting is not seat:
            ends.append(number)
        seat = acting
    return [*ends, len(events)]


def _all_begin_with(chains: list[tuple[Event, ...]]) -> tuple[Event, ...]:
    """The acts with which all chains begin, up to where in each of them another player goes on or nobody does; of one
    chain not all: what the last player did is in doubt."""
    ends = set.intersection(*(set(_ends(events)) for events in chains))
    if len(set(chains)) == 1:
        ends.discard(len(chains[0]))
    return max((chains[0][:end] for end in ends if len({events[:end] for events in chains}) == 1), key=len, default=())


def _up_to_the_first_doubt(chains: list[tuple[Event, ...]]) -> list[tuple[Event, ...]]:
    """The chains, each up to the end of the first player's acts by which they differ."""
    for number in range(max(len(_ends(events)) for events in chains)):
        cut = [events[: _ends(events)[min(number, len(_ends(events)) - 1)]] for events in chains]
        if len(set(cut)) > 1:
            return cut
    return chains
