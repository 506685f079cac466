"""Everything a companion keeps in one file, and back: record, settings, profiles, boxes, secrets, evidence.

A backup is a zip file: a list of its parts with sizes and SHA-256, the record's store as one consistent copy (a game
may go on meanwhile), the settings that are not of this machine, and every other file of the data folder. It holds
what the data folder holds, keys included, and so is written for its owner alone.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.settings import Settings
from companion.core.errors import CompanionError, DataError
from companion.core.files import parse_json
from companion.table.record.rescue import readable_copy
from companion.table.record.store_address import store_url

FORMAT, SCHEMA = "companion-backup", 1
MANIFEST = "manifest.json"
STORE = "sessions.sqlite"
SETTINGS = "settings-of-backup.toml"
HERE_ONLY = frozenset({"data_dir", "store", "games_dir", "shut_down"})
"""Settings that name places of this machine; an address may hold a password. Left out."""

CHUNK_BYTES = 1 << 20
LARGEST_LIST_BYTES = 64 * 2**20
"""Of the list of parts, unpacked: some 200 bytes a part, so 300,000 pictures."""
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, OSError, EOFError, RuntimeError, zipfile.BadZipFile)
REMEDY = "Get a whole, unchanged copy of the backup."


@dataclass(frozen=True, slots=True)
class Part:
    """A file in a backup: its place in the data folder, bytes, SHA-256 in hex."""

    name: str
    size: int
    sha256: str


def write_backup(settings: Settings, file: Path, *, keys: bool = True) -> tuple[Part, ...]:
    """Write everything to `file`, whole or not at all; without `keys` all but those (`paths.KEY_FOLDERS`).

    Returns its parts. Raises DataError when the record is on a database server or `file` lies in the data folder.
    """
    folder = paths.data_dir(settings).absolute()
    if file.absolute().is_relative_to(folder):
        raise DataError("a backup cannot lie in the folder it is of", where=str(file), remedy="Choose another place.")
    store = sqlite_store(settings)
    parts: list[Part] = []
    try:
        with (
            tempfile.TemporaryDirectory(prefix=".companion-backup-", dir=file.absolute().parent) as near,
            tempfile.TemporaryFile(dir=near) as target,
        ):
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                # A bag's secret is written before its commitment is recorded and removed after it is revealed: read
                # before and after the copy of the record, no secret that the copy needs is missing.
                secret = paths.secrets_dir(settings).glob("*.secret") if keys else ()
                before = {path: path.read_bytes() for path in secret}
                if store.exists():
                    copy = Path(near) / STORE
                    _copy_store(store, copy)
                    parts.append(_add(archive, STORE, copy))
                parts.append(_add(archive, SETTINGS, settings_text(settings).encode()))
                found = [path for path in sorted(folder.rglob("*")) if _belongs(path, folder, store, keys=keys)]
                for path in found:
                    parts += _added(archive, path.relative_to(folder).as_posix(), path)
                for path, data in before.items():
                    if path not in found:
                        parts.append(_add(archive, path.relative_to(folder).as_posix(), data))
                listed = {"format": FORMAT, "schema": SCHEMA, "companion": version("tabletop-companion"),
                          "parts": [asdict(part) for part in parts]}
                archive.writestr(MANIFEST, json.dumps(listed, indent=1))
            target.seek(0)
            write_whole(file, iter(lambda: target.read(CHUNK_BYTES), b""))
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CompanionError(f"the backup cannot be written: {why}", where=str(file),
                             remedy="Choose another place with room.") from error
    return tuple(parts)


def unpack(file: Path, folder: Path) -> tuple[Part, ...]:
    """Unpack a backup into the empty `folder`, each part compared with the list; returns the parts.

    Raises DataError that lists every damaged, missing or foreign part.
    """
    problems: list[str] = []
    try:
        with zipfile.ZipFile(file) as archive:
            parts = _listed(archive, str(file))
            names = [info.filename for info in archive.infolist() if info.filename != MANIFEST]
            wanted = [part.name for part in parts]
            problems += [f"{name}: not in the list of parts" for name in sorted(set(names) - set(wanted))]
            problems += [f"{name}: there more than once" for name in sorted({n for n in names if names.count(n) > 1})]
            problems += [f"{name}: no place in a data folder" for name in wanted if not _safe(name)]
            room, needed = shutil.disk_usage(folder).free, sum(part.size for part in parts)
            if needed > room:
                problems.append(f"{needed} bytes are needed in {folder.parent}, {room} are free")
            for part in parts if not problems else ():
                problems += _unpack_part(archive, part, folder)
    except (OSError, zipfile.BadZipFile, EOFError) as error:
        raise DataError(f"this is no backup ({error})", where=str(file), remedy=REMEDY) from error
    if problems:
        raise DataError("; ".join(problems), where=str(file), remedy=REMEDY)
    return parts


def sqlite_store(settings: Settings) -> Path:
    """The record's file. Raises DataError when it is on a database server."""
    url = store_url(paths.store_address(settings))
    if url.get_backend_name() != "sqlite":
        raise DataError(
            "the record is on a database server, which is not in a backup", where="setting store",
            remedy="Use `pg_dump` for the server, or `companion export` for each session.",
        )
    return Path(url.database or "").absolute()


def _copy_store(store: Path, copy: Path) -> None:
    """One consistent state of a store that others may be writing to; of one that may only be read, as it is now."""
    if not (os.access(store, os.W_OK) and os.access(store.parent, os.W_OK)):
        readable = readable_copy(store)
        if readable is None:
            raise PermissionError(errno.EACCES, "the record cannot be read", str(store))
        with readable as near:
            _copy_store(Path(near) / store.name, copy)
        return
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=rw", uri=True)) as source, closing(
        sqlite3.connect(copy)
    ) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")


def settings_text(settings: Settings) -> str:
    """The settings as a file, without those of HERE_ONLY; a TOML text is written like a JSON one."""
    kept = {k: v for k, v in asdict(settings).items() if k not in HERE_ONLY}
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in kept.items())


def _belongs(path: Path, folder: Path, store: Path, *, keys: bool) -> bool:
    """Whether a file is to be kept: not the store and its companions, nothing half written, not an earlier restore."""
    parts = path.relative_to(folder).parts
    if parts[0] in paths.KEY_FOLDERS and not keys:
        return False
    own = path.name.startswith(store.name) and path.parent == store.parent
    locks = folder.joinpath(parts[0]) == store.with_name(store.name + ".locks")
    return path.is_file() and not own and not locks and _safe("/".join(parts)) and path.name != SETTINGS


def _safe(name: str) -> bool:
    """Whether a name stays inside the folder; names with a leading dot are files that are being written."""
    parts = PurePosixPath(name).parts
    plain = "\\" not in name and "\0" not in name and "/".join(parts) == name
    return plain and bool(parts) and not any(part.startswith(".") or part == "/" for part in parts)


def _added(archive: zipfile.ZipFile, name: str, path: Path) -> Iterator[Part]:
    """The part, unless its file has gone since it was listed: a session's own, ended meanwhile."""
    try:
        source = path.open("rb")
    except FileNotFoundError:
        return
    source.close()
    yield _add(archive, name, path)


def _add(archive: zipfile.ZipFile, name: str, source: Path | bytes) -> Part:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED if name.endswith((".jpg", ".png", ".zip")) else zipfile.ZIP_DEFLATED
    digest, size = hashlib.sha256(), 0
    with archive.open(info, "w", force_zip64=True) as target:
        for chunk in _chunks(source):
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return Part(name, size, digest.hexdigest())


def _chunks(source: Path | bytes) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as opened:
        yield from iter(lambda: opened.read(CHUNK_BYTES), b"")


def _listed(archive: zipfile.ZipFile, where: str) -> tuple[Part, ...]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_LIST_BYTES:
            raise ValueError("too large")
        data: dict[str, Any] = parse_json(archive.read(MANIFEST))
        named, schema = data["format"], data["schema"]
        parts = tuple(Part(str(p["name"]), int(p["size"]), str(p["sha256"])) for p in data["parts"])
    except UNREADABLE as error:
        raise DataError(f"no sound list of its parts ({error!r})", where=f"{where}, {MANIFEST}", remedy=REMEDY) \
            from error
    if (named, schema) != (FORMAT, SCHEMA):
        raise DataError(
            f"expected {FORMAT} of schema {SCHEMA}, got {named!r} of {schema!r}", where=where,
            remedy="Update this companion, or choose another file.",
        )
    return parts


def _unpack_part(archive: zipfile.ZipFile, part: Part, folder: Path) -> Iterator[str]:
    """Write one part; what is wrong with it."""
    path = folder / part.name
    digest, size = hashlib.sha256(), 0

    def checked() -> Iterator[bytes]:
        nonlocal size
        with archive.open(part.name) as source:
            while chunk := source.read(CHUNK_BYTES):
                size += len(chunk)
                if size > part.size:
                    return  # longer than listed: told below
                digest.update(chunk)
                yield chunk

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, checked())
    except UNREADABLE as error:
        yield f"{part.name}: {error}"
        return
    if size != part.size:
        yield f"{part.name}: expected {part.size} bytes, got {size}"
    elif digest.hexdigest() != part.sha256:
        yield f"{part.name}: changed (its SHA-256 is not the listed one)"
