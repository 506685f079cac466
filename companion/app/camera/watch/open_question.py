"""What the camera asks, or presumes until people say no, as the pages and the alerts say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.core.types import Event
from companion.table.tracking.judging.presumed import Presumed, sensible
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable
from companion.table.tracking.table_tracker import TableTracker

WHAT_HAPPENED = "What happened at {slots}?"
SOMEBODY_ASKED = "{seat} is asked what happened at {slots}."
WHAT_HAPPENED_WIDELY = "What happened? Places in doubt: {n}."
SOMEBODY_ASKED_WIDELY = "{seat} is asked what happened. Places in doubt: {n}."
DOUBTED = "At {slots} the camera now surely sees something else than the record says. Which is right?"
PRESUMED = "Recorded as played by the rules, though nobody saw all of it: {slots}. If it was not so, say it here."
TAKEN_AS = "Recorded what {seat} most likely did at {slots}. If it was something else, {seat} can say so."

FEW_PLACES = 3
"""Places that a question names; of more it says how many: the picture of the table marks them."""

Texts = Callable[[tuple[Event, ...]], tuple[str, ...]]
"""Events as the game writes them, as far as they are recorded."""


def may_be_told(tracker: TableTracker) -> Ambiguous | None:
    """What a player may be in the middle of, who is not asked yet but may tell: what makes sense first."""
    held = tracker.held
    likely = None if held is None else sensible(tracker.rules, tracker.state, held, None, gone_on=False)
    if held is None or likely is None or likely.events not in held.choices:
        return held
    return replace(held, choices=(likely.events, *(events for events in held.choices if events != likely.events)))


def open_question(tracker: TableTracker, texts: Texts, held: Ambiguous | None = None) -> dict[str, Any] | None:
    """The open question: its choices as the `texts` of their events, the slots, and the seat that it concerns: the one
    that acted whichever choice is true, else the one whose turn it is, if it is one alone.

    `presumed`: the first choice is recorded, and nobody need answer; the others are what it may have been instead, one
    of no events that it was against the rules. `held`: nobody is asked, but the player may tell; see `may_be_told`.
    `unseen`: the choices are no more than legal acts there.
    """
    asked: Ambiguous | Unreadable | None = tracker.asked
    if asked is None and tracker.presumed is not None:
        return _presumed(tracker.presumed, texts)
    early = asked is None and held is not None
    asked = held if early else asked
    if asked is None:
        return None
    turn = tracker.rules.to_act(tracker.state)
    acting = turn[0] if len(turn) == 1 else None
    kinds = {"corrects": False, "unnamed": False, "presumed": False, "before": None, "held": early}
    kinds["unseen"] = isinstance(asked, Unreadable)
    choices = [list(texts(events)) for events in asked.choices]
    seat = acting if asked.seat is None else asked.seat
    if not isinstance(asked, Ambiguous):
        return {"choices": choices, "slots": list(asked.slots), "seat": seat, **kinds}
    corrects = asked.corrects is not None  # nobody knows what was dealt better than the others
    seat = None if corrects else seat
    kinds |= {"corrects": corrects, "unnamed": asked.is_of_a_face}
    return {"choices": choices, "slots": list(asked.telling), "seat": seat, **kinds}


def _presumed(presumed: Presumed, texts: Texts) -> dict[str, Any]:
    others = [list(texts(events)) for events in presumed.others]
    against = [] if presumed.breach is None else [list[str]()]
    return {
        "choices": [list(texts(presumed.events)), *others, *against], "slots": list(presumed.slots),
        "seat": presumed.seat, "corrects": False, "unnamed": False, "presumed": True, "before": None, "held": False,
        "unseen": False,
    }


def alert_of(question: dict[str, Any] | None, slots: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """The alert that says that `question` is open, with its facts."""
    facts: dict[str, Any] = {"slots": list(slots)}
    if question is not None and question["presumed"]:
        against_the_rules = [] in question["choices"] or question["seat"] is None
        return (PRESUMED, facts) if against_the_rules else (TAKEN_AS, facts | {"seat": question["seat"]})
    if question is not None and question["corrects"]:
        return DOUBTED, facts
    facts |= {} if question is None or question["seat"] is None else {"seat": question["seat"]}
    if len(slots) > FEW_PLACES:
        return (SOMEBODY_ASKED_WIDELY if "seat" in facts else WHAT_HAPPENED_WIDELY), facts | {"n": len(slots)}
    return (SOMEBODY_ASKED if "seat" in facts else WHAT_HAPPENED), facts
