"""What hides the table's grain is told from shadows, and of bare felt nothing is told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.view.hidden_grain import Grain, grain_of

ARM = (slice(0, 90), slice(60, 110))


def wood(seed: int = 1) -> np.ndarray:
    """(160, 200, 3) float: streaks of brown."""
    streaks = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (160, 200)), (0, 0), 1.2, sigmaY=6.0)
    return np.asarray(np.array([90.0, 120.0, 160.0]) * (1.0 + 0.3 * streaks[..., None]))


def taken(scene: np.ndarray, seed: int) -> Grain:
    """What a camera with noise makes of a scene."""
    noise = np.random.default_rng(seed).normal(0, 2, scene.shape)
    return grain_of(np.clip(scene + noise, 0, 255).astype(np.uint8))


def hidden_share(scene: np.ndarray, empty: np.ndarray) -> tuple[float, float]:
    """Hidden part of the arm's place, away from its edge, and of all else."""
    hidden = taken(empty, 3).after(taken(empty, 2)).hidden(taken(scene, 4))
    assert hidden is not None
    rest = hidden.copy()
    rest[:105, 45:125] = False
    return float(hidden[8:82, 68:102].mean()), float(rest.mean())


def with_arm(scene: np.ndarray) -> np.ndarray:
    """An arm of the very colour of the table, without its grain."""
    out = scene.copy()
    out[ARM] = scene.mean((0, 1))
    return out


def test_an_arm_of_the_tables_colour_hides_its_grain() -> None:
    over, beside = hidden_share(with_arm(wood()), wood())
    assert over > 0.8
    assert beside < 0.01


def test_an_arm_is_whole_where_noise_leaves_holes_in_the_grain_that_was_seen() -> None:
    dim = 0.35 * wood()
    assert after(dim, dim).is_seen.mean() < 0.8
    over, beside = hidden_share(with_arm(dim), dim)
    assert over > 0.8
    assert beside < 0.01


def test_grain_is_seen_through_a_shadow() -> None:
    shaded = wood()
    shaded[ARM] *= 0.45
    assert max(hidden_share(shaded, wood())) < 0.02


def test_the_hard_edge_of_a_light_hides_no_more_than_a_strip_narrower_than_an_arm() -> None:
    lit = wood()
    lit[:, 95:] *= 0.45
    hidden = taken(wood(), 3).after(taken(wood(), 2)).hidden(taken(lit, 4))
    assert hidden is not None
    assert hidden.sum(axis=1).mean() < 7


@pytest.mark.parametrize("arm", [False, True])
def test_of_a_table_without_grain_nothing_is_told(arm: bool) -> None:
    felt = np.full((160, 200, 3), 110.0)
    assert max(hidden_share(with_arm(wood()) if arm else felt, felt)) < 0.01


def test_one_earlier_picture_does_not_tell_what_grain_can_be_seen() -> None:
    assert taken(wood(), 1).after(None).hidden(taken(with_arm(wood()), 2)) is None


def after(*scenes: np.ndarray) -> Grain:
    """What is known after pictures of `scenes` in which no hand was noticed."""
    known = None
    for seed, scene in enumerate(scenes, 10):
        known = taken(scene, seed).after(known)
    assert known is not None
    return known


def test_a_hand_that_nobody_noticed_does_not_hide_the_next_one() -> None:
    table, hand = wood(), with_arm(wood())
    hidden = after(table, table, hand, table).hidden(taken(hand, 4))
    assert hidden is not None
    assert hidden[8:82, 68:102].mean() > 0.8


def test_where_a_hand_has_rested_nothing_is_hidden_once_it_has_gone() -> None:
    table, hand = wood(), wood()
    hand[ARM] = wood(7)[ARM]
    hidden = after(hand, hand, table).hidden(taken(table, 4))
    assert hidden is not None
    assert hidden.mean() < 0.01


def test_a_known_view_is_compared_with_one_mean_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    known, now = taken(wood(), 3).after(taken(wood(), 2)), taken(wood(), 4)
    blurs: list[int] = []
    plain = cv2.blur
    monkeypatch.setattr(cv2, "blur", lambda *args: blurs.append(1) or plain(*args))
    known.shown(now)
    assert len(blurs) == 1
