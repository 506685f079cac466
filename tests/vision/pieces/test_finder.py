"""Pieces on a face are counted by colour: single, touching, in shadow, and none where none stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.picture_light import PieceColours, from_light, to_light
from vision.appearance.placed_face import PlacedFace, draw, shrink_reference
from vision.pieces import joint_search
from vision.pieces.candidates import Pool
from vision.pieces.finder import PieceFinder, _boxes
from vision.pieces.no_piece import told_from_shadows
from vision.pieces.probability import MOST_REFUSED, ON_PRINT, Counted, count_probability, pieces_probability
from vision.pieces.shapes import Hypothesis, PieceModel

SIDE = 55.0
COLOURS = PieceColours.from_rgb(
    {"purple": (92, 41, 115), "gray": (115, 117, 120), "white": (224, 222, 212), "black": (34, 34, 38)}
)
SHAPE = PieceModel(10.0, -2.0, (60.0, 300.0, -700.0))


def face() -> np.ndarray:
    scan = np.full((384, 384, 3), (200, 220, 230), np.uint8)
    cv2.rectangle(scan, (14, 14), (370, 370), (70, 120, 40), -1)
    cv2.circle(scan, (190, 210), 70, (225, 235, 240), -1)
    cv2.circle(scan, (300, 300), 55, (30, 26, 28), -1)
    for y in (150, 200, 250):
        cv2.rectangle(scan, (25, y), (60, y + 34), (235, 240, 240), -1)
    return scan


def table(pieces: list[tuple[str, float, float, float]], seed: int = 1) -> tuple[Window, np.ndarray, PlacedFace]:
    """A face at the origin with cubes (colour, x, y, yaw) drawn as prisms, seen by the camera of SHAPE."""
    laid = PlacedFace(np.zeros(2), 2.0, SIDE, shrink_reference(face(), SIDE))
    window = Window.around(laid.corners_mm, 12.0)
    fine = 4
    big = np.full((window.height_px * fine, window.width_px * fine, 3), (60, 90, 130), np.uint8)

    def px(mm: np.ndarray) -> np.ndarray:
        return np.round(((window.to_px(mm) + 0.5) * fine - 0.5) * 16).astype(np.int32)

    scan = face()
    corner = np.array([[0, 0], [384, 0], [384, 384], [0, 384]], np.float32)
    target = ((window.to_px(laid.corners_mm) + 0.5) * fine).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corner, target)
    drawn = cv2.warpPerspective(scan, warp, (big.shape[1], big.shape[0]))
    mask = cv2.warpPerspective(np.full(scan.shape[:2], 255, np.uint8), warp, (big.shape[1], big.shape[0])) > 128
    big[mask] = drawn[mask]
    eye = np.array(SHAPE.camera_mm[:2])
    for colour, x, y, yaw in pieces:
        b, g, r = COLOURS.bgr[COLOURS.names.index(colour)]
        a = np.deg2rad(yaw)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        foot = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5]]) @ turn.T + (x, y)
        top = eye + (foot - eye) * SHAPE.lean()
        shadow = cv2.convexHull(px(np.vstack([foot, foot + np.array([6.0, 3.0])])))
        dark = np.zeros(big.shape[:2], np.uint8)
        cv2.fillConvexPoly(dark, shadow, 1, cv2.LINE_8, 4)
        big[dark > 0] = (big[dark > 0] * 0.55).astype(np.uint8)
        cv2.fillConvexPoly(big, cv2.convexHull(px(np.vstack([foot, top]))), (b * 0.6, g * 0.6, r * 0.6), cv2.LINE_8, 4)
        cv2.fillConvexPoly(big, px(top), (b, g, r), cv2.LINE_8, 4)
    small = cv2.resize(big, (window.width_px, window.height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    noisy = cv2.GaussianBlur(small * 1.1, (0, 0), 0.7) + np.random.default_rng(seed).normal(0, 4, small.shape)
    return window, np.clip(noisy, 0, 255).astype(np.uint8), laid


CASES = {
    "none": [],
    "one on a plain part": [("purple", 12.0, -15.0, 20.0)],
    "one white half on a white symbol": [("white", 8.0, 4.0, 33.0)],
    "two of one colour side by side": [("purple", -5.0, -12.0, 0.0), ("purple", 5.1, -12.0, 0.0)],
    "two white ones side by side half on a white symbol": [("white", -4.0, 2.0, 30.0), ("white", 4.8, 7.1, 30.0)],
    "two black ones side by side half on a black symbol": [("black", 8.0, 9.0, 45.0), ("black", 15.2, 16.2, 45.0)],
    "one on the rim, of which the face shows a side": [("purple", 5.0, -26.0, 20.0)],
    "three colours": [("gray", -12.0, 14.0, 10.0), ("white", 14.0, 16.0, 50.0), ("purple", 3.0, -14.0, 75.0)],
}


@pytest.mark.parametrize("name", CASES)
def test_pieces_are_counted_by_colour(name: str) -> None:
    window, seen, laid = table(CASES[name])
    search = PieceFinder(COLOURS, SHAPE).search(compose(seen, window, [laid]), printed=True)
    found = Counter(p.colour for p in search.pieces)
    assert found == Counter(colour for colour, *_ in CASES[name])


@pytest.fixture
def hidden_behind_white(monkeypatch: pytest.MonkeyPatch) -> Canvas:
    """A purple piece behind a white one; the white ones alone are found at first."""
    window, seen, laid = table([("purple", 2.0, -12.0, 0.0), ("white", 2.0, -1.7, 0.0)])
    front, peaks = COLOURS.names.index("white"), Pool.peaks
    monkeypatch.setattr(Pool, "peaks", lambda pool: [one for one in peaks(pool) if one.colour == front])
    return compose(seen, window, [laid])


def test_a_piece_that_stands_out_only_beside_the_one_that_hides_its_sides_is_counted(
    hidden_behind_white: Canvas,
) -> None:
    search = PieceFinder(COLOURS, SHAPE).search(hidden_behind_white, printed=True)
    assert Counter(p.colour for p in search.pieces) == {"purple": 1, "white": 1}
    assert search.room_mm2[0] == 0.0


def test_where_many_pieces_seem_to_stand_a_hidden_one_is_not_searched_and_its_face_alone_is_in_doubt(
    hidden_behind_white: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_search, "MANY", 1)
    monkeypatch.setattr(joint_search.Rearranger, "_moved_to_fit", lambda *_: pytest.fail("it was searched"))
    search = PieceFinder(COLOURS, SHAPE).search(hidden_behind_white, printed=True)
    assert [p.colour for p in search.pieces] == ["white"]
    assert search.refused_of[0]["purple"] > MOST_REFUSED
    assert count_probability(Counted.of(search.pieces, search.refused[0], 0.0), ON_PRINT) < 0.5


def test_what_is_examined_once_is_searched_for_some_colours_or_for_all() -> None:
    window, seen, laid = table(CASES["three colours"])
    canvas, finder = compose(seen, window, [laid]), PieceFinder(COLOURS, SHAPE)
    examined = finder.examine(canvas)
    for names in (("white",), ("gray", "purple"), COLOURS.names):
        alone = PieceFinder(COLOURS.only(names), SHAPE).search(canvas).pieces
        found = finder.search_examined(examined, names).pieces
        assert [(p.colour, p.foot_mm) for p in found] == [(p.colour, p.foot_mm) for p in alone]
        assert {"gray", "white", "purple"} & set(names) <= {p.colour for p in found}
        assert [p.evidence for p in found] == pytest.approx([p.evidence for p in alone], rel=1e-3)


@pytest.mark.parametrize("names", [("white",), COLOURS.names])
def test_pieces_stand_where_a_search_without_a_light_finds_them(names: tuple[str, ...]) -> None:
    window, seen, laid = table(CASES["three colours"])
    finder = PieceFinder(COLOURS, SHAPE)
    examined = finder.examine(compose(seen, window, [laid]))
    search = finder.search_examined(examined, names)
    feet, covered = finder.standing(examined, names)
    assert feet == [one.foot_mm for one in sorted(search.pieces, key=lambda one: -one.evidence)]
    assert len(feet) >= len(names[:3])
    assert np.array_equal(covered, search.covered)


def test_a_corner_in_a_persons_shadow_is_no_piece_of_the_darkened_prints_colour() -> None:
    window, seen, laid = table([])
    y, x = np.mgrid[: seen.shape[0], : seen.shape[1]]
    depth = (x + y - (window.width_px + window.height_px) / 2 - 20) / 6  # soft over some 4 mm
    light = 1.0 - 0.5 / (1.0 + np.exp(-depth))
    shaded = np.clip(seen * light[..., None], 0, 255).astype(np.uint8)
    greenish = PieceColours.from_rgb({"bottle": (23, 66, 38), "purple": (92, 41, 115)})
    search = PieceFinder(greenish, SHAPE).search(compose(shaded, window, [laid]))
    assert not search.pieces


def test_a_piece_in_a_persons_shadow_is_counted() -> None:
    window, seen, laid = table([("purple", -14.0, -15.0, 20.0)])
    light = np.where(np.arange(seen.shape[1]) < seen.shape[1] / 2, 0.55, 1.0)
    shaded = np.clip(seen * light[None, :, None], 0, 255).astype(np.uint8)
    search = PieceFinder(COLOURS, SHAPE).search(compose(shaded, window, [laid]))
    assert [p.colour for p in search.pieces] == ["purple"]


def test_feet_are_found_within_a_millimetre() -> None:
    window, seen, laid = table([("purple", 12.0, -15.0, 20.0)])
    (piece,) = PieceFinder(COLOURS, SHAPE).search(compose(seen, window, [laid])).pieces
    assert np.hypot(piece.foot_mm[0] - 12.0, piece.foot_mm[1] + 15.0) < 1.0


def test_doubt_grows_with_weak_evidence_refused_pieces_and_strange_areas() -> None:
    assert pieces_probability([], 0.0, 0.0) > 0.9
    assert pieces_probability([], 7.9, 0.0) < pieces_probability([], 0.0, 0.0)
    assert pieces_probability([], 0.0, 400.0) < 0.1


def test_a_long_shadow_on_print_of_a_piece_s_hue_is_no_piece_or_in_doubt() -> None:
    window, seen, laid = table([("black", -14.0, -14.0, 20.0)])
    for along in np.arange(2.0, 26.0, 1.0):  # the shadow of a low lamp, from the piece to the right
        x, y = window.to_px(np.array([-12.0 + along, -14.0])).astype(int)
        seen[y - 6 : y + 7, x] = (seen[y - 6 : y + 7, x] * 0.62).astype(np.uint8)
    search = PieceFinder(COLOURS, SHAPE).search(compose(seen, window, [laid]), printed=True)
    found = Counter(p.colour for p in search.pieces)
    p = pieces_probability(search.pieces, search.refused[0], float(search.unexplained_mm2[0]))
    assert found == Counter(["black"]) or p < 0.9


def test_a_dark_rim_beside_a_bright_table_is_nothing_strange() -> None:
    scan = face()
    cv2.rectangle(scan, (0, 0), (383, 383), (40, 45, 45), 24)
    laid = PlacedFace(np.zeros(2), 3.0, SIDE, shrink_reference(scan, SIDE))
    window = Window.around(laid.corners_mm, 12.0)
    seen = np.full((window.height_px, window.width_px, 3), 240, np.uint8)
    draw(seen, np.full(seen.shape[:2], -1, np.int16), laid, 0, (window.left_mm, window.top_mm), blur=0)
    seen = cv2.GaussianBlur(seen, (0, 0), 0.9)  # the table shines into the rim
    search = PieceFinder(COLOURS, SHAPE).search(compose(seen, window, [laid]))
    assert not search.pieces
    assert search.unexplained_mm2[0] < 5.0


@pytest.mark.parametrize(("wh_mm", "has_room"), [((30.0, 3.0), False), ((10.0, 10.0), True)], ids=["glint", "top"])
def test_a_glint_leaves_no_room_for_a_piece(wh_mm: tuple[float, float], has_room: bool) -> None:
    window, seen, laid = table([])
    half = np.array(wh_mm) / 2
    (x0, y0), (x1, y1) = (np.round(window.to_px(np.array([-2.0, -15.0]) + side * half)).astype(int) for side in (-1, 1))
    seen[y0:y1, x0:x1] = (200, 40, 250)  # no piece of this game, nor print
    search = PieceFinder(COLOURS, SHAPE).search(compose(seen, window, [laid]), printed=True)
    assert not search.pieces
    assert search.unexplained_mm2[0] > 40.0
    assert (search.room_mm2[0] > 60.0) == has_room  # a top has 100 mm2
    assert (search.room_mm2[0] == 0.0) != has_room


def test_a_canvas_without_a_face_is_refused() -> None:
    window, seen, _ = table([])
    with pytest.raises(ValueError, match="at least one"):
        compose(seen, window, [])


class WeighedChooser:
    """Weighs pieces as a chooser does, by nats that are told for each set of the others."""

    def __init__(self, nats: dict[str, dict[frozenset[str], float]]) -> None:
        self.nats = nats

    covered = None

    def scene(self, others: list[str], *, near: float = 1.0, far: float = 0.25) -> WeighedChooser:
        self.others, self.near, self.far = frozenset(others), near, far
        return self

    def gain(self, one: str) -> float:
        return self.nats[one][self.others]

    def despite_shadow(self, one: str, others: list[str]) -> float:
        return self.scene(others).gain(one)

    def beside(self, one: str, others: list[str]) -> list[str]:
        return [each for each in others if each != one]


@pytest.mark.parametrize(
    ("alone", "beside", "kept", "refused"),
    [
        (20.0, 20.0, ["a", "b"], []),
        (20.0, 5.0, ["a"], ["b"]),
        (5.0, 5.0, ["a"], ["b"]),
        (-30.0, -30.0, ["a", "b"], []),  # a long shadow explains it better: a piece may stand in it
    ],
)
def test_what_little_is_left_for_is_refused(
    alone: float, beside: float, kept: list[str], refused: list[str]
) -> None:
    chooser = WeighedChooser({
        "a": {frozenset(): 50.0, frozenset("b"): 40.0},
        "b": {frozenset(): alone, frozenset("a"): beside},
    })
    weighed, left_out = told_from_shadows(["a", "b"], chooser, None, None)
    assert [one for one, _ in weighed] == kept
    assert [one for one, _ in left_out] == refused


def test_a_piece_that_was_seen_beside_one_that_is_refused_is_weighed_anew() -> None:
    chooser = WeighedChooser({
        "a": {frozenset("b"): 30.0, frozenset(): 6.0},
        "b": {frozenset("a"): 4.0},
    })
    assert told_from_shadows(["a", "b"], chooser, None, None)[0] == []


def test_pieces_that_stand_far_from_one_that_is_refused_are_weighed_once() -> None:
    asked: list[str] = []

    class Apart(WeighedChooser):
        def beside(self, _one: str, _others: list[str]) -> list[str]:
            return []

        def despite_shadow(self, one: str, others: list[str]) -> float:
            asked.append(one)
            return super().despite_shadow(one, others)

    chooser = Apart({"a": {frozenset(): 50.0}, "b": {frozenset(): 4.0}, "c": {frozenset(): 60.0}})
    weighed, left_out = told_from_shadows(["a", "b", "c"], chooser, None, None)
    assert (weighed, left_out) == ([("a", 50.0), ("c", 60.0)], [("b", 4.0)])
    assert asked == ["a", "b", "c"]


class ShadowAsLikely(WeighedChooser):
    """Of a dark piece, which a shadow that no piece casts would explain so much worse."""

    despite = 2.0

    def despite_shadow(self, _one: str, _others: list[str]) -> float:
        return self.despite


@pytest.mark.parametrize(
    ("by_light", "in_either", "beside_another", "evidence"),
    [
        (-150.0, -150.0, 100.0, 100.0),
        (-30.0, -30.0, 100.0, 32.0),
        (0.0, 0.0, 100.0, None),
        (-150.0, -150.0, 60.0, None),  # the other one may cast it
        (95.0, 95.0, 100.0, None),
        (-150.0, 80.0, 100.0, None),
    ],
    ids=["light around", "dim around", "nothing told", "beside a piece", "explained by light", "shade goes on"],
)
def test_a_dark_piece_alone_in_light_is_no_shadow(
    by_light: float, in_either: float, beside_another: float, evidence: float | None
) -> None:
    chooser = ShadowAsLikely({"a": {frozenset(): 100.0, frozenset("b"): beside_another}, "b": {frozenset("a"): 300.0}})
    chooser.nats["b"][frozenset()] = 300.0
    light = SimpleNamespace(
        speaks_for_print=lambda one, *_, **lights: (in_either if lights else by_light) if one == "a" else -300.0,
        speaks_for_brighter_print=lambda *_: 0.0,
    )
    weighed, _ = told_from_shadows(["a", "b"], chooser, None, None, light)
    assert dict(weighed).get("a") == evidence


def test_regions_in_which_no_colour_shows_a_top_are_not_examined() -> None:
    finder = PieceFinder(COLOURS, SHAPE)
    window, seen, laid = table([("purple", 8.0, 6.0, 20.0)])
    with_piece = compose(seen, window, [laid])
    examined = finder.examine(with_piece, crowded=False)
    assert len(examined.regions) == 1
    # a strange colour that is that of no piece
    red = seen.copy()
    cv2.circle(red, (40, 60), 12, (20, 20, 250), -1)
    strange = replace(with_piece, seen=red.astype(np.float32))
    assert len(finder.examine(strange, crowded=False).regions) == 1


def test_a_spot_in_the_hole_of_another_has_its_own_box() -> None:
    spots = np.zeros((30, 40), np.uint8)
    spots[2:27, 1:33] = 1
    spots[6:23, 5:29] = 0
    spots[12:15, 14:19] = 1
    _, labels = cv2.connectedComponents(spots, connectivity=8)
    boxes = _boxes(spots, labels)
    assert boxes[int(labels[13, 15])] == (14, 12, 19, 15)
    assert boxes[int(labels[3, 10])] == (1, 2, 33, 27)
    assert len(boxes) == 2


def test_a_corner_that_a_shadow_explains_better_than_a_piece_is_a_shadow() -> None:
    chooser = ShadowAsLikely({"a": {frozenset(): 23.0}})
    chooser.despite = -62.0
    light = SimpleNamespace(speaks_for_print=lambda *_, **_lights: -93.0)
    found = told_from_shadows(["a"], chooser, None, None, light)
    assert found[0] == []


@pytest.mark.parametrize(
    ("nats", "by_brighter_light", "kept", "refused"),
    [
        (66.0, 0.0, [("a", 66.0)], []),
        (66.0, 40.0, [("a", 26.0)], []),
        (66.0, 62.0, [], [("a", 66.0)]),
        (66.0, 186.0, [], [("a", 66.0)]),
        (190.0, 296.0, [], [("a", 190.0)]),  # a corner of a pale tile in the sun
    ],
)
def test_what_a_brighter_light_on_its_print_explains_as_well_is_no_piece(
    nats: float, by_brighter_light: float, kept: list[tuple[str, float]], refused: list[tuple[str, float]]
) -> None:
    chooser = WeighedChooser({"a": {frozenset(): nats}})
    light = SimpleNamespace(speaks_for_print=lambda *_: 0.0, speaks_for_brighter_print=lambda *_: by_brighter_light)
    assert told_from_shadows(["a"], chooser, None, None, light) == (kept, refused)


@pytest.mark.parametrize(("by_noise", "kept"), [(0.0, 30.0), (2.0, 15.0), (12.0, None)])
def test_a_piece_no_better_than_what_noise_shows_on_other_faces_is_refused(by_noise: float, kept: float | None) -> None:
    window, seen, laid = table([("black", 0.0, 0.0, 0.0)])
    finder = PieceFinder(COLOURS, SHAPE)
    examined = finder.examine(compose(seen, window, [laid]), crowded=False)
    (region,) = examined.regions
    owners = np.zeros(seen.shape[:2], np.int16) + np.arange(seen.shape[1]) // 10  # so many faces, side by side

    def black(face: int) -> Hypothesis:
        where, part = (slice(0, 4), slice(0, 4)), np.ones((4, 4), np.float32)
        foot = np.array([10.0 * face + 1.0 - region.box[1].start, 5.0])
        return Hypothesis(COLOURS.names.index("black"), 0, foot, where, part, part, part, part, 30.0)

    left = [(black(face), by_noise) for face in range(1, int(owners.max()) + 1)]
    finder._explain = lambda *_: ([(black(0), 30.0, 40.0)], left, [])  # type: ignore[method-assign]
    search = finder.search_examined(examined, COLOURS.names, printed=True, owners=owners)
    assert [piece.evidence for piece in search.pieces] == ([] if kept is None else [kept])
    assert search.refused[0] == (30.0 if kept is None else 0.0)


def test_a_corner_in_the_sun_is_no_white_piece() -> None:
    window, seen, laid = table([])
    search = PieceFinder(COLOURS, SHAPE).search(_corner_in_the_sun(compose(seen, window, [laid])), printed=True)
    assert [piece.colour for piece in search.pieces] == []


def test_of_what_was_found_a_corner_in_the_sun_is_told_from_pieces() -> None:
    window, seen, laid = table([("black", 15.0, 15.0, 0.0)])
    finder = PieceFinder(COLOURS, SHAPE)
    examined = finder.examine(_corner_in_the_sun(compose(seen, window, [laid])), crowded=False)
    search = finder.search_examined(examined, COLOURS.names)
    assert sorted(piece.colour for piece in search.pieces) == ["black", "white"]
    assert [piece.colour for piece in finder.told_from_print(examined, search, COLOURS.names)] == ["black"]
    assert finder.told_from_print(examined, search, ("white",)) == ()


def _corner_in_the_sun(canvas: Canvas) -> Canvas:
    """The canvas with sun on the top left corner of its face."""
    corner = canvas.window.box(np.array([[-27.0, -27.0], [-13.0, -13.0]]), 0.0)
    sunlit = canvas.seen.copy()
    sunlit[corner] = np.clip(from_light(to_light(sunlit[corner]) * 2.0 + 0.4), 0, 255)
    return replace(canvas, seen=sunlit)


def test_what_was_refused_beside_a_piece_counts_by_what_speaks_for_it_without_long_shadows() -> None:
    one, refused = SimpleNamespace(colour=0), SimpleNamespace(colour=0)
    told = {0.25: 118.0, 1.0: 4.7, 0.0: 41.0}  # how far long shadows are believed -> nats
    chooser = SimpleNamespace(
        beside=lambda _one, others: others,
        scene=lambda *_, far=0.25, **__: SimpleNamespace(gain=lambda _one: told[far]),
        close=lambda a, b: a is b,
    )
    finder = PieceFinder(COLOURS, SHAPE)
    finder._chosen = lambda *_, **__: ([one], [(one, 118.0)], [(refused, 4.7)], [])  # type: ignore[method-assign]
    _, left, _ = finder._explain(SimpleNamespace(box=None), chooser, None, False, None)
    assert max(nats for each, nats in left if each is refused) == 41.0
