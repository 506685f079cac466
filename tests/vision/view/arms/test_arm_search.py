"""Hands over the slots in single pictures, on tables of several kinds."""

from __future__ import annotations

import dataclasses
from functools import partial

import cv2
import numpy as np
import pytest
from shaken import noisy, painted_arm
from small_set import scene

from companion.core.layout import SlotOutline
from vision.locate.markers import MarkerLayout
from vision.view.arms import zone_search
from vision.view.arms.arm_search import occluded_slots
from vision.view.arms.rim import MM_PER_PX
from vision.view.as_before import PosedPicture

BARE = [("grid", n) for n in ("000", "001", "002", "005", "012")] + [("boards", "000"), ("boards", "001")]


@pytest.mark.parametrize(("part", "number"), BARE)
def test_a_table_without_a_hand_has_none(part, number):
    it = scene(part, number)
    found = occluded_slots(it.image, it.true_pose, it.outlines)
    assert not found.hand
    assert not found.covered()


def test_the_filmed_hand_covers_what_it_covers():
    it = scene("grid", "007")
    found = occluded_slots(it.image, it.true_pose, it.outlines)
    assert found.hand
    assert found.covered()
    assert len(found.covered()) < len(it.outlines)


@pytest.mark.parametrize("colour", [(150, 180, 225), (60, 90, 140), (40, 55, 85)], ids=["light", "brown", "dark"])
@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_arms_of_any_skin_are_found_from_any_side(number, colour):
    it = scene("grid", number)
    for from_mm in ((0.0, 260.0), (-330.0, 40.0), (320.0, -60.0)):
        found = occluded_slots(painted_arm(it, (0.0, 0.0), from_mm, colour), it.true_pose, it.outlines)
        assert found.hand, from_mm


@pytest.mark.parametrize("number", ["000", "001"])
def test_arms_from_opposite_sides_are_found(number):
    it = scene("grid", number)
    skin = (150, 180, 225)
    one = dataclasses.replace(it, image=painted_arm(it, (-80.0, 0.0), (-330.0, 0.0), skin))
    found = occluded_slots(painted_arm(one, (80.0, 0.0), (330.0, 0.0), skin), it.true_pose, it.outlines)
    assert found.hand
    assert found.covered()


def rolled(it, image, turn_deg):
    """The picture of a camera turned about its own axis, and where the table is in it."""
    turn = np.deg2rad(turn_deg)
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    pose, matrix = it.true_pose, it.true_pose.camera.matrix
    size = image.shape[1::-1]
    seen = cv2.warpPerspective(image, matrix @ roll @ np.linalg.inv(matrix), size, borderMode=cv2.BORDER_REPLICATE)
    rvec = cv2.Rodrigues(roll @ cv2.Rodrigues(pose.rvec)[0])[0]
    return seen, dataclasses.replace(pose, rvec=rvec, tvec=roll @ pose.tvec)


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_an_arm_is_found_where_the_pictures_edge_runs_aslant_through_the_rim(number):
    it = scene("grid", number)
    for turn_deg in (-8.0, 8.0):
        image, pose = rolled(it, painted_arm(it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225), width_mm=90.0), turn_deg)
        lowest = max(np.asarray(o.corners_mm)[:, 1].max() for o in it.outlines)
        edge = round(float(pose.project(np.array([[0.0, lowest + 55.0]]))[0, 1]))
        assert occluded_slots(np.ascontiguousarray(image[:edge]), pose, it.outlines).hand, turn_deg
        bare, _ = rolled(it, it.image, turn_deg)
        assert not occluded_slots(np.ascontiguousarray(bare[:edge]), pose, it.outlines).hand, turn_deg


def test_slots_far_from_the_arm_stay_visible():
    it = scene("grid", "002")
    corner = it.grid.centre_mm(2, 0)
    image = painted_arm(it, corner, (corner[0], 280.0), (150, 180, 225), width_mm=45.0)
    covered = occluded_slots(image, it.true_pose, it.outlines).covered()
    assert "r3c1" in covered
    assert not covered & {"r1c3", "r1c4", "r2c3", "r2c4", "r3c3", "r3c4"}


def test_a_darker_lamp_is_no_hand():
    it = scene("grid", "001")
    dim = cv2.convertScaleAbs(it.image, alpha=0.6)
    assert not occluded_slots(dim, it.true_pose, it.outlines).hand


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_the_edge_of_a_lamps_light_is_no_hand(number):
    it = scene("grid", number)
    high, wide = it.image.shape[:2]
    rows, columns = np.indices((high, wide))
    away = np.hypot(columns - 0.5 * wide, rows) / wide
    light = 1.0 + 0.4 / (1.0 + np.exp((away - 0.2) / 0.01))  # a cone from the far side, two fifths brighter
    lit = np.clip(it.image * light[..., None], 0, 255).astype(np.uint8)
    assert not occluded_slots(lit, it.true_pose, it.outlines).hand


@pytest.mark.parametrize(("number", "light"), [("000", 0.6), ("002", 0.6), ("002", 1.5), ("002", 1.8), ("002", 2.2)])
def test_other_light_with_sharp_edges_over_a_corner_of_the_slots_is_no_hand(number, light):
    it = scene("grid", number)
    x, y = np.concatenate([np.asarray(o.corners_mm) for o in it.outlines]).min(axis=0)
    pane = np.array([[x - 80, y - 80], [x + 40, y - 80], [x + 40, y + 30], [x - 80, y + 30]])
    where = np.zeros(it.image.shape[:2], np.float32)
    cv2.fillConvexPoly(where, np.round(it.true_pose.project(pane)).astype(np.int32), 1.0)
    gain = 1.0 + (light - 1.0) * cv2.GaussianBlur(where, (0, 0), 0.8)
    lit = np.clip(it.image * gain[..., None], 0, 255).astype(np.uint8)
    found = occluded_slots(lit, it.true_pose, it.outlines)
    assert not found.hand
    assert not found.covered()


@pytest.mark.parametrize(
    ("number", "from_mm", "colour"),
    [
        ("000", (0.0, 260.0), (57, 76, 103)),
        ("000", (-330.0, 40.0), (52, 69, 93)),
        ("005", (-330.0, 40.0), (28, 58, 86)),
    ],
)
def test_an_arm_of_a_colour_that_the_wood_has_elsewhere_is_found_by_its_edges(number, from_mm, colour):
    it = scene("grid", number)
    assert occluded_slots(painted_arm(it, (0.0, 0.0), from_mm, colour), it.true_pose, it.outlines).hand


def shaded_arm(it, from_mm, colour):
    """A noisy picture with an arm that casts a broad, soft shadow to both sides."""
    arm = painted_arm(it, (0.0, 0.0), from_mm, colour).astype(np.float32)
    bare = cv2.GaussianBlur(it.image, (0, 0), 0.8)
    mask = (np.abs(arm - bare).max(-1) > 3).astype(np.float32)
    dark = cv2.GaussianBlur(cv2.dilate(mask, np.ones((161, 161))), (0, 0), 25) * (1 - mask)
    return noisy((arm * (1 - 0.4 * dark[..., None])).astype(np.uint8), np.random.default_rng(1), 12)


@pytest.mark.parametrize(
    ("number", "from_mm", "colour"),
    [
        ("001", (0.0, 260.0), (125, 160, 183)),
        ("002", (-330.0, 40.0), (120, 139, 155)),
        ("005", (0.0, 260.0), (53, 90, 134)),
    ],
)
def test_an_arm_of_nearly_the_tables_colour_is_found_by_what_was_seen_before(number, from_mm, colour):
    it = scene("grid", number)
    free = occluded_slots(noisy(it.image, np.random.default_rng(2), 12), it.true_pose, it.outlines)
    shown = shaded_arm(it, from_mm, colour)
    assert not occluded_slots(shown, it.true_pose, it.outlines).hand
    found = occluded_slots(shown, it.true_pose, it.outlines, before=free.rings)
    assert found.hand
    assert found.covered()


@pytest.mark.parametrize("number", ["000", "001", "002", "005", "012"])
def test_noise_and_another_lamp_are_no_hand_where_the_table_was_seen_before(number):
    it = scene("grid", number)
    free = occluded_slots(it.image, it.true_pose, it.outlines)
    warm = np.clip(it.image * np.array([0.85, 0.95, 1.05]), 0, 255).astype(np.uint8)
    shown = noisy(warm, np.random.default_rng(3), 12)
    assert not occluded_slots(shown, it.true_pose, it.outlines, before=free.rings).hand


@pytest.mark.parametrize("number", ["000", "001", "002", "005", "012"])
def test_a_shadow_over_half_the_table_is_no_hand_where_it_was_seen_before(number):
    it = scene("grid", number)
    free = occluded_slots(it.image, it.true_pose, it.outlines)
    shaded = it.image.copy()
    shaded[:, : it.image.shape[1] // 2] = (0.6 * shaded[:, : it.image.shape[1] // 2]).astype(np.uint8)
    assert not occluded_slots(shaded, it.true_pose, it.outlines, before=free.rings).hand


@pytest.mark.parametrize("number", ["001", "002", "005"])
def test_a_coloured_shadow_that_has_gone_is_no_hand(number):
    it = scene("grid", number)
    shaded = it.image.astype(np.float32)
    left = int(0.55 * it.image.shape[1])
    shaded[:, left : left + 130] *= (0.7, 0.6, 0.5)
    before = occluded_slots(shaded.astype(np.uint8), it.true_pose, it.outlines)
    assert not occluded_slots(it.image, it.true_pose, it.outlines, before=before.rings).hand


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_a_mug_beside_the_slots_is_no_hand_once_it_has_stood_there(number):
    it = scene("grid", number)
    x, top = it.grid.centre_mm(0, 1)[0], min(y for outline in it.outlines for _, y in outline.corners_mm)
    corners = np.array([[x - 40, top - 130], [x + 40, top - 130], [x + 40, top - 24], [x - 40, top - 24]])
    image = it.image.copy()
    cv2.fillConvexPoly(image, np.round(it.true_pose.project(corners)).astype(np.int32), (190, 120, 30))
    at_first = occluded_slots(image, it.true_pose, it.outlines)
    assert any(one.any() for one in at_first.beside)
    later = occluded_slots(image, it.true_pose, it.outlines, standing=at_first.beside)
    assert not later.hand
    assert not later.covered()
    arm = painted_arm(it, (0.0, 0.0), (320.0, -60.0), (60, 90, 140))
    cv2.fillConvexPoly(arm, np.round(it.true_pose.project(corners)).astype(np.int32), (190, 120, 30))
    assert occluded_slots(arm, it.true_pose, it.outlines, standing=at_first.beside).hand


@pytest.mark.parametrize("light", [1.0, 0.6], ids=["same light", "dimmer"])
@pytest.mark.parametrize("number", ["001", "002", "005", "012"])
def test_the_black_beyond_the_pictures_edge_is_no_part_of_a_black_thing_at_the_rim(number, light):
    it = scene("grid", number)
    corners = np.concatenate([np.asarray(o.corners_mm) for o in it.outlines])
    edge, top = corners[:, 0].max() - 12.0, corners[:, 1].min()  # the picture cuts the slots at the right
    box = np.array([[edge - 50, top - 90], [edge + 30, top - 90], [edge + 30, top - 24], [edge - 50, top - 24]])
    image = it.image.copy()
    cv2.fillConvexPoly(image, np.round(it.true_pose.project(box)).astype(np.int32), (12, 12, 12))
    wide = round(float(it.true_pose.project(np.array([[edge, 0.0]]))[0, 0]))
    image = np.ascontiguousarray(image[:, :wide])
    known = [PosedPicture(noisy(image, np.random.default_rng(n)), it.true_pose) for n in (1, 2)]
    shown = noisy(cv2.convertScaleAbs(image, alpha=light), np.random.default_rng(3))
    found = occluded_slots(shown, it.true_pose, it.outlines, earlier=known)
    assert not found.hand
    assert not found.covered() & {"r2c3", "r2c4"}  # the box stands at the first row


def beside_a_marker() -> SlotOutline:
    """A slot 24 mm beside the paper of the marker at the bottom right."""
    x, y = MarkerLayout().centres_mm[2]
    left, top, right, bottom = x - 130.0, y - 20.0, x - 50.0, y + 20.0
    return SlotOutline("beside", ((left, top), (right, top), (right, bottom), (left, bottom)), "card")


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_a_marker_beside_the_slots_is_no_hand(number):
    it = scene("grid", number)
    found = occluded_slots(it.image, it.true_pose, [beside_a_marker()])
    assert not found.hand
    assert not found.covered()


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_an_arm_is_found_beside_a_zone_that_is_not_in_the_picture(number):
    it = scene("grid", number)
    away = SlotOutline("away", ((900.0, 0.0), (960.0, 0.0), (960.0, 80.0), (900.0, 80.0)), "card")
    image = painted_arm(it, (0.0, 0.0), (320.0, -60.0), (60, 90, 140))
    found = occluded_slots(image, it.true_pose, [away, *it.outlines])
    assert found.hand
    assert found.share["away"] == 0.0


def test_only_the_zones_that_are_asked_for_are_searched():
    it = scene("grid", "000")
    image = painted_arm(it, (0.0, 0.0), (320.0, -60.0), (60, 90, 140))
    outlines = [beside_a_marker(), *it.outlines]
    elsewhere = occluded_slots(image, it.true_pose, outlines, only={"beside"})
    assert not elsewhere.hand
    assert set(elsewhere.share) == {"beside"}
    here = occluded_slots(image, it.true_pose, outlines, only={it.outlines[0].slot})
    assert elsewhere.joined(here).hand
    assert elsewhere.joined(here).share == occluded_slots(image, it.true_pose, outlines).share


def seen_twice(it, image=None):
    """The fine detail of a table without a hand over the slots that two pictures show."""
    shown = it.image if image is None else image
    first, second = (occluded_slots(noisy(shown, np.random.default_rng(n)), it.true_pose, it.outlines) for n in (1, 2))
    grains = [now.after(then) for now, then in zip(second.grains, first.grains, strict=True)]
    return {"before": second.rings, "grains": grains}


def sleeve(it, end_mm):
    """A blue sleeve from below that ends so far from the slots."""
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    return painted_arm(it, (x, low + end_mm), (x, low + 200.0), (150, 60, 30))


def test_what_rests_as_it_did_in_two_pictures_without_a_hand_is_none():
    it = scene("grid", "000")
    x, y = it.grid.centre_mm(0, 1)

    def knitted(away_mm, seed):
        arm = painted_arm(it, (x + away_mm, y), (x + away_mm, y + 200.0), (40, 40, 40))
        wool = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, arm.shape[:2]), (0, 0), 1.5)
        stitches = 60 * wool[..., None] * (arm != it.image).any(-1, keepdims=True)
        return np.clip(arm + stitches, 0, 255).astype(np.uint8)

    there, elsewhere = knitted(0.0, 1), knitted(12.0, 2)
    known = seen_twice(it, there)["grains"]
    now = noisy(there, np.random.default_rng(3))
    assert occluded_slots(now, it.true_pose, it.outlines).hand
    assert not occluded_slots(now, it.true_pose, it.outlines, grains=known).hand
    moved = noisy(elsewhere, np.random.default_rng(4))
    assert occluded_slots(moved, it.true_pose, it.outlines, grains=known).hand


@pytest.mark.parametrize("number", ["001", "002"])
def test_detail_that_went_with_a_shadow_hides_nothing_and_detail_under_an_arm_is_hidden(number, monkeypatch):
    it = scene("grid", number)
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    strip = painted_arm(dataclasses.replace(it, image=np.zeros_like(it.image)), (x, 0.0), (x, low + 200.0), (9,) * 3)
    shaded = np.where(strip > 0, (0.4 * it.image).astype(np.uint8), it.image)
    known = seen_twice(it, shaded)

    def edges(*given):
        """All of the strip, as if the shadow's edges had been all over it."""
        size, origin_mm = given[3], given[-1]
        rows, columns = np.indices(size[::-1])
        across = columns * MM_PER_PX + origin_mm[0] - x
        return (np.abs(across) < 20.0) & (rows * MM_PER_PX + origin_mm[1] > 0.0)

    monkeypatch.setattr(zone_search, "hiding_grain", edges)
    earlier = [PosedPicture(shaded, it.true_pose)]
    gone = noisy(it.image, np.random.default_rng(3))
    assert not occluded_slots(gone, it.true_pose, it.outlines, earlier=earlier, **known).hand
    arm = noisy(painted_arm(it, (x, 0.0), (x, low + 200.0), (54, 78, 122)), np.random.default_rng(3))
    assert occluded_slots(arm, it.true_pose, it.outlines, earlier=earlier, **known).hand
    for colours in ("odd_samples", "changed_samples"):  # now by the grain alone
        monkeypatch.setattr(zone_search, colours, lambda *given: np.zeros(len(given[-1]), bool))
    assert occluded_slots(arm, it.true_pose, it.outlines, earlier=earlier, **known).hand


def test_an_arm_at_rest_before_the_slots_is_no_hand_where_the_grain_is_seen_before_it():
    it = scene("grid", "000")
    resting = noisy(sleeve(it, 24.0), np.random.default_rng(3))
    assert occluded_slots(resting, it.true_pose, it.outlines).hand
    assert not occluded_slots(resting, it.true_pose, it.outlines, **seen_twice(it)).hand


def test_an_arm_at_rest_before_the_slots_is_no_hand_where_a_grey_table_is_seen_before_it():
    it = scene("grid", "002")
    resting = noisy(sleeve(it, 24.0), np.random.default_rng(3))
    assert not occluded_slots(resting, it.true_pose, it.outlines).hand
    x, y = it.grid.centre_mm(0, 1)
    low = max(y for outline in it.outlines for _, y in outline.corners_mm)
    for skin in ((140, 172, 224), (54, 78, 122), (40, 56, 88)):  # a bare hand out of the sleeve, over the slots
        corners = np.array([[x - 20, y], [x + 20, y], [x + 20, low + 26], [x - 20, low + 26]])
        image = sleeve(it, 24.0)
        cv2.fillConvexPoly(image, np.round(it.true_pose.project(corners)).astype(np.int32), skin)
        assert occluded_slots(noisy(image, np.random.default_rng(3)), it.true_pose, it.outlines).hand


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_a_sleeve_out_of_which_a_hand_of_the_tables_colour_goes_on_is_a_hand(number):
    it = scene("grid", number)
    image = sleeve(it, 18.0)
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    corners = np.array([[x - 25, low - 30], [x + 25, low - 30], [x + 25, low + 19], [x - 25, low + 19]])
    beside = np.round(it.true_pose.project(np.array([[x + 45, low + 15.0]])))[0].astype(int)
    cv2.fillConvexPoly(
        image, np.round(it.true_pose.project(corners)).astype(np.int32), image[beside[1], beside[0]].tolist()
    )
    shown = noisy(cv2.GaussianBlur(image, (0, 0), 0.8), np.random.default_rng(3))
    assert occluded_slots(shown, it.true_pose, it.outlines, **seen_twice(it)).hand


def streaked(it, light):
    """The picture with two streaks of the table as wide as an arm in other light, from the rim to the slots."""
    x, y = it.grid.centre_mm(0, 1)[0], it.grid.centre_mm(1, 0)[1]
    places = np.concatenate([np.asarray(outline.corners_mm) for outline in it.outlines])
    left, low = places[:, 0].min(), places[:, 1].max()
    where = np.zeros(it.image.shape[:2], np.float32)
    for across, down in (((x - 20, x + 20), (low, low + 70)), ((left - 70, left), (y - 20, y + 20))):
        streak = np.array([[across[k], down[m]] for k, m in ((0, 0), (1, 0), (1, 1), (0, 1))])
        cv2.fillConvexPoly(where, np.round(it.true_pose.project(streak)).astype(np.int32), 1.0)
    gain = 1.0 + (light - 1.0) * cv2.GaussianBlur(where, (0, 0), 8.0)
    return dataclasses.replace(it, image=np.clip(it.image * gain[..., None], 0, 255).astype(np.uint8))


@pytest.mark.parametrize(("ends_mm", "reaches"), [(44.0, False), (-30.0, True)])
def test_a_streak_of_the_table_is_no_part_of_a_sleeve_that_rests_where_it_ends(ends_mm, reaches):
    it = streaked(scene("grid", "000"), 0.6)
    shown = noisy(sleeve(it, ends_mm), np.random.default_rng(3))
    assert occluded_slots(shown, it.true_pose, it.outlines).hand is reaches


def test_an_arm_whose_sleeve_looks_like_the_table_is_found_where_it_has_come():
    it = scene("grid", "002")
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    shown = noisy(painted_arm(it, (x, low - 30.0), (x, low + 55.0), (150, 180, 225)), np.random.default_rng(3))
    known = seen_twice(it)["before"]
    found = occluded_slots(shown, it.true_pose, it.outlines, before=known, grains=None)
    assert found.hand
    assert found.covered()
    rests = noisy(painted_arm(it, (x, low + 10.0), (x, low + 55.0), (150, 180, 225)), np.random.default_rng(3))
    assert not occluded_slots(rests, it.true_pose, it.outlines, before=known, grains=None).covered()


def both(it, one, other):
    """Two pictures of a scene, each with a thing of its own, as one with both."""
    changed = np.abs(other.astype(int) - it.image).max(axis=2) > 20
    return np.where(changed[..., None], other, one)


def test_what_lies_as_in_an_earlier_picture_without_a_hand_is_none_and_an_arm_beside_it_is_one():
    it = scene("grid", "001")
    note = painted_arm(it, (-75.0, -75.0), (-260.0, -200.0), (60, 40, 200))
    arm = painted_arm(it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    bare, resting, reached = (noisy(one, np.random.default_rng(n)) for n, one in enumerate((it.image, note, note)))
    find = partial(occluded_slots, pose=it.true_pose, outlines=it.outlines)
    assert find(resting, earlier=[PosedPicture(bare, it.true_pose)]).hand
    known = [PosedPicture(resting, it.true_pose)]
    again = find(reached, earlier=known)
    assert not again.hand
    assert again.covered()
    acting = find(noisy(both(it, note, arm), np.random.default_rng(4)), earlier=known)
    assert acting.hand
    assert "r2c2" in acting.covered()


def test_an_arm_of_another_hue_than_before_is_found_beside_what_rests():
    it = scene("grid", "001")
    note = painted_arm(it, (-75.0, -75.0), (-260.0, -200.0), (60, 40, 200))
    before = occluded_slots(note, it.true_pose, it.outlines)
    arm = painted_arm(it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    known = [PosedPicture(note, it.true_pose)]
    found = occluded_slots(both(it, note, arm), it.true_pose, it.outlines, before=before.rings, earlier=known)
    assert found.hand


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_a_hand_that_ends_far_from_the_slots_in_question_hides_others_and_is_none(number):
    it = scene("grid", number)
    before = [PosedPicture(noisy(it.image, np.random.default_rng(n)), it.true_pose) for n in (1, 2)]
    middles = {o.slot: np.mean(o.corners_mm, axis=0) for o in it.outlines}
    left, right = min(x for x, _ in middles.values()), max(x for x, _ in middles.values())
    near = {slot for slot, (x, _) in middles.items() if x < left + 20.0}
    image = noisy(painted_arm(it, (right, 0.0), (right + 230.0, 0.0), (60, 90, 140)), np.random.default_rng(3))
    over = partial(occluded_slots, image, it.true_pose, it.outlines, earlier=before)
    assert over().hand
    assert not over(near=near).hand
    assert over(near=near).covered() == over().covered() != set()
    assert over(near={min(over().covered())}).hand


@pytest.mark.parametrize("number", ["000", "002"])
def test_what_rests_over_slots_makes_no_hand_of_an_arm_that_rests_before_them(number):
    it = scene("grid", number)
    x, top = it.grid.centre_mm(0, 1)[0], min(y for outline in it.outlines for _, y in outline.corners_mm)
    note = painted_arm(it, (x, top + 20.0), (x, top - 200.0), (60, 40, 200))
    known = [PosedPicture(noisy(note, np.random.default_rng(n)), it.true_pose) for n in (1, 2)]
    find = partial(occluded_slots, pose=it.true_pose, outlines=it.outlines, earlier=known)
    laid = painted_arm(it, (x, top + 22.0), (x, top + 50.0), (150, 60, 30))  # beside it, of the sleeve's colour
    resting = find(noisy(both(it, both(it, note, sleeve(it, 24.0)), laid), np.random.default_rng(3)))
    assert not resting.hand
    assert resting.covered() == find(noisy(note, np.random.default_rng(3))).covered() != frozenset()
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    reaching = painted_arm(it, (x, low - 30.0), (x, low + 200.0), (150, 60, 30))
    assert find(noisy(both(it, note, reaching), np.random.default_rng(3))).hand
