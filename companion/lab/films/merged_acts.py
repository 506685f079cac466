"""Makes people of a filmed game quicker: two acts are done before the table is seen settled again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from companion.lab.films.game_script import Script

_MERGED = frozenset({"move", "capture", "refill", "remove", "returned"})


def merged(script: Script, rng: np.random.Generator, count: int) -> Script:
    """The script without the settled picture between two acts, at up to `count` places drawn from `rng`.

    The pictures left out are a settled one with acts of the game only, and the hand that follows it. Its acts are then
    first seen in the settled picture after that hand, unless it shows an illegal act, a correction or a reveal.
    """
    shots = script.shots
    acts: dict[int, list[dict[str, Any]]] = {n: [] for n in range(len(shots))}
    for event in script.events:
        acts[min(event["frame"], len(shots) - 1)].append(event)
    told = {entry["frame"] for entry in (*script.presses, *script.reveals)}
    fit = [
        n
        for n in range(1, len(shots) - 2)
        if [shots[n + k].kind for k in range(3)] == ["settled", "hand", "settled"]
        and all(_plain(acts[m]) for m in (n, n + 2))
        and not told & {n, n + 1, n + 2}
        and not (shots[n].bumped or shots[n + 2].bumped)
    ]
    out: set[int] = set()
    for n in rng.permutation(fit).tolist():
        if len(out) < 2 * count and not out & {n - 2, n - 1, n, n + 1, n + 2, n + 3}:
            out |= {n, n + 1}
    number, new = 0, dict[int, int]()
    for n in range(len(shots) + 1):
        new[n] = number
        number += n not in out
    moved = [event | {"frame": new[event["frame"]]} for event in script.events]
    return replace(
        script,
        shots=[shot for n, shot in enumerate(shots) if n not in out],
        events=moved,
        presses=[entry | {"frame": new[entry["frame"]]} for entry in script.presses],
        reveals=[entry | {"frame": new[entry["frame"]]} for entry in script.reveals],
    )


def _plain(events: list[dict[str, Any]]) -> bool:
    """Whether a picture shows acts of the game and nothing else."""
    return bool(events) and all(event["event"] in _MERGED for event in events)
