"""Commands of the record: replay, verify, export and import."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.command_kit import counted, json_option, lang_option, opened_store

if TYPE_CHECKING:
    from companion.core.events import LogRecord
    from companion.table.record.records import SessionHeader
    from companion.table.record.store import Store

DIFFERENT = 4
"""Exit code of `replay` when record and rules part: that of a damaged record."""


@click.command()
@click.argument("what", metavar="SESSION|FILE")
@lang_option
@json_option
def replay(what: str, lang: str | None, as_json: bool) -> None:
    """Re-run a record with the rules; stop at the first difference (exit code 4).

    FILE is an export, or a capture of the button box.

    \b
    Example:
      companion replay game.jsonl
    """
    from companion.app.files.sessions import rules_of
    from companion.table.prompts import Prompter
    from companion.table.record.replay import replay as run
    from firmware_bridge.capture import is_capture

    if Path(what).is_file() and is_capture(Path(what)):
        return _replay_capture(Path(what), as_json)
    with opened_store() as (store, settings), _source(store, what) as (header, records):
        spec, rules = rules_of(header)
        result = run(rules, records)
    difference = result.difference
    prompter = Prompter(spec, header.setup, lang or settings.language)
    reason = prompter.violation(difference.violation) if difference and difference.violation else ""
    if as_json:
        found = difference and {
            "record": difference.number,
            "what": difference.what,
            "expected": difference.expected,
            "got": difference.got,
            "reason": reason,
        }
        shown = {"session": header.session, "records": result.records, "kinds": dict(result.kinds), "difference": found}
        click.echo(json.dumps(shown, ensure_ascii=False))
    elif difference is None:
        kinds = ", ".join(f"{count} {kind}" for kind, count in result.kinds)
        many = counted(result.records, "record")
        click.echo(f"{header.session}: {many} without a difference in the replay ({kinds}).")
    else:
        text = f"{difference.what}: the record says {difference.expected}, the rules say {difference.got}. {reason}"
        click.echo(f"{header.session}: record {difference.number}: {text}".rstrip())
    if difference is not None:
        sys.exit(DIFFERENT)
    return None


def _replay_capture(path: Path, as_json: bool) -> None:
    from firmware_bridge.capture import replay_capture

    events = [
        {
            "box": event.box,
            "boot": event.boot,
            "number": event.number,
            "input": event.input.value,
            "edge": event.edge.value,
            "device_ms": event.device_ms,
        }
        for event in replay_capture(path)
    ]
    if as_json:
        click.echo(json.dumps({"capture": str(path), "events": events}, ensure_ascii=False))
        return
    for event in events:
        click.echo("{box} {boot}/{number}  {input} {edge} at {device_ms} ms".format_map(event))
    click.echo(f"{path}: {counted(len(events), 'event')} of the button box.")


@click.command()
@click.argument("what", metavar="SESSION|FILE")
@json_option
def verify(what: str, as_json: bool) -> None:
    """Check the chain of a record: that nothing in it was changed, left out or added (exit code 4 if so).

    \b
    Example:
      companion verify game.jsonl --json
    """
    from companion.core.errors import CompanionError

    count, head = 0, ""
    with opened_store() as (store, _):
        try:
            with _source(store, what) as (header, records):
                for record in records:  # checked one by one as they are read
                    count, head = record.number, record.hash
        except CompanionError as error:
            if as_json:
                click.echo(json.dumps({"sound": False, "records": count, "error": str(error)}, ensure_ascii=False))
                sys.exit(error.exit_code)
            raise
    if as_json:
        click.echo(json.dumps({"session": header.session, "sound": True, "records": count, "head": head}))
    else:
        click.echo(f"{header.session}: {counted(count, 'record')}, the chain holds; the last hash is {head}.")


@click.command()
@click.argument("session")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: standard output.")
def export(session: str, output: Path | None) -> None:
    """Write SESSION as JSON Lines: a header with set-up and catalogue, then one record a line.

    \b
    Example:
      companion export friday -o game.jsonl
    """
    from companion.app.files.atomic_write import write_whole
    from companion.table.record.transfer import export_lines

    with opened_store() as (store, _):
        lines = (line.encode("utf-8") for line in export_lines(store, session))
        if output is None:
            for line in lines:
                sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            write_whole(output, lines)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def import_(file: Path, as_json: bool) -> None:
    """Add an exported session, or that of a bundle, to this companion's record: all of it or, when a line is wrong,
    nothing. A table of a hall goes on there with a bundle, not with an export alone.

    \b
    Examples:
      companion import game.jsonl
      companion import game.zip
    """
    import io
    import zipfile

    from companion.app.files.bundle import read_bundle
    from companion.app.files.sessions import rules_of
    from companion.hub.delivery.protocol import SEAL
    from companion.table.record.transfer import read_export

    with opened_store() as (store, _), _opened(file) as source:
        seal = None
        if zipfile.is_zipfile(source):
            record, seal = read_bundle(file)
            source = io.BytesIO(record)
        source.seek(0)
        header, lines = read_export(source, str(file))
        rules_of(header)  # a game or catalogue that this companion refuses is not taken in
        _check_name_is_free(store, header, str(file))
        store.add(header, lines)
        if seal is not None:
            store.kept(SEAL.format(session=header.session), seal)
        records = store.session(header.session).records
    if as_json:
        click.echo(json.dumps({"session": header.session, "records": records}))
    else:
        many = counted(records, "record")
        click.echo(f"The session {header.session} with {many} is here: `companion play {header.session}`.")


def _check_name_is_free(store: Store, header: SessionHeader, file: str) -> None:
    from companion.core.errors import DataError

    if header.session not in store.names():
        return
    there = store.session(header.session)
    if there.header == header:
        raise DataError(
            f"this game is here already, with {counted(there.records, 'record')}",
            where=file,
            remedy=f"`companion status {header.session}` shows it.",
        )
    players = ", ".join(seat.name for seat in there.header.setup.seats)
    raise DataError(
        f"another game called {header.session}, of {players}, is here, and a game keeps its name: its hashes hold it",
        where=file,
        remedy=f"Put it into a store of its own: `COMPANION_STORE=other.sqlite companion import {file}`.",
    )


@contextmanager
def _opened(file: Path) -> Iterator[Any]:
    from companion.core.errors import DataError

    try:
        if not file.is_file():
            raise OSError(errno.EINVAL, "expected a file")
        source = file.open("rb")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", where=str(file)) from error
    with source:
        yield source


@contextmanager
def _source(store: Store, what: str) -> Iterator[tuple[SessionHeader, Iterator[LogRecord]]]:
    """Header and records of an export, when `what` is a file, or of a session in the store."""
    from companion.table.record.records import check_chain
    from companion.table.record.transfer import read_export

    if Path(what).exists():
        with _opened(Path(what)) as source:
            yield read_export(source, what)
    else:
        header = store.session(what).header
        yield header, check_chain(header, store.records(what))


COMMANDS = (replay, verify, export, import_)
