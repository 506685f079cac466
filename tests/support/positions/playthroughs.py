"""Whole games as text, which goldens hold: every event, the table now and then, the score at the end."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from contract_kit import random_event

from companion.core.game import Rules, State
from companion.core.types import Event
from companion.i18n import fill

Played = list[tuple[State, Event | None]]


def playthrough(
    rules: Rules,
    start: State,
    events: Sequence[str],
    seed: int,
    pick: Callable[[Rules, State, random.Random], Event] = random_event,
) -> Played:
    """First the given events, then those that `pick` chooses, to the end of the game."""
    rng, script = random.Random(seed), list(events)
    state, game = start, Played()
    while rules.result(state) is None:
        event = rules.parse(script.pop(0)) if script else pick(rules, state, rng)
        game.append((state, event))
        state = rules.apply(state, event)
    return [*game, (state, None)]


def picking(weights: Mapping[type, int]) -> Callable[[Rules, State, random.Random], Event]:
    """Like random_event, but first a kind of action by weight (1 when not named) and then one of that kind.

    So games are played as people play them, and rare kinds are seen.
    """

    def pick(rules: Rules, state: State, rng: random.Random) -> Event:
        kinds: dict[type, list[Event]] = {}
        for action in rules.legal_actions(state):
            kinds.setdefault(type(action), []).append(action)
        if not kinds:
            return random_event(rules, state, rng)
        heights = list(accumulate(weights.get(kind, 1) for kind in kinds))
        some = list(kinds.values())[bisect(heights, rng.random() * heights[-1])]
        return some[int(rng.random() * len(some))]

    return pick


def as_text(
    rules: Rules,
    game: Played,
    table: Callable[[Rules, State], Iterable[str]],
    moment: Callable[[State], object],
) -> str:
    """The playthrough as the golden files hold it; `table` is written whenever `moment` is new and not None."""
    setup = rules.setup
    options = ", ".join(f"{key} {value}" for key, value in setup.options) or "standard rules"
    lines = [f"# {len(setup.seats)} players, {options}; sample edition, values invented"]
    shown: object = None
    for state, event in game:
        now = moment(state)
        if now is not None and now != shown:
            shown = now
            lines += ["", *table(rules, state)]
        if event is not None:
            lines.append(rules.format(event))
    return "\n".join([*lines, "", *_ending(rules, game[-1][0])]) + "\n"


def _ending(rules: Rules, state: State) -> Iterator[str]:
    result = rules.result(state)
    assert result is not None
    winners = ", ".join(seat.name for seat in result.winners)
    yield f"## over by {result.clause}; won by {winners}, decided by {result.decided_by}"
    for score in result.scores:
        yield f"# {score.seat.name} {score.total}, tie-breaks {score.tiebreaks}"
        for line in score.lines:
            label = fill(line.label, line.facts, str, lambda seat: seat.name)
            yield f"#   {line.points:3} {line.clause} {label}: {' '.join(line.faces)}"
