"""What a rendered set of Spyrium tables consists of: plan of the table, its faces, and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.spyrium.edition.options import MAX_SEATS, MIN_SEATS
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, catalogue, faces, table_layout, table_picture
from vision.locate.markers import MarkerLayout
from vision.scenes.layout_file import plan_json

__all__ = ["plan", "scans", "table_picture", "tiles"]


def plan() -> dict[str, Any]:
    """The set's layout.json."""
    layouts = {players: table_layout(players) for players in range(MIN_SEATS, MAX_SEATS + 1)}
    return plan_json("spyrium", layouts, WORKER_RGB, MarkerLayout())


def tiles() -> list[dict[str, Any]]:
    """The faces in catalogue.json; cards that look the same have the same `look`."""
    looks = {card.id: "/".join(str(part) for part in card.look) for card in catalogue().cards}
    return [{"id": face, "look": looks.get(face, face)} for face in faces()]


def scans() -> dict[str, NDArray[np.uint8]]:
    """Face -> flat scan, BGR."""
    return faces()
