"""`companion bench vision`: how long a settled frame takes to read, and how much memory that needs."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from time import perf_counter

import click


@click.command("vision")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--players", default=4, show_default=True, help="Read the grids of so many players only.")
@click.option("--repeat", default=3, show_default=True, help="How often each picture is read.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def vision(directory: Path, players: int, repeat: int, as_json: bool) -> None:
    """Read the settled grids of a scene set whose pose is known, as when a table is followed.

    Example: companion bench vision scenes --players 4
    """
    import cv2
    import numpy as np

    from vision.pose import TablePose, locate_table
    from vision.scene_set import SceneSet, picture
    from vision.set_reader import SetReader, marker_layout

    cv2.setNumThreads(2)
    scenes = SceneSet(directory)
    reader = SetReader(scenes).table(players)
    read_ms: list[float] = []
    for job in scenes.jobs("grid"):
        image = picture(job.image) if job.players == players else None
        pose = locate_table(image, marker_layout(scenes.layout)) if image is not None else None
        if image is None or not isinstance(pose, TablePose):
            continue
        reader.read(image, pose=pose)  # maps of this camera are made once
        for _ in range(repeat):
            started = perf_counter()
            reader.read(image, pose=pose)
            read_ms.append((perf_counter() - started) * 1000)
    if not read_ms:
        raise click.UsageError(f"{directory} has no located grid of {players} players")
    figures = {
        "frames": len(read_ms),
        "median_ms": round(float(np.median(read_ms)), 1),
        "p95_ms": round(float(np.percentile(read_ms, 95)), 1),
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:12} {value}")


BENCH = vision
