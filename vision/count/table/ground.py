"""Tells what lies on a table from the table itself: the ground is learnt from the picture's own border and majority."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

GROUND_PX = 320  # the ground is modelled on a picture of this longer side: texture averages out, pieces remain
PALETTE = 10  # colours that a table and what lies on it are divided into
CLUSTER_SAMPLES = 5000
BORDER_SHARE = 0.06  # width of the rim that is mostly table, of the longer side
RIM_PART = 0.3  # a colour belongs to the table when its part of the rim is this share of the commonest one's ...
NEAR_LAB = 12.0  # ... or when it is this close to a colour of the table: the same table in better or worse light
ROUNDS = 3
SAME_GUESS = 0.02  # of two first guesses that may differ: the rounds that follow lead both to the same table
BLUR_STEPS = 5  # pixels of a wide blur's deviation at least: fewer would show between them
SMOOTH_PX = 1.0
GRAIN_STEP = 7  # pixels of which one tells the grain: no width of a picture is a multiple of many sizes of grain
LEVEL = 3.6  # standard deviations from the ground at which a pixel is something else
GRAIN = 2.5  # standard deviations up to which it is the table's grain, however near it is
HIDE_LEVEL, HIDE_PART = 4.6, 0.05  # a colour nearer than this to this part of the table can be overlooked
HIDE_STEP = 2  # px of the coarse ground: its means change over a tenth of it
HIDE_LAB = 12.0  # and so can one so close to it: the light of a picture is known no better
NOISE_LAB = np.array([2.2, 1.6, 1.6], np.float32)  # least spread of a ground: JPEG and sensor noise of ordinary cameras
SHADOW_RATIO = (0.22, 0.97)  # light that a shadow leaves
SHADOW_CHROMA = 8.0  # Lab units by which a shadow may differ from darkened ground


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the table looks like. `difference` (H, W) float32: distance of each pixel from it in standard deviations,
    from its colours around the pixel and, where that is more than `GRAIN`, from any of them;
    `shadow` (H, W) bool: darkened ground; `lab` (H, W, 3): the ground's local colour; `seen` (H, W, 3): that of the
    picture, a little smoothed; `clear`: the share of the picture that is neither blown out nor black; `local` and
    `palette`: means and deviations, coarse; `guess`: where the table was thought to be when they were fitted, as
    coarse; `colours`: those that the coarse picture is divided into, and which of them each pixel has.
    """

    difference: Floats
    shadow: Mask
    lab: Floats
    seen: Floats
    clear: float
    local: tuple[Floats, Floats]
    palette: tuple[Floats, Floats]
    guess: Mask
    colours: tuple[NDArray[np.int64], Floats]

    def hides(self, colour_lab: NDArray[np.float64]) -> bool:
        """Whether a piece of this Lab colour (3,) could lie somewhere on the table and be taken for table or shadow."""
        colour = colour_lab.astype(np.float32)
        mean, deviation = (part[::HIDE_STEP, ::HIDE_STEP] for part in self.local)
        near = (_distance(colour, mean, deviation) < HIDE_LEVEL) | (np.linalg.norm(colour - mean, axis=2) < HIDE_LAB)
        for centre, spread in zip(*self.palette, strict=True):
            near = near | bool(_distance(colour, centre, spread) < HIDE_LEVEL)
        near |= _shadow(np.broadcast_to(colour, mean.shape), mean)
        return float(near.mean()) > HIDE_PART


def to_lab(picture_bgr: NDArray[np.uint8]) -> Floats:
    """(H, W, 3) float32 CIE Lab (L 0..100) of an 8-bit BGR picture."""
    return np.asarray(cv2.cvtColor(picture_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))


def find_ground(
    picture_bgr: NDArray[np.uint8],
    pieces_lab: Floats | None = None,
    known: Ground | None = None,
    sheets: Mask | None = None,
) -> Ground:
    """The ground of a picture (H, W, 3) uint8 BGR whose rim is mostly table.

    `pieces_lab` (K, 3): colours that pieces are expected to have, so that they are not taken for table. `known`: the
    ground of the same picture, in another size, for other colours: where these let the same places be table, its
    colours are not fitted anew. `sheets`: where things lie that are no table and of no interest, in any size of the
    picture: nothing differs there.
    """
    height, width = picture_bgr.shape[:2]
    lab = to_lab(picture_bgr)
    share = GROUND_PX / max(height, width)
    size = (max(8, round(width * share)), max(8, round(height * share)))
    small = cv2.resize(lab, size, interpolation=cv2.INTER_AREA)
    again = known is not None and small.shape[:2] == known.guess.shape
    colours = known.colours if known is not None and again else _cluster(small.reshape(-1, 3))
    bare = np.ones(small.shape[:2], bool) if sheets is None else ~_resized(sheets, size)
    expected = np.zeros((0, 3), np.float32) if pieces_lab is None else pieces_lab
    table = _table_pixels(colours, bare, expected)
    if known is not None and again and (table != known.guess).mean() < SAME_GUESS:
        (mean, deviation), (centres, spreads) = known.local, known.palette
    else:
        (mean, deviation), (centres, spreads) = _fitted(small, table, bare)
    full = (width, height)
    local, palette = (mean, deviation), (centres, spreads)
    mean, deviation = (cv2.resize(part, full, interpolation=cv2.INTER_LINEAR) for part in (mean, deviation))
    lab = cv2.GaussianBlur(lab, (0, 0), SMOOTH_PX)
    fine = _fine_spread(lab, 1 / share)
    difference = _distance(lab, mean, np.sqrt(deviation**2 + fine**2))
    odd = np.flatnonzero(difference > GRAIN)
    own, least = lab.reshape(-1, 3)[odd], difference.ravel()[odd]
    for centre, spread in zip(centres, spreads, strict=True):
        np.minimum(least, _distance(own, centre, np.sqrt(spread**2 + fine**2)), out=least)
    difference.ravel()[odd] = least
    if sheets is not None and sheets.any():
        difference[_resized(sheets, full)] = 0.0
    blown = (cv2.inRange(picture_bgr, (250,) * 3, (255,) * 3) > 0) | (cv2.inRange(picture_bgr, (0,) * 3, (4,) * 3) > 0)
    return Ground(difference, _shadow(lab, mean), mean, lab, 1.0 - float(blown.mean()), local, palette, table, colours)


def _fitted(small: Floats, table: Mask, bare: Mask) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Means and deviations around each place, and the palette with its spreads, of a table by a first guess of it."""
    sigma = 0.09 * GROUND_PX
    for _ in range(ROUNDS):
        mean, deviation = _local(small, table, sigma)
        table = (_distance(small, mean, deviation) < LEVEL) & bare
    return (mean, deviation), _palette(small, table)


def _resized(mask: Mask, size: tuple[int, int]) -> Mask:
    """A mask in another size, width and height in px."""
    if mask.shape == size[::-1]:
        return mask
    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def _table_pixels(colours: tuple[NDArray[np.int64], Floats], bare: Mask, pieces_lab: Floats) -> Mask:
    """A first guess (H, W): pixels whose palette colour is common at the rim, or close to one that is and like no
    piece, of those that may be `bare` table (H, W).
    """
    labels, centres = colours
    labels = labels.reshape(bare.shape)
    rim = bare.copy()
    inset = max(2, round(BORDER_SHARE * max(labels.shape)))
    rim[inset:-inset, inset:-inset] = False
    at_rim = np.bincount(labels[rim], minlength=len(centres)) / max(1, rim.sum())
    table = at_rim >= RIM_PART * at_rim.max()
    for _ in range(len(centres)):
        gaps = np.linalg.norm(centres[:, None] - centres[None, table], axis=2).min(axis=1)
        to_piece = np.linalg.norm(centres[:, None] - pieces_lab[None], axis=2).min(axis=1, initial=np.inf)
        table |= (gaps < NEAR_LAB) & (gaps < to_piece)
    return np.asarray(table[labels] & bare)


def _cluster(values: Floats) -> tuple[NDArray[np.int64], Floats]:
    cv2.setRNGSeed(0)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.3)
    some = np.ascontiguousarray(values[:: max(1, len(values) // CLUSTER_SAMPLES)])
    _, _, centres = cv2.kmeans(some, min(PALETTE, len(some)), None, criteria, 2, cv2.KMEANS_PP_CENTERS)
    squares = (centres**2).sum(axis=1) - 2 * values @ centres.T  # the pixel's own square is the same for all
    return squares.argmin(axis=1), centres


def _local(small: Floats, table: Mask, sigma: float) -> tuple[Floats, Floats]:
    """Mean and standard deviation (H, W, 3) of the table's pixels around each place."""
    weight = table.astype(np.float32)[..., None]
    total = _spread_out(weight, sigma) + 1e-4
    overall = small[table].mean(axis=0) if table.any() else small.reshape(-1, 3).mean(axis=0)
    mean = (_spread_out(small * weight, sigma) + 1e-4 * overall) / total
    variance = _spread_out((small - mean) ** 2 * weight, sigma) / total
    return mean, np.sqrt(variance + NOISE_LAB**2)


def _spread_out(values: Floats, sigma: float) -> Floats:
    """(H, W, C) blurred so widely that a small copy shows it as well."""
    height, width = values.shape[:2]
    step = max(1, int(sigma / BLUR_STEPS))
    few = cv2.resize(values, (-(-width // step), -(-height // step)), interpolation=cv2.INTER_AREA)
    wide = cv2.resize(cv2.GaussianBlur(few, (0, 0), sigma / step), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide.reshape(height, width, -1))


def _palette(small: Floats, table: Mask) -> tuple[Floats, Floats]:
    """The table's own colours (K, 3) and their spreads (K, 3): a chequered cloth has several."""
    values = small[table]
    if len(values) < PALETTE:
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32)
    labels, centres = _cluster(values)
    spreads = [values[labels == k].std(axis=0) if (labels == k).any() else np.zeros(3) for k in range(len(centres))]
    return centres, np.sqrt(np.array(spreads, np.float32) ** 2 + NOISE_LAB**2)


def _distance(lab: Floats, mean: Floats, deviation: Floats) -> Floats:
    """(…) distances of (…, 3) colours in standard deviations, axes taken as independent."""
    parts = [(lab[..., k] - mean[..., k]) / deviation[..., k] for k in range(3)]
    return np.asarray(np.sqrt(parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2]))


def _fine_spread(lab: Floats, block_px: float) -> Floats:
    """(3,) spread of the grain and noise that the small picture averaged away, robust against what lies there."""
    grain = lab - cv2.GaussianBlur(lab, (0, 0), max(1.0, block_px / 2))
    some = grain.reshape(-1, 3)[::GRAIN_STEP]
    return np.asarray(1.4826 * np.median(np.abs(some), axis=0))


def _shadow(lab: Floats, ground: Floats) -> Mask:
    """Pixels that look like the ground with less light: Lab colour shrinks together with lightness."""
    ratio = lab[..., 0] / np.maximum(ground[..., 0], 1.0)
    green, blue = (lab[..., k] - ground[..., k] * ratio for k in (1, 2))
    low, high = (light ** (1 / 2.2) for light in SHADOW_RATIO)  # lightness is about the 2.2th root of light
    return np.asarray((ratio > low) & (ratio < high) & (green * green + blue * blue < SHADOW_CHROMA**2))
