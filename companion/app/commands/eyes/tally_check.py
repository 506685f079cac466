"""`companion tally-check`: captured tiles in pictures against the record of a session."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import json_option, opened_store

if TYPE_CHECKING:
    from companion.app.game.tally_check import TallyCheck
    from companion.core.game import Rules
    from companion.core.types import Face, Seat
    from vision.spread.tally_reading import TallyReading

DIFFERENT = 1
"""Exit code when a picture and the record differ."""


@click.command("tally-check")
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--box", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The enrolled box."
)
@click.option("--session", required=True, help="The session whose record is compared with.")
@click.option("--seat", required=True, help="Whose tiles they are: A, B, C or D.")
@json_option
def tally_check(pictures: tuple[Path, ...], box: Path, session: str, seat: str, as_json: bool) -> None:
    """Compare the captured tiles in each PICTURE with what the record says a seat has captured.

    Several pictures show one player's tiles together. Exit code 1 when pictures and record differ, or a tile was not
    recognised; the differences are named tile by tile. Tiles that look the same count as one.

    \b
    Example:
      companion tally-check --box mybox.zip --session friday --seat A tiles.jpg
    """
    from companion.app.game.tally_check import BoxTally
    from companion.core.types import Seat

    if seat.upper() not in Seat.__members__:
        raise click.UsageError(f"--seat is a letter from A to E, got {seat!r}")
    rules, recorded = _recorded(session, Seat[seat.upper()])
    reader = BoxTally(box)
    check, doubts = _compare([reader.read(path) for path in pictures], recorded, rules)
    _show(check, doubts, as_json)
    if not check.agrees:
        sys.exit(DIFFERENT)


def _recorded(session: str, seat: Seat) -> tuple[Rules, tuple[Face, ...]]:
    from companion.app.files.sessions import read_session
    from companion.app.game.tally_check import captured_by

    with opened_store() as (store, _):
        read = read_session(store, session)
    return read.rules, captured_by(read.rules, read.history.state, seat)


def _compare(
    readings: list[TallyReading], recorded: tuple[Face, ...], rules: Rules
) -> tuple[TallyCheck, tuple[str, ...]]:
    from companion.app.game.tally_check import compare_tally

    seen = [face for reading in readings for face in reading.faces]
    unknown = sum(tile.face is None for reading in readings for tile in reading.tiles)
    if sum(len(reading.tiles) for reading in readings) == len(recorded):
        readings = [reading.counted(len(reading.tiles)) for reading in readings]
    doubts = tuple(doubt for reading in readings for doubt in reading.doubts)
    return compare_tally(seen, recorded, rules.same_face, unknown), doubts


def _show(check: TallyCheck, doubts: tuple[str, ...], as_json: bool) -> None:
    from companion.app.game.tally_check import as_json as told

    if as_json:
        click.echo(json.dumps({**told(check), "doubts": list(doubts)}, ensure_ascii=False))
        return
    for row in check.rows:
        said = "" if not row.difference else "   <- on the table only" if row.difference > 0 else "   <- missing here"
        click.echo(f"{row.face:<20} picture {row.seen}  record {row.recorded}{said}")
    if check.unknown:
        click.echo(f"{check.unknown} tile(s) were not recognised: check with your own eyes")
    for doubt in doubts:
        click.echo(f"check with your own eyes: {doubt}")
    click.echo("picture and record agree" if check.agrees else "picture and record DIFFER")


COMMANDS = (tally_check,)
