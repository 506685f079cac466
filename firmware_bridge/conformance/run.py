"""Runs the checks one by one; each starts from a box with nothing waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware_bridge.conformance.contact_checks import CONTACT_CHECKS
from firmware_bridge.conformance.link_checks import LINK_CHECKS
from firmware_bridge.conformance.rig import Rig
from firmware_bridge.conformance.talk import BrokenError, Talk

Check = Callable[[Talk], None]
FIRST_HELLO_MS = 4_500.0  # opening a port may have reset the board: its bootloader takes up to 2 s
BEACON_WAIT_MS = 300.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one check: "" in `broken` when the box does what PROTOCOL.md says."""

    name: str
    about: str
    broken: str

    @property
    def passed(self) -> bool:
        """Whether the box keeps to this."""
        return not self.broken


def checks_for(rig: Rig) -> tuple[Check, ...]:
    """The checks that a rig allows."""
    return LINK_CHECKS + CONTACT_CHECKS if rig.has_contacts else LINK_CHECKS


def wait_for_box(talk: Talk) -> bool:
    """Listen, as a host does, until the box has spoken; whether it did."""
    waited_ms = 0.0
    while not talk.heard and waited_ms < FIRST_HELLO_MS:
        talk.wait(BEACON_WAIT_MS)
        waited_ms += BEACON_WAIT_MS
    return bool(talk.heard)


def conformance(rig: Rig, checks: tuple[Check, ...] | None = None) -> Iterator[Outcome]:
    """The outcome of each check, as it is made."""
    talk = Talk(rig)
    if not wait_for_box(talk):
        yield Outcome("box speaks", "HELLO four times a second", "nothing came within 4.5 s")
        return
    for check in checks_for(rig) if checks is None else checks:
        try:
            check(talk)
            broken = ""
        except BrokenError as error:
            broken = str(error)
        about = (check.__doc__ or "").strip().splitlines()[0]
        yield Outcome(check.__name__.replace("_", " "), about, broken)
