"""How fast, how frugally and how surely the camera's place is followed, measured on shaken pictures."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import companion.app
from companion.core.errors import DataError
from vision.locate.pose_tracker import PoseTracker, Tracking
from vision.scenes.scene_set import picture

FILM = Path(companion.app.__file__).parent / "demo" / "film" / "game"
SIZE_WH = (1920, 1080)
FRAME_S = 1 / 30
BUMPS_PX = (3.0, 5.0, 12.0, 40.0)
NOISE_LEVELS = 3
IDLE_FPS = 10.0  # the rate at which an idle table is looked at


def following_bench(picture: Path | None, frames: int, seed: int) -> dict[str, Any]:
    """Frames a second while following, share of a core when idle, memory, and how soon bumps are noticed and mended.

    `picture`: of a table with its markers; the demo film's first one by default, enlarged to 1080p.
    """
    image = _picture(picture)
    shown = _noisy(image, np.random.default_rng(seed), 8)
    tracker = PoseTracker()
    for n in range(3):
        tracker.track(shown[n], n * FRAME_S)
    if tracker.now.tracking is not Tracking.LOCKED:
        raise DataError(f"the table is not found: {tracker.now.reason}", where=str(picture or "the demo film"))
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, used = [], time.process_time()
    for n in range(frames):
        start = time.perf_counter()
        tracker.track(shown[n % len(shown)], (3 + n) * FRAME_S)
        took.append(time.perf_counter() - start)
    used = (time.process_time() - used) / frames
    after_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "frames": frames,
        "size": f"{SIZE_WH[0]} x {SIZE_WH[1]}",
        "ms_median": round(1000 * float(np.median(took)), 2),
        "ms_p95": round(1000 * float(np.quantile(took, 0.95)), 2),
        "frames_per_s": round(1 / float(np.median(took))),
        f"core_share_at_{IDLE_FPS:g}_fps": round(used * IDLE_FPS, 4),
        "false_alarms": tracker.now.epoch - 1,
        "memory_mb": round(after_kb / 1024, 1),
        "memory_grown_mb": round((after_kb - before_kb) / 1024, 1),
        "bumps": [_bump(image, by_px, seed) for by_px in BUMPS_PX],
    }


def _bump(image: np.ndarray, by_px: float, seed: int) -> dict[str, Any]:
    """Seconds from a bump of so many px until it is noticed, and until the table is found again."""
    rng = np.random.default_rng(seed)
    tracker = PoseTracker()
    still, moved = _noisy(image, rng, 4), _noisy(_turned(image, by_px), rng, 4)
    bump_frame = 10
    noticed = locked = None
    for n in range(90):
        state = tracker.track((still if n < bump_frame else moved)[n % 4], n * FRAME_S).tracking
        since_s = (n - bump_frame) * FRAME_S
        if n >= bump_frame and noticed is None and state is not Tracking.LOCKED:
            noticed = round(since_s, 3)
        if noticed is not None and state is Tracking.LOCKED:
            locked = round(since_s, 3)
            break
    return {"by_px": by_px, "noticed_s": noticed, "locked_again_s": locked}


def _picture(path: Path | None) -> np.ndarray:
    path = path or min(FILM.glob("*.webp"))
    image = picture(path)
    enlarged: np.ndarray = cv2.resize(image, SIZE_WH, interpolation=cv2.INTER_CUBIC)
    return enlarged


def _noisy(image: np.ndarray, rng: np.random.Generator, count: int) -> list[np.ndarray]:
    """Frames of the same view that differ by sensor noise."""
    span = (-NOISE_LEVELS, NOISE_LEVELS + 1)
    return [cv2.add(image, rng.integers(*span, image.shape, np.int16), dtype=cv2.CV_8U) for _ in range(count)]


def _turned(image: np.ndarray, by_px: float) -> np.ndarray:
    """The view of the camera turned so that the middle of the picture moves by so many px."""
    height, width = image.shape[:2]
    focal = 0.85 * width
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    turn = cv2.Rodrigues(np.array([0.6, 0.8, 0.0]) * by_px / focal)[0]
    way = matrix @ turn @ np.linalg.inv(matrix)
    turned: np.ndarray = cv2.warpPerspective(image, way, (width, height), borderMode=cv2.BORDER_REFLECT)
    return turned
