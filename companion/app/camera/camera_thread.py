"""The camera's thread of a followed table, and what pages may see of it."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from companion.app.camera.evidence_pictures import EvidencePictures
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.camera.picture_loop import PictureStep, SourceLoop
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.machine.freed_memory import trim_heaps
from companion.core.game_code import game_code_error
from companion.core.inputs import BoardObservation, ViewState
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Seat
from vision.sources import SourceStatus

STOP_S = 5.0
"""How long the end of the thread is waited for: longer than any picture takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """What pages may see of the camera: state of the view, health of the source, the picture and what was read last."""

    view: ViewState = ViewState.PREPARING
    note: Message = NO_MESSAGE
    source: SourceStatus | None = None
    number: int = 0
    image: np.ndarray | None = None
    observation: BoardObservation | None = None
    trouble: str = ""
    reading: bool = False
    """A new scene was seen and is being read."""

    def after(self, step: PictureStep, eyes: PictureEyes) -> Snapshot:
        """What pages may see after a step of the loop."""
        view = eyes.view
        if step.picture is None:
            return replace(self, view=view.state, note=view.note, source=step.status, reading=eyes.reading)
        read = step.observations[-1] if step.observations else None
        note = view.note if read is None else read.note
        seen = read or self.observation
        return Snapshot(view.state, note, step.status, step.number, step.picture, seen, reading=eyes.reading)


GIVE_BACK_S = 10.0
"""What reading has freed is given back this often: it takes three milliseconds."""

HELD_S = 0.1
"""A film that is held looks so often whether it is to go on."""


@dataclass
class CameraThread:
    """Follows one table. `start` begins the thread, `stop` ends it; `snapshot` may be read from any thread.

    The eyes are made in the thread, so that pages need not wait for them; until then the view is PREPARING.

    `give_back`: gives freed memory back to the machine; called now and then.

    `held`: while it is set no further picture is taken, as people hold a film.

    `evidence`: the pictures that are kept beside the record.

    `pace_s`: between two pictures of a film that is played as if live.
    """

    loop: SourceLoop
    watch: TableWatch
    evidence: EvidencePictures | None = None
    pace_s: float = 0.0
    snapshot: Snapshot = field(default_factory=Snapshot)
    give_back: Callable[[], None] = trim_heaps
    ended: threading.Event = field(default_factory=threading.Event)
    held: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _open: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to follow the table."""
        self.loop.source.start()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and let go of the camera. Eyes that are still being made are not waited for, but at the end of
        the program, which may not end amid compiled code: with them the thread ends, and touches nothing."""
        with self._lock:
            self._stop.set()
        if self._thread is not None:
            if self._open:
                self._thread.join(STOP_S)
            else:
                atexit.register(self._thread.join)
        self.loop.source.stop()
        if self._open and self.loop.eyes is not None and self.loop.eyes.aside is not None:
            self.loop.eyes.aside.shutdown()
            self.loop.eyes.aside = None  # a picture that is judged by hand is read at once

    def _opened(self) -> PictureEyes | None:
        """The eyes, once they are made; None when the table was closed meanwhile."""
        eyes = self.loop.open_eyes()
        self.give_back()  # what learning the tiles took
        with self._lock:
            self._open = not self._stop.is_set()
        return eyes if self._open else None

    def _told(self) -> tuple[ViewState, bool, Seat | None]:
        """What pages say of the camera without being asked."""
        return self.snapshot.view, self.snapshot.reading, self.watch.in_the_middle

    def _run(self) -> None:
        given_back_s = self.loop.clock()
        told = self._told()
        try:
            eyes = self._opened()
            if eyes is None:
                return
            for step in self.loop.run():
                self.watch.time_passes(round(self.loop.clock() * 1000))  # a still table is looked at once a second
                self.snapshot = self.snapshot.after(step, eyes)
                before, told = told, self._told()
                if before != told:
                    self.watch.session.nudge()
                if self.loop.clock() - given_back_s >= GIVE_BACK_S:
                    self.give_back()
                    given_back_s = self.loop.clock()
                # where no picture came one was waited for already
                if self._stop.wait(0.0 if step.picture is None else self.pace_s or eyes.pause_s):
                    return
                while self.held.is_set() and not self._stop.wait(HELD_S):
                    pass  # a film that is held goes on with its next picture
        except Exception as error:  # the page shows why the thread ended; the game goes on by hand
            slip = game_code_error(error)
            trouble = f"{type(error).__name__}: {error}" if slip is None else slip.message
            self.snapshot = replace(self.snapshot, view=ViewState.STALE, trouble=trouble)
            raise
        finally:
            self.ended.set()
