"""Readers of sets of pictures, learnt once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from vision.scenes.scene_set import SceneSet
from vision.scenes.set_reader import SetReader


@cache
def learnt(folder: Path) -> SetReader:
    """The reader of the set in `folder`, which does not change any more; no reading changes the reader."""
    return SetReader(SceneSet(folder))
