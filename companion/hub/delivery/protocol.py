"""What goes between a table and the hub: records as commitments, what may be known of them, and later their openings.

For record n with its line (the canonical JSON of an export) the table sends `commitment` = SHA-256(salt + ":" + line).
The salt is HMAC-SHA-256 of a 32-byte seal that the table's store keeps for the session, so nobody who tries out all
possible lines finds the right one. Commitments are chained: `link` n = SHA-256(link n-1 + commitment n). The hub
answers with its head (number, link, how many are opened); a table whose own link differs there has another past. When
nothing secret is left in a line, salt and line are sent: the hub compares them with the commitment, and the line's own
hash with the line before.

A session is the same session wherever its record 1 has the same hash (`origin`). Pure: no I/O, used by both ends.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.digest import canonical_json
from companion.core.errors import DataError, RecordError
from companion.core.events import LogRecord
from companion.table.record.records import check_link, record_from_json, record_to_json

PROTOCOL = 1
BATCH_RECORDS, BATCH_BYTES = 200, 1_000_000
"""A batch ends with the first that is reached; a line has some 1,000 bytes, an overruling a whole state."""
FIRST_LINK = hashlib.sha256(b"tabletop-companion hall 1").hexdigest()
SEAL_BYTES = 32
SEAL = "hall-seal {session}"
"""Where a table's store keeps a session's seal, as hex: it goes with a backup, a bundle and a copy of the store."""
_HEX64 = 64


@dataclass(frozen=True, slots=True)
class Sent:
    """A record as it is first sent: `told` is what a spectator of the table may know of it now."""

    number: int
    commitment: str
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Opening:
    """A record whose line may be known: it was committed to by this salt."""

    number: int
    salt: str
    line: str


@dataclass(frozen=True, slots=True)
class Head:
    """How far one end is: the number and link of the last record, and how many are opened (all from the first on)."""

    number: int = 0
    link: str = FIRST_LINK
    opened: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """What a table sends of one session: records after `after`, whose link there is `link`, and openings in order."""

    session: str
    origin: str
    header: str
    after: int
    link: str
    sent: tuple[Sent, ...] = ()
    openings: tuple[Opening, ...] = ()
    over: bool = False


def salt_of(seal: bytes, number: int) -> str:
    """The salt of record `number`, 64 hex digits, from the session's seal of SEAL_BYTES random bytes."""
    return hmac.new(seal, f"record {number}".encode(), hashlib.sha256).hexdigest()


def commitment_of(salt: str, line: str) -> str:
    """The commitment to `line`, 64 hex digits."""
    return hashlib.sha256(f"{salt}:{line}".encode()).hexdigest()


def link_after(link: str, commitment: str) -> str:
    """The link of a record, from the one before it."""
    return hashlib.sha256(f"{link}{commitment}".encode()).hexdigest()


def line_of(record: LogRecord) -> str:
    """The line of a record, as an export has it."""
    return canonical_json(record_to_json(record))


def opened_record(opening: Opening, commitment: str, *, session: str, previous_hash: str) -> LogRecord:
    """The record of an opening that is what was committed to and follows `previous_hash`. Raises RecordError."""
    where = f"record {opening.number} of session {session}"
    if commitment_of(opening.salt, opening.line) != commitment:
        raise RecordError("this is not what was committed to", where=where)
    try:
        data = json.loads(opening.line)
        if canonical_json(data) != opening.line:
            raise ValueError("not canonical")
        record = record_from_json(data)
    except (ValueError, RecursionError, DataError) as error:
        raise RecordError(f"the line cannot be read: {error}", where=where) from error
    check_link(record, session=session, number=opening.number, previous_hash=previous_hash)
    return record


def agrees(told: Mapping[str, Any], record: LogRecord) -> bool:
    """Whether what was told of a record beforehand is what its line says."""
    body, detail = dict(record.body), dict(record.cause.detail)
    cause = told.get("cause", {})
    same = (told.get("number"), told.get("time_ms"), told.get("kind"), cause.get("kind"))
    if same != (record.number, record.time_ms, record.kind.value, record.cause.kind.value):
        return False
    said = all(key in body and body[key] == value for key, value in told.get("body", {}).items())
    return said and all(
        key in detail and (key == "proof" or detail[key] == value) for key, value in cause.get("detail", {}).items()
    )


def batch_to_json(batch: Batch) -> dict[str, Any]:
    """A batch as JSON; `batch_from_json` is the inverse."""
    return {
        "protocol": PROTOCOL,
        "session": batch.session,
        "origin": batch.origin,
        "header": batch.header,
        "after": batch.after,
        "link": batch.link,
        "sent": [[one.number, one.commitment, one.told] for one in batch.sent],
        "openings": [[one.number, one.salt, one.line] for one in batch.openings],
        "over": batch.over,
    }


def batch_from_json(data: Any) -> Batch:
    """The batch that `batch_to_json` wrote. Raises DataError naming what is wrong; nothing is taken from such a one."""
    form = {"protocol": int, "session": str, "origin": str, "header": str, "after": int, "link": str, "sent": list,
            "openings": list, "over": bool}
    if not isinstance(data, dict) or set(data) != set(form):
        raise DataError("a delivery has other parts than these: " + ", ".join(form))
    wrong = [key for key, kind in form.items() if type(data[key]) is not kind]
    if not wrong and data["protocol"] != PROTOCOL:
        raise DataError(f"expected protocol {PROTOCOL}, got {data['protocol']}", remedy="Update the older companion.")
    wrong += [f"sent[{n}]" for n, one in enumerate(data["sent"] if "sent" not in wrong else ())
              if not (_row(one, int, str, dict) and one[0] == data["after"] + n + 1 and _is_hash(one[1]))]
    wrong += [f"openings[{n}]" for n, one in enumerate(data["openings"] if "openings" not in wrong else ())
              if not (_row(one, int, str, str) and _is_hash(one[1]))]
    if not wrong:
        wrong += [key for key in ("origin", "link") if not _is_hash(data[key])]
    if wrong or len(data["sent"]) > BATCH_RECORDS or len(data["openings"]) > BATCH_RECORDS:
        raise DataError("a delivery cannot be read: " + (", ".join(wrong[:5]) or "too many records"))
    return Batch(
        data["session"], data["origin"], data["header"], data["after"], data["link"],
        tuple(Sent(*one) for one in data["sent"]), tuple(Opening(*one) for one in data["openings"]), data["over"],
    )


def _row(value: Any, *kinds: type) -> bool:
    return (isinstance(value, list) and len(value) == len(kinds)
            and all(type(one) is kind for one, kind in zip(value, kinds, strict=True)))


def _is_hash(text: str) -> bool:
    return len(text) == _HEX64 and all(sign in "0123456789abcdef" for sign in text)
