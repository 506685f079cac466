"""Whether players keep something secret in a state, as the game's own rules say it."""

from __future__ import annotations

from companion.core.game import Rules, State
from companion.core.types import Action


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
