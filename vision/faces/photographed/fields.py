"""How much of the print of a learnt picture a crop shows: small fields that look alike, each shifted a little."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

FIELD = 0.1  # side of a field as a share of the piece's
SHIFT = 0.01  # a field may lie so far off: pieces bend, and pictures to learn from are not cut exactly
# Contrast of a field, 0..1, from which it is print that is judged: noise of 0.03 alone takes the correlation of paler
# print below ALIKE.
PRINTED = 0.1
PRINTED_VARIANCE = np.float32(3 * PRINTED**2)  # summed over the channels
PALE = 0.07  # where nothing may lie on a piece, what is paler is print, too: a thin line fills a third of a field
PALE_VARIANCE = np.float32(3 * PALE**2)
ALIKE = 0.9  # correlation from which a field looks alike: strange letters reach 0.8 in most fields
SOFTER = (0.8,)  # px of the picture by which a crop may be sharper than what was learnt
VISIBLE = 0.5  # share of a field that must be in the crop
RIM = 0.1  # width of the outer strip as a share of the side
FEW = 0.01  # share of a piece that must be print for it to be told by


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields around every pixel of a face and of the crop that may show it, each (h, w): the summed variances
    `shown` of the face and `seen` of the crop, their correlation `alike`, and the share `known` of a field that is in
    the crop."""

    shown: F32
    seen: F32
    alike: F32
    known: F32

    @classmethod
    def of(cls, shown: F32, seen: F32, valid: F32) -> Fields:
        """`shown`: the picture (h, w, 3) as the crop's light shows it; `seen` (h, w, 3): the crop in its frame, of
        which `valid` (h, w) tells what is in the crop. Both 0..1. The light of each field is its own."""
        side = float(shown.shape[0] * shown.shape[1]) ** 0.5
        field = (max(3, round(FIELD * side)) | 1,) * 2
        most = max(1, round(SHIFT * side))
        inside = np.asarray(valid > 0, np.float32)
        known = cv2.blur(inside, field)
        whole = np.maximum(known, np.float32(1e-3))
        mask = inside[..., None]
        shown, seen = shown * mask, seen * mask
        mean_shown, mean_seen = (cv2.blur(one, field) / whole[..., None] for one in (shown, seen))

        def covariance(a: F32, b: F32, mean_a: F32, mean_b: F32) -> F32:
            return np.asarray(cv2.blur(_summed(a * b), field) / whole - _summed(mean_a * mean_b))

        own = covariance(shown, shown, mean_shown, mean_shown)
        theirs = covariance(seen, seen, mean_seen, mean_seen)
        best = np.zeros_like(own)
        for dy in range(-most, most + 1):
            for dx in range(-most, most + 1):
                moved, mean, spread = (np.roll(one, (dy, dx), axis=(0, 1)) for one in (seen, mean_seen, theirs))
                both = covariance(shown, moved, mean_shown, mean)
                best = np.maximum(best, both / np.sqrt(np.maximum(own * spread, np.float32(1e-8))))
        return cls(own, theirs, best, known)

    def alike_share(self) -> float:
        """Share of the printed fields of the face that look alike in the crop; 1 when there are hardly any."""
        return self._share(self.shown > PRINTED_VARIANCE)

    def strange_share(self) -> float:
        """Share of the fields printed in either, though palely, that do not look alike; 0 when there are hardly any."""
        return 1.0 - self._share(np.maximum(self.shown, self.seen) > PALE_VARIANCE)

    def unlike(self) -> NDArray[np.bool_]:
        """(h, w) the middles of fields printed in either that do not look alike."""
        printed = np.maximum(self.shown, self.seen) > PRINTED_VARIANCE
        return np.asarray(printed & (self.known > VISIBLE) & (self.alike <= ALIKE))

    def _share(self, printed: NDArray[np.bool_]) -> float:
        printed = printed & (self.known > VISIBLE)
        if printed.mean() < FEW:
            return 1.0
        return float((self.alike[printed] > ALIKE).mean())


def as_soft(seen: F32, face: F32, valid: F32) -> F32:
    """A crop `seen` (h, w, 3) as soft as a `face` (h, w, 3) is where it is judged, `valid` (h, w) weights.

    What a sharper camera, one that sharpens its pictures, noise and the blocks of compression add is no other print.
    """
    judged = (valid > 0)[..., None]
    every = (seen, *(cv2.GaussianBlur(seen, (0, 0), sigma) for sigma in SOFTER))
    return min(every, key=lambda one: float((((one - face) * judged) ** 2).sum()))


def inner(hw: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) what is within the outer strip, into which loose cuts let other pieces and the table reach."""
    reach = max(1, round(RIM * float(hw[0] * hw[1]) ** 0.5))
    out = np.zeros(hw, np.bool_)
    out[reach:-reach, reach:-reach] = True
    return out


def printed_share(picture: F32) -> float:
    """Share of the fields of `picture` (h, w, 3) in 0..1 that are printed."""
    return float(printed_fields(picture).mean())


def printed_fields(picture: F32) -> NDArray[np.bool_]:
    """(h, w) where the fields of `picture` (h, w, 3) in 0..1 are printed."""
    field = (max(3, round(FIELD * float(picture.shape[0] * picture.shape[1]) ** 0.5)) | 1,) * 2
    contrast = _summed(cv2.blur(picture * picture, field) - cv2.blur(picture, field) ** 2)
    return np.asarray(contrast > PRINTED_VARIANCE)


def _summed(planes: F32) -> F32:
    """(h, w) the sum over the channels of (h, w, 3)."""
    return np.asarray(cv2.transform(planes, np.ones((1, 3), np.float32)), np.float32)
