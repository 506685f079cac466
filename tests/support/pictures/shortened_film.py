"""The beginning of the film that ships, for tests that take seconds."""

from __future__ import annotations

import json
from pathlib import Path

import companion.app

DEMO = Path(companion.app.__file__).parent / "demo" / "film"
STRETCH = 22
"""Pictures of the film that ships which the tests look at: two moves, a capture, a refill and an illegal act."""


def shortened(folder: Path, *, reveals: bool = True) -> Path:
    """The film that ships, ending after STRETCH pictures; without `reveals` nobody tells what was chosen."""
    folder.mkdir()
    for name in ("catalogue.json", "layout.json", "enrol", "reference"):
        (folder / name).symlink_to(DEMO / name)
    game = folder / "game"
    game.mkdir()
    for number in range(STRETCH):
        (game / f"{number:04d}.webp").symlink_to(DEMO / "game" / f"{number:04d}.webp")
    jobs = json.loads((DEMO / "game" / "jobs.json").read_text(encoding="utf-8"))
    jobs |= {"frames": STRETCH} | ({} if reveals else {"reveals": []})
    (game / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    truth = json.loads((DEMO / "game" / "truth.json").read_text(encoding="utf-8"))
    truth["frames"] = truth["frames"][:STRETCH]
    truth["events"] = [e for e in truth["events"] if e["frame"] < STRETCH]
    (game / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    return folder
