"""Commands of the dashboard: serve and demo."""

from __future__ import annotations

import click


@click.command()
@click.argument("session", required=False)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: a free one.")
@click.option("--https-port", default=8443, show_default=True, type=click.IntRange(0, 65535), help="For cameras.")
@click.option("--https/--no-https", default=True, show_default=True)
@click.option("--bind", default="0.0.0.0", show_default=True, help="127.0.0.1: for this machine alone.")
@click.option("--box", default="", metavar="auto|DEVICE|virtual:", help="The button box.")
@click.option("--pin", default="", help="The referee's PIN (default: one is made and kept).")
def serve(
    session: str | None, port: int, https_port: int, https: bool, bind: str, box: str, pin: str,
) -> None:
    """Serve the dashboard: table, referee, seats, draws, tally and set-up, on the local network.

    Goes on with SESSION when it is given; else a game is begun, or gone on with, on the set-up page.

    \b
    Examples:
      companion serve --box virtual:
      companion serve envyra-2026-03-14-1 --box auto
    """
    from companion.app.command_kit import opened_store
    from companion.app.paths import data_dir
    from companion.app.serve import serving
    from companion.app.web_ports import Host

    with opened_store() as (store, settings):
        host = Host(store, settings)
        if session:
            host.resume(session)
        if box:
            host.use_box(box)
        folder = data_dir(settings) / "web"
        with serving(host, folder, bind=bind, port=port, https_port=https_port if https else None, pin=pin) as where:
            click.echo(f"Table:   {where.url}/table")
            click.echo(f"Phones:  {where.lan_url}")
            if where.https_url:
                click.echo(f"Camera:  {where.https_url}/camera (its certificate is our own: confirm the warning once)")
            click.echo(f"Referee: {where.url}/referee, PIN {where.pin}")
            _until_interrupted()


def _until_interrupted() -> None:
    import signal
    import threading

    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    stop.wait()


COMMANDS = (serve,)
