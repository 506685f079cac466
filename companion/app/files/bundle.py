"""One file with everything about a session: record, evidence pictures, the box's bytes, settings; and its replay.

A bundle is a zip file. `manifest.json` names every other member with size and SHA-256, and says what the record comes
to, so that another machine can check that it comes to the same. The digital bag's secret is in it only once the
record itself reveals it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.sessions import rules_of
from companion.app.files.settings import Settings
from companion.core.digest import digest
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.events import CauseKind
from companion.core.files import parse_json
from companion.core.inputs import ButtonEvent
from companion.hub.delivery.protocol import SEAL
from companion.table.record.replay import replay
from companion.table.record.store import Store
from companion.table.record.transfer import export_lines, read_export
from firmware_bridge.capture import replay_capture

FORMAT, SCHEMA = "companion-bundle", 1
MANIFEST, RECORD, SETTINGS = "manifest.json", "record.jsonl", "settings.json"
HALL_SEAL = "hall-seal.txt"
"""By what the record was committed to at a hall's hub, in hex: with it another machine goes on there."""
MEMBER = re.compile(r"record\.jsonl|hall-seal\.txt|settings\.json|pictures/\d{6}-(before|after)\.jpg|box/\d{3}\.jsonl")
"""The names a member may have; anything else is refused, so that no bundle writes or claims something unforeseen."""

HERE_ONLY = frozenset({"data_dir", "store"})
"""Settings that say where this machine keeps its files; an address may hold a password. Left out."""

LARGEST_BYTES = 256 * 2**20
"""Of one member, unpacked. A picture has some 150 kB, the record of a long game 1 MB, an evening's box bytes 50 MB."""

CHUNK_BYTES = 1 << 20
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same session gives the same bytes
UNREADABLE = (
    KeyError, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error,
)
"""What reading a damaged member of a zip file raises."""

REMEDY = "Get a whole, unchanged copy."


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a bundle came to: its record followed by the rules, and the box's bytes by the link.

    `presses`: button events in the bytes. `recorded`: records that a button caused; `proven`: those of them whose
    press is in the bytes, too (a capture that ended early, on a full disk, proves fewer).
    """

    session: str
    records: int
    state: str
    head: str
    pictures: int
    presses: int
    recorded: int
    proven: int


def write_bundle(store: Store, settings: Settings, session: str, file: Path) -> tuple[int, int]:
    """Write the bundle of a session to `file`, whole or not at all; returns the numbers of pictures and captures.

    Raises DataError for an unknown session, RecordError when its record is damaged or does not replay.
    """
    members = {RECORD: "".join(export_lines(store, session)).encode("utf-8")}
    shared = {k: v for k, v in asdict(settings).items() if k not in HERE_ONLY}
    members[SETTINGS] = json.dumps({**shared, "companion": version("tabletop-companion")}, indent=1).encode("utf-8")
    seal = store.kept(SEAL.format(session=session))
    if seal is not None:
        members[HALL_SEAL] = seal.encode("ascii")
    pictures = sorted(paths.pictures_dir(settings, session).glob("*.jpg"))
    captures = paths.capture_files(settings, session)
    sources = {f"pictures/{path.name}": path for path in pictures}
    sources |= {f"box/{number:03d}.jsonl": path for number, path in enumerate(captures, start=1)}
    result = _result(members[RECORD], RECORD)
    with tempfile.TemporaryFile() as target:
        with zipfile.ZipFile(target, "w") as archive:
            listed = {name: _add(archive, name, data) for name, data in members.items()}
            for name, path in sources.items():  # one at a time: pictures may be many
                listed[name] = _add(archive, name, path.read_bytes())
            manifest = {"format": FORMAT, "schema": SCHEMA, "session": session, "result": result, "members": listed}
            archive.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), json.dumps(manifest, indent=1, sort_keys=True))
        target.seek(0)
        write_whole(file, iter(lambda: target.read(CHUNK_BYTES), b""))
    return len(pictures), len(captures)


def read_bundle(file: Path) -> tuple[bytes, str | None]:
    """The export in a bundle, and what it was committed to by at a hall (None: it was at none). Raises as
    `replay_bundle`, which checks all of it."""
    replay_bundle(file)
    with zipfile.ZipFile(file) as archive:
        there = HALL_SEAL in archive.namelist()
        return archive.read(RECORD), archive.read(HALL_SEAL).decode("ascii") if there else None


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> dict[str, Any]:
    method = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
    archive.writestr(zipfile.ZipInfo(name, EPOCH), data, method)
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def replay_bundle(file: Path) -> Replayed:
    """Check a bundle and follow its record and its box's bytes.

    Raises DataError that lists every damaged, missing or foreign member, RecordError when the record is damaged, does
    not follow the rules, or comes to something else than it did where the bundle was written.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive, str(file))
            members = dict(_checked(archive, manifest["members"], str(file)))
    except (OSError, zipfile.BadZipFile, EOFError) as error:
        raise DataError(f"this is no bundle ({error})", where=str(file), remedy=REMEDY) from error
    record = members.pop(RECORD)
    result = _result(record, f"{file}, {RECORD}")
    if result != manifest["result"]:
        raise RecordError(
            f"the record came to {manifest['result']} where the bundle was written, here to {result}",
            where=f"{file}, {RECORD}", remedy="The companions differ: update this one.",
        )
    events = [event for name, data in sorted(members.items()) for event in _events(file, name, data)]
    seen = {(event.box, event.boot, event.number) for event in events}
    _, records = read_export(io.BytesIO(record), RECORD)
    causes = [dict(r.cause.detail) for r in records if r.cause.kind is CauseKind.BUTTON]
    return Replayed(
        manifest["session"], result["records"], result["state"], result["head"],
        sum(name.endswith(".jpg") for name in manifest["members"]), len(events), len(causes),
        sum((c.get("box"), c.get("boot"), c.get("number")) in seen for c in causes),
    )


def _result(record: bytes, name: str) -> dict[str, Any]:
    """What an export comes to: its number of records, the last hash and the digest of the state the rules reach."""
    header, lines = read_export(io.BytesIO(record), name)
    _, rules = rules_of(header)
    records = list(lines)
    found = replay(rules, records)
    if found.difference is not None:
        d = found.difference
        raise RecordError(
            f"record {d.number} does not follow the rules: {d.what}: the record says {d.expected}, the rules {d.got}",
            where=name,
        )
    return {"records": len(records), "head": records[-1].hash, "state": digest(rules.dump(found.history.state))}


def _manifest(archive: zipfile.ZipFile, where: str) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_BYTES:
            raise ValueError("too large")
        data = parse_json(archive.read(MANIFEST))
        sound = data["format"] == FORMAT and isinstance(data["session"], str) and isinstance(data["result"], dict)
        sound = sound and {"bytes", "sha256"} <= set.intersection(*(set(m) for m in data["members"].values()))
    except (*UNREADABLE, TypeError, AttributeError) as error:
        message = f"no sound list of its parts ({error!r})"
        raise DataError(message, where=f"{where}, {MANIFEST}", remedy=REMEDY) from error
    if not sound or data.get("schema") != SCHEMA:
        expected = f"expected {FORMAT} of schema {SCHEMA}, got {data.get('format')!r} of {data.get('schema')!r}"
        raise DataError(expected, where=f"{where}, {MANIFEST}", remedy="Update this companion, or get another copy.")
    return dict(data)


def _checked(
    archive: zipfile.ZipFile, listed: Mapping[str, Mapping[str, Any]], where: str
) -> Iterator[tuple[str, bytes]]:
    """The members that are followed (not the pictures), after every member was compared with the list."""
    there = [info.filename for info in archive.infolist() if info.filename != MANIFEST]
    problems = [f"{name}: not in the list of parts" for name in there if name not in listed]
    problems += [f"{name}: there {there.count(name)} times" for name in sorted(set(there)) if there.count(name) > 1]
    problems += [f"{name}: missing" for name in (RECORD, SETTINGS) if name not in listed]
    problems += [f"{name}: no part of a bundle" for name in listed if not MEMBER.fullmatch(name)]
    kept = {}
    for name, promise in listed.items():
        try:
            info = archive.getinfo(name)
            if info.file_size != promise["bytes"] or info.file_size > LARGEST_BYTES:
                problems.append(f"{name}: expected {promise['bytes']} bytes, got {info.file_size}")
                continue
            data = archive.read(name)
        except UNREADABLE as error:
            problems.append(f"{name}: {error}")
            continue
        if hashlib.sha256(data).hexdigest() != promise["sha256"]:
            problems.append(f"{name}: changed (its SHA-256 is not the listed one)")
        elif not name.endswith(".jpg"):
            kept[name] = data
    if problems:
        raise DataError("; ".join(problems), where=where, remedy=REMEDY)
    yield from kept.items()


def _events(file: Path, name: str, data: bytes) -> list[ButtonEvent]:
    """The button events in a capture; none for a member that is no capture."""
    if not name.startswith("box/"):
        return []
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(data)
        try:
            return replay_capture(path)
        except CompanionError as error:
            raise DataError(str(error).removeprefix(f"{path}: "), where=f"{file}, {name}") from error
