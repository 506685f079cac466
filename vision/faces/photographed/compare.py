"""How well many aligned pictures explain one crop under a believed light: the few best compared pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import photometry
from vision.faces.compare import BLUR_WORTH, SMOOTH, WEIGHT, bounded, exposed, unit_grid
from vision.faces.photographed.fields import Fields, as_soft, inner
from vision.faces.photographed.gloss import glossed
from vision.faces.photographed.light import GAINS, Light, Shade, belief, local_mean, same_as_learnt, slow_light
from vision.faces.photographed.one_colour import SeenColour, seen_of
from vision.faces.photographed.shadow import shadow_edge
from vision.median import medians

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

GRID = 3  # px of the picture a point of the fit
NOISE = 0.03  # residual of a right fit on grey and pale print, 0..1
# Between two cameras and lights a colour changes by more than gains say, the more so the more saturated it is (the
# widest difference of its channels, times this).
COLOUR_NOISE = 0.14
SLIP = 0.3  # px of the picture that alignment is ordinarily off
BURNT_SHARE = 0.02  # part of a crop that must be clipped for its exposure to be worth modelling
LEAD = 25.0  # a candidate this much worse on the coarse grid is not looked at closely
KINDS = 4  # kinds among the finalists, if so many are left, so that copies of one kind do not crowd out its rivals
FINALISTS = 6
# Where the bounded cost of every finalist is at least this on average over a field (share of the side), something
# else is seen: a piece that lies on it, the table, or print of no learnt piece.
UNEXPLAINED, FIELD = 1.5, 0.08


@dataclass(frozen=True, slots=True)
class Setting:
    """A crop in the frame of a book, with what may be it.

    `seen` (h, w, 3); `valid` (h, w) weights 0..1; `pictures` (M, h, w, 3) aligned with it; `owners` (M,) their kinds;
    `bent` (M,) nats that the alignment of each is unusual. `one_colour`: the pieces are told by one colour each, and
    `glossy`: by their form, too, so that gloss on them is looked for.
    """

    seen: F32
    valid: F32
    pictures: F32
    owners: NDArray[np.intp]
    bent: F64
    one_colour: bool = False
    glossy: bool = False


@dataclass(frozen=True, slots=True)
class CropExplained:
    """How M candidates explain a crop on the coarse grid.

    `cost` (M,) nats; `gain` (M, 3) crop / picture; `spread` (M, 3, 3) covariance of its natural logarithm;
    `light_cost` (M,) the part of the cost that is owed to the belief in the light.
    """

    cost: F64
    gain: F64
    spread: F64
    light_cost: F64
    shade: Shade
    rendering: photometry.Rendering


@dataclass(frozen=True, slots=True)
class Contest:
    """The finalists compared pixel by pixel. Of M candidates, inf for those not looked at closely:

    `behind` nats behind the best; `ideal` how far it would be on a perfect view. `best` its number. Of the judged one,
    which is the best unless another was asked for: `gain`, `offset` (3,); `seen`, `face` (h, w, 3) the crop and the
    judged one as its light shows it, 0..1; `residual` (h, w) their colour difference; `explained` (h, w) weights of
    what is seen where any finalist looks like it; `alike` share of the judged one's printed fields there that look
    alike; `strange` share of the fields printed in the crop or in the judged one that do not, whatever explains them,
    but for what may reach in over the outer strip; `unlike` (h, w) where such fields are.
    """

    best: int
    behind: F32
    ideal: F32
    gain: F32
    offset: F32
    seen: F32
    face: F32
    residual: F32
    alike: float
    strange: float
    unlike: NDArray[np.bool_]
    explained: F32


class CropComparison:
    """One crop beside its candidates; the light may be given later, and again when more is known of it."""

    def __init__(self, setting: Setting) -> None:
        self.owners = setting.owners
        self.bent = setting.bent
        h, w = setting.valid.shape
        self.hw = (h, w)
        self.smooth_px = SMOOTH * (h * w) ** 0.5
        self.pictures = setting.pictures
        seen = cv2.GaussianBlur(setting.seen, (0, 0), self.smooth_px)
        self.flat_seen = np.ascontiguousarray(seen.reshape(-1, 3).T)
        self.valid = setting.valid
        self.surely = _surely(self.flat_seen)
        self.grid_hw = (max(2, h // GRID), max(2, w // GRID))
        self.grid_seen = self._grid(seen[None])[0]
        self.grid_surely = _surely(self.grid_seen.reshape(3, -1))
        self.grid_valid = cv2.resize(setting.valid, self.grid_hw[::-1], interpolation=cv2.INTER_AREA)
        self.grid_pictures = self._grid(setting.pictures)
        self.colour = self._colour() if setting.one_colour or setting.glossy else None
        self.gloss = np.zeros(len(self.owners))
        if self.colour is not None and setting.glossy:
            self.pictures, self.gloss = glossed(setting.pictures, self.colour)
            self.grid_pictures = self._grid(self.pictures)
        self.grid_mean = local_mean(self.grid_pictures)
        self.burnt_share = float((self.grid_seen.max(axis=0) > photometry.BURNT).mean())
        self.xy, self.grid_xy = unit_grid(w, h), unit_grid(*self.grid_hw[::-1])
        self.shade = slow_light(self.grid_seen, self.grid_pictures, self.grid_valid)
        self.exposures = medians(self.shade.light.reshape(len(self.owners), -1), axis=1)[:, 0].astype(np.float64)

    def _grid(self, pictures: F32) -> F32:
        """`pictures` (M, h, w, 3) averaged onto the grid: (M, 3, rows, cols)."""
        m, h, w, _ = pictures.shape
        rows, cols = self.grid_hw
        stacked = cv2.resize(pictures.reshape(m * h, w, 3), (cols, m * rows), interpolation=cv2.INTER_AREA)
        return np.ascontiguousarray(stacked.reshape(m, rows, cols, 3).transpose(0, 3, 1, 2))

    def _colour(self) -> SeenColour:
        """What the crop shows where each picture, as it was learnt, has its colour."""
        pictures = np.ascontiguousarray(self.grid_pictures.transpose(0, 2, 3, 1))
        return seen_of(self.grid_seen.transpose(1, 2, 0), pictures, self.grid_valid, self.owners)

    def explain(self, light: Light) -> CropExplained:
        """How each candidate explains the crop on the coarse grid, when `light` is believed of it."""
        m = len(self.owners)
        pictures, contrast = self.grid_pictures, self.shade.contrast
        lit = (self.grid_mean + (pictures - self.grid_mean) * contrast[:, None]) * self.shade.light[:, None]
        believed = belief(light, self.exposures)
        edges = _laplacian(lit)
        basis = photometry.design(lit.reshape(m, 3, -1), edges.reshape(m, 3, -1), self.grid_xy)
        seen, valid = self.grid_seen.reshape(3, -1), self.grid_valid.ravel()
        rendering = photometry.fit(basis, seen, valid, NOISE, believed, self.grid_surely)
        cost = self._misfit(rendering.shown) + rendering.prior_cost + self.shade.cost + self.bent + self.gloss
        each = np.maximum(rendering.each[:, :, 0].astype(np.float64), 0.05)
        spread = np.linalg.inv(rendering.normal)[:, GAINS[:, None], GAINS] / (each[:, :, None] * each[:, None, :])
        away = each - believed.mean[:, GAINS]
        covariance = np.linalg.inv(believed.precision)[:, GAINS[:, None], GAINS]
        owed = 0.5 * np.einsum("mi,mij,mj->m", away, np.linalg.inv(covariance), away)
        charged = light.charged(owed)
        cost = cost.astype(np.float64) - owed + charged
        return CropExplained(cost, each * self.exposures[:, None], spread, charged, self.shade, rendering)

    def _misfit(self, shown: F32) -> F32:
        """(M,) nats by which candidates as shown on the grid (M, 3, P) differ from the crop there."""
        error = bounded(shown - self.grid_seen.reshape(3, -1), self.grid_surely * np.float32(NOISE**-2))
        return np.asarray(error @ self.grid_valid.ravel() * (photometry.COUNT * WEIGHT / self.grid_valid.size))

    def finalists(self, cost: F64) -> list[int]:
        """The candidates to look at closely: the best of the best kinds."""
        order = [int(k) for k in np.argsort(cost)]
        chosen: list[int] = []
        kinds: set[int] = set()
        for k in order:
            if cost[k] - cost[order[0]] >= LEAD:
                break
            new = int(self.owners[k]) not in kinds
            room = FINALISTS - len(chosen)
            if room <= 0 or (not new and room <= KINDS - len(kinds)):
                continue
            chosen.append(k)
            kinds.add(int(self.owners[k]))
        return chosen

    def contest(self, explained: CropExplained, judged: int | None = None) -> Contest:
        """The finalists rendered as the camera would show them, and compared where they differ. `judged`: the candidate
        that is shown beside the crop; without it the best."""
        chosen = self.finalists(explained.cost)
        if judged is not None and judged not in chosen:
            chosen.append(judged)
        first = explained.rendering.take(chosen)
        shown = self._shown(chosen, explained, first)
        # What the coarse fit charges beside its errors: unusual light, haze and blur.
        priors = (explained.cost[chosen] - self._misfit(first.shown)).astype(np.float32)
        valid = self._explained(shown)
        behind, ideal, best = self._ranked(shown, priors)
        all_behind = np.maximum(explained.cost - explained.cost[chosen[best]], LEAD).astype(np.float32)
        all_ideal = np.full_like(all_behind, np.inf)
        all_behind[chosen], all_ideal[chosen] = behind, ideal
        beside = best if judged is None else chosen.index(judged)
        gain = explained.gain[chosen[beside]].astype(np.float32)
        seen, face = self._image(self.flat_seen), self._image(shown[beside])
        soft = as_soft(seen, face, valid)
        fields = Fields.of(face, soft, valid)
        bare = np.where(inner(self.hw), self.valid, valid)
        edge = shadow_edge(self.grid_seen, self.grid_pictures[chosen[beside]], self.grid_valid, self.hw)
        bare = np.where(edge, np.float32(0), bare)
        whole = fields if np.array_equal(bare > 0, valid > 0) else Fields.of(face, soft, bare)
        return Contest(
            chosen[best],
            all_behind,
            all_ideal,
            gain,
            first.each[beside, :, 1],
            seen,
            face,
            np.sqrt(np.mean((seen - face) ** 2, axis=2)),
            fields.alike_share(),
            whole.strange_share(),
            whole.unlike(),
            valid,
        )

    def _explained(self, shown: F32) -> F32:
        """(h, w) the weights of the crop's pixels without fields in which none of `shown` (K, 3, P) is seen."""
        cost = bounded(shown - self.flat_seen, self.surely * np.float32(NOISE**-2))
        field = (max(3, round(FIELD * self.valid.size**0.5)) | 1,) * 2
        local = np.stack([cv2.blur(one.reshape(self.hw), field) for one in cost]).min(axis=0)
        return np.asarray(self.valid * (local < UNEXPLAINED), np.float32)

    def _image(self, flat: F32) -> F32:
        """(h, w, 3) of values (3, P)."""
        return np.ascontiguousarray(flat.T.reshape(*self.hw, 3))

    def _shown(self, chosen: Sequence[int], explained: CropExplained, first: photometry.Rendering) -> F32:
        """(K, 3, P) the chosen candidates under the light, haze, colour and blur that were fitted."""
        out = []
        contrasts = explained.shade.contrast
        burnt = self.burnt_share > BURNT_SHARE
        for n, k in enumerate(chosen):
            picture = self.pictures[k]
            light = cv2.resize(explained.shade.light[k], self.hw[::-1])
            contrast = cv2.resize(contrasts[k], self.hw[::-1])
            mean = cv2.resize(self.grid_mean[k].transpose(1, 2, 0), self.hw[::-1])
            blur = max(float(first.blur[n]), 0.0)
            picture = mean + (picture - mean) * contrast[..., None]
            if burnt:
                lit = exposed(picture, light, first.white[n], blur, self.smooth_px)
            else:
                lit = picture * light[..., None]
                half = blur * GRID**2 if blur * GRID**2 > BLUR_WORTH else 0.0
                lit = cv2.GaussianBlur(lit, (0, 0), (2 * half + self.smooth_px**2) ** 0.5)
            out.append(lit)
        if burnt:
            planes = self._grid(np.stack(out))
            m = len(out)
            basis = photometry.design(planes.reshape(m, 3, -1), _laplacian(planes).reshape(m, 3, -1), self.grid_xy)
            seen = self.grid_seen.reshape(3, -1)
            valid = self.grid_valid.ravel()
            # The light was fitted; what is left is what clipping hid of it, which turns no colour into another.
            rest = belief(same_as_learnt(), np.ones(m))
            first = photometry.fit(basis, seen, valid, NOISE, rest, self.grid_surely)
        each = first.each
        shown = np.stack([np.ascontiguousarray(p.reshape(-1, 3).T) for p in out])
        grey = shown.mean(axis=1, keepdims=True)
        gain = each[:, :, 0, None] + each[:, :, 2, None] * self.xy[0] + each[:, :, 3, None] * self.xy[1]
        shown = shown * (gain + each[:, :, 4, None]) + each[:, :, 1, None] - grey * each[:, :, 4, None]
        return np.asarray(np.clip(shown, 0, 1))

    def _ranked(self, shown: F32, priors: F32) -> tuple[F32, F32, int]:
        """How far each finalist is behind the best, how far it would be on a perfect view, and the best."""
        variance = np.float32(NOISE**2) / self.surely
        valid = self.valid.ravel()
        scale = photometry.COUNT * WEIGHT / valid.size
        slopes = [_steepness(x.reshape(3, *self.hw)) for x in shown]
        flat = bounded(shown - self.flat_seen, np.float32(1) / (2 * variance))
        champion = int((flat @ valid * scale + priors).argmin())
        behind, ideal = np.zeros(len(shown), np.float32), np.zeros(len(shown), np.float32)
        for _ in range(len(shown)):
            steep = np.maximum(np.stack(slopes), slopes[champion])
            sure = np.float32(1) / (variance + (np.float32(SLIP) * steep) ** 2)
            gap = bounded(shown - self.flat_seen, sure) - bounded(shown[champion] - self.flat_seen, sure)
            behind = gap @ valid * scale + priors - priors[champion]
            ideal = bounded(shown - shown[champion], sure) @ valid * scale
            rival = int(behind.argmin())
            if behind[rival] >= 0:
                break
            champion = rival
        return behind.astype(np.float32), ideal.astype(np.float32), champion


def _surely(seen: F32) -> F32:
    """(P,) how much surer than a saturated colour the colours `seen` (3, P) are: 1 for grey, less for others."""
    chroma = seen.max(axis=0) - seen.min(axis=0)
    return np.asarray(1 / (1 + (np.float32(COLOUR_NOISE / NOISE) * chroma) ** 2))


def _laplacian(planes: F32) -> F32:
    """Laplacians of `planes` (..., rows, cols); nothing changes across the rim."""
    padded = np.pad(planes, [(0, 0)] * (planes.ndim - 2) + [(1, 1), (1, 1)], mode="edge")
    around = padded[..., :-2, 1:-1] + padded[..., 2:, 1:-1] + padded[..., 1:-1, :-2] + padded[..., 1:-1, 2:]
    return np.asarray(around - 4 * planes)


def _steepness(planes: F32) -> F32:
    """(P,) root mean square gradient per px over the three channels of `planes` (3, h, w)."""
    gx, gy = np.zeros_like(planes), np.zeros_like(planes)
    gx[:, :, 1:-1] = (planes[:, :, 2:] - planes[:, :, :-2]) / 2
    gy[:, 1:-1] = (planes[:, 2:] - planes[:, :-2]) / 2
    return np.asarray(np.sqrt((gx**2 + gy**2).mean(axis=0)).ravel())
