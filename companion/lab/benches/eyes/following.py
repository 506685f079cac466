"""`companion bench following`: following the camera's place: speed, load of an idle table, memory, bumps."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.option("--picture", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A table with markers.")
@click.option("--frames", default=600, show_default=True, type=click.IntRange(30), help="How many frames to follow.")
@click.option("--seed", default=1, show_default=True, help="Of the sensor noise.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def following(picture: Path | None, frames: int, seed: int, as_json: bool) -> None:
    """Follow a picture at 1920 x 1080 with fresh noise, then bump the camera by 3 to 40 px.

    \b
    Example:
      companion bench following --frames 108000     an hour of frames at 30 a second
    """
    from companion.lab.trials.shaken_pictures import following_bench

    result = following_bench(picture, frames, seed)
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        if name != "bumps":
            click.echo(f"{name:24} {value}")
    for bump in result["bumps"]:
        click.echo(
            f"bump of {bump['by_px']:g} px: noticed after {bump['noticed_s']} s, locked {bump['locked_again_s']} s"
        )


BENCH = following
