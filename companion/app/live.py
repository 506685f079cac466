"""The camera's thread of a followed table: newest picture, pose, settling, reading, watch; and what pages may see."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.app.evidence_pictures import EvidencePictures
from companion.app.table_eyes import TableEyes
from companion.app.watch import TableWatch
from companion.core.inputs import BoardObservation, ViewState
from companion.core.said import NOTHING, Said
from companion.core.types import Seat
from companion.table.evidence import FRAME_WEIGHTS
from vision.boards import SeatBoard
from vision.camera_model import Camera
from vision.follow import Follower as PoseFollower
from vision.pose import TablePose
from vision.reread import GridMemory
from vision.settle import Settler, View
from vision.sources import FrameSource, SourceStatus

WAIT_S = 0.1
"""How long the thread waits for a picture before it looks at the source's health."""

READS_PER_SCENE = len(FRAME_WEIGHTS)
"""Pictures of a still scene that are read; more would add nothing (see FRAME_WEIGHTS)."""

REREAD_S = 1.0
"""A still scene is read again this often, in case something was missed."""

STOP_S = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What pages may see of the camera: state of the view, health of the source, the picture, how long reading took."""

    view: ViewState = ViewState.WAITING
    note: Said = NOTHING
    source: SourceStatus | None = None
    frame: int = 0
    image: np.ndarray | None = None
    observation: BoardObservation | None = None
    read_ms: float = 0.0
    trouble: str = ""


@dataclass
class LiveTable:
    """One followed table. `start` begins the thread, `stop` ends it; `glance` may be read from any thread.

    `stills`: every picture stands alone (a filmed table). `before_frame` is called with the index of a picture
    (from 0) before it is read; a filmed game presses its buttons there.
    """

    source: FrameSource
    reader: TableEyes
    watch: TableWatch
    pictures: EvidencePictures | None = None
    stills: bool = False
    pace_s: float = 0.0
    before_frame: Callable[[int], None] | None = None
    clock: Callable[[], float] = time.monotonic
    profiles: Callable[[tuple[int, int]], tuple[Camera | None, TablePose | None]] | None = None
    """The camera's measured lens and remembered table for a size of picture (width, height)."""
    glance: Glance = field(default_factory=Glance)
    ended: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _reads: int = 0
    _read_s: float = -1e9
    _memory: GridMemory | None = None
    _size_wh: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._pose = PoseFollower(self.reader.markers, camera=self.reader.camera, stills=self.stills)
        self._settler = Settler(self.reader.outlines, stills=self.stills)
        self.watch.follower.stills = self.stills
        if self.pictures is not None:
            self.watch.keep = self.pictures.keep

    def start(self) -> None:
        """Begin to follow the table."""
        self.source.start()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and let go of the camera."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(STOP_S)
        self.source.stop()

    def jpeg(self, width_px: int = 1280) -> bytes | None:
        """The present picture as JPEG, at most so wide; None when there is none."""
        image = self.glance.image
        if image is None:
            return None
        if image.shape[1] > width_px:
            height = round(image.shape[0] * width_px / image.shape[1])
            image = cv2.resize(image, (width_px, height), interpolation=cv2.INTER_AREA)
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
        return data.tobytes() if done else None

    def _run(self) -> None:
        last = 0
        try:
            while not self._stop.is_set():
                frame = self.source.newest(last, WAIT_S)
                status = self.source.status()
                if frame is None:
                    if self._without(status):
                        break
                    continue
                last = frame.number
                if self.before_frame is not None:
                    self.before_frame(frame.number - 1)
                self.step(frame.number, frame.image, self.clock())
                self.glance = replace(self.glance, source=status)
                if self.pace_s:
                    self._stop.wait(self.pace_s)
        except Exception as error:  # the thread's last words are shown on the page; the game goes on by hand
            self.glance = replace(self.glance, view=ViewState.STALE, trouble=f"{type(error).__name__}: {error}")
            raise
        finally:
            self.ended.set()

    def _without(self, status: SourceStatus) -> bool:
        """No new picture came; whether the material has ended."""
        view = self._settler.without_frame(status)
        if view.state is not self.glance.view:
            self.watch.see(BoardObservation(self.glance.frame, self._now_ms(), view.state, note=view.note))
        self.glance = replace(self.glance, view=view.state, note=view.note, source=status)
        return status.health.name == "ENDED"

    def step(self, number: int, image: np.ndarray, now_s: float) -> BoardObservation:
        """Judge one picture (H, W, 3) uint8 BGR and let the watch see what it shows."""
        self._meet((image.shape[1], image.shape[0]))
        epoch = self._pose.now.epoch
        following = self._pose.see(image, now_s)
        if following.epoch > epoch > 0:  # found again elsewhere: what was read since the bump is void
            self._memory = None
            self.watch.see(BoardObservation(number, self._now_ms(), ViewState.MOVED, note=following.reason))
        view = self._settler.see(image, following, now_s)
        start_s = self.clock()
        observation = BoardObservation(number, self._now_ms(), view.state, note=view.note)
        if view.state is ViewState.SETTLED:
            if view.fresh:
                self._reads = 0
            if self.pictures is not None:
                self.pictures.settled(image, new_scene=view.fresh)
            if not self._due(view, now_s):
                self.glance = replace(self.glance, view=view.state, note=view.note, frame=number, image=image)
                return observation
            reading = self.reader.read(
                image, pose=following.pose, seats=self._boards(), memory=self._memory, over=view.over
            )
            self._memory = reading.memory
            observation = reading.observation(number, self._now_ms(), view.state)
            self._reads += 1
            self._read_s = now_s
        self.watch.see(observation)
        took_ms = (self.clock() - start_s) * 1000
        self.glance = replace(
            self.glance, view=observation.view, note=observation.note, frame=number, image=image,
            observation=observation, read_ms=took_ms,
        )
        return observation

    def _meet(self, size_wh: tuple[int, int]) -> None:
        """Use what is known of the camera as soon as the size of its pictures is."""
        if self.profiles is None or size_wh == self._size_wh:
            return
        self._size_wh = size_wh
        self.reader.camera, remembered = self.profiles(size_wh)
        self._pose = PoseFollower(
            self.reader.markers, camera=self.reader.camera, remembered=remembered, stills=self.stills
        )

    def _boards(self) -> tuple[SeatBoard, ...]:
        """The boards to look for: those of all players, while the shields have gone and choices are to be read."""
        if not self.watch.reveal_due:
            return ()
        seats = self.watch.session.rules.setup.seats
        return tuple(SeatBoard(self.watch.seat_deg(Seat(n)), info.colour) for n, info in enumerate(seats))

    def _due(self, view: View, now_s: float) -> bool:
        """Whether a settled picture is read: the first ones of a scene, then one a second."""
        return view.fresh or self._reads < READS_PER_SCENE or now_s - self._read_s >= REREAD_S

    def _now_ms(self) -> int:
        return round(self.clock() * 1000)
