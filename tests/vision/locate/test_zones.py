"""Slots that lie close together are one zone; others begin a new one."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.layout import SlotOutline
from vision.locate.camera_model import Camera
from vision.locate.pose import TablePose
from vision.locate.zones import CLOSE_MM, all_in_picture, in_picture, zones_of


def square(name: str, x: float, y: float) -> SlotOutline:
    return SlotOutline(name, ((x, y), (x + 50, y), (x + 50, y + 50), (x, y + 50)))


@pytest.mark.parametrize(
    ("places", "zones"),
    [
        ({"a": (0, 0), "b": (60, 0)}, [["a", "b"]]),
        ({"a": (0, 0), "b": (50 + CLOSE_MM + 1, 0)}, [["a"], ["b"]]),
        ({"a": (0, 0), "b": (160, 0), "c": (80, 0)}, [["a", "b", "c"]]),  # c joins the two
        ({"a": (0, 0), "b": (0, 300), "c": (60, 300), "d": (60, 0)}, [["a", "d"], ["b", "c"]]),
    ],
    ids=["side by side", "apart", "a bridge", "two rows"],
)
def test_zones(places: dict[str, tuple[float, float]], zones: list[list[str]]) -> None:
    outlines = [square(name, *at) for name, at in places.items()]
    assert [[o.slot for o in zone] for zone in zones_of(outlines)] == zones


def test_a_place_is_in_the_picture_when_all_its_corners_are() -> None:
    camera = Camera.estimated((200, 100), 1.0)  # from 200 mm straight above a px is a mm, the middle at (99.5, 49.5)
    pose = TablePose(camera, np.zeros(3), np.array([0.0, 0.0, 200.0]), "markers", 0.0)
    square_mm = np.array([[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0]])
    places = square_mm + np.array([[[0.0, 0.0]], [[89.0, 0.0]], [[90.0, 0.0]], [[0.0, -40.0]]])
    image = np.zeros((100, 200, 3), np.uint8)
    assert all_in_picture(image, pose, places).tolist() == [True, True, False, False]
    assert in_picture(image, pose, places[1])
