"""Commands of the dashboard: serve and demo."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import Decorated, opened_store

if TYPE_CHECKING:
    from companion.app.serve import Serving
    from companion.app.settings import Settings
    from companion.app.web_ports import Host

PORT = click.IntRange(0, 65535)


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

    Goes on with SESSION when it is given; else a game is begun, or gone on with, on the set-up page. Box and camera
    join every game that is opened.

    \b
    Examples:
      companion serve --box virtual:
      companion serve envyra-2026-03-14-1 --box auto --camera browser --box-file mybox.zip
    """
    from pathlib import Path

    from companion.app.web_ports import Host

    with opened_store() as (store, settings):
        tiles = Path(enrolled) if enrolled else None
        host = Host(store, settings, box=box, camera=camera, enrolled=tiles, idle=session is None)
        if session:
            host.resume(session)
        with _serving(host, settings, bind, port, https_port if https else None, pin) as where:
            tell_addresses(where)
            _until_interrupted()


@click.command()
@_address_options
@click.option("--lang", type=click.Choice(["en", "sk", "cs"]), default="en", show_default=True)
@click.option("--film/--no-film", default=True, show_default=True, help="Follow the filmed table.")
def demo(
    port: int, https_port: int, https: bool, bind: str, pin: str, lang: str, film: bool
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

    from companion.app.settings import Settings
    from companion.app.web_ports import Host, begin_film
    from companion.app.wiring import open_store

    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        settings = Settings(data_dir=folder, language=lang)
        folder_of_film = Path(__file__).parents[1] / "demo" / "film"
        with open_store(settings) as store:
            camera = f"replay:{folder_of_film}" if film else ""
            host = Host(store, settings, box="virtual:", camera=camera, enrolled=folder_of_film, idle=False)
            begin_film(host, folder_of_film)
            with _serving(host, settings, bind, port, https_port if https else None, pin) as where:
                tell_addresses(where)
                click.echo("Open the table on one screen and the referee's page beside it; Ctrl+C ends the demo.")
                _until_interrupted()


def _serving(
    host: Host, settings: Settings, bind: str, port: int, https_port: int | None, pin: str
) -> AbstractContextManager[Serving]:
    from companion.app.paths import data_dir
    from companion.app.serve import serving

    return serving(host, data_dir(settings) / "web", bind=bind, port=port, https_port=https_port, pin=pin)


def tell_addresses(where: Serving) -> None:
    """Print where the pages are, and the PIN."""
    click.echo(f"Table:   {where.url}/table")
    click.echo(f"Phones:  {where.lan_url}")
    if where.https_url:
        click.echo(f"Camera:  {where.https_url}/camera (the certificate is our own: confirm the warning once)")
    click.echo(f"Referee: {where.url}/referee, PIN {where.pin}")


def _until_interrupted() -> None:
    import signal
    import threading

    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    stop.wait()


COMMANDS = (serve, demo)
