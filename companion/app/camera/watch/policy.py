"""How sure and how patient the watch of a table is: at a camera, and with a film."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS, LIVE_DEMANDS, Demands
from companion.table.tracking.table_tracker import PATIENCE_PICTURES

HOLD_MS = 2500
"""Hands that have taken a worker back come again for its card or for coins within seconds; nobody waits longer."""

TAKE_BACKS = 3
"""How many acts hands may take back on the table; further back, people ask for an undo."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How the table is watched: `demands` on a verdict, `patience` in doubtful pictures before somebody is asked.

    `stills`: every picture is a scene of its own. `take_backs`: how many records hands may take
    back on the table. `presumes`: whether a legal act of which nobody saw the middle is recorded unasked, with a note.
    `hold_ms`: how long people may be in the middle of an act before they are asked which it is.
    """

    demands: Demands = LIVE_DEMANDS
    patience: int = PATIENCE_PICTURES
    stills: bool = False
    take_backs: int = TAKE_BACKS
    presumes: bool = True
    hold_ms: int = HOLD_MS


LIVE = Policy()

# A film shows most scenes once: four doubtful pictures in a row are a question, as at a table where the pictures of
# one scene are. Its people correct an illegal act and take back nothing that was accepted.
FILM = Policy(DEFAULT_DEMANDS, patience=4, stills=True, take_backs=0)
