"""`companion hub`: serves the hall of many tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import speaker

if TYPE_CHECKING:
    from companion.hub.hall import Hall

WAIT_S, AGAIN_S = 60.0, 1.0
"""How long the hub waits for its database at the start, and how often it looks."""
PORT = click.IntRange(0, 65535)
HUB_AT, ORGANISER_AT = "Hub: {url}", "Organiser: {url}"
WAITING = "Waiting for the database: {trouble}"


@click.command()
@click.option("--database", required=True, metavar="postgresql://USER@HOST/DATABASE", envvar="COMPANION_HUB_DATABASE",
              help="Where the hall is kept (or COMPANION_HUB_DATABASE).")
@click.option("--host", "bind", default="0.0.0.0", show_default=True, help="127.0.0.1: for this machine alone.")
@click.option("--port", default=8480, show_default=True, type=PORT, help="0: a free one.")
@click.option("--https/--no-https", default=True, show_default=True, help="--no-https: behind a proxy that has it.")
@click.option("--pin", default="", help="Another PIN for the organiser (default: one is made at the first start).")
def hub(database: str, bind: str, port: int, https: bool, pin: str) -> None:
    """Serve the hub of a hall of tables: organiser, players and public, kept in PostgreSQL.

    Several may run on one database, behind a load balancer. Tables join with `companion hall join`.

    \b
    Examples:
      companion hub --database postgresql://companion@localhost/hall
      companion hub --database postgresql://companion@localhost/hall --no-https --host 127.0.0.1
    """
    from companion.app.commands.game.serve import until_interrupted
    from companion.app.files.paths import config_file, hub_dir
    from companion.app.files.settings import load_settings
    from companion.app.hub.serve import serving_hub
    from companion.core.errors import DataError
    from web.roles.access import pin_problem

    if pin and pin_problem(pin):
        raise DataError(pin_problem(pin), where="--pin")
    settings = load_settings(config=config_file())
    say = speaker(settings.language)
    folder = hub_dir(settings)
    hall = _opened(database, say)
    try:
        new_pin = hall.staff.begin(pin)
        with serving_hub(hall, bind=bind, port=port, tls_folder=folder if https else None) as where:
            click.echo(say(HUB_AT, url=where.lan_url))
            click.echo(say(ORGANISER_AT, url=f"{where.lan_url}/login") + (f", PIN {new_pin}" if new_pin else ""))
            until_interrupted()
    finally:
        hall.close()


def _opened(database: str, say: Callable[..., str]) -> Hall:
    """The hall, for whose database is waited: after a power cut it may start later than the hub. Raises as `open_hall`
    when it is not there in time."""
    import time

    from companion.app.files.sessions import rules_of
    from companion.games import find_game, game_names
    from companion.hub.hall import open_hall
    from companion.table.record.trouble import StoreError

    end_s = time.monotonic() + WAIT_S
    said = ""
    while True:
        try:
            return open_hall(database, rules_of, games={name: find_game(name).title for name in game_names()})
        except StoreError as error:
            if error.remedy.startswith("Expected") or time.monotonic() > end_s:
                raise
            if str(error) != said:
                said = str(error)
                click.echo(say(WAITING, trouble=said), err=True)
            time.sleep(AGAIN_S)


COMMANDS = (hub,)
