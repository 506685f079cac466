"""Puts a backup in the place of the data folder: unpacked beside it, tried, then exchanged with it in one step.

Killed at any moment, the data folder is the old one or the new one, whole. The old one is kept beside it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sqlite3
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.backup import REMEDY, SETTINGS, STORE, Part, settings_text, sqlite_store, unpack
from companion.app.files.evening import TILES, Evening, keep_evening, last_evening
from companion.app.files.sessions import open_store, read_session
from companion.app.files.settings import Settings, load_settings
from companion.core.errors import CompanionError, DataError, RecordError
from companion.table.record.store import Store

UNFINISHED = "unfinished-restore"
"""A file that marks a folder as one that a restore was still writing: the next restore removes it."""

RENAME_EXCHANGE = 2
"""Of Linux's renameat2: both names change hands in one step."""
AT_FDCWD = -100
PLAIN = ("table", "index")
"""What a record of ours is made of, without a rule of what to do at a conflict."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a backup came to: its parts and sessions; where the old data folder is kept, None when there was none."""

    parts: tuple[Part, ...]
    sessions: tuple[str, ...]
    kept: Path | None


def restore(
    settings: Settings, file: Path, *, config: Path, only_try: bool = False, by_owner: bool = True
) -> Restored:
    """Try the backup `file`, and unless `only_try` put it in the place of the data folder.

    Every session's chain is checked and followed by the rules first. The settings of the backup are taken over where
    there is no file `config` yet, without those that name places. A backup may come from anybody: unless `by_owner`
    of this machine, its keys of pages, hall and hub and its devices are not taken, this machine keeps its own.
    Raises DataError or RecordError when the backup is not sound, CompanionError when the record is in use or the disk
    fails; nothing is changed then.
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
        _keep_own_keys(folder, beside, by_owner=by_owner)
        if not by_owner:
            _keep_own_devices(settings, tried)
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
        write_whole(config, [settings_text(load_settings({}, folder / SETTINGS)).encode()])
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


def _keep_own_keys(folder: Path, beside: Path, *, by_owner: bool) -> None:
    """A backup without keys leaves this machine its own; one that not its owner puts in place, too, but for the
    secrets of its bags, without which its games could not go on."""
    if by_owner and any((beside / name).exists() for name in paths.KEY_FOLDERS):
        return
    for name in paths.KEY_FOLDERS:
        if (beside / name).exists():
            if name == paths.SECRETS:
                continue
            _remove(beside / name)
        if (folder / name).is_dir():
            shutil.copytree(folder / name, beside / name)


def _keep_own_devices(settings: Settings, tried: Settings) -> None:
    """The session of the backup with the camera and the box of this machine: an address from elsewhere is not opened,
    nor a box file that lies outside what was restored."""
    ours, theirs = last_evening(settings), last_evening(tried)
    if theirs == Evening():
        return
    sources = {kind: source for kind, source in ours.sources.items() if kind != TILES}
    tiles = theirs.sources.get(TILES, "")
    if tiles and Path(tiles).resolve().is_relative_to(paths.data_dir(tried).resolve()):
        sources[TILES] = tiles
    keep_evening(tried, replace(theirs, sources=sources))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _try(settings: Settings) -> tuple[str, ...]:
    """The sessions of an unpacked backup, each read as for going on with it, and its settings."""
    kept = paths.data_dir(settings) / SETTINGS
    load_settings({}, kept)
    with open_store(settings) as store:
        _check_plain(paths.data_dir(settings) / STORE)
        names = store.names()
        for session in names:
            read_session(store, session)
    return names


def _check_plain(store: Path) -> None:
    """Raise RecordError when a record does more than keep rows: a trigger could drop every act that is written later,
    and nobody would see it before the next start."""
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    found = [f"{kind} {name}" for kind, name, sql in rows if kind not in PLAIN or "conflict" in sql.lower()]
    if found:
        raise RecordError(f"the record does more than keep rows: {', '.join(found)}", where=store.name, remedy=REMEDY)


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
