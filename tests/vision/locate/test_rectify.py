"""Upright crops: exact through the lens, of the nominal size and margin, and quick the second time."""

from __future__ import annotations

from dataclasses import replace
from weakref import ref

import cv2
import numpy as np
import pytest
from small_set import scene

from vision.locate import rectify as module
from vision.locate.rectify import crop_to_table, rectify, rectify_all, square_mm


def test_maps_are_exact_through_the_lens_even_for_the_whole_table(monkeypatch):
    pose = scene("grid", "001").true_pose
    corners = np.array([[-260.0, -200.0], [260.0, -200.0], [260.0, 200.0], [-260.0, 200.0]])
    made = []
    convert = cv2.convertMaps

    def kept(x, y, kind):
        made.append(np.dstack([x, y]))
        return convert(x, y, kind)

    monkeypatch.setattr(module.cv2, "convertMaps", kept)
    size = (1040, 800)
    rectify(np.zeros((1080, 1920, 3), np.uint8), pose, corners, 0.0, size, margin=0.05)
    grid = made[0]
    rows, columns = np.mgrid[0 : size[1] : 37, 0 : size[0] : 41]
    at = crop_to_table(corners, size, 0.05) @ np.stack([columns.ravel(), rows.ravel(), np.ones(columns.size)])
    exact = pose.project((at[:2] / at[2]).T)
    assert np.abs(grid[rows.ravel(), columns.ravel()] - exact).max() < 0.01


def test_nominal_corners_lie_the_margin_away_from_the_edges():
    corners = square_mm((30.0, -20.0), 55.0, 12.0)
    to_table = crop_to_table(corners, 110, margin=0.08)
    edge = 110 * 0.08 / 1.16 - 0.5
    for place, corner in zip(corners, [(edge, edge), (109 - edge, edge), (109 - edge, 109 - edge)], strict=False):
        at = to_table @ np.array([*corner, 1.0])
        assert at[:2] / at[2] == pytest.approx(place, abs=1e-3)


def test_a_crop_shows_the_tile_upright():
    it = scene("grid", "001")
    cell = next(c for c in it.truth["cells"] if c["tile"])
    reference = cv2.imread(str(_reference(cell["tile"])))
    turned = it.truth["cells"].index(cell), cell["deg"]
    crop = rectify(it.image, it.true_pose, square_mm(cell["xy"], 55.0, cell["deg"]), -2.0, 96)
    flat = cv2.resize(reference, (96, 96), interpolation=cv2.INTER_AREA)
    scores = [_correlation(np.rot90(crop, k), flat) for k in range(4)]
    assert int(np.argmax(scores)) == 0, turned
    assert scores[0] > 0.8


def _reference(tile: str):
    from small_set import SMALL_SET

    return SMALL_SET / "reference" / f"{tile}.png"


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.astype(float).ravel(), other.astype(float).ravel())[0, 1])


def test_fine_pictures_are_averaged_not_sampled():
    it = scene("grid", "001")
    stripes = np.zeros_like(it.image)
    stripes[:, ::2] = 255
    crop = rectify(stripes, it.true_pose, square_mm((0.0, 0.0), 300.0), 0.0, 60)
    assert 100 < crop[20:40, 20:40].mean() < 155
    assert crop[20:40, 20:40].std() < 60


def test_a_crop_averaged_loosely_leaves_no_pixel_out_and_takes_fewer_samples(monkeypatch):
    it = scene("grid", "001")
    stripes = np.zeros_like(it.image)
    stripes[:, ::2] = 255
    place = square_mm((0.0, 0.0), 300.0)
    factors = []
    plain = module._factors
    monkeypatch.setattr(module, "_factors", lambda *a, **k: factors.append(plain(*a, **k)) or factors[-1])
    for px in (40, 60, 90):
        crop = rectify(stripes, it.true_pose, place, 0.0, px, loosely=True)
        assert 100 < crop[px // 3 : px // 2, px // 3 : px // 2].mean() < 155
        shown, loose = (rectify(it.image, it.true_pose, place, 0.0, px, loosely=way) for way in (False, True))
        assert np.abs(shown.astype(int) - loose).mean() < 2.5
        assert factors[0] <= factors[-1]
        factors.clear()


def test_outside_of_the_picture_is_black():
    it = scene("grid", "001")
    white = np.full_like(it.image, 255)
    crop = rectify(white, it.true_pose, square_mm((3000.0, 0.0), 50.0), 0.0, 16)
    assert not crop.any()


def test_crops_cut_out_together_are_those_cut_out_one_by_one(monkeypatch):
    it = scene("grid", "001")
    # small ones, large ones that are averaged, and one outside of the picture, some turned
    places = [(0.0, 0.0, 55.0, 0.0), (60.0, -40.0, 300.0, 20.0), (-70.0, 30.0, 55.0, 200.0), (3000.0, 0.0, 55.0, 0.0)]
    corners = np.array([square_mm(place[:2], *place[2:]) for place in places * 2])
    one_by_one = [rectify(it.image, it.true_pose, each, -2.0, (48, 40), 0.1) for each in corners]
    for at_a_time in (2, 200):
        monkeypatch.setattr(module, "TOGETHER_PX", at_a_time * 48 * 40)
        assert (rectify_all(it.image, it.true_pose, corners, -2.0, (48, 40), 0.1) == one_by_one).all()


@pytest.mark.parametrize("corners", [square_mm((30.0, -20.0), 55.0, 12.0), [[0, 0], [90, 10], [70, 80], [-20, 60]]])
def test_any_convex_quadrilateral_fills_its_crop_corner_by_corner(corners):
    to_table = crop_to_table(np.array(corners, float), (40, 30))
    edges = np.array([[0, 0, 1], [40, 0, 1], [40, 30, 1], [0, 30, 1]]) - [0.5, 0.5, 0.0]
    at = edges @ to_table.T
    assert at[:, :2] / at[:, 2:] == pytest.approx(np.array(corners, float), abs=1e-9)


@pytest.mark.parametrize("side_px", [60, 500], ids=["averaged", "sampled"])
def test_a_crop_whose_map_is_too_large_to_keep_is_cut_out_in_strips_and_leaves_the_others(monkeypatch, side_px):
    it = scene("grid", "001")
    picture, pose = it.image, it.true_pose
    monkeypatch.setattr(module, "_kept", module.KeptMaps(module.KEPT_BYTES))
    monkeypatch.setattr(module, "TOGETHER_PX", 3000)
    whole = square_mm((0.0, 0.0), 300.0)
    wanted = rectify(picture, pose, whole, 0.0, (side_px, side_px - 7))
    kept = module._kept.bytes
    monkeypatch.setattr(module, "MOST_BYTES", 0)
    made = rectify(picture, pose, whole, -1e-9, (side_px, side_px - 7))
    # a place that lies between two thirty-seconds of a px may be rounded the other way
    assert np.abs(made.astype(int) - wanted).mean() < 0.01
    assert module._kept.bytes == kept > 0


def test_kept_maps_are_bounded_and_those_used_last_stay():
    pose = scene("grid", "001").true_pose
    kept = module.KeptMaps(most_bytes=10 * 8 * 8 * 6)
    made = [(ref(pose), np.zeros((8, 8, 2), np.int16), np.zeros((8, 8), np.uint16), 1) for _ in range(30)]
    for n, one in enumerate(made):
        kept.put(("place", n), one)
        assert kept.get(("place", 0), pose) is made[0], "it is used all the time"
    assert kept.bytes == 10 * 8 * 8 * 6
    assert kept.get(("place", 29), pose) is made[29]
    assert kept.get(("place", 15), pose) is None
    other = scene("grid", "000").true_pose
    assert kept.get(("place", 29), other) is None, "a map of another place of the camera"


def test_maps_of_a_camera_that_was_put_elsewhere_are_let_go():
    gone, here = replace(scene("grid", "001").true_pose), replace(scene("grid", "001").true_pose)
    kept = module.KeptMaps(most_bytes=10**6)
    blank = (np.zeros((8, 8, 2), np.int16), np.zeros((8, 8), np.uint16), 1)
    kept.put(("before",), (ref(gone), *blank))
    del gone
    kept.put(("now",), (ref(here), *blank))
    assert kept.bytes == 8 * 8 * 6
    assert kept.get(("now",), here) is not None
