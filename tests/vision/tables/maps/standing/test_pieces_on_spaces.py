"""Pieces on a map drawn by hand: three spaces around one corner, tokens on the corner, cubes on the spaces."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, THICK_MM, bare_cloth, lay, picture_px, stand

from companion.core.layout import SlotOutline, TableLayout
from vision.appearance.background import Background
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours, from_light, to_light
from vision.appearance.placed_face import PX_PER_MM, shrink_reference
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.pieces.finder import FoundPiece, PieceFinder
from vision.tables.maps.standing import pieces_on_spaces
from vision.tables.maps.standing.bare_spaces import BareSpace
from vision.tables.maps.standing.pieces_on_spaces import CountOnSpace, MapPieces, OnSpace
from vision.tables.place import PlaceReading, PlaceState, Shot
from vision.tables.zone import SpaceOnMap

SIDE_MM = 32.0  # of a space, as far as from its middle to a corner
SQUARE_MM = 40.0
GOLD_BGR, BLUE_BGR = (40.0, 190.0, 235.0), (180.0, 80.0, 30.0)
MIDDLES = {
    name: SIDE_MM * np.array([np.cos(turn), np.sin(turn)])
    for name, turn in (("north", -np.pi / 2), ("east", np.pi / 6), ("west", 5 * np.pi / 6))
}
WINDOW = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 20.0)
ALL = frozenset(MIDDLES)


def outline(slot: str, x: float, y: float) -> SlotOutline:
    return SlotOutline(slot, tuple(map(tuple, square_at(np.array([x, y]), 10.0, 0.0))), "gap")


CORNERS = (outline("corner", 0.0, 0.0), outline("edge", 0.0, -2 * SIDE_MM), outline("beyond", 300.0, 0.0))
TILES = drawn_tiles(3, 36, every=12)
FACES = dict(zip(MIDDLES, TILES, strict=True))
SPACES = {slot: SpaceOnMap(face, 0.0) for slot, face in FACES.items()}


@pytest.fixture(scope="module")
def pieces() -> MapPieces:
    cv2.setNumThreads(1)
    scans = {face: shrink_reference(TILES[face], SQUARE_MM) for face in FACES.values()}
    colours = PieceColours(("blue", "gold"), (BLUE_BGR, GOLD_BGR))
    return MapPieces(TableLayout(CORNERS), scans, SQUARE_MM, colours, CORNERS, ("gold",))


def picture(token_mm: tuple[float, float] | None = None, radius_mm: float = 5.0) -> np.ndarray:
    """Three spaces, and a gold disc, of 10 mm across, where it is asked for."""
    image = bare_cloth()
    for slot, face in FACES.items():
        lay(image, TILES[face], MIDDLES[slot], SQUARE_MM)
    if token_mm is not None:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        rim = np.array(token_mm) + radius_mm * np.column_stack([np.cos(angles), np.sin(angles)])
        cv2.fillConvexPoly(image, np.round(picture_px(rim, THICK_MM)).astype(np.int32), GOLD_BGR, cv2.LINE_AA)
    return image


def light(pieces: MapPieces, image: np.ndarray) -> PictureLight:
    found = pieces.light(Shot(image, POSE), WINDOW, MIDDLES, SPACES)
    assert found is not None
    return found


def read_corners(
    pieces: MapPieces, image: np.ndarray, laid: frozenset[str] = ALL, covered: frozenset[str] = frozenset()
) -> dict[str, PlaceReading]:
    shot = Shot(image, POSE, covered)
    shown = {slot: one for slot, one in SPACES.items() if slot in laid}
    return pieces.read_corners(shot, WINDOW, MIDDLES, SIDE_MM, shown, light(pieces, image))


def read_spaces(
    pieces: MapPieces, image: np.ndarray, *due: str
) -> dict[str, CountOnSpace]:
    shot = Shot(image, POSE)
    return pieces.read_spaces(shot, WINDOW, MIDDLES, SPACES, light(pieces, image), due)


def test_the_light_is_told_without_looking_at_what_lies_far_from_the_tiles(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot, whole, shapes = Shot(picture(), POSE), Window.around(np.array([[-200.0, -150.0], [200.0, 150.0]]), 0.0), []
    here = pieces.light(shot, whole, MIDDLES, SPACES)

    def seen(one: Shot, window: Window) -> np.ndarray:
        shapes.append((window.width_px, window.height_px))
        return MapPieces._seen(pieces, one, window)

    monkeypatch.setattr(pieces, "_seen", seen)
    assert pieces.light(shot, whole, MIDDLES, SPACES) == here
    reach = np.ptp(list(MIDDLES.values()), axis=0) + 2 * pieces_on_spaces.AROUND_MM
    assert np.abs(np.array(shapes[0]) - reach * PX_PER_MM).max() <= 3.0  # whole px
    assert light(pieces, shot.image).gain == pytest.approx(here.gain, rel=0.01)


@pytest.mark.parametrize("token_mm", [(0.0, 0.0), (3.0, -2.0)])
def test_a_token_where_three_spaces_meet_is_seen(pieces: MapPieces, token_mm: tuple[float, float]) -> None:
    corner = read_corners(pieces, picture(token_mm))["corner"]
    assert corner.pieces == (("gold", 1),)
    assert corner.is_sure


def test_a_corner_that_has_not_changed_is_read_again_only_where_another_tile_has_come_beside_it(
    pieces: MapPieces,
) -> None:
    image = picture((0.0, 0.0))
    shot, lit = Shot(image, POSE), light(pieces, image)
    before = read_corners(pieces, picture())  # of which this picture differs in the token that lies there now
    again = partial(pieces.read_corners, shot, WINDOW, MIDDLES, SIDE_MM, SPACES, lit, before)
    assert again(SPACES)["corner"] is before["corner"]
    elsewise = {**SPACES, "north": SpaceOnMap(FACES["east"], 0.0)}
    assert again(elsewise)["corner"].pieces == (("gold", 1),)
    del elsewise["north"]
    assert again(elsewise)["corner"].pieces == (("gold", 1),)


def test_a_bare_corner_surely_has_none(pieces: MapPieces) -> None:
    corner = read_corners(pieces, picture())["corner"]
    assert (corner.state, corner.pieces, corner.is_sure) == (PlaceState.EMPTY, (), True)


def test_where_the_colour_of_a_token_goes_on_around_it_a_person_is_asked(pieces: MapPieces) -> None:
    assert not read_corners(pieces, picture((0.0, 0.0), 9.5))["corner"].is_sure


@pytest.mark.parametrize("half_mm", [5.5, 2.3])
@pytest.mark.parametrize("turn_deg", [0, 90, 200])
def test_where_the_colour_of_a_token_goes_on_at_one_side_of_it_a_person_is_asked(
    pieces: MapPieces, turn_deg: int, half_mm: float
) -> None:
    image, along = picture(), np.array([np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))])
    across = half_mm * np.array([-along[1], along[0]])
    strip = np.array([across - 5 * along, across + 20 * along, 20 * along - across, -5 * along - across])
    cv2.fillConvexPoly(image, np.round(picture_px(strip, THICK_MM)).astype(np.int32), GOLD_BGR, cv2.LINE_AA)
    assert not read_corners(pieces, image)["corner"].is_sure


def on_bare(pieces: MapPieces, image: np.ndarray, lit: PictureLight, at: tuple[float, float]) -> str | None:
    shot = Shot(image, POSE)
    wide = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 80.0)  # so much bare table that a piece is no part
    seen = rectify(image, POSE, wide.corners_mm, 0.0, (wide.width_px, wide.height_px))
    places = [square_at(middle, SQUARE_MM, 0.0) for middle in MIDDLES.values()]
    table = Background(seen, wide, places, least_share=0.03).look
    return pieces.on_bare(shot, wide, BareSpace(np.array(at), SIDE_MM), table, lit, np.zeros(2))


def test_a_piece_beside_the_tiles_is_seen_on_bare_table(pieces: MapPieces) -> None:
    south = (0.0, 62.0)
    lit = light(pieces, picture())
    image = picture()
    stand(image, BLUE_BGR, (south[0] + 3.0, south[1] + 2.0))
    assert on_bare(pieces, image, lit, south) == "blue"
    assert on_bare(pieces, picture(), lit, south) is None


def test_a_piece_on_an_even_table_is_seen_though_a_few_tiles_tell_of_gloss_and_of_fading_light(
    pieces: MapPieces,
) -> None:
    south = (0.0, 62.0)
    lit = replace(light(pieces, picture()), slope=(0.0, -0.4), veil=(0.09, 0.09, 0.09))
    image = np.full_like(picture(), (83, 92, 57))
    shot = Shot(image, POSE)
    wide = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 80.0)
    seen = rectify(image, POSE, wide.corners_mm, 0.0, (wide.width_px, wide.height_px))
    places = [square_at(middle, SQUARE_MM, 0.0) for middle in MIDDLES.values()]
    table = Background(seen, wide, places, least_share=0.03).look
    assert table.is_even()
    stand(image, BLUE_BGR, south)
    assert pieces.on_bare(shot, wide, BareSpace(np.array(south), SIDE_MM), table, lit, np.zeros(2)) == "blue"


def test_a_stripe_of_the_cloth_is_no_piece_beside_the_tiles(pieces: MapPieces) -> None:
    south = (0.0, 62.0)
    image = picture()
    stripe = np.array([[-4.5, 62.0], [4.5, 62.0], [4.5, 85.0], [-4.5, 85.0]])
    cv2.fillConvexPoly(image, np.round(picture_px(stripe, 0.0)).astype(np.int32), BLUE_BGR, cv2.LINE_AA)
    assert on_bare(pieces, image, light(pieces, picture()), south) is None


def test_an_arm_beside_the_tiles_is_no_piece(pieces: MapPieces) -> None:
    south = (0.0, 62.0)
    image = picture()
    arm = np.array([[-8.0, 50.0], [8.0, 50.0], [8.0, 120.0], [-8.0, 120.0]])
    cv2.fillConvexPoly(image, np.round(picture_px(arm, THICK_MM)).astype(np.int32), BLUE_BGR, cv2.LINE_AA)
    assert on_bare(pieces, image, light(pieces, picture()), south) is None


def test_a_space_full_of_pieces_lies_where_the_rest_of_its_tile_does(pieces: MapPieces) -> None:
    off, tile = np.array([1.5, 1.0]), "north"
    image = bare_cloth()
    for slot, face in FACES.items():
        lay(image, TILES[face], MIDDLES[slot] + off, SQUARE_MM)
    for x, y in ((-9.0, -8.0), (4.0, -8.0), (-3.0, 6.0), (10.0, 6.0)):
        stand(image, BLUE_BGR, MIDDLES["east"] + off + (x, y))
    together = {slot: SpaceOnMap(face, 0.0, tile) for slot, face in FACES.items()}
    told = pieces._told_by_tile(Shot(image, POSE), WINDOW, MIDDLES, together, "east", light(pieces, picture()))
    assert told is not None
    assert told[0].centre_mm == pytest.approx(MIDDLES["east"] + off, abs=0.4)
    assert told[1] == pytest.approx(1.0, abs=0.1)


def test_where_no_three_spaces_are_laid_nothing_is_looked_for(pieces: MapPieces) -> None:
    seen = read_corners(pieces, picture((0.0, 0.0)), laid=frozenset({"north", "east"}))
    assert (seen["corner"].state, seen["corner"].pieces) == (PlaceState.EMPTY, ())
    assert seen["edge"].pieces == ()


def test_a_corner_beside_a_covered_space_is_left_unread_and_one_beyond_the_picture_is_outside(
    pieces: MapPieces,
) -> None:
    seen = read_corners(pieces, picture((0.0, 0.0)), covered=frozenset({"east"}))
    assert seen["corner"].state is PlaceState.COVERED
    assert seen["corner"].pieces == ()
    assert seen["beyond"].state is PlaceState.OUTSIDE


def test_a_cube_is_counted_on_its_space_and_not_on_its_neighbours(pieces: MapPieces) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"] + (4.0, 5.0))
    read = read_spaces(pieces, image, "east", "west")
    assert read["east"].pieces == (("blue", 1),)
    assert read["west"].pieces == ()
    assert read["east"].found[0].foot_mm == pytest.approx(tuple(MIDDLES["east"] + (4.0, 5.0)), abs=1.5)


def test_only_the_spaces_that_are_due_and_show_a_face_are_read(pieces: MapPieces) -> None:
    assert set(read_spaces(pieces, picture(), "west", "unlaid")) == {"west"}


def test_two_figures_of_one_seat_on_a_space_are_asked_about(pieces: MapPieces) -> None:
    image = picture()
    for x in (-10.0, 10.0):
        stand(image, BLUE_BGR, MIDDLES["east"] + (x, 6.0))
    read = read_spaces(pieces, image, "east")["east"]
    assert read.pieces == (("blue", 2),)
    assert read.p <= 0.5


def test_a_piece_of_which_the_look_goes_on_beyond_its_edge_is_asked_about(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"] + (4.0, 5.0))
    assert read_spaces(pieces, image, "east")["east"].doubted == ()
    monkeypatch.setattr(pieces_on_spaces, "goes_on", lambda *_: True)  # as what a pane of sun makes
    read = read_spaces(pieces, image, "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1),), (("blue", 0.5),))
    assert read.p <= 0.5


def test_a_piece_that_is_perhaps_there_leaves_the_count_of_other_colours_sure(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    blue = FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)
    monkeypatch.setattr(pieces, "_search", lambda *_: OnSpace([blue], {"red": 19.0}, 0.0, 0.9, (), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.p < 0.1
    assert [colour for colour, _ in read.doubted] == ["red"]
    told = PlaceReading(
        "east", "location", PlaceState.FACE, "face", 0.99, alternatives=(("face", 0.99),), pieces=read.pieces,
        pieces_p=read.p, doubted=read.doubted,
    ).slot_reading()  # fmt: skip
    assert told.others_p > 0.98


def test_a_figure_that_print_makes_twice_is_one_at_most_and_leaves_the_other_colours_sure(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = (("blue", 0.0), ("red", 9.0), ("red", -9.0))
    blue, *reds = (FoundPiece(name, (x, 0.0), 0.0, 160.0, 230.0) for name, x in where)
    monkeypatch.setattr(pieces, "_search", lambda *_: OnSpace([blue, *reds], {}, 0.0, 0.9, ("red",), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1), ("red", 1))
    assert read.doubted == (("red", 0.5),)
    assert read.others_p > 0.9
    monkeypatch.setattr(pieces, "_search", lambda *_: OnSpace([blue, *reds], {}, 0.0, 0.9, (), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1), ("red", 2))
    assert read.others_p <= 0.5


def test_the_faces_that_lie_there_explain_their_spaces_and_others_do_not(pieces: MapPieces) -> None:
    image = picture()
    known = {slot: SPACES[slot] for slot in ("north", "west")}
    there, elsewhere = SPACES["east"], SpaceOnMap(FACES["north"], 0.0)
    shot, lit = Shot(image, POSE), light(pieces, image)
    assert pieces.explains(shot, WINDOW, MIDDLES, {"east": there}, known, lit)
    assert not pieces.explains(shot, WINDOW, MIDDLES, {"east": elsewhere}, known, lit)


def test_a_space_that_its_tile_explains_is_not_searched_once_more_in_the_same_picture_and_light(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"])
    shot, lit, searched, search = Shot(image, POSE), light(pieces, image), [], PieceFinder.search_examined
    monkeypatch.setattr(
        PieceFinder, "search_examined", lambda *given, **how: searched.append(1) or search(*given, **how)
    )
    known = {slot: SPACES[slot] for slot in ("north", "west")}
    both = {**known, "east": SPACES["east"]}
    assert pieces.explains(shot, WINDOW, MIDDLES, {"east": SPACES["east"]}, known, lit)
    once = len(searched)
    first = pieces.read_spaces(shot, WINDOW, MIDDLES, both, lit, ["east"])["east"]
    assert (first.pieces, len(searched)) == ((("blue", 1),), once)
    for other_shot, other_light in ((Shot(image, POSE), lit), (shot, replace(lit))):
        before = len(searched)
        assert pieces.read_spaces(other_shot, WINDOW, MIDDLES, both, other_light, ["east"])["east"] == first
        assert len(searched) > before


def test_no_known_space_tells_no_light(pieces: MapPieces) -> None:
    assert pieces.light(Shot(picture(), POSE), WINDOW, MIDDLES, {}) is None


def test_a_corner_in_a_deep_shadow_is_no_token_of_half_its_colour(pieces: MapPieces) -> None:
    pale = cv2.circle(picture(), tuple(np.round(picture_px(np.zeros((1, 2)), THICK_MM))[0].astype(int)), 14,
                      (90, 150, 170), -1, cv2.LINE_AA)  # fmt: skip
    assert read_corners(pieces, pale)["corner"].pieces == ()
    assert read_corners(pieces, cv2.convertScaleAbs(pale, alpha=0.3))["corner"].pieces == ()


def test_a_tile_that_lay_there_is_known_by_one_of_its_spaces_when_light_falls_on_the_others(pieces: MapPieces) -> None:
    image = picture()
    x, y = np.round(picture_px(MIDDLES["east"][None], THICK_MM))[0].astype(int)
    cv2.ellipse(image, (x, y - 20), (60, 16), 20, 0, 360, (250, 250, 250), -1)
    shot, lit = Shot(image, POSE), light(pieces, picture())
    tile = {slot: SPACES[slot] for slot in ("east", "west")}
    known = {"north": SPACES["north"]}
    assert not pieces.explains(shot, WINDOW, MIDDLES, tile, known, lit)
    assert pieces.explains(shot, WINDOW, MIDDLES, tile, known, lit, lay=True)
    gone = bare_cloth()
    lay(gone, TILES[FACES["north"]], MIDDLES["north"], SQUARE_MM)
    assert not pieces.explains(Shot(gone, POSE), WINDOW, MIDDLES, tile, known, lit, lay=True)


@pytest.mark.parametrize("in_own_light", [False, True])
def test_bare_table_that_light_of_its_own_makes_a_little_like_the_print_is_no_tile_that_lay_there(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch, in_own_light: bool
) -> None:
    found = OnSpace([], {}, 0.0, 0.55, (), 1.5, in_own_light=in_own_light)
    monkeypatch.setattr(pieces, "_search", lambda *_: found)
    tile, known = {"east": SPACES["east"]}, {"north": SPACES["north"]}
    shot, lit = Shot(picture(), POSE), light(pieces, picture())
    assert pieces.explains(shot, WINDOW, MIDDLES, tile, known, lit, lay=True) is not in_own_light


def test_what_is_searched_in_light_of_its_own_says_so(pieces: MapPieces) -> None:
    shot = Shot(picture(), POSE)
    lit = light(pieces, shot.image)
    assert not pieces._search_in(shot, WINDOW, MIDDLES, SPACES, "east", lit).in_own_light
    assert pieces._search_in(shot, WINDOW, MIDDLES, SPACES, "east", None).in_own_light
    assert pieces._search_in(shot, WINDOW, MIDDLES, SPACES, "east", lit, in_parts=True).in_own_light


def test_print_that_the_sun_makes_as_bright_as_a_piece_is_doubted_and_read_in_its_own_light() -> None:
    tile = TILES[FACES["east"]].copy()
    wide = tile.shape[0]
    mm = wide / SQUARE_MM
    cv2.circle(tile, (wide // 2, wide // 2), round(6.0 * mm), (225, 225, 225), -1, cv2.LINE_AA)
    for across in (-3.0, -1.0, 1.0, 3.0):  # the ribs of a shell
        x = round(wide / 2 + across * mm)
        cv2.line(tile, (x, round(wide / 2 - 4 * mm)), (x, round(wide / 2 + 4 * mm)), (195, 195, 195), round(0.7 * mm))
    scans = {face: shrink_reference(TILES[face], SQUARE_MM) for face in FACES.values()}
    scans[FACES["east"]] = shrink_reference(tile, SQUARE_MM)
    white = (235.0, 235.0, 235.0)
    pieces = MapPieces(TableLayout(CORNERS), scans, SQUARE_MM, PieceColours(("white",), (white,)), CORNERS, ())
    plain = picture()
    lay(plain, tile, MIDDLES["east"], SQUARE_MM)
    dim = cv2.convertScaleAbs(plain, alpha=0.6)  # what tells the light of all lies in the shade
    lit = light(pieces, dim)
    sun = dim.copy()
    lay(sun, cv2.convertScaleAbs(tile, alpha=0.6 * 1.35), MIDDLES["east"], SQUARE_MM)
    shot = Shot(sun, POSE)
    found = pieces._search_in(shot, WINDOW, MIDDLES, SPACES, "east", lit)
    assert [piece.colour for piece in found.pieces] == ["white"]
    assert found.endless == ("white",)
    # the light of the map misses much of the print where an edge of sun lies over it: that of the space does not
    alone = {"east": SPACES["east"]}
    (read,) = pieces.read_spaces(shot, WINDOW, MIDDLES, alone, replace(lit, noise=20.0), ["east"]).values()
    assert read.pieces == ()
    assert read.p > 0.9
    stand(dim, (160.0, 160.0, 160.0), MIDDLES["east"] + (12.0, -10.0))
    (read,) = pieces.read_spaces(Shot(dim, POSE), WINDOW, MIDDLES, SPACES, lit, ["east"]).values()
    assert (read.pieces, read.doubted) == ((("white", 1),), ())


def test_what_explains_a_space_in_light_of_its_own_alone_is_asked_about(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    blue = FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)
    gold = FoundPiece("gold", (10.0, 0.0), 0.0, 160.0, 230.0)
    strange, explained = OnSpace([blue], {}, 200.0, 0.9, (), 3.0), OnSpace([blue, gold], {}, 0.0, 0.9, (), 12.0)

    def search(*given: object) -> OnSpace:
        return explained if given[-1] is None else strange

    monkeypatch.setattr(pieces, "_search_in", search)
    read = read_spaces(pieces, picture(), "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1), ("gold", 1)), (("gold", 0.5),))
    monkeypatch.setattr(pieces, "_search_in", lambda *_: strange)
    assert read_spaces(pieces, picture(), "east")["east"].pieces == (("blue", 1),)


@pytest.mark.parametrize(
    ("lit", "read"),
    [
        ([], ((), ())),  # a pane of sun on a part of the space
        (["gold"], ((("blue", 1),), (("blue", 0.5),))),  # the sun on a part makes something else
    ],
)
def test_what_goes_on_beyond_its_edge_is_light_where_light_on_a_part_of_the_space_explains_it(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch, lit: list[str], read: object
) -> None:
    def search(*_given: object, in_parts: bool = False) -> OnSpace:
        colours, endless = (lit, ()) if in_parts else (["blue", "blue"], ("blue",))
        return OnSpace([FoundPiece(c, (0.0, 0.0), 0.0, 160.0, 230.0) for c in colours], {}, 0.0, 0.9, endless, 3.0)

    monkeypatch.setattr(pieces, "_search_in", search)
    found = read_spaces(pieces, picture(), "east")["east"]
    assert (found.pieces, found.doubted) == read


@pytest.mark.parametrize(("at_mm", "read"), [((1.0, 0.0), (("blue", 1),)), ((9.0, 0.0), ())])
def test_a_piece_that_was_agreed_to_stand_there_before_is_not_explained_by_light_on_a_part_of_its_space(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch, at_mm: tuple[float, float], read: object
) -> None:
    def search(*_given: object, in_parts: bool = False) -> OnSpace:
        found = [] if in_parts else [FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)]
        return OnSpace(found, {}, 0.0, 0.9, () if in_parts else ("blue",), 3.0)

    monkeypatch.setattr(pieces, "_search_in", search)
    image, stood = picture(), {"east": [FoundPiece("blue", at_mm, 0.0, 160.0, 230.0)]}
    told = light(pieces, image)
    found = pieces.read_spaces(Shot(image, POSE), WINDOW, MIDDLES, SPACES, told, ["east"], stood)["east"]
    assert (found.pieces, found.p < 0.9) == (read, bool(read))


def test_what_light_on_a_part_makes_of_print_elsewhere_is_not_the_piece_that_was_found(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*given: object, in_parts: bool = False) -> OnSpace:
        if given[-1] is None:
            return OnSpace([], {}, 0.0, 0.9, (), 3.0)
        found = FoundPiece("blue", (9.0, 0.0) if in_parts else (0.0, 0.0), 0.0, 160.0, 230.0)
        return OnSpace([found], {}, 0.0, 0.3, () if in_parts else ("blue",), 37.0)

    monkeypatch.setattr(pieces, "_search_in", search)
    assert read_spaces(pieces, picture(), "east")["east"].pieces == ()


def test_a_piece_for_which_little_speaks_is_asked_about(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [FoundPiece("blue", (0.0, 0.0), 0.0, 28.0, 58.0), FoundPiece("gold", (9.0, 0.0), 0.0, 160.0, 230.0)]
    monkeypatch.setattr(pieces, "_search_in", lambda *_: OnSpace(both, {}, 5.0, 0.3, (), 11.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1), ("gold", 1)), (("blue", 0.5),))


@pytest.mark.parametrize(("margin", "is_sure"), [(7.0, False), (200.0, True)])
def test_a_piece_of_which_the_colour_is_hardly_ahead_of_another_leaves_no_count_sure(
    pieces: MapPieces, monkeypatch: pytest.MonkeyPatch, margin: float, is_sure: bool
) -> None:
    token = FoundPiece("blue", (0.0, 0.0), 0.0, 120.0, margin)
    monkeypatch.setattr(pieces, "_search_in", lambda *_: OnSpace([token], {}, 0.0, 0.5, (), 11.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1),)
    assert (read.others_p > 0.9) is is_sure  # it may be one of any other colour


def test_print_in_the_sun_on_a_part_of_a_space_is_no_piece_of_its_colour() -> None:
    print_ = np.full_like(TILES[FACES["east"]], 120)
    mm = print_.shape[0] / SQUARE_MM
    for k in range(5):
        at = np.round(mm * np.array([6.0 + 5 * k, 8.0 + 4 * k])).astype(int)
        cv2.circle(print_, (int(at[0]), int(at[1])), round(2 * mm), (90, 70, 80), -1)
    scans = {face: shrink_reference(TILES[face], SQUARE_MM) for face in FACES.values()}
    scans[FACES["east"]] = shrink_reference(print_, SQUARE_MM)
    white = PieceColours(("white",), ((235.0, 235.0, 235.0),))
    pieces = MapPieces(TableLayout(CORNERS), scans, SQUARE_MM, white, CORNERS, ())
    dim = picture()
    lay(dim, print_, MIDDLES["east"], SQUARE_MM)
    dim = cv2.convertScaleAbs(dim, alpha=0.6)
    lit, sun = light(pieces, dim), dim.copy()
    edge = round(float(picture_px(MIDDLES["east"][None], THICK_MM)[0, 0])) - 4
    sun[:, edge:] = cv2.convertScaleAbs(dim[:, edge:], alpha=1.9)
    shot = Shot(sun, POSE)
    found = pieces._search_in(shot, WINDOW, MIDDLES, SPACES, "east", lit)
    assert found.endless == ("white",)
    (read,) = pieces.read_spaces(shot, WINDOW, MIDDLES, SPACES, lit, ["east"]).values()
    assert read.pieces == ()
    assert read.p > 0.9


def test_a_tile_is_named_by_one_clear_space_where_another_is_surely_like_it_and_not_without(pieces: MapPieces) -> None:
    image = picture()
    half = np.round(picture_px(square_at(MIDDLES["west"], SQUARE_MM, 0.0), THICK_MM)).astype(np.int32)
    cv2.fillConvexPoly(image, half, (200, 30, 200))  # of one space nothing is known
    shot, tile = Shot(image, POSE), dict(SPACES)
    lit = light(pieces, picture())
    assert not pieces.explains(shot, WINDOW, MIDDLES, tile, {}, lit)
    assert pieces.explains(shot, WINDOW, MIDDLES, tile, {}, lit, clear=["north"])
    other = {**SPACES, "east": SPACES["west"]}  # a tile of which only that one space is right
    assert not pieces.explains(shot, WINDOW, MIDDLES, other, {}, lit, clear=["north"])


def in_panes(image: np.ndarray) -> np.ndarray:
    """A picture of the map across which panes of sun lie aslant: between them a third of the light is left."""
    xy = POSE.to_table(np.stack(np.meshgrid(*(np.arange(n) for n in image.shape[1::-1])), -1).reshape(-1, 2))
    shaded = (np.floor((xy @ (0.4, 0.9) + 8.0) / 27.0) % 2 == 1).reshape(image.shape[:2])
    left = np.where(shaded[..., None], (0.38, 0.36, 0.3), 1.0)
    return np.clip(from_light(to_light(image) * 0.8 * left), 0, 255).astype(np.uint8)


def test_print_in_panes_of_sun_is_told_from_pieces_that_stand_in_sun_and_shade(pieces: MapPieces) -> None:
    image = picture()
    for slot, (x, y) in (("east", (6.0, -7.0)), ("west", (-4.0, 5.0))):
        stand(image, BLUE_BGR, MIDDLES[slot] + (x, y))
    found = read_spaces(pieces, in_panes(image), *SPACES)
    assert {slot: one.pieces for slot, one in found.items()} == {
        "north": (), "east": (("blue", 1),), "west": (("blue", 1),),
    }
    assert all(one.p >= 0.9 for one in found.values())
