"""Perft of any game: how many sequences of events of a given length the rules allow from a position."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.errors import DataError, NotationError
from companion.core.game import Rules, State
from companion.core.types import Event


def events_from(rules: Rules, state: State) -> tuple[Event, ...]:
    """The legal actions, or at chance the possible draws; none at the end."""
    actions = rules.legal_actions(state)
    return actions or tuple(outcome.draw for outcome in rules.chance_outcomes(state))


def perft(rules: Rules, state: State, depth: int) -> int:
    """The number of sequences of `depth` events from `state`; those that end the game earlier do not count."""
    if depth == 0:
        return 1
    events = events_from(rules, state)
    if depth == 1:
        return len(events)
    return sum(perft(rules, rules.apply(state, event), depth - 1) for event in events)


def first_dealt(rules: Rules) -> State:
    """The fixed set-up: at every draw of the set-up the first possible outcome, until a seat may act."""
    state = rules.initial()
    while not rules.to_act(state) and rules.result(state) is None:
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    return state


def played_from(rules: Rules, lines: Iterable[str], where: str) -> State:
    """The state after the events in `lines`, one a line; empty lines and `#` comments are passed over.

    Raises DataError naming the line that is no event or is not legal there.
    """
    state = rules.initial()
    for number, line in enumerate(lines, start=1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        try:
            state = rules.apply(state, rules.parse(text))
        except (NotationError, ValueError) as error:
            raise DataError(str(error), where=f"{where}, line {number}", remedy="Correct the line.") from None
    return state
