"""Chips with spots at their edge and a label in the middle are found whole; cubes are no discs."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.count.appearance.looks import body_light
from vision.count.discs.edges import find_edges
from vision.count.discs.rims import ANGLES, Discs, find_discs, without_overlaps
from vision.count.discs.search import Copies, search_discs, search_faint
from vision.count.discs.whole import search_whole_pieces, usual_core, without_notches
from vision.count.leftovers import is_more_like
from vision.count.table.ground import find_ground, to_lab
from vision.count.teaching.colour_file import read_picture
from vision.count.teaching.references import learn_colour, own_rim

LOOSE = Path(__file__).parents[1] / "fixtures" / "loose"
PLACES = ((120, 110), (300, 120), (480, 130), (130, 330), (310, 350), (500, 340))
RADIUS, SPOTS = 50, 8
RED, WHITE, CLOTH = (40, 30, 170), (225, 228, 230), (70, 95, 40)


def chips(face=RED, spot=WHITE, label=WHITE, table=CLOTH, places=PLACES, size=(460, 620)):
    """A picture of chips seen from above, (H, W, 3) uint8 BGR, a little soft and noisy."""
    picture = np.full((*size, 3), table, np.uint8)
    for x, y in places:
        cv2.circle(picture, (x, y), RADIUS, face, -1, cv2.LINE_AA)
        for k in range(SPOTS):
            start = 360 / SPOTS * k
            cv2.ellipse(picture, (x, y), (RADIUS, RADIUS), 0, start, start + 18, spot, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), int(0.7 * RADIUS), face, -1, cv2.LINE_AA)
        if label is not None:
            cv2.circle(picture, (x, y), int(0.45 * RADIUS), label, -1, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


def test_chips_are_found_by_their_own_rim_not_by_the_label_s():
    picture = chips()
    found = search_whole_pieces(search_discs(Copies(to_lab(picture))), find_ground(picture), 1.0)
    assert len(found) == len(PLACES)
    assert np.allclose(found.radius, RADIUS, rtol=0.08)


def test_labels_are_replaced_by_the_pieces_that_bear_them():
    """Rims of labels alone, as a picture gives whose chips hardly differ from the table at their edge."""
    picture = chips()
    labels = find_discs(find_edges(to_lab(picture)), (18, 27), 0.8)
    rough = search_discs(Copies(to_lab(picture)))
    of_labels = type(rough)(
        np.array([labels.outline(k) for k in range(len(labels))]), labels.support, labels.radius, labels.xy, labels.wavy
    )
    assert len(of_labels) >= len(PLACES)
    found = search_whole_pieces(of_labels, find_ground(picture), 1.0)
    assert len(found) == len(PLACES)
    assert np.allclose(found.radius, RADIUS, rtol=0.08)


def test_a_ring_within_a_clear_rim_is_no_piece():
    every = find_discs(find_edges(to_lab(chips())), (18, 60), 0.5)
    kept = without_overlaps(every, 0.5, (620, 460))
    assert len(every) > len(kept) == len(PLACES)


@pytest.mark.parametrize("name", ["000.jpg", "005.jpg", "009.jpg", "013.jpg"])
def test_cubes_are_not_round_and_candies_are(name):
    round_ones = {
        kind: search_discs(Copies(to_lab(read_picture(LOOSE / kind / name)))).round for kind in ("cubes", "candies")
    }
    assert round_ones == {"cubes": False, "candies": True}


def test_a_small_crop_of_a_chip_like_its_table_teaches_the_chip_not_its_spots():
    """White chips with blue spots on white paper: the spots alone have clear rims."""
    blue = (150, 50, 30)
    picture = chips(WHITE, blue, None, (215, 218, 220))
    x, y = PLACES[1]
    crop = picture[y - 56 : y + 56, x - 56 : x + 56]
    inner = learn_colour("white", [(crop, ())]).linear_bgr
    assert min(inner) > 0.6 * max(inner)  # of the spots blue is five times red


def test_spots_do_not_colour_a_surface():
    face, spots = np.tile(np.uint8([[30, 110, 40]]), (60, 1)), np.tile(np.uint8([[240, 240, 240]]), (40, 1))
    assert body_light(np.concatenate([face, spots])) == pytest.approx(body_light(face))
    shaded = np.uint8([[30, 110, 40]] * 60 + [[20, 80, 28]] * 40)
    assert body_light(shaded) == pytest.approx(tuple(np.median((shaded / 255.0) ** 2.2, axis=0)), abs=0.03)


@pytest.mark.parametrize("face", [(90, 40, 30), (40, 30, 170)], ids=["blue", "red"])
def test_chips_whose_spots_are_as_pale_as_the_table_are_found_whole(face: tuple[int, int, int]) -> None:
    picture = chips(face=face, spot=WHITE, label=None, table=WHITE)
    found = search_whole_pieces(search_discs(Copies(to_lab(picture))), find_ground(picture), 1.0)
    assert len(found) == len(PLACES)
    assert np.allclose(found.radius, RADIUS, rtol=0.12)


@pytest.mark.parametrize(
    ("face", "table"), [((205, 205, 202), (150, 170, 185)), ((215, 215, 215), (165, 185, 200))], ids=["grey", "white"]
)
def test_pale_chips_on_a_pale_table_are_found_by_their_learnt_colour_not_by_their_spots(face, table) -> None:
    touching = ((100, 110), (201, 112), (302, 110), (403, 112), (150, 300), (251, 300), (352, 302), (500, 330))
    picture = chips(face=face, spot=(40, 30, 160), label=None, table=table, places=touching)
    rims = search_discs(Copies(to_lab(picture)))
    assert len(rims) == len(touching) * SPOTS, "the rims are those of the spots"
    found = search_whole_pieces(rims, find_ground(picture, to_lab(np.uint8([[face]]))[0]), 1.0)
    assert len(found) == len(touching)
    assert np.allclose(found.radius, RADIUS, rtol=0.12)


def test_notches_and_a_pale_face_are_closed_and_the_table_between_pieces_is_not() -> None:
    lying = np.zeros((300, 300), np.uint8)
    for x, y in ((80, 80), (220, 220)):
        cv2.circle(lying, (x, y), 50, 1, -1)
        for start in range(0, 360, 45):
            cv2.ellipse(lying, (x, y), (50, 50), 0, start, start + 18, 0, -1)
        cv2.circle(lying, (x, y), 35, int(x == 80), -1)
    closed = without_notches(lying > 0, usual_core(lying > 0))
    assert closed[80, 34]
    assert closed[80, 80]
    assert closed[220, 220]
    assert not closed[150, 150]
    assert not closed[80, 220]


@pytest.mark.parametrize(
    ("seen", "radius", "own"),
    [(0.47, 22, None), (0.6, 22, None), (0.47, 31, 0), (0.9, 22, 0)],
    ids=["an arc", "a broken ring within", "fills", "a whole rim"],
)
def test_a_broken_rim_in_a_crop_is_the_piece_s_when_it_fills_it(seen: float, radius: float, own: int | None) -> None:
    hit = (np.arange(ANGLES) < seen * ANGLES)[None]
    found = Discs(np.array([[36.0, 38.0]]), np.array([float(radius)]), np.zeros((1, 2)), hit, np.array([0.02]))
    assert own_rim(found, np.array([36.0, 36.0]), 0.88) == own


@pytest.mark.parametrize(("shown", "white"), [(170, 1), (60, 0)], ids=["nearly half a rim", "a sixth of one"])
def test_a_pale_piece_on_a_pale_table_is_found_by_a_part_of_its_rim_where_the_size_is_known(
    shown: int, white: int
) -> None:
    picture = chips(spot=RED, label=None, table=(188, 190, 192), places=PLACES[:3])
    pale = picture.copy()
    cv2.circle(pale, (310, 340), RADIUS, (226, 228, 230), -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(pale, (0, 0), 12)
    sector = np.zeros(picture.shape[:2], np.uint8)
    cv2.ellipse(sector, (310, 340), (90, 90), 0, 0, shown, 1, -1)
    below = (np.indices(sector.shape)[0] > 220) & (sector == 0)
    pale[below] = soft[below]
    copies = Copies(to_lab(pale))
    known = search_discs(copies)
    known = known.take(known.xy[:, 1] < 200)
    assert len(known) == 3
    faint = search_faint(copies, known)
    near = [o for o in faint.outlines if np.linalg.norm(o.mean(axis=0) - (310, 340)) < 12]
    assert len(near) == white
    hidden = to_lab(np.full((1, 1, 3), (228, 230, 232), np.uint8))[0]
    assert all(is_more_like(pale, o, find_ground(pale), hidden) for o in near)
    assert not is_more_like(pale, near[0] + (180, 0) if near else known.outlines[0], find_ground(pale), hidden)


def test_what_has_a_whole_rim_is_a_pale_piece_when_it_is_however_little_paler_than_the_table() -> None:
    picture = np.full((200, 200, 3), (150, 152, 150), np.uint8)
    cv2.circle(picture, (100, 100), RADIUS, (158, 160, 160), -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    outline = 100 + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pale = to_lab(np.full((1, 1, 3), (159, 161, 161), np.uint8))[0]
    given = (picture, outline, find_ground(picture), pale)
    assert [is_more_like(*given, whole=whole) for whole in (False, True)] == [False, True]
    beside = cv2.circle(picture.copy(), (100, 100), RADIUS, (150, 152, 150), -1)
    assert not is_more_like(beside, *given[1:], whole=True)
