"""Measures the lens from the live picture: collects views of the printed board, tells what is missing, and keeps a lens
that is good."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from calibration.lens import LensBoard, LensCollector, calibrate_lens
from calibration.profiles import LensProfile, ProfileStore, camera_identity
from calibration.sheets import calibration_sheets
from companion.app.files import paths
from companion.app.files.settings import Settings
from companion.core.errors import DeviceError
from companion.core.messages import NO_MESSAGE, Message
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from web.ports.upkeep import LensFigures, LensLook

GOOD_LENS_PX = 0.5
"""As `companion calibrate lens` demands: half a pixel is a third of a millimetre on an ordinary table."""
MOST_VIEWS = 40
"""More take long to measure by and tell no more."""
NO_PICTURE = "No picture comes from the camera."
NO_PICTURE_REMEDY = "Choose a camera in the set-up, or start the phone as camera."
BOARD_UNSEEN = "Hold the printed board into the picture."
HOLD_STILL = "Enough is seen: now it is measured."
LENS_GOOD = (
    "Good: places in the picture are right to {error} px. Lines at the edge of the picture bend by {bend} px, which is "
    "taken out from now on."
)
LENS_BAD = (
    "Not exact: places in the picture are wrong by {error} px, and half a pixel is the most. Glue the sheet on "
    "something flat, hold it still, light it evenly, and measure again. The former lens stays in use."
)
MARKS_PER_SIDE = 21
"""Points along each edge of the picture at which the bend is told."""


class LensBench:
    """See `web.ports.upkeep.LensPort`. Calls from any thread; a picture is looked at once."""

    def __init__(
        self,
        settings: Settings,
        frame: Callable[[], np.ndarray | None],
        source: Callable[[], str],
        markers: Callable[[], MarkerLayout],
        changed: Callable[[], None],
    ) -> None:
        """`frame`: the newest picture (H, W, 3) uint8 BGR; `source`: the camera's; `changed`: another lens is kept."""
        self._settings, self._frame, self._source = settings, frame, source
        self._markers, self._changed = markers, changed
        self._lock = threading.Lock()
        self._board = LensBoard()
        self._collector: LensCollector | None = None
        self._seen: np.ndarray | None = None
        self._result: LensFigures | None = None

    def begin(self) -> None:
        """Collect views from now on."""
        with self._lock:
            self._collector, self._seen, self._result = LensCollector(self._board), None, None

    def end(self) -> None:
        """Collect no more."""
        with self._lock:
            self._collector = self._seen = self._result = None

    def look(self) -> LensLook:
        """How it stands, with the newest picture taken in."""
        image = self._frame()
        if image is None:
            raise DeviceError(NO_PICTURE, where="camera", remedy=NO_PICTURE_REMEDY)
        size_wh = (image.shape[1], image.shape[0])
        with self._lock:
            known, collector = self._known(size_wh), self._collector
            if collector is None:
                return LensLook(running=False, known=known, result=self._result)
            if collector.views and collector.views[0].size_wh != size_wh:  # another camera or resolution: anew
                collector = self._collector = LensCollector(self._board)
            if image is not self._seen and len(collector.views) < MOST_VIEWS:
                self._seen = image
                collector.see(image)
            coverage, last = collector.coverage(), collector.last
            advice = coverage.advice or Message(HOLD_STILL)
            outline: tuple[tuple[float, float], ...] = ()
            if last is None:
                advice = Message(BOARD_UNSEEN)
            else:
                hull = cv2.convexHull(last.corners_px.astype(np.float32))[:, 0]
                outline = tuple((float(x) / size_wh[0], float(y) / size_wh[1]) for x, y in hull)
            return LensLook(True, coverage.views, coverage.share, coverage.fields, outline, advice, known)

    def finish(self) -> None:
        """Measure by what was collected."""
        with self._lock:
            collector = self._collector
            if collector is None:
                return
            found = calibrate_lens(collector.views, self._board)
            good = bool(found.held_out_px <= GOOD_LENS_PX)
            bend = bend_px(found.camera)
            facts = {"error": f"{found.held_out_px:.2f}", "bend": f"{bend:.0f}"}
            meaning = Message(LENS_GOOD if good else LENS_BAD, **facts)
            self._result = LensFigures(len(found.used), found.held_out_px, bend, meaning, good)
            self._collector = None
            if good:
                who = camera_identity(self._source())
                profile = LensProfile(who, found.camera, found.held_out_px, len(found.used), int(time.time()))
                ProfileStore(paths.calibration_dir(self._settings)).save_lens(profile)
        if good:
            self._changed()

    def sheets(self, paper: str) -> bytes:
        """The markers and the board as a PDF."""
        return calibration_sheets(paper, self._markers())

    def _known(self, size_wh: tuple[int, int]) -> LensFigures | None:
        lens = ProfileStore(paths.calibration_dir(self._settings)).lens(camera_identity(self._source()), size_wh)
        if isinstance(lens, str):
            return None
        return LensFigures(lens.views, lens.held_out_px, bend_px(lens.camera), NO_MESSAGE, True)


def bend_px(camera: Camera) -> float:
    """By how many px the lens moves what lies at the edge of the picture, at most."""
    width, height = camera.size_wh
    along = np.linspace(0, 1, MARKS_PER_SIDE)
    edge = np.array(
        [(x * width, y) for x in along for y in (0, height)] + [(x, y * height) for y in along for x in (0, width)]
    )
    straight = cv2.undistortPoints(edge[:, None].astype(np.float64), camera.matrix, camera.dist, P=camera.matrix)[:, 0]
    return float(np.linalg.norm(straight - edge, axis=1).max())
