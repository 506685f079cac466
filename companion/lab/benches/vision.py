"""`companion bench vision`: how long a settled frame takes to read, and how much memory that needs."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.scenes.set_reader import SetReader


@click.command("vision")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--players", default=4, show_default=True, help="Read the grids of so many players only.")
@click.option("--repeat", default=3, show_default=True, help="How often each picture is read.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def vision(directory: Path, players: int, repeat: int, as_json: bool) -> None:
    """Read the settled pictures of a scene set whose pose is known, as when a table is followed.

    "whole": each picture of a grid by itself, as the first one of a table is read. "followed": the settled pictures of
    the set's filmed game one after the other, as a followed table is read: only what has changed since. A picture
    counts as settled when no hand is in it.

    Example: companion bench vision scenes --players 4
    """
    import cv2

    from vision.scenes.scene_set import SceneSet
    from vision.scenes.set_reader import SetReader

    cv2.setNumThreads(2)
    scenes = SceneSet(directory)
    read = SetReader(scenes)
    times = {"whole": _whole(read, players, repeat), "followed": _followed(read, directory, repeat)}
    if not any(times.values()):
        raise click.UsageError(f"{directory} has neither a located grid of {players} players nor a filmed game")
    figures: dict[str, float] = {}
    for way, read_ms in times.items():
        figures.update(_figures(way, read_ms))
    figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:20} {value}")


def _figures(way: str, read_ms: list[float]) -> dict[str, float]:
    import numpy as np

    if not read_ms:
        return {}
    return {
        f"{way}_frames": len(read_ms),
        f"{way}_median_ms": round(float(np.median(read_ms)), 1),
        f"{way}_p95_ms": round(float(np.percentile(read_ms, 95)), 1),
    }


def _whole(read: SetReader, players: int, repeat: int) -> list[float]:
    """Milliseconds for each picture of a grid of so many players, its pose being known."""
    from vision.locate.pose import TablePose, locate_table
    from vision.scenes.scene_set import picture

    read_ms: list[float] = []
    for job in (j for j in read.scenes.jobs("grid") if j.players == players):
        reader, image = read.table(players), picture(job.image)
        pose = locate_table(image, reader.markers)
        if not isinstance(pose, TablePose):
            continue
        reader.read(image, pose=pose)  # maps of this camera are made once
        for _ in range(repeat):
            started = perf_counter()
            reader.read(image, pose=pose)
            read_ms.append((perf_counter() - started) * 1000)
    return read_ms


def _followed(read: SetReader, directory: Path, repeat: int) -> list[float]:
    """Milliseconds for each settled picture of the filmed game but the first ones of each place of the camera."""
    from companion.app.camera.film import read_jobs
    from vision.locate.pose_tracker import PoseTracker
    from vision.scenes.scene_set import picture

    if not (directory / "game" / "jobs.json").exists():
        return []
    jobs = read_jobs(directory / "game")
    reader = read.table(jobs.players)
    place = PoseTracker(reader.markers, stills=True)
    read_ms: list[float] = []
    memory, epoch = None, 0
    for number, path in enumerate(jobs.pictures):
        image = picture(path)
        following = place.track(image, float(number))
        if following.pose is None:
            continue
        if following.epoch != epoch:
            memory, epoch = None, following.epoch
        took = []
        for _ in range(repeat):
            started = perf_counter()
            reading = reader.read(image, pose=following.pose, memory=memory)
            took.append((perf_counter() - started) * 1000)
        if memory is not None and not reading.hand:
            read_ms += took
        memory = reading.memory
    return read_ms


BENCH = vision
