"""What has come in from the edge of the picture since an earlier one of the same view: an arm, whatever its colours."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.view.as_before import KeptView, detail_around, detail_before

# Gaps up to this width (mm) are bridged: part of a hand may have the very look of what lies under it.
BRIDGED_MM = 8.0

# Narrower things (mm) are no arm: a cable, the edge of a shadow. A finger is wider.
NARROW_MM = 10.0

# What comes this near (mm) to the edge of the picture comes from beyond it.
EDGE_MM = 4.0

# Side (px) of the cells by which is told where to look.
COARSE = 8


def come_in(
    changed: np.ndarray, in_picture: np.ndarray, px_per_mm: float, over: np.ndarray | None = None
) -> np.ndarray:
    """(H, W) bool: what has `changed` (H, W) uint8 0 or 1 and hangs together with the edge of the picture.

    `in_picture` (H, W) bool: the pixels that the picture shows; what lies along the rim of the array is its edge, too.
    `over` (H, W) bool: what ends before all of it is left out, as most is where a picture differs along its edge.
    """
    out = np.zeros(changed.shape, bool)
    cells = _near_edge(changed, in_picture, px_per_mm, over) if cv2.countNonZero(changed) else None
    if cells is not None:
        rows, columns = np.nonzero(cells)
        reach = int(np.ceil((BRIDGED_MM + NARROW_MM + 2 * EDGE_MM) * px_per_mm))
        low_y, high_y = int(rows.min()) * COARSE - reach, (int(rows.max()) + 1) * COARSE + reach
        low_x, high_x = int(columns.min()) * COARSE - reach, (int(columns.max()) + 1) * COARSE + reach
        # whole cells, as far as the picture reaches
        top, left = max(0, low_y) // COARSE, max(0, low_x) // COARSE
        some = cells[top : -(-high_y // COARSE), left : -(-high_x // COARSE)]
        mine = cv2.resize(some, (some.shape[1] * COARSE, some.shape[0] * COARSE), interpolation=cv2.INTER_NEAREST)
        where = tuple(slice(COARSE * a, COARSE * a + n) for a, n in zip((top, left), mine.shape, strict=True))
        near = changed[where]
        near = near & mine[: near.shape[0], : near.shape[1]]
        out[where] = _come_in(near, in_picture[where], px_per_mm)
    return out


def without_light(arm: np.ndarray, other_light: np.ndarray, edge: np.ndarray, px_per_mm: float) -> np.ndarray:
    """(H, W) bool: of an `arm` (H, W) bool what is not just what was there in `other_light` (H, W) bool, where more
    than a cable's width of a part that hangs together is not.

    `edge`: see `picture_edge`. A sleeve of the table's colour has a hand: where only such light joins a thing to the
    edge of the picture, all of its part is left. Light that lies before a hand which comes from there itself, as a pane
    of sun before one that rests at the rim, is no part of it.
    """
    rest = cv2.morphologyEx((arm & ~other_light).astype(np.uint8), cv2.MORPH_OPEN, _disc(NARROW_MM, px_per_mm))
    _, things = cv2.connectedComponents(rest, connectivity=8)
    from_edge = np.isin(things, np.unique(things[edge])) & (things > 0)
    _, parts = cv2.connectedComponents(arm.astype(np.uint8), connectivity=8)
    whole = np.isin(parts, np.unique(parts[(things > 0) & ~from_edge]))
    return np.asarray(arm & (whole | from_edge))


def picture_edge(in_picture: np.ndarray, px_per_mm: float) -> np.ndarray:
    """(H, W) bool: what of a view shows the picture, `in_picture` (H, W) bool, and lies along the edge of either."""
    inner = cv2.erode(np.pad(in_picture, 1).astype(np.uint8), _disc(2 * EDGE_MM, px_per_mm))[1:-1, 1:-1] > 0
    return np.asarray(in_picture & ~inner)


def detail_since(
    earlier: Sequence[KeptView], now: KeptView, in_picture: np.ndarray, px_per_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """`detail_before` of views with so many pixels a mm, of which `in_picture` (H, W) bool is shown."""
    height, width = in_picture.shape
    fine = now.fine(px_per_mm)
    inside = cv2.resize(in_picture.astype(np.uint8), fine.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    shown, hidden = (
        cv2.resize(one.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
        for one in detail_before([one.fine(px_per_mm) for one in earlier], fine, inside)
    )
    return shown, hidden


def with_detail(earlier: Sequence[KeptView], size_hw: tuple[int, int], px_per_mm: float) -> np.ndarray:
    """(H, W) bool of views of this size with so many pixels a mm: `detail_around` of them."""
    known = detail_around([one.fine(px_per_mm) for one in earlier]).astype(np.uint8)
    return np.asarray(cv2.resize(known, size_hw[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _near_edge(
    changed: np.ndarray, in_picture: np.ndarray, px_per_mm: float, over: np.ndarray | None
) -> np.ndarray | None:
    """(h, w) uint8, 1 in the cells of COARSE px that hold what may hang together with the picture's edge and reach what
    is `over` (H, W) bool, and a little more; None when nothing may. What lies in two groups of cells is too far apart
    for a gap to be bridged, or for anything as wide as an arm, to lie in both."""
    some = _in_cells(changed)
    beyond = np.pad(~in_picture[::COARSE, ::COARSE], 1, constant_values=True).astype(np.uint8)
    edge = cv2.dilate(beyond, _around(EDGE_MM + BRIDGED_MM, px_per_mm))[1:-1, 1:-1]
    _, groups = cv2.connectedComponents(cv2.dilate(some, _around(BRIDGED_MM / 2, px_per_mm)))
    theirs = np.unique(groups[(edge > 0) & (groups > 0)])
    if over is not None and len(theirs):
        theirs = np.intersect1d(theirs, groups[_in_cells(over.view(np.uint8)) > 0])
    return np.isin(groups, theirs).astype(np.uint8) if len(theirs) else None


def _in_cells(where: np.ndarray) -> np.ndarray:
    """(h, w) uint8, 1 in the cells of COARSE px that hold any of `where` (H, W) uint8 0 or 1."""
    high, wide = (-(-side // COARSE) for side in where.shape)
    cells = np.zeros((high * COARSE, wide * COARSE), np.uint8)
    cells[: where.shape[0], : where.shape[1]] = where
    return np.asarray(cells.reshape(high, COARSE, -1).max(1).reshape(high, wide, COARSE).max(2))  # whole rows first


def _around(reach_mm: float, px_per_mm: float) -> np.ndarray:
    """The cells within reach of one, and one more on each side."""
    size = 2 * (int(np.ceil(reach_mm * px_per_mm / COARSE)) + 1) + 1
    return np.ones((size, size), np.uint8)


def _disc(across_mm: float, px_per_mm: float) -> np.ndarray:
    size = round(across_mm * px_per_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))


def _come_in(changed: np.ndarray, in_picture: np.ndarray, px_per_mm: float) -> np.ndarray:
    whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, _disc(BRIDGED_MM, px_per_mm))
    # beyond the edge an arm goes on: else its end there would look narrow
    whole = np.where(in_picture, whole, 1).astype(np.uint8)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _disc(NARROW_MM, px_per_mm))
    _, labels = cv2.connectedComponents(np.where(in_picture, whole, 0).astype(np.uint8), connectivity=4)
    from_beyond = np.unique(labels[picture_edge(in_picture, px_per_mm)])
    return np.isin(labels, from_beyond[from_beyond > 0])
