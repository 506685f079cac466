"""Calibrating a lens from views of a ChArUco board: from pictures, or live with the progress of covered views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.core.errors import DataError
from companion.core.messages import NO_MESSAGE, Message
from vision.locate.camera_model import Camera

MIN_VIEWS = 6  # fewer cannot tell focal length from distance
MIN_CORNERS = 12
HELD_OUT_EVERY = 4  # of the views one in four judges, the others calibrate
MAX_VIEW_ERROR_TIMES = 3.0  # a view this much worse than the usual one is left out: blurred or bent
# A new live view must differ from those kept: by this share of the picture in place or size, or this lean.
NEW_PLACE, NEW_SIZE, NEW_LEAN = 0.12, 0.15, 0.12
# What makes a calibration hold: corners in most fields of the picture, near and far, straight and leaning views.
FIELDS = 4  # the picture is divided in so many fields each way
ENOUGH_FIELDS = 12
LEANING, ENOUGH_LEANING = 0.25, 4
ENOUGH_VIEWS = 12
MOVE = "move the board to the {down}, {across} of the picture"
DOWN = ("top", "upper middle", "lower middle", "bottom")
ACROSS = ("left", "middle left", "middle right", "right")
LEAN = "lean the board to one side, then to another"
NEAR_AND_FAR = "hold the board nearer, then further away"
MORE_PLACES = "show the board in some more places"
REFINE_PX = 5  # half the window in which a corner is refined


@dataclass(frozen=True, slots=True)
class LensBoard:
    """A printed ChArUco board: squares (across, down), sizes in mm, dictionary of its markers."""

    squares: tuple[int, int] = (8, 6)
    square_mm: float = 30.0
    marker_mm: float = 22.0
    dictionary: str = "DICT_5X5_100"

    def corners_mm(self) -> np.ndarray:
        """(N, 3) float32: the inner corners by id, in the board's frame."""
        return np.asarray(_board(self).getChessboardCorners(), np.float32)


@lru_cache(maxsize=8)
def _board(board: LensBoard) -> cv2.aruco.CharucoBoard:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
    return cv2.aruco.CharucoBoard(board.squares, board.square_mm, board.marker_mm, known)


def board_picture(board: LensBoard, px_per_mm: float) -> np.ndarray:
    """The board as a gray picture (H, W) uint8, without a rim."""
    size = tuple(round(n * board.square_mm * px_per_mm) for n in board.squares)
    return np.asarray(_board(board).generateImage(size, marginSize=0))


@dataclass(frozen=True, slots=True, eq=False)
class LensBoardView:
    """The board in one picture: ids (N,) int and corners (N, 2) float64 px."""

    name: str
    ids: np.ndarray
    corners_px: np.ndarray
    size_wh: tuple[int, int]


def find_board(image: np.ndarray, board: LensBoard, name: str = "") -> LensBoardView | None:
    """The board in a picture (H, W, 3) BGR or (H, W) uint8; None when too little of it is seen."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found, ids, _, _ = cv2.aruco.CharucoDetector(_board(board)).detectBoard(gray)
    if ids is None or len(ids) < MIN_CORNERS:
        return None
    corners = np.ascontiguousarray(found.reshape(-1, 1, 2), np.float32)
    # OpenCV places the corners by the markers beside them; the crossing of the squares' edges is far more exact
    window = int(np.clip(_spacing(corners[:, 0]) / 5, 2, REFINE_PX))
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-3)
    refined = cv2.cornerSubPix(gray, corners, (window, window), (-1, -1), stop)
    size_wh = (gray.shape[1], gray.shape[0])
    return LensBoardView(name, np.ravel(ids).astype(int), refined.reshape(-1, 2).astype(np.float64), size_wh)


def _spacing(corners: np.ndarray) -> float:
    """Usual distance, px, of a corner to its nearest neighbour."""
    apart = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(axis=1)))


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """A calibrated camera, root mean square errors in px, and which views were used, held out or left out.

    `held_out_px` is measured on views that the calibration has not seen (their poses are fitted, the lens is not).
    """

    camera: Camera
    fitted_px: float
    held_out_px: float
    used: tuple[str, ...]
    held_out: tuple[str, ...]
    left_out: tuple[str, ...]
    focal_sd_px: float


def calibrate_lens(views: Sequence[LensBoardView], board: LensBoard) -> LensResult:
    """The lens from views of the board. One view in four is held out to measure the error, then all are used.

    Raises DataError when there are too few views or their sizes differ, saying what to do.
    """
    if len(views) < MIN_VIEWS:
        raise DataError(
            f"{len(views)} views show the board, at least {MIN_VIEWS} are needed",
            remedy="take 12 to 20 pictures of it: in every corner of the picture, near and far, leaning to all sides",
        )
    sizes = {v.size_wh for v in views}
    if len(sizes) > 1:
        raise DataError(f"the views have different sizes: {sorted(sizes)}", remedy="use one resolution")
    good, left_out = _without_bad(views, board)
    judges = [v for i, v in enumerate(good) if i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1]
    others = [v for v in good if v not in judges]
    trial, _, _, _ = _calibrate(others, board)
    held_out_px = _rms([_errors(trial, v, board) for v in judges])
    camera, fitted_px, _, focal_sd = _calibrate(good, board)
    return LensResult(
        camera,
        fitted_px,
        held_out_px,
        tuple(v.name for v in good),
        tuple(v.name for v in judges),
        tuple(v.name for v in left_out),
        focal_sd,
    )


def _without_bad(views: Sequence[LensBoardView], board: LensBoard) -> tuple[list[LensBoardView], list[LensBoardView]]:
    """The views without those that are far worse than the usual one."""
    _, _, per_view, _ = _calibrate(views, board)
    limit = MAX_VIEW_ERROR_TIMES * float(np.median(per_view))
    good = [v for v, error in zip(views, per_view, strict=True) if error <= limit]
    if len(good) < MIN_VIEWS:
        return list(views), []
    return good, [v for v in views if v not in good]


def _calibrate(views: Sequence[LensBoardView], board: LensBoard) -> tuple[Camera, float, np.ndarray, float]:
    """Camera, root mean square error, error by view, standard deviation of the focal length (all px)."""
    places = board.corners_mm()
    points = [places[v.ids].reshape(-1, 1, 3) for v in views]
    px = [v.corners_px.astype(np.float32).reshape(-1, 1, 2) for v in views]
    # k3 stays zero: webcams' lenses do not need it and views that leave the corners free cannot hold it
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_USE_INTRINSIC_GUESS
    guess = Camera.estimated(views[0].size_wh)
    rms, matrix, dist, _, _, sd, _, per_view = cv2.calibrateCameraExtended(
        points, px, views[0].size_wh, guess.matrix.copy(), np.zeros(5), flags=flags
    )
    camera = Camera(matrix, np.ravel(dist)[:5], views[0].size_wh, measured=True)
    # the deviations begin with fx, fy; with the ratio of both fixed only fy is estimated
    return camera, float(rms), np.ravel(per_view), float(np.ravel(sd)[1])


def _errors(camera: Camera, view: LensBoardView, board: LensBoard) -> np.ndarray:
    """(N, 2) px: what is left when the board's pose is fitted with this lens."""
    places = board.corners_mm()[view.ids].astype(np.float64)
    _, rvec, tvec = cv2.solvePnP(places, view.corners_px, camera.matrix, camera.dist)
    rvec, tvec = cv2.solvePnPRefineLM(places, view.corners_px, camera.matrix, camera.dist, rvec, tvec)
    return np.asarray(view.corners_px - camera.project(places, rvec, tvec))


def _rms(errors: list[np.ndarray]) -> float:
    return float(np.sqrt((np.concatenate(errors) ** 2).sum(axis=1).mean())) if errors else float("nan")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far the live collection of views has come; `advice` says what is still missing, empty when nothing is."""

    views: int
    fields: tuple[tuple[bool, ...], ...]  # rows of the picture's fields: corners were seen there
    leaning: int
    near_and_far: bool
    advice: Message

    @property
    def share(self) -> float:
        """0 to 1: how much of what is needed has been seen."""
        seen = sum(sum(row) for row in self.fields)
        parts = (
            min(self.views / ENOUGH_VIEWS, 1.0),
            min(seen / ENOUGH_FIELDS, 1.0),
            min(self.leaning / ENOUGH_LEANING, 1.0),
            float(self.near_and_far),
        )
        return sum(parts) / len(parts)

    @property
    def complete(self) -> bool:
        """Whether a calibration from these views will hold."""
        return self.share >= 1.0


class LensCollector:
    """Collects differing views of the board from a live picture, and tells what is still missing."""

    def __init__(self, board: LensBoard) -> None:
        self._board = board
        self._views: list[LensBoardView] = []
        self.last: LensBoardView | None = None
        """The board in the newest picture, None when it was not seen there."""
        self._traits: list[np.ndarray] = []

    @property
    def views(self) -> tuple[LensBoardView, ...]:
        """The views kept so far."""
        return tuple(self._views)

    def see(self, image: np.ndarray) -> bool:
        """Take a frame (H, W, 3) uint8; True when it was kept: the board is seen as it was not seen before."""
        view = self.last = find_board(image, self._board, f"view {len(self._views) + 1}")
        if view is None:
            return False
        traits = _traits(view, self._board)
        scale = np.array([NEW_PLACE, NEW_PLACE, NEW_SIZE, NEW_LEAN, NEW_LEAN])
        if any((np.abs(traits - kept) / scale).max() < 1 for kept in self._traits):
            return False
        self._views.append(view)
        self._traits.append(traits)
        return True

    def coverage(self) -> Coverage:
        """What the kept views cover."""
        fields = np.zeros((FIELDS, FIELDS), bool)
        for view in self._views:
            at = np.clip(view.corners_px / np.array(view.size_wh) * FIELDS, 0, FIELDS - 1).astype(int)
            fields[at[:, 1], at[:, 0]] = True
        leaning = sum(float(np.abs(t[3:]).max()) > LEANING for t in self._traits)
        sizes = [float(t[2]) for t in self._traits]
        near_and_far = bool(sizes) and max(sizes) - min(sizes) > 2 * NEW_SIZE
        return Coverage(
            len(self._views),
            tuple(tuple(bool(f) for f in row) for row in fields),
            leaning,
            near_and_far,
            _advice(fields, leaning, near_and_far, len(self._views)),
        )


def _traits(view: LensBoardView, board: LensBoard) -> np.ndarray:
    """Where the board is in the picture (x, y, as shares), logarithm of its size, and its lean to both sides."""
    places = board.corners_mm()[view.ids]
    size = np.array(view.size_wh, np.float64)
    way, _ = cv2.findHomography(places[:, :2], view.corners_px, 0)
    middle = board.corners_mm()[:, :2].mean(axis=0)
    at = cv2.perspectiveTransform(np.array([[middle]], np.float64), way)[0, 0] / size
    turned = way / (way[2, 0] * middle[0] + way[2, 1] * middle[1] + way[2, 2])
    area = abs(float(np.linalg.det(turned[:2, :2])))
    # the last row of the homography is how fast the board recedes, here over its own length
    lean = turned[2, :2] * max(board.squares) * board.square_mm
    return np.array([*at, 0.5 * np.log(max(area, 1e-12)), *lean])


def _advice(fields: np.ndarray, leaning: int, near_and_far: bool, views: int) -> Message:
    if fields.sum() < ENOUGH_FIELDS:
        row, column = np.argwhere(~fields)[0]
        return Message(MOVE, down=DOWN[row], across=ACROSS[column])
    if leaning < ENOUGH_LEANING:
        return Message(LEAN)
    if not near_and_far:
        return Message(NEAR_AND_FAR)
    return Message(MORE_PLACES) if views < ENOUGH_VIEWS else NO_MESSAGE
