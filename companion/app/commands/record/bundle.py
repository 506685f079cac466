"""`companion bundle`: everything about a session in one file, and its replay on any machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from companion.app.command_kit import counted, json_option, opened_store


@click.command()
@click.argument("session", required=False)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replay", "replayed", type=click.Path(dir_okay=False, path_type=Path), help="Check and replay FILE.")
@json_option
def bundle(session: str | None, file: Path | None, replayed: Path | None, as_json: bool) -> None:
    """Write record, evidence pictures, box bytes and settings of SESSION to one FILE, or replay such a file.

    A replay checks every part, follows the record with the rules and the box's bytes with the link, and compares what
    they come to with what they came to where the bundle was written (exit code 3: damaged; 4: it comes to something
    else). A replay needs no store and changes nothing.

    \b
    Examples:
      companion bundle friday evening.zip
      companion bundle --replay evening.zip
    """
    from companion.app.files.bundle import replay_bundle, write_bundle

    if replayed is not None:
        if session is not None:
            raise click.UsageError("--replay FILE takes nothing else")
        found = replay_bundle(replayed)
        if as_json:
            click.echo(json.dumps(asdict(found), ensure_ascii=False))
            return
        click.echo(
            f"{found.session}: the same state {found.state[:12]} after {counted(found.records, 'record')}; "
            f"{counted(found.pictures, 'picture')}; {counted(found.presses, 'event')} in the box's bytes, "
            f"{found.proven} of {found.recorded} recorded presses among them."
        )
        return
    if session is None or file is None:
        raise click.UsageError("expected SESSION and FILE, or --replay FILE")
    with opened_store() as (store, settings):
        pictures, captures = write_bundle(store, settings, session, file)
    if as_json:
        click.echo(json.dumps({"session": session, "file": str(file), "pictures": pictures, "captures": captures}))
    else:
        seen, heard = counted(pictures, "picture"), counted(captures, "capture")
        click.echo(f"{file}: {session} with {seen} and {heard} of the box.")


COMMANDS = (bundle,)
