"""A bumped camera is noticed, readings in between are void, and the table is found again by itself."""

from __future__ import annotations

import numpy as np
import pytest
from shaken import bumped, noisy
from small_set import scene, without_markers

from vision.locate.pose import locate_table
from vision.locate.pose_tracker import TRANSITIONS, PoseFinding, PoseTracker, Tracking

FRAME_S = 1 / 15
BUMP_FRAME = 6
NOTICED_S, LOCKED_S = 1.0, 2.0


def watch(tracker, frames):
    """Tracking after each frame, with its time."""
    rng = np.random.default_rng(7)
    return [tracker.track(noisy(frame, rng), n * FRAME_S) for n, frame in enumerate(frames)]


@pytest.mark.parametrize("by_px", [3.0, 5.0, 20.0, 80.0])
def test_a_bump_is_noticed_within_a_second_and_locked_again_within_two(by_px):
    image = scene("grid", "001").image
    moved = bumped(image, by_px)
    states = watch(PoseTracker(), [image] * BUMP_FRAME + [moved] * 20)
    assert all(s.tracking is Tracking.LOCKED for s in states[1:BUMP_FRAME])
    after = states[BUMP_FRAME:]
    noticed = next(n for n, s in enumerate(after) if s.tracking is Tracking.MOVED)
    locked = next(n for n, s in enumerate(after) if n > noticed and s.tracking is Tracking.LOCKED)
    assert noticed * FRAME_S < NOTICED_S
    assert locked * FRAME_S < LOCKED_S
    assert all(s.pose is None for s in after[noticed:locked])  # nothing can be read while it is not known
    assert after[locked].epoch == states[0].epoch + 1
    true = locate_table(moved)
    middle = np.zeros((1, 2))
    assert after[locked].pose.project(middle) == pytest.approx(true.project(middle), abs=1.0)


def test_a_camera_at_rest_stays_locked_to_one_pose():
    states = watch(PoseTracker(), [scene("grid", "001").image] * 30)
    assert {s.epoch for s in states} == {1}
    assert all(s.pose is states[0].pose for s in states)
    assert max(s.shift_px for s in states) < 0.5


def test_a_slow_drift_adds_up_and_is_noticed():
    image = scene("grid", "001").image
    states = watch(PoseTracker(), [bumped(image, 0.25 * n) for n in range(16)])
    moved = next(n for n, s in enumerate(states) if s.tracking is Tracking.MOVED)
    assert 0.25 * moved <= 3.0


def test_markers_under_a_hand_do_not_count_as_a_bump():
    it = scene("grid", "001")
    states = watch(PoseTracker(), [it.image] * 4 + [without_markers(it, 0, 3)] * 12)
    assert all(s.tracking is Tracking.LOCKED for s in states)
    assert {s.epoch for s in states} == {1}


def test_a_table_out_of_sight_is_lost_and_found_again():
    image = scene("grid", "001").image
    dark = np.zeros_like(image)
    states = watch(PoseTracker(), [image] * 3 + [dark] * 25 + [image] * 12)
    assert states[27].tracking is Tracking.LOST
    assert states[27].pose is None
    assert "corner markers are needed" in states[27].reason
    assert states[-1].tracking is Tracking.LOCKED


def test_a_changed_picture_size_is_another_camera():
    image = scene("grid", "001").image
    tracker = PoseTracker()
    tracker.track(image, 0.0)
    small = image[::2, ::2].copy()
    state = tracker.track(small, 0.1)
    assert state.tracking is not Tracking.LOCKED or state.pose.camera.size_wh == (640, 360)


def test_pictures_that_stand_alone_are_locked_at_once():
    image = scene("grid", "001").image
    states = watch(PoseTracker(stills=True), [image, bumped(image, 30.0), image])
    assert [s.tracking for s in states] == [Tracking.LOCKED] * 3
    assert [s.epoch for s in states] == [1, 2, 3]


def test_without_markers_the_grid_is_followed():
    it = scene("grid", "012")
    tracker = PoseTracker(grid=it.grid)
    states = watch(tracker, [it.image] * 3)
    assert states[-1].tracking is Tracking.LOCKED
    assert states[-1].pose.by == "grid"
    assert tracker.track(bumped(it.image, 12.0), 1.0).tracking is not Tracking.LOCKED


WHILE_LOCKED = {PoseFinding.SAME_PLACE, PoseFinding.RESIZED, PoseFinding.SHIFTED, PoseFinding.HIDDEN}
SEARCHED = {PoseFinding.FOUND, PoseFinding.UNCONFIRMED, PoseFinding.NOT_FOUND, PoseFinding.NOT_FOUND_FOR_LONG}


def test_every_state_has_a_row_for_all_that_can_be_found_in_it():
    assert set(TRANSITIONS) == set(Tracking)
    for tracking, row in TRANSITIONS.items():
        assert set(row) == (WHILE_LOCKED if tracking is Tracking.LOCKED else SEARCHED) | {PoseFinding.FORGOTTEN}


@pytest.mark.parametrize(("tracking", "finding"), [(t, f) for t, row in TRANSITIONS.items() for f in row])
def test_only_a_found_table_or_an_unmoved_camera_leaves_the_pose_locked(tracking, finding):
    after = TRANSITIONS[tracking][finding]
    assert (after is Tracking.LOCKED) == (finding in (PoseFinding.FOUND, PoseFinding.SAME_PLACE))
    assert (after is Tracking.MOVED) <= (finding is PoseFinding.SHIFTED or tracking is Tracking.MOVED)
    if finding in (PoseFinding.UNCONFIRMED, PoseFinding.FORGOTTEN):
        assert after is (tracking if finding is PoseFinding.UNCONFIRMED else Tracking.LOOKING)
    if finding is PoseFinding.NOT_FOUND_FOR_LONG:
        assert after is Tracking.LOST


def test_what_is_forgotten_is_searched_anew():
    tracker = PoseTracker()
    assert tracker.track(scene("grid", "001").image, 0.0).tracking is Tracking.LOCKED
    tracker.forget()
    assert (tracker.now.tracking, tracker.now.pose) == (Tracking.LOOKING, None)
