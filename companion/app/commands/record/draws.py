"""`companion draws …`: verify the digital bag's draws in an exported record, and show the odds of the next one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import lang_option, spoken_language
from companion.core.files import read_bytes
from companion.i18n import fill, translations

if TYPE_CHECKING:
    from companion.core.game import Rules, State
    from companion.core.types import Draw, Seat
    from companion.draws.lines import ExportedRecord
    from companion.draws.verify import Report
    from companion.draws.words import DrawFinding

NOT_PROVED = 1
"""What `draws verify` exits with when the record holds but something cannot be proved yet."""

DIFFERS = 1
"""What `draws count` exits with when the count leaves a question."""


@click.group()
def draws() -> None:
    """The digital bag: check afterwards that nobody chose a draw."""


@draws.command()
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--code", "codes", multiple=True, help="What you noted of a bag's code before the game (32 digits or more)."
)
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def verify(record: Path, codes: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Verify every digital draw of RECORD (an export, JSON Lines) without the host.

    Exit codes: 0 every draw is proved; 1 something cannot be proved yet; 3 unknown game or catalogue;
    4 the record does not hold, with the place.

    \b
    Example:
      companion draws verify game.jsonl --code 715114acb28c359a5093a3a64b94500f
    """
    from companion.draws.lines import read_export
    from companion.draws.verify import verify as verify_export

    export = read_export(_bytes(record))
    report = verify_export(export, rules_of_export(export), codes)
    if as_json:
        click.echo(_json(report))
    else:
        _print(report, spoken_language(lang))
    if not report.complete:
        sys.exit(NOT_PROVED)


@draws.command("odds")
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def show_odds(record: Path, as_json: bool) -> None:
    """Show the odds of the draw that is due at the end of RECORD (an export): by theme, and what could be placed.

    Exit codes: 0 done, also when no draw is due; 3 unknown game or catalogue; 4 the record does not hold.

    Example: companion draws odds game.jsonl
    """
    import json

    from companion.draws.odds import odds

    export, rules, state = _replayed(record)
    lines = odds(rules, state, _label(export, rules))
    if as_json:
        rows = [
            {"label": x.label, "outcomes": x.outcomes, "chance": str(x.chance), "placed": str(x.placed)} for x in lines
        ]
        click.echo(
            json.dumps({"session": export.header["session"], "due": bool(lines), "odds": rows}, ensure_ascii=False)
        )
        return
    if not lines:
        click.echo("No draw is due.")
    for x in lines:
        place = "" if x.placed == x.chance else "  cannot be placed now" if not x.placed else f"  placed {x.placed}"
        click.echo(f"{x.label:24} {x.outcomes:3} left  {x.chance!s:>8}  {float(x.chance):6.1%}{place}")


@draws.command()
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("counts", nargs=-1, required=True, metavar="GROUP=NUMBER...")
@lang_option
def count(record: Path, counts: tuple[str, ...], lang: str | None) -> None:
    """Compare a count of the real bag with what the game at the end of RECORD (an export) leaves in it.

    GROUP is `all` for the whole bag, or a theme. Exit codes: 0 it fits; 1 it does not, and the questions are printed;
    2 no such group.

    Example: companion draws count game.jsonl all=14 flora=5
    """
    from companion.draws.mixed import compare, supply_ranges

    _, rules, state = _replayed(record)
    try:
        counted = {group: int(number) for group, _, number in (text.partition("=") for text in counts)}
        differences = compare(supply_ranges(rules.view(state, None)["supply"]), counted)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    language = spoken_language(lang)
    for difference in differences:
        click.echo(sentence(difference.question, language))
    if differences:
        sys.exit(DIFFERS)
    click.echo(translations(language).gettext("The bag fits the game."))


def _replayed(record: Path) -> tuple[ExportedRecord, Rules, State]:
    """The export, its rules and the state it ends with. Raises RecordError, DataError."""
    from companion.draws.lines import read_export
    from companion.table.record.history import History
    from companion.table.record.records import record_from_json

    export = read_export(_bytes(record))
    rules = rules_of_export(export)
    history = History(rules)
    for line in export.records[1:]:
        history.follow(record_from_json(line.data))
    return export, rules, history.state


def _label(export: ExportedRecord, rules: Rules) -> Callable[[Draw], str]:
    """The theme of a drawn tile where the game's catalogue knows themes, else the draw's own text."""
    import tempfile

    from companion.games import find_game

    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        path = Path(folder) / "catalogue.toml"
        path.write_text(export.header["catalogue"], encoding="utf-8", newline="")
        catalogue = find_game(export.header["setup"]["game"]).load_catalogue(path)
    themes = {tile.id: tile.theme.value for tile in getattr(catalogue, "tiles", ())}
    return lambda draw: themes.get(getattr(draw, "tile", ""), "") or rules.format(draw)


def rules_of_export(export: ExportedRecord) -> Rules:
    """The rules that an export was played with. Raises DataError when its game or catalogue cannot be used."""
    from companion.app.files.sessions import rules_of
    from companion.table.record.records import SessionHeader, setup_from_json

    head = export.header
    header = SessionHeader(head["session"], head["created_ms"], setup_from_json(head["setup"]), head["catalogue"])
    return rules_of(header)[1]


def sentence(finding: DrawFinding, lang: str) -> str:
    """A finding in the language of the table."""

    def seat_name(seat: Seat) -> str:
        return seat.name

    return fill(finding.message, finding.facts, translations(lang).gettext, seat_name)


def _print(report: Report, lang: str) -> None:
    translate = translations(lang).gettext
    for finding in report.findings:
        click.echo(f"+ {sentence(finding, lang)}")
    for finding in report.missing:
        click.echo(f"? {sentence(finding, lang)}")
    verdict = "Proved: every digital draw is what the bag had to give." if report.complete else "Not proved yet."
    click.echo(translate(verdict))


def _json(report: Report) -> str:
    import json

    return json.dumps(
        {
            "session": report.session,
            "complete": report.complete,
            "records": report.records,
            "head": report.head,
            "draws": report.draws,
            "proved": report.proved,
            "physical": report.physical,
            "taken_back": list(report.taken_back),
            "commitments": list(report.commitments),
            "findings": [sentence(finding, "en") for finding in report.findings],
            "missing": [sentence(finding, "en") for finding in report.missing],
        },
        ensure_ascii=False,
    )


def _bytes(record: Path) -> bytes:
    from companion.core.errors import DataError

    try:
        return read_bytes(record)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", where=str(record)) from error


COMMANDS = (draws,)
