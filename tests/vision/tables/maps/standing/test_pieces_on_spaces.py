"""Pieces on the spaces of a map drawn by hand, and beside its tiles."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_table import POSE, THICK_MM, bare_cloth, lay, picture_px, stand
from three_spaces import (
    BLUE_BGR,
    CORNERS,
    FACES,
    MIDDLES,
    SPACES,
    SQUARE_MM,
    TILES,
    light,
    picture,
    scans,
    seen_in,
    standing,
)

from companion.core.layout import TableLayout
from vision.appearance.background import Background
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours, from_light, to_light
from vision.appearance.placed_face import PX_PER_MM, shrink_reference
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.pieces.finder import FoundPiece, PieceFinder
from vision.tables.maps.standing import bare_spaces, space_search
from vision.tables.maps.standing.discs import Disc
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.pieces_on_spaces import CountOnSpace
from vision.tables.maps.standing.space_search import OnSpace
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap


@pytest.fixture(scope="module")
def pieces() -> StandingPieces:
    return standing()


def found_on_it(monkeypatch: pytest.MonkeyPatch, pieces: StandingPieces, found: OnSpace) -> None:
    """Every search of a space finds this."""
    monkeypatch.setattr(pieces.on_spaces.search, "in_best_light", lambda *_: found)


def test_the_light_is_told_without_looking_at_what_lies_far_from_the_tiles(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, shapes = Window.around(np.array([[-200.0, -150.0], [200.0, 150.0]]), 0.0), []
    seen = seen_in(picture(), window=whole)
    here, look = pieces.on_spaces.light(seen, SPACES), MapInPicture.seen

    def seen_part(one: MapInPicture, part: Window) -> np.ndarray:
        shapes.append((part.width_px, part.height_px))
        return look(one, part)

    monkeypatch.setattr(MapInPicture, "seen", seen_part)
    assert pieces.on_spaces.light(seen, SPACES) == here
    reach = np.ptp(list(MIDDLES.values()), axis=0) + 2 * space_search.AROUND_MM
    assert np.abs(np.array(shapes[0]) - reach * PX_PER_MM).max() <= 3.0  # whole px
    assert light(pieces, seen.shot.image).gain == pytest.approx(here.gain, rel=0.01)


def read_spaces(
    pieces: StandingPieces, image: np.ndarray, *due: str
) -> dict[str, CountOnSpace]:
    seen = seen_in(image)
    return pieces.on_spaces.read(seen, SPACES, light(pieces, image), due)


def on_bare(pieces: StandingPieces, image: np.ndarray, lit: PictureLight, at: tuple[float, float]) -> str | None:
    wide = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 80.0)  # so much bare table that a piece is no part
    seen = rectify(image, POSE, wide.corners_mm, 0.0, (wide.width_px, wide.height_px))
    places = [square_at(middle, SQUARE_MM, 0.0) for middle in MIDDLES.values()]
    table = Background(seen, wide, places, least_share=0.03).look
    there = seen_in(image, window=wide, middles={"bare": np.array(at)})
    return pieces.on_spaces.on_bare(there, "bare", table, lit, np.zeros(2))


def test_a_piece_beside_the_tiles_is_seen_on_bare_table(pieces: StandingPieces) -> None:
    south = (0.0, 62.0)
    lit = light(pieces, picture())
    image = picture()
    stand(image, BLUE_BGR, (south[0] + 3.0, south[1] + 2.0))
    assert on_bare(pieces, image, lit, south) == "blue"
    assert on_bare(pieces, picture(), lit, south) is None


def test_a_piece_on_an_even_table_is_seen_though_a_few_tiles_tell_of_gloss_and_of_fading_light(
    pieces: StandingPieces,
) -> None:
    south = (0.0, 62.0)
    lit = replace(light(pieces, picture()), slope=(0.0, -0.4), veil=(0.09, 0.09, 0.09))
    image = np.full_like(picture(), (83, 92, 57))
    wide = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 80.0)
    seen = rectify(image, POSE, wide.corners_mm, 0.0, (wide.width_px, wide.height_px))
    places = [square_at(middle, SQUARE_MM, 0.0) for middle in MIDDLES.values()]
    table = Background(seen, wide, places, least_share=0.03).look
    assert table.is_even()
    stand(image, BLUE_BGR, south)
    there = seen_in(image, window=wide, middles={"bare": np.array(south)})
    assert pieces.on_spaces.on_bare(there, "bare", table, lit, np.zeros(2)) == "blue"


@pytest.mark.parametrize(
    ("like", "other", "stands", "seen"),
    [(0.6, 0.1, True, "blue"), (0.6, 0.4, True, None), (0.4, 0.0, True, None), (0.6, 0.1, False, None)],
)
def test_a_disc_that_hides_the_table_is_told_by_a_look_that_is_near_no_other(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, like: float, other: float, stands: bool, seen: object
) -> None:
    south = (0.0, 62.0)

    def disc(*given: object) -> Disc:
        is_asked = any(isinstance(one, PieceColours) and "blue" in one.names for one in given)
        return Disc("blue", like, 0.0, south) if is_asked else Disc("another", other, 0.0, south)

    monkeypatch.setattr(bare_spaces, "best_disc", disc)
    image = picture()
    if stands:
        stand(image, BLUE_BGR, south)
    assert on_bare(pieces, image, light(pieces, picture()), south) == seen


def test_a_stripe_of_the_cloth_is_no_piece_beside_the_tiles(pieces: StandingPieces) -> None:
    south = (0.0, 62.0)
    image = picture()
    stripe = np.array([[-4.5, 62.0], [4.5, 62.0], [4.5, 85.0], [-4.5, 85.0]])
    cv2.fillConvexPoly(image, np.round(picture_px(stripe, 0.0)).astype(np.int32), BLUE_BGR, cv2.LINE_AA)
    assert on_bare(pieces, image, light(pieces, picture()), south) is None


def test_an_arm_beside_the_tiles_is_no_piece(pieces: StandingPieces) -> None:
    south = (0.0, 62.0)
    image = picture()
    arm = np.array([[-8.0, 50.0], [8.0, 50.0], [8.0, 120.0], [-8.0, 120.0]])
    cv2.fillConvexPoly(image, np.round(picture_px(arm, THICK_MM)).astype(np.int32), BLUE_BGR, cv2.LINE_AA)
    assert on_bare(pieces, image, light(pieces, picture()), south) is None


def test_a_cube_is_counted_on_its_space_and_not_on_its_neighbours(pieces: StandingPieces) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"] + (4.0, 5.0))
    read = read_spaces(pieces, image, "east", "west")
    assert read["east"].pieces == (("blue", 1),)
    assert read["west"].pieces == ()
    assert read["east"].found[0].foot_mm == pytest.approx(tuple(MIDDLES["east"] + (4.0, 5.0)), abs=1.5)


def test_only_the_spaces_that_are_due_and_show_a_face_are_read(pieces: StandingPieces) -> None:
    assert set(read_spaces(pieces, picture(), "west", "unlaid")) == {"west"}


def test_two_figures_of_one_seat_on_a_space_are_asked_about(pieces: StandingPieces) -> None:
    image = picture()
    for x in (-10.0, 10.0):
        stand(image, BLUE_BGR, MIDDLES["east"] + (x, 6.0))
    read = read_spaces(pieces, image, "east")["east"]
    assert read.pieces == (("blue", 2),)
    assert read.p <= 0.5


def test_a_piece_of_which_the_look_goes_on_beyond_its_edge_is_asked_about(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"] + (4.0, 5.0))
    assert read_spaces(pieces, image, "east")["east"].doubted == ()
    monkeypatch.setattr(space_search, "goes_on", lambda *_: True)  # as what a pane of sun makes
    read = read_spaces(pieces, image, "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1),), (("blue", 0.5),))
    assert read.p <= 0.5


def test_a_piece_that_is_perhaps_there_leaves_the_count_of_other_colours_sure(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    blue = FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)
    found_on_it(monkeypatch, pieces, OnSpace([blue], {"red": 19.0}, 0.0, 0.9, (), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.p < 0.1
    assert [colour for colour, _ in read.doubted] == ["red"]
    told = PlaceReading(
        "east", "location", PlaceState.FACE, "face", 0.99, alternatives=(("face", 0.99),), pieces=read.pieces,
        pieces_p=read.p, doubted=read.doubted,
    ).slot_reading()  # fmt: skip
    assert told.others_p > 0.98


@pytest.mark.parametrize(("sides", "is_sure"), [(0.2, False), (0.1, True)])
def test_a_space_on_which_a_fifth_of_a_piece_goes_unexplained_is_not_surely_bare(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, sides: float, is_sure: bool
) -> None:
    found_on_it(monkeypatch, pieces, OnSpace([], {}, sides * TableLayout(CORNERS).piece_side_mm**2, 0.7, (), 3.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == ()
    assert (read.p > 0.9) is is_sure


def test_a_figure_that_print_makes_twice_is_one_at_most_and_leaves_the_other_colours_sure(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = (("blue", 0.0), ("red", 9.0), ("red", -9.0))
    blue, *reds = (FoundPiece(name, (x, 0.0), 0.0, 160.0, 230.0) for name, x in where)
    found_on_it(monkeypatch, pieces, OnSpace([blue, *reds], {}, 0.0, 0.9, ("red",), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1), ("red", 1))
    assert read.doubted == (("red", 0.5),)
    assert read.others_p > 0.9
    found_on_it(monkeypatch, pieces, OnSpace([blue, *reds], {}, 0.0, 0.9, (), 2.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1), ("red", 2))
    assert read.others_p <= 0.5


def test_the_faces_that_lie_there_explain_their_spaces_and_others_do_not(pieces: StandingPieces) -> None:
    image = picture()
    known = {slot: SPACES[slot] for slot in ("north", "west")}
    there, elsewhere = SPACES["east"], SpaceOnMap(FACES["north"], 0.0)
    seen, lit = seen_in(image), light(pieces, image)
    assert pieces.on_spaces.explains(seen, {"east": there}, known, lit)
    assert not pieces.on_spaces.explains(seen, {"east": elsewhere}, known, lit)


def test_a_space_that_its_tile_explains_is_not_searched_once_more_in_the_same_picture_and_light(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = picture()
    stand(image, BLUE_BGR, MIDDLES["east"])
    seen, lit, searched, search = seen_in(image), light(pieces, image), [], PieceFinder.search_examined
    monkeypatch.setattr(
        PieceFinder, "search_examined", lambda *given, **how: searched.append(1) or search(*given, **how)
    )
    known = {slot: SPACES[slot] for slot in ("north", "west")}
    both = {**known, "east": SPACES["east"]}
    assert pieces.on_spaces.explains(seen, {"east": SPACES["east"]}, known, lit)
    once = len(searched)
    first = pieces.on_spaces.read(seen, both, lit, ["east"])["east"]
    assert (first.pieces, len(searched)) == ((("blue", 1),), once)
    for other, other_light in ((seen_in(image), lit), (seen, replace(lit))):
        before = len(searched)
        assert pieces.on_spaces.read(other, both, other_light, ["east"])["east"] == first
        assert len(searched) > before


def test_no_known_space_tells_no_light(pieces: StandingPieces) -> None:
    assert pieces.on_spaces.light(seen_in(picture()), {}) is None


def test_a_tile_that_lay_there_is_known_by_one_of_its_spaces_when_light_falls_on_the_others(
    pieces: StandingPieces,
) -> None:
    image = picture()
    x, y = np.round(picture_px(MIDDLES["east"][None], THICK_MM))[0].astype(int)
    cv2.ellipse(image, (x, y - 20), (60, 16), 20, 0, 360, (250, 250, 250), -1)
    seen, lit = seen_in(image), light(pieces, picture())
    tile = {slot: SPACES[slot] for slot in ("east", "west")}
    known = {"north": SPACES["north"]}
    assert not pieces.on_spaces.explains(seen, tile, known, lit)
    assert pieces.on_spaces.explains(seen, tile, known, lit, lay=True)
    gone = bare_cloth()
    lay(gone, TILES[FACES["north"]], MIDDLES["north"], SQUARE_MM)
    assert not pieces.on_spaces.explains(seen_in(gone), tile, known, lit, lay=True)


def test_a_tile_that_lay_there_is_known_in_a_light_that_no_other_tile_has_told(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blown_out(image: np.ndarray) -> np.ndarray:
        return np.clip(1.7 * image.astype(float) + 20, 0, 255).astype(np.uint8)

    markers, seen = light(pieces, picture()), seen_in(blown_out(picture()))
    tile = {slot: SPACES[slot] for slot in ("east", "west")}
    found_on_it(monkeypatch, pieces, OnSpace([], {}, 31.0, 0.37, ("white",), 1.6))  # in that of the markers
    assert pieces.on_spaces.explains(seen, tile, {}, markers, lay=True)
    assert not pieces.on_spaces.explains(seen, tile, {}, markers)  # it may be any tile
    assert not pieces.on_spaces.explains(seen_in(blown_out(bare_cloth())), tile, {}, markers, lay=True)
    other = {"east": SpaceOnMap(FACES["north"], 0.0), "west": SpaceOnMap(FACES["north"], 0.0)}
    assert not pieces.on_spaces.explains(seen, other, {}, markers, lay=True)


@pytest.mark.parametrize("in_own_light", [False, True])
def test_bare_table_that_light_of_its_own_makes_a_little_like_the_print_is_no_tile_that_lay_there(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, in_own_light: bool
) -> None:
    found = OnSpace([], {}, 0.0, 0.55, (), 1.5, in_own_light=in_own_light)
    found_on_it(monkeypatch, pieces, found)
    tile, known = {"east": SPACES["east"]}, {"north": SPACES["north"]}
    seen, lit = seen_in(picture()), light(pieces, picture())
    assert pieces.on_spaces.explains(seen, tile, known, lit, lay=True) is not in_own_light


def test_print_that_the_sun_makes_as_bright_as_a_piece_is_doubted_and_read_in_its_own_light() -> None:
    tile = TILES[FACES["east"]].copy()
    wide = tile.shape[0]
    mm = wide / SQUARE_MM
    cv2.circle(tile, (wide // 2, wide // 2), round(6.0 * mm), (225, 225, 225), -1, cv2.LINE_AA)
    for across in (-3.0, -1.0, 1.0, 3.0):  # the ribs of a shell
        x = round(wide / 2 + across * mm)
        cv2.line(tile, (x, round(wide / 2 - 4 * mm)), (x, round(wide / 2 + 4 * mm)), (195, 195, 195), round(0.7 * mm))
    faces = scans()
    faces[FACES["east"]] = shrink_reference(tile, SQUARE_MM)
    white = (235.0, 235.0, 235.0)
    pieces = standing(faces, PieceColours(("white",), (white,)), ())
    plain = picture()
    lay(plain, tile, MIDDLES["east"], SQUARE_MM)
    dim = cv2.convertScaleAbs(plain, alpha=0.6)  # what tells the light of all lies in the shade
    lit = light(pieces, dim)
    sun = dim.copy()
    lay(sun, cv2.convertScaleAbs(tile, alpha=0.6 * 1.35), MIDDLES["east"], SQUARE_MM)
    seen = seen_in(sun)
    found = pieces.on_spaces.search.in_light(seen, SPACES, "east", lit)
    assert [piece.colour for piece in found.pieces] == ["white"]
    assert found.endless == ("white",)
    # the light of the map misses much of the print where an edge of sun lies over it: that of the space does not
    alone = {"east": SPACES["east"]}
    (read,) = pieces.on_spaces.read(seen, alone, replace(lit, noise=20.0), ["east"]).values()
    assert read.pieces == ()
    assert read.p > 0.9
    stand(dim, (160.0, 160.0, 160.0), MIDDLES["east"] + (12.0, -10.0))
    (read,) = pieces.on_spaces.read(seen_in(dim), SPACES, lit, ["east"]).values()
    assert (read.pieces, read.doubted) == ((("white", 1),), ())


def test_what_explains_a_space_in_light_of_its_own_alone_is_asked_about(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    blue = FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)
    gold = FoundPiece("gold", (10.0, 0.0), 0.0, 160.0, 230.0)
    strange, explained = OnSpace([blue], {}, 200.0, 0.9, (), 3.0), OnSpace([blue, gold], {}, 0.0, 0.9, (), 12.0)

    def search(*given: object) -> OnSpace:
        return explained if given[-1] is None else strange

    monkeypatch.setattr(pieces.on_spaces.search, "in_light", search)
    read = read_spaces(pieces, picture(), "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1), ("gold", 1)), (("gold", 0.5),))
    monkeypatch.setattr(pieces.on_spaces.search, "in_light", lambda *_: strange)
    assert read_spaces(pieces, picture(), "east")["east"].pieces == (("blue", 1),)


@pytest.mark.parametrize(
    ("lit", "read"),
    [
        ([], ((), ())),  # a pane of sun on a part of the space
        (["gold"], ((("blue", 1),), (("blue", 0.5),))),  # the sun on a part makes something else
    ],
)
def test_what_goes_on_beyond_its_edge_is_light_where_light_on_a_part_of_the_space_explains_it(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, lit: list[str], read: object
) -> None:
    def search(*_given: object, in_parts: bool = False) -> OnSpace:
        colours, endless = (lit, ()) if in_parts else (["blue", "blue"], ("blue",))
        return OnSpace([FoundPiece(c, (0.0, 0.0), 0.0, 160.0, 230.0) for c in colours], {}, 0.0, 0.9, endless, 3.0)

    monkeypatch.setattr(pieces.on_spaces.search, "in_light", search)
    found = read_spaces(pieces, picture(), "east")["east"]
    assert (found.pieces, found.doubted) == read


@pytest.mark.parametrize(("at_mm", "read"), [((1.0, 0.0), (("blue", 1),)), ((9.0, 0.0), ())])
def test_a_piece_that_was_agreed_to_stand_there_before_is_not_explained_by_light_on_a_part_of_its_space(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, at_mm: tuple[float, float], read: object
) -> None:
    def search(*_given: object, in_parts: bool = False) -> OnSpace:
        found = [] if in_parts else [FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)]
        return OnSpace(found, {}, 0.0, 0.9, () if in_parts else ("blue",), 3.0)

    monkeypatch.setattr(pieces.on_spaces.search, "in_light", search)
    image, stood = picture(), {"east": [FoundPiece("blue", at_mm, 0.0, 160.0, 230.0)]}
    told = light(pieces, image)
    found = pieces.on_spaces.read(seen_in(image), SPACES, told, ["east"], stood)["east"]
    assert (found.pieces, found.p < 0.9) == (read, bool(read))


@pytest.mark.parametrize(("noise", "doubted"), [(1.0, ()), (3.0, (("blue", 0.5),))])
def test_a_piece_with_which_one_light_explains_all_is_not_taken_away_by_lights_on_parts(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, noise: float, doubted: object
) -> None:
    blue = FoundPiece("blue", (0.0, 0.0), 0.0, 160.0, 230.0)

    def search(*given: object, in_parts: bool = False) -> OnSpace:
        if given[-1] is None:
            return OnSpace([blue], {}, 0.0, 0.9, (), noise)
        return OnSpace([] if in_parts else [blue], {}, 0.0, 0.9, () if in_parts else ("blue",), 3.5)

    monkeypatch.setattr(pieces.on_spaces.search, "in_light", search)
    read = read_spaces(pieces, picture(), "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1),), doubted)


def test_what_light_on_a_part_makes_of_print_elsewhere_is_not_the_piece_that_was_found(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*given: object, in_parts: bool = False) -> OnSpace:
        if given[-1] is None:
            return OnSpace([], {}, 0.0, 0.9, (), 3.0)
        found = FoundPiece("blue", (9.0, 0.0) if in_parts else (0.0, 0.0), 0.0, 160.0, 230.0)
        return OnSpace([found], {}, 0.0, 0.3, () if in_parts else ("blue",), 37.0)

    monkeypatch.setattr(pieces.on_spaces.search, "in_light", search)
    assert read_spaces(pieces, picture(), "east")["east"].pieces == ()


def test_a_piece_for_which_little_speaks_is_asked_about(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [FoundPiece("blue", (0.0, 0.0), 0.0, 28.0, 58.0), FoundPiece("gold", (9.0, 0.0), 0.0, 160.0, 230.0)]
    monkeypatch.setattr(pieces.on_spaces.search, "in_light", lambda *_: OnSpace(both, {}, 5.0, 0.3, (), 11.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert (read.pieces, read.doubted) == ((("blue", 1), ("gold", 1)), (("blue", 0.5),))


@pytest.mark.parametrize(("margin", "is_sure"), [(7.0, False), (200.0, True)])
def test_a_piece_of_which_the_colour_is_hardly_ahead_of_another_leaves_no_count_sure(
    pieces: StandingPieces, monkeypatch: pytest.MonkeyPatch, margin: float, is_sure: bool
) -> None:
    token = FoundPiece("blue", (0.0, 0.0), 0.0, 120.0, margin)
    monkeypatch.setattr(pieces.on_spaces.search, "in_light", lambda *_: OnSpace([token], {}, 0.0, 0.5, (), 11.0))
    read = read_spaces(pieces, picture(), "east")["east"]
    assert read.pieces == (("blue", 1),)
    assert (read.others_p > 0.9) is is_sure  # it may be one of any other colour


def test_print_in_the_sun_on_a_part_of_a_space_is_no_piece_of_its_colour() -> None:
    print_ = np.full_like(TILES[FACES["east"]], 120)
    mm = print_.shape[0] / SQUARE_MM
    for k in range(5):
        at = np.round(mm * np.array([6.0 + 5 * k, 8.0 + 4 * k])).astype(int)
        cv2.circle(print_, (int(at[0]), int(at[1])), round(2 * mm), (90, 70, 80), -1)
    faces = scans()
    faces[FACES["east"]] = shrink_reference(print_, SQUARE_MM)
    white = PieceColours(("white",), ((235.0, 235.0, 235.0),))
    pieces = standing(faces, white, ())
    dim = picture()
    lay(dim, print_, MIDDLES["east"], SQUARE_MM)
    dim = cv2.convertScaleAbs(dim, alpha=0.6)
    lit, sun = light(pieces, dim), dim.copy()
    edge = round(float(picture_px(MIDDLES["east"][None], THICK_MM)[0, 0])) - 4
    sun[:, edge:] = cv2.convertScaleAbs(dim[:, edge:], alpha=1.9)
    seen = seen_in(sun)
    found = pieces.on_spaces.search.in_light(seen, SPACES, "east", lit)
    assert found.endless == ("white",)
    (read,) = pieces.on_spaces.read(seen, SPACES, lit, ["east"]).values()
    assert read.pieces == ()
    assert read.p > 0.9


def test_a_tile_is_named_by_one_clear_space_where_another_is_surely_like_it_and_not_without(
    pieces: StandingPieces,
) -> None:
    image = picture()
    half = np.round(picture_px(square_at(MIDDLES["west"], SQUARE_MM, 0.0), THICK_MM)).astype(np.int32)
    cv2.fillConvexPoly(image, half, (200, 30, 200))  # of one space nothing is known
    seen, tile = seen_in(image), dict(SPACES)
    lit = light(pieces, picture())
    assert not pieces.on_spaces.explains(seen, tile, {}, lit)
    assert pieces.on_spaces.explains(seen, tile, {}, lit, clear=["north"])
    other = {**SPACES, "east": SPACES["west"]}  # a tile of which only that one space is right
    assert not pieces.on_spaces.explains(seen, other, {}, lit, clear=["north"])


def in_panes(image: np.ndarray) -> np.ndarray:
    """A picture of the map across which panes of sun lie aslant: between them a third of the light is left."""
    xy = POSE.to_table(np.stack(np.meshgrid(*(np.arange(n) for n in image.shape[1::-1])), -1).reshape(-1, 2))
    shaded = (np.floor((xy @ (0.4, 0.9) + 8.0) / 27.0) % 2 == 1).reshape(image.shape[:2])
    left = np.where(shaded[..., None], (0.38, 0.36, 0.3), 1.0)
    return np.clip(from_light(to_light(image) * 0.8 * left), 0, 255).astype(np.uint8)


def test_print_in_panes_of_sun_is_told_from_pieces_that_stand_in_sun_and_shade(pieces: StandingPieces) -> None:
    image = picture()
    for slot, (x, y) in (("east", (6.0, -7.0)), ("west", (-4.0, 5.0))):
        stand(image, BLUE_BGR, MIDDLES[slot] + (x, y))
    found = read_spaces(pieces, in_panes(image), *SPACES)
    assert {slot: one.pieces for slot, one in found.items()} == {
        "north": (), "east": (("blue", 1),), "west": (("blue", 1),),
    }
    assert all(one.p >= 0.9 for one in found.values())
