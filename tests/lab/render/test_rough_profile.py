"""The rough profile: the same seed gives the same picture, tiles lie askew but apart, nothing hides the game."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.types import SeatInfo, Setup
from companion.games.envyra import GAME
from companion.games.envyra.edition.catalogue import load_catalogue
from companion.lab.films.game_script import Director
from companion.lab.films.merged_acts import merged
from companion.lab.render.camera import over_table
from companion.lab.render.edition import edition_named
from companion.lab.render.layout import TILE_MM, cell_centre_mm, grid_extent_mm, markers_extent_mm
from companion.lab.render.pieces import rectangle
from companion.lab.rough.clutter import cards, clutter, mug, phone
from companion.lab.rough.profile import ASIDE_MM, ASKEW_DEG, TILT_DEG, RoughProfile
from companion.lab.scenes.envyra_pictures import grid_picture
from companion.lab.scenes.profile import PLAIN

SIZE = ((640, 360),)
SEED = 4


@pytest.fixture(scope="module")
def edition():
    return edition_named("painted:4")


def test_the_same_seed_gives_the_same_rough_picture(edition):
    first, again = (grid_picture(edition, SEED, 1, SIZE, RoughProfile(SEED)) for _ in range(2))
    assert first == again


def test_rough_tiles_lie_askew_by_any_quarter_turn_and_never_on_one_another():
    rng, places = np.random.default_rng(1), []
    for cell in np.ndindex(3, 4):
        places.append(RoughProfile(SEED).tile_place(rng, cell_centre_mm(*cell, (3, 4)), False, places))
    off = np.array([xy - cell_centre_mm(*cell, (3, 4)) for (xy, _), cell in zip(places, np.ndindex(3, 4), strict=True)])
    turns = np.array([deg for _, deg in places])
    askew = (turns + 45) % 90 - 45
    assert np.linalg.norm(off, axis=1).max() <= ASIDE_MM
    assert np.abs(askew).max() <= ASKEW_DEG
    assert np.abs(askew).max() > 2
    assert len({int(turn // 90) for turn in turns - askew}) > 1
    outlines = [rectangle(TILE_MM, TILE_MM, *place).astype(np.float32) for place in places]
    for k, one in enumerate(outlines):
        assert all(cv2.intersectConvexConvex(one, other)[0] == 0 for other in outlines[:k])


def test_a_household_has_worn_each_card_its_own_way_and_a_tidy_one_none():
    scan = np.full((136, 88, 3), 120, np.uint8)
    profile = RoughProfile(SEED)
    mine, again, crane = (profile.face(name, scan) for name in ("mine", "mine", "crane"))
    assert mine.shape == scan.shape
    assert (mine == again).all()
    assert (mine != scan).any()
    assert (mine != crane).any()
    assert PLAIN.face("mine", scan) is scan


def test_cameras_of_rough_rooms_look_from_5_to_42_degrees_off_the_vertical():
    rng = np.random.default_rng(2)
    for _ in range(4):
        camera = over_table(
            rng, SIZE[0], must_see_mm=markers_extent_mm(), least_tilt_deg=TILT_DEG[0], tilt_deg=TILT_DEG[1]
        )
        axis = cv2.Rodrigues(camera.rvec)[0][2]
        assert 3 < np.rad2deg(np.arccos(axis[2])) < 50  # and a little aside


def test_clutter_hides_no_tile_from_the_camera():
    rng, clear = np.random.default_rng(3), grid_extent_mm((3, 4))
    camera = over_table(rng, SIZE[0], must_see_mm=markers_extent_mm(), tilt_deg=40)
    slabs = clutter(rng, camera, [clear], (mug, phone, cards), 6)
    tiles = cv2.convexHull(camera.project(np.column_stack([clear, np.full(4, -2.0)])).astype(np.float32))
    assert len(slabs) > 4
    for slab in slabs:
        tops = [np.column_stack([slab.outline_mm, np.full(len(slab.outline_mm), -h)]) for h in (0.0, slab.top_mm)]
        hull = cv2.convexHull(camera.project(np.vstack(tops)).astype(np.float32))
        assert cv2.intersectConvexConvex(tiles, hull)[0] == 0


def test_copies_of_a_painted_box_differ_in_a_digit_and_little_else(edition):
    seen = {}
    for tile in edition.tiles:
        seen.setdefault((tile.theme, tile.symbol), []).append(tile)
    copies = [pair for pair in seen.values() if len(pair) > 1 and pair[0].theme in ("flora", "water", "fire")]
    assert copies
    for tiles in copies:
        assert len({tile.vp for tile in tiles}) == len(tiles) or {tile.vp for tile in tiles} == {5}
        changed = np.abs(edition.face(tiles[0].id).astype(int) - edition.face(tiles[1].id)).max(-1) > 12
        assert 0.0005 < changed.mean() < 0.08


def test_merged_acts_keep_every_event_and_leave_out_settled_pictures(edition, tmp_path):
    path = tmp_path / "catalogue.json"
    path.write_text(edition.catalogue(), encoding="utf-8")
    catalogue = load_catalogue(path)
    seats = tuple(SeatInfo(name, colour) for name, colour in zip("AB", edition.cube_colours, strict=False))
    rules = GAME.make_rules(Setup("envyra", seats, catalogue.id), catalogue)
    script = Director(rules, catalogue, np.random.default_rng(5), most_acts=2).play(40)
    short = merged(script, np.random.default_rng(6), 3)
    assert len(script.shots) - len(short.shots) == 6
    assert [e["event"] for e in short.events] == [e["event"] for e in script.events]
    shown = [short.shots[e["frame"]].kind for e in short.events if e["event"] in ("move", "capture", "refill")]
    assert set(shown) == {"settled"}
    assert [e["frame"] for e in short.events] == sorted(e["frame"] for e in short.events)
