"""A plain thing or a grained table that looks as before is told from a hand that has come, in any other light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import POSE, bare_cloth, picture_px

from vision.locate.rectify import rectify, square_mm
from vision.view.as_before import (
    SAME_LIGHT,
    PosedPicture,
    _same_light,
    detail_around,
    detail_before,
    kept_pictures,
    seen_as_before,
)
from vision.view.hidden_grain import fine_detail

VIEW_MM, SIZE = square_mm((0.0, 0.0), 160.0), (160, 160)
NOTE, SKIN = (225.0, 235.0, 235.0), (130.0, 160.0, 215.0)


def strip(colour: tuple[float, float, float] | None, seed: int, shade: float = 1.0) -> PosedPicture:
    """Grained cloth, and on its left half a plain thing; `shade`: the light that is left on the whole."""
    rng = np.random.default_rng(9)
    image = bare_cloth().astype(np.float32)
    image *= 1.0 + 0.25 * cv2.GaussianBlur(rng.normal(0, 1, image.shape[:2]), (0, 0), 1.5)[..., None] * 4
    if colour is not None:
        corners = np.array([[-80.0, -80.0], [-10.0, -80.0], [-10.0, 80.0], [-80.0, 80.0]])
        cv2.fillConvexPoly(image, np.round(picture_px(corners, 0.0)).astype(np.int32), colour)
    noise = np.random.default_rng(seed).normal(0, 2, image.shape)
    return PosedPicture(np.clip(shade * image + noise, 0, 255).astype(np.uint8), POSE)


def shares(earlier: list[PosedPicture], now: PosedPicture) -> tuple[float, float]:
    """Of the left half and of the right one, away from where they meet, the part that shows what was there before."""
    shown = seen_as_before(earlier, now, VIEW_MM, SIZE)
    return float(shown[:, 8:60].mean()), float(shown[:, 88:-8].mean())


@pytest.mark.parametrize("shade", [1.0, 0.8])
def test_a_plain_thing_and_the_table_beside_it_look_as_before(shade: float) -> None:
    assert min(shares([strip(NOTE, 1)], strip(NOTE, 2, shade))) > 0.95


@pytest.mark.parametrize("pictures", [1, 2])
def test_what_has_come_does_not(pictures: int) -> None:
    come, table = shares([strip(None, n) for n in range(pictures)], strip(SKIN, 7))
    assert come < 0.1
    assert table > 0.95


def test_the_table_under_what_has_gone_again_is_known() -> None:
    assert min(shares([strip(None, 1), strip(SKIN, 2)], strip(None, 3))) > 0.95


def test_without_an_earlier_picture_nothing_is_known() -> None:
    assert shares([], strip(NOTE, 1)) == (0.0, 0.0)


@pytest.mark.parametrize("shade", [1.0, 0.3])
def test_an_arm_hides_the_detail_that_two_pictures_agree_on_and_a_shadow_hides_none(shade: float) -> None:
    views = [rectify(strip(None, n).image, POSE, VIEW_MM, 0.0, SIZE) for n in range(2)]
    for come, least, most in ((SKIN, 0.9, 1.0), (None, 0.0, 0.02)):
        now = rectify(strip(come, 5, shade).image, POSE, VIEW_MM, 0.0, SIZE)
        _, hidden = detail_before([fine_detail(one) for one in views], fine_detail(now))
        assert least <= hidden[:, 8:60].mean() <= most
        assert hidden[:, 88:-8].mean() < 0.02


def test_where_the_picture_ends_hides_nothing_and_shows_nothing() -> None:
    shown = np.ones(SIZE[::-1], bool)
    shown[:, :40] = False
    views = [rectify(strip(None, n).image, POSE, VIEW_MM, 0.0, SIZE) * shown[..., None] for n in range(2)]
    arm = rectify(strip(SKIN, 5).image, POSE, VIEW_MM, 0.0, SIZE) * shown[..., None]
    seen, hidden = detail_before([fine_detail(one) for one in views], fine_detail(arm), shown)
    assert seen[:, 40:52].mean() < 0.2  # noise is like noise now and then
    assert hidden[:, 48:60].mean() > 0.9


@pytest.mark.parametrize("rows", [20, 64])
def test_what_is_compared_in_strips_is_what_is_compared_at_once(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    views = [fine_detail(rectify(strip(SKIN, n, s).image, POSE, VIEW_MM, 0.0, SIZE)) for n, s in ((1, 1.0), (2, 0.6))]
    now, inside = fine_detail(rectify(strip(None, 5).image, POSE, VIEW_MM, 0.0, SIZE)), np.ones(SIZE[::-1], bool)
    inside[:, :30] = False
    monkeypatch.setattr("vision.view.as_before.STRIP_PX", SIZE[1])
    whole = detail_before(views, now, inside)
    assert [one.any() and not one.all() for one in whole] == [True, True]
    monkeypatch.setattr("vision.view.as_before.STRIP_PX", rows)
    assert np.array_equal(detail_before(views, now, inside), whole)


def test_a_picture_in_other_light_is_kept_as_long_as_the_latest_are_alike() -> None:
    lit, shaded = np.full((64, 64, 3), 180, np.uint8), np.full((64, 64, 3), 60, np.uint8)
    assert kept_pictures([lit, shaded], 3) == [0, 1]
    assert kept_pictures([lit, shaded, shaded, shaded], 3) == [0, 2, 3]
    assert kept_pictures([shaded, lit, shaded, lit], 3) == [0, 2, 3]


def test_pictures_that_were_seen_before_are_seen_from_above_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(image: np.ndarray, *how: object, **more: object) -> np.ndarray:
        made.append(image)
        return rectify(image, *how, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("vision.view.as_before.rectify", counted)
    earlier = [strip(NOTE, 1), strip(NOTE, 2)]
    first = seen_as_before(earlier, strip(SKIN, 3), VIEW_MM, SIZE)
    again = seen_as_before(earlier, strip(SKIN, 3), VIEW_MM, SIZE)
    assert (first == again).all()
    assert len(made) == 2 + 1 + 1
    seen_as_before(earlier, strip(SKIN, 3), VIEW_MM + 1.0, SIZE)
    assert len(made) == 4 + 3


def test_light_is_compared_in_each_channel_with_how_it_differs_in_the_median() -> None:
    rng = np.random.default_rng(4)
    one, other = (rng.uniform(0.0, 0.15, (40, 60, 3)).astype(np.float32) + base for base in (3.0, 3.4))
    apart = one - other
    apart -= np.median(apart[::4, ::4].reshape(-1, 3), axis=0)
    same = _same_light(one, other)
    assert (same == (np.abs(apart) < SAME_LIGHT).all(axis=2)).mean() > 0.999  # the median's last digits apart
    assert 0.05 < same.mean() < 0.95


def test_detail_is_seen_around_where_pictures_agree_and_not_in_noise() -> None:
    rng = np.random.default_rng(4)
    wood = rng.normal(0.0, 1.0, (120, 240)).astype(np.float32)
    wood[:, 120:] = 0.0
    one, other = (wood + rng.normal(0.0, 0.3, wood.shape).astype(np.float32) for _ in range(2))
    seen = detail_around([one, other])
    assert seen[:, :80].all()
    assert not seen[:, 160:].any()
    assert not detail_around([one]).any()
