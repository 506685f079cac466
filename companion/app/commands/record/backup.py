"""`companion backup` and `companion restore`: everything in one file, and back."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.app.command_kit import counted, json_option


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@json_option
def backup(file: Path, as_json: bool) -> None:
    """Write record, settings, profiles, box files, secrets and evidence to one FILE. A game may go on meanwhile.

    Keep it as safe as the data folder: the keys of the pages are in it. Games of your own (games_dir) are not.

    \b
    Example:
      companion backup companion-2026-03-14.zip
    """
    from companion.app.files.backup import write_backup
    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings

    parts = write_backup(load_settings(config=config_file()), file)
    if as_json:
        click.echo(json.dumps({"file": str(file), "parts": len(parts), "bytes": file.stat().st_size}))
    else:
        click.echo(f"{file}: {counted(len(parts), 'part')}, {file.stat().st_size / 1e6:.1f} MB.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--try", "only_try", is_flag=True, help="Try it and change nothing.")
@json_option
def restore(file: Path, only_try: bool, as_json: bool) -> None:
    """Put the backup FILE in the place of the data folder, after it was unpacked beside it and tried.

    Every part is compared with its SHA-256 and every session followed by the rules before anything is replaced. The
    old data folder is kept beside the new one. Exit codes 3 and 4: the backup is not sound; nothing was changed.

    \b
    Examples:
      companion restore companion-2026-03-14.zip --try
      companion restore companion-2026-03-14.zip
    """
    from companion.app.files.paths import config_file, config_in_use
    from companion.app.files.restore import restore as put_back
    from companion.app.files.settings import load_settings

    found = put_back(load_settings(config=config_file()), file, config=config_in_use(), only_try=only_try)
    if as_json:
        kept = str(found.kept) if found.kept else None
        click.echo(json.dumps({"parts": len(found.parts), "sessions": found.sessions, "kept": kept}))
        return
    click.echo(f"{file}: {len(found.parts)} parts are whole, {len(found.sessions)} sessions follow the rules.")
    if only_try:
        click.echo("Nothing was changed.")
    elif found.kept:
        click.echo(f"Restored. What was there before is in {found.kept}; remove it when all is well.")
    else:
        click.echo("Restored.")


COMMANDS = (backup, restore)
