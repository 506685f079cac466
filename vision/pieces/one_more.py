"""Whether one more piece of its colour may touch a piece that was found: what hides it was taken for its shadow, or it
leans over the rim of the face, where nobody knows what a bare table looks like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.candidates import HALF, Region, coarse_scores
from vision.pieces.joint_search import PERHAPS_ONE
from vision.pieces.likelihood_maps import WORST, PieceLooks
from vision.pieces.piece_edges import goes_on
from vision.pieces.scene import ACCEPTED, FEET_APART, Scene
from vision.pieces.shapes import Hypothesis, Masks, PieceModel, hypothesis, masks

# A piece that touches another has its foot nearer than this, in sides: corner to side, two may stand 1.2 apart, and the
# one that was found may lie in the middle of two.
NEAR_SIDES = 1.6

# Nats that a pixel beside faces may speak for a piece at most: something of its colour lies there, table or piece.
BESIDE_FACES = WORST / 4

# Places that are asked, the best first, whether the look of a piece there goes on beyond it.
PLACES = 4


@dataclass(frozen=True, slots=True, eq=False)
class OneMore:
    """Looks for them on a canvas whose `known` (H, W) bool pixels show faces, as well explained as `bare` (H, W) says.

    `covered` (H, W): part of each pixel that the found pieces cover.
    """

    canvas: Canvas
    bare: np.ndarray
    known: np.ndarray
    colours: PieceColours
    piece: PieceModel
    covered: np.ndarray

    def beside(
        self, region: Region, asked: Sequence[int], chosen: Sequence[Hypothesis], scene: Scene
    ) -> Iterator[tuple[int, np.ndarray, float]]:
        """The likeliest further piece of each colour that the `chosen` ones of a region have: its colour, where its
        foot stands (2,) on the canvas, and the nats that count for it as refused.

        `asked`: the numbers of the region's colours; `scene`: the chosen pieces, of which no shadow is believed. A
        piece that would be accepted but for the shadow that may lie there, or but for the rim, counts for so much that
        the count is unlikelier than not. Of 131 right counts of five rendered rough rooms none has such a one, two of
        four wrong ones of which nobody was asked do.
        """
        colours = sorted({one.colour for one in chosen})
        if not colours:
            return
        looks = PieceLooks.of(self.canvas, self.colours, region.box)
        names = [asked[colour] for colour in colours]
        tops, sides = (self._anywhere(told(names)[names], region) for told in (looks.tops, looks.sides))
        side_px = self.piece.side_mm * PX_PER_MM
        whole, half = (
            masks(side_px * self.piece.lean() / by, region.lean_px / by, self.piece.shape) for by in (1, HALF)
        )
        for colour, top, side in zip(colours, tops, sides, strict=True):
            same = [one for one in chosen if one.colour == colour]
            feet = region.feet & _near(same, NEAR_SIDES * side_px, region.feet.shape)
            feet &= ~_near(chosen, FEET_APART * side_px, region.feet.shape)
            for yaw, xy in _best_places(*scene.beside(top, side), feet, half):
                nats = scene.gain(hypothesis(colour, yaw, xy, (top, side), whole, 0.0))
                foot = np.array([region.box[1].start + xy[0], region.box[0].start + xy[1]])
                if nats >= ACCEPTED and not self._goes_on(foot):
                    yield colour, foot, max(nats, PERHAPS_ONE)
                    break

    def _anywhere(self, told: np.ndarray, region: Region) -> np.ndarray:
        """(K, h, w) what pixels say for pieces against the bare face, and beside faces against what nobody knows, of
        their log-likelihoods."""
        beside = np.minimum(told + np.float32(0.5 * WORST), np.float32(BESIDE_FACES))
        return np.where(self.known[region.box], told - self.bare[region.box], beside)

    def _goes_on(self, foot_px: np.ndarray) -> bool:
        """Whether what a piece there looks like goes on beyond it, as table or the rim of a tile does."""
        foot = self.canvas.window.to_mm(foot_px)
        lean_mm = (self.piece.lean() - 1.0) * (foot - np.array(self.piece.camera_mm[:2]))
        at = (float(foot[0]), float(foot[1]))
        return goes_on(self.canvas, self.covered, at, lean_mm, self.piece.side_mm)


def _best_places(
    top: np.ndarray, side: np.ndarray, feet: np.ndarray, half: Masks
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The turns and feet (x, y) for which maps (h, w) of nats say most, best first, among `feet` (h, w) bool."""
    height, width = feet.shape
    scores = coarse_scores(top, side, feet[: height // HALF * HALF : HALF, : width // HALF * HALF : HALF], half)
    best = scores.max(0)
    peaks = np.argwhere((best == cv2.dilate(best, np.ones((3, 3), np.uint8))) & (best > 0.0))
    order = np.argsort(-best[peaks[:, 0], peaks[:, 1]])[:PLACES]
    for y, x in peaks[order].tolist():
        yield int(scores[:, y, x].argmax()), (x * HALF, y * HALF)


def _near(pieces: Sequence[Hypothesis], reach_px: float, shape: tuple[int, ...]) -> np.ndarray:
    """(h, w) bool: where a foot stands nearer than so many px to that of one of the pieces."""
    y, x = np.ogrid[: shape[0], : shape[1]]
    near = [np.hypot(x - one.foot_px[0], y - one.foot_px[1]) < reach_px for one in pieces]
    return np.asarray(np.logical_or.reduce(near))
