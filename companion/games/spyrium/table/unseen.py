"""Acts of Spyrium that leave nothing to be seen on the table and follow from what is seen after them."""

from __future__ import annotations

from companion.core.game import UnseenAct
from companion.games.spyrium.actions import Pass, Start
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.legality.legal_actions import legal_actions
from companion.games.spyrium.state import Phase, State


def act_unseen(t: Tables, s: State) -> UnseenAct | None:
    """What the awaited player has done, if what comes after it is seen; None when that is not known.

    S32: who does anything of Phase II has started it, and goes on at once. S47, R-S4: whoever could do nothing but
    pass, or nothing but start Phase II, has done so. Every other act without a trace (an event used for money, a bonus)
    is one of several and must be told.
    """
    if s.phase is not Phase.PLAY:
        return None
    actions = legal_actions(t, s)
    if len(actions) == 1 and isinstance(actions[0], (Pass, Start)):
        return UnseenAct(actions[0], forced=True)
    start = Start(t.seats[s.current])
    return UnseenAct(start, forced=False) if start in actions else None
