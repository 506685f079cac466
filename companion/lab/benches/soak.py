"""`companion bench soak`: hours at a filmed table with a camera that fails: memory, and whether all acts came."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.lab.benches.live import DEMO_FILM


@click.command()
@click.argument(
    "film", type=click.Path(exists=True, file_okay=False, path_type=Path), default=DEMO_FILM, required=False
)
@click.option("--hours", default=4.0, show_default=True, type=click.FloatRange(min=0.005), help="Of film.")
@click.option(
    "--still-rate", default=30.0, show_default=True, type=click.FloatRange(min=30.0),
    help="Frames a second while people think and nothing changes: hours of frames in less time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def soak(film: Path, hours: float, still_rate: float, as_json: bool) -> None:
    """Play FILM (the demo's by default) again and again before a camera of 30 frames a second, one evening long.

    The camera is lost and found again, its exposure jumps between still pictures. Every act is waited for.

    Example: companion bench soak --hours 4 --still-rate 600
    """
    from companion.lab.trials.soak_trial import soak as played

    figures = played(film, hours, still_rate, lambda line: click.echo(line, err=True))
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:20} {value}")


BENCH = soak
