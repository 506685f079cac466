"""`companion bench vision`: how long a settled picture takes to read, and how much memory that needs."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import numpy as np

    from vision.locate.pose import TablePose
    from vision.scenes.set_reader import SetReader
    from vision.tables.table_reader import TableReader

Times = list[tuple[float, float]]
"""Milliseconds by the clock and of processor time, of each reading."""

SHOWN_AGAIN = 12
"""How often each picture of a set without a film is shown again."""

NUDGED_MM = 2.0
NOISE_LEVELS = 2


@click.command("vision")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--players", default=4, show_default=True, help="Read the grids of so many players only.")
@click.option("--repeat", default=3, show_default=True, help="How often each picture is read.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def vision(directory: Path, players: int, repeat: int, as_json: bool) -> None:
    """Read the settled pictures of a scene set whose pose is known, as when a table is followed.

    \b
    whole     each picture of a table by itself, as the first one of a table is read
    tally     each picture of captured tiles
    followed  as a followed table is read, only what has changed since: the settled pictures of the set's filmed game
              one after the other; in a set without a film each picture of a table twelve times again with fresh
              noise, in every second of them one place in turn nudged by 2 mm

    A picture counts as settled when no hand is in it. `cpu` is processor time, the others are by the clock.

    \b
    Examples:
      companion bench vision scenes --players 4
      taskset -c 0 companion bench vision scenes       with one core
    """
    import cv2

    from vision.scenes.scene_set import SceneSet
    from vision.scenes.set_reader import SetReader

    cv2.setNumThreads(2)
    scenes = SceneSet(directory)
    read = SetReader(scenes)
    film = (directory / "game" / "jobs.json").exists()
    times = {
        "whole": _whole(read, players, repeat),
        "tally": _tally(read, repeat),
        "followed": _filmed(read, directory, repeat) if film else _shown_again(read, players),
    }
    if not any(times.values()):
        raise click.UsageError(f"{directory} has no located table of {players} players, no tally and no filmed game")
    figures: dict[str, float] = {}
    for way, took in times.items():
        figures.update(_figures(way, took))
    figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:22} {value}")


def _figures(way: str, took: Times) -> dict[str, float]:
    import numpy as np

    if not took:
        return {}
    clock, cpu = np.array(took).T
    return {
        f"{way}_pictures": len(took),
        f"{way}_median_ms": round(float(np.median(clock)), 1),
        f"{way}_p95_ms": round(float(np.percentile(clock, 95)), 1),
        f"{way}_cpu_median_ms": round(float(np.median(cpu)), 1),
        f"{way}_cpu_p95_ms": round(float(np.percentile(cpu, 95)), 1),
    }


def _timed(read: Callable[[], Any], repeat: int, into: Times) -> Any:
    """What is read, so many times; the times go `into`."""
    for _ in range(repeat):
        clock, cpu = perf_counter(), process_time()
        found = read()
        into.append(((perf_counter() - clock) * 1000, (process_time() - cpu) * 1000))
    return found


def _tables(read: SetReader, players: int) -> Iterator[tuple[TableReader, np.ndarray, TablePose]]:
    """The located pictures of a grid of so many players, or of any table that is no grid."""
    from vision.locate.pose import TablePose, locate_table
    from vision.scenes.scene_set import picture

    for job in (*read.scenes.jobs("grid"), *read.scenes.jobs("table")):
        if job.players is None or (job.part == "grid" and job.players != players):
            continue
        reader, image = read.table(job.players, job.colours), picture(job.image)
        pose = locate_table(image, reader.markers)
        if isinstance(pose, TablePose):
            yield reader, image, pose


def _whole(read: SetReader, players: int, repeat: int) -> Times:
    took: Times = []
    for reader, image, pose in _tables(read, players):
        reader.read(image, pose=pose)  # maps of this camera are made once
        _timed(partial(reader.read, image, pose=pose), repeat, took)
    return took


def _tally(read: SetReader, repeat: int) -> Times:
    """The tallies, each with the search for the markers."""
    from vision.scenes.scene_set import picture

    took: Times = []
    for job in read.scenes.jobs("tally"):
        image = picture(job.image)
        _timed(partial(read.tally_of, image), repeat, took)
    return took


def _filmed(read: SetReader, directory: Path, repeat: int) -> Times:
    """The settled pictures of the filmed game but the first ones of each place of the camera."""
    from companion.app.camera.film import read_jobs
    from vision.locate.pose_tracker import PoseTracker
    from vision.scenes.scene_set import picture

    jobs = read_jobs(directory / "game")
    reader = read.table(jobs.players, jobs.colours)
    place = PoseTracker(reader.markers, stills=True)
    took: Times = []
    memory, epoch = None, 0
    for number, path in enumerate(jobs.pictures):
        image = picture(path)
        following = place.track(image, float(number))
        if following.pose is None:
            continue
        if following.epoch != epoch:
            memory, epoch = None, following.epoch
        now: Times = []
        reading = _timed(partial(reader.read, image, pose=following.pose, memory=memory), repeat, now)
        if memory is not None and not reading.hand:
            took += now
        memory = reading.memory
    return took


def _shown_again(read: SetReader, players: int) -> Times:
    """The pictures of tables without a hand, each again with fresh noise and one place after the other nudged."""
    import numpy as np

    took: Times = []
    rng = np.random.default_rng(1)
    for reader, image, pose in _tables(read, players):
        first = reader.read(image, pose=pose)
        if first.hand:
            continue
        memory = first.memory
        slots = [one.slot for one in first.places if one.pieces or one.face is not None]
        for number in range(SHOWN_AGAIN if slots else 0):
            shown = _noisy(image, rng)
            if number % 2:
                slot = slots[int(rng.integers(len(slots)))]
                corners = next(o.corners_mm for o in reader.layout.slots if o.slot == slot)
                _nudge(shown, pose.project(np.array(corners, float)), NUDGED_MM / pose.mm_per_px)
            reading = _timed(partial(reader.read, shown, pose=pose, memory=memory), 1, took)
            memory = reading.memory or memory
    return took


def _noisy(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    import cv2
    import numpy as np

    noise = rng.integers(-NOISE_LEVELS, NOISE_LEVELS + 1, image.shape, np.int16)
    return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U))


def _nudge(image: np.ndarray, corners_px: np.ndarray, by_px: float) -> None:
    """Move what is shown within corners (4, 2) px to the right, in place."""
    (left, top), (right, bottom) = corners_px.min(0).astype(int).tolist(), corners_px.max(0).astype(int).tolist()
    by = max(1, round(by_px))
    box = image[max(top, 0) : bottom, max(left, 0) : right]
    box[:, by:] = box[:, :-by].copy()


BENCH = vision
