"""What players keep secret in a state, as the game's own rules say it, and who may therefore tell what."""

from __future__ import annotations

from companion.core.game import GameSpec, Rules, State
from companion.core.types import Action, ChanceOutcome, Draw, Event, Seat


def public_now(rules: Rules, state: State, action: Action) -> bool:
    """Whether a secret act of the present phase is public as soon as it is told: nobody has a secret left to keep."""
    return rules.is_reveal(state, action) and all(rules.is_secret(other) for other in rules.legal_actions(state))


def secrets_are_kept(rules: Rules, state: State) -> bool:
    """Whether somebody may be placing something in secret now, where a camera or a neighbour could see it."""
    actions = rules.legal_actions(state)
    secret = [action for action in actions if rules.is_secret(action)]
    if len(secret) < len(actions):
        return bool(secret)  # as long as something else can be done, what is told is not shown at once
    return not all(rules.is_reveal(state, action) for action in secret)


def told_by_its_seat_only(spec: GameSpec, rules: Rules, event: Event) -> bool:
    """Whether the rules judge `event` by what its seat alone knows, so that an answer to anybody else tells it."""
    if isinstance(event, Draw):
        return rules.is_secret(event)
    return spec.for_seat_only is not None and spec.for_seat_only(rules, event)


def draws_told_by(spec: GameSpec, rules: Rules, state: State, seat: Seat) -> tuple[ChanceOutcome, ...]:
    """The draws that `seat` can tell of its own secret draw, without what others hold being left out."""
    return rules.chance_outcomes(state) if spec.draws_told_by is None else spec.draws_told_by(rules, state, seat)
