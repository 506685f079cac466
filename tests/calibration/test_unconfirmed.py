"""What is guessed of faces of which nobody confirmed anything: icons that recur, grounds and spots by their colours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from calibration.face_print.face_view import PrintView
from calibration.face_print.recurring import find_recurring
from calibration.face_print.small_view import SMALL
from calibration.proposals.faces import Proposal
from calibration.proposals.parts import form_of_parts
from calibration.proposals.read import FaceReader
from companion.games.rifts.edition.form import FORM

BGR = {
    "mountain": (205, 202, 200), "forest": (60, 120, 60), "desert": (100, 220, 240), "village": (170, 115, 85),
    "river": (205, 205, 110), "imperium": (150, 90, 140),
}
SPOT_BGR = {"fire": (30, 120, 230), "earth": (60, 130, 50), "air": (245, 240, 240)}


def face(land: str, sells: str = "") -> PrintView:
    """A space with its land's ground, and a spot for what a village buys."""
    picture = np.full((160, 140, 3), BGR[land], np.int16)
    if sells:
        picture[110:140, 30:60] = SPOT_BGR[sells]
    noise = np.random.default_rng([*map(ord, land + sells)]).normal(0, 2, picture.shape)
    return PrintView.of(np.clip(picture + noise, 0, 255).astype(np.uint8))


def read(*faces: tuple[PrintView, Mapping[str, str]]) -> list[dict[str, Proposal]]:
    return FaceReader(form_of_parts(FORM)).propose(faces)


def test_lands_are_guessed_together_by_the_colours_that_the_rulebook_names_and_asked() -> None:
    said = [one["land"] for one in read(*((face(land), {}) for land in BGR))]
    assert [one.value for one in said] == list(BGR)
    assert not any(one.sure for one in said)


def test_a_land_that_was_confirmed_is_surely_read_where_its_ground_is_seen_again() -> None:
    confirmed = [(face(land), {"land": land}) for land in BGR]
    said = read(*confirmed, (face("river"), {}))[-1]["land"]
    assert (said.value, said.sure) == ("river", True)


def test_what_villages_buy_is_guessed_by_the_spots_colour_and_sure_after_three() -> None:
    seen = [face("village", sells) for sells in (*SPOT_BGR, "earth")]
    told = [{"land": "village", "sells": sells} for sells in SPOT_BGR]
    first = [one["sells"] for one in read(*((view, {"land": "village"}) for view in seen))]
    assert [one.value for one in first] == [*SPOT_BGR, "earth"]
    assert not any(one.sure for one in first)
    later = read(*zip(seen[:3], told, strict=True), (seen[3], {"land": "village"}))[-1]["sells"]
    assert (later.value, later.sure) == ("earth", True)
    other = read(*zip(seen[:2], told[:2], strict=True), (seen[3], {"land": "village"}))[-1]["sells"]
    assert not other.sure, "two confirmed ones are too few"


def test_what_a_kept_space_has_not_tells_nothing_of_those_that_have_it() -> None:
    """A kept forest has "" as what it buys: that is no value that a village was confirmed to have."""
    forest = {"land": "forest", "enemy": "no", "rift": "no", "sells": "", "gold": ""}
    said = read((face("forest"), forest), *((face("village", s), {"land": "village"}) for s in SPOT_BGR))
    assert [one["sells"].value for one in said[1:]] == list(SPOT_BGR)


GROUNDS = np.array([[60.0, -40, 30], [80, 0, 70], [70, 0, -5]], np.float32)


def smalls(with_icon: Mapping[int, tuple[int, int]], emblem: bool = False) -> tuple[list[np.ndarray], list[int]]:
    """Nine faces on three grounds; face number -> left and top of its icon, 8 px."""
    kinds = [k % 3 for k in range(9)]
    out = []
    for k, kind in enumerate(kinds):
        one = np.tile(GROUNDS[kind], (SMALL, SMALL, 1)) + np.random.default_rng(k).normal(0, 1, (SMALL, SMALL, 3))
        if emblem and kind < 2:
            one[16:24, 16:24] = (20, 0, 0)
        if k in with_icon:
            left, top = with_icon[k]
            one[top : top + 8, left : left + 8] = (45, 60, 40)
        out.append(one.astype(np.float32))
    return out, kinds


@pytest.mark.parametrize(
    ("with_icon", "members"),
    [({0: (5, 25), 4: (5, 25), 8: (5, 25)}, [{0, 4, 8}]),
     ({0: (5, 25), 4: (5, 25), 1: (28, 8), 2: (28, 8), 3: (28, 8)}, [{1, 2, 3}, {0, 4}]),
     ({0: (5, 25), 3: (5, 25)}, []),  # on one ground alone
     ({0: (5, 25), 4: (20, 6)}, []),  # at two places
     ({}, [])],
)
def test_icons_are_what_recurs_at_one_place_of_faces_whose_grounds_differ(
    with_icon: dict[int, tuple[int, int]], members: list[set[int]]
) -> None:
    faces, kinds = smalls(with_icon)
    found = find_recurring(faces, [GROUNDS[kind] for kind in kinds], kinds)
    assert [set(one.members) for one in found] == members


def test_what_all_faces_of_two_grounds_have_is_their_emblem_and_no_icon() -> None:
    faces, kinds = smalls({}, emblem=True)
    assert find_recurring(faces, [GROUNDS[kind] for kind in kinds], kinds) == ()
