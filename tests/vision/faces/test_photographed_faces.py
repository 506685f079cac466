"""Pieces learnt from photographs: their light, several pictures a kind, loose cuts, pictures to take again."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_faces import card, drawn_tiles

from companion.lab.simulators.degraded import PHOTOGRAPH, degraded
from companion.lab.simulators.made_up_kinds import made_up_kinds
from companion.lab.simulators.made_up_symbols import made_up_symbols, photograph, tint
from vision.faces.book import FaceBook
from vision.faces.chance import OTHER_INK
from vision.faces.identify import identify, identify_many
from vision.faces.learning import learn_faces
from vision.faces.photographed.faults import PictureFault
from vision.faces.photographed.light import unknown_light
from vision.faces.photographed.prepare import prepared
from vision.faces.photographed.tied import shared_lights
from vision.faces.placing.outline import Cut, cut_out, find_sides, goes_on, piece_corners, usual_cut
from vision.faces.placing.straightening import straightened

TURNED_BOX = next(seed for seed in range(1, 40) if next(iter(made_up_kinds(seed).values())).shape[0] > 200)
"""A drawn box of pieces that are higher than wide."""


RED, BLUE = (40, 50, 190), (160, 60, 40)


@pytest.fixture(scope="module")
def symbols() -> dict[str, np.ndarray]:
    return {kind: picture for kind, picture in made_up_symbols(5).items() if kind[-1] in "01"}


@pytest.fixture(scope="module")
def symbol_book(symbols: dict[str, np.ndarray]) -> FaceBook:
    rng = np.random.default_rng(5)
    learnt = photograph(symbols, list(symbols), np.ones(3) * 0.8, rng, gloss=0.0)
    return learn_faces({k: [c] for k, c in zip(learnt.kinds, learnt.crops, strict=True)}, size_px=64, loose=True)


@pytest.mark.parametrize("seed", range(3))
def test_symbols_of_one_colour_keep_it_in_any_light_that_they_share(
    symbols: dict[str, np.ndarray], symbol_book: FaceBook, seed: int
) -> None:
    rng = np.random.default_rng([seed, 1])
    shot = photograph(symbols, list(symbols), tint(rng), rng)
    readings = identify_many(symbol_book, shot.crops, same_light=True)
    assert [r.alternatives[0][0] for r in readings] == list(shot.kinds)


def test_a_coloured_light_that_one_crop_cannot_tell_is_never_a_sure_wrong_colour(
    symbols: dict[str, np.ndarray], symbol_book: FaceBook
) -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        shot = photograph(symbols, ["red-0", "orange-0", "yellow-1"], tint(rng), rng)
        for kind, reading in zip(shot.kinds, identify_many(symbol_book, shot.crops), strict=True):
            assert reading.face in (kind, None)


def test_a_crop_alone_is_read_in_an_unknown_light(symbol_book: FaceBook, symbols: dict[str, np.ndarray]) -> None:
    reading = identify_many(symbol_book, [symbols["blue-1"]], same_light=True)[0]
    assert reading.p == identify(symbol_book, symbols["blue-1"]).p
    assert shared_lights([]) == ()
    assert unknown_light().channel > 0


def cell(tile: np.ndarray, dx: float, dy: float, turn_deg: float, ground: int) -> tuple[np.ndarray, np.ndarray]:
    """A board's cell (96 px) with the tile off its middle and turned, and the tile's true corners (4, 2)."""
    side = tile.shape[0]
    move = cv2.getRotationMatrix2D((side / 2 - 0.5, side / 2 - 0.5), turn_deg, 84 / side)
    move[:, 2] += np.array([48 + dx - side / 2, 48 + dy - side / 2])
    board = np.full((96, 96, 3), (60, ground, 40), np.uint8)
    shown = cv2.warpAffine(tile, move, (96, 96), board, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    corners = np.array([[[-0.5, -0.5], [side - 0.5, -0.5], [side - 0.5, side - 0.5], [-0.5, side - 0.5]]])
    return shown, cv2.transform(corners, move)[0]


def letter(text: str) -> np.ndarray:
    tile = np.full((120, 120, 3), (200, 220, 225), np.uint8)
    cv2.putText(tile, text, (34, 84), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (40, 40, 40), 9, cv2.LINE_AA)
    return tile


@pytest.mark.parametrize(("dx", "dy", "turn"), [(0, 0, 0), (12, -8, 0), (-20, 10, 3), (6, 18, -4), (-9, -14, 2)])
def test_a_tile_that_lies_off_its_cell_is_found_by_its_outlines(dx: float, dy: float, turn: float) -> None:
    shown, corners = cell(letter("H"), dx, dy, turn, 110)
    found = piece_corners(shown, Cut(84 / 96, 84 / 96))
    assert np.abs(found - corners).max() < 4.0


def test_letters_cut_at_cells_are_learnt_and_named_by_the_tile() -> None:
    rng = np.random.default_rng(2)
    off = [(float(x), float(y), float(t)) for x, y, t in rng.uniform((-16, -16, -4), (16, 16, 4), (40, 3))]
    letters = "AEHLNOSTU"
    learnt = {k: [cell(letter(k), *off[n], 60 + 20 * n)[0]] for n, k in enumerate(letters)}
    book = learn_faces(learnt, turns=(0,), loose=True)
    for n, k in enumerate(letters):
        assert identify(book, cell(letter(k), *off[20 + n], 150 - 10 * n)[0]).alternatives[0][0] == k


def test_pictures_cut_at_the_edge_are_not_cut_again() -> None:
    framed = [
        cv2.copyMakeBorder(t, 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=(240, 240, 240)) for t in drawn_tiles(3).values()
    ]
    assert usual_cut([find_sides(t) for t in framed]) is None


def test_a_cut_out_piece_says_where_the_picture_did_not_reach() -> None:
    shown, _ = cell(letter("U"), 24, 0, 0, 110)
    piece = cut_out(shown, Cut(84 / 96, 84 / 96))
    assert piece.seen[:, :40].all()
    assert not piece.seen[:, -4:].any()


def test_pictures_of_a_kind_are_heard_together_and_do_not_compete() -> None:
    rng = np.random.default_rng(4)
    tiles = dict(list(drawn_tiles(7).items())[:6])
    as_learnt = replace(PHOTOGRAPH, glare=0.0)
    learnt: dict[str, list[np.ndarray]] = {k: [] for k in tiles}
    for kind, picture in tiles.items():
        for _ in range(3):
            crop, turn, _ = degraded(picture, rng, as_learnt, 112, 0.0)
            learnt[kind].append(np.ascontiguousarray(np.rot90(crop, turn)))
    book = learn_faces(learnt, loose=True)
    assert book.same == ()
    for kind, picture in tiles.items():
        assert identify(book, degraded(picture, rng, as_learnt, 112, 0.0)[0]).face == kind


def learnt_cards() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(6)
    plain = replace(PHOTOGRAPH, glare=0.0, shade=0.1, blur_px=0.2, width_px=(150, 160))
    out = {}
    for n in (1, 2, 3):
        for name, bgr in (("red", (40, 40, 200)), ("green", (60, 140, 40)), ("violet", (130, 40, 90))):
            crop, turn, _ = degraded(card(n, bgr, True), rng, plain, 128, 0.0)
            out[f"{n}-{name}"] = np.ascontiguousarray(np.rot90(crop, turn))
    return out


def test_a_picture_with_a_reflection_is_told_by_name() -> None:
    cards = learnt_cards()
    h, w = cards["2-red"].shape[:2]
    spot = np.exp(-((np.arange(w) - 30) ** 2 + (np.arange(h)[:, None] - 40) ** 2) / (2 * 45.0**2))
    cards["2-red"] = np.clip(cards["2-red"] * (0.5 + 0.6 * spot[..., None]), 0, 255).astype(np.uint8)
    faulty = learn_faces({k: [p] for k, p in cards.items()}, loose=True).faulty
    assert [(f.face, f.fault) for f in faulty] == [("2-red", PictureFault.UNEVEN_LIGHT)]


def test_a_blurred_picture_is_told_by_name() -> None:
    cards = learnt_cards()
    cards["3-green"] = cv2.GaussianBlur(cards["3-green"], (0, 0), 4.0)
    faulty = learn_faces({k: [p] for k, p in cards.items()}, loose=True).faulty
    assert [(f.face, f.fault) for f in faulty] == [("3-green", PictureFault.BLURRED)]


def test_good_pictures_are_not_complained_of() -> None:
    assert learn_faces({k: [p] for k, p in learnt_cards().items()}, loose=True).faulty == ()


def test_a_form_that_only_fits_when_bent_is_not_the_piece() -> None:
    def wedge(width: int) -> np.ndarray:
        sheet = np.full((128, 128, 3), 25, np.uint8)
        points = np.array([[64, 20], [64 + width, 108], [64 - width, 108]], np.int32)
        cv2.fillPoly(sheet, [points], (60, 160, 220), cv2.LINE_AA)
        return sheet

    book = learn_faces({"narrow": [wedge(34)], "wide": [wedge(46)]}, loose=True)
    assert book.same == ()
    assert identify(book, wedge(34)).alternatives[0][0] == "narrow"
    assert identify(book, wedge(46)).alternatives[0][0] == "wide"


def test_a_triangle_is_not_another_one_bent() -> None:
    def triangle(*points: tuple[int, int]) -> np.ndarray:
        sheet = np.full((128, 128, 3), 25, np.uint8)
        cv2.fillPoly(sheet, [np.array(points, np.int32)], (60, 200, 220), cv2.LINE_AA)
        return sheet

    kinds = {"high": triangle((32, 32), (110, 55), (50, 104)), "low": triangle((22, 46), (110, 52), (60, 94))}
    book = learn_faces({kind: [picture] for kind, picture in kinds.items()}, loose=True)
    for kind, picture in kinds.items():
        reading = identify(book, cv2.GaussianBlur(picture, (0, 0), 1.5))
        assert reading.face == kind
        assert reading.evidence.behind > 20  # nats: as it was, half as many could be had by bending it


def _laid(piece: np.ndarray, angle_deg: float, ground: tuple[int, int, int]) -> np.ndarray:
    """`piece` turned on a table, in a picture that is cut around it."""
    h, w = piece.shape[:2]
    c, s = abs(np.cos(np.radians(angle_deg))), abs(np.sin(np.radians(angle_deg)))
    size = (round(w * c + h * s) + 6, round(w * s + h * c) + 6)
    move = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle_deg, 1)
    move[:, 2] += (np.array(size) - (w, h)) / 2
    return np.asarray(cv2.warpAffine(piece, move, size, flags=cv2.INTER_LINEAR, borderValue=ground))


def test_pieces_that_lie_turned_in_their_pictures_are_straightened_and_named_at_any_angle() -> None:
    kinds = dict(list(made_up_kinds(TURNED_BOX).items())[:4])
    angles = (0, 25, -40, 90)
    learnt = {k: [_laid(v, a, (40, 60, 30))] for (k, v), a in zip(kinds.items(), angles, strict=True)}
    book = learn_faces(learnt, size_px=64, loose=True)
    assert book.album is not None
    assert book.album.askew
    aspect = next(iter(kinds.values())).shape[1] / next(iter(kinds.values())).shape[0]
    assert book.size_wh[0] / book.size_wh[1] == pytest.approx(aspect, rel=0.05)
    for (kind, piece), angle in zip(list(kinds.items())[:2], (75.0, -31.0), strict=True):
        reading = identify(book, _laid(piece, angle, (90, 120, 150)))
        assert reading.alternatives[0][0] == kind
        assert reading.face in (kind, None)


def test_pictures_that_are_all_cut_in_one_way_are_not_straightened(symbols: dict[str, np.ndarray]) -> None:
    assert straightened(list(symbols.values()), range(len(symbols))) is None


def test_a_picture_that_shows_part_of_a_piece_is_left_out_when_the_kind_has_another() -> None:
    kinds = dict(list(made_up_kinds(TURNED_BOX).items())[:4])
    learnt = {k: [_laid(v, a, (40, 60, 30))] for (k, v), a in zip(kinds.items(), (0, 25, -40, 50), strict=True)}
    first = next(iter(kinds))
    learnt[first].append(learnt[first][0][:, : learnt[first][0].shape[1] // 3])
    ready = prepared(learnt)
    assert [(f.face, f.number, f.fault) for f in ready.left_out] == [(first, 1, PictureFault.CUT_OFF)]
    assert ready.numbers == (0, 2, 3, 4)


@pytest.fixture(scope="module")
def lozenges() -> FaceBook:
    """Cards with one and three lozenges in red and in blue."""
    cards = {f"{name}-{n}": [card(n, ink, filled=True)] for name, ink in (("red", RED), ("blue", BLUE)) for n in (1, 3)}
    return learn_faces(cards, size_px=96, loose=True)


@pytest.mark.parametrize("ink", [RED, BLUE])
def test_a_card_is_not_named_as_another_that_would_reach_out_of_the_crop(
    lozenges: FaceBook, ink: tuple[int, int, int]
) -> None:
    """Two lozenges are two of three, if the card goes on where nothing of it is seen."""
    crop = card(2, ink, filled=True)
    reading = identify(lozenges, crop)
    assert reading.face is None
    assert goes_on(crop, reading.corners_px(lozenges.size_wh))
    assert reading.evidence.seen < 0.9


def test_a_card_that_is_cut_off_at_one_side_and_shows_the_table_at_the_other_is_named(lozenges: FaceBook) -> None:
    whole = np.full((186, 160, 3), (30, 45, 60), np.uint8)
    whole[:, 40:] = card(3, BLUE, filled=True)
    reading = identify(lozenges, np.ascontiguousarray(whole[:, 16:136]))
    assert reading.face == "blue-3"


@pytest.mark.parametrize("ink", [(60, 150, 60), (120, 40, 130)])
def test_a_card_in_an_ink_that_was_not_learnt_is_not_named(lozenges: FaceBook, ink: tuple[int, int, int]) -> None:
    reading = identify(lozenges, card(3, ink, filled=True))
    assert reading.face is None
    assert reading.evidence.rendered > 2 * OTHER_INK
