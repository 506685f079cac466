"""Playing cards beside the pieces: their print is none, a piece that lies on one is, and a table is no card."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.count.counting import count_pieces
from vision.count.on_sheets import unseen_on_sheets
from vision.count.result import Count
from vision.count.table.ground import to_lab
from vision.count.table.sheets import alike_sheets, find_sheets, much_larger
from vision.count.teaching.colours import PieceColour
from vision.count.teaching.references import learn_colour

WOOD, PAPER, RED, GREEN, BLUE, BLACK = (
    (60, 92, 130), (225, 232, 235), (40, 30, 190), (60, 140, 40), (190, 90, 20), (28, 28, 30),
)  # fmt: skip
RADIUS = 20
PLACES = [((90 + 110 * k, 90 + 60 * (k % 2)), (RED, GREEN, BLUE)[k % 3]) for k in range(6)]
CARD = np.array([[400, 250], [590, 290], [550, 460], [360, 420]], np.float32)


def table(cards: int = 1, ground: tuple[int, int, int] = WOOD) -> np.ndarray:
    """A grainy table (480, 720, 3) with six candies; beside them a card, askew, with nine round clubs' leaves."""
    rng = np.random.default_rng(5)
    picture = np.full((480, 720, 3), ground, np.float32)
    for k in range(cards):
        corners = CARD - (330 * k, 0)
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], PAPER, cv2.LINE_AA)
        for u, v in np.stack(np.meshgrid((0.25, 0.5, 0.75), (0.25, 0.5, 0.75)), axis=2).reshape(-1, 2):
            x, y = np.round(corners[0] + u * (corners[1] - corners[0]) + v * (corners[3] - corners[0])).astype(int)
            cv2.circle(picture, (int(x), int(y)), RADIUS - 4, (BLACK, RED)[k % 2], -1, cv2.LINE_AA)
    for xy, colour in PLACES:
        cv2.circle(picture, xy, RADIUS, colour, -1, cv2.LINE_AA)
    return finished(picture, rng)


def finished(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    noisy = picture + rng.normal(0, 1.5, picture.shape)
    return cv2.GaussianBlur(np.clip(noisy, 0, 255).astype(np.uint8), (0, 0), 0.7)


def counted(picture: np.ndarray) -> Count:
    """The count of a picture by three colours that an empty table with candies taught."""
    return count_pieces(picture, taught())


@cache
def taught() -> tuple[PieceColour, ...]:
    teaching = table(cards=0)
    names = zip(("red", "green", "blue"), PLACES, strict=False)
    boxes = {name: (x - 22, y - 22, 44, 44) for name, ((x, y), _) in names}
    return tuple(learn_colour(name, [(teaching, (box,))]) for name, box in boxes.items())


def test_a_card_is_a_sheet_with_its_print() -> None:
    covered = np.zeros((480, 720), np.uint8)
    cv2.fillPoly(covered, [np.round(CARD).astype(np.int32)], 1)
    sheets = find_sheets(table())
    assert (sheets & (covered > 0)).sum() / (sheets | (covered > 0)).sum() > 0.9


def test_round_pieces_are_no_sheets() -> None:
    picture = np.full((480, 720, 3), WOOD, np.float32)
    for x, y in ((200, 200), (279, 200), (500, 200), (500, 279), (540, 240)):
        cv2.circle(picture, (x, y), 40, PAPER, -1, cv2.LINE_AA)
    assert not find_sheets(finished(picture, np.random.default_rng(1))).any()


def test_stripes_of_a_cloth_are_no_sheets() -> None:
    picture = np.full((480, 720, 3), WOOD, np.float32)
    picture[:, 100:150] = picture[200:240, 300:] = PAPER
    assert not find_sheets(finished(picture, np.random.default_rng(1))).any()


def test_what_the_rim_of_the_picture_shows_as_well_is_table() -> None:
    tiles = np.full((480, 720, 3), (140, 150, 160), np.float32)
    for x in range(20, 720, 180):
        for y in range(20, 480, 160):
            tiles[y : y + 140, x : x + 160] = PAPER
    assert not find_sheets(finished(tiles, np.random.default_rng(1))).any()


def test_the_print_of_cards_is_not_counted() -> None:
    for cards in (1, 2):
        result = counted(table(cards))
        assert (result.counts, result.unknown) == ({"red": 2, "green": 2, "blue": 2}, 0)


def test_a_piece_that_lies_on_a_card_is_counted() -> None:
    picture = table()
    middle = tuple(int(v) for v in np.round(CARD.mean(axis=0)))
    cv2.circle(picture, middle, RADIUS + 2, PAPER, -1)
    cv2.circle(picture, middle, RADIUS, GREEN, -1, cv2.LINE_AA)
    result = counted(cv2.GaussianBlur(picture, (0, 0), 0.7))
    assert result.counts == {"red": 2, "green": 3, "blue": 2}


def test_a_piece_on_a_card_whose_rim_is_not_seen_is_told() -> None:
    picture = table()
    middle = np.round(CARD.mean(axis=0)).astype(int)
    cv2.circle(picture, tuple(middle.tolist()), RADIUS + 4, PAPER, -1)
    before = counted(cv2.GaussianBlur(picture, (0, 0), 0.7))
    cv2.rectangle(picture, (middle - RADIUS).tolist(), (middle + RADIUS).tolist(), GREEN, -1)  # no round rim
    told = counted(cv2.GaussianBlur(picture, (0, 0), 0.7))
    assert told.counts == before.counts
    assert "things that may be pieces: 1" in told.why
    assert told.probability < before.probability


def test_paper_that_is_a_shade_of_a_white_piece_is_not_told_as_pieces_on_it() -> None:
    picture = table()
    outlines = [np.array([[x - 20, y], [x, y - 20], [x + 20, y], [x, y + 20]], float) for (x, y), _ in PLACES]
    brighter = np.array([[118.0, 0, 5]], np.float32)
    green = to_lab(np.array([[PAPER, GREEN]], np.uint8))[0, 1:]
    sheets = find_sheets(picture)
    assert unseen_on_sheets(picture, sheets, outlines, brighter) == 0
    assert unseen_on_sheets(picture, sheets, outlines, green) == 0
    assert unseen_on_sheets(picture, sheets, outlines, to_lab(np.array([[BLACK]], np.uint8))[0]) == 9


def test_the_sheet_on_which_all_pieces_lie_is_their_table() -> None:
    picture = np.full((960, 1440, 3), WOOD, np.float32)
    cv2.rectangle(picture, (320, 200), (1120, 740), PAPER, -1)
    for (x, y), colour in PLACES:
        cv2.circle(picture, (x + 360, y + 300), RADIUS, colour, -1, cv2.LINE_AA)
    picture = finished(picture, np.random.default_rng(2))
    assert find_sheets(picture).any()
    assert counted(picture).counts == {"red": 2, "green": 2, "blue": 2}


def test_a_pale_square_as_large_as_a_piece_is_no_sheet_among_them() -> None:
    sheets = np.zeros((100, 200), bool)
    sheets[10:90, 10:90] = sheets[20:50, 120:150] = True
    piece = np.array([[0, 0], [30, 0], [30, 30], [0, 30]], np.int32)
    assert much_larger(sheets, [piece]).sum() == 80 * 80
    assert not much_larger(sheets, []).any()


def test_paper_in_the_colour_of_a_piece_may_hide_one() -> None:
    picture = table(cards=2)
    sheets = find_sheets(picture)
    white, red = np.array([[91.0, 0, 4]], np.float32), np.array([[42.0, 62, 42]], np.float32)
    assert (alike_sheets(picture, sheets, white), alike_sheets(picture, sheets, red)) == (2, 0)
