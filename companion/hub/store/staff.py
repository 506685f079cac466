"""The hall's people: organiser and referees, each with a PIN of their own that can be taken back."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import Enum

from werkzeug.security import check_password_hash, generate_password_hash

from companion.core.errors import DataError
from companion.hub.store.database import Database, Row, rows

PIN_DIGITS = 8
"""As at a table: eight digits, with the waiting after wrong ones, hold for years."""
KEY_BYTES = 32
PIN_METHOD = "scrypt:16384:8:1"
"""A PIN is short, so that each try must cost: some 50 ms and 16 MB here."""


class StaffRole(Enum):
    """What a person of the hall may do."""

    ORGANISER = "organiser"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the hall. `serial` counts the PINs that the person has had: an older log-in is none any more."""

    id: int
    name: str
    role: StaffRole
    serial: int


class Staff:
    """Who works in the hall. For any thread; every process sees the same."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def key(self) -> bytes:
        """The secret that signs log-ins, the same for all processes of this hub; made at the first start."""
        with self._database.transaction() as connection:
            rows(connection, "INSERT INTO hall_meta VALUES ('key', :new) ON CONFLICT DO NOTHING",
                 new=secrets.token_hex(KEY_BYTES))
            return bytes.fromhex(rows(connection, "SELECT value FROM hall_meta WHERE key = 'key'")[0]["value"])

    def begin(self, pin: str = "") -> str:
        """The first start: make the organiser. Returns the new PIN, "" when there is an organiser and no other `pin`
        was given."""
        there = self._database.rows("SELECT id FROM hall_staff WHERE role = 'organiser' AND revoked_ms IS NULL")
        if there:
            return self.change_pin(there[0]["id"], pin) if pin else ""
        return self.add("organiser", StaffRole.ORGANISER, pin)[1]

    def add(self, name: str, role: StaffRole, pin: str = "") -> tuple[int, str]:
        """A new person: the number and the PIN. Raises DataError without a name."""
        if not 1 <= len(name.strip()) <= 60:
            raise DataError("a name has 1 to 60 letters")
        pin = pin or new_pin()
        made = self._database.rows(
            "INSERT INTO hall_staff (name, role, pin_hash) VALUES (:name, :role, :pin) RETURNING id",
            name=name.strip(), role=role.value, pin=generate_password_hash(pin, PIN_METHOD),
        )
        return int(made[0]["id"]), pin

    def change_pin(self, person: int, pin: str = "") -> str:
        """Another PIN; whoever is logged in by the old one is so no more."""
        pin = pin or new_pin()
        self._database.rows("UPDATE hall_staff SET pin_hash = :pin, serial = serial + 1 WHERE id = :id", id=person,
                            pin=generate_password_hash(pin, PIN_METHOD))
        return pin

    def revoke(self, person: int, now_ms: int) -> None:
        """Take a person's rights back, at once."""
        self._database.rows("UPDATE hall_staff SET revoked_ms = :now WHERE id = :id AND role <> 'organiser'",
                            id=person, now=now_ms)

    def people(self) -> tuple[Person, ...]:
        """Everybody who has rights now."""
        found = self._database.rows("SELECT * FROM hall_staff WHERE revoked_ms IS NULL ORDER BY id")
        return tuple(_person(row) for row in found)

    def with_pin(self, pin: str) -> Person | None:
        """Whose PIN this is; every hash is compared, so that the time says nothing of whose it nearly was."""
        found = self._database.rows("SELECT * FROM hall_staff WHERE revoked_ms IS NULL ORDER BY id")
        right = [row for row in found if check_password_hash(row["pin_hash"], pin.strip())]
        return _person(right[0]) if right else None

    def known(self, person: int, serial: int) -> Person | None:
        """The person of a log-in, unless it was taken back since."""
        found = self._database.rows(
            "SELECT * FROM hall_staff WHERE id = :id AND serial = :serial AND revoked_ms IS NULL",
            id=person, serial=serial,
        )
        return _person(found[0]) if found else None


def new_pin() -> str:
    """A PIN that nobody has chosen."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


def _person(row: Row) -> Person:
    return Person(row["id"], row["name"], StaffRole(row["role"]), row["serial"])
