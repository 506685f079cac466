"""Signs of one picture are named together: alike there one name, unlike two, whatever a blurred picture taught."""

from __future__ import annotations

import numpy as np

from vision.printed.one_print import alike, name_together

SAME, OTHER = 0.99, 0.92


def among(true: list[int]) -> np.ndarray:
    """Likeness of a picture's signs to each other: clear print."""
    like = np.where(np.equal.outer(true, true), SAME, OTHER)
    np.fill_diagonal(like, 1.0)
    return like


def taught(true: list[int], names: int) -> np.ndarray:
    """Likeness to learnt signs: 0.9 to the own one, 0.8 to others."""
    return np.where(np.equal.outer(true, range(names)), 0.9, 0.8)


def test_two_signs_that_a_blurred_picture_makes_one_keep_two_names() -> None:
    true = [0, 0, 0, 1, 1, 1, 2, 2]
    foreign = taught(true, 3)
    foreign[3:6, 0] = 0.905  # every 6 is a little more like the blurred 8 than like the blurred 6
    foreign[0:3, 0] = 0.93
    named = name_together(foreign, among(true))
    assert named.best.tolist() == true
    assert not named.strange.any()
    clear = name_together(taught(true, 3), among(true))
    assert (named.loss[3:6] < clear.loss[3:6]).all()


def test_three_names_go_round_where_no_two_of_them_can_be_changed_alone() -> None:
    true = [0, 0, 1, 1, 2, 2]
    foreign = taught(true, 3)
    for k, name in enumerate(true):
        foreign[k, (name + 1) % 3] = 0.901
    foreign[0:2, 0] = 0.95
    assert name_together(foreign, among(true)).best.tolist() == true


def test_a_group_that_is_like_no_learnt_sign_has_no_name_and_takes_none_away() -> None:
    true = [0, 0, 1, 1, 2, 2]
    foreign = taught(true, 2)
    foreign[4:6] = 0.74, 0.75
    named = name_together(foreign, among(true))
    assert named.strange.tolist() == [False] * 4 + [True] * 2
    assert named.best.tolist() == [0, 0, 1, 1, 1, 1]  # the nearest, for whoever is asked


def test_a_single_sign_has_the_likeliest_name() -> None:
    assert name_together(np.array([[0.8, 0.9]]), np.ones((1, 1))).best.tolist() == [1]


def test_all_pairs_of_a_group_are_alike() -> None:
    like = among([0, 0, 0, 1])
    like[0, 2] = like[2, 0] = 0.95  # a blurred one between: not all three are surely one sign
    assert sorted(map(len, alike(like))) == [1, 1, 2]
