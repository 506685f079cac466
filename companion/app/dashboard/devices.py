"""Camera and tally reader as the pages' ports: what is attached to a table, in their words."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from calibration.box_file import read_box
from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.preview import CAMERA_STATES, Rate, page_jpeg, page_wide, pushed
from companion.app.game.tally_check import tally_reader
from companion.core.errors import DeviceError
from companion.core.layout import BoardView
from companion.core.messages import Message
from companion.table.steps import HandStep
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, locate_table
from vision.scenes.scene_set import SceneSet
from vision.scenes.set_reader import SetReader
from vision.sources import Frame
from vision.sources.grabbers import decode_jpeg
from vision.spread.tally import TallyReader
from web.ports.devices import CameraLook, DeviceHealth, Picture, Question, TallyLook, TallyTile

ANSWER_S = 5.0
MARGIN = 0.25
"""Of the grid's longer side, shown around the slots: hands that come near are seen."""

COLOURS_BGR = {"settled": (120, 200, 60), "hand in view": (0, 180, 255), "settling": (0, 180, 255)}
OTHER_BGR = (60, 60, 230)
LETTER_PX, LINE_PX = 16, 20
"""Height of the letters over the picture: two words fit a tile of the least width that is read."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The open question's choice that `by` took, by its number and as the events' texts that were read."""

    choice: int
    texts: tuple[str, ...]
    by: str


class LiveCamera:
    """The camera of a followed table. Answers wait for the camera's thread, which alone touches the watch."""

    def __init__(self, live: CameraThread, source: str) -> None:
        self._live, self._source = live, source
        self._rate = Rate()
        self._answers: queue.Queue[tuple[_Answer, Future[None]]] = queue.Queue(maxsize=8)  # more: the caller is told
        people = live.loop.before_picture

        def before_picture(index: int) -> None:
            self._take_answers()
            if people is not None:
                people(index)

        live.loop.before_picture = before_picture

    def _take_answers(self) -> None:
        while not self._answers.empty():
            answer, future = self._answers.get()
            try:
                self._answer(answer)
            except Exception as error:  # noqa: BLE001 - whoever asked gets it; the camera goes on
                future.set_exception(error)
            else:
                future.set_result(None)

    def health(self) -> DeviceHealth:
        """Whether pictures come in."""
        snapshot, status = self._live.snapshot, self._live.loop.source.status()
        virtual = self._source.startswith("replay:")
        if snapshot.trouble:
            remedy = Message("Begin the game again from the set-up; nothing is lost.")
            return DeviceHealth("bad", snapshot.trouble, remedy, {}, virtual)
        return DeviceHealth(CAMERA_STATES[status.health], status.health.value, status.reason, {}, virtual)

    def film(self) -> str:
        """How a film stands: running, held, ended; "" for a real camera."""
        if not self._source.startswith("replay:"):
            return ""
        if self._live.ended.is_set():
            return "ended"
        return "held" if self._live.held.is_set() else "running"

    def hold(self, on: bool) -> None:
        """Hold a film, or let it go on."""
        (self._live.held.set if on else self._live.held.clear)()

    def granted(self) -> str:
        """What the driver granted."""
        return self._live.loop.source.status().details

    def look(self) -> CameraLook:
        """What the pipeline makes of the pictures."""
        snapshot = self._live.snapshot
        fps = self._rate.seen(self._live.loop.source.status().frames, time.monotonic())
        image = self.frame()
        size = (0, 0) if image is None else (image.shape[1], image.shape[0])
        return CameraLook(
            snapshot.view.value, snapshot.note, snapshot.number, fps, size, snapshot.reading,
            self._live.watch.in_the_middle,
        )

    def picture(self, overlay: bool, called: Callable[[str], str] = str) -> Picture | None:
        """The newest picture, PAGE_WIDTH_PX wide: whole, or the slots from near with what was read in them, as it is
        `called`."""
        snapshot = self._live.snapshot
        if snapshot.image is None:
            first = self._unjudged()
            return None if first is None else page_jpeg(first.number, first.image)
        image = self._near(snapshot.image, called) if overlay else None
        return page_jpeg(snapshot.number, snapshot.image if image is None else image)

    def frame(self) -> np.ndarray | None:
        """The newest picture (H, W, 3) uint8 BGR; None before the first."""
        snapshot = self._live.snapshot
        first = self._unjudged() if snapshot.image is None else None
        return snapshot.image if first is None else first.image

    def _unjudged(self) -> Frame | None:
        """What the camera sees while the eyes are being made, so that people can aim it meanwhile; None before the
        first picture. A film is not moved on by it: the first picture is asked for until somebody has judged it."""
        return self._live.loop.source.newest()

    def _near(self, image: np.ndarray, called: Callable[[str], str]) -> np.ndarray | None:
        """The part of `image` (H, W, 3) round the slots, outlines, faces and pieces over it; None when not located."""
        live = self._live
        eyes, observation = live.loop.eyes, live.snapshot.observation
        pose = None if eyes is None else eyes.pose
        if eyes is None or pose is None or observation is None:
            return None
        # the faces lie on top of their tiles; z points down
        height = -live.watch.session.rules.layout().face_thickness_mm
        corners_mm = [[(x, y, height) for x, y in outline.corners_mm] for outline in eyes.reader.outlines]
        places = [pose.project(np.array(corners)) for corners in corners_mm]
        spread = np.concatenate(places)
        margin = MARGIN * (spread.max(0) - spread.min(0)).max()
        left, top = np.maximum(spread.min(0) - margin, 0).astype(int)
        right, bottom = (spread.max(0) + margin).astype(int)
        if right - left < 2 or bottom - top < 2 or left >= image.shape[1] or top >= image.shape[0]:
            return None
        image, scale = page_wide(image[top:bottom, left:right])
        colour = COLOURS_BGR.get(live.snapshot.view.value, OTHER_BGR)
        readings = {reading.slot: reading for reading in observation.slots}
        for outline, place in zip(eyes.reader.outlines, places, strict=True):
            corners = np.round((place - (left, top)) * scale).astype(np.int32)
            cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
            reading = readings.get(outline.slot)
            if reading is None:
                continue
            face = reading.faces[0][0] if reading.faces else None
            words = [called(face) if face else "-" if reading.faces else called(reading.sight.value)]
            words += [f"{piece.count} {called(piece.colour)}" for piece in reading.pieces if piece.count]
            for n, word in enumerate(words):
                _write(image, word, int(corners[:, 0].min() + 8), int(corners[:, 1].mean() + LINE_PX * n))
        return image

    def question(self) -> Question | None:
        """The question that is open."""
        asked = self._live.watch.question
        if asked is None:
            return None
        return Question(
            tuple(map(tuple, asked["choices"])), tuple(asked["slots"]), asked["seat"], asked["corrects"],
            asked["unnamed"], asked["presumed"], asked["before"], asked["held"], asked["unseen"],
        )

    def _answer(self, answer: _Answer) -> None:
        asked = self.question()
        if asked is None or answer.choice >= len(asked.choices) or asked.choices[answer.choice] != answer.texts:
            raise ValueError(f"no open question has {answer.texts} as its choice {answer.choice}")
        self._live.watch.answer(answer.choice, answer.by)

    def answer(self, choice: int, texts: tuple[str, ...], by: str) -> None:
        """A person answered. Raises ValueError without such a choice, DeviceError without pictures."""
        answer = _Answer(choice, texts, by)
        if self._live.ended.is_set():
            self._answer(answer)
            return
        future: Future[None] = Future()
        try:
            self._answers.put_nowait((answer, future))
            future.result(ANSWER_S)
        except (queue.Full, TimeoutError) as error:
            raise DeviceError("the camera gives no pictures, so its question cannot be settled now",
                              remedy="Enter what happened instead.") from error

    def go_on(self) -> None:
        """Close the phase if it can be over, and record what waits for that. Raises ValueError if nothing waits or an
        act is still due."""
        if not self._live.watch.conclude():
            raise ValueError("nothing that was seen waits for this")

    def steps(self) -> tuple[HandStep, ...]:
        """What hands must do so that the table fits the record again."""
        return self._live.watch.steps

    def lies(self) -> BoardView | None:
        """The table that raised the alarm, while it is open."""
        alarm = self._live.watch.tracker.alarm
        return None if alarm is None else alarm.seen

    def evidence(self, record: int) -> Picture | None:
        """The picture kept after a record."""
        pictures = self._live.evidence
        path = None if pictures is None else pictures.path(record, "after")
        return Picture(record, path.read_bytes()) if path is not None and path.exists() else None

    def push(self, jpeg: bytes) -> CameraLook:
        """Take a picture from a phone."""
        pushed(self._live.loop.source, jpeg)
        return self.look()


def _write(image: np.ndarray, word: str, x: int, y: int) -> None:
    """White letters with a black rim at (x, y) of `image` (H, W, 3) uint8: read on any tile, with all diacritics."""
    font = cv2.FontFace("sans")
    for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        cv2.putText(image, word, (x + across, y + down), (0, 0, 0), font, LETTER_PX, weight=600)
    cv2.putText(image, word, (x, y), (255, 255, 255), font, LETTER_PX, weight=600)


class TallyDevice:
    """Reads tallies with the faces of one enrolled box."""

    def __init__(self, make_reader: Callable[[], TallyReader], markers: MarkerLayout) -> None:
        """`make_reader`: learns the faces, which takes seconds; called when the first picture is read."""
        self._make_reader, self._markers = make_reader, markers

    @cached_property
    def _reader(self) -> TallyReader:
        return self._make_reader()

    def read(self, jpeg: bytes, captured: int | None = None) -> TallyLook:
        """The tiles in a picture; `captured`: how many there are by the record, None where it tells nothing."""
        image = decode_jpeg(jpeg)
        height, width = image.shape[:2]
        pose = locate_table(image, self._markers)
        reading = self._reader.read(image, None if isinstance(pose, NotLocated) else pose)
        if captured is not None:
            reading = reading.counted(captured)
        tiles = tuple(
            TallyTile(
                tile.face, float(tile.p), tuple(face for face, _ in tile.alternatives),
                _parts(tile.corners_px, width, height), ask,
            )
            for tile, ask in zip(reading.tiles, reading.asked, strict=True)
        )
        hidden = () if reading.hidden_px is None else _parts(reading.hidden_px, width, height)
        return TallyLook(tiles, reading.sure, reading.beyond_names, (width, height), hidden)


def _parts(corners_px: np.ndarray, width: int, height: int) -> tuple[tuple[float, float], ...]:
    """Corners (N, 2) px as parts of a picture's size."""
    return tuple((float(x) / width, float(y) / height) for x, y in corners_px)


def scene_tally(folder: Path) -> TallyDevice:
    """The tally reader of a scene set (a folder with enrolment). Raises DataError."""
    scenes = SceneSet(folder)
    return TallyDevice(lambda: SetReader(scenes).tally(), scenes.plan.markers)


def box_tally(path: Path) -> TallyDevice:
    """The tally reader of an enrolled box's file. Raises DataError."""
    enrolled = read_box(path)
    markers = MarkerLayout()

    return TallyDevice(lambda: tally_reader(enrolled, markers), markers)
