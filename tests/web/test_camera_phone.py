"""Of several phones that send pictures one is the camera."""

from __future__ import annotations

from web.handlers.camera_phone import SILENT_S, CameraPhone


def test_the_pictures_of_one_phone_are_taken_until_it_is_silent() -> None:
    phones = CameraPhone()
    assert phones.admits("a", 0.0)
    assert not phones.admits("b", 1.0)
    assert phones.admits("a", 2.0)
    assert not phones.admits("b", 2.0 + SILENT_S - 0.1)
    assert phones.admits("b", 2.0 + SILENT_S)
    assert not phones.admits("a", 2.1 + SILENT_S)


def test_a_phone_that_takes_over_is_the_camera_from_then_on() -> None:
    phones = CameraPhone()
    assert phones.admits("a", 0.0)
    assert phones.admits("b", 0.1, takes_over=True)
    assert not phones.admits("a", 0.2)
    assert phones.admits("b", 0.3)
