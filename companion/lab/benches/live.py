"""`companion bench live`: from the moment a hand has left to the event on a page, by the whole chain; an idle table."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import click

import companion.app

DEMO_FILM = Path(companion.app.__file__).parent / "demo" / "film"


@click.command()
@click.argument(
    "film", type=click.Path(exists=True, file_okay=False, path_type=Path), default=DEMO_FILM, required=False
)
@click.option("--pictures", default=60, show_default=True, type=click.IntRange(4), help="Of the film, from its first.")
@click.option("--idle", "idle_s", default=10.0, show_default=True, help="Seconds for which a still table is watched.")
@click.option("--busy", is_flag=True, help="Keep one core busy with something else.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def live(film: Path, pictures: int, idle_s: float, busy: bool, as_json: bool) -> None:
    """Play FILM (the demo's by default) before a camera of 30 frames a second and take the time to a page's stream.

    Hands come and go from one frame to the next. The times are of this machine as busy as it is.

    Example: companion bench live --pictures 60 --busy
    """
    from companion.lab.trials.live_trial import busy_core, live_bench

    with busy_core() if busy else nullcontext():
        figures = live_bench(film, pictures, idle_s)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:28} {value}")


BENCH = live
