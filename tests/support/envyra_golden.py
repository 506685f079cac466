"""Playthroughs of Envyra as text: every event, the table at the start of each round, the score at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from contract_kit import random_event

from companion.core.types import Event
from companion.games.envyra.rules import EnvyraRules
from companion.games.envyra.state import State
from companion.i18n import fill


def playthrough(rules: EnvyraRules, start: State, events: Sequence[str], seed: int) -> list[tuple[State, Event | None]]:
    """First the given events, then random ones to the end of the game."""
    rng, script = random.Random(seed), list(events)
    state, game = start, list[tuple[State, Event | None]]()
    while rules.result(state) is None:
        event = rules.parse(script.pop(0)) if script else random_event(rules, state, rng)
        game.append((state, event))
        state = rules.apply(state, event)
    return [*game, (state, None)]


def as_text(rules: EnvyraRules, game: Sequence[tuple[State, Event | None]]) -> str:
    """The playthrough as the golden files hold it."""
    setup = rules.setup
    options = ", ".join(f"{key} {value}" for key, value in setup.options) or "standard rules"
    lines = [f"# {len(setup.seats)} players, {options}; sample edition, values invented"]
    shown = None
    for state, event in game:
        if state.phase.value in ("choose", "remove") and state.round != shown and not state.ready:
            shown = state.round
            lines += ["", *_table(rules, state)]
        if event is not None:
            lines.append(rules.format(event))
    return "\n".join([*lines, "", *_ending(rules, game[-1][0])]) + "\n"


def _table(rules: EnvyraRules, state: State) -> Iterator[str]:
    view = rules.view(state, None)
    last = ", the last" if view["last_round"] else ""
    yield f"## round {view['round']}{last}: {view['first']} first, {view['supply']['count']} tiles in the bag"
    for cell in view["cells"]:
        tile = cell["tile"]
        lying = f"{tile['id']} {''.join(cell['cubes'])}/{tile['cubes']}" if tile else "-"
        yield f"#   {cell['slot']} {lying}"
    for seat in view["seats"]:
        captured = " ".join(tile["id"] for tile in seat["captured"]) or "-"
        yield f"#   {seat['seat']} reserve {seat['reserve']}, {seat['score']['total']} points: {captured}"


def _ending(rules: EnvyraRules, state: State) -> Iterator[str]:
    result = rules.result(state)
    winners = ", ".join(seat.name for seat in result.winners)
    yield f"## over by {result.clause}; won by {winners}, decided by {result.decided_by}"
    for score in result.scores:
        yield f"# {score.seat.name} {score.total}, tie-breaks {score.tiebreaks}"
        for line in score.lines:
            label = fill(line.label, line.facts, str, lambda seat: seat.name)
            yield f"#   {line.points:3} {line.clause} {label}: {' '.join(line.faces)}"
