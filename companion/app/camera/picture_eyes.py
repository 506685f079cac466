"""The eyes of a followed table: where the camera is, whether a picture counts, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from companion.app.camera.evidence_pictures import EvidencePictures
from companion.core.inputs import BoardObservation, ViewState
from companion.table.tracking.evidence import FRAME_WEIGHTS
from vision.locate.camera_model import Camera
from vision.locate.pose import TablePose
from vision.locate.pose_tracker import PoseTracker
from vision.sources import SourceStatus
from vision.tables.boards import SeatBoard
from vision.tables.incremental import TableMemory
from vision.tables.table_reader import TableReader
from vision.view.view_state import View, ViewClassifier

READS_PER_SCENE = len(FRAME_WEIGHTS)
"""Pictures of a still scene that are read; more would add nothing (see FRAME_WEIGHTS)."""

REREAD_S = 1.0
"""A still scene is read again this often, in case something was missed."""

Profiles = Callable[[tuple[int, int]], tuple[Camera | None, TablePose | None]]
"""The camera's measured lens and remembered table for a size of picture (width, height)."""


@dataclass
class PictureEyes:
    """Judges picture after picture (H, W, 3) uint8 BGR; one thread calls it.

    `stills`: every picture is a scene of its own (a film). `boards`: the boards to read at present. `evidence`: gets
    every settled picture. `pose` and `view`: what was found in the last picture.
    """

    reader: TableReader
    stills: bool = False
    boards: Callable[[], tuple[SeatBoard, ...]] = tuple
    evidence: EvidencePictures | None = None
    profiles: Profiles | None = None
    view: View = field(init=False)
    _memory: TableMemory | None = None
    _reads: int = 0
    _read_s: float = -np.inf
    _size_wh: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._tracker = PoseTracker(self.reader.markers, camera=self.reader.camera, stills=self.stills)
        self._classifier = ViewClassifier(self.reader.outlines, stills=self.stills)
        self.view = self._classifier.view

    @property
    def pose(self) -> TablePose | None:
        """Where the camera is; None while that is not known."""
        return self._tracker.now.pose

    def observe(self, number: int, picture: np.ndarray, now_s: float) -> Iterator[BoardObservation]:
        """What the watch must know of `picture`, in order; nothing when its scene was read often enough."""
        self._use_profiles((picture.shape[1], picture.shape[0]))
        time_ms, epoch = round(now_s * 1000), self._tracker.now.epoch
        following = self._tracker.track(picture, now_s)
        if following.epoch > epoch > 0:  # found again elsewhere: what was read since the bump is void
            self._memory = None
            yield BoardObservation(number, time_ms, ViewState.MOVED, note=following.reason)
        view = self.view = self._classifier.classify(picture, following, now_s)
        if view.state is not ViewState.SETTLED:
            yield BoardObservation(number, time_ms, view.state, note=view.note)
            return
        self._reads = 0 if view.fresh else self._reads
        if self.evidence is not None:
            self.evidence.settled(picture, new_scene=view.fresh)
        if view.fresh or self._reads < READS_PER_SCENE or now_s - self._read_s >= REREAD_S:
            reading = self.reader.read(
                picture, pose=following.pose, seats=self.boards(), memory=self._memory, over=view.over
            )
            self._memory, self._read_s = reading.memory, now_s
            self._reads += 1
            yield reading.observation(number, time_ms, view.state)

    def without_picture(self, number: int, status: SourceStatus, now_s: float) -> Iterator[BoardObservation]:
        """What the watch must know when no picture came after `number`: that the view has changed."""
        before, self.view = self.view, self._classifier.without_picture(status)
        if self.view.state is not before.state:
            yield BoardObservation(number, round(now_s * 1000), self.view.state, note=self.view.note)

    def _use_profiles(self, size_wh: tuple[int, int]) -> None:
        """Use what is known of the camera as soon as the size of its pictures is."""
        if self.profiles is None or size_wh == self._size_wh:
            return
        self._size_wh = size_wh
        self.reader.camera, remembered = self.profiles(size_wh)
        self._tracker = PoseTracker(
            self.reader.markers, camera=self.reader.camera, remembered=remembered, stills=self.stills
        )
