"""Spaces of a drawn map: each is named in the turn it lies in, and no turn of it is looked at twice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, THICK_MM, bare_cloth, lay

from vision.faces.book import FaceBook
from vision.faces.coarse import NOMINAL_SIZE
from vision.faces.identify import identify_many
from vision.faces.learning import learn_faces
from vision.tables.maps.naming import space_faces
from vision.tables.maps.naming.space_faces import SpaceFaces
from vision.tables.maps.space_pieces import SQUARE_SIDES
from vision.tables.place import Shot

SIDE_MM = 32.0
MIDDLES = {"west": np.array([-60.0, 0.0]), "east": np.array([60.0, 0.0]), "bare": np.array([0.0, 60.0])}
LAID = {"west": (0, 2), "east": (1, 0)}
"""Which tile lies there, and in which of the six turns."""
TILES = drawn_tiles(2, 36, every=12)
NAMES = tuple(TILES)


@pytest.fixture(scope="module")
def book() -> FaceBook:
    cv2.setNumThreads(1)
    return learn_faces({name: [tile] for name, tile in TILES.items()}, size_px=96)


class Counting:
    """Names crops as `identify_many`, and counts them."""

    def __init__(self) -> None:
        self.named = self.most = 0

    def __call__(self, book: FaceBook, crops, **how):
        self.named, self.most = self.named + len(crops), max(self.most, len(crops))
        return identify_many(book, crops, **how)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    counted = Counting()
    monkeypatch.setattr(space_faces, "identify_many", counted)
    return counted


@pytest.fixture
def faces(book: FaceBook) -> SpaceFaces:
    image = bare_cloth()
    for slot, (number, turn) in LAID.items():
        lay(image, TILES[NAMES[number]], MIDDLES[slot], SIDE_MM * SQUARE_SIDES, turn_deg=60.0 * turn)
    return SpaceFaces(Shot(image, POSE), book, MIDDLES, SIDE_MM, THICK_MM)


def test_every_space_is_named_in_its_turn_and_bare_table_is_not(faces: SpaceFaces) -> None:
    read = faces.read(list(MIDDLES), None)
    assert {slot: (read[slot].face, read[slot].turn) for slot in LAID} == {
        slot: (NAMES[number], turn) for slot, (number, turn) in LAID.items()
    }
    assert {slot for slot, one in read.items() if one.is_clear} == set(LAID)


def test_in_the_turn_in_which_it_lay_a_space_is_named_at_once(faces: SpaceFaces, counting: Counting) -> None:
    read = faces.in_turns({slot: turn for slot, (_, turn) in LAID.items()})
    assert {slot: one.face for slot, one in read.items()} == {slot: NAMES[n] for slot, (n, _) in LAID.items()}
    assert counting.named == len(LAID)


def test_a_space_that_lies_otherwise_is_not_named_in_that_turn_and_read_there_once(
    faces: SpaceFaces, counting: Counting
) -> None:
    assert not faces.in_turns({"west": LAID["west"][1] + 1})
    first = faces.read(["west"], None)
    assert first["west"].turn == LAID["west"][1]
    asked = counting.named
    assert faces.read(["west"], None) == first
    assert counting.named == asked


def test_spaces_are_read_closely_a_few_at_a_time(
    faces: SpaceFaces, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space_faces, "CLOSELY_TOGETHER", 4)
    read = faces.in_all_turns(list(LAID))
    assert (counting.named, counting.most) == (6 * len(LAID), 4)
    assert {slot: (one.face, one.turn) for slot, one in read.items()} == {
        slot: (NAMES[number], turn) for slot, (number, turn) in LAID.items()
    }


def test_of_all_turns_of_a_space_the_likest_is_found_whatever_the_coarse_ranking_says(
    faces: SpaceFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    least = np.array([0.0, 0.01, 0.02, 0.02, 0.02, 0.02])  # it lies in the third
    monkeypatch.setattr(faces, "_misfits", {"west": np.repeat(least[:, None], len(TILES), axis=1)})
    assert faces.read(["west"], None)["west"].turn != LAID["west"][1]
    found = faces.in_all_turns(["west"])["west"]
    assert (found.face, found.turn) == (NAMES[LAID["west"][0]], LAID["west"][1])


def test_one_crop_ranks_all_turns_as_crops_cut_for_each_of_them(faces: SpaceFaces) -> None:
    faces.read(list(MIDDLES), None)
    for slot in MIDDLES:
        crops = faces._cut([(slot, turn) for turn in range(6)], space_faces.FIRST_LOOK_PX).astype(np.float32) / 255
        each = faces._book.index._looks(list(crops), (0,), space_faces.CROP_MARGIN, NOMINAL_SIZE)
        # neighbouring pixels are mixed once less: on rendered maps up to 0.0009
        assert faces._misfits[slot].min(axis=1) == pytest.approx([misfit for misfit, _ in each], abs=0.004)


def test_a_face_is_told_at_a_glance_where_no_other_is_near(faces: SpaceFaces, counting: Counting) -> None:
    told = faces.at_a_glance(list(MIDDLES), 0.05)
    assert told == {slot: (NAMES[number], turn) for slot, (number, turn) in LAID.items()}
    assert counting.named == 0
    assert faces.at_a_glance(list(MIDDLES), 0.0) == {}


@pytest.mark.parametrize(
    ("turn", "picture", "misfit", "told"), [(0, 0, 0.019, False), (3, 1, 0.019, False), (3, 1, 0.021, True)]
)
def test_nothing_is_told_at_a_glance_where_another_face_or_turn_is_near(
    faces: SpaceFaces, monkeypatch: pytest.MonkeyPatch, turn: int, picture: int, misfit: float, told: bool
) -> None:
    misfits = np.full((6, len(TILES)), 0.2)
    misfits[2, 0], misfits[turn, picture] = 0.01, misfit
    monkeypatch.setattr(faces, "_misfits", {"west": misfits})
    assert faces.at_a_glance(["west"], 0.05) == ({"west": (NAMES[0], 2)} if told else {})
