"""What the set-up says of a picture: markers, place, lens, table, light and colours, each with what to do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET, scene, without_markers

from calibration.piece_colours.colour_enrolment import ColourReport
from calibration.piece_colours.colours import ColourPair
from calibration.profiles import TableProfile
from companion.app.dashboard import setup_checks
from companion.app.dashboard.setup_checks import colour_step, picture_steps
from vision.appearance.picture_light import PieceColours
from vision.locate.pose import TablePose, locate_table
from vision.scenes.scene_set import SceneSet

MARKERS = SceneSet(SMALL_SET).plan.markers
NAMES = ("purple", "gray", "pink", "white")


def steps(image: np.ndarray | None, table: TableProfile | str = "none yet"):
    return {step.key: step for step in picture_steps(image, MARKERS, "not calibrated", table)}


def profile(image: np.ndarray) -> TableProfile:
    pose = locate_table(image, MARKERS)
    assert isinstance(pose, TablePose)
    return TableProfile("camera", pose, MARKERS, 0)


def states(image: np.ndarray | None, table: TableProfile | str = "none yet") -> dict[str, str]:
    return {key: step.state for key, step in steps(image, table).items()}


def test_a_good_picture_asks_only_for_what_was_not_remembered_yet() -> None:
    image = scene("grid", "001").image
    assert states(image) == {"markers": "ok", "place": "ok", "lens": "ok", "table": "wait", "light": "ok"}
    assert steps(image)["table"].can == "table"
    assert states(image, profile(image))["table"] == "ok"


def test_without_a_picture_everything_waits() -> None:
    assert set(states(None).values()) == {"wait"}


def test_a_covered_marker_is_counted_and_three_of_four_gone_are_not_a_table() -> None:
    whole = scene("grid", "001")
    table = profile(whole.image)
    one_gone = steps(without_markers(whole, 3), table)
    assert (one_gone["markers"].state, dict(one_gone["markers"].facts)["seen"]) == ("wait", 3)
    assert one_gone["place"].state == "ok"
    gone = steps(without_markers(whole, 0, 1, 2))
    assert (gone["markers"].state, gone["place"].state, gone["table"].state) == ("bad", "bad", "wait")
    assert gone["markers"].remedy == setup_checks.MARKERS_LAY
    assert gone["markers"].detail


def test_a_moved_camera_is_told_in_millimetres() -> None:
    image = scene("grid", "001").image
    moved = cv2.warpAffine(image, np.float32([[1, 0, 12], [0, 1, 0]]), image.shape[1::-1])
    step = steps(moved, profile(image))["table"]
    assert step.state == "bad"
    assert float(dict(step.facts)["moved"]) > 2.0
    assert step.can == "table"


@pytest.mark.parametrize(("factor", "state", "remedy"), [
    (0.12, "bad", setup_checks.LIGHT_MORE), (2.2, "wait", setup_checks.LIGHT_DIM), (1.0, "ok", ""),
])
def test_dark_and_overexposed_pictures_are_told(factor: float, state: str, remedy: str) -> None:
    image = np.clip(scene("grid", "001").image * factor, 0, 255).astype(np.uint8)
    step = steps(image)["light"]
    assert (step.state, step.remedy) == (state, remedy)


def test_without_markers_no_paper_is_told() -> None:
    step = steps(np.full((720, 1280, 3), 120, np.uint8))["light"]
    assert (step.state, step.text) == ("ok", setup_checks.LIGHT_UNTOLD)


def report(*pairs: ColourPair, over: tuple[str, ...] = (), names: tuple[str, ...] = NAMES) -> ColourReport:
    return ColourReport(PieceColours(names, ((0.0, 0.0, 0.0),) * len(names)), over, pairs)


@pytest.mark.parametrize(("learnt", "state", "text"), [
    (None, "wait", setup_checks.COLOURS_NEW),
    (report(names=("pink",)), "bad", setup_checks.COLOURS_MISSING),
    (report(ColourPair("gray", "white", 5.0, "too close")), "bad", setup_checks.COLOURS_CLOSE),
    (report(ColourPair("gray", "blue", 5.0, "too close")), "ok", setup_checks.COLOURS_LEARNT),
    (report(over=("white",)), "wait", setup_checks.COLOURS_OVER),
    (report(ColourPair("gray", "white", 30.0, "clear")), "ok", setup_checks.COLOURS_GOOD),
])
def test_the_colour_check_names_what_this_light_confuses(learnt: ColourReport | None, state: str, text: str) -> None:
    step = colour_step(learnt, NAMES)
    assert (step.state, step.text, step.can) == (state, text, "colours")
