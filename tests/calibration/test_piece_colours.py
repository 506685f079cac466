"""Piece colours are learnt from one picture, and pairs that look alike are named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.colours import StandingPiece, check_colours, enrol_colours, top_colours
from companion.core.errors import DataError
from vision.pose import TablePose, locate_table
from vision.scene_set import SceneSet, picture
from vision.set_reader import marker_layout

SAMPLE = Path(__file__).parents[1] / "vision" / "fixtures" / "sample"


@pytest.fixture(scope="module")
def enrolment() -> tuple[np.ndarray, TablePose, list[StandingPiece], SceneSet]:
    scenes = SceneSet(SAMPLE)
    found = scenes.enrolled_cubes()
    assert found is not None
    image = picture(found[0])
    pose = locate_table(image, marker_layout(scenes.layout))
    assert isinstance(pose, TablePose)
    return image, pose, [StandingPiece(c.colour, c.xy_mm) for c in found[1]], scenes


def test_learnt_colours_are_near_those_the_layout_names(enrolment) -> None:
    image, pose, pieces, scenes = enrolment
    learnt = enrol_colours(image, pose, pieces, marker_layout(scenes.layout))
    for name, bgr in zip(learnt.colours.names, learnt.colours.bgr, strict=True):
        r, g, b = scenes.layout.cube_rgb[name]
        # paper and print are only roughly what they are taken for: a quarter of the range is the bound
        assert np.abs(np.array(bgr) - (b, g, r)).max() < 64, name


def test_different_colours_are_clear_and_equal_ones_too_close(enrolment) -> None:
    image, pose, pieces, _ = enrolment
    seen = top_colours(image, pose, pieces)
    assert check_colours(seen)[-1].verdict == "clear"
    first = next(iter(seen))
    (pair,) = check_colours({"one": seen[first], "other": seen[first] + 2.0})
    assert pair.verdict == "too close"


def test_a_piece_outside_the_picture_is_named(enrolment) -> None:
    image, pose, _, _ = enrolment
    with pytest.raises(DataError, match="outside"):
        top_colours(image, pose, [StandingPiece("pink", (5000.0, 0.0))])
