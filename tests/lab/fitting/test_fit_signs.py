"""How sure the name of a printed sign is can be fitted anew on photographs of grids."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from click.testing import CliRunner
from ruled_pages import drawn, photographed

from companion.lab.fitting.fit_signs import main
from vision.printed.glyphs import SURE_WEIGHTS


def test_a_fit_tells_a_weight_for_all_that_a_name_rests_on(tmp_path: Path) -> None:
    truth = []
    for k, camera in enumerate(("one", "another", "left out")):
        cells = np.where(np.random.default_rng(k).random((9, 9)) < 0.5, (np.arange(81).reshape(9, 9) + k) % 9 + 1, 0)
        shown, corners = photographed(drawn(cells), k)
        cv2.imwrite(str(tmp_path / f"{k}.png"), shown)
        truth.append({"file": f"{k}.png", "camera": camera, "corners": corners.tolist(), "cells": cells.tolist()})
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    told = CliRunner().invoke(main, [str(tmp_path), "--leave-out", "left out"])
    assert told.exit_code == 0, told.output
    pairs, weights = told.output.splitlines()
    assert pairs.startswith("2 pairs")
    assert len(weights.split("(")[1].split(",")) == len(SURE_WEIGHTS)
    alone = CliRunner().invoke(main, [str(tmp_path), "--leave-out", "left out", "--leave-out", "another"])
    assert alone.exit_code != 0
