"""The records of the log: what was accepted, because of what, chained by hash."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

RECORD_SCHEMA = 1


class CauseKind(Enum):
    """Who or what made a record."""

    BUTTON = "button"
    CAMERA = "camera"
    OPERATOR = "operator"  # the referee at the dashboard or the terminal
    SEAT = "seat"  # a player on the phone
    DRAW = "draw"  # the digital bag
    SCRIPT = "script"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a record was made; `detail` is JSON: frame and margin, box/boot/number, who overruled, draw number."""

    kind: CauseKind
    detail: tuple[tuple[str, Any], ...] = ()


class RecordKind(Enum):
    """What a record says."""

    SETUP = "setup"  # body: the Setup and the catalogue's digest
    EVENT = "event"  # body: {"text": canonical text of an action or draw}
    UNDO = "undo"  # body: {"to": number of the record whose state holds again, "consents": [...], "steps": [...]}
    OVERRULE = "overrule"  # body: {"why": ..., "events"/"state": ...}: a person decided against the evidence
    PROOF = "proof"  # body: commitment, entropy, reveal of the digital bag
    NOTE = "note"  # body: {"text": ...}: pause, dispute, alert shown, physical supply counted


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One accepted thing. `number` counts from 1 without gaps in a session; `hash` chains to the record before.

    `before` and `after` are digests of the game's state around the record (equal when it changes nothing).
    """

    schema: int
    session: str
    number: int
    time_ms: int  # Unix milliseconds, of the wall clock that was passed in
    cause: Cause
    kind: RecordKind
    body: tuple[tuple[str, Any], ...]  # sorted by key, JSON values
    before: str
    after: str
    previous_hash: str
    hash: str
