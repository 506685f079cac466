"""What films have in common: an arm of who acts, jobs.json, truth.json, and the set around."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.films.map_script import Script
from companion.lab.render.pieces import SKIN_TONES, SLEEVES, Limb, hand
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.profile import Room

Floats = NDArray[np.float64]


def limbs(player: int, reached_mm: Floats, seat_deg: float, rng: np.random.Generator) -> tuple[Limb, ...]:
    """The arm of a player (0 for the first), who sits at `seat_deg`, over the place (2,) mm that is reached for."""
    target = reached_mm + rng.normal(0, 6, 2)
    skin, sleeve = SKIN_TONES[player % len(SKIN_TONES)], SLEEVES[player % len(SLEEVES)]
    return hand(rng, (float(target[0]), float(target[1])), seat_deg, skin, sleeve)


def write_film(
    out: Path, game: str, colours: Sequence[str], script: Script, room: Room, seed: int, unturned: int | None = None
) -> None:
    """Write jobs.json and truth.json of a film whose pictures are in `out`; `unturned`: the turn of what has none."""
    write_json(out / "jobs.json", {
        "kind": "game", "game": game, "players": len(colours), "colours": list(colours),
        "frames": len(script.shots), "told": [{"frame": n, "texts": texts} for n, texts in script.told.items()],
    })  # fmt: skip
    write_json(out / "truth.json", {
        "players": len(colours), "rendered": True, "seed": seed, "table": room.table, "light": room.light.name,
        "frames": [
            {"frame": n, "kind": "settled" if shot.player is None else "hand", "slots": {
                s: {"face": at.face, "turn": unturned if at.turn is None else at.turn, "pieces": dict(at.pieces)}
                for s, at in shot.view.slots
            }, **({"money": dict(shot.money)} if shot.money else {})}
            for n, shot in enumerate(script.shots)
        ],
        "events": script.events, "camera": room.camera.as_truth(),
    })  # fmt: skip


def write_set(
    out: Path, plan: Mapping[str, Any], edition: str, tiles: Sequence[Mapping[str, Any]],
    scans: Mapping[str, NDArray[np.uint8]], reference_px: int,
) -> None:
    """What the film's reader is taught: layout.json, catalogue.json, reference/ with scans of so long a side."""
    (out / "reference").mkdir(parents=True, exist_ok=True)
    (out / "layout.json").write_text(json.dumps(plan) + "\n", encoding="utf-8")
    pieces = {"edition": edition, "tiles": tiles}
    (out / "catalogue.json").write_text(json.dumps(pieces, indent=1) + "\n", encoding="utf-8")
    for face, scan in scans.items():
        share = min(1.0, reference_px / max(scan.shape[:2]))
        small = (round(scan.shape[1] * share), round(scan.shape[0] * share))
        cv2.imwrite(str(out / "reference" / f"{face}.png"), cv2.resize(scan, small, interpolation=cv2.INTER_AREA))
