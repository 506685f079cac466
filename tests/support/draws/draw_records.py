"""Records for the tests of the draws: played games as exports, and forgeries whose hashes were made to fit again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

from urn_game import SETUP, UrnRules

from companion.core.digest import canonical_json, digest
from companion.lab.simulators.draw_rehearsal import Journal, Power, Rehearsal, Rehearsed
from companion.table.record.records import SessionHeader

CREATED_MS = 1_700_000_000_000
Rows = list[dict[str, Any]]


def play_urn(seed: int, *, cuts: float = 0.0, undo: float = 0.0, physical: float = 0.0) -> Rehearsed:
    """A whole game with the urn, always the same for the same arguments."""
    power = Power(Random(f"power {seed}"), cuts)
    journal = Journal(SessionHeader(f"urn-{seed}", CREATED_MS, SETUP, "no catalogue\n"), UrnRules(), power)
    return Rehearsal(journal, Random(seed), power, undo, physical).run()


@lru_cache(maxsize=8)
def urn_export(seed: int = 7, undo: float = 0.0) -> bytes:
    """The export of `play_urn`."""
    return play_urn(seed, undo=undo).export


def rows_of(export: bytes) -> Rows:
    """The lines of an export as JSON objects, the header first."""
    return [json.loads(line) for line in export.decode().splitlines()]


def forge(export: bytes, change: Callable[[Rows], object]) -> bytes:
    """The export after `change`, with every number, hash and count made to fit: what a cheating host would write."""
    rows = rows_of(export)
    change(rows)
    previous = "0" * 64
    for number, row in enumerate(rows[1:], start=1):
        row.update(number=number, previous_hash=previous)
        del row["hash"]
        previous = row["hash"] = digest(row)
    header = rows[0]
    header.update(records=len(rows) - 1, head=previous)
    del header["hash"]
    header["hash"] = digest(header)
    return "".join(canonical_json(row) + "\n" for row in rows).encode()


def draw_rows(rows: Rows) -> Rows:
    """The records of digital draws."""
    return [row for row in rows[1:] if row["cause"]["kind"] == "draw"]


def step_row(rows: Rows, step: str) -> dict[str, Any]:
    """The first record of that step of the bag."""
    return next(row for row in rows[1:] if row["kind"] == "proof" and row["body"]["step"] == step)
