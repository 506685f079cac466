"""Finding what a crop may show: the learnt pictures that are likest, each aligned with it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.align import local_contrast, loosely, start
from vision.faces.photographed.album import SCALES, Album
from vision.faces.photographed.anchors import align_many
from vision.faces.photographed.compare import Comparison, Setting
from vision.faces.photographed.outline import CutOut, cut_out

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

CANDIDATES = 12  # pictures that are aligned and compared
ALIKE_AT_MOST = 3  # of one kind among them while other kinds are left
TURNED = 4  # pictures that are compared in a second turn too
SLACK = 2.0  # pictures that were not cut alike lie so much further off than crops of one camera
STEPS = (6, 5)  # of the alignment at each scale
# How far a cut by hand ordinarily bends a piece, in half sides: size, shear and turn, shift, perspective. A picture
# that fits only when it is bent more is of another piece.
ORDINARY_BEND = np.array([0.04, 0.05, 0.1, 0.05, 0.04, 0.1, 0.03, 0.03])
BENT_BOUND = 3.0  # more sigmas than this in one way cost no more
FINER = 1.25  # a crop so many times finer than the learnt pictures is made as coarse as they are
IGNORED = 0.2  # share of a pixel's area that is ignored from which all of it is
EDGE = 0.02  # strip along the border of a picture that is not judged: cut edges and corners


@dataclass(frozen=True, slots=True)
class Found:
    """A crop with the M pictures that may be it: their `numbers`, `owners` (kinds) and `turns`, each (M,).

    `to_crop` (M, 3, 3) homographies face (-1..1) -> crop px, of which the first is the frame in which all are compared;
    `comparison` what is left to do; `seen` share of the piece that the crop shows.
    """

    numbers: NDArray[np.intp]
    owners: NDArray[np.intp]
    turns: NDArray[np.intp]
    to_crop: F64
    comparison: Comparison
    seen: float


def unit(size_wh: tuple[int, int]) -> F64:
    """(3, 3) px of the reference frame -> -1..1."""
    w, h = size_wh
    return np.array([[2 / w, 0, 1 / w - 1], [0, 2 / h, 1 / h - 1], [0, 0, 1]])


def find(
    album: Album,
    owners: NDArray[np.intp],
    crop_bgr: U8,
    margin: float,
    turns: tuple[int, ...],
    ignore: NDArray[np.bool_] | None,
    leave_out: int | None = None,
) -> Found:
    """Search `crop_bgr` (h, w, 3) uint8 for every picture and align the likeliest with it.

    `owners` (T,): kinds of the pictures; `margin`: strip around the nominal piece, share of its side; `turns`:
    quarter turns to try; `ignore` (h, w) bool: pixels to leave out; `leave_out`: a picture that is not tried.
    """
    back = np.eye(3)
    if album.cut is not None and margin == 0.0:
        piece = cut_out(crop_bgr, album.cut)
        unseen = ~piece.seen if ignore is None else ~piece.seen | _taken(ignore, piece)
        crop_bgr, ignore, back = piece.image, unseen, piece.to_picture
    h, w = album.pictures.shape[1:3]
    crop_bgr, ignore, shrink = _no_finer(crop_bgr, ignore, (w * h) ** 0.5 * (1 + 2 * margin))
    back = back @ shrink
    image = crop_bgr.astype(np.float32) / np.float32(255)
    wh = (image.shape[1], image.shape[0])
    cost, shifts = album.index.search(image, margin)
    if leave_out is not None:
        cost[:, leave_out] = np.inf
    rows = [k for k, turn in enumerate(album.index.turns) if turn in turns]
    chosen = _likeliest(cost[rows], owners)
    row = np.array([rows[k // cost.shape[1]] for k in chosen])
    numbers = np.array([k % cost.shape[1] for k in chosen])
    turned = np.array([album.index.turns[r] for r in row])
    starts = np.stack(
        [start(wh, margin, int(t), (*shifts[r, k].tolist(), 1.0)) for t, r, k in zip(turned, row, numbers, strict=True)]
    )
    ratio = (wh[0] * wh[1] / (w * h)) ** 0.5 / (1 + 2 * margin)  # crop px per px of the reference frame
    side_px = ratio * (w * h) ** 0.5
    to_crop = starts
    for sigma, anchors, steps in zip(SCALES, album.anchors, STEPS, strict=True):
        contrast = local_contrast(image, max(sigma * ratio, 0.3), side_px)
        to_crop = align_many(contrast, anchors.take(numbers), to_crop, loosely(SLACK), steps)
    usable = np.ones(image.shape[:2], np.float32) if ignore is None else (~ignore).astype(np.float32)
    sampled = image if ratio < 1.2 else cv2.GaussianBlur(image, (0, 0), 0.45 * ratio)
    frame = to_crop[0]
    seen, valid = _into_frame(sampled, usable, frame, (w, h))
    pictures = _warped(album.pictures[numbers], np.linalg.inv(frame), to_crop)
    share = float((valid * album.weight).sum() / album.weight.sum())
    bent = _bent(np.linalg.inv(starts) @ to_crop)
    setting = Setting(seen, valid * album.weight, pictures, owners[numbers], bent)
    return Found(numbers, owners[numbers], turned, back @ to_crop, Comparison(setting), share)


def _bent(moves: F64) -> F64:
    """(M,) nats by which pieces had to be bent, (M, 3, 3) from where they were searched to where they were aligned."""
    away = (moves / moves[:, 2:, 2:]).reshape(-1, 9)[:, :8] - (1, 0, 0, 0, 1, 0, 0, 0)
    square = (away / ORDINARY_BEND) ** 2
    return np.asarray((0.5 * square / (1 + square / BENT_BOUND**2)).sum(axis=1))


def _no_finer(crop: U8, ignore: NDArray[np.bool_] | None, side_px: float) -> tuple[U8, NDArray[np.bool_] | None, F64]:
    """A crop that is finer than the learnt pictures made as coarse as they are, and (3, 3) its px -> the old px.

    `side_px`: side of the square with the area that the crop would have at their resolution.
    """
    h, w = crop.shape[:2]
    ratio = (h * w) ** 0.5 / side_px
    if ratio < FINER:
        return crop, ignore, np.eye(3)
    size = (max(8, round(w / ratio)), max(8, round(h / ratio)))
    x, y = w / size[0], h / size[1]
    old = np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    if ignore is not None:
        ignore = cv2.resize(ignore.astype(np.float32), size, interpolation=cv2.INTER_AREA) > IGNORED
    return small, ignore, old


def _taken(ignore: NDArray[np.bool_], piece: CutOut) -> NDArray[np.bool_]:
    """Which pixels of a piece that was cut out are ignored in its picture (h, w) bool."""
    h, w = piece.seen.shape
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(ignore.astype(np.uint8), piece.to_picture, (w, h), flags=flags) > 0)


def _likeliest(cost: F32, owners: NDArray[np.intp]) -> list[int]:
    """Flat indices into `cost` (turns, T) of CANDIDATES of the best: of many kinds, and the very best in two turns."""
    kinds: dict[int, int] = {}
    pictures: dict[int, int] = {}
    chosen: list[int] = []
    spare: list[int] = []
    for k in np.argsort(cost.ravel())[: 6 * CANDIDATES]:
        if not np.isfinite(cost.ravel()[k]):
            break
        number = int(k % cost.shape[1])
        kind = int(owners[number])
        again = number in pictures and list(pictures).index(number) >= TURNED
        pictures[number] = pictures.get(number, 0) + 1
        kinds[kind] = kinds.get(kind, 0) + 1
        (spare if again or kinds[kind] > ALIKE_AT_MOST else chosen).append(int(k))
        if len(chosen) == CANDIDATES:
            break
    return (chosen + spare)[:CANDIDATES]


def _into_frame(sampled: F32, usable: F32, to_crop: F64, wh: tuple[int, int]) -> tuple[F32, F32]:
    """The crop in the reference frame (h, w, 3) and which of its pixels can be judged (h, w)."""
    matrix = to_crop @ unit(wh)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(sampled, matrix, wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    valid = cv2.warpPerspective(usable, matrix, wh, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    edge = max(1, round(EDGE * wh[0]))
    valid[:edge], valid[-edge:], valid[:, :edge], valid[:, -edge:] = 0, 0, 0, 0
    return seen, valid


def _warped(pictures: F32, from_crop: F64, to_crop: F64) -> F32:
    """`pictures` (M, h, w, 3), each with its own place in the crop, brought into one frame of it."""
    _, h, w, _ = pictures.shape
    to_frame = np.linalg.inv(unit((w, h)))
    out = []
    for picture, own in zip(pictures, to_crop, strict=True):
        move = to_frame @ from_crop @ own @ unit((w, h))
        out.append(cv2.warpPerspective(picture, move, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.stack(out)
