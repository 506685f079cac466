"""The hub's end: a batch is taken in as a whole or not at all, each record once and in order, whatever comes twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from companion.core.digest import canonical_json
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.messages import Message
from companion.hub.delivery.protocol import FIRST_LINK, Batch, Head, Opening, Sent, agrees, link_after, opened_record
from companion.hub.store.database import Database, Row, notify, rows
from companion.table.record.records import FIRST_HASH, SessionHeader, check_chain, check_session_id
from companion.table.record.store_tables import read_header

OTHER_TABLE = Message("this session is another table's at the hub: make a code for that table and join with it")
FORKED = Message(
    "the hub has another course of this session: go on with the machine that has it, or let the organiser take this one"
)
NOT_COMMITTED = Message("what was opened is not what was committed to: the organiser decides whose record holds")


class RefusedError(CompanionError):
    """A delivery that is refused until somebody has decided; nothing of it was kept."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A session as the hub has it: `fork` is why nothing more is taken of it, "" when all is well."""

    id: int
    table: int
    session: str
    number: int
    opened: int
    over: bool
    changed_ms: int
    fork: str
    put_aside: bool


class Intake:
    """Takes in what tables deliver. For any thread and process: a session is locked while a batch of it is taken in."""

    def __init__(self, database: Database, clock_ms: Callable[[], int]) -> None:
        self._database, self._clock_ms = database, clock_ms

    def take(self, table: int, batch: Batch) -> Head:
        """Take in a batch; how far the hub is then. A batch that begins after that head, or holds nothing new, changes
        nothing. Raises RefusedError, and DataError for a header that is none."""
        header = _header(batch)
        try:
            with self._database.transaction() as connection:
                return self._taken(connection, table, batch, header)
        except _ForkError as fork:
            with self._database.transaction() as connection:
                rows(connection, "UPDATE hall_sessions SET fork = :why, fork_ms = :now WHERE id = :id AND fork = ''",
                     id=fork.session, why=str(fork.why), now=self._clock_ms())
                notify(connection, "tables")
            raise RefusedError(str(fork.why)) from fork

    def _taken(self, connection: Connection, table: int, batch: Batch, header: SessionHeader) -> Head:
        now = self._clock_ms()
        find = "SELECT * FROM hall_sessions WHERE origin = :origin AND put_aside_ms IS NULL FOR UPDATE"
        found = rows(connection, find, origin=batch.origin)
        if not found:
            rows(connection,
                 "INSERT INTO hall_sessions (table_id, session, origin, header, made_ms, link, opened_hash, changed_ms)"
                 " VALUES (:table, :session, :origin, :header, :made, :link, :first, :now) ON CONFLICT DO NOTHING",
                 table=table, session=batch.session, origin=batch.origin, header=batch.header, made=header.created_ms,
                 link=FIRST_LINK, first=FIRST_HASH, now=now)
            found = rows(connection, find, origin=batch.origin)
        row = found[0]
        if row["table_id"] != table:
            raise RefusedError(str(OTHER_TABLE))
        if row["fork"]:
            raise RefusedError(row["fork"])
        if (row["session"], row["header"]) != (batch.session, batch.header):
            raise _ForkError(row["id"], FORKED)
        head = Head(row["number"], row["link"], row["opened"])
        if batch.after > head.number:
            return head
        self._same_past(connection, row, batch, head)
        new = [one for one in batch.sent if one.number > head.number]
        head = self._append(connection, row["id"], head, new, now)
        opened_hash = row["opened_hash"]
        due = [one for one in batch.openings if one.number > head.opened]
        if due:
            head, opened_hash = self._open(connection, row, head, opened_hash, header, due)
        if new or due or batch.over != row["over"]:
            rows(connection,
                 "UPDATE hall_sessions SET number = :number, link = :link, opened = :opened, opened_hash = :hash,"
                 " over = :over, changed_ms = :now WHERE id = :id",
                 id=row["id"], number=head.number, link=head.link, opened=head.opened, hash=opened_hash,
                 over=batch.over, now=now)
            notify(connection, "records", table=table, session=row["id"])
        return head

    def _same_past(self, connection: Connection, row: Row, batch: Batch, head: Head) -> None:
        """Raises _ForkError when the table's link at `after`, or a commitment that the hub has, is another one."""
        last = min(head.number, batch.after + len(batch.sent))
        there = {
            one["number"]: one for one in rows(
                connection, "SELECT number, link, commitment FROM hall_records WHERE session_id = :id"
                            " AND number BETWEEN :first AND :last", id=row["id"], first=batch.after, last=last)
        } if last else {}
        link = FIRST_LINK if batch.after == 0 else there[batch.after]["link"]
        again = [one for one in batch.sent if one.number <= last]
        if link != batch.link or any(there[one.number]["commitment"] != one.commitment for one in again):
            raise _ForkError(row["id"], FORKED)

    def _append(self, connection: Connection, session: int, head: Head, new: list[Sent], now: int) -> Head:
        values = []
        link = head.link
        for one in new:
            link = link_after(link, one.commitment)
            values.append({"session_id": session, "number": one.number, "commitment": one.commitment, "link": link,
                           "told": canonical_json(dict(one.told)), "arrived_ms": now})
        if values:
            connection.exec_driver_sql(
                "INSERT INTO hall_records (session_id, number, commitment, link, told, arrived_ms)"
                " VALUES (%(session_id)s, %(number)s, %(commitment)s, %(link)s, %(told)s, %(arrived_ms)s)", values,
            )
        return Head(head.number + len(new), link, head.opened)

    def _open(
        self, connection: Connection, row: Row, head: Head, previous: str, header: SessionHeader, due: list[Opening]
    ) -> tuple[Head, str]:
        """Check and keep openings; raises _ForkError when one is not what was committed to."""
        kept = {one["number"]: one for one in rows(
            connection, "SELECT number, commitment, told FROM hall_records WHERE session_id = :id"
                        " AND number BETWEEN :first AND :last",
            id=row["id"], first=head.opened + 1, last=due[-1].number)}
        values = []
        for number, opening in enumerate(due, start=head.opened + 1):
            if opening.number != number or number not in kept:
                break  # sent again, or before its commitment: the next batch begins where the head says
            try:
                record = opened_record(opening, kept[number]["commitment"], session=row["session"],
                                       previous_hash=previous)
                if number == 1:
                    list(check_chain(header, [record]))
            except RecordError as error:
                raise _ForkError(row["id"], NOT_COMMITTED) from error
            wrong_first = number == 1 and record.hash != row["origin"]
            if wrong_first or not agrees(json.loads(kept[number]["told"]), record):
                raise _ForkError(row["id"], NOT_COMMITTED)
            previous = record.hash
            values.append({"id": row["id"], "number": number, "salt": opening.salt, "line": opening.line})
        if values:
            connection.exec_driver_sql(
                "UPDATE hall_records SET salt = %(salt)s, line = %(line)s"
                " WHERE session_id = %(id)s AND number = %(number)s", values,
            )
        return Head(head.number, head.link, head.opened + len(values)), previous

    # -- for the hall's people -----------------------------------------------------------------------------------

    def deliveries(self, table: int | None = None) -> tuple[Delivery, ...]:
        """What every table, or one, has delivered, the newest first."""
        found = self._database.rows(
            "SELECT * FROM hall_sessions WHERE CAST(:table AS integer) IS NULL OR table_id = :table"
            " ORDER BY changed_ms DESC, id DESC", table=table,
        )
        return tuple(
            Delivery(r["id"], r["table_id"], r["session"], r["number"], r["opened"], r["over"], r["changed_ms"],
                     r["fork"], r["put_aside_ms"] is not None)
            for r in found
        )

    def put_aside(self, session: int) -> None:
        """The organiser decides for the table's record: what the hub has of the session stays, put aside, and the table
        delivers anew from the first record on. Raises DataError when there is no such session."""
        with self._database.transaction() as connection:
            done = rows(connection, "UPDATE hall_sessions SET put_aside_ms = :now WHERE id = :id"
                                    " AND put_aside_ms IS NULL RETURNING id", id=session, now=self._clock_ms())
            if not done:
                raise DataError("there is no such session")
            notify(connection, "tables")

    def lines(self, session: int) -> list[str]:
        """The opened lines of a session, in order."""
        found = self._database.rows(
            "SELECT line FROM hall_records WHERE session_id = :id AND line IS NOT NULL ORDER BY number", id=session
        )
        return [row["line"] for row in found]


class _ForkError(Exception):
    """The table's record of a session and the hub's are not the same one."""

    def __init__(self, session: int, why: Message) -> None:
        super().__init__(why)
        self.session, self.why = session, why


def _header(batch: Batch) -> SessionHeader:
    """The header of a batch. Raises DataError when it is none."""
    check_session_id(batch.session)
    try:
        data = json.loads(batch.header)
        if type(data["created_ms"]) is not int:
            raise TypeError("created_ms is no whole number")
        return read_header(batch.session, batch.header, data["created_ms"])
    except (ValueError, KeyError, TypeError, RecordError) as error:
        raise DataError(f"the header of session {batch.session} cannot be read") from error
