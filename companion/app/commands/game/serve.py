"""Commands of the dashboard: serve and demo."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import Decorated, lang_option, opened_store, speaker, spoken_language

if TYPE_CHECKING:
    from companion.app.dashboard.host import Host
    from companion.app.dashboard.server.serve import Serving
    from companion.app.files.settings import Settings

PORT = click.IntRange(0, 65535)
OPEN_THIS = "Open this address on a screen, a laptop or a phone, or scan the code:"
TABLE_AT, PHONES_AT, REFEREE_AT = "Table:   {url}", "Phones:  {url}", "Referee: {url}, PIN {pin}"
CAMERA_AT = "Camera:  {url} (the certificate is our own: confirm the warning once)"
GOING_ON = "Going on with {session}."
RESTORED = "The backup is in place; what was there before is kept: {kept}"
DEMO = "Open the table on one screen and the referee's page beside it; Ctrl+C ends the demo."


def _address_options(command: Decorated) -> Decorated:
    options = (
        click.option("--port", default=8000, show_default=True, type=PORT, help="0: a free one."),
        click.option("--https-port", default=8443, show_default=True, type=PORT, help="For phones' cameras."),
        click.option("--https/--no-https", default=True, show_default=True, help="Serve https beside http."),
        click.option("--bind", default="0.0.0.0", show_default=True, help="127.0.0.1: for this machine alone."),
        click.option("--pin", default="", help="The referee's PIN (default: one is made and kept)."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("session", required=False)
@_address_options
@click.option("--box", default="", metavar="auto|DEVICE|virtual:", help="The button box.")
@click.option("--camera", default="", metavar="0|DEVICE|browser|replay:DIR|rtsp://…", help="The camera.")
@click.option(
    "--box-file", "--enrolled", "enrolled", type=click.Path(exists=True),
    help="What is known of your tiles: a file of `companion enrol`, or a set.",
)
def serve(
    session: str | None, port: int, https_port: int, https: bool, bind: str, pin: str, box: str, camera: str,
    enrolled: str | None,
) -> None:
    """Serve the dashboard: table, referee, seats, draws, tally and set-up, on the local network.

    Goes on with SESSION, or else with the game that was being played and with its devices; another game is begun, or
    gone on with, on the set-up page. Box and camera join every game that is opened.

    \b
    Examples:
      companion serve
      companion serve --box virtual:
      companion serve friday --box auto --camera browser --box-file mybox.zip
    """
    from pathlib import Path

    from companion.app.files.evening import last_evening
    from companion.app.wiring import open_host

    _take_over_first()
    _restore_first()
    with opened_store() as (store, settings):
        last = last_evening(settings)
        tiles = enrolled or last.sources.get("tiles", "")
        before = "" if session else last.session
        host = open_host(
            store, settings, box=box or last.sources.get("box", ""), camera=camera or last.sources.get("camera", ""),
            enrolled=Path(tiles) if tiles and Path(tiles).exists() else None, idle=False,
        )
        if session:
            host.resume(session)
        elif before:
            _go_on(host, before)
        else:
            _rest(host, camera)
        if last.automatic and host.table is not None and host.table.session.header.session == last.session:
            host.draw_automatically(True)
        host.end_for_anew = lambda: os.kill(os.getpid(), signal.SIGTERM)
        with _serving(host, settings, bind, port, https_port if https else None, pin) as where:
            tell_addresses(where, speaker(settings.language))
            until_interrupted()
    if host.begins_anew:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _take_over_first() -> None:
    """Move what an earlier companion left in the service's own folder. Raises as `move_into_data_folder`."""
    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings
    from companion.app.files.state_folder import STATE_VARIABLE, move_into_data_folder

    moved = move_into_data_folder(load_settings(config=config_file()), os.environ.get(STATE_VARIABLE, ""))
    if moved is not None:
        click.echo(f"The data of the earlier companion is now in {moved}")


def _restore_first() -> None:
    """Put the backup in place that a page has left for this start; one that is not sound is told of."""
    from companion.app.files.paths import config_file, config_in_use
    from companion.app.files.settings import load_settings
    from companion.app.upkeep.backups import restore_what_waits
    from companion.core.errors import CompanionError

    settings = load_settings(config=config_file())
    try:
        done = restore_what_waits(settings, config_in_use())
    except CompanionError as error:
        click.echo(f"The backup was not put in place: {error}", err=True)
        return
    if done is not None:
        click.echo(speaker(settings.language)(RESTORED, kept=done.kept))


@click.command()
@_address_options
@lang_option
@click.option("--film/--no-film", default=True, show_default=True, help="Follow the filmed table.")
def demo(
    port: int, https_port: int, https: bool, bind: str, pin: str, lang: str | None, film: bool
) -> None:
    """Play a whole refereed game in the browser, without hardware.

    A film of a rendered table stands in for the camera, a virtual box for the buttons. The film comes with the
    program; its tiles are a sample edition of our own. Nothing is kept when it ends.

    \b
    Example:
      companion demo --lang sk
    """
    import tempfile
    from pathlib import Path

    from companion.app.dashboard.filmed_game import film_choice
    from companion.app.files.sessions import open_store
    from companion.app.files.settings import Settings
    from companion.app.wiring import open_host

    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        settings = Settings(data_dir=folder, language=spoken_language(lang))
        folder_of_film = Path(__file__).parents[2] / "demo" / "film"
        with open_store(settings) as store:
            camera = f"replay:{folder_of_film}" if film else ""
            host = open_host(store, settings, box="virtual:", camera=camera, enrolled=folder_of_film, idle=False)
            host.begin(film_choice(folder_of_film))
            with _serving(host, settings, bind, port, https_port if https else None, pin) as where:
                say = speaker(settings.language)
                tell_addresses(where, say)
                click.echo(say(DEMO))
                until_interrupted()


def _serving(
    host: Host, settings: Settings, bind: str, port: int, https_port: int | None, pin: str
) -> AbstractContextManager[Serving]:
    from companion.app.dashboard.server.serve import serving
    from companion.app.files.paths import web_dir

    return serving(host, web_dir(settings), bind=bind, port=port, https_port=https_port, pin=pin)


def _go_on(host: Host, session: str) -> None:
    """Go on with what was being played, if that can be; a device that is gone is told of, and the game goes on."""
    from companion.core.errors import CompanionError

    try:
        host.resume(session)
    except CompanionError as error:
        click.echo(f"{session}: {error}", err=True)
        host.not_resumed = error if host.table is None else None
        host.rest()
    else:
        click.echo(speaker(host.settings.language)(GOING_ON, session=session))


def _rest(host: Host, camera: str) -> None:
    """Wait for a game; a camera that was asked for and is gone stops the start, a remembered one is done without."""
    from companion.core.errors import DeviceError

    try:
        host.rest()
    except DeviceError as error:
        if camera:
            raise
        click.echo(str(error), err=True)
        host.setup.sources["camera"] = ""


def tell_addresses(where: Serving, say: Callable[..., str]) -> None:
    """Print where the pages are, as an address and as a code to scan, and the PIN; `say` puts it into a language."""
    from sys import stdout

    import segno

    click.echo(say(OPEN_THIS))
    if (stdout.encoding or "").lower() in ("utf-8", "utf8"):  # the code is drawn with half blocks
        segno.make(where.lan_url, error="l").terminal(out=stdout, border=2, compact=True)
    click.echo(say(TABLE_AT, url=f"{where.url}/table"))
    click.echo(say(PHONES_AT, url=where.lan_url))
    if where.https_url:
        click.echo(say(CAMERA_AT, url=f"{where.https_url}/camera"))
    click.echo(say(REFEREE_AT, url=f"{where.url}/referee", pin=where.pin))


def until_interrupted() -> None:
    """Wait until somebody ends the program."""
    import signal
    import threading

    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    stop.wait()


COMMANDS = (serve, demo)
