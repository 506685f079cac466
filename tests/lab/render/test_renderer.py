"""The renderer's truth is where its pictures say it is, and the same seed gives the same picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.sample_edition.box import sample_tiles
from companion.games.envyra import GAME
from companion.lab.render.camera import View, over_table
from companion.lab.render.edition import best_sets, edition_named, made_up_edition, sample_edition
from companion.lab.render.layout import MARKER_CENTRES_MM, MARKER_MM, markers_extent_mm
from companion.lab.render.lights import LIGHTS, make_light
from companion.lab.render.picture import RenderedScene, render
from companion.lab.render.pieces import Limb, rectangle
from companion.lab.render.sensor import make_optics
from companion.lab.scenes.envyra_pictures import board_picture, enrol_cubes, grid_picture, tally_picture

SIZE = ((1280, 720),)
SMALL = ((640, 360),)  # where only the truth counts, or that two pictures are the same
MADE_UP_SEED = 5


def decode(jpeg: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


@pytest.fixture(scope="module")
def grid():
    return grid_picture(sample_edition(), 3, 1, SIZE)


def test_same_seed_gives_the_same_picture_and_truth_and_another_seed_another_picture():
    small = grid_picture(sample_edition(), 3, 1, SMALL)
    assert grid_picture(sample_edition(), 3, 1, SMALL) == small
    assert grid_picture(sample_edition(), 4, 1, SMALL)[0] != small[0]


def test_markers_are_found_where_the_true_camera_projects_them(grid):
    jpeg, truth, _ = grid
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(decode(jpeg))
    camera = {key: np.array(truth["camera"][key]) for key in ("matrix", "dist", "rvec", "tvec")}
    found = {int(number): quad.reshape(4, 2) for number, quad in zip(np.ravel(ids), corners, strict=True)}
    for number, centre in MARKER_CENTRES_MM.items():
        points = np.column_stack([rectangle(MARKER_MM, MARKER_MM, centre), np.zeros(4)])
        true = cv2.projectPoints(points, camera["rvec"], camera["tvec"], camera["matrix"], camera["dist"])[0][:, 0]
        # the paper lies up to half a degree askew, and the detector's corners are good to about a pixel
        assert np.abs(found[number] - true).mean() < 1.0
        # but over the four corners its errors cancel: no shift by half a pixel
        assert np.abs((found[number] - true).mean(axis=0)).max() < 0.25


def test_tiles_lie_at_their_corners(grid):
    jpeg, truth, _ = grid
    edition, picture = sample_edition(), decode(jpeg)
    scores = []
    for cell in truth["cells"]:
        if cell["tile"] is None or any((c["row"], c["col"]) == (cell["row"], cell["col"]) for c in truth["cubes"]):
            continue
        target = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32)
        lay = cv2.getPerspectiveTransform(np.array(cell["corners_px"], np.float32), target)
        crop = cv2.warpPerspective(picture, lay, (96, 96)).astype(np.float32)
        reference = cv2.resize(edition.face(cell["tile"]), (96, 96), interpolation=cv2.INTER_AREA).astype(np.float32)
        scores.append(cv2.matchTemplate(crop, reference, cv2.TM_CCOEFF_NORMED)[0, 0])
    assert scores
    assert min(scores) > 0.9


def test_cubes_show_their_colour_at_the_centre_of_their_top():
    jpeg, truth = enrol_cubes(sample_edition(), 3, SIZE)
    picture = decode(jpeg)
    seen: dict[str, list[np.ndarray]] = {}
    for cube in truth["cubes"]:
        x, y = np.round(cube["px"]).astype(int)
        seen.setdefault(cube["colour"], []).append(picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0))
    middle = {colour: np.mean(values, axis=0) for colour, values in seen.items()}
    assert middle["white"].min() > middle["gray"].max()
    assert middle["pink"][2] > middle["pink"][1] + 30  # BGR: pink is redder than green
    assert middle["purple"][0] > middle["purple"][1] + 20


def test_a_hand_says_which_cells_it_hides():
    _, truth, _ = grid_picture(sample_edition(), 3, 7, SMALL)
    hidden = [cell.get("hidden", 0.0) for cell in truth["cells"]]
    assert truth["hand"]
    assert max(hidden) > 0.3
    assert min(hidden) == 0.0


def test_an_arm_that_reaches_past_the_camera_is_painted_where_it_lies_before_it():
    rng = np.random.default_rng(3)
    camera = over_table(rng, (320, 180), must_see_mm=rectangle(300, 200, (0, 0)))
    beyond = camera.centre_mm() * 1.5
    arm = Limb(np.array([0.0, 0.0, -20.0]), beyond, 26.0, 46.0, (90, 120, 180))
    scene = RenderedScene(np.full((64, 64, 3), 128, np.uint8), 0.0, limbs=(arm,))
    _, painter = render(scene, View(camera), make_light(sorted(LIGHTS)[0], rng), make_optics(rng), rng)
    assert painter.hidden_by_limbs(scene, rectangle(20, 20, (0, 0)), 0.0) > 0.9


def test_boards_carry_cubes_only_on_cells_with_a_tile():
    _, truth, job = board_picture(sample_edition(), 3, 1, SMALL)
    laid = {(c["row"], c["col"]) for c in truth["cells"] if c["tile"]}
    assert [board["seat"] for board in truth["boards"]] == [seat["seat"] for seat in job["seats"]]
    for board in truth["boards"]:
        assert {(s["row"], s["col"]) for s in board["slots"]} <= laid


def test_tally_score_agrees_with_the_rules():
    _, truth, _ = tally_picture(sample_edition(), 3, 0, SMALL)
    score = GAME.score_faces(GAME.load_catalogue("sample"), tuple(t["tile"] for t in truth["tiles"]))
    assert score.total == truth["score"]["total"]


def test_brute_force_sets_agree_with_the_rules_on_random_collections():
    tiles, catalogue = sample_tiles(), GAME.load_catalogue("sample")
    rng = np.random.default_rng(1)
    for _ in range(20):
        chosen = [tiles[k] for k in rng.permutation(len(tiles) - 1)[:12]]
        total = GAME.score_faces(catalogue, tuple(t.id for t in chosen)).total
        assert total == sum(t.vp for t in chosen) + best_sets(chosen)


@pytest.mark.parametrize("seed", [1, 2, 3, MADE_UP_SEED])
def test_made_up_boxes_pass_the_catalogue_check(tmp_path, seed):
    edition = made_up_edition(seed)
    path = tmp_path / "catalogue.json"
    path.write_text(edition.catalogue(), encoding="utf-8")
    assert len(GAME.load_catalogue(path).tiles) == 38
    assert len(edition.cube_colours) == 4


def test_two_made_up_boxes_differ_in_art_and_colours():
    first, second = made_up_edition(1), made_up_edition(2)
    assert np.abs(first.face("end").astype(int) - second.face("end")).mean() > 5
    assert list(first.cube_colours) != list(second.cube_colours)


def test_unknown_edition_is_refused_with_the_known_forms():
    with pytest.raises(ValueError, match="sample, random:SEED or painted:SEED"):
        edition_named("other")


def test_cameras_see_what_they_must():
    for seed in range(20):
        camera = over_table(np.random.default_rng(seed), (1280, 720), must_see_mm=markers_extent_mm())
        pixels = camera.project(np.column_stack([markers_extent_mm(), np.zeros(4)]))
        assert (pixels > -45).all()  # the aim may shift the view a little after the distance is chosen
        assert (pixels < np.array([1280, 720]) + 45).all()
