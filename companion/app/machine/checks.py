"""What the doctor asks of the machine itself: room, clock, network, https and a browser, each with its remedy."""

from __future__ import annotations

import datetime
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from asn1crypto import pem, x509

from companion.core.messages import Message

DISK = "{free} MB are free for {folder}"
DISK_CLOSED = "{folder} cannot be written to"
DISK_RIGHTS = "See to its rights, or choose another folder: setting data_dir."
DISK_FULL = "Make room, or choose another folder: setting data_dir."
CLOCK = "{now} UTC"
CLOCK_SET = "Set it: `sudo timedatectl set-ntp true`. Phones refuse https else."
NETWORK = "phones reach this machine at {address}"
NO_NETWORK = "no local network: phones cannot join"
NETWORK_JOIN = "Join the network the phones are in, then start the dashboard again, without `--bind 127.0.0.1`."
CERTIFICATE_LATER = "the certificate is made when the dashboard starts on this address"
CERTIFICATE_ENDED = "the certificate ended on {day}"
CERTIFICATE_HOLDS = "the certificate holds until {day}"
CERTIFICATE_ANEW = "Start the dashboard again: it makes a new one."
NO_BROWSER = "none is found on this machine"
BROWSER_ELSEWHERE = "Open the pages on a phone or another machine, or `sudo apt install chromium`."

LEAST_FREE_BYTES = 200 * 2**20
"""An evening with pictures and the box's bytes has some 100 MB (`files/bundle.py`), and as much again for a backup."""

BUILT = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
"""Older than the program no clock can be: one that says so has lost its battery, and certificates are not valid yet."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "firefox-esr")
ADDRESS_PASSWORD = re.compile(r'//[^/@\s"]*@')


class Severity(Enum):
    """How bad a finding is."""

    GOOD = "good"
    ADVICE = "advice"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """One thing that was looked at: what, how it stands, what is so, and what mends it ("" when nothing is to do)."""

    what: str
    verdict: Severity
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """The machine as the doctor sees it; a test hands in another one. `certificate_ends`: None when none is made."""

    free_bytes: Callable[[Path], int]
    now: datetime.datetime
    lan_address: str
    certificate_ends: datetime.datetime | None
    program: Callable[[str], str | None] = shutil.which
    writable: Callable[[Path], bool] = lambda path: os.access(path, os.W_OK)


def certificate_ends(path: Path) -> datetime.datetime:
    """The end of the certificate at the head of a PEM file, with its zone. Raises OSError, ValueError."""
    _, _, der = pem.unarmor(path.read_bytes())
    moment: datetime.datetime = x509.Certificate.load(der).not_valid_after
    return moment


def machine_lines(facts: MachineFacts, folder: Path) -> tuple[MachineCheck, ...]:
    """Disk, clock, network, https and browser of a machine whose data folder is `folder`."""
    return (_disk(facts, folder), _clock(facts), _network(facts), _https(facts), _browser(facts))


def without_passwords(text: str, home: Path) -> str:
    """`text` without what stands before @ in addresses, and with ~ for the user's own folder."""
    return ADDRESS_PASSWORD.sub("//…@", text).replace(str(home), "~")


def _disk(facts: MachineFacts, folder: Path) -> MachineCheck:
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not facts.writable(there):
        return MachineCheck("disk", Severity.TROUBLE, Message(DISK_CLOSED, folder=str(folder)), DISK_RIGHTS)
    free = facts.free_bytes(there)
    text = Message(DISK, free=f"{free / 1e6:.0f}", folder=str(folder))
    if free < LEAST_FREE_BYTES:
        return MachineCheck("disk", Severity.TROUBLE, text, DISK_FULL)
    return MachineCheck("disk", Severity.GOOD, text)


def _clock(facts: MachineFacts) -> MachineCheck:
    text = Message(CLOCK, now=f"{facts.now:%Y-%m-%d %H:%M}")
    if facts.now < BUILT:
        return MachineCheck("clock", Severity.TROUBLE, text,
                    CLOCK_SET)
    return MachineCheck("clock", Severity.GOOD, text)


def _network(facts: MachineFacts) -> MachineCheck:
    if facts.lan_address.startswith("127."):
        return MachineCheck("network", Severity.ADVICE, NO_NETWORK,
                    NETWORK_JOIN)
    return MachineCheck("network", Severity.GOOD, Message(NETWORK, address=facts.lan_address))


def _https(facts: MachineFacts) -> MachineCheck:
    ends = facts.certificate_ends
    if ends is None:
        return MachineCheck("https", Severity.GOOD, CERTIFICATE_LATER)
    if ends <= facts.now:
        return MachineCheck("https", Severity.ADVICE, Message(CERTIFICATE_ENDED, day=f"{ends:%Y-%m-%d}"),
                    CERTIFICATE_ANEW)
    return MachineCheck("https", Severity.GOOD, Message(CERTIFICATE_HOLDS, day=f"{ends:%Y-%m-%d}"))


def _browser(facts: MachineFacts) -> MachineCheck:
    found = next((name for name in BROWSERS if facts.program(name)), None)
    if found is None:
        return MachineCheck("browser", Severity.ADVICE, NO_BROWSER,
                    BROWSER_ELSEWHERE)
    return MachineCheck("browser", Severity.GOOD, found)
