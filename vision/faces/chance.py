"""Probabilities of faces from the evidence of the comparison, calibrated on drawings and photographs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

MOST_BEHIND = 60.0  # a rival further behind says no more
FIT_FLOOR = 0.003
CLEAR_HUE = 3.0  # nats from which a colour leaves no doubt in its photograph
# Nats against its colour, and of an unusual rendering, that gloss, deep shade and a camera that turns hues leave a
# right piece, too: of real colours in some twenty rooms 5 in 100 right ones come to more, of those that were not learnt
# 84; of cards with ink on paper none of 640, of those that were taken for a twin in another ink 40 in 100.
OTHER_INK = 20.0
# The same where gloss was taken off first: of learnt shapes in real colours 3 in 100 come to more, of strange ones 88.
MATT_INK = 16.0
STRANGE = 0.2  # share of print that does not look alike from which more of it says ever less
ISLAND = 0.02  # the same of print that is not the face's: a sign in the corner of a card
WORST_FLOOR = 0.04  # differences that sharp edges leave on a right face too


@dataclass(frozen=True, slots=True)
class FaceEvidence:
    """What a probability is made of: how far the best rival is `behind`, that as a `share` of what it would be
    on a perfect view, and the median colour difference `fit_error` (0..1) between crop and best face.

    Of photographed references also `seen`, the share of the piece that the crop shows; `explained`, the share of that
    where any of the likeliest faces looks like the crop: something else lies on the rest, or it is another piece;
    `worst`, the colour difference that a tenth of what is explained exceeds; `alike`, the share of the face's printed
    fields there that look alike; and `light`, nats by which the light that it takes is unusual. Of a crop that is cut
    as the learnt pictures are, so that nothing lies on its piece, `strange`: the share of all printed fields, of the
    crop or of the face, that do not look alike. Of a printed piece that lies anyhow `islands`: the share that is not
    explained and that is surrounded by what is, which is other print, and `printed`, the share of the face's own print
    that is explained. Of pieces of one colour `hue`, nats by which it is the likeliest of all colours beside the other
    pieces of its photograph, if there are any; where they differ in form, too, `ink`, nats that speak against the
    colour there: another is so much likelier or the piece differs so much from it in the photograph's light, and its
    own light would have to be so unusual. `rendered`: nats by which all that a camera would have to do to the face to
    show it so is unusual: gains, what is added to each channel, saturation and blur; and gloss on a piece of one ink.
    """

    behind: float
    share: float
    fit_error: float
    seen: float = 1.0
    worst: float = 0.0
    light: float = 0.0
    hue: float = math.inf
    alike: float = 1.0
    explained: float = 1.0
    strange: float = 0.0
    islands: float = 0.0
    ink: float = 0.0
    printed: float = 1.0
    rendered: float = 0.0


def features(evidence: FaceEvidence) -> F64:
    """(5,) what the logistic regression sees of the evidence with scanned references."""
    gap = math.log1p(min(max(evidence.behind, 0.0), MOST_BEHIND))
    share = min(max(evidence.share, -0.2), 1.0)
    return np.array([1.0, gap, share, math.log(evidence.fit_error + FIT_FLOOR), gap * share])


def photographed_features(evidence: FaceEvidence) -> F64:
    """(12,) the same with photographed references. What the crop does not show of the piece, or what none of the
    likeliest faces looks like, says nothing, and no more than its print is told by what it shows."""
    told = min(evidence.seen * evidence.explained, evidence.printed)
    gap = math.log1p(min(max(evidence.behind, 0.0), MOST_BEHIND) * told)
    share = min(max(evidence.share, -0.2), 1.0) * told
    worst = math.log(max(evidence.worst, WORST_FLOOR) / WORST_FLOOR)
    doubt = CLEAR_HUE - min(max(evidence.hue, -CLEAR_HUE), CLEAR_HUE)
    light = math.log1p(max(evidence.light, 0.0))
    other = math.log1p(evidence.strange / STRANGE), math.log1p(evidence.islands / ISLAND)
    other_ink = MATT_INK if evidence.ink > 0 else OTHER_INK  # gloss is looked for where pieces are told by an ink
    recoloured = math.log1p(max(evidence.ink + evidence.rendered - other_ink, 0.0))
    unlike = 1 - evidence.alike, 1 - evidence.explained
    return np.array([1.0, gap, share, gap * share, worst, light, doubt, *unlike, *other, recoloured])


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic regression of "the best face is right": `weights` of what `sees` makes of the evidence, and the
    probability from which a face is named."""

    weights: tuple[float, ...]
    accepted: float
    sees: Callable[[FaceEvidence], F64]


SCANNED_FACES = Calibration((-13.522, 2.992, 3.206, -2.645, -0.715), 0.9, features)
"""Faces learnt from scans, all cut alike. Fitted on degraded drawings. Budget: two wrong names in a thousand degraded
drawings of editions left out of the fit, which are harder than most tables: 0.22 % were wrong
(docs/reference/recognising-faces.md)."""

PHOTOGRAPHED_FACES = Calibration(
    (0.054, 1.213, 0.683, 0.541, -4.28, -0.798, -0.206, -11.03, -4.25, -16.3, -6.1, -3.0), 0.8, photographed_features
)
"""Faces learnt from photographs. Fitted on photographs of cards, letter tiles and stickers and on drawings (`make
fit-faces`), each judged by a fit without it: docs/measured/identify.md. Budget: three wrong names in a thousand cards
or symbols; from 0.8 each family has as few wrong names by a fit without it as from 0.85, and more right ones."""


def right_probability(evidence: FaceEvidence, calibration: Calibration) -> float:
    """Probability that the best face is right."""
    return 1.0 / (1.0 + math.exp(-float(np.array(calibration.weights) @ calibration.sees(evidence))))


def probabilities(
    names: Sequence[str], behind: F32, evidence: FaceEvidence, calibration: Calibration
) -> tuple[tuple[str, float], ...]:
    """(face, probability), best first: the best has its calibrated probability, the others share what is left
    as their distances from it tell, none having more than the best; the rest belongs to faces that were not tried
    or to none."""
    gaps: dict[str, float] = {}
    for name, gap in zip(names, behind, strict=True):
        gaps[name] = min(gaps.get(name, math.inf), float(gap))
    best = min(gaps, key=lambda name: gaps[name])
    sure = right_probability(evidence, calibration)
    others = {name: math.exp(-min(gap, MOST_BEHIND)) for name, gap in gaps.items() if name != best}
    left = min((1.0 - sure) / sum(others.values()), sure) if others else 0.0
    chances = {best: sure} | {name: weight * left for name, weight in others.items()}
    return tuple(sorted(chances.items(), key=lambda pair: -pair[1]))
