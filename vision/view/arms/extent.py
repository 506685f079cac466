"""Which part of a view an arm takes up: its way, what has its colours, and what hides the table's grain."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.view.arms.crossing import ODD_LAB, crossings
from vision.view.arms.nearest import nearest_distances
from vision.view.arms.occlusion import COVERED_SHARE, MIN_FINGER_MM, finger_kernel, shares_of
from vision.view.arms.rim import BLACK_LAB, MM_PER_PX, RING_NEAR_MM, SAMPLE_MM, Ring
from vision.view.skin import may_be_skin

LIKE_ARM_LAB = 11.0  # fingers in their own shade still count as the arm
# How far the hand may lie beside the line of the arm: the arm's width, and more the further on (a bent wrist).
BESIDE_ARM_WIDTHS, BESIDE_PER_MM = 0.8, 0.35


def way_of(ring: Ring, arm: np.ndarray, origin_mm: np.ndarray, size_hw: tuple[int, int]) -> np.ndarray:
    """(H, W) bool: the part of the view where the hand of this arm can be, given the line along which it comes."""
    places = ring.places_mm[arm]
    entry = places[ring.row[arm] == ring.row[arm].max()].mean(axis=0)
    inner = places[ring.row[arm] == 0].mean(axis=0)
    along = inner - entry
    # an arm that comes slantwise keeps its direction; one seen in a single row points at the middle of the slots
    along = along if np.linalg.norm(along) > SAMPLE_MM else ring.middle_mm - entry
    length = np.linalg.norm(along)
    if length < SAMPLE_MM:  # arms from opposite sides: no one line tells where they are
        return np.ones(size_hw, bool)
    along = along / length
    beside = np.array([-along[1], along[0]])
    width = np.ptp((places - entry) @ beside) + SAMPLE_MM
    rows, columns = np.indices(size_hw)
    off = np.stack([columns, rows], axis=-1) * MM_PER_PX + origin_mm - entry
    forward, sideways = off @ along, np.abs(off @ beside)
    return np.asarray(sideways <= BESIDE_ARM_WIDTHS * width + BESIDE_PER_MM * np.maximum(forward, 0.0))


def colours_before_slots(
    lab: np.ndarray, ahead: np.ndarray, table: np.ndarray, origin_mm: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """(M, 3) colours, at most 40, that lie before the slots on the arm's way and are not the table's."""
    rows, columns = np.indices(ahead.shape)
    places = np.stack([columns, rows], axis=-1) * MM_PER_PX + origin_mm
    outside = ((places < low - MIN_FINGER_MM / 2) | (places > high + MIN_FINGER_MM / 2)).any(axis=-1)
    near = ((places > low - RING_NEAR_MM) & (places < high + RING_NEAR_MM)).all(axis=-1)
    pixels = lab[ahead & outside & near]
    odd = pixels[nearest_distances(pixels, table) > 2 * ODD_LAB]
    return np.asarray(odd[:: len(odd) // 40 + 1])


def may_be_shadow(arm: np.ndarray, table: np.ndarray) -> bool:
    """Whether samples (N, 3) of an arm are but the table's (M, 3) colours in less, or in more, light."""
    hue = nearest_distances(arm[:, 1:], table[:, 1:])
    return bool(np.median(hue) < ODD_LAB) if len(table) else True


def goes_on_from_light(lab: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(H, W) bool: where a view (H, W, 3) may show more of an `arm`, samples (N, 3), that `may_be_shadow`: what has the
    hue of the arm, and what may be skin. A shadow or a pane of sun goes on over print, which keeps its own hue."""
    skin = may_be_skin(lab[..., 0], lab[..., 1], lab[..., 2], BLACK_LAB)
    hue = nearest_distances(lab.reshape(-1, 3)[:, 1:], arm[:, 1:]).reshape(lab.shape[:2])
    return np.asarray(skin | (hue < ODD_LAB))


def grown(
    lab: np.ndarray, seeds_px: np.ndarray, arm: np.ndarray, table: np.ndarray, possible: np.ndarray | None = None
) -> np.ndarray:
    """(H, W) bool: the part of the view that has the arm's colours rather than the table's, grown from the seeds over
    what is `possible` (H, W) bool: all by default."""
    height, width = lab.shape[:2]
    pixels = lab.reshape(-1, 3)
    to_arm = nearest_distances(pixels, arm)
    like = (to_arm < LIKE_ARM_LAB) & (to_arm < nearest_distances(pixels, table))
    like = like.reshape(height, width)
    like = (like if possible is None else like & possible).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    like = cv2.morphologyEx(like, cv2.MORPH_OPEN, finger_kernel())
    count, labels = cv2.connectedComponents(like, connectivity=4)
    seeds = np.round(seeds_px).astype(int)
    seeds = seeds[(seeds >= 0).all(axis=1) & (seeds[:, 0] < width) & (seeds[:, 1] < height)]
    touched = np.zeros(count, bool)
    touched[labels[seeds[:, 1], seeds[:, 0]]] = True
    touched[0] = False
    return touched[labels]


def hiding_grain(
    ring: Ring,
    visible: np.ndarray,
    hidden: np.ndarray,
    size: tuple[int, int],
    at: np.ndarray,
    outlines: Sequence[SlotOutline],
    origin_mm: np.ndarray,
) -> np.ndarray | None:
    """(H, W) bool over the view of `size`: what hides the grain, (h, w) bool, from beyond the ring to over a slot; None
    when nothing does. `at` (N, 2): where the ring lies in the view."""
    covers = cv2.resize(hidden.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    covers = cv2.morphologyEx(covers, cv2.MORPH_OPEN, finger_kernel())
    places = np.round(at).astype(int).clip(0, np.array(size) - 1)
    gone = visible & (covers[places[:, 1], places[:, 0]] > 0)
    _, labels = cv2.connectedComponents(covers, connectivity=4)
    own = [labels[places[group, 1], places[group, 0]] for group in crossings(ring, gone, visible, None)]
    mask = np.isin(labels, np.concatenate(own)) if own else np.zeros(labels.shape, bool)
    covered = max(shares_of(mask, outlines, origin_mm).values(), default=0.0)
    return mask if own and covered > COVERED_SHARE else None
