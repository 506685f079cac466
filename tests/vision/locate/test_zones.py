"""Slots that lie close together are one zone; others begin a new one."""

from __future__ import annotations

import pytest

from companion.core.layout import SlotOutline
from vision.locate.zones import CLOSE_MM, zones_of


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
