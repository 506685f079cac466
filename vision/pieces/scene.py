"""The set of pieces that explains a region best together: chosen greedily, exchanged, and one split into two."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.pieces.likelihood_maps import CORRELATED_PX, WORST, WORST_BARE
from vision.pieces.shadows import BELIEVED
from vision.pieces.shapes import Hypothesis, place_mask

# Evidence (nats) from which a hypothesis is taken for a piece.
ACCEPTED = 8.0

# Two pieces cannot stand closer than this part of their side.
FEET_APART = 0.9

# Any shadow within 1.3 sides of a piece is its own (light from 45 degrees up); farther away, up to 3.5 sides (light
# from 16 degrees up), one that begins beside the piece, within two px.
NEAR_SHADOW, FAR_SHADOW = 1.3, 3.5
TOUCHES_PX = 2

# How far such a long shadow is believed to be one, and not a dark piece on print of the same hue: of all directions
# around a piece its shadow takes about a quarter. Either way is weighed when it is asked how sure the choice is.
FAR_RELIEF = 0.25

# A piece is tried as two, each within this many sides.
SPLIT_REACH = 1.1

# Pieces farther apart than so many sides do not change each other's evidence: the reach of a long shadow, and of the
# piece that it falls on.
APART = FAR_SHADOW + 1.5

# Beyond so many pieces in a region only those are exchanged that are not so far from the last one: where light that is
# not known makes pieces of print all over, forty pieces took ten seconds. Nor are more searched that these may hide,
# nor other sets of them: each is weighed beside all others, so that 29 took two seconds, six times a picture, and sets
# of 23 ten. What is left there puts their faces or gaps in doubt.
MANY = 12

# Scenes of a region that are kept: the same sets of pieces are asked for up to six times one after the other. Of a
# large one, as where a shadow's edge lies over a whole market, fewer: five maps each, and no more bytes than these.
KEPT_SCENES, FEWEST_SCENES, MAPS, MOST_BYTES = 32, 4, 5, 16_000_000

# Part of a pixel that a piece covers from which it is one of its edge.
EDGE = 0.1

# A pixel that speaks so much against the bare face is not explained by it.
UNEXPLAINED = 0.6 * WORST_BARE


LongShadow = tuple[tuple[slice, slice], np.ndarray]
"""Rows and columns around a piece, and the relief (h, w) of what may be its shadow there, 0 elsewhere."""

LongShadows = WeakKeyDictionary[Hypothesis, LongShadow]
"""Those of the pieces that are still tried."""


class Scene:
    """The pieces chosen so far in a region: which pixels they own and what they explain."""

    def __init__(
        self,
        relief: np.ndarray,
        shadows: np.ndarray,
        side_px: float,
        pieces: Sequence[Hypothesis] = (),
        near: float = 1.0,
        far: float = FAR_RELIEF,
        long_shadows: LongShadows | None = None,
    ) -> None:
        """`relief` (h, w): what a pixel speaks more for the bare face where a piece casts its shadow; `shadows` (h, w)
        int32: number of the patch of shadow that a pixel may belong to, 0 for none; `near`, `far`: how far shadows are
        believed. `long_shadows`: those of pieces, known from other scenes of the same region; more are added."""
        self.relief = relief
        self.shadows = shadows
        self.long_shadows = LongShadows() if long_shadows is None else long_shadows
        self.near_px, self.far_px = side_px * NEAR_SHADOW, side_px * FAR_SHADOW
        self.near, self.far = near, far
        self.top, self.claim, self.side, self.eased = np.zeros((4, *relief.shape), relief.dtype)
        self.is_empty = not pieces
        self._gains = WeakKeyDictionary[Hypothesis, float]()
        for one in pieces:
            self.add(one)

    def gain(self, one: Hypothesis) -> float:
        """Evidence (nats) that `one` adds. Tops lie in one plane and never overlap; a top hides sides, not tops."""
        known = self._gains.get(one)  # the same piece is asked for again and again
        if known is None:
            known = self._gains[one] = self._gain(one)
        return known

    def _gain(self, one: Hypothesis) -> float:
        if self.is_empty:
            return float(one.top_gain.sum() + one.side_gain.sum()) / CORRELATED_PX
        w = one.where
        owned, claim, side, eased = self.top[w], self.claim[w], self.side[w], self.eased[w]
        if not (owned.any() or claim.any()):  # nothing stands there
            lone = one.top_gain + one.side_gain
            lone -= (one.top + one.side) * eased
            return float(lone.sum()) / CORRELATED_PX
        top = (one.top_gain - one.top * eased) * (1 - owned) - WORST * np.minimum(one.top, owned) - one.top * side
        shared = np.minimum(one.side, claim)
        sides = (one.side_gain - one.side * eased) * (1 - owned)
        sides = np.where(shared > 0, np.minimum(sides, 0.0) * (1 - shared), sides)
        return float(top.sum() + sides.sum()) / CORRELATED_PX

    def beside(self, tops: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(h, w) nats that each pixel adds as top and as side of a further piece whose maps these are; see `gain`."""
        free = 1 - self.top
        top = (tops - self.eased) * free - WORST * self.top - self.side
        side = (sides - self.eased) * free
        return top, np.where(self.claim > 0, np.minimum(side, 0.0) * (1 - self.claim), side)

    def shadow_beside(self) -> tuple[np.ndarray, np.ndarray] | None:
        """(h, w) nats that each pixel adds which the shadow of a further piece falls on, and that shadow (S, S); None
        when nobody knows where it falls."""
        return None

    def left_over(self, tops: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(h, w) nats that each pixel which no piece covers or blurs into speaks for a top and a side; none against."""
        halo = cv2.dilate(self.covered, np.ones((2 * TOUCHES_PX + 1,) * 2, np.uint8))
        top, side = (np.maximum(m - self.eased, 0.0) * (halo < EDGE) for m in (tops, sides))
        return top, side

    def add(self, one: Hypothesis) -> None:
        """Take `one` into the scene."""
        self.is_empty = False
        self._gains.clear()
        w = one.where
        self.side[w] = np.where(one.side > self.claim[w], one.side_gain, self.side[w]) * (1 - one.top)
        self.claim[w] = np.maximum(self.claim[w], one.side)
        self.top[w] = np.maximum(self.top[w], one.top)
        self._shade(one)

    def with_one(self, one: Hypothesis) -> Scene:
        """Another scene, with one piece more."""
        out = self._copied()
        out.add(one)
        return out

    def _copied(self) -> Scene:
        out = copy(self)
        out.top, out.claim = self.top.copy(), self.claim.copy()
        out.side, out.eased = self.side.copy(), self.eased.copy()
        out._gains = WeakKeyDictionary()
        return out

    def ease(self, relief: np.ndarray) -> None:
        """Believe that a shadow may lie anywhere, though no piece casts it; `relief` (h, w)."""
        self.is_empty = False
        self._gains.clear()
        self.eased = np.maximum(self.eased, relief)

    def _shade(self, one: Hypothesis) -> None:
        """Believe what lies around a piece to be its shadow."""
        near = self._around(one, self.near_px)
        self.eased[near] = np.maximum(self.eased[near], self.near * self.relief[near])
        if self.far > 0.0:
            if one not in self.long_shadows:
                self.long_shadows[one] = self._long_shadow(one)
            far, cast = self.long_shadows[one]
            self.eased[far] = np.maximum(self.eased[far], self.far * cast)

    def _long_shadow(self, one: Hypothesis) -> LongShadow:
        foot = cv2.dilate(one.top + one.side, np.ones((2 * TOUCHES_PX + 1,) * 2, np.uint8)) > 0.5
        touched = np.unique(self.shadows[one.where][foot])
        far = self._around(one, self.far_px)
        own = np.zeros(int(self.shadows.max(initial=0)) + 1, bool)
        own[touched] = True
        own[0] = False
        return far, np.where(own[self.shadows[far]], self.relief[far], 0.0)

    def _around(self, one: Hypothesis, reach_px: float) -> tuple[slice, slice]:
        reach = int(reach_px)
        x, y = int(one.foot_px[0]), int(one.foot_px[1])
        return slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)

    @property
    def covered(self) -> np.ndarray:
        """(h, w) part of each pixel that a piece covers."""
        return np.asarray(np.maximum(self.top, self.claim))


class LitScene(Scene):
    """A scene whose light is known: each piece casts its shadow where the light wants it, and nowhere else."""

    def __init__(self, gain: np.ndarray, cast: np.ndarray, pieces: Sequence[Hypothesis] = ()) -> None:
        """`gain` (h, w): nats by which a pixel speaks for a shadow cast on it; `cast` (S, S): the shadow of a piece."""
        self.shadow_gain, self.cast = gain, cast
        self.shaded = np.zeros_like(gain)
        super().__init__(gain, np.zeros(gain.shape, np.int32), 0.0, pieces)

    def _copied(self) -> LitScene:
        out = super()._copied()
        assert isinstance(out, LitScene)
        out.shaded = self.shaded.copy()
        return out

    def _gain(self, one: Hypothesis) -> float:
        """As of any scene, and what the shadow of `one` explains where nothing hides it."""
        where, cut = self._shadow(one)
        new = np.maximum(self.cast[cut] - self.shaded[where], 0.0) * self.shadow_gain[where]
        hidden = np.maximum(self.top[where], self.claim[where])
        both = tuple(slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(where, one.where, strict=True))
        if all(axis.start < axis.stop for axis in both):
            in_shadow = _within(both, where)
            own = (one.top + one.side)[_within(both, one.where)]
            hidden[in_shadow] = np.maximum(hidden[in_shadow], own)
        new *= 1 - np.minimum(hidden, 1.0)
        return super()._gain(one) + BELIEVED * float(new.sum()) / CORRELATED_PX

    def shadow_beside(self) -> tuple[np.ndarray, np.ndarray] | None:
        """See `Scene.shadow_beside`."""
        return BELIEVED * self.shadow_gain * (1 - self.covered) * (1 - self.shaded), self.cast

    def _shade(self, one: Hypothesis) -> None:
        where, cut = self._shadow(one)
        self.shaded[where] = np.maximum(self.shaded[where], self.cast[cut])
        self.eased[where] = self.shaded[where] * self.shadow_gain[where]

    def _shadow(self, one: Hypothesis) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        return place_mask(self.shaded.shape, one.foot_px, len(self.cast) // 2)


def _within(part: Sequence[slice], whole: Sequence[slice]) -> tuple[slice, ...]:
    """Rows and columns of a part of a map, counted from where a larger part begins."""
    return tuple(slice(p.start - w.start, p.stop - w.start) for p, w in zip(part, whole, strict=True))


def _distance_px(a: Hypothesis, b: Hypothesis) -> float:
    return math.hypot(a.foot_px[0] - b.foot_px[0], a.foot_px[1] - b.foot_px[1])


class Chooser:
    """Chooses pieces out of hypotheses for one region."""

    def __init__(self, relief: np.ndarray, side_px: float, cast: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """`relief` (h, w): see `piece_maps.bare_likelihoods`. `cast`: gain and shadow of a `LitScene`, if the light is
        known."""
        self.relief = relief
        patches = cv2.morphologyEx((relief > 0).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        self.shadows = cv2.connectedComponents(patches, connectivity=4)[1]
        self.side_px = side_px
        self.cast = cast
        # a few pieces are tried in hundreds of scenes, thousands once: those are not to stay in memory
        self._long_shadows = LongShadows()
        self._scenes: dict[tuple[tuple[Hypothesis, ...], float, float], Scene] = {}
        self._kept = max(FEWEST_SCENES, min(KEPT_SCENES, MOST_BYTES // max(1, MAPS * relief.nbytes)))

    def scene(self, pieces: Sequence[Hypothesis], near: float = 1.0, far: float = FAR_RELIEF) -> Scene:
        """The scene of these pieces, not to be changed: others who ask for it are given the same. `near`, `far`: how
        far shadows beside a piece and long ones are believed."""
        shadows = (near, far) if self.cast is None else (1.0, 1.0)  # in a known light they lie where they must
        key = (tuple(pieces), *shadows)
        if key not in self._scenes:
            fewer = self._scenes.get((key[0][:-1], *shadows)) if key[0] else None
            if len(self._scenes) >= self._kept:
                self._scenes.clear()
            self._scenes[key] = self.new_scene(pieces, near, far) if fewer is None else fewer.with_one(key[0][-1])
        return self._scenes[key]

    def new_scene(self, pieces: Sequence[Hypothesis], near: float = 1.0, far: float = FAR_RELIEF) -> Scene:
        """As `scene`, to be changed."""
        if self.cast is not None:
            return LitScene(*self.cast, pieces)
        return Scene(self.relief, self.shadows, self.side_px, pieces, near, far, self._long_shadows)

    def despite_shadow(self, one: Hypothesis, others: Sequence[Hypothesis]) -> float:
        """Evidence (nats) of a piece beside others if a shadow may lie there that no piece casts: a person's.

        What only darkens the print is such a shadow sooner than a piece."""
        if self.cast is not None:
            return self.scene(others).gain(one)
        scene = self.new_scene(others, far=1.0)
        scene.ease(self.relief)
        return scene.gain(one)

    def close(self, a: Hypothesis, b: Hypothesis) -> bool:
        """Whether both cannot stand there."""
        return _distance_px(a, b) < FEET_APART * self.side_px

    def beside(self, one: Hypothesis, others: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Those of `others` that may change the evidence for `one`."""
        return [c for c in others if _distance_px(one, c) < APART * self.side_px]

    def choose(self, pool: list[Hypothesis], pairs: Callable[[Hypothesis], list[Hypothesis]]) -> list[Hypothesis]:
        """The pieces of `pool` that explain the region; `pairs` gives those that stand side by side where one is.

        Two pieces that touch look like one longer piece, and greed takes one in the middle of both.
        """
        chosen = self.one_by_one(pool)
        for one in list(chosen):
            beside = pairs(one)
            split = self._split(one, chosen, [*pool, *beside]) if beside and one in chosen else None
            if split is not None:
                pool = [*pool, *beside]
                chosen = self._best_set(pool, split)
        return chosen

    def one_by_one(self, pool: list[Hypothesis]) -> list[Hypothesis]:
        """As `choose`, by greed alone: in half the time."""
        return self._best_set(pool, [])

    def _best_set(self, pool: list[Hypothesis], start: list[Hypothesis]) -> list[Hypothesis]:
        """Greedy choice, each followed by exchanges while the joint evidence grows."""
        chosen = list(start)
        while True:
            scene = self.scene(chosen)
            options = [c for c in pool if not any(self.close(c, o) for o in chosen)]
            gains = [scene.gain(one) for one in options]
            if max(gains, default=0.0) < ACCEPTED:
                return chosen
            best = options[int(np.argmax(gains))]
            chosen.append(best)
            changed = range(len(chosen) - 1)
            for index in changed if len(chosen) <= MANY else (k for k in changed if self.beside(best, [chosen[k]])):
                others = chosen[:index] + chosen[index + 1 :]
                scene = self.scene(others)
                options = [c for c in pool if not any(self.close(c, o) for o in others)]
                chosen[index] = max([*options, chosen[index]], key=scene.gain)

    def _split(self, one: Hypothesis, chosen: list[Hypothesis], pool: list[Hypothesis]) -> list[Hypothesis] | None:
        """The chosen pieces with `one` replaced by two where that explains more."""
        others = [c for c in chosen if c is not one]
        alone = self.scene(others)
        reach = SPLIT_REACH * self.side_px
        around = [c for c in pool if _distance_px(c, one) <= reach and alone.gain(c) > ACCEPTED]
        around = [c for c in around if not any(self.close(c, o) for o in others)]
        best, pair = alone.gain(one) + ACCEPTED, None
        for a in around:
            with_a, gain_a = self.scene([*others, a]), alone.gain(a)
            for b in around:
                if not self.close(a, b) and gain_a + (gain_b := with_a.gain(b)) > best and gain_b > ACCEPTED:
                    best, pair = gain_a + gain_b, [a, b]
        return None if pair is None else [*others, *pair]
