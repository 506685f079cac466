"""The tables of the hall: how one joins by a code, its key, and when it was last heard of.

A code is given out once and ends after a quarter of an hour. Code and key have so much chance in them that a plain
hash keeps them: nobody tries out 2**60 or 2**256.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from companion.core.errors import DataError
from companion.hub.store.database import Database, notify, rows

CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 signs that nobody takes for another one: five bits each."""
CODE_LENGTH, CODE_GROUP = 12, 4
CODE_MS = 15 * 60_000
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table: whether it has a key, and when it was last heard of (0: never)."""

    id: int
    name: str
    joined: bool
    seen_ms: int
    code_until_ms: int
    machine: str


class HallTables:
    """The tables and their keys. For any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[HallTable, ...]:
        """Every table, by name."""
        found = self._database.rows("SELECT * FROM hall_tables ORDER BY length(name), name")
        return tuple(
            HallTable(row["id"], row["name"], row["key_hash"] is not None, row["seen_ms"] or 0,
                      row["code_until_ms"] or 0, row["machine"])
            for row in found
        )

    def add(self, name: str, now_ms: int) -> int:
        """A new table. Raises DataError for no name, and for one that another table has."""
        if not 1 <= len(name.strip()) <= 40:
            raise DataError("a table's name has 1 to 40 letters")
        try:
            with self._database.transaction() as connection:
                made = connection.execute(
                    sa.text("INSERT INTO hall_tables (name, made_ms) VALUES (:name, :now) RETURNING id"),
                    {"name": name.strip(), "now": now_ms},
                ).scalar_one()
                notify(connection, "tables")
        except Exception as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):
                raise DataError("another table has this name", remedy="Choose another name.") from error
            raise
        return int(made)

    def new_code(self, table: int, now_ms: int) -> str:
        """A code by which one machine becomes this table; an earlier one is no good any more. Raises DataError when
        there is no such table."""
        letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        found = self._database.rows(
            "UPDATE hall_tables SET code_hash = :hash, code_until_ms = :until WHERE id = :id RETURNING id",
            id=table, hash=_hash(letters), until=now_ms + CODE_MS,
        )
        if not found:
            raise DataError("there is no such table")
        return "-".join(letters[i : i + CODE_GROUP] for i in range(0, CODE_LENGTH, CODE_GROUP))

    def join(self, code: str, machine: str, now_ms: int) -> tuple[int, str, str]:
        """The table whose code this is: its number, name and new key; the code, and the key of a machine that was this
        table before, are no good any more. Raises DataError for a wrong or late code."""
        letters = "".join(sign for sign in code.upper() if sign in CODE_LETTERS)
        key = secrets.token_hex(KEY_BYTES)
        with self._database.transaction() as connection:
            found = rows(
                connection,
                "UPDATE hall_tables SET code_hash = NULL, code_until_ms = NULL, key_hash = :key, joined_ms = :now,"
                " seen_ms = :now, machine = :machine WHERE code_hash = :hash AND code_until_ms >= :now"
                " RETURNING id, name",
                key=_hash(key), now=now_ms, machine=machine[:80], hash=_hash(letters),
            )
            if not found:
                raise DataError("this code is wrong, used or too old", remedy="Ask the organiser for a new one.")
            notify(connection, "tables")
        return found[0]["id"], found[0]["name"], key

    def revoke(self, table: int) -> None:
        """Whoever is this table now is so no more, until it joins by a new code."""
        with self._database.transaction() as connection:
            rows(connection, "UPDATE hall_tables SET key_hash = NULL, code_hash = NULL WHERE id = :id", id=table)
            notify(connection, "tables")

    def with_key(self, table: int, key: str) -> bool:
        """Whether `key` is that table's now."""
        found = self._database.rows("SELECT key_hash FROM hall_tables WHERE id = :id", id=table)
        kept = found[0]["key_hash"] if found else None
        return kept is not None and hmac.compare_digest(kept, _hash(key))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
