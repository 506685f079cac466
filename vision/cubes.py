"""Finds the pieces that stand on faces: which colours, how many, where each foot is, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.canvas import Canvas
from vision.colours import PieceColours
from vision.laid import PX_PER_MM

YAWS = 12
"""A cube looks the same after 90 degrees: steps of 7.5 degrees keep its edges within half a pixel."""

ROUND_CORNERS = 32
"""A round foot is drawn as a polygon with so many corners."""

WORST = 8.0
"""Most that one pixel may speak against a piece (nats): a robust bound against print, glare and dust."""

WORST_BARE = 6.0
"""Most that one pixel may speak against the bare face: something unknown may lie there instead of a piece."""

OUTLINE_BLURS = 2.0
"""Standard deviations of the picture's blur (and a tile misplaced by 0.2 mm) that reach across a face's outline."""

CORRELATED_PX = 6.0
"""Neighbouring pixels share their errors (blur, demosaicing, JPEG): so many count as one observation."""

COLOUR_SPREAD = 0.07
"""Relative error of a predicted colour (light falling unevenly, paint differing): 4-5 % was measured on tops."""

MODEL_NOISE = 5.0
"""Grey levels by which even a bare face differs from its scan."""

DARKEST_SHADOW = 0.3
LIT = 0.9
SHADOW_COST = 2.2
"""A bare face may be darkened by a shadow, down to this part of its light; few pixels are (nats a pixel)."""

CAST_SHADOW_COST = 0.4
"""The same beside a piece that has been found, where a shadow is expected."""

SHADOW_REACH = 1.3
"""A piece's own shadow is looked for this far around its middle, in parts of its side: light from 45 degrees up."""

TOP_LEVELS = (0.9, 1.0, 1.1)
SIDE_LEVELS = (0.25, 0.35, 0.48, 0.62, 0.8, 1.0)
"""Brightness of a cube's faces against a lit flat scan: the top is lit like the tiles, a side from full to dark."""

SUSPICION = 0.9
"""Mean misfit (nats a pixel) of bare faces over a piece's area from which a place is looked at closely."""

MOST_OF_A_TOP = 0.5
"""Part of a top's inner pixels that must speak for a colour before it is searched for."""

FEET_APART = 0.9
"""Two pieces cannot stand closer than this part of their side."""

PAIR_AREA = 1.3
PAIR_TOGETHER = 1.4
PAIRS = 6
"""Two pieces side by side make a plateau without maxima where they stand. Where more than 1.3 squares of a side are
unexplained, pairs that together have 1.4 times the best single evidence are tried, the best six."""

POOL = 64
"""Hypotheses kept for a suspicious place; a place with four pieces shows about thirty local maxima."""

SPLIT_REACH = 1.1
SPLIT_LEFT_OVER = 0.25
"""A piece is tried as two, each within this many sides, when so much of a side's square beside it is unexplained."""

WORTH_KEEPING = 2.0
ACCEPTED = 8.0
"""Evidence (nats) from which a hypothesis is remembered, and from which it is taken for a piece."""


@dataclass(frozen=True, slots=True)
class PieceShape:
    """A piece with a square foot of `side_mm` on faces at z = `face_z_mm`, seen from `camera_mm` (x, y, z; z negative
    above the table); it is `height_mm` high, or a cube. `round_foot`: the foot is a disc of that diameter instead."""

    side_mm: float
    face_z_mm: float
    camera_mm: tuple[float, float, float]
    height_mm: float | None = None
    round_foot: bool = False

    def lean(self) -> float:
        """How much farther from the point below the camera a top appears than its foot: factor of the distance."""
        height = self.face_z_mm - self.camera_mm[2]
        return height / (height - (self.height_mm or self.side_mm))


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece: index of its colour, centre of its foot (table mm), evidence for it and over the next colour (nats)."""

    colour: int
    foot_mm: tuple[float, float]
    yaw_deg: float
    evidence: float
    colour_margin: float


@dataclass(frozen=True, slots=True)
class PieceSearch:
    """All pieces on a canvas; per face the evidence of the best refused hypothesis and what remains unexplained.

    `refused`: (F,) nats; `unexplained_mm2`: (F,) area of a face that neither print, shadow nor piece explains.
    """

    pieces: tuple[FoundPiece, ...]
    refused: np.ndarray
    unexplained_mm2: np.ndarray


def bare_likelihoods(canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) float32 log-likelihoods of every pixel as bare face, and how much more beside a piece that casts a shadow.

    Both are zero between faces and along their outlines, where what is seen is blurred with what is not known.
    """
    bare, seen = canvas.bare, canvas.seen
    noise = MODEL_NOISE + canvas.light.noise
    precision = 1.0 / (noise * noise + (COLOUR_SPREAD * bare) ** 2 + canvas.slack * canvas.slack)
    # the light s that explains a pixel best, and what it leaves: sum (seen - s bare)^2 / variance
    one = np.ones((1, 3), np.float32)
    weight = bare * precision
    bb, bs, ss = (cv2.transform(a, one) for a in (bare * weight, seen * weight, seen * seen * precision))
    shade = np.clip(bs / np.maximum(bb, 1e-3), DARKEST_SHADOW, 1.06)
    shadow = shade < LIT
    shade[~shadow] = 1.0
    fit = -0.5 * (ss - (2.0 * bs - bb * shade) * shade)
    fit[shadow] = _shadowed_fit(seen[shadow], bare[shadow], canvas.slack[shadow], shade[shadow, None], noise)
    far = np.maximum(fit - SHADOW_COST * shadow, -WORST_BARE)
    near = np.maximum(fit - CAST_SHADOW_COST * shadow, -WORST_BARE)
    unknown = ~inner_pixels(canvas)
    far[unknown] = near[unknown] = 0.0
    return far.astype(np.float32), (near - far).astype(np.float32)


def _shadowed_fit(seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, shade: np.ndarray, noise: float) -> np.ndarray:
    """(N,) log-likelihoods of pixels (N, 3) as print that keeps a part (N, 1) of its light: dark, it errs by less."""
    gap = seen - shade * bare
    spread = (COLOUR_SPREAD * bare) ** 2 + slack * slack
    return np.asarray(-0.5 * (gap * gap / (noise * noise + shade * shade * spread)).sum(-1))


def inner_pixels(canvas: Canvas) -> np.ndarray:
    """(H, W) bool: pixels of faces that nothing beside their face is blurred into."""
    reach = int(np.ceil(OUTLINE_BLURS * canvas.light.blur_px))
    around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray((cv2.erode(canvas.label, around) == cv2.dilate(canvas.label, around)) & (canvas.label >= 0))


def piece_likelihoods(canvas: Canvas, colours: PieceColours, box: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods (K, h, w) float32 of each pixel in `box` as top and as side of a piece of each colour."""
    seen = canvas.seen[box]
    h, w = seen.shape[:2]
    middle = canvas.window.to_mm(np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2]))
    names = np.bincount(canvas.label[box].ravel() + 1, minlength=len(canvas.face_levels) + 1)[1:]
    level = canvas.face_levels[int(names.argmax())]
    place = np.broadcast_to(middle, (len(colours.names), 2))
    # a piece glosses as the faces do, or not at all
    glossy, matte = (
        light.expect(colours.array(), place, level, clip=False)  # (K, 3)
        for light in (canvas.light, replace(canvas.light, veil=(0.0, 0.0, 0.0)))
    )
    lit, gloss = (glossy + matte) / 2, (glossy - matte) / 2
    pixels = seen.reshape(-1, 3).T
    noise = MODEL_NOISE + canvas.light.noise

    def best(levels: tuple[float, ...]) -> np.ndarray:
        share = np.array(levels, np.float32)[:, None, None]
        wanted = np.clip(share * lit, 0, 255).astype(np.float32)  # (L, K, 3)
        precision = 1.0 / (noise * noise + (COLOUR_SPREAD * wanted) ** 2 + (share * gloss) ** 2)
        # sum_c (p - w)^2 q = p^2 . q - 2 p . (w q) + sum w^2 q: two small matrix products
        far = precision.reshape(-1, 3) @ (pixels * pixels)
        far -= (2 * wanted * precision).reshape(-1, 3) @ pixels
        far += (wanted * wanted * precision).sum(-1).reshape(-1, 1)
        nearest = far.reshape(len(levels), len(lit), -1).min(0)
        return np.maximum(-0.5 * nearest, -WORST).reshape(len(lit), h, w)

    return best(TOP_LEVELS), best(SIDE_LEVELS)


@lru_cache(maxsize=512)
def _templates(
    side_px: float, lean_x: int, lean_y: int, size: int, round_foot: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """(YAWS, size, size) float32 masks of top and sides around the foot's centre; the lean is in tenths of a px.

    Of a round foot there is one, since turning it changes nothing.
    """
    lean = np.array([lean_x, lean_y]) / 10.0
    angle = np.linspace(0, 2 * np.pi, ROUND_CORNERS, endpoint=False)
    disc = np.stack([np.cos(angle), np.sin(angle)], axis=1) * side_px / 2
    tops, sides = [], []
    for k in range(1 if round_foot else YAWS):
        a = np.deg2rad(90.0 / YAWS * k)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        foot = disc if round_foot else np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_px / 2 @ turn.T
        hull = cv2.convexHull(np.vstack([foot, foot + lean]).astype(np.float32)).reshape(-1, 2)
        top, whole = (_cover(p + (size - 1) / 2, size) for p in (foot + lean, hull))
        tops.append(top)
        sides.append(np.maximum(whole - top, 0.0))
    return np.array(tops, np.float32), np.array(sides, np.float32)


def _cover(polygon: np.ndarray, size: int, fine: int = 4) -> np.ndarray:
    """How much of each pixel of a (size, size) picture a polygon covers."""
    mask = np.zeros((size * fine, size * fine), np.uint8)
    cv2.fillConvexPoly(mask, np.round(((polygon + 0.5) * fine - 0.5) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255.0


@dataclass(slots=True)
class _Hypothesis:
    """A piece that may stand in a box: where its pixels are and what each says for it against the bare face."""

    colour: int
    yaw: int
    foot_px: np.ndarray  # (2,) in the box
    where: tuple[slice, slice]
    top: np.ndarray  # (h, w) part of a pixel that the top covers
    side: np.ndarray
    top_gain: np.ndarray  # (h, w) nats, already weighted by the cover
    side_gain: np.ndarray
    alone: float = 0.0


class _Scene:
    """The pieces chosen so far in a box: which pixels they own and what they explain."""

    def __init__(self, relief: np.ndarray, reach_px: float) -> None:
        self.relief = relief
        self.reach_px = reach_px
        self.top = np.zeros_like(relief)
        self.claim = np.zeros_like(relief)
        self.side = np.zeros_like(relief)
        self.eased = np.zeros_like(relief)
        self.feet: list[np.ndarray] = []

    def gain(self, one: _Hypothesis) -> float:
        """Evidence (nats) that `one` adds. Tops lie in one plane and never overlap; a top hides sides, not tops."""
        w = one.where
        owned, claim, side, eased = self.top[w], self.claim[w], self.side[w], self.eased[w]
        top = (one.top_gain - one.top * eased) * (1 - owned) - WORST * np.minimum(one.top, owned) - one.top * side
        shared = np.minimum(one.side, claim)
        sides = (one.side_gain - one.side * eased) * (1 - owned)
        sides = np.where(shared > 0, np.minimum(sides, 0.0) * (1 - shared), sides)
        return float(top.sum() + sides.sum()) / CORRELATED_PX

    def add(self, one: _Hypothesis) -> None:
        """Take `one` into the scene."""
        w = one.where
        self.side[w] = np.where(one.side > self.claim[w], one.side_gain, self.side[w]) * (1 - one.top)
        self.claim[w] = np.maximum(self.claim[w], one.side)
        self.top[w] = np.maximum(self.top[w], one.top)
        reach = int(self.reach_px)
        x, y = int(one.foot_px[0]), int(one.foot_px[1])
        beside = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
        self.eased[beside] = self.relief[beside]
        self.feet.append(one.foot_px)


class PieceFinder:
    """Searches a canvas for pieces of given colours and shape."""

    def __init__(self, colours: PieceColours, shape: PieceShape) -> None:
        self.colours = colours
        self.shape = shape
        self.side_px = shape.side_mm * PX_PER_MM

    def search(self, canvas: Canvas) -> PieceSearch:
        """The pieces that stand on the faces of a canvas."""
        bare, relief = bare_likelihoods(canvas)
        faces = len(canvas.face_levels)
        pieces: list[FoundPiece] = []
        refused = np.zeros(faces)
        explained = np.zeros(bare.shape, np.float32)
        for box in self._suspicious(bare):
            origin = np.array([box[1].start, box[0].start])
            scene, chosen, left = self._explain(canvas, bare, relief, box)
            explained[box] = np.maximum(explained[box], np.maximum(scene.top, scene.claim))
            for one, evidence, margin in chosen:
                foot = canvas.window.to_mm(one.foot_px + origin)
                pieces.append(
                    FoundPiece(one.colour, (float(foot[0]), float(foot[1])), one.yaw * 90.0 / YAWS, evidence, margin)
                )
            for one, evidence in left:
                x, y = (one.foot_px + origin).astype(int)
                if (face := canvas.label[y, x]) >= 0:
                    refused[face] = max(refused[face], evidence)
        halo = cv2.dilate(explained, np.ones((5, 5), np.uint8))  # edges of a piece are a mixture
        rest = (bare < -0.6 * WORST_BARE) & (halo < 0.5)
        area = np.bincount(canvas.label[rest], minlength=faces)[:faces] / PX_PER_MM**2
        return PieceSearch(tuple(pieces), refused, area)

    def _suspicious(self, bare: np.ndarray) -> list[tuple[slice, slice]]:
        """Boxes around places where bare faces explain the picture badly."""
        side = round(self.side_px * 0.9)
        mean = cv2.boxFilter(-bare, -1, (side, side), borderType=cv2.BORDER_CONSTANT)
        spots = (mean > SUSPICION).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(spots, connectivity=8)
        reach = round(self.side_px * 0.75) + 2
        h, w = bare.shape
        boxes = [
            (max(0, y - reach), min(h, y + bh + reach), max(0, x - reach), min(w, x + bw + reach))
            for x, y, bw, bh, _ in stats[1:].tolist()
        ]
        return [(slice(y0, y1), slice(x0, x1)) for y0, y1, x0, x1 in _merged(boxes)]

    def _explain(
        self, canvas: Canvas, bare: np.ndarray, relief: np.ndarray, box: tuple[slice, slice]
    ) -> tuple[_Scene, list[tuple[_Hypothesis, float, float]], list[tuple[_Hypothesis, float]]]:
        """The pieces that explain a box best (with evidence and margin over another colour), and what was refused."""
        pool = self._pool(canvas, bare, box)
        chosen = self._best_set(pool, bare[box], relief[box])
        taken = []
        for one in chosen:
            others = self._scene(relief[box], [c for c in chosen if c is not one])
            own = others.gain(one)
            rivals = [others.gain(c) for c in pool if c.colour != one.colour and self._close(c, one)]
            taken.append((one, own, own - max(rivals, default=0.0)))
        scene = self._scene(relief[box], chosen)
        left = [(c, scene.gain(c)) for c in pool if not any(self._close(c, o) for o in chosen)]
        return scene, taken, left

    def _scene(self, relief: np.ndarray, pieces: list[_Hypothesis]) -> _Scene:
        scene = _Scene(relief, self.side_px * SHADOW_REACH)
        for one in pieces:
            scene.add(one)
        return scene

    def _close(self, a: _Hypothesis, b: _Hypothesis) -> bool:
        return bool(np.hypot(*(a.foot_px - b.foot_px)) < FEET_APART * self.side_px)

    def _pool(self, canvas: Canvas, bare: np.ndarray, box: tuple[slice, slice]) -> list[_Hypothesis]:
        """Local best hypotheses in a box, best first."""
        tops, sides = piece_likelihoods(canvas, self.colours, box)
        on_face = inner_pixels(canvas)[box]
        tops, sides = (np.where(on_face, m - bare[box], np.minimum(m + 0.5 * WORST, 0.0)) for m in (tops, sides))
        centre = np.array([(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2])
        away = canvas.window.to_mm(centre) - np.array(self.shape.camera_mm[:2])
        lean = away * (self.shape.lean() - 1.0) * PX_PER_MM
        size = int(np.ceil(self.side_px * 1.5 + 2 * np.abs(lean).max())) | 1
        top_px = self.side_px * self.shape.lean()
        masks = _templates(top_px, round(lean[0] * 10), round(lean[1] * 10), size, self.shape.round_foot)
        likely = [k for k in range(len(tops)) if self._may_be_top(tops[k])]
        if not likely:
            return []
        scores = (_correlate(tops[likely], masks[0]) + _correlate(sides[likely], masks[1])) / CORRELATED_PX
        scores = dict(zip(likely, scores, strict=True))  # colour -> (YAWS or 1, h, w)
        pool = []
        crowded = (bare[box] < -0.6 * WORST_BARE).sum() > PAIR_AREA * self.side_px**2
        for k in likely:
            best = scores[k].max(0)
            peak = best == cv2.dilate(best, np.ones((3, 3), np.uint8))
            if crowded:
                for y, x in self._pairs(scores[k]):
                    peak[y, x] = True
            peak &= (best > WORTH_KEEPING) & on_face
            for y, x in zip(*np.nonzero(peak), strict=True):
                yaw = int(scores[k][:, y, x].argmax())
                one = _place(k, yaw, int(x), int(y), tops[k], sides[k], masks[0][yaw], masks[1][yaw])
                one.alone = float(best[y, x])
                pool.append(one)
        pool.sort(key=lambda c: -c.alone)
        return pool[:POOL]

    def _pairs(self, scores: np.ndarray) -> list[tuple[int, int]]:
        """(y, x) of both members of the likeliest pairs side by side; `scores` (YAWS or 1, h, w) of one colour."""
        h, w = scores.shape[1:]
        out: list[tuple[int, int]] = []
        for quarter in (0.0, 90.0):
            together = np.full((YAWS, h, w), -np.inf, np.float32)
            steps = []
            for k in range(YAWS):
                a = np.deg2rad(90.0 / YAWS * k + quarter)
                whole = np.round(np.array([np.cos(a), np.sin(a)]) * self.side_px).astype(int)
                first = whole // 2
                second = whole - first
                steps.append((first, second))
                pad = int(np.abs(whole).max())
                if min(h, w) <= 2 * pad:
                    continue
                inner = (slice(pad, h - pad), slice(pad, w - pad))
                here = scores[k % len(scores)]
                one = here[pad - first[1] : h - pad - first[1], pad - first[0] : w - pad - first[0]]
                other = here[pad + second[1] : h - pad + second[1], pad + second[0] : w - pad + second[0]]
                together[k][inner] = np.where(np.minimum(one, other) > ACCEPTED, one + other, -np.inf)
            best = together.max(0)
            peaks = (best == cv2.dilate(best, np.ones((9, 9), np.uint8))) & (best > PAIR_TOGETHER * scores.max())
            spots = sorted(zip(*np.nonzero(peaks), strict=True), key=lambda yx: -float(best[yx]))[:PAIRS]
            for y, x in spots:
                first, second = steps[int(together[:, y, x].argmax())]
                out += [(int(y - first[1]), int(x - first[0])), (int(y + second[1]), int(x + second[0]))]
        return out

    def _may_be_top(self, gain: np.ndarray) -> bool:
        """Whether somewhere most of a top's inner part speaks for a colour; spares the search for the others."""
        side = round(self.side_px * 0.7)
        return bool(cv2.boxFilter((gain > 0).astype(np.float32), -1, (side, side)).max() > MOST_OF_A_TOP)

    def _split(
        self, chosen: list[_Hypothesis], pool: list[_Hypothesis], bare: np.ndarray, relief: np.ndarray
    ) -> list[_Hypothesis]:
        """The chosen pieces, one in the middle of two that touch replaced by both where that explains more."""
        strange = bare < -0.6 * WORST_BARE
        for index, one in enumerate(chosen):
            others = chosen[:index] + chosen[index + 1 :]
            y, x = one.foot_px[::-1].astype(int)
            reach = round(SPLIT_REACH * self.side_px)
            near = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
            scene = self._scene(relief, chosen)
            owned = cv2.dilate(np.maximum(scene.top, scene.claim), np.ones((3, 3), np.uint8))[near] > 0.1
            if (strange[near] & ~owned).sum() < SPLIT_LEFT_OVER * self.side_px**2:
                continue
            alone = self._scene(relief, others)
            best, pair = alone.gain(one) + ACCEPTED, None
            around = [c for c in pool if np.hypot(*(c.foot_px - one.foot_px)) <= reach and alone.gain(c) > ACCEPTED]
            around = [c for c in around if not any(self._close(c, o) for o in others)]
            for a in around:
                with_a, gain_a = self._scene(relief, [*others, a]), alone.gain(a)
                for b in around:
                    if not self._close(a, b) and gain_a + (gain_b := with_a.gain(b)) > best and gain_b > ACCEPTED:
                        best, pair = gain_a + gain_b, [a, b]
            if pair is not None:
                return self._split([*others, *pair], pool, bare, relief)
        return chosen

    def _best_set(self, pool: list[_Hypothesis], bare: np.ndarray, relief: np.ndarray) -> list[_Hypothesis]:
        """Greedy choice, each followed by exchanges while the joint evidence grows."""
        chosen: list[_Hypothesis] = []
        while True:
            scene = self._scene(relief, chosen)
            options = [c for c in pool if not any(self._close(c, o) for o in chosen)]
            best = max(options, key=scene.gain, default=None)
            if best is None or scene.gain(best) < ACCEPTED:
                return self._split(chosen, pool, bare, relief)
            chosen.append(best)
            for index in range(len(chosen) - 1):
                others = chosen[:index] + chosen[index + 1 :]
                scene = self._scene(relief, others)
                options = [c for c in pool if not any(self._close(c, o) for o in others)]
                chosen[index] = max(options, key=scene.gain)


Box = tuple[int, int, int, int]
"""Top, bottom, left, right."""


def _overlap(a: Box, b: Box) -> bool:
    return min(a[1], b[1]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[2], b[2])


def _merged(boxes: list[Box]) -> list[Box]:
    """The boxes with those that overlap made one: a piece may leave two spots and must be found once."""
    out: list[Box] = []
    for one in boxes:
        box = one
        while hit := next((other for other in out if _overlap(box, other)), None):
            out.remove(hit)
            box = (min(box[0], hit[0]), max(box[1], hit[1]), min(box[2], hit[2]), max(box[3], hit[3]))
        out.append(box)
    return out


def _place(
    colour: int,
    yaw: int,
    x: int,
    y: int,
    top: np.ndarray,
    side: np.ndarray,
    top_mask: np.ndarray,
    side_mask: np.ndarray,
) -> _Hypothesis:
    half = top_mask.shape[0] // 2
    y0, x0 = max(0, y - half), max(0, x - half)
    y1, x1 = min(top.shape[0], y + half + 1), min(top.shape[1], x + half + 1)
    cut = (slice(y0 - y + half, y1 - y + half), slice(x0 - x + half, x1 - x + half))
    where = (slice(y0, y1), slice(x0, x1))
    mt, ms = top_mask[cut], side_mask[cut]
    return _Hypothesis(colour, yaw, np.array([x, y], float), where, mt, ms, top[where] * mt, side[where] * ms)


def _correlate(maps: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Correlation (K, Y, h, w) of maps (K, h, w) with centred masks (Y, s, s), zero outside, by Fourier transform."""
    _, h, w = maps.shape
    s = masks.shape[1]
    shape = (cv2.getOptimalDFTSize(h + s), cv2.getOptimalDFTSize(w + s))
    a = np.fft.rfft2(maps, shape)
    b = np.fft.rfft2(masks[:, ::-1, ::-1], shape)
    out = np.fft.irfft2(a[:, None] * b[None], shape)
    half = s // 2
    return out[:, :, half : half + h, half : half + w].astype(np.float32)


CERTAIN_EVIDENCE = 40.0
DOUBTFUL_EVIDENCE = 12.0
"""Evidence at which a piece is as good as sure, and at which it is even odds: between them the logit is linear."""

STRANGE_MM2 = 60.0
"""Unexplained area of a face at which something that is not a known piece may lie there: more than half a piece."""


def pieces_probability(pieces: list[FoundPiece], refused: float, unexplained_mm2: float) -> float:
    """Probability that the pieces found on one face are all there are, and of the right colours."""
    p = 1.0
    for piece in pieces:
        p *= _sure(min(piece.evidence, piece.colour_margin))
    p *= _sure(DOUBTFUL_EVIDENCE + (ACCEPTED - refused) * 4)
    return float(p * _sure(DOUBTFUL_EVIDENCE + (STRANGE_MM2 * 2 - unexplained_mm2) * 0.5))


def _sure(evidence: float) -> float:
    slope = 5.0 / (CERTAIN_EVIDENCE - DOUBTFUL_EVIDENCE)
    return float(1.0 / (1.0 + np.exp(-np.clip((evidence - DOUBTFUL_EVIDENCE) * slope, -50, 50))))
