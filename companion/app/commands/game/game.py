"""Commands of a session: new, status and undo."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import Decorated, closing, json_option, lang_option, opened_store

if TYPE_CHECKING:
    from companion.app.game.new_game import NewGame


def _new_options(command: Decorated) -> Decorated:
    options = (
        click.option("--player", "players", multiple=True, metavar="NAME[:COLOUR]", help="In clockwise order."),
        click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A choice at set-up."),
        click.option(
            "--catalogue", default="", metavar="NAME|FILE", help="The box's components (default: the game's)."
        ),
        click.option("--session", default="", help="What to call the session (default: game, day, number)."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("game")
@_new_options
@json_option
def new(
    game: str, players: tuple[str, ...], options: tuple[str, ...], catalogue: str, session: str, as_json: bool
) -> None:
    """Set up a session of GAME, to be played with `companion play`.

    \b
    Example:
      companion new envyra --player Žofia:pink --player Ján:gray --option variant=basic
    """
    from companion.app.wiring import begin_table

    with opened_store() as (store, settings):
        table = begin_table(store, settings, chosen_game(game, players, options, catalogue, session))
        name = table.session.header.session
        seats = table.session.snapshot(None)["seats"]
        table.close()
    if as_json:
        click.echo(json.dumps({"session": name, "game": game, "seats": seats}, ensure_ascii=False))
    else:
        click.echo(f"The session {name} is set up: `companion play {name}`.")


@click.command()
@click.argument("session", required=False)
@lang_option
@json_option
def status(session: str | None, lang: str | None, as_json: bool) -> None:
    """Say how a session stands, or list all sessions.

    \b
    Examples:
      companion status
      companion status friday --json
    """
    from companion.app.files.sessions import read_session, session_rows
    from companion.app.hall.around import delivery_text
    from companion.app.terminal.status import sessions_text, standing, standing_text
    from companion.table.prompts import Prompter

    with opened_store() as (store, settings):
        if session is None:
            rows = session_rows(store)
            click.echo(json.dumps({"sessions": rows}, ensure_ascii=False) if as_json else sessions_text(rows))
            hall = delivery_text(settings)
            if hall and not as_json:
                click.echo(hall)
            return
        read = read_session(store, session)
    prompter = Prompter(read.spec, read.header.setup, lang or settings.language)
    click.echo(json.dumps(standing(read), ensure_ascii=False) if as_json else standing_text(read, prompter))


@click.command()
@click.argument("session")
@click.option("--to", type=click.IntRange(1), help="The record after which the state shall hold again.")
@click.option("--by", help="The seat that asks (A, B, …): free within its own last acts.")
@click.option("--all-agree", is_flag=True, help="Every player has agreed.")
@lang_option
@json_option
def undo(session: str, to: int | None, by: str | None, all_agree: bool, lang: str | None, as_json: bool) -> None:
    """Take back the last act of SESSION, or everything after a record, and say what to put where.

    Across a draw, a reveal or another player's act every player must agree.

    \b
    Example:
      companion undo friday --by A
    """
    from companion.app.wiring import resume_table
    from companion.core.types import Seat
    from companion.table.commands import Undo
    from companion.table.prompts import Prompter

    with opened_store() as (store, settings), closing(resume_table(store, settings, session)) as table:
        seats = tuple(Seat(i) for i in range(len(table.rules.setup.seats)))
        if by is not None and by not in [seat.name for seat in seats]:
            raise click.UsageError(f"--by: expected one of {', '.join(s.name for s in seats)}, got {by!r}")
        asking = None if by is None else Seat[by]
        answer = table.session.ask(Undo(to=to, by=asking, consents=seats if all_agree else ()))
        prompter = Prompter(table.spec, table.rules.setup, lang or settings.language)
        number = table.session.number
    if not answer.accepted:
        raise click.ClickException(prompter.answer(answer))
    steps = [prompter.step(step) for step in answer.steps]
    if as_json:
        click.echo(json.dumps({"record": number, "steps": steps}, ensure_ascii=False))
    else:
        click.echo("\n".join(steps) or "Nothing has to be moved on the table.")


def chosen_game(game: str, players: tuple[str, ...], options: tuple[str, ...], catalogue: str, session: str) -> NewGame:
    """The game that the options describe. Raises DataError for an unknown game, UsageError for a malformed option."""
    from companion.app.game.new_game import NewGame
    from companion.core.types import SeatInfo
    from companion.games import find_game

    spec = find_game(game)
    names = [player.rpartition(":") if ":" in player else (player, "", "") for player in players]
    taken = {colour for _, mark, colour in names if mark}
    free = iter([colour for colour in spec.colours if colour not in taken])
    seats = tuple(SeatInfo(name, colour if mark else next(free, "")) for name, mark, colour in names)
    pairs = []
    for option in options:
        key, mark, value = option.partition("=")
        if not mark:
            raise click.UsageError(f"--option: expected KEY=VALUE, got {option!r}")
        pairs.append((key, value))
    return NewGame(game, seats, tuple(pairs), catalogue, session)


COMMANDS = (new, status, undo)
