"""Pieces of any outline on rendered tables: hexagons, discs and compound tiles are found where they lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.piece_outline import PieceOutline, disc_outline, hexagons_outline
from companion.games.rifts.edition.hexes import HEX_SIDE_MM, middle_mm
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.pieces import Slab, regular
from companion.lab.scenes.profile import make_room, take
from companion.lab.scenes.rifts.laid_map import laid_out, made_up_map, outline_of
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, TablePose, locate_table
from vision.spread.loose import LoosePieces
from vision.spread.shapes import find_loose_shapes

NEAR_PX = 1.5
"""An edge that is told to a pixel, and its own blur."""


def found_in(jpeg: bytes, outlines: list[PieceOutline]) -> tuple[LoosePieces, TablePose]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    pose = locate_table(image, MarkerLayout())
    assert not isinstance(pose, NotLocated)
    return find_loose_shapes(np.asarray(image, np.uint8), pose, outlines, 2.0, MarkerLayout()), pose


@pytest.mark.parametrize(("seed", "table", "light"), [(2, "white", "led"), (4, "dark", "window")])
def test_tiles_of_other_art_are_outlined_as_they_lie(seed: int, table: str, light: str) -> None:
    edition = made_up_map(seed)
    laid = laid_out(edition, edition.catalogue.tiles[:6], seed, (1280, 720), table=table, light=light)
    bend = hexagons_outline([middle_mm(at, HEX_SIDE_MM) for at in ((0, 0), (1, 0), (1, 1))], HEX_SIDE_MM, "bend")
    triangle = hexagons_outline(outline_of(edition.catalogue.tiles[0]).parts_mm, HEX_SIDE_MM, "triangle")
    found, _ = found_in(laid.jpeg, [bend, triangle])
    assert [one.outline for one in found.pieces] == ["triangle"] * 6
    for _, _, corners in laid.places.values():
        off = [
            np.linalg.norm(np.roll(one.rim_px, 4 * third, axis=0) - corners, axis=1).max()
            for one in found.pieces for third in range(3)
        ]
        assert min(off) < NEAR_PX


def test_hexagons_and_discs_are_told_apart_and_a_piece_of_another_size_is_none() -> None:
    rng = np.random.default_rng(11)
    room = make_room(rng, (1280, 720), "felt", "led", markers_extent_mm(), tilt_deg=15, slack=(1.02, 1.1))
    lying = {"hexagon": (-120.0, -60.0), "disc": (0.0, 70.0), "large disc": (110.0, -40.0)}
    corners, radius = {"hexagon": 6, "disc": 48, "large disc": 48}, {"hexagon": 26.0, "disc": 16.0, "large disc": 40.0}
    slabs = [
        Slab(regular(corners[name], radius[name], xy, 11.0), 0.0, 2.0, (40, 70, 200), (90, 90, 90), layer=1)
        for name, xy in lying.items()
    ]
    jpeg, _ = take(room, [*slabs, *marker_slabs(rng)], rng)
    outlines = [hexagons_outline([(0.0, 0.0)], 26.0, "hexagon"), disc_outline(32.0, "disc")]
    found, pose = found_in(jpeg, outlines)
    assert {one.outline for one in found.pieces} == {"hexagon", "disc"}
    for one in found.pieces:
        at = pose.to_table(one.rim_px.mean(0)[None], -2.0)[0]
        assert np.linalg.norm(at - lying[one.outline]) < 1.0
