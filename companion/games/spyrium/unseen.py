"""Acts of Spyrium that leave nothing to be seen on the table and follow from what is seen after them."""

from __future__ import annotations

from companion.core.types import Action
from companion.games.spyrium.actions import Pass, Start
from companion.games.spyrium.legal import legal_actions
from companion.games.spyrium.legality import check_action
from companion.games.spyrium.state import Phase, State
from companion.games.spyrium.tables import Tables


def act_unseen(t: Tables, s: State) -> Action | None:
    """What the awaited player has done, if what comes after it is seen; None when that is not known.

    S32: who does anything of Phase II has started it, and goes on at once. S47, R-S4: whoever could do nothing but
    pass has passed. Every other act without a trace (an event used for money, a bonus) is one of several and must be
    told.
    """
    if s.phase is not Phase.PLAY:
        return None
    start = Start(t.seats[s.current])
    if check_action(t, s, start) is None:
        return start
    actions = legal_actions(t, s)
    return actions[0] if len(actions) == 1 and isinstance(actions[0], Pass) else None
