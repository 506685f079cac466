"""Finds flat pieces of any outline that lie loose on a table whose pose is known: hexagons, discs, compound tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.piece_outline import PieceOutline
from vision.locate.markers import MarkerLayout
from vision.locate.plane import Plane, PosePlane
from vision.locate.pose import TablePose
from vision.locate.quads import adaptive_masks
from vision.spread.hidden_spaces import completed
from vision.spread.loose import AROUND_MM, LoosePiece, LoosePieces, with_paper
from vision.spread.shaped_piece import ShapedPiece, rotation

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

PX_PER_MM = 2.0  # of the view from above in which outlines are searched; a camera shows 2 to 5

AREA = (0.8, 1.15)  # of an outline that was seen, against the piece's: without its border, with its own shadow

# Mean distance of the seen outline from the piece's, mm, and that of the worst tenth, as parts of the piece's width.
MISSES, MISSES_WORST = 0.03, 0.1

# The nearest of the outlines in which one piece was seen misses it less: else it is another piece with its shadow.
NEAREST_MISSES = 0.02

ANGLE_STEP_DEG = 4.0  # in which an outline is turned to be compared; a fit finds the rest
SAMPLES = 160  # points of a seen outline that are compared
ICP_ROUNDS = 8
OUTER_SHARE = 0.9  # of the points, the nearest ones, that a fit leans on: the rest is a shadow or a finger's mark

# Steps of Lab distance from the table's own colours at which a piece is told from it.
UNLIKE = (6.0, 9.0, 13.0, 19.0, 27.0)
BLOCKS = (6, 8)  # rows and columns of the view in which a colour of the table must be found
OFTEN = ((0.02, 0.5), (0.06, 0.7))  # least share of a block, and share of blocks, of a colour that is the table's
RIM_MM, IN_RIM = 35.0, 0.01  # where hardly a piece lies, and the least share of it of a colour that is the table's
BIN_LAB = 6.0
CLOSED_MM = 1.6  # lines thinner than this do not part a piece; pieces lie farther apart

MIN_VOTES = 2  # masks in which an outline must have been seen
OVERLAP = 0.12  # part of a piece that may lie under another one's outline: pieces lie beside each other

# Where the edge is looked for around a found outline, mm outwards and inwards, first and last.
EDGE_REACH_MM = (3.5, 1.2)
EDGE_STEP_MM = 0.25
EDGE_SHARP, EDGE_LEAST = 0.4, 2.0  # share of the steepest step of a profile, and Lab units a step, that make an edge
EDGE_EVERY_MM = 1.5
CORNER_MM = 1.5  # beside a corner no edge is looked for: cardboard is round there
EDGE_POINTS = 24  # fewer tell nothing


def find_loose_shapes(
    image: U8, pose: TablePose, outlines: Sequence[PieceOutline], thickness_mm: float, markers: MarkerLayout
) -> LoosePieces:
    """The loose pieces of these outlines between the markers, from the top of the picture to its bottom."""
    plane = PosePlane(pose, -thickness_mm)
    centres = np.array(list(markers.centres_mm.values()))
    window = np.array([centres.min(0) - AROUND_MM, centres.max(0) + AROUND_MM])
    hidden = [with_paper(markers.corners_mm(marker)) for marker in markers.centres_mm]
    found = [
        LoosePiece(plane.to_px(one.box_mm), one.box_mm, one.votes, one.outline.name, plane.to_px(one.outline_mm))
        for one in find_shapes(image, plane, outlines, window, hidden)
    ]
    found.sort(key=lambda one: (one.rim_px[:, 1].mean(), one.rim_px[:, 0].mean()))
    return LoosePieces(tuple(found), plane, "markers")


def find_shapes(
    image: U8, plane: Plane, outlines: Sequence[PieceOutline], window_mm: F64, hidden_mm: Sequence[F64] = (),
) -> list[ShapedPiece]:
    """The pieces of these outlines in `image` (H, W, 3) uint8 BGR, within `window_mm` ((2, 2): least and greatest x and
    y of the plane), most clearly seen first. `hidden_mm`: outlines (N, 2) of what is no piece, the markers."""
    low, high = window_mm
    size = (round((high[0] - low[0]) * PX_PER_MM), round((high[1] - low[1]) * PX_PER_MM))
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    view = plane.crop(image, corners, size, 0.0)
    shown = plane.crop(np.full_like(image, 255), corners, size, 0.0)[..., 0] > 0
    free = shown.astype(np.uint8)
    for one in hidden_mm:
        cv2.fillPoly(free, [np.round((one - low) * PX_PER_MM).astype(np.int32)], 0)
    found: list[tuple[float, ShapedPiece]] = []
    for mask in _masks(view, free):
        for contour in _contours(mask, outlines):
            fitted = _best_fit(contour / PX_PER_MM + low, outlines)
            if fitted is not None:
                found.append(fitted)
    pieces = _apart([_by_edges(image, plane, one) for one in _apart(_gathered(found))])
    whole = completed(image, plane, pieces, outlines, free, low, PX_PER_MM)
    return _apart([*pieces, *(_by_edges(image, plane, one) for one in whole)])


def _masks(view: U8, free: U8) -> Iterator[U8]:
    """What may be pieces: what is unlike the table's own colours, then what is brighter or darker than around it."""
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    reach = round(2 * CLOSED_MM * PX_PER_MM) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    for colours in _table_colours(lab, free > 0):
        apart = np.full(lab.shape[:2], np.inf, np.float32)
        for colour in colours:
            np.minimum(apart, np.linalg.norm(lab - colour, axis=2), out=apart)
        for level in UNLIKE:
            mask = ((apart > level) & (free > 0)).astype(np.uint8)
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
            yield cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
            yield cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel)
    for mask in adaptive_masks(view):
        yield cv2.bitwise_and(mask, mask, mask=free)


def _table_colours(lab: F32, free: NDArray[np.bool_]) -> list[F32]:
    """(N, 3) Lab colours that may be the table's, in several ways: what is found all over the view, and what is found
    along its rim, where a chequered cloth shows each of its colours and hardly a piece lies."""
    bins = np.round(lab / BIN_LAB).astype(np.int32)
    keys = ((bins[..., 0] + 5) * 100 + bins[..., 1] + 50) * 100 + bins[..., 2] + 50
    blocks: list[tuple[NDArray[np.int32], NDArray[np.float64]]] = []
    for row in np.array_split(np.arange(lab.shape[0]), BLOCKS[0]):
        for column in np.array_split(np.arange(lab.shape[1]), BLOCKS[1]):
            part = keys[np.ix_(row, column)][free[np.ix_(row, column)]]
            if part.size >= 0.3 * row.size * column.size:
                values, counts = np.unique(part, return_counts=True)
                blocks.append((values, counts / part.size))
    found = []
    for share, spread in OFTEN if blocks else ():
        values, counts = np.unique(np.concatenate([v[s >= share] for v, s in blocks]), return_counts=True)
        found.append(values[counts >= spread * len(blocks)])
    reach = round(RIM_MM * PX_PER_MM)
    rim = free.copy()
    rim[reach:-reach, reach:-reach] = False
    values, counts = np.unique(keys[rim], return_counts=True)
    found.append(values[counts >= IN_RIM * max(1, int(rim.sum()))])
    return [
        (np.stack([k // 10000 - 5, k // 100 % 100 - 50, k % 100 - 50], axis=1) * BIN_LAB).astype(np.float32)
        for k in found if k.size
    ]


def _contours(mask: U8, outlines: Sequence[PieceOutline]) -> Iterator[F64]:
    """(SAMPLES, 2) points, px of the view, of the outlines in a mask that are as large as one of the pieces."""
    areas = [one.area_mm2 * PX_PER_MM**2 for one in outlines]
    low, high = AREA[0] * min(areas), AREA[1] * max(areas)
    for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
        if len(contour) < 2 * np.sqrt(low):
            continue
        if low <= cv2.contourArea(contour) <= high:
            yield contour[np.linspace(0, len(contour) - 1, SAMPLES).astype(int), 0].astype(np.float64) + 0.5


@lru_cache(maxsize=64)
def _distances(outline: PieceOutline) -> tuple[F32, float]:
    """(S, S) mm from the outline, one pixel a mm, the outline's middle in the middle; and S / 2."""
    points = np.array(outline.corners_mm) - outline.middle_mm
    half = float(np.ceil(np.abs(points).max() + 8))
    size = int(2 * half)
    line = np.full((4 * size, 4 * size), 255, np.uint8)
    cv2.polylines(line, [np.round((points + half) * 4 * 16).astype(np.int32)], True, 0, 1, cv2.LINE_8, 4)
    far = cv2.distanceTransform(line, cv2.DIST_L2, 5) / 4
    return np.asarray(cv2.resize(far, (size, size), interpolation=cv2.INTER_AREA), np.float32), half


def _best_fit(contour_mm: F64, outlines: Sequence[PieceOutline]) -> tuple[float, ShapedPiece] | None:
    """The outline that is most like a seen one, where it lies, and by how much it misses; None when none is."""
    moments = cv2.moments(contour_mm.astype(np.float32))
    area = float(moments["m00"])
    if area <= 0:
        return None
    middle = np.array([moments["m10"], moments["m01"]]) / area
    best: tuple[float, ShapedPiece] | None = None
    for outline in outlines:
        if AREA[0] <= area / outline.area_mm2 <= AREA[1]:
            fitted = _fit(contour_mm, middle, outline)
            if fitted is not None and (best is None or fitted[0] < best[0]):
                best = fitted
    return best


def _fit(contour_mm: F64, middle: F64, outline: PieceOutline) -> tuple[float, ShapedPiece] | None:
    """The outline laid on a seen one, and by how much (part of its width) the two miss each other."""
    far, half = _distances(outline)
    width = float(np.sqrt(outline.area_mm2))
    angles = np.arange(0.0, 360.0 / outline.turns, ANGLE_STEP_DEG)
    turned = np.einsum("aij,nj->ani", np.array([rotation(-a) for a in angles]), contour_mm - middle)
    at = np.clip(np.floor(turned + half).astype(int), 0, far.shape[0] - 1)
    mean = far[at[..., 1], at[..., 0]].mean(axis=1)
    best = int(mean.argmin())
    if mean[best] > 2.5 * MISSES * width + 1.0:
        return None
    turn, around = float(angles[best]), np.array(outline.middle_mm)
    corners = np.array(outline.corners_mm) - around
    for _ in range(ICP_ROUNDS):
        own = (contour_mm - middle) @ rotation(turn)  # into the upright frame
        nearest, away = _nearest(own, corners)
        kept = away <= np.quantile(away, OUTER_SHARE)
        a, b = nearest[kept] - nearest[kept].mean(0), own[kept] - own[kept].mean(0)
        off = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
        off_deg = float(np.rad2deg(off))
        shift = own[kept].mean(0) - rotation(off_deg) @ nearest[kept].mean(0)
        middle = middle + rotation(turn) @ shift
        turn += off_deg
    _, away = _nearest((contour_mm - middle) @ rotation(turn), corners)
    if away.mean() > MISSES * width or np.quantile(away, OUTER_SHARE) > MISSES_WORST * width:
        return None
    at_mm = middle - rotation(turn) @ around
    return float(away.mean()) / width, ShapedPiece(outline, at_mm, turn, 1)


def _nearest(points: F64, corners: F64) -> tuple[F64, F64]:
    """For each of (N, 2) points the nearest one of a polygon, (N, 2), and how far that is, (N,)."""
    a, along = corners, np.roll(corners, -1, axis=0) - corners
    share = ((points[:, None] - a) * along).sum(-1) / (along**2).sum(-1)
    on = a + np.clip(share, 0, 1)[..., None] * along
    away = np.linalg.norm(points[:, None] - on, axis=-1)
    side = away.argmin(axis=1)
    rows = np.arange(len(points))
    return on[rows, side], away[rows, side]


def _gathered(found: Sequence[tuple[float, ShapedPiece]]) -> list[ShapedPiece]:
    """Outlines seen in several masks as one, the best fit of it with as many votes; most votes first."""
    left = sorted(found, key=lambda one: one[0])
    out: list[ShapedPiece] = []
    while left and left[0][0] <= NEAREST_MISSES:
        first = left[0][1]
        middle, width = _middle(first), np.sqrt(first.outline.area_mm2)
        near = [
            one for one in left
            if one[1].outline is first.outline and np.linalg.norm(_middle(one[1]) - middle) < 0.1 * width
        ]
        out.append(ShapedPiece(first.outline, first.at_mm, first.turn_deg, len(near)))
        taken = {id(one[1]) for one in near}
        left = [one for one in left if id(one[1]) not in taken]
    return sorted((one for one in out if one.votes >= MIN_VOTES), key=lambda one: -one.votes)


def _middle(one: ShapedPiece) -> F64:
    return np.asarray(one.placed(np.array([one.outline.middle_mm]))[0])


def _apart(pieces: Sequence[ShapedPiece]) -> list[ShapedPiece]:
    """Without those that lie on one that was seen more clearly; of two, one in the other, the larger."""
    kept: list[ShapedPiece] = []
    for one in sorted(pieces, key=lambda p: (-p.outline.area_mm2, -p.votes)):
        if not any(_overlap(one, other) for other in kept):
            kept.append(one)
    return kept


def _overlap(one: ShapedPiece, other: ShapedPiece) -> bool:
    both = np.vstack([one.outline_mm, other.outline_mm])
    low = both.min(0)
    size = tuple(int(v) + 2 for v in np.ceil(both.max(0) - low))
    masks = [np.zeros((size[1], size[0]), np.uint8) for _ in range(2)]
    for mask, piece in zip(masks, (one, other), strict=True):
        cv2.fillPoly(mask, [np.round(piece.outline_mm - low).astype(np.int32)], 1)
    return bool((masks[0] & masks[1]).sum() > OVERLAP * min(int(m.sum()) for m in masks))


def _by_edges(image: U8, plane: Plane, piece: ShapedPiece) -> ShapedPiece:
    """The piece laid on the outermost sharp step around it, where enough of its sides show one."""
    for reach in EDGE_REACH_MM:
        points, normals = _along(piece)
        offsets = np.arange(-reach, reach + EDGE_STEP_MM / 2, EDGE_STEP_MM)
        places = points[:, None] + offsets[None, :, None] * normals[:, None]
        px = plane.to_px(places.reshape(-1, 2)).astype(np.float32).reshape(len(points), len(offsets), 2)
        seen = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        soft = cv2.GaussianBlur(lab, (0, 1), sigmaX=1.2, sigmaY=0.1)
        step = np.zeros(soft.shape[:2])
        step[:, 1:-1] = np.linalg.norm(soft[:, 2:] - soft[:, :-2], axis=2) / 2
        peak = np.zeros(step.shape, bool)
        peak[:, 1:-1] = (step[:, 1:-1] >= step[:, :-2]) & (step[:, 1:-1] > step[:, 2:])
        peak &= step >= np.maximum(EDGE_LEAST, EDGE_SHARP * step.max(axis=1, keepdims=True))
        has = peak.any(axis=1)
        if has.sum() < EDGE_POINTS:
            return piece
        outermost = len(offsets) - 1 - peak[:, ::-1].argmax(axis=1)
        moved = _moved(piece, points[has], normals[has], offsets[outermost[has]])
        piece = ShapedPiece(piece.outline, *moved, piece.votes)
    return piece


def _along(piece: ShapedPiece) -> tuple[F64, F64]:
    """(N, 2) points along its sides, corners left out, plane mm, and (N, 2) the directions outwards."""
    corners = piece.outline_mm
    points, normals = [], []
    inset = 0.0 if piece.outline.is_round else CORNER_MM
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        along = (b - a) / length
        count = max(1, int((length - 2 * inset) / EDGE_EVERY_MM))
        at = inset + (np.arange(count) + 0.5) * (length - 2 * inset) / count
        points.append(a + at[:, None] * along)
        normals.append(np.tile([along[1], -along[0]], (count, 1)))  # clockwise as seen, y down: outside is to the left
    return np.vstack(points), np.vstack(normals)


def _moved(piece: ShapedPiece, points: F64, normals: F64, offsets: F64) -> tuple[F64, float]:
    """Middle and turn by which the piece's sides lie on the edges, robustly: a part of them are shadows or print."""
    middle = _middle(piece)
    lever = points - middle
    system = np.column_stack([normals, lever[:, 0] * normals[:, 1] - lever[:, 1] * normals[:, 0]])
    weights = np.ones(len(points))
    solved: NDArray[np.floating] = np.zeros(3)
    for _ in range(10):
        solved = np.linalg.lstsq(system * weights[:, None], offsets * weights, rcond=None)[0]
        left = np.abs(system @ solved - offsets)
        weights = 1.0 / np.sqrt(1.0 + (left / max(2 * float(np.median(left)), 0.1)) ** 2)
    turn = piece.turn_deg + float(np.rad2deg(solved[2]))
    around = np.array(piece.outline.middle_mm)
    return middle + solved[:2] - rotation(turn) @ around, turn
