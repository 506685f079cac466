"""The eyes of a followed table: where the camera is, whether a picture counts, and what it shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from companion.app.camera.evidence_pictures import EvidencePictures
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import SlotView
from companion.core.types import Slot
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS
from vision.locate.camera_model import Camera
from vision.locate.pose import TablePose
from vision.locate.pose_tracker import Following, PoseTracker
from vision.sources import SourceStatus
from vision.tables.again.incremental import TableMemory
from vision.tables.boards import SeatBoard
from vision.tables.known_table import KnownTable
from vision.tables.place import Laid
from vision.tables.table_reader import TableReader, TableReading
from vision.view.view_state import View, ViewClassifier

READS_PER_SCENE = len(FRAME_WEIGHTS)
"""Pictures of a still scene that are read; more would add nothing (see FRAME_WEIGHTS)."""

REREAD_S = 1.0
"""A still scene is read again this often, in case something was missed."""

REREAD_SHARE = 0.04
"""Of a core that this may take: what is dear to read, as a table of 47 places, is read again less often."""

EARLY_S = 0.1
"""Nothing has moved for so long: the picture is read, though it does not count before the view is settled."""

STILL_S = 1.0
"""What has come in over a map and is no arm lies just so for as long: a hand that pauses does not."""

PAUSE_S, PAUSE_WHILE_READING_S = 0.2, 0.03
"""A settled table is looked at this often, and while a picture of it is being read. Decoding a picture of 1080 lines
takes 12 ms: ten a second would be more than a tenth of a core with nobody at the table."""

ALIKE_S = 1.0
"""Of a settled table that looks as before a picture is needed this often: as often as it is searched for hands."""

Profiles = Callable[[tuple[int, int]], tuple[Camera | None, TablePose | None]]
"""The camera's measured lens and remembered table for a size of picture (width, height)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A picture that is being read aside. `scene`: tells one still scene from another. `counts`: the view was settled;
    else the reading counts only if it comes to be settled in the same scene."""

    number: int
    time_ms: int
    scene: tuple[int, float]
    counts: bool
    seats: tuple[SeatBoard, ...]
    result: Future[tuple[TableReading, float]]
    """And the processor's seconds that it took."""


@dataclass
class PictureEyes:
    """Judges picture after picture (H, W, 3) uint8 BGR; one thread calls it.

    `stills`: every picture is a scene of its own (a film). `boards`: the boards to read at present. `agreed`: what the
    last observation was agreed to show, by slot; None: tiles are not compared with how they looked before.
    `recorded`: what lies on the table by the record, by slot.
    `evidence`: gets every settled picture. `aside`: where pictures of a running camera are read, one at a time, while
    the next ones are judged; None: each is read at once, and the next ones wait. `pose` and `view`: what was found in
    the last picture.
    """

    reader: TableReader
    stills: bool = False
    boards: Callable[[], tuple[SeatBoard, ...]] = tuple
    agreed: Callable[[], Mapping[Slot, SlotView]] | None = None
    recorded: Callable[[], Mapping[Slot, SlotView]] = dict
    evidence: EvidencePictures | None = None
    profiles: Profiles | None = None
    aside: Executor | None = None
    view: View = field(init=False)
    _begun: _Reading | None = None
    _finished: list[_Reading] = field(default_factory=list)
    _memory: TableMemory | None = None
    _laid: tuple[Laid, ...] = ()
    _reads: int = 0
    _read_s: float = -np.inf
    _reached: tuple[tuple[int, float], float] | None = None
    """In which still scene something was last seen to reach over a map, and when."""
    _cost_s: float = 0.0
    _size_wh: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._tracker = PoseTracker(self.reader.markers, camera=self.reader.camera, stills=self.stills)
        self._classifier = ViewClassifier(self.reader.outlines, stills=self.stills)
        self.view = self._classifier.view
        self._known = None if self.agreed is None else KnownTable(self.reader.layout, self.reader.colours)

    @property
    def pose(self) -> TablePose | None:
        """Where the camera is; None while that is not known."""
        return self._tracker.now.pose

    @property
    def reading(self) -> bool:
        """Whether a scene is being read of which nothing is known yet."""
        return self._begun is not None and (not self._begun.counts or self._reads == 0)

    @property
    def pause_s(self) -> float:
        """How long the next picture of a running camera can wait."""
        if self.aside is None:
            return 0.0
        if self._begun is not None:
            return PAUSE_WHILE_READING_S
        return PAUSE_S if self._at_rest else 0.0

    @property
    def alike_s(self) -> float:
        """How long the next picture of a running camera can wait if it looks as the last one."""
        return ALIKE_S if self.aside is not None and self._at_rest else 0.0

    @property
    def _at_rest(self) -> bool:
        return self.view.state is ViewState.SETTLED and self._reads >= READS_PER_SCENE

    def observe(self, number: int, picture: np.ndarray, now_s: float) -> Iterator[BoardObservation]:
        """What the watch must know of `picture`, in order; nothing when its scene was read often enough."""
        self._use_profiles((picture.shape[1], picture.shape[0]))
        time_ms, epoch = round(now_s * 1000), self._tracker.now.epoch
        following = self._tracker.track(picture, now_s)
        if following.epoch > epoch > 0:  # found again elsewhere: what was read since the bump is void
            self._memory, self._begun = None, None
            self._finished.clear()
            yield BoardObservation(number, time_ms, ViewState.MOVED, note=following.reason)
        self._look_over()
        view = self.view = self._classifier.classify(picture, following, now_s)
        settled = view.state is ViewState.SETTLED
        if settled:
            self._reads = 0 if view.fresh else self._reads
            if self.evidence is not None:
                self.evidence.settled(picture, new_scene=view.fresh)
        if self.aside is not None:
            yield from self._read_before((following.epoch, view.moved_s), now_s)
            self._read_aside(self.aside, number, picture, following, now_s)
        if not settled:
            if self._begun is None or not self._begun.counts:  # else this comes after what is being read
                yield BoardObservation(number, time_ms, view.state, note=view.note)
        elif self.aside is None and self._due(now_s):
            reading = self._to_read(picture, following, self._memory, self.boards())()
            self._keep(reading, 0.0, now_s)
            told = self._beside(reading)
            yield told.observation(number, time_ms, ViewState.HAND if told.hand else view.state)

    def _to_read(
        self, picture: np.ndarray, following: Following, memory: TableMemory | None, seats: Sequence[SeatBoard]
    ) -> Callable[[], TableReading]:
        """The reading of `picture`, to be made now or aside, with all that is known of the table by now."""
        return partial(
            self.reader.read, picture, pose=following.pose, seats=seats, memory=memory, view=self.view,
            agreed=self._agreed(), recorded=self.recorded(),
        )

    def _agreed(self) -> Mapping[Slot, SlotView]:
        return {} if self.agreed is None else self.agreed()

    def _beside(self, reading: TableReading) -> TableReading:
        """A reading, told by how the tiles looked when it was agreed what lay there."""
        known = self._known
        return reading if known is None or self.agreed is None else known.beside(reading, self.agreed())

    def happened(self) -> None:
        """What was read is in the record: as long as that goes on, as where a whole market is laid, the next picture of
        the scene may show more."""
        self._reads = min(self._reads, 1)

    def _keep(self, reading: TableReading, cost_s: float, now_s: float) -> None:
        """What the next picture of the scene need not be read again for."""
        self._memory, self._read_s, self._cost_s = reading.memory, now_s, cost_s
        if reading.hand:
            self._classifier.reached_over()
        if reading.over is not None:
            self._classifier.read_over(reading.over, now_s)
        self._reads += 1

    def _look_over(self) -> None:
        """Hands are looked for where tiles lie, by what was read and by the record, or can come to lie; all over as
        long as no picture was read: what lies across the rim, as the edge of the sun, would be taken for one."""
        laid = () if self._memory is None else self.reader.laid(self._memory, self.recorded())
        if laid != self._laid:
            self._laid = laid
            looked_over, near = self.reader.looked_over(laid), self.reader.near_tiles(laid)
            self._classifier.look_over(looked_over, near, self.reader.is_far_tile)

    def _due(self, now_s: float) -> bool:
        """Whether a settled picture is to be read."""
        return self._reads < READS_PER_SCENE or now_s - self._read_s >= max(REREAD_S, self._cost_s / REREAD_SHARE)

    def _read_before(self, scene: tuple[int, float], now_s: float) -> Iterator[BoardObservation]:
        """What was read aside and counts, in the order of the pictures. What was read early of a scene that was
        disturbed before it had settled, or over which a hand was found, is void."""
        if self._begun is not None and self._begun.result.done():
            self._finished.append(self._begun)
            self._begun = None
        left, self._finished = self._finished, []
        for one in left:
            reading, cost_s = one.result.result()
            early = not one.counts
            if early and (one.scene != scene or reading.hand or one.seats != self.boards()):
                if self._memory is None and one.scene[0] == scene[0] and not reading.hand:
                    self._memory = reading.memory  # the first whole table is not read twice: only what has changed
                elif one.scene == scene and self._note_reach(reading, one):
                    self._memory = reading.memory  # which knows how that looked
                continue
            if early and self.view.state is not ViewState.SETTLED:
                self._finished.append(one)
                continue
            self._note_reach(reading, one)
            self._keep(reading, cost_s, now_s)
            yield self._beside(reading).observation(one.number, one.time_ms)

    def _note_reach(self, reading: TableReading, one: _Reading) -> bool:
        """Note when something seems to reach over a map in a reading; whether it does."""
        reached = reading.hand and reading.memory is not None and bool(reading.memory.reached)
        if reached:
            self._reached = one.scene, one.time_ms / 1000
        return reached

    def _read_aside(
        self, aside: Executor, number: int, picture: np.ndarray, following: Following, now_s: float
    ) -> None:
        """Begin to read `picture` if it is to be read and nothing is being read."""
        view = self.view
        settled = view.state is ViewState.SETTLED
        early = view.state is ViewState.SETTLING and now_s - view.moved_s >= EARLY_S
        wanted = self._due(now_s) if settled else early and len(self._finished) < READS_PER_SCENE
        scene = (following.epoch, view.moved_s)
        if self._reached is not None and self._reached[0] == scene:
            wanted &= now_s - self._reached[1] >= STILL_S
        if self._begun is not None or not wanted:
            return
        memory = self._finished[-1].result.result()[0].memory if self._finished else self._memory
        seats = self.boards()
        result = aside.submit(_timed, self._to_read(picture, following, memory, seats))
        self._begun = _Reading(number, round(now_s * 1000), scene, settled, seats, result)

    def without_picture(self, number: int, status: SourceStatus, now_s: float) -> Iterator[BoardObservation]:
        """What the watch must know when no picture came after `number`: what was read, that the view has changed."""
        before, self.view = self.view, self._classifier.without_picture(status)
        if self.aside is not None:
            yield from self._read_before((self._tracker.now.epoch, self.view.moved_s), now_s)
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


def _timed(read: Callable[[], TableReading]) -> tuple[TableReading, float]:
    """A reading, and the processor's seconds of this thread that it took."""
    begun_s = time.thread_time()
    reading = read()
    return reading, time.thread_time() - begun_s
