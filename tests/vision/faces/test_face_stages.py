"""The stages of reading a face: alignment, light, ranking, comparison."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles

from vision.faces import photometry
from vision.faces.align import align, local_contrast, loosely, make_anchor, rigidly, start
from vision.faces.coarse import PLACEMENTS, CoarseIndex
from vision.faces.compare import Case, Learnt, bounded, judge_all
from vision.faces.photometry import SCANNED
from vision.faces.read import RIGID_SCALES, SHORTLIST, _shortlist, _with_hope, _with_rivals


def small_tiles(count: int = 8, side_px: int = 64) -> np.ndarray:
    """(count, side_px, side_px, 3) float32 in 0..1."""
    tiles = list(drawn_tiles(6).values())[:count]
    return np.stack([cv2.resize(t, (side_px, side_px), interpolation=cv2.INTER_AREA) for t in tiles]) / np.float32(255)


def learnt_of(pictures: np.ndarray) -> list[Learnt]:
    """Pictures (N, h, w, 3) in 0..1 as crops are compared with them."""
    return [Learnt.of(np.rint(picture * 255).astype(np.uint8)) for picture in pictures]


@pytest.mark.parametrize("seed", range(6))
def test_alignment_finds_a_crop_that_is_off_by_four_percent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture = small_tiles(1)[0]
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    off = corners + rng.uniform(-0.08, 0.08, 2) * 0.7 + rng.uniform(-0.08, 0.08, (4, 2)) * 0.3
    nominal = start((80, 80), 0.125, 0, (0.0, 0.0, 1.0))
    true = nominal @ cv2.getPerspectiveTransform(corners, off.astype(np.float32))
    table = cv2.copyMakeBorder(picture, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=rng.random(3).tolist())
    on_table = np.array([[1, 0, 16], [0, 1, 16], [0, 0, 1]])  # the tile's place is 8 px from the edge
    crop = cv2.warpPerspective(table, true @ np.linalg.inv(on_table @ nominal), (80, 80))
    found = nominal
    for sigma in (2.4, 1.2):
        found = align(local_contrast(crop, sigma, 64.0), make_anchor(picture, sigma), found, loosely())
    points = corners[None].astype(np.float64)
    error = cv2.perspectiveTransform(points, found) - cv2.perspectiveTransform(points, true)
    assert np.abs(error).max() < 0.5  # px of the crop; the corners are the hardest points


def test_alignment_stays_put_on_an_empty_picture() -> None:
    picture = small_tiles(1)[0]
    begun = start((64, 64), 0.0, 0, (0.0, 0.0, 1.0))
    empty = np.zeros((64, 64, 3), np.float32)
    found = align(empty, make_anchor(picture, 1.2), begun, loosely())
    np.testing.assert_allclose(found, begun, atol=0.5)


def card() -> np.ndarray:
    """(96, 64, 3) float32 in 0..1: rays, as many sheets have them, with a house and a name."""
    out = np.full((544, 352, 3), (110, 160, 120), np.uint8)
    for angle in np.arange(0, 2 * np.pi, 0.4):
        far = (int(176 + 600 * np.cos(angle)), int(250 + 600 * np.sin(angle)))
        cv2.line(out, (176, 250), far, (120, 172, 132), 30, cv2.LINE_AA)
    cv2.fillPoly(out, [np.array([[90, 240], [176, 150], [262, 240], [262, 330], [90, 330]])], (225, 235, 240))
    cv2.circle(out, (300, 50), 36, (60, 190, 235), -1, cv2.LINE_AA)
    cv2.putText(out, "NEIGHBOUR", (60, 510), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (225, 235, 240), 5, cv2.LINE_AA)
    cv2.rectangle(out, (0, 0), (351, 543), (225, 235, 240), 22)
    return cv2.resize(out, (64, 96), interpolation=cv2.INTER_AREA) / np.float32(255)


@pytest.mark.parametrize("turn_deg", [-8.0, -5.0, 6.0, 9.0])
def test_a_card_that_lies_askew_keeps_its_shape_and_is_found(turn_deg: float) -> None:
    picture = card()
    size = (96, 140)
    turn = cv2.getRotationMatrix2D((48.0, 70.0), -turn_deg, 1.0) @ np.array([[1, 0, 17.5], [0, 1, 21], [0, 0, 1]])
    table = np.full((140, 96, 3), 0.3, np.float32)
    crop = cv2.warpAffine(picture, turn, size, table, borderMode=cv2.BORDER_TRANSPARENT)
    found = np.array([[32, 0, 47.5], [0, 48, 69.5], [0, 0, 1.0]])
    for sigma in RIGID_SCALES:
        contrast = local_contrast(crop, sigma, (64 * 96) ** 0.5)
        found = align(contrast, make_anchor(picture, sigma), found, rigidly(64 / 96))
    corners = np.array([[[-1, -1], [1, -1], [1, 1], [-1, 1]]], np.float64)
    true = cv2.transform((corners + 1) * (32, 48) - 0.5, turn)
    np.testing.assert_allclose(cv2.perspectiveTransform(corners, found), true, atol=1.0)


def test_light_is_recovered_under_cubes() -> None:
    picture = small_tiles(1, 32)[0].reshape(-1, 3).T
    gain = np.array([0.8, 0.9, 1.1], np.float32)
    seen = np.clip(picture * gain[:, None] + 0.05, 0, 1)
    covered = seen.reshape(3, 32, 32).copy()
    covered[:, 4:12, 4:12] = 0.9  # a white cube
    xy = np.stack([np.tile(np.linspace(-1, 1, 32), 32), np.repeat(np.linspace(-1, 1, 32), 32)]).astype(np.float32)
    basis = photometry.design(picture[None], np.zeros_like(picture)[None], xy)
    fit = photometry.fit(basis, covered.reshape(3, -1).astype(np.float32), np.ones(1024, np.float32), SCANNED.noise)
    error = np.abs(fit.shown[0] - seen).reshape(3, 32, 32)
    assert float(np.median(error)) < 0.01
    assert float(error[:, 16:, 16:].max()) < 0.05


def test_a_picture_ranks_itself_first_in_its_turn_and_place() -> None:
    pictures = small_tiles()
    index = CoarseIndex.build(pictures)
    for number, picture in enumerate(pictures):
        for turn in range(4):
            cost, placement = index.rank_all([np.ascontiguousarray(np.rot90(picture, -turn))], (0, 1, 2, 3), 0.0)[0]
            row, best = np.unravel_index(int(cost.argmin()), cost.shape)
            assert (int(row), int(best)) == (turn, number)
            assert PLACEMENTS[int(placement[row, best])] == (0.0, 0.0, 1.0)


def test_crops_ranked_together_have_the_least_misfits_of_each_alone() -> None:
    pictures = small_tiles().astype(np.float32) / 255
    index = CoarseIndex.build(pictures)
    crops = [np.ascontiguousarray(np.rot90(picture, -turn)) for turn, picture in enumerate(pictures[:4])]
    alone = [float(index.rank_all([crop], (0, 1), 0.05)[0][0].min()) for crop in crops]
    together = [float(cost.min()) for cost, _ in index.rank_all(crops, (0, 1), 0.05)]
    assert together == pytest.approx(alone, abs=1e-5)
    assert max(alone) > 2 * min(alone)


def test_first_looks_together_are_those_of_each_crop_alone() -> None:
    pictures = small_tiles().astype(np.float32) / 255
    index = CoarseIndex.build(pictures)
    crops = [np.ascontiguousarray(np.rot90(picture, -turn)) for turn in (0, 1) for picture in pictures[:4]]
    plain = np.full_like(crops[0], 0.4) + np.random.default_rng(1).normal(0, 0.01, crops[0].shape).astype(np.float32)
    looks = index.first_looks([*crops, plain], (0, 1), 0.05)
    assert looks == [pytest.approx(index.first_looks([one], (0, 1), 0.05)[0], abs=1e-5) for one in (*crops, plain)]
    assert min(likeness for _, likeness in looks[:-1]) > 0.9
    assert looks[-1][1] < 0.5
    rough = index.first_looks([*crops, plain], (0, 1), 0.05, faint=0.5)  # print is looked at as closely as without
    assert rough[:-1] == [pytest.approx(one, abs=1e-5) for one in looks[:-1]]
    assert rough[-1][1] < 0.5


def test_crops_ranked_together_are_ranked_as_each_alone() -> None:
    pictures = small_tiles().astype(np.float32) / 255
    index = CoarseIndex.build(pictures)
    crops = [pictures[k % len(pictures)] for k in range(8)]  # more than are ranked at a time
    for crop, (cost, placement) in zip(crops, index.rank_all(crops, (0, 1), 0.05), strict=True):
        alone, nearest = index.rank_all([crop], (0, 1), 0.05)[0]
        assert cost == pytest.approx(alone, abs=1e-5)
        assert (placement == nearest).all()


def test_a_picture_without_hope_is_not_compared_but_the_first_rival_is() -> None:
    values, contrast, grey, crop = (np.array(each, np.float32) for each in (
        [1.0, 9.0, 9.0, 1.5, 9.0], [2.0, 9.0, 9.0, 9.0, 9.0], [3.0, 9.0, 9.0, 9.0, 5.0], [9.0, 9.0, 1.0, 9.0, 9.0]
    ))  # fmt: skip
    rankings = (values, contrast, grey, crop)
    # 3 and 4 are near in one ranking of the aligned crop; 2 only in that of the crop as it was cut
    assert _with_hope(rankings, [0, 1, 2, 3, 4], [7, 8, 9, 10, 11]) == [0, 1, 3, 4]
    # the first rival is another face, not another picture of the best one
    assert _with_hope(rankings, [0, 1, 2], [7, 7, 9]) == [0, 2]


def test_an_error_costs_no_more_than_its_bound() -> None:
    errors = np.zeros((3, 5), np.float32)
    errors[:] = [0, 0.02, 0.1, 0.5, 1.0]
    cost = bounded(errors, 1 / 0.04**2)
    assert np.all(np.diff(cost) > 0)
    assert cost[0] == 0
    assert cost[-1] < 4.5


def test_the_judge_prefers_the_picture_that_was_shown_and_says_by_how_much() -> None:
    pictures = small_tiles(5)
    valid, learnt = np.ones((64, 64), np.float32), learnt_of(pictures)
    for number in range(5):
        case = Case(pictures[number] * np.float32(0.85), valid, learnt, list(range(5)))
        verdict = judge_all([case], SCANNED)[0]
        assert verdict.best == number
        assert verdict.behind[number] == 0
        assert np.delete(verdict.behind, number).min() > 1


def test_of_the_nearest_other_face_alone_it_is_told_how_far_a_perfect_view_would_put_it_behind() -> None:
    pictures = small_tiles(4)
    nearly = pictures[0] * np.float32(0.8) + pictures[2] * np.float32(0.2)  # most like the first, then like the third
    drawings = [*pictures[:3], np.clip(pictures[0] * 0.9, 0, 1)]  # the last is another picture of the first face
    case = Case(nearly, np.ones((64, 64), np.float32), learnt_of(np.stack(drawings)), [0, 1, 2, 0])
    verdict = judge_all([case], SCANNED)[0]
    nearest = 1 + int(np.argmin(verdict.behind[1:3]))
    assert verdict.best in (0, 3)
    assert np.isfinite(verdict.ideal).tolist() == [k == nearest for k in range(4)]
    assert verdict.ideal[nearest] > verdict.behind[nearest]


def test_crops_judged_together_are_judged_as_each_alone() -> None:
    pictures = small_tiles(5)
    learnt = learnt_of(pictures)
    crops = [pictures[k] * np.float32(light) for k, light in ((3, 0.85), (0, 1.6), (4, 0.5))]  # the second is clipped
    weights = [np.ones((64, 64), np.float32) for _ in crops]
    weights[2][:20] = 0
    few = [slice(0, 5), slice(0, 3), slice(2, 5)]
    cases = [
        Case(np.minimum(crop, 1), valid, learnt[some], [0, 1, 2, 3, 4][some])
        for crop, valid, some in zip(crops, weights, few, strict=True)
    ]
    together = judge_all(cases, SCANNED)
    for case, verdict in zip(cases, together, strict=True):
        alone = judge_all([case], SCANNED)[0]
        assert verdict.best == alone.best
        np.testing.assert_allclose(verdict.behind, alone.behind, rtol=1e-3, atol=1e-2)
        np.testing.assert_allclose(verdict.residual, alone.residual, atol=1e-4)


def test_a_twin_is_compared_though_two_pictures_each_of_other_faces_fill_the_shortlist() -> None:
    owners = [0, 0, 1, 2, 3, 4, 4]  # two pictures of a mine, its twin, three other faces, one with two pictures
    other = np.array([1.3, 1.31, 1.35, 1.0, 1.1, 1.29, 1.3], np.float32)
    mine = np.array([1.0, 1.0, 1.001, 1.06, 1.2, 1.4, 1.4], np.float32)
    as_cut = np.array([1.05, 1.05, 1.05, 1.05, 1.05, 1.0, 1.0], np.float32)
    rankings = (other, mine, mine, as_cut)
    shortlist = _shortlist(rankings, SHORTLIST)
    assert 2 not in shortlist
    assert 2 in _with_rivals(rankings, shortlist, owners)
    # the mine is second here and its twin third
    second = np.array([1.04, 1.04, 1.06, 1.0, 1.15, 1.4, 1.4], np.float32)
    assert 2 in _with_rivals((other, second, second, as_cut), shortlist, owners)
    assert _with_rivals(rankings, [0, 2, 3, 4, 5], owners) == [0, 2, 3, 4, 5]
