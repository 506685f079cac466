"""What a database reports, in words that say what is wrong and what to do."""

from __future__ import annotations

import errno
import sqlite3

import sqlalchemy as sa

from companion.core.errors import CompanionError, RecordError
from companion.core.messages import Message


class StoreError(CompanionError):
    """The record's file or server cannot be used now; nothing that was accepted is lost."""


class WriterTakenError(StoreError):
    """Another program is writing to the session."""


_REMEDIES = {
    "SQLITE_FULL": ("the disk is full", "Make room and try again."),
    "SQLITE_READONLY": ("the file may not be written", "Allow it, or choose another store (COMPANION_STORE)."),
    "SQLITE_CANTOPEN": ("the file cannot be opened", "Check the folder and its rights, or set COMPANION_STORE."),
    "SQLITE_PERM": ("the file may not be opened", "Check its rights, or set COMPANION_STORE."),
    "SQLITE_BUSY": ("another program holds the file", "End that program (a backup, a database browser), try again."),
    "SQLITE_LOCKED": ("another program holds the file", "End that program (a backup, a database browser), try again."),
    "SQLITE_IOERR": ("the disk does not take or give the data", "Check the disk and its room, then try again."),
}
"""By the first two words of SQLite's error name (https://sqlite.org/rescode.html): what is wrong, what to do."""

_RIGHTS = ("the file or folder may not be written", "See to its rights, or set COMPANION_STORE.")
_OF_SYSTEM = {
    errno.EROFS: ("this disk can only be read", "Make it writable, or set COMPANION_STORE."),
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.ENOSPC: _REMEDIES["SQLITE_FULL"],
}
"""What the system reports by its number: what is wrong, what to do."""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def may_not_write(error: StoreError) -> bool:
    """Whether a store failed because its file or folder may be read only."""
    origin = error.__cause__
    origin = origin.orig if isinstance(origin, sa.exc.DBAPIError) and origin.orig is not None else origin
    if isinstance(origin, OSError):
        return origin.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
    name = getattr(origin, "sqlite_errorname", "")
    return name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"))


def explain(error: Exception, where: str) -> CompanionError:
    """The StoreError, or for a damaged file the RecordError, for what a database or the system raised."""
    origin = error.orig if isinstance(error, sa.exc.DBAPIError) and error.orig is not None else error
    if isinstance(origin, OSError):
        reason = origin.strerror or str(origin)
        if origin.errno not in _OF_SYSTEM:
            return StoreError(reason, where=where, remedy="Check the path, or set COMPANION_STORE.")
        what, remedy = _OF_SYSTEM[origin.errno]
        return StoreError(Message("{what} ({origin})", what=what, origin=reason), where=where, remedy=remedy)
    if isinstance(origin, sqlite3.Error):
        name = "_".join(getattr(origin, "sqlite_errorname", "").split("_")[:2])
        if name in _DAMAGED:
            return RecordError(
                f"the file is damaged or no store ({origin})",
                where=where,
                remedy="It is left as it is: set COMPANION_STORE to a new file and `companion import` the last export.",
            )
        what, remedy = _REMEDIES.get(name, ("the store failed", "Check the disk, then try again."))
        return StoreError(Message("{what} ({origin})", what=what, origin=origin), where=where, remedy=remedy)
    first = str(origin).strip().split("\n")[0]
    return StoreError(first, where=where, remedy="Check that the server runs, its disk has room and you may write.")
