"""When the file of a record is removed or replaced while it is written to: that is noticed, and what it held is saved.

The system keeps a removed file for whoever has it open: the records can still be read, but nothing that is written
there is found again by anybody.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.table.record.trouble import StoreError

Identity = tuple[int, int]
"""Device and number of a file: another file under the same name has others."""


def identity(path: Path) -> Identity | None:
    """Which file stands at `path` now; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def saved_elsewhere(connection: Connection, path: Path, session: str) -> Path:
    """A copy, as a store of its own, of what an open connection still reads of the file that stood at `path`.

    It is put beside it, or among the temporary files when there is no room. Raises StoreError when neither can be.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    for folder in (path.parent, Path(tempfile.gettempdir())):
        copy = folder / f"{path.stem}-saved-{session}.sqlite"
        number = 1
        while copy.exists():
            number += 1
            copy = folder / f"{path.stem}-saved-{session}-{number}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kept = sqlite3.connect(copy)
            try:
                driver.backup(kept)
            finally:
                kept.close()
        except (OSError, sqlite3.Error, sa.exc.SQLAlchemyError):
            copy.unlink(missing_ok=True)
            continue
        copy.chmod(0o600)
        return copy
    raise StoreError(
        "the record's file was removed or replaced and cannot be saved elsewhere", where=str(path),
        remedy="Leave the companion running and make room: what was accepted is in its hands only.",
    )


def gone(path: Path, copy: Path) -> StoreError:
    """What is said when the file at `path` is not the one that was opened; `copy` holds what was accepted."""
    return StoreError(
        f"the record's file was removed or replaced; all that was accepted is in {copy}", where=str(path),
        remedy="Nothing more is taken: end the companion, put that file in the other one's place and go on.",
    )


def readable_copy(path: Path) -> tempfile.TemporaryDirectory[str] | None:
    """A folder with a copy of the store at `path`, for who may read but not write it; None when it cannot be read.

    A store that is not written to cannot be opened where it lies: its journal wants files beside it.
    """
    if not path.is_file():
        return None
    folder = tempfile.TemporaryDirectory(prefix="companion-read-")
    try:
        for name in (path.name, f"{path.name}-wal"):
            source = path.with_name(name)
            if source.is_file():
                shutil.copyfile(source, Path(folder.name) / name)
    except OSError:
        folder.cleanup()
        return None
    return folder
