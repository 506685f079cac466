"""A grid read again says the same as one read whole, and reads only what has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from learnt_sets import learnt

import companion.app
from companion.app.camera.film import read_jobs
from vision.locate.pose import TablePose, locate_table
from vision.scenes.scene_set import picture
from vision.tables.again.incremental import AT_LEAST, TableMemory, ZoneMemory
from vision.tables.changes import find_changes
from vision.tables.grid import GridPlan
from vision.tables.table_reader import TableReader, TableReading

FILM = Path(companion.app.__file__).parent / "demo" / "film"
OPENING = tuple(range(12))
"""The film's first pictures: two moves, a capture, a refill, and hands between them."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    cv2.setNumThreads(1)
    return learnt(FILM).table(read_jobs(FILM / "game").players)


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    return [picture(FILM / "game" / f"{n:04d}.webp") for n in OPENING]


@pytest.fixture(scope="module")
def pose(reader: TableReader, pictures: list[np.ndarray]) -> TablePose:
    found = locate_table(pictures[0], reader.markers)
    assert isinstance(found, TablePose)
    return found


@pytest.fixture(scope="module")
def first(reader: TableReader, pictures: list[np.ndarray], pose: TablePose) -> TableReading:
    return reader.read(pictures[0], pose=pose)


def told(reading: TableReading) -> list[tuple[object, ...]]:
    return [(one.slot, one.state, one.face, one.turn, one.pieces) for one in reading.places]


def grid_of(memory: TableMemory | None) -> ZoneMemory:
    assert memory is not None
    (zone,) = memory.zones
    return zone


def read_last(memory: TableMemory | None) -> set[str]:
    """The cells that were read in the last picture."""
    zone = grid_of(memory)
    return {slot for slot, number in zone.read_in.items() if number == zone.pictures - 1}


def test_following_pictures_say_the_same_as_if_each_were_read_whole(
    reader: TableReader, pictures: list[np.ndarray], pose: TablePose, first: TableReading
) -> None:
    memory, few = first.memory, 0
    for image in pictures[1:]:
        followed = reader.read(image, pose=pose, memory=memory)
        if not followed.hand:
            assert told(followed) == told(reader.read(image, pose=pose))
            few += len(read_last(followed.memory)) < len(reader.layout.slots)
        memory = followed.memory
    assert few >= 5  # of seven pictures without a hand


def test_a_picture_without_a_change_is_read_in_a_few_cells_only(
    reader: TableReader, pictures: list[np.ndarray], pose: TablePose, first: TableReading
) -> None:
    memory = first.memory
    had_a_turn: set[str] = set()
    for _ in range(len(reader.layout.slots) // AT_LEAST):
        memory = reader.read(pictures[0], pose=pose, memory=memory).memory
        assert len(read_last(memory)) == AT_LEAST
        had_a_turn |= read_last(memory)
    assert had_a_turn == {outline.slot for outline in reader.layout.slots}


def test_a_cell_whose_reading_was_wrong_is_put_right_in_its_turn(
    reader: TableReader, pictures: list[np.ndarray], pose: TablePose, first: TableReading
) -> None:
    right = grid_of(first.memory)
    slot = first.places[0].slot
    wrong = replace(first.places[0], pieces=(("red", 3),), pieces_p=1.0)
    places = {**right.reading.places, slot: wrong}
    memory: TableMemory | None = TableMemory((replace(right, reading=replace(right.reading, places=places)),))
    for _ in range(len(places) // AT_LEAST + 1):
        again = reader.read(pictures[0], pose=pose, memory=memory)
        memory = again.memory
    assert told(again) == told(first)


def test_another_light_makes_the_whole_grid_be_read(
    reader: TableReader, pictures: list[np.ndarray], pose: TablePose, first: TableReading
) -> None:
    darker = cv2.convertScaleAbs(pictures[0], alpha=0.8)
    again = reader.read(darker, pose=pose, memory=first.memory)
    assert grid_of(again.memory).pictures == 1
    assert told(again) == told(first)


def test_a_hand_leaves_nothing_behind_in_the_memory(
    reader: TableReader, pictures: list[np.ndarray], pose: TablePose, first: TableReading
) -> None:
    hands = [reader.read(image, pose=pose, memory=first.memory) for image in pictures[2:5]]
    assert any(r.hand for r in hands)
    assert all(r.memory is first.memory for r in hands if r.hand)


def test_an_emptied_place_without_neighbours_is_read_as_empty(reader: TableReader, pose: TablePose) -> None:
    table = picture(FILM / "game" / "0000.webp")
    bare = cv2.GaussianBlur(table[:40, :40], (0, 0), 9)  # a patch of the table's own colour
    lone = table.copy()
    keep, plan = (0, 0), GridPlan.of(reader.layout)
    assert plan is not None
    for r, c in plan.cells():
        if (r, c) != keep:
            _cover(lone, pose, plan.corners_mm(r, c), bare)
    first = reader.read(lone, pose=pose)
    gone = lone.copy()
    _cover(gone, pose, plan.corners_mm(*keep), bare)
    again = reader.read(gone, pose=pose, memory=first.memory)
    assert all(one.face is None for one in again.places)


def _cover(image: np.ndarray, pose: TablePose, place_mm: np.ndarray, colour: np.ndarray) -> None:
    """Paint a place (4, 2) mm and 8 mm around it over with the mean of `colour`, in place."""
    middle = place_mm.mean(axis=0)
    grown = middle + (place_mm - middle) * (1 + 16 / np.ptp(place_mm[:, 0]))
    outline = pose.project(np.column_stack([grown, np.zeros(4)]))
    cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), colour.reshape(-1, 3).mean(axis=0).tolist())


@pytest.mark.parametrize(("cube_grey", "under"), [(30, 60), (200, 120), (75, 60)])
def test_a_cube_is_a_change_and_noise_is_none(cube_grey: int, under: int) -> None:
    rng = np.random.default_rng(5)

    def shot(grey: np.ndarray) -> np.ndarray:
        return np.clip(grey + rng.normal(0, 2.5, grey.shape), 0, 255).astype(np.uint8)

    plain = np.full((90, 90, 3), under, np.float64)
    with_cube = plain.copy()
    with_cube[40:55, 40:55] = cube_grey
    whole = (slice(0, 90), slice(0, 90))
    assert not find_changes(shot(plain), shot(plain * 1.02)).within(whole)
    assert find_changes(shot(plain), shot(with_cube)).within(whole)
