"""Learning the tiles of a map: the catalogue that comes of them, their counts, their spaces read, icons told apart."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
import pytest

from calibration.course.course import Course
from calibration.course.faults import seen_in_part
from calibration.course.upright import only_outline, outline_turned, turns_of, turns_within
from calibration.course.written_catalogue import catalogue_toml, piece_ids
from calibration.face_print.face_view import PrintView
from calibration.proposals.faces import Face, Places, Reading
from calibration.proposals.parts import HEXAGON, PartsReader, inner_pictures, part_picture
from calibration.proposals.present import propose_icon
from calibration.rifts_edition.art import draw_tile
from companion.core.face_form import FaceField, Shown, Written
from companion.core.game_kit.any_table import colours_to_learn
from companion.games import find_game
from companion.games.rifts.edition.catalogue import Tile, load_catalogue
from companion.games.rifts.edition.form import FORM, outlines
from companion.games.rifts.edition.spell_form import SPELL_FORM
from companion.lab.scenes.rifts.read_values import values_of

SAMPLE = load_catalogue("sample")
TILES = (SAMPLE.start, *SAMPLE.tiles)
TRIANGLE = FORM.outline(values_of(TILES[0]))
PX_PER_MM = 2.0


def picture_of(tile: Tile) -> np.ndarray:
    assert TRIANGLE is not None
    return only_outline(draw_tile(tile, PX_PER_MM), TRIANGLE)


def bordered(picture: np.ndarray, border_px: int) -> np.ndarray:
    """A tile with a black line around each space."""
    assert TRIANGLE is not None
    out, scale = picture.copy(), picture.shape[1] / TRIANGLE.size_mm[0]
    for middle in TRIANGLE.parts_mm if border_px else ():
        size = np.array(TRIANGLE.part_mm)
        corners = (HEXAGON - 0.5) * size + middle + np.array(TRIANGLE.size_mm) / 2
        cv2.polylines(out, [np.round(corners * scale).astype(np.int32)], True, (20, 20, 20), 2 * border_px)
    return out


def test_a_map_told_tile_by_tile_is_a_catalogue_the_game_takes() -> None:
    pieces = [values_of(tile) for tile in TILES]
    course = Course("rifts").laid([f"{n}.png" for n in range(len(pieces))])
    kept = course.accepted(dict(enumerate(pieces, 1)), FORM).kept
    again = load_catalogue(catalogue_toml("rifts", "mine", "Moja krabica", kept, FORM, [((), SPELL_FORM)]))
    assert again.start == SAMPLE.start
    assert [tile.spaces for tile in again.tiles] == [tile.spaces for tile in SAMPLE.tiles]
    assert again.spells == SAMPLE.spells
    assert {origin.value for (piece, _), origin in again.provenance.items() if piece == "ember"} == {"sample"}
    assert list(piece_ids(kept, FORM).values())[:3] == ["start", "tile-a", "tile-b"]
    assert all(line.have == line.want and not line.wrong for line in FORM.progress(pieces))


def test_a_box_has_one_starting_tile_and_land_for_three_temples() -> None:
    start, other = values_of(SAMPLE.start), values_of(SAMPLE.tiles[0])
    lines = {str(line.text): line for line in FORM.progress([start, other, start])}
    assert lines["Starting tile"].wrong  # N2
    assert lines["Starting tile"].pieces == (0, 2)
    assert lines["Mountains: three for the temple of air"].have == 2  # N13: location-01 has two
    mixed = FORM.progress([start | {"land_2": "river"}])
    assert any(line.wrong and line.text == "The starting tile has no other land" for line in mixed)


def test_tiles_of_up_to_four_spaces_and_the_ring_have_outlines_with_their_fields() -> None:
    counts = [len(one.parts_mm) for one in outlines()]
    assert [counts.count(n) for n in (1, 2, 3, 4, 7)] == [1, 1, 3, 10, 1]  # polyhexes that may be turned, not flipped
    single = {"shape": "0,0", "land_1": "village", "sells_1": "none"}
    asked = [one.key for one in FORM.fields if FORM.applies(one, single)]
    assert asked == ["shape", "land_1", "enemy_1", "rift_1", "sells_1"]


def test_a_tile_laid_again_at_another_turn_is_turned_to_lie_as_before() -> None:
    assert TRIANGLE is not None
    assert turns_within(TRIANGLE) == 3
    known = [picture_of(tile) for tile in TILES[:6]]
    laid = [outline_turned(known[k], TRIANGLE, turn) for k, turn in ((3, 1), (4, 2), (5, 0))]
    ways = turns_of(laid, known, range(3), lambda picture, turn: outline_turned(picture, TRIANGLE, turn))
    assert ways == [2, 1, 0]


@pytest.mark.parametrize("border_px", [0, 3])
def test_tiles_of_a_first_batch_are_turned_the_same_way_by_what_their_spaces_share(border_px: int) -> None:
    assert TRIANGLE is not None
    laid = [
        outline_turned(bordered(picture_of(tile), border_px), TRIANGLE, k % 3) for k, tile in enumerate(TILES[1:8])
    ]
    ways = turns_of(
        laid, [], range(3), lambda picture, turn: outline_turned(picture, TRIANGLE, turn),
        partial(inner_pictures, outline=TRIANGLE),
    )
    assert len({(k + way) % 3 for k, way in enumerate(ways)}) == 1


def test_a_space_is_cut_out_with_nothing_of_its_neighbours() -> None:
    assert TRIANGLE is not None
    start = picture_of(SAMPLE.start)
    mixed = draw_tile(SAMPLE.tiles[0], PX_PER_MM)  # mountain, village, mountain
    village = part_picture(mixed, TRIANGLE, 1)
    assert village.shape[0] == pytest.approx(52 * PX_PER_MM, abs=1)
    assert np.abs(village[0, 0].astype(int) - village[-1, -1]).max() == 0, "its corners lie beside it"
    with pytest.raises(IndexError):
        part_picture(start, TRIANGLE, 3)


def test_lands_that_were_confirmed_are_proposed_for_other_spaces() -> None:
    reader = PartsReader(FORM)
    confirmed, asked = SAMPLE.tiles[:12], SAMPLE.tiles[12:16]
    pieces = [(n, picture_of(tile), values_of(tile)) for n, tile in enumerate(confirmed)]
    pieces += [(20 + n, picture_of(tile), {"shape": values_of(tile)["shape"]}) for n, tile in enumerate(asked)]
    said = reader.read(pieces)[len(confirmed) :]
    for tile, fields in zip(asked, said, strict=True):
        for number, space in enumerate(tile.spaces, 1):
            land = fields[f"land_{number}"]
            assert land.value == space.terrain.value or not land.sure
            for icon, there in (("enemy", space.enemy), ("rift", space.rift)):
                proposal = fields[f"{icon}_{number}"]
                assert proposal.value == ("yes" if there else "no") or not proposal.sure
    assert sum(one.sure for fields in said for key, one in fields.items() if key.startswith("land")) >= 6


def test_an_icon_is_surely_read_only_once_faces_with_and_without_it_are_confirmed() -> None:
    field = FaceField("enemy", "Enemy", Shown.ICON, Written.FLAG, ("no", "yes"))
    rng = np.random.default_rng(5)

    def face(*, icon: bool, at: tuple[int, int] = (20, 110)) -> PrintView:
        picture = np.full((160, 160, 3), (90, 140, 80), np.uint8) + rng.integers(0, 12, (160, 160, 3), np.uint8)
        picture[60:100, 60:100] = rng.integers(0, 255, 3)
        if icon:
            picture[at[1] : at[1] + 30, at[0] : at[0] + 30] = (20, 20, 200)
        return PrintView.of(picture)

    told = [(face(icon=k < 2), {"enemy": "yes" if k < 2 else "no"}) for k in range(6)]
    fresh = [(face(icon=True), {}), (face(icon=False), {}), (face(icon=True, at=(110, 20)), {})]
    faces = [Face(view, known) for view, known in [*told, *fresh]]

    def said(upto: int, number: int) -> tuple[str | None, bool]:
        some = [*faces[:upto], faces[number]]
        one = propose_icon(Reading(FORM, some, Places(), [{} for _ in some]), upto, field)
        return one.value, one.sure

    assert said(5, 6) == ("no", False), "three without it are too few"
    assert said(6, 6) == ("yes", True)
    assert said(6, 7) == ("no", True)
    assert not said(6, 8)[1], "an icon elsewhere: the face may lie another way up"


def test_an_icon_seen_on_one_land_alone_is_never_surely_not_on_another() -> None:
    """What tells it may be the print of that land as well as the icon."""
    field = FaceField("enemy", "Enemy", Shown.ICON, Written.FLAG, ("no", "yes"))
    rng = np.random.default_rng(6)

    def face(ground: tuple[int, int, int], *, icon: bool) -> PrintView:
        picture = np.full((160, 160, 3), ground, np.uint8) + rng.integers(0, 12, (160, 160, 3), np.uint8)
        if icon:
            picture[110:140, 20:50] = np.clip(np.array(ground) + 90, 0, 255)  # half of the ground shines through
        return PrintView.of(picture)

    grass, sand = (60, 140, 60), (120, 190, 220)
    told = [(face(grass, icon=k < 2), {"enemy": "yes" if k < 2 else "no"}) for k in range(7)]

    def said(known: list[tuple[PrintView, dict[str, str]]], view: PrintView) -> tuple[str | None, bool]:
        some = [Face(one, values) for one, values in [*known, (view, {})]]
        one = propose_icon(Reading(FORM, some, Places(), [{} for _ in some]), len(known), field)
        return one.value, one.sure

    assert said(told, face(grass, icon=False)) == ("no", True)
    assert not said(told, face(sand, icon=True))[1]


def test_the_colours_of_tokens_are_learnt_with_those_of_the_mages() -> None:
    assert colours_to_learn(find_game("rifts"))[:5] == ("yellow", "green", "white", "blue", "enemy")
    assert colours_to_learn(find_game("spyrium")) == find_game("spyrium").colours


@pytest.mark.parametrize(
    ("areas", "suspect"),
    [([3.0, 3.0, 2.0, 3.0], True), ([3.0, 3.0, 2.0], False), ([3.0, 3.0, 2.0, 2.0, 3.0], True),
     ([3.0, 3.0, 2.0, 2.0], False),
     ([3.0, 3.0, 7.0, 3.0], False), ([2.0], False), ([3.0] * 4, False)],
)
def test_a_smaller_outline_than_most_is_that_of_a_piece_seen_in_part(areas: list[float], suspect: bool) -> None:
    assert any(seen_in_part(areas, k) for k in range(len(areas))) == suspect
