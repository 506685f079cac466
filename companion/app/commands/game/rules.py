"""`companion rules|score|perft|catalogue`: the rules of a game to read, to tally with and to count through."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.command_kit import lang_option, spoken_language
from companion.core.errors import DataError
from companion.core.files import read_text
from companion.core.types import SeatInfo, Setup
from companion.games import DEFAULT_GAME
from companion.i18n import fill, translations

if TYPE_CHECKING:
    from companion.core.game import GameSpec, State
    from companion.core.types import Clause, SeatScore

GAME = click.option("--game", default=DEFAULT_GAME, show_default=True, help="Which game's rules.")
CATALOGUE = click.option(
    "--catalogue", default="", help="A shipped catalogue's name or a file; the game's own if not given."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")


def _game(name: str) -> GameSpec:
    from companion.games import find_game

    return find_game(name)


@click.command(epilog="Example: companion rules E41 --lang sk")
@click.argument("clauses", nargs=-1, metavar="[CLAUSE]...")
@GAME
@lang_option
@JSON
def rules(clauses: tuple[str, ...], game: str, lang: str | None, as_json: bool) -> None:
    """Print clauses of a game's rules with their text, or list all titles.

    Exit codes: 0 done; 3 no such game or clause.
    """
    spec = _game(game)
    wanted = [_clause(spec, name) for name in clauses]
    language = spoken_language(lang)
    translate = translations(language, spec.locale_dir).gettext
    rows = [
        {"id": c.id, "source": c.source.value, "title": translate(c.title), "text": translate(c.text)}
        for c in wanted or spec.clauses.values()
    ]
    if as_json:
        click.echo(json.dumps({"game": game, "language": language, "clauses": rows}, ensure_ascii=False))
        return
    for row in rows:
        # a ruling is always shown as a ruling
        source = "" if row["source"] == "rulebook" else f"  [{row['source']}]"
        click.echo(f"{row['id']:<5} {row['title']}{source}")
        if wanted:
            click.echo(click.wrap_text(row["text"], 96, "      ", "      "))


def _clause(spec: GameSpec, name: str) -> Clause:
    for clause in spec.clauses.values():
        if clause.id.lower() == name.lower():
            return clause
    remedy = "`companion rules` lists all clauses."
    raise DataError(f"{spec.title} has no clause {name!r}", where="rules", remedy=remedy)


@click.command(epilog="\b\nExamples:\n  companion score flora-1-a flora-2-a water-2-b end\n  companion score tiles.txt")
@click.argument("tiles", nargs=-1, metavar="TILE...|FILE|-")
@click.option("--list", "listed", is_flag=True, help="List the names of the catalogue's pieces instead.")
@GAME
@CATALOGUE
@lang_option
@JSON
def score(tiles: tuple[str, ...], listed: bool, game: str, catalogue: str, lang: str | None, as_json: bool) -> None:
    """Tally one player's captured TILEs (and cards), set by set; they may stand in a FILE, or come from - (input).

    Exit codes: 0 done; 2 nothing to tally; 3 unknown tile or catalogue.
    """
    spec = _game(game)
    if spec.score_faces is None:
        raise DataError(f"{spec.title} has no tally of captured pieces", where="score")
    edition = spec.load_catalogue(catalogue or spec.default_catalogue)
    if listed:
        _list_pieces(spec, edition, as_json)
        return
    names = _words(tiles)
    if not names:
        raise click.UsageError("name at least one tile; --list shows the names")
    if spec.check_faces is not None:
        spec.check_faces(edition, names)
    tally = spec.score_faces(edition, names)
    if as_json:
        click.echo(json.dumps(_score_json(spec, edition, tally), ensure_ascii=False))
    else:
        _print_score(spec, edition, tally, spoken_language(lang))


def _words(arguments: tuple[str, ...]) -> tuple[str, ...]:
    if len(arguments) == 1 and arguments[0] == "-":
        return tuple(sys.stdin.read().replace(",", " ").split())
    if len(arguments) == 1 and Path(arguments[0]).is_file():
        try:
            text = read_text(Path(arguments[0]))
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot read the list: {error}", where=arguments[0]) from None
        return tuple(text.replace(",", " ").split())
    missing = next((one for one in arguments if "." in one or "/" in one), None)  # no name of a tile has these
    if missing is not None:
        remedy = "Give the names of tiles, or one file that holds them; `companion score --list` shows the names."
        raise DataError(f"there is no file {missing}", where="score", remedy=remedy)
    return arguments


def _score_json(spec: GameSpec, edition: Any, tally: SeatScore) -> dict[str, Any]:
    def points(clause: str) -> int:
        return sum(line.points for line in tally.lines if line.clause == clause)

    lines = [
        {
            "clause": line.clause,
            "label": fill(line.label, line.facts, str, lambda seat: seat.name),
            "points": line.points,
            "faces": list(line.faces),
        }
        for line in tally.lines
    ]
    tiles, sets = points(spec.face_clause), points(spec.set_clause)
    return {
        "catalogue": edition.id,
        "sample_values": edition.has_sample_values,
        "lines": lines,
        "tiles": tiles,
        "sets": sets,
        "cards": tally.total - tiles - sets,
        "total": tally.total,
    }


def _print_score(spec: GameSpec, edition: Any, tally: SeatScore, lang: str) -> None:
    translate = translations(lang, spec.locale_dir).gettext
    for line in tally.lines:
        label = fill(line.label, line.facts, translate, lambda seat: seat.name)
        click.echo(f"{line.points:4}  {line.clause:<5} {label}")
        click.echo(click.wrap_text(" ".join(line.faces), 96, " " * 12, " " * 12))
    click.echo(f"{tally.total:4}  {translate('Total')}")
    if edition.has_sample_values:
        click.echo(translate("The values of this edition are invented: {title}").format(title=edition.title))


def _list_pieces(spec: GameSpec, edition: Any, as_json: bool) -> None:
    rows = list(spec.pieces(edition)) if spec.pieces is not None else []
    if as_json:
        click.echo(json.dumps({"catalogue": edition.id, "pieces": rows}))
        return
    for row in rows:
        rest = ", ".join(f"{k} {' '.join(v) if isinstance(v, list) else v}" for k, v in row.items() if k != "id" and v)
        click.echo(f"{row['id']:<10} {rest}")


@click.group()
def catalogue() -> None:
    """Catalogues: the pieces of a box with the origin of every value."""


@catalogue.command(epilog="Example: companion catalogue check my-box.toml")
@click.argument("file")
@GAME
@JSON
@click.pass_context
def check(context: click.Context, file: str, game: str, as_json: bool) -> None:
    """Check a catalogue FILE (or a shipped name, or a box file) against every count the rulebook states; shows all
    problems at once.

    Exit codes: 0 the catalogue can be used; 3 it cannot, with line and key of each problem.
    """
    try:
        edition = _game(game).load_catalogue(_catalogue_of(file, game))
    except DataError as error:
        if not as_json:
            raise
        lines = [line.strip() for line in error.message.splitlines()[1:]] or [error.message]
        click.echo(json.dumps({"file": file, "ok": False, "problems": lines}, ensure_ascii=False))
        context.exit(error.exit_code)
    origins = sorted(origin.value for origin in edition.provenance.values())
    counts = {name: origins.count(name) for name in dict.fromkeys(origins)}
    if as_json:
        result = {"file": file, "ok": True, "id": edition.id, **edition.piece_counts}
        click.echo(json.dumps({**result, "provenance": counts}))
        return
    pieces = " and ".join(f"{count} {name}" for name, count in edition.piece_counts.items())
    click.echo(f"{edition.title}: {pieces}, everything counted right.")
    click.echo("Values: " + ", ".join(f"{count} {name}" for name, count in counts.items()))


def _catalogue_of(file: str, game: str) -> str:
    """`file`, or the text of the catalogue in it if it is a box file. Raises DataError."""
    if not zipfile.is_zipfile(file):
        return file
    from calibration.box_file import read_box

    box = read_box(Path(file))
    if box.game != game:
        raise DataError(f"a box of {box.game}", where=file, remedy=f"Give --game {box.game}.")
    return box.catalogue


@click.command(epilog="Example: companion perft --players 3 --depth 3")
@click.option("--players", default=3, show_default=True, help="Number of players of the fixed set-up.")
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 20), help="Events counted through.")
@click.option("--setup", "events", type=click.Path(path_type=Path), help="File of events to begin after, one a line.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Option of the set-up; may repeat.")
@GAME
@CATALOGUE
@JSON
def perft(
    players: int,
    depth: int,
    events: Path | None,
    options: tuple[str, ...],
    game: str,
    catalogue: str,
    as_json: bool,
) -> None:
    """Count the sequences of events (actions, and draws at chance) of each length up to --depth.

    Without --setup the first possible draw is taken at every draw of the set-up. Exit codes: 0 done; 2 wrong usage;
    3 the set-up or its file cannot be used.
    """
    from companion.app.terminal.perft import perft as count

    spec = _game(game)
    rules, state = _start(spec, players, events, options, catalogue)
    counts = [count(rules, state, n) for n in range(1, depth + 1)]
    if as_json:
        click.echo(json.dumps({"game": game, "players": players, "perft": counts}))
        return
    for number, value in enumerate(counts, start=1):
        click.echo(f"{number:3} {value:>16,}")


def _start(
    spec: GameSpec, players: int, events: Path | None, options: tuple[str, ...], catalogue: str
) -> tuple[Any, State]:
    from companion.app.terminal.perft import first_dealt, played_from

    if any("=" not in option for option in options):
        raise click.UsageError("--option needs KEY=VALUE, such as variant=basic")
    pairs = tuple(sorted((key, value) for key, _, value in (option.partition("=") for option in options)))
    colours = [*spec.colours, *(f"colour {n}" for n in range(players))][: max(players, 0)]
    seats = tuple(SeatInfo(f"player {n}", colour) for n, colour in enumerate(colours, start=1))
    name = catalogue or spec.default_catalogue
    rules = spec.make_rules(Setup(spec.name, seats, name, pairs), spec.load_catalogue(name))
    if events is None:
        return rules, first_dealt(rules)
    try:
        lines = read_text(events).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read the set-up: {error}", where=str(events)) from None
    return rules, played_from(rules, lines, str(events))


COMMANDS = (rules, score, catalogue, perft)
