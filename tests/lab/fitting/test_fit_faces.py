"""The probabilities of photographed faces can be fitted anew on all that they rest on today."""

from __future__ import annotations

import numpy as np

from companion.lab.fitting.fit_faces import Sample, fit
from vision.faces.chance import PHOTOGRAPHED_FACES


def test_a_fit_weighs_all_that_a_probability_rests_on() -> None:
    rng = np.random.default_rng(2)
    seen = rng.random((40, len(PHOTOGRAPHED_FACES.weights)))
    weights = fit([Sample("cards", tuple(one.tolist()), bool(one[1] > 0.5)) for one in seen])
    assert weights.shape == (len(PHOTOGRAPHED_FACES.weights),)
    assert np.isfinite(weights).all()
