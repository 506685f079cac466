"""Where the table lies before the camera, and finding it by the printed markers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations

import cv2
import numpy as np

from companion.core.messages import Message, with_decimals
from vision.locate.camera_model import Camera
from vision.locate.markers import (
    MarkerLayout,
    SeenMarker,
    find_hidden_marker,
    find_markers,
    inward,
    is_burnt_out,
    with_overgrown,
)
from vision.locate.pose_fit import Fit, fit_pose

# A printed side off by more than this is a wrongly scaled sheet: "fit to page" shrinks A4 and Letter by 3 to 7 %,
# while one picture measures the side of four markers to about 0.2 %.
MAX_SCALE_ERROR = 0.015
# Corners found by refinement scatter by 0.1 to 0.35 px; a root mean square above this is a marker out of place.
MAX_ERROR_PX = 0.7
# Markers within this of where a remembered pose expects them have not moved; twice their scatter.
SAME_PLACE_PX = 0.5
CLICK_NOISE_PX = 3.0  # how well a person hits a corner


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class TablePose:
    """The table frame seen by a camera; compared by identity.

    `rvec`, `tvec`: (3,) float64, table frame -> camera frame, mm. Table frame: origin in the middle of the
    marker rectangle, x right, y towards the bottom seat, z INTO the table: things that stand on it have z < 0.
    `by`: "markers", "remembered" (the last pose, confirmed by what was visible), "grid" or "corners".
    `error_px`: root mean square of the reprojection error of what it was found by. `markers`: the ids it rests on;
    `strays`: ids that were seen but disagree with the others (moved, turned or half covered) and were left out.
    """

    camera: Camera
    rvec: np.ndarray
    tvec: np.ndarray
    by: str
    error_px: float
    markers: tuple[int, ...] = ()
    strays: tuple[int, ...] = ()
    _rotation: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rvec", np.array(self.rvec, np.float64).reshape(3))
        object.__setattr__(self, "tvec", np.array(self.tvec, np.float64).reshape(3))
        object.__setattr__(self, "_rotation", cv2.Rodrigues(self.rvec)[0])

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        """(N, 2) or (N, 3) points in table mm (z = 0 when left out) -> (N, 2) float64 px."""
        points = np.asarray(points_mm, np.float64)
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        return self.camera.project(points, self.rvec, self.tvec)

    def to_table(self, px: np.ndarray, z_mm: float = 0.0) -> np.ndarray:
        """(N, 2) px -> (N, 2) float64 table mm of what is seen there at height `z_mm` (negative: above the table)."""
        direction = self.camera.rays(px) @ self._rotation
        eye = self.eye_mm
        reach = (z_mm - eye[2]) / direction[:, 2]
        return np.asarray(eye[:2] + reach[:, None] * direction[:, :2])

    @property
    def eye_mm(self) -> np.ndarray:
        """(3,) float64: the camera's place in table mm (z negative: it is above the table)."""
        return np.asarray(-self._rotation.T @ self.tvec)

    @property
    def mm_per_px(self) -> float:
        """How many mm of the table's middle one px covers (geometric mean of both directions)."""
        step = 5.0
        a, b, c = self.project(np.array([[0.0, 0.0], [step, 0.0], [0.0, step]]))
        area = abs(float(np.linalg.det(np.column_stack([b - a, c - a]))))
        return float(step / max(area, 1e-9) ** 0.5)

    def turned(self, quarters: int) -> TablePose:
        """The table frame turned by so many quarter turns clockwise about its middle, seen from above."""
        angle = np.pi / 2 * quarters
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
        return replace(self, rvec=cv2.Rodrigues(self._rotation @ turn)[0].ravel())

    def as_remembered(self) -> TablePose:
        """The same pose, said to come from memory."""
        return replace(self, by="remembered")


@dataclass(frozen=True, slots=True)
class NotLocated:
    """Why the table was not found, for people, and which markers were seen."""

    reason: Message
    markers: tuple[int, ...] = ()


def locate_table(
    image: np.ndarray,
    markers: MarkerLayout | None = None,
    camera: Camera | None = None,
    remembered: TablePose | None = None,
) -> TablePose | NotLocated:
    """The table's pose from the printed markers in a picture (H, W, 3) BGR or (H, W) gray, uint8.

    With `camera` (a lens profile) or `remembered` (an earlier pose of this camera and table) any two markers
    are enough; otherwise three, and the lens is estimated along with the pose. A mirrored picture, a marker seen
    twice, exchanged or moved markers and a wrongly scaled sheet are refused with the reason.
    Raises ValueError when the picture's size is not the camera's.
    """
    layout = markers or MarkerLayout()
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    size_wh = (gray.shape[1], gray.shape[0])
    known = camera or (remembered.camera if remembered is not None else None)
    if known is not None and known.size_wh != size_wh:
        raise ValueError(f"the camera profile is for pictures of {known.size_wh} px, got {size_wh}")
    seen = find_markers(gray, layout)
    refusal = _refusal(gray, layout, seen)
    if refusal is not None:
        return refusal
    if remembered is not None:
        seen = _with_hidden(gray, layout, seen, remembered)
        if 2 <= len(seen) < len(remembered.markers) and _agrees(layout, seen, remembered):
            return remembered.as_remembered()
    needed = 2 if known is not None else 3
    if len(seen) >= needed:
        return _solve_anyhow(gray, layout, seen, known)
    more = with_overgrown(gray, layout, seen)
    found = _solve_anyhow(gray, layout, more, known) if len(more) >= needed else None
    return found if isinstance(found, TablePose) else NotLocated(_too_few(gray, seen, more, needed), _ids(more))


def _solve_anyhow(
    gray: np.ndarray, layout: MarkerLayout, seen: tuple[SeenMarker, ...], known: Camera | None
) -> TablePose | NotLocated:
    """The pose with the known lens; with an estimated one where it was not measured and does not do."""
    size_wh = (gray.shape[1], gray.shape[0])
    found = _solve(gray, layout, seen, known, size_wh)
    if isinstance(found, NotLocated) and known is not None and not known.measured and len(seen) > 2:
        found = _solve(gray, layout, seen, None, size_wh)  # another lens, or its zoom was moved
    return found


def _too_few(
    gray: np.ndarray, seen: tuple[SeenMarker, ...], more: tuple[SeenMarker, ...], needed: int
) -> Message:
    """Why fewer markers were `seen` than are needed, though `more` are with white cut back, those seen first."""
    if any(is_burnt_out(gray, marker) for marker in more[len(seen) :]):
        return Message(
            "the picture is too bright: white grows over the markers' black, seen: {seen}; "
            "dim the lamp, or lower the camera's exposure", seen=_names(_ids(more)),
        )  # fmt: skip
    return Message("{needed} corner markers are needed, seen: {seen}", needed=needed, seen=_names(_ids(seen)))


def _ids(seen: tuple[SeenMarker, ...]) -> tuple[int, ...]:
    return tuple(m.marker for m in seen)


def printed_markers(image: np.ndarray, layout: MarkerLayout, pose: TablePose | None) -> list[np.ndarray]:
    """(4, 2) px corners of the markers in `image` (H, W, 3) uint8 BGR: where the pose that rests on them says, else
    searched for."""
    if pose is None or pose.by != "markers" or pose.strays:
        return [m.corners_px for m in find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), layout)]
    return [pose.project(layout.corners_mm(marker)) for marker in pose.markers]


def locate_corners(
    clicked_px: np.ndarray, corners_mm: np.ndarray, size_wh: tuple[int, int], camera: Camera | None = None
) -> TablePose | NotLocated:
    """The pose from four points that a person clicked: (4, 2) px and where they are on the table, (4, 2) mm."""
    points = np.column_stack([np.asarray(corners_mm, np.float64), np.zeros(4)])
    clicked = np.asarray(clicked_px, np.float64)
    way = np.roll(clicked, -1, axis=0) - clicked
    turns = way[:, 0] * np.roll(way[:, 1], -1) - way[:, 1] * np.roll(way[:, 0], -1)
    clockwise = bool((turns > 0).all())  # always to the right, y pointing down
    fit = fit_pose(points, clicked, size_wh, camera, noise_px=CLICK_NOISE_PX) if clockwise else None
    if fit is None or fit.error_px > 4 * CLICK_NOISE_PX:
        return NotLocated(Message("the four corners do not make a table: click them clockwise from the top left"))
    return TablePose(fit.camera, fit.rvec, fit.tvec, "corners", fit.error_px)


def _solve(
    gray: np.ndarray,
    layout: MarkerLayout,
    seen: tuple[SeenMarker, ...],
    camera: Camera | None,
    size_wh: tuple[int, int],
) -> TablePose | NotLocated:
    fit = _fit(layout, seen, camera, size_wh)
    if fit is not None and fit.error_px <= MAX_ERROR_PX:
        more = _with_hidden(gray, layout, seen, TablePose(fit.camera, fit.rvec, fit.tvec, "markers", fit.error_px))
        if len(more) > len(seen):
            seen, fit = more, _fit(layout, more, camera, size_wh)
    return _judge(layout, seen, camera, size_wh, fit)


def _with_hidden(
    gray: np.ndarray, layout: MarkerLayout, seen: tuple[SeenMarker, ...], pose: TablePose
) -> tuple[SeenMarker, ...]:
    """The markers seen and those that the detector overlooked but that lie where `pose` expects them, by id."""
    ids = {m.marker for m in seen}
    more = [
        found
        for marker in layout.centres_mm
        if marker not in ids
        and (found := find_hidden_marker(gray, layout, marker, pose.project(layout.corners_mm(marker)))) is not None
    ]
    return tuple(sorted((*seen, *more), key=lambda m: m.marker))


def _agrees(layout: MarkerLayout, seen: tuple[SeenMarker, ...], pose: TablePose) -> bool:
    """Whether the markers lie where the pose expects them, as well as its own error and detection noise let one say."""
    expected = np.concatenate([pose.project(layout.corners_mm(m.marker)) for m in seen])
    off = np.concatenate([m.corners_px for m in seen]) - expected
    return float(np.sqrt((off**2).sum(axis=1).mean())) <= max(SAME_PLACE_PX, 1.5 * pose.error_px)


def _refusal(gray: np.ndarray, layout: MarkerLayout, seen: tuple[SeenMarker, ...]) -> NotLocated | None:
    """What is wrong with the markers before any geometry: doubled, mirrored, exchanged."""
    ids = tuple(m.marker for m in seen)
    doubled = sorted({i for i in ids if ids.count(i) > 1})
    if doubled:
        message = "marker {marker} is seen more than once: leave only one on the table"
        return NotLocated(Message(message, marker=_names(tuple(doubled))), ids)
    if len(seen) < 2:
        mirrored = find_markers(np.ascontiguousarray(gray[:, ::-1]), layout)
        if len(mirrored) > max(1, len(seen)):
            return NotLocated(Message("the picture is mirrored: switch off the camera's mirror image"), ids)
    return None


def _fit(
    layout: MarkerLayout, seen: tuple[SeenMarker, ...], camera: Camera | None, size_wh: tuple[int, int]
) -> Fit | None:
    points = np.concatenate([_flat(layout, m.marker) for m in seen])
    px = np.concatenate([m.corners_px for m in seen])
    spread = np.concatenate([inward(m.corners_px) for m in seen])
    return fit_pose(points, px, size_wh, camera, spread)


def _flat(layout: MarkerLayout, marker: int) -> np.ndarray:
    corners = layout.corners_mm(marker)
    return np.column_stack([corners, np.zeros(4)])


def _judge(
    layout: MarkerLayout, seen: tuple[SeenMarker, ...], camera: Camera | None, size_wh: tuple[int, int], fit: Fit | None
) -> TablePose | NotLocated:
    """The pose when all markers agree with the layout, else without the one that does not, else what is wrong."""
    ids = tuple(sorted(m.marker for m in seen))
    if fit is not None and fit.error_px <= MAX_ERROR_PX:
        scale = _printed_scale(seen, fit)
        if abs(scale - 1) > MAX_SCALE_ERROR:
            reason = Message(
                "the markers' sides are {got} mm for a layout with {expected} mm: "
                "print the sheet at 100 % (no fit to page) and lay the markers where the layout says",
                got=with_decimals(scale * layout.side_mm), expected=f"{layout.side_mm:g}",
            )  # fmt: skip
            return NotLocated(reason, ids)
        return TablePose(fit.camera, fit.rvec, fit.tvec, "markers", fit.error_px, ids)
    if len(seen) > 3:
        rests = [tuple(m for m in seen if m is not stray) for stray in seen]
        fits = [(f, rest) for rest in rests if (f := _fit(layout, rest, camera, size_wh)) is not None]
        best, rest = min(fits, key=lambda pair: pair[0].error_px, default=(None, ()))
        if best is not None and best.error_px <= MAX_ERROR_PX:
            found = _judge(layout, rest, camera, size_wh, best)
            stray = tuple(i for i in ids if i not in {m.marker for m in rest})
            return replace(found, strays=stray) if isinstance(found, TablePose) else found
    return NotLocated(_why_not(layout, seen, camera, size_wh, fit), ids)


def _why_not(
    layout: MarkerLayout, seen: tuple[SeenMarker, ...], camera: Camera | None, size_wh: tuple[int, int], fit: Fit | None
) -> Message:
    ids = tuple(m.marker for m in seen)
    for order in permutations(ids):
        renamed = tuple(replace(m, marker=i) for m, i in zip(seen, order, strict=True))
        other = _fit(layout, renamed, camera, size_wh) if order != ids else None
        if other is not None and other.error_px <= MAX_ERROR_PX:
            wrong = tuple(m.marker for m, i in zip(seen, order, strict=True) if m.marker != i)
            return Message("markers {markers} are exchanged: lay them as the sheet shows", markers=_names(wrong))
    if fit is None:
        return Message("the markers do not lie as the layout says: check their places and turns, and that none is bent")
    return Message(
        "the markers do not lie as the layout says ({off} px off): check their places and turns, and that none is bent",
        off=with_decimals(fit.error_px),
    )


def _printed_scale(seen: tuple[SeenMarker, ...], fit: Fit) -> float:
    """Printed side over the layout's side: the markers' distances give the scale of the table, this their own."""
    side_px = np.mean([np.linalg.norm(np.roll(m.corners_px, -1, axis=0) - m.corners_px, axis=1).mean() for m in seen])
    return float(side_px / (side_px + 2 * fit.spread_px))


def _names(ids: tuple[int, ...]) -> Message | tuple[int, ...]:
    return tuple(sorted(ids)) or Message("none")
