"""Which faces are surely seen instead of those that are believed, and in how many scenes."""

from __future__ import annotations

from random import Random

from followed_table import sample_rules

from companion.core.layout import SlotView
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes, random_state
from companion.table.tracking.appearance import board_look
from companion.table.tracking.reading.still_scene import StillScene
from companion.table.tracking.reading.sure_readings import SURE_SCENES, SureReadings

RULES = sample_rules()
VIEW = board_look(RULES, random_state(RULES, Random(3)))
OTHER = next(face for face in map(RULES.same_face, RULES.faces()) if face not in {at.face for _, at in VIEW.slots})


def seen(face: str):  # type: ignore[no-untyped-def]
    """A picture in which that face lies in r1c1, and what it shows."""
    picture = SimulatedEyes(RULES, Noise(), Random(1)).look(VIEW.with_slots({"r1c1": SlotView(face)}))
    return picture, StillScene(RULES.same_face).add(picture)


def test_a_scene_counts_once_and_a_right_reading_begins_anew() -> None:
    readings, (_, other), (_, right) = SureReadings(), seen(OTHER), seen(VIEW.at("r1c1").face)
    for _ in range(SURE_SCENES):
        assert readings.often() == ()
        readings.look(VIEW, other)
        readings.look(VIEW, other)
        readings.scene_changed()
    assert readings.often() == ("r1c1",)
    readings.look(VIEW, right)
    assert readings.often() == ()


def test_a_face_that_people_said_is_misread_is_called_what_it_is_as_long_as_it_lies_there() -> None:
    readings, (picture, _) = SureReadings(), seen(OTHER)
    lies = VIEW.at("r1c1").face
    readings.deny("r1c1", OTHER, lies)
    named = {one.slot: one.faces for one in readings.put_right(picture, VIEW, RULES).slots}
    assert [face for face, _ in named["r1c1"]] == [lies]
    gone = VIEW.with_slots({"r1c1": SlotView()})
    assert readings.put_right(picture, gone, RULES) == picture
    assert readings.put_right(picture, VIEW, RULES) == picture  # and is forgotten then
