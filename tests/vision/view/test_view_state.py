"""Only settled views are reported; hands, motion and changes of light are named."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shaken import bumped, noisy, painted_arm
from small_set import scene

from companion.core.inputs import ViewState
from vision.locate.pose_tracker import PoseTracker, Tracking
from vision.sources import Health, SourceStatus
from vision.view import view_state
from vision.view.arms.arm_search import occluded_slots
from vision.view.arms.occlusion import Occlusion
from vision.view.arms.rim import BLACK_LAB
from vision.view.arms.standing_things import KNOWN_SHARE, RESTED_PART, ends_all_around
from vision.view.view_state import CHECK_EVERY_S, NEXT, OF_HEALTH, OF_TRACKING, Sighting, ViewClassifier, _of_hand

FRAME_S = 0.1


@pytest.fixture
def it():
    return scene("grid", "001")


def play(it, frames, **how):
    """What is made of each frame."""
    tracker, classifier = PoseTracker(**how), ViewClassifier(it.outlines, **how)
    rng = np.random.default_rng(5)
    views = []
    for n, frame in enumerate(frames):
        shown = noisy(frame, rng)
        views.append(classifier.classify(shown, tracker.track(shown, n * FRAME_S), n * FRAME_S))
    return views


def states(views):
    return [v.state for v in views]


def test_a_quiet_table_settles_once_and_stays_settled(it):
    views = play(it, [it.image] * 20)
    assert views[0].state is ViewState.SETTLING
    assert states(views[6:]) == [ViewState.SETTLED] * 14
    assert sum(v.fresh for v in views) == 1


def test_a_hand_is_named_with_the_slots_under_it_and_settles_after_it_left(it):
    arm = painted_arm(it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    views = play(it, [it.image] * 8 + [arm] * 8 + [it.image] * 10)
    assert states(views[10:16]) == [ViewState.HAND] * 6
    assert "r2c2" in views[12].covered
    assert views[16].state is not ViewState.SETTLED
    assert views[-1].state is ViewState.SETTLED
    assert sum(v.fresh for v in views) == 2


def test_a_step_of_the_exposure_is_not_read_until_it_is_over(it):
    bright = cv2.convertScaleAbs(it.image, alpha=1.12)
    views = play(it, [it.image] * 8 + [bright] * 8)
    assert views[8].state is ViewState.SETTLING
    assert views[8].note == "the light has changed"
    assert views[-1].state is ViewState.SETTLED


def test_something_small_that_moves_unsettles(it):
    x, y = it.true_pose.project(np.array([[62.0, 62.0]]))[0].astype(int)
    cube = it.image.copy()
    cv2.rectangle(cube, (x - 6, y - 6), (x + 6, y + 6), (200, 60, 220), -1)
    views = play(it, [it.image] * 8 + [cube] * 8)
    assert views[8].state is ViewState.SETTLING
    assert views[8].note == "something moves"
    assert views[-1].state is ViewState.SETTLED


def test_a_moving_shadow_unsettles(it):
    def shaded(upto):
        image = it.image.copy()
        image[:, :upto] = (0.7 * image[:, :upto]).astype(np.uint8)
        return image

    views = play(it, [it.image] * 8 + [shaded(100 * n) for n in range(1, 6)])
    assert all(s is ViewState.SETTLING for s in states(views[8:]))


def test_a_bumped_camera_is_named_and_nothing_is_settled_meanwhile(it):
    views = play(it, [it.image] * 8 + [bumped(it.image, 15.0)] * 12)
    assert views[8].state is ViewState.MOVED
    assert "moved by" in views[8].note
    assert views[-1].state is ViewState.SETTLED


def test_single_pictures_are_judged_by_themselves(it):
    hand = scene("grid", "007")
    assert states(play(it, [it.image] * 3, stills=True)) == [ViewState.SETTLED] * 3
    assert states(play(hand, [hand.image], stills=True)) == [ViewState.HAND]


@pytest.mark.parametrize(
    ("health", "expected"),
    [
        (Health.STALE, ViewState.STALE),
        (Health.GONE, ViewState.STALE),
        (Health.OPENING, ViewState.WAITING),
        (Health.LIVE, ViewState.WAITING),
    ],
)
def test_without_a_frame_the_source_says_why(it, health, expected):
    classifier = ViewClassifier(it.outlines)
    assert classifier.without_picture(SourceStatus("0", health, "unplugged")).state is expected


def test_a_hand_is_noticed_over_other_slots_than_were_looked_over_before(it):
    tracker, classifier = PoseTracker(), ViewClassifier(it.outlines[:1])
    arm = painted_arm(it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    for n, frame in enumerate([it.image] * 8 + [arm] * 8):
        if n == 8:
            classifier.look_over(it.outlines)
        view = classifier.classify(frame, tracker.track(frame, n * FRAME_S), n * FRAME_S)
    assert view.state is ViewState.HAND
    assert "r2c2" in view.covered


def after_an_unnoticed_hand(it, frames):
    """What is made of each picture of a film whose first one holds a hand, not noticed round the one slot looked over
    then."""
    tracker, classifier = PoseTracker(stills=True), ViewClassifier(it.outlines[:1], stills=True)
    views = []
    for n, frame in enumerate([sheet(it, (150, 180, 225)), *frames]):
        if n == 1:
            classifier.look_over(it.outlines)
        shown = noisy(frame, np.random.default_rng(n))
        views.append(classifier.classify(shown, tracker.track(shown, float(n)), float(n)).state)
    assert views[0] is ViewState.SETTLED
    return views[1:]


def sheet(it, colour, to_x_mm=0.0):
    """The picture with a strip of this colour from below to over the slots."""
    return painted_arm(it, (to_x_mm, 20.0), (to_x_mm, 600.0), colour, width_mm=70.0)


def test_a_picture_whose_hand_was_not_noticed_is_forgotten_when_what_was_under_it_stays_just_so(it):
    paper = sheet(it, (205, 215, 215))
    arm = painted_arm(replace(it, image=paper), (0.0, 0.0), (-330.0, 40.0), (150, 180, 225))
    seen = after_an_unnoticed_hand(it, [paper, paper, paper, arm, paper])
    assert seen == [ViewState.HAND, *[ViewState.SETTLED] * 2, ViewState.HAND, ViewState.SETTLED]


def test_after_a_hand_that_was_not_noticed_one_that_moves_is_still_a_hand(it):
    arms = [sheet(it, (60, 90, 140), x) for x in (40.0, -40.0, 10.0, -60.0)]
    assert after_an_unnoticed_hand(it, arms) == [ViewState.HAND] * 4


@pytest.mark.parametrize(
    ("is_laid", "share", "expected"),
    [(True, 0.0, ViewState.SETTLED), (False, 0.0, ViewState.HAND), (True, 0.5, ViewState.SETTLED)],
)
def test_what_reaches_for_slots_is_no_hand_and_hides_none_where_it_was_laid(it, monkeypatch, is_laid, share, expected):
    tracker, classifier = PoseTracker(stills=True), ViewClassifier(it.outlines, stills=True)
    slots = {o.slot: 0.0 for o in it.outlines} | {"r2c2": share}
    over = Occlusion(True, slots, np.zeros((4, 4), bool), np.zeros((4, 2)), pointed=frozenset({"r2c2"}))
    monkeypatch.setattr(view_state, "occluded_slots", lambda *_given, **_named: over)
    classifier.look_over(it.outlines, is_laid=lambda *_given: is_laid)
    view = classifier.classify(it.image, tracker.track(it.image, 0.0), 0.0)
    assert view.state is expected
    assert not view.covered
    assert view.over is not None
    assert not (is_laid and view.over.covered())


def test_every_sighting_leads_to_a_state_and_every_state_is_led_to_but_that_before_there_are_eyes():
    assert set(NEXT) == set(Sighting)
    assert {*NEXT.values(), ViewState.PREPARING} == set(CHECK_EVERY_S) == set(ViewState)
    assert ViewState.PREPARING not in NEXT.values()


def test_only_rest_settles_a_view():
    assert [sighting for sighting, state in NEXT.items() if state is ViewState.SETTLED] == [Sighting.REST]


def test_every_state_of_the_tracker_and_the_source_is_a_sighting_or_changes_nothing():
    assert set(OF_TRACKING) == set(Tracking)
    assert [tracking for tracking, sighting in OF_TRACKING.items() if sighting is None] == [Tracking.LOCKED]
    assert set(OF_HEALTH) == set(Health)
    assert {health for health, sighting in OF_HEALTH.items() if sighting is None} == {Health.LIVE, Health.ENDED}
    used = {*OF_TRACKING.values(), *OF_HEALTH.values(), Sighting.HAND, Sighting.MOTION, Sighting.REST} - {None}
    assert used == set(Sighting)


def test_what_stood_beside_the_slots_is_known_when_others_are_looked_over(it):
    tracker, classifier = PoseTracker(stills=True), ViewClassifier(it.outlines[:6], stills=True)
    thing = painted_arm(it, (0.0, 170.0), (0.0, 260.0), (40, 30, 120))
    views = []
    for n, frame in enumerate([it.image, thing, thing, thing, thing, thing]):
        if n == 5:
            classifier.look_over(it.outlines[:9])
        shown = noisy(frame, np.random.default_rng(n))
        views.append(classifier.classify(shown, tracker.track(shown, float(n)), float(n)).state)
    assert views[-1] is ViewState.SETTLED


def lying(it, from_mm, towards_mm, over=None):
    """The picture, or `over`, with a blue box or sleeve below the slots that ends so far from them, at both ends."""
    x, low = it.grid.centre_mm(0, 1)[0], max(y for outline in it.outlines for _, y in outline.corners_mm)
    shown = it if over is None else replace(it, image=over)
    return painted_arm(shown, (x, low + towards_mm), (x, low + from_mm), (150, 60, 30))


@pytest.mark.parametrize("to_mm", [-8.0, -40.0], ids=["its edge", "most of it"])
@pytest.mark.parametrize("stills", [True, False], ids=["film", "camera"])
def test_a_box_that_covers_a_slot_is_called_a_hand_until_it_has_lain_there_and_hides_what_it_touches(stills, to_mm):
    it = scene("grid", "000")
    views = play(it, [lying(it, 110.0, to_mm)] * (2 if stills else 70), stills=stills)
    assert views[0].state is ViewState.HAND
    assert views[-1].state is ViewState.SETTLED
    assert "lies before" in views[-1].note
    rested = next(view.over for view in reversed(views) if view.over is not None)
    assert not rested.hand
    assert 0 < len(rested.unread) < 4
    alone = occluded_slots(lying(it, 110.0, to_mm), it.true_pose, it.outlines, resting=views[-1].still)
    assert not alone.hand  # who reads a picture that was not searched for hands finds none either


def test_what_covers_slots_alike_for_long_is_told_to_be_moved_away_and_not_called_a_hand(it):
    arm = lying(it, 600.0, -60.0)
    views = play(it, [arm] * 80 + [it.image] * 20)
    assert {view.state for view in views[:80]} == {ViewState.HAND}
    under = ", ".join(sorted(views[0].covered))
    assert views[10].note == f"a hand covers {under}"
    assert views[79].note == f"something lies over {under}, move it away"
    assert views[-1].state is ViewState.SETTLED


def test_a_hand_of_which_little_is_seen_is_not_said_to_lie_there():
    over = Occlusion(True, {"r1c1": 0.04}, None, np.zeros((4, 2)))
    assert str(_of_hand(over, ["r1c1"])).startswith("a hand covers")


def test_a_sleeve_that_has_rested_hides_all_on_its_way_and_is_nothing_to_know_the_table_by():
    it = scene("grid", "000")
    views = play(it, [lying(it, 600.0, 4.0)] * 6, stills=True)
    assert states(views) == [ViewState.HAND] + [ViewState.SETTLED] * 5
    x, _ = it.grid.centre_mm(0, 1)
    spans = {o.slot: [corner[0] for corner in o.corners_mm] for o in it.outlines}
    assert {slot for slot, xs in spans.items() if min(xs) < x < max(xs)} <= views[-1].over.unread


def test_a_sleeve_that_came_after_the_table_was_seen_rests_as_well():
    it = scene("grid", "000")
    around = occluded_slots(it.image, it.true_pose, it.outlines, grains=None).rings

    def over(image, resting):
        return occluded_slots(image, it.true_pose, it.outlines, before=around, grains=None, resting=resting)

    come = over(lying(it, 600.0, 4.0), ())
    assert come.hand
    rested = over(lying(it, 600.0, 4.0), come.still)
    assert not rested.hand
    assert rested.unread >= come.pointed
    assert over(lying(it, 600.0, -90.0), come.still).hand  # it has gone on over a slot


def test_noise_that_all_pictures_of_a_rest_share_is_no_grain_of_the_table(it):
    tracker, classifier = PoseTracker(), ViewClassifier(it.outlines)
    for n in range(60):  # as a video stream that repeats itself until something moves
        shown = it.image if n < 30 else cv2.convertScaleAbs(it.image, alpha=1.1)
        shown = noisy(shown, np.random.default_rng(n // 30), 8.0)
        classifier.classify(shown, tracker.track(shown, n * FRAME_S), n * FRAME_S)
        if n == 29:
            assert [grain.is_seen for grain in classifier._grains] == [None]
    assert all(grain.is_seen is not None for grain in classifier._grains)


def test_a_hand_that_comes_over_or_beside_what_has_rested_is_one():
    it = scene("grid", "000")
    box = lying(it, 110.0, -8.0)
    for arm in (painted_arm(it, (0.0, 0.0), (320.0, -60.0), (60, 90, 140)), lying(it, 600.0, -90.0)):
        views = play(it, [box] * 4 + [lying(it, 110.0, -8.0, arm)], stills=True)
        assert states(views)[-2:] == [ViewState.SETTLED, ViewState.HAND]


def test_a_picture_in_which_the_reader_found_a_hand_is_not_what_the_table_looks_like(it):
    tracker, classifier = PoseTracker(stills=True), ViewClassifier(it.outlines, stills=True)
    classifier.classify(it.image, tracker.track(it.image, 0.0), 0.0)
    assert len(classifier._looks) == 1
    classifier.reached_over()
    assert not classifier._looks


def test_what_the_reader_finds_in_one_picture_after_the_other_beside_these_slots_rests(it):
    tracker, classifier = PoseTracker(stills=True), ViewClassifier(it.outlines, stills=True)
    known = []
    for n in range(4):
        known.append(classifier.classify(it.image, tracker.track(it.image, float(n)), float(n)).resting)
        classifier.read_over(Occlusion(True, {"B-b1": 0.7, "A-b1": 0.0}, None, np.zeros((4, 2))), float(n))
    assert known == [{}, *[{"B-b1": 0.7}] * 3]


def test_a_thing_that_an_arm_has_hidden_for_long_is_known_when_the_arm_has_gone():
    it = scene("grid", "000")
    box, arm = lying(it, 110.0, -8.0), lying(it, 600.0, -90.0)
    views = play(it, [box] * 3 + [arm] * 5 + [box], stills=True)
    assert states(views) == [ViewState.HAND, *[ViewState.SETTLED] * 2, *[ViewState.HAND] * 5, ViewState.SETTLED]


@pytest.mark.parametrize(("least", "ends"), [(KNOWN_SHARE, False), (KNOWN_SHARE * RESTED_PART, True)])
def test_of_what_has_rested_less_need_be_unlike_the_table(least, ends):
    table = np.array([[40.0, 5.0, 12.0]], np.float32)
    lab = np.tile(table, (60, 60, 1)).astype(np.float32)
    lab[26:34, 26:30] = 70.0, 0.0, 0.0  # most of it looks like the table
    across = np.array([[x, 29.0] for x in range(25, 36)])
    shown = np.ones(lab.shape[:2], bool)
    assert ends_all_around(lab, BLACK_LAB, 4.0, across, table, shown, least) is ends
