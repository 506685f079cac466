"""What is printed or stamped on round pieces, unrolled around their middles: pieces of one kind bear one print."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Spectra = NDArray[np.complex64]

# Of a piece's radius: outside lies its own rim and shade, which all pieces have. A step is 0.023 of the radius inward
# and 0.02 around half way out, the breadth of a stroke of a number on a coin.
REACH, RINGS, ANGLES = (0.1, 0.75), 28, 192
UNROLLED = RINGS * ANGLES
BLACK = 8.0  # grey levels that are added before the logarithm: what is less in a dark piece is noise
STEPS_PER_LOG = 255 / np.log((255 + BLACK) / BLACK)
FINE_STEPS, FINE_SHARE = 1.5, 0.4  # px a step from which a piece is blurred first, and the blur's deviation, in steps
SOFT_STEPS = 0.6  # deviation of the blur of what is unrolled: noise of single steps is no edge
# How edges of two prints correlate (`prints_alike`): pieces of other kinds 0.05 to 0.06 usually, 0.1 once in a hundred,
# pieces of one kind with the same side up 0.16 usually. Half of the pieces show the side that was taught.
UNLIKE, PER_ALIKE, SAME_SIDE = 0.06, 60.0, 0.5
# Nats: now and then other pieces bear the same picture, and wear and light make prints alike by chance, once in some
# three thousand.
MOST_TOLD = 8.0
# Nats from which a print is seen surely, and below which it is not seen: of coins whose colours were told apart surely
# the names of those above were right (all of 3,600), of those below 0.7 to 0.99, as well as their colours were taught.
SEEN, UNSEEN = 4.0, 1.0
# Correlation of two colours' prints from which they bear the same one, or the glint of the same lamp: coins of
# different metals have 0.18 once in a thousand.
SHARED = 0.25
# What differs within a sixteenth of a turn, in natural logs of grey: noise on a smooth face comes to 0.006 to 0.017 of
# it, the faintest stamp of 1,328 coins that are not blown out to 0.027.
NEAR_STEPS, SMOOTH = (6, 12), 0.02


def unroll(picture: NDArray[np.uint8], outline: Floats) -> bytes:
    """The logarithms of grey in a picture (H, W, 3) uint8 BGR on `RINGS` rings within an outline (N, 2) px, `ANGLES`
    steps each, one byte a step, ring by ring from within.
    """
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
    high = np.ceil(outline.max(axis=0)).astype(int) + 3
    crop = picture[low[1] : high[1], low[0] : high[0]]
    if not crop.size:
        return b""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    middle = outline.mean(axis=0)
    away = outline - middle
    sizes, axes = np.linalg.eigh(2 * away.T @ away / len(away))
    ellipse = axes @ np.diag(np.sqrt(sizes)) @ axes.T
    inward = (REACH[1] - REACH[0]) / RINGS
    step = inward * float(np.sqrt(np.prod(np.sqrt(sizes))))
    if step > FINE_STEPS:
        grey = cv2.GaussianBlur(grey, (0, 0), FINE_SHARE * step)
    angles = np.arange(ANGLES) / ANGLES * 2 * np.pi
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ ellipse.T
    places = (middle - low + _radii()[:, None, None] * around[None]).astype(np.float32)
    on = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return bytes(np.round(STEPS_PER_LOG * np.log((on + BLACK) / BLACK)).astype(np.uint8).tobytes())


def prints_alike(some: Sequence[bytes], others: Sequence[bytes]) -> Floats:
    """(N, M) how the edges of unrolled prints (N,) and (M,) correlate, turned as they agree best; 0 without a print.

    Edges are compared by their strength and by twice their direction against the ring: light from another side turns
    the bright flank of a relief to the other side, and leaves that as it is.
    """
    if not len(some) or not len(others):
        return np.zeros((len(some), len(others)))
    first, second = _spectra(some), _spectra(others)
    products = first.transpose(2, 0, 1) @ second.conj().transpose(2, 1, 0)  # (frequencies, N, M)
    return np.asarray(np.fft.irfft(products, ANGLES, axis=0).max(axis=0), np.float64)


def is_smooth(unrolled: bytes) -> bool:
    """Whether an unrolled face shows neither stamp nor print; one that was not looked into does not."""
    if len(unrolled) != UNROLLED:
        return False
    grey = np.frombuffer(unrolled, np.uint8).reshape(RINGS, ANGLES) / STEPS_PER_LOG
    around = np.mean([np.roll(grey, way * steps, axis=1) for steps in NEAR_STEPS for way in (1, -1)], axis=0)
    return float((grey - around).std()) < SMOOTH


def print_chances(taught: Sequence[bytes], colour_of: NDArray[np.int64], seen: Sequence[bytes]) -> Floats | None:
    """(N, M) log chances of N prints that were seen as those of M taught ones, beside those of other pieces' prints.

    `colour_of` (M,) 0..K-1. Seen are only those that are more alike than prints of other colours that were taught. None
    where two colours have one print, or no piece was taught by its outline.
    """
    others = np.where(colour_of[:, None] != colour_of, prints_alike(taught, taught), 0.0).max(axis=1, initial=0.0)
    known = np.array([len(one) > 0 for one in taught])
    if not known.any() or not len(seen) or others.max() > SHARED:
        return None
    told = np.minimum(PER_ALIKE * (prints_alike(seen, taught) - np.maximum(UNLIKE, others)), MOST_TOLD)
    chances = np.log(1 - SAME_SIDE + SAME_SIDE * np.exp(told))
    shown = np.array([len(one) > 0 for one in seen])
    return np.where(shown[:, None] & known, chances, 0.0)


def without_print(chances: Floats, colour_of: NDArray[np.int64], names: NDArray[np.int64]) -> int:
    """How many pieces with a name (N,) 0..K, K for none, show no print of it though some piece beside them does, by
    the chances (N, M) of looks of colours (M,).
    """
    own = np.where(colour_of == names[:, None], chances, -np.inf).max(axis=1, initial=-np.inf)
    if not (own >= SEEN).any():
        return 0
    return int(((names <= colour_of.max()) & (own < UNSEEN)).sum())


def _radii() -> Floats:
    """(RINGS,) of the rings, in a piece's radius."""
    return REACH[0] + (np.arange(RINGS) + 0.5) / RINGS * (REACH[1] - REACH[0])


def _spectra(unrolled: Sequence[bytes]) -> Spectra:
    """(N, F, ANGLES / 2 + 1) spectra of a print's edges around its middle, by ring and kind of edge; of length 1."""
    grey = np.zeros((len(unrolled), RINGS, ANGLES), np.float32)
    for one, values in zip(grey, unrolled, strict=True):
        if len(values) == UNROLLED:
            one[:] = np.frombuffer(values, np.uint8).reshape(RINGS, ANGLES) / STEPS_PER_LOG
    soft = np.stack([_blurred(one) for one in grey])
    inward = np.gradient(soft, axis=1) / ((REACH[1] - REACH[0]) / RINGS)
    ahead, behind = np.roll(soft, -1, axis=2), np.roll(soft, 1, axis=2)
    around = (ahead - behind) / (4 * np.pi / ANGLES) / _radii()[:, None].astype(np.float32)
    strength = np.sqrt(inward**2 + around**2) + 1e-3
    bound = strength + np.median(strength, axis=(1, 2), keepdims=True)
    edges = np.stack([(inward**2 - around**2) / strength, 2 * inward * around / strength, strength], axis=1)
    edges /= bound[:, None]
    edges -= edges.mean(axis=3, keepdims=True)  # rings that look alike all around tell nothing of a print
    edges *= np.sqrt(_radii())[:, None].astype(np.float32)  # each by its length
    length = np.sqrt((edges**2).sum(axis=(1, 2, 3), keepdims=True))
    spectra = np.fft.rfft(edges / np.maximum(length, 1e-6), axis=3)
    return np.asarray(spectra.reshape(len(unrolled), -1, ANGLES // 2 + 1), np.complex64)


def _blurred(unrolled: Singles) -> Singles:
    """(RINGS, ANGLES) a little blurred, around without an end."""
    more = int(4 * SOFT_STEPS) + 1
    wide = np.concatenate([unrolled[:, -more:], unrolled, unrolled[:, :more]], axis=1)
    return np.asarray(cv2.GaussianBlur(wide, (0, 0), SOFT_STEPS)[:, more:-more])
