"""Puts a backup in the place of the data folder: unpacked beside it, tried, then exchanged with it in one step.

Killed at any moment, the data folder is the old one or the new one, whole. The old one is kept beside it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.backup import SETTINGS, STORE, Part, sqlite_store, unpack
from companion.app.files.sessions import open_store, read_session
from companion.app.files.settings import Settings, load_settings
from companion.core.errors import CompanionError, DataError, RecordError
from companion.table.record.store import Store

UNFINISHED = "unfinished-restore"
"""A file that marks a folder as one that a restore was still writing: the next restore removes it."""

RENAME_EXCHANGE = 2
"""Of Linux's renameat2: both names change hands in one step."""
AT_FDCWD = -100


@dataclass(frozen=True, slots=True)
class Restored:
    """What a backup came to: its parts and sessions; where the old data folder is kept, None when there was none."""

    parts: tuple[Part, ...]
    sessions: tuple[str, ...]
    kept: Path | None


def restore(settings: Settings, file: Path, *, config: Path, only_try: bool = False) -> Restored:
    """Try the backup `file`, and unless `only_try` put it in the place of the data folder.

    Every session's chain is checked and followed by the rules first. The settings of the backup are taken over where
    there is no file `config` yet. Raises DataError or RecordError when the backup is not sound, CompanionError when
    the record is in use or the disk fails; nothing is changed then.
    """
    folder = paths.data_dir(settings).absolute()
    if sqlite_store(settings) != folder / STORE:
        raise DataError(
            "the record is kept outside the data folder", where="setting store",
            remedy="Take the setting `store` away, restore, and move the record afterwards.",
        )
    beside = _beside(folder)
    try:
        parts = unpack(file, beside)
        tried = replace(settings, data_dir=str(beside), store="")
        sessions = _try(tried)
        if only_try:
            return Restored(parts, sessions, None)
        _keep_own_keys(folder, beside)
        _sync(beside)
        check_unused(settings)
        there = folder.exists()
        (beside / UNFINISHED).unlink()
        _exchange(beside, folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise CompanionError(f"the backup cannot be put in place: {error}", where=str(folder)) from error
    finally:
        if (beside / UNFINISHED).exists():
            shutil.rmtree(beside)
    if not config.exists():
        config.parent.mkdir(parents=True, exist_ok=True)
        write_whole(config, [(folder / SETTINGS).read_bytes()])
    return Restored(parts, sessions, beside if there else None)


def _beside(folder: Path) -> Path:
    """An empty folder beside the data folder, marked as unfinished; those of killed restores are removed."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        for old in folder.parent.glob(f"{folder.name}.before-restore-*"):
            if (old / UNFINISHED).exists():
                shutil.rmtree(old)
        number = 1
        while (beside := folder.with_name(f"{folder.name}.before-restore-{number}")).exists():
            number += 1
        beside.mkdir(mode=0o700)
        (beside / UNFINISHED).touch()
    except OSError as error:
        raise CompanionError(
            f"no room beside the data folder: {error}", where=str(folder.parent),
            remedy="A service installed by an earlier companion: run `install-service` again, then restore.",
        ) from error
    return beside


def _keep_own_keys(folder: Path, beside: Path) -> None:
    """A backup without keys leaves this machine its own."""
    if any((beside / name).exists() for name in paths.KEY_FOLDERS):
        return
    for name in paths.KEY_FOLDERS:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, beside / name)


def _try(settings: Settings) -> tuple[str, ...]:
    """The sessions of an unpacked backup, each read as for going on with it, and its settings."""
    kept = paths.data_dir(settings) / SETTINGS
    load_settings({}, kept)
    with open_store(settings) as store:
        names = store.names()
        for session in names:
            read_session(store, session)
    return names


def check_unused(settings: Settings) -> None:
    """Raise CompanionError when somebody uses the record in the data folder, naming who.

    The record is closed again before any folder is moved: closing writes to the place where it was opened.
    """
    store = paths.data_dir(settings).absolute() / STORE
    if not store.exists():
        return
    users = _processes_with(store)
    if users:
        raise CompanionError(
            f"process {', '.join(map(str, users))} uses the record", where=str(store),
            remedy="End the dashboard first (Ctrl+C, or `systemctl stop tabletop-companion`).",
        )
    with ExitStack() as held:
        try:
            opened = held.enter_context(open_store(settings))
            names = opened.names()
        except CompanionError:
            return  # damaged, which may be why it is replaced; it is kept beside the new one
        for session in names:
            _check_unwritten(opened, session)


def _check_unwritten(store: Store, session: str) -> None:
    try:
        store.writer(session).close()
    except (DataError, RecordError):
        return  # damaged: nobody can write to it


def _processes_with(file: Path) -> list[int]:
    """Other processes that have the file open, as far as this user may see them; none where there is no /proc."""
    found = []
    wanted = file.resolve()
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            opened = [os.readlink(link) for link in (process / "fd").iterdir()]
        except OSError:
            continue  # another user's, or it has ended
        if str(wanted) in opened:
            found.append(int(process.name))
    return sorted(found)


def _sync(folder: Path) -> None:
    """Wait until every name in the folder is on the disk; the files' bytes are already."""
    for path in (folder, *(p for p in folder.rglob("*") if p.is_dir())):
        sync_folder(path)


def sync_folder(folder: Path) -> None:
    """Wait until the names in `folder` are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _exchange(new: Path, place: Path) -> None:
    """Put `new` at `place` in one step; what was there is then called `new`. Raises OSError."""
    if not place.exists():
        new.rename(place)
        return
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if renameat2 is None:
        raise OSError(errno.ENOTSUP, "two folders cannot be exchanged here: rename the data folder, then restore")
    if renameat2(AT_FDCWD, os.fsencode(new), AT_FDCWD, os.fsencode(place), RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)}: rename the data folder, then restore")
