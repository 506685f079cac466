"""Things that stand beside the slots are told from arms that reach over them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.view.arms.standing_things import StandingThings, bare_table, ends_all_around, ends_before, unlike_skin

FELT, MUG, BLACK = (15.0, -20.0, 20.0), (30.0, 0.0, 5.0), 8.0
SLOTS_PX = np.array([[60.0, 60.0], [140.0, 140.0]])  # at 2 mm a px what is near the slots ends 8 px outside of them


def felt_with(*things: tuple[tuple[int, int, int, int], tuple[float, float, float]]) -> np.ndarray:
    view = np.full((200, 200, 3), FELT, np.float32) + np.random.default_rng(1).normal(0, 1, (200, 200, 3)).astype("f4")
    for (x0, y0, x1, y1), colour in things:
        cv2.rectangle(view, (x0, y0), (x1, y1), colour, -1)
    return view


def shown(view: np.ndarray) -> np.ndarray:
    """What is found of samples across the rim above the slots."""
    rim = np.array([[x, y] for x in range(84, 112, 4) for y in range(30, 46, 4)], float)
    return ends_before(view, BLACK, 2.0, SLOTS_PX, rim, np.tile(FELT, (30, 1)))


@pytest.mark.parametrize(
    ("things", "stands"),
    [
        ([((80, 5, 114, 49), MUG)], True),
        ([((80, 0, 114, 49), MUG)], True),  # cut off by the picture's rim
        ([((80, 5, 114, 49), MUG), ((60, 55, 72, 70), (20, 40, 30))], True),  # a corner card beside it
        ([((80, 0, 114, 70), MUG)], False),  # an arm
        ([((80, 0, 114, 49), MUG), ((90, 49, 98, 90), MUG)], False),  # its finger
        ([((80, 0, 114, 49), (9.0, -14.0, 14.0))], False),  # a shadow
    ],
)
def test_what_has_bare_table_between_itself_and_the_slots_ends_before_them(things, stands):
    assert shown(felt_with(*things)).all() == stands
    assert shown(felt_with(*things)).any() == stands


def test_the_shadow_beside_a_mug_is_no_part_of_it():
    found = shown(felt_with(((80, 5, 114, 49), (9.0, -14.0, 14.0)), ((80, 5, 100, 49), MUG)))
    assert 0 < found.sum() < len(found)


def test_nothing_is_found_where_the_table_is_not_seen():
    none = np.zeros((0, 3))
    assert not ends_before(felt_with(), BLACK, 2.0, SLOTS_PX, np.array([[90.0, 30.0]]), none).any()


def test_a_thing_is_known_after_it_has_stood_for_a_while_and_until_it_was_long_gone():
    things, there, gone = StandingThings(5.0, 60.0), np.array([True, False]), np.zeros(2, bool)
    assert not things.see(there, 0.0).any()
    assert not things.see(there, 4.0).any()
    assert things.see(there, 5.0).tolist() == [True, False]
    assert things.see(gone, 30.0).tolist() == [True, False]  # a hand before it
    assert not things.see(gone, 70.0).any()
    assert not things.see(there, 71.0).any()


@pytest.mark.parametrize(
    ("table", "unlike"),
    [
        (FELT, True), ((30.0, 5.0, -30.0), True), ((20.0, 54.0, 8.0), True), ((30.0, 12.0, 22.0), False),
        ((45.0, 0.0, 3.0), False),
    ],
    ids=["felt", "blue cloth", "crimson cloth", "wood", "white"],
)
def test_a_bare_hand_can_hide_on_wood_and_not_on_felt(table, unlike):
    assert unlike_skin(np.tile(table, (9, 1)), BLACK) == unlike
    assert not unlike_skin(np.zeros((0, 3)), BLACK)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ((28.0, -2.0, 1.0), True),  # grey
        ((13.0, -0.5, 4.0), True),  # dark grey felt
        (FELT, True),
        ((6.0, 0.0, 1.0), False),  # too dark to tell hues
        ((30.0, 8.0, 20.0), False),  # wood
        ((13.5, 7.5, -4.0), False),  # violet, as pale skin in the shade
        ((20.0, 54.0, 8.0), True),  # crimson
    ],
)
def test_bare_table_is_told_by_its_colours_where_no_hand_has_them(table, told):
    view = np.full((40, 60, 3), table, np.float32)
    black = np.array([BLACK, 0.0, 0.0])
    view[:, 20:40] = (np.array(table) + black) * 0.65 - black  # in a shadow
    view[:, 40:] = (12.5, 11.0, 16.0)  # dark brown skin
    bare = bare_table(view, np.tile(np.array(table, np.float32), (30, 1)), BLACK)
    assert (bare is not None) == told
    if bare is not None:
        assert bare[:, :40].all()
        assert not bare[:, 40:].any()
    assert bare_table(view, np.zeros((0, 3), np.float32), BLACK) is None


@pytest.mark.parametrize(
    ("light", "things", "ends"),
    [
        (0.38, ((80, 80, 110, 110),), True),  # a black mug: a twentieth of the light
        (0.38, ((80, 0, 110, 110),), False),  # a black sleeve that goes on out of sight
        (0.60, ((80, 80, 110, 110),), False),  # the table in a deep shadow, of which nothing is known
    ],
)
def test_a_black_thing_on_a_grey_table_in_the_dusk_is_no_shadow(light, things, ends):
    dusk, black = np.array([21.0, 0.0, -2.0]), np.array([BLACK, 0.0, 0.0])
    view = np.tile(dusk, (200, 200, 1)).astype(np.float32)
    for x0, y0, x1, y1 in things:
        view[y0:y1, x0:x1] = (dusk + black) * light - black
    at = np.array([[x, y] for x in range(84, 108, 4) for y in range(84, 108, 4)], float)
    everywhere = np.ones(view.shape[:2], bool)
    assert ends_all_around(view, BLACK, 4.0, at, np.tile(dusk, (30, 1)), everywhere) == ends
