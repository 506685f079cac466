"""Pictures of evidence: what lay there before an event is written as it was, and not held whole meanwhile."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import cv2
import numpy as np

from companion.app.camera.evidence_pictures import JPEG_QUALITY, EvidencePictures


def picture(level: int) -> np.ndarray:
    return np.add.outer(np.arange(48), np.full(64, level))[..., None].repeat(3, axis=2).astype(np.uint8)


def test_the_scene_before_is_held_as_it_is_written_once_the_next_one_stands_still(tmp_path: Path) -> None:
    kept = EvidencePictures(tmp_path / "pictures")
    before = picture(20)
    data = cv2.imencode(".jpg", before, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    gone = weakref.ref(before)
    kept.settled(before, new_scene=True)
    del before
    kept.settled(picture(90), new_scene=True)
    assert gone() is not None  # the first picture of a scene does not wait for its being written
    kept.settled(picture(91), new_scene=False)
    gc.collect()
    assert gone() is None
    kept.keep(7)
    assert kept.path(7, "before").read_bytes() == data
    after = cv2.imread(str(kept.path(7, "after")))
    assert np.abs(after.astype(int) - picture(91)).max() < 6


def test_an_event_of_the_first_picture_of_a_scene_has_both_pictures(tmp_path: Path) -> None:
    kept = EvidencePictures(tmp_path / "pictures")
    kept.settled(picture(20), new_scene=True)
    kept.settled(picture(90), new_scene=True)
    kept.keep(3)
    shown = [cv2.imread(str(kept.path(3, when))).mean() for when in ("before", "after")]
    assert shown[1] - shown[0] > 60
