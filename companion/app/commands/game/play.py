"""`companion play`: a game refereed in the terminal, with camera, button box and dashboard when they are wanted."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import closing, lang_option, opened_store, speaker
from companion.app.commands.game.game import chosen_game
from companion.app.commands.game.serve import PORT, tell_addresses

if TYPE_CHECKING:
    from companion.app.dashboard.host import Host
    from companion.app.dashboard.server.serve import Serving
    from companion.app.files.settings import Settings
    from companion.app.game.open_table import Table
    from companion.table.record.store import Store


HTTPS_PORT = 8443


@click.command()
@click.argument("session", required=False)
@click.option("--game", default="", help="Begin a new game instead, with the options of `companion new`.")
@click.option("--player", "players", multiple=True, metavar="NAME[:COLOUR]", help="With --game.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="With --game.")
@click.option("--catalogue", default="", metavar="NAME|FILE", help="With --game (default: that of the --box-file).")
@click.option("--draws", type=click.Choice(["physical", "digital"]), help="Who draws (setting `draws`).")
@click.option(
    "--camera", default="", metavar="SOURCE",
    help="Follow the table: 0, /dev/video2, rtsp://…, http://…, browser, replay:DIR.",
)
@click.option("--box", default="", metavar="PORT", help="The button box: auto, /dev/ttyACM0, virtual:.")
@click.option(
    "--box-file", "--enrolled", "tiles", type=click.Path(exists=True, path_type=Path),
    help="What is known of your tiles or cards: a file of `companion enrol` or `companion sample box`, or a set.",
)
@click.option("--web/--no-web", default=None, help="Serve the dashboard too (default: with --camera or --box).")
@click.option("--port", default=8000, show_default=True, type=PORT, help="Of the dashboard; 0: a free one.")
@click.option("--bind", default="0.0.0.0", show_default=True, help="127.0.0.1: the dashboard for this machine alone.")
@click.option("--pin", default="", help="The referee's PIN on the dashboard (default: one is made and kept).")
@lang_option
def play(
    session: str | None, game: str, players: tuple[str, ...], options: tuple[str, ...], catalogue: str,
    draws: str | None, camera: str, box: str, tiles: Path | None, web: bool | None, port: int, bind: str, pin: str,
    lang: str | None,
) -> None:
    """Referee a game in the terminal: SESSION, the newest unfinished one, or with --game a new one.

    Legal acts are listed with numbers; secret choices are typed unseen; `help` in the game lists what else can be
    typed. Reads standard input, so a game can be played from a file. With a camera or a button box the dashboard of the
    same session is served too; what is told there, here, by the camera or by the box is one record.

    \b
    Examples:
      companion play
      companion play --game envyra --player Žofia:pink --player Ján:gray --lang sk
      companion play --camera 0 --box auto --box-file mybox.zip
      companion play --game spyrium --player Žofia:blue --player Ján:red --draws digital
    """
    from companion.app.camera.known_box import KnownBox
    from companion.app.wiring import begin_table, open_host, resume_table

    with opened_store() as (store, settings), ExitStack() as last, ExitStack() as ending:
        host = where = None
        if web or camera or box:  # a port that is taken or a device that is away begins no game
            host = open_host(store, settings, box=box, camera=camera, enrolled=tiles, idle=False)
            ending.callback(host.close)
            if web is not False:
                where = ending.enter_context(_serving(host, settings, bind, port, pin))
        if game:
            if tiles is not None and not catalogue and KnownBox(tiles).game() == game:
                own = KnownBox(tiles).catalogue(settings)
                catalogue = "" if own is None else str(own)
            table = begin_table(store, settings, chosen_game(game, players, options, catalogue, session or ""))
        elif players or options or catalogue:
            raise click.UsageError("--player, --option and --catalogue need --game")
        else:
            table = resume_table(store, settings, session or _unfinished(store))
        last.enter_context(closing(table))
        if host is not None:
            host.adopt(table)
        if where is not None:
            tell_addresses(where, speaker(settings.language))
        _referee(table, settings, draws, lang, host)


def _serving(host: Host, settings: Settings, bind: str, port: int, pin: str) -> AbstractContextManager[Serving]:
    """The dashboard, served; over https too where the phone is to be the camera."""
    from companion.app.dashboard.server.serve import serving
    from companion.app.files.paths import web_dir

    https_port = None
    if host.setup.sources["camera"] == "browser":
        https_port = HTTPS_PORT if port else 0
    return serving(host, web_dir(settings), bind=bind, port=port, https_port=https_port, pin=pin)


def _referee(
    table: Table, settings: Settings, draws: str | None, lang: str | None, host: Host | None = None
) -> None:
    """Lead the game in this terminal until it is over or left."""
    from companion.app.terminal.console import Console
    from companion.app.terminal.referee import Referee
    from companion.draws.ceremony import Phase
    from companion.table.prompts import Prompter

    prompter = Prompter(table.spec, table.rules.setup, lang or settings.language)
    who = draws or ("digital" if table.bag.ceremony.phase is Phase.SEALED else settings.draws)
    current = None if host is None else host.current
    Referee(table, prompter, Console(), digital=who == "digital", current=current).run()


def _unfinished(store: Store) -> str:
    from companion.app.files.sessions import read_session

    for name in store.names():
        read = read_session(store, name)
        if read.rules.result(read.history.state) is None:
            return name
    raise click.UsageError("no game is unfinished: begin one with `companion new`, or with `companion play --game`")


COMMANDS = (play,)
