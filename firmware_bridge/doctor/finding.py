"""What the doctor found, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

RULE = Path(__file__).parents[1] / "70-tabletop-companion.rules"
INSTALL_RULE = f"sudo cp {RULE} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"


class Verdict(Enum):
    """How bad a finding is."""

    GOOD = "good"
    ADVICE = "advice"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and the command that mends it ("" when nothing is to be done)."""

    verdict: Verdict
    text: str
    command: str = ""


def trouble(text: str, command: str = "") -> Finding:
    """Something that keeps the box from working."""
    return Finding(Verdict.TROUBLE, text, command)


def advice(text: str, command: str = "") -> Finding:
    """Something that works and could be better."""
    return Finding(Verdict.ADVICE, text, command)
