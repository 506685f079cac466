"""From a source's frames to what may be read."""

from __future__ import annotations

import cv2
from mjpeg_camera import HandClock
from shaken import bumped
from small_set import scene

from companion.core.inputs import ViewState
from vision.follow import Follower
from vision.lookout import Lookout
from vision.settle import Settler
from vision.sources import BrowserSource, open_source


def test_a_replay_is_read_picture_by_picture_and_a_bump_voids_what_was_begun(tmp_path):
    it, hand = scene("grid", "001"), scene("grid", "007")
    for number, image in enumerate([it.image, bumped(it.image, 25.0), hand.image]):
        cv2.imwrite(str(tmp_path / f"{number:04d}.png"), image)
    source = open_source(f"replay:{tmp_path}", clock=HandClock())
    source.start()
    lookout = Lookout(source, Follower(stills=True), Settler(it.outlines, stills=True))
    first, second, third, end = (lookout.look() for _ in range(4))
    frame, pose = first.readable
    assert frame.name == "0000.png"
    assert it.slot_errors_mm(pose).max() < 1.0
    assert second.readable is not None
    assert second.void(first.following.epoch)
    assert not second.void(second.following.epoch)
    assert third.view.state is ViewState.HAND
    assert third.readable is None
    assert end.frame is None


def test_a_sleeping_phone_is_stale_and_its_last_picture_is_not_read_again():
    it = scene("grid", "001")
    clock = HandClock()
    source = BrowserSource(clock=clock)
    lookout = Lookout(source, Follower(stills=True), Settler(it.outlines, stills=True))
    assert lookout.look().view.state is ViewState.WAITING
    source.push(cv2.imencode(".jpg", it.image)[1].tobytes())
    assert lookout.look().readable is not None
    clock.now_s += 1.0
    asleep = lookout.look()
    assert asleep.view.state is ViewState.STALE
    assert asleep.readable is None
    assert "no new picture" in asleep.view.note
