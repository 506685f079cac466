"""Finding what a crop may show: the learnt pictures that are likest, each aligned with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.align import local_contrast, loosely, start
from vision.faces.photographed.album import SCALES, Album
from vision.faces.photographed.compare import CropComparison, Setting
from vision.faces.placing.anchors import align_many
from vision.faces.placing.keypoints import Supported
from vision.faces.placing.outline import CutOut, cut_out
from vision.faces.placing.rectangle import cut_at, to_picture

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

CANDIDATES = 12  # pictures that are aligned and compared
ALIKE_AT_MOST = 3  # of one kind among them while other kinds are left; of plain pieces one, whose turn tells nothing
TURNED = 4  # pictures that are compared in a second turn too
SLACK = 2.0  # pictures that were not cut alike lie so much further off than crops of one camera
STEPS = (6, 5)  # of the alignment at each scale
# How far a cut by hand ordinarily bends a piece, in half sides: size, shear and turn, shift, perspective. A picture
# that fits only when it is bent more is of another piece.
ORDINARY_BEND = np.array([0.04, 0.05, 0.1, 0.05, 0.04, 0.1, 0.03, 0.03])
# More sigmas than this in one way cost no more. With three of them any triangle became any other at little cost, which
# no cut by hand does.
BENT_BOUND = 6.0
FINER = 1.25  # a crop so many times finer than the learnt pictures is made as coarse as they are
IGNORED = 0.2  # share of a pixel's area that is ignored from which all of it is
SPARSE = 4  # px between the places at which it is asked how much of a piece is in its crop
EDGE = 0.02  # strip along the border of a picture that is not judged: cut edges and corners


@dataclass(frozen=True, slots=True)
class FoundFaces:
    """A crop with the M pictures that may be it: their `numbers`, `owners` (kinds) and `turns`, each (M,).

    `to_crop` (M, 3, 3) homographies face (-1..1) -> crop px, of which the first is the frame in which all are compared;
    `comparison` what is left to do; `seen` (M,) share of each that the crop shows.
    """

    numbers: NDArray[np.intp]
    owners: NDArray[np.intp]
    turns: NDArray[np.intp]
    to_crop: F64
    comparison: CropComparison
    seen: F64


def unit(size_wh: tuple[int, int]) -> F64:
    """(3, 3) px of the reference frame -> -1..1."""
    w, h = size_wh
    return np.array([[2 / w, 0, 1 / w - 1], [0, 2 / h, 1 / h - 1], [0, 0, 1]])


def quarters(to_crop: F64) -> NDArray[np.intp]:
    """(M,) quarter turns clockwise, to the nearest, of faces that homographies (M, 3, 3) bring into a crop."""
    middle, beside = to_crop[:, :2, 2] / to_crop[:, 2:, 2], to_crop @ (1.0, 0.0, 1.0)
    along = beside[:, :2] / beside[:, 2:] - middle
    return np.asarray(np.round(np.arctan2(along[:, 1], along[:, 0]) / (np.pi / 2)) % 4, np.intp)


def find(
    album: Album,
    owners: NDArray[np.intp],
    crop_bgr: U8,
    margin: float,
    turns: tuple[int, ...],
    ignore: NDArray[np.bool_] | None,
    leave_out: int | None = None,
) -> FoundFaces:
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
    chosen = _likeliest(cost[rows], owners, 1 if album.plain else ALIKE_AT_MOST)
    row = np.array([rows[k // cost.shape[1]] for k in chosen])
    numbers = np.array([k % cost.shape[1] for k in chosen])
    turned = np.array([album.index.turns[r] for r in row])
    starts = np.stack(
        [start(wh, margin, int(t), (*shifts[r, k].tolist(), 1.0)) for t, r, k in zip(turned, row, numbers, strict=True)]
    )
    ratio = (wh[0] * wh[1] / (w * h)) ** 0.5 / (1 + 2 * margin)
    return _compared(album, owners, _Candidates(numbers, turned, starts), image, ignore, ratio, back)


def least_misfit(album: Album, crop_bgr: U8, turns: tuple[int, ...]) -> float:
    """How unlike `crop_bgr` (h, w, 3) uint8, cut at its piece, is to the likest picture, by the first search alone."""
    if album.cut is not None:
        crop_bgr = cut_out(crop_bgr, album.cut).image
    h, w = album.pictures.shape[1:3]
    crop_bgr = _no_finer(crop_bgr, None, (w * h) ** 0.5)[0]
    cost = album.index.search(crop_bgr.astype(np.float32) / np.float32(255), 0.0)[0]
    return float(cost[[k for k, turn in enumerate(album.index.turns) if turn in turns]].min())


def find_placed(
    album: Album,
    owners: NDArray[np.intp],
    crop_bgr: U8,
    supported: Sequence[Supported],
    ignore: NDArray[np.bool_] | None,
) -> FoundFaces:
    """Align each of `supported` with `crop_bgr` (h, w, 3) uint8 where its print was found, and others, which may lie
    where the first does. `owners`, `ignore` as for `find`.
    """
    h, w = album.pictures.shape[1:3]
    corners = supported[0].corners((w, h))
    piece, inside = cut_at(crop_bgr, corners, (w, h))
    matrix = to_picture(corners, (w, h))
    unseen = ~inside
    if ignore is not None:
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        unseen |= cv2.warpPerspective(ignore.astype(np.uint8), matrix, (w, h), flags=flags) > 0
    numbers, turned = [one.number for one in supported], [0] * len(supported)
    to_face = np.linalg.inv(unit((w, h)))
    starts = [np.linalg.inv(matrix) @ one.to_crop @ to_face for one in supported]
    misfits = album.turned.misfits(crop_bgr, corners)
    misfits[:, numbers] = np.inf
    for k in _likeliest(misfits, owners, ALIKE_AT_MOST)[: CANDIDATES - len(numbers)]:
        numbers.append(k % misfits.shape[1])
        turned.append(2 * (k // misfits.shape[1]))
        starts.append(start((w, h), 0.0, turned[-1], (0.0, 0.0, 1.0)))
    candidates = _Candidates(np.array(numbers), np.array(turned), np.stack(starts))
    image = piece.astype(np.float32) / np.float32(255)
    found = _compared(album, owners, candidates, image, unseen, 1.0, matrix)
    return replace(found, turns=quarters(found.to_crop))


@dataclass(frozen=True, slots=True)
class _Candidates:
    """M pictures that may be what a crop shows: `numbers`, quarter `turns` (M,), and where they are searched first:
    `starts` (M, 3, 3) face (-1..1) -> crop px."""

    numbers: NDArray[np.intp]
    turns: NDArray[np.intp]
    starts: F64


def _compared(
    album: Album,
    owners: NDArray[np.intp],
    candidates: _Candidates,
    image: F32,
    ignore: NDArray[np.bool_] | None,
    ratio: float,
    back: F64,
) -> FoundFaces:
    """The candidates aligned with a crop `image` (h, w, 3), `ratio` of whose px go to one of the reference frame.

    `back` (3, 3): px of `image` -> px of the crop as it was given.
    """
    h, w = album.pictures.shape[1:3]
    numbers, to_crop = candidates.numbers, candidates.starts
    for sigma, anchors, steps in zip(SCALES, album.anchors, STEPS, strict=True):
        contrast = local_contrast(image, max(sigma * ratio, 0.3), ratio * (w * h) ** 0.5)
        to_crop = align_many(contrast, anchors.take(numbers), to_crop, loosely(SLACK), steps)
    usable = np.ones(image.shape[:2], np.float32) if ignore is None else (~ignore).astype(np.float32)
    sampled = image if ratio < 1.2 else cv2.GaussianBlur(image, (0, 0), 0.45 * ratio)
    frame = to_crop[0]
    seen, valid = _into_frame(sampled, usable, frame, (w, h))
    pictures = _warped(album.pictures[numbers], np.linalg.inv(frame), to_crop)
    share = _shares(usable, to_crop, album.weight)
    bent = _bent(np.linalg.inv(candidates.starts) @ to_crop)
    told, glossy = album.one_colour, album.one_colour and not album.plain
    setting = Setting(seen, valid * album.weight, pictures, owners[numbers], bent, told, glossy)
    return FoundFaces(numbers, owners[numbers], candidates.turns, back @ to_crop, CropComparison(setting), share)


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


def _likeliest(cost: F32, owners: NDArray[np.intp], alike: int) -> list[int]:
    """Flat indices into `cost` (turns, T) of CANDIDATES of the best: of many kinds, of each at most `alike` while other
    kinds are left, and the very best in two turns."""
    kinds: dict[int, int] = {}
    pictures: dict[int, int] = {}
    chosen: list[int] = []
    spare: list[int] = []
    order = np.argsort(cost.ravel())
    for k in order if alike == 1 else order[: 6 * CANDIDATES]:
        if not np.isfinite(cost.ravel()[k]):
            break
        number = int(k % cost.shape[1])
        kind = int(owners[number])
        again = number in pictures and list(pictures).index(number) >= TURNED
        pictures[number] = pictures.get(number, 0) + 1
        kinds[kind] = kinds.get(kind, 0) + 1
        (spare if again or kinds[kind] > alike else chosen).append(int(k))
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


def _shares(usable: F32, to_crop: F64, weight: F32) -> F64:
    """(M,) share of the `weight` (h, w) of pieces that lie as `to_crop` (M, 3, 3) tells where pixels are `usable`."""
    h, w = weight.shape
    edge = max(1, round(EDGE * w))
    x, y = np.meshgrid(np.arange(edge, w - edge, SPARSE), np.arange(edge, h - edge, SPARSE))
    worth = weight[y, x].ravel()
    at = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    there = to_crop @ unit((w, h)) @ at
    rows, cols = usable.shape
    px = np.clip(there[:, :2] / there[:, 2:], -1, max(rows, cols))
    across, down = np.round(px).astype(np.intp).transpose(1, 0, 2)
    inside = (across >= 0) & (across < cols) & (down >= 0) & (down < rows)
    seen = inside & (usable[np.clip(down, 0, rows - 1), np.clip(across, 0, cols - 1)] > 0)
    judged = float(weight[edge:-edge, edge:-edge].sum() / weight.sum())
    return np.asarray(seen @ worth / worth.sum() * judged, np.float64)


def _warped(pictures: F32, from_crop: F64, to_crop: F64) -> F32:
    """`pictures` (M, h, w, 3), each with its own place in the crop, brought into one frame of it."""
    _, h, w, _ = pictures.shape
    to_frame = np.linalg.inv(unit((w, h)))
    out = []
    for picture, own in zip(pictures, to_crop, strict=True):
        move = to_frame @ from_crop @ own @ unit((w, h))
        out.append(cv2.warpPerspective(picture, move, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.stack(out)
