"""Facts about rendered maps that reach to the edge of what is seen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.games.rifts.edition.hexes import HEX_SIDE_MM, corners_mm, middle_mm
from companion.lab.render.layout import MARKER_CENTRES_MM, MARKER_MARGIN_MM, MARKER_MM, markers_extent_mm
from companion.lab.scenes.make_tables import main as make_tables
from companion.lab.scenes.rifts.pictures import MOST_TILES_WIDE, NEIGHBOURS, lay_wide_map


@pytest.mark.parametrize("seed", range(8))
def test_twenty_tiles_lie_side_by_side_in_view_and_off_the_markers(seed: int) -> None:
    laid = lay_wide_map(np.random.default_rng(seed), MOST_TILES_WIDE)
    assert len(laid.tiles) == MOST_TILES_WIDE
    assert len(laid.taken) == sum(len(tile.spaces) for tile, _ in laid.tiles.values())
    for anchor in laid.tiles:
        own = [space for space, (at, _) in laid.taken.items() if at == anchor]
        beside = {(q + dq, r + dr) for q, r in own for dq, dr in NEIGHBOURS} - set(own)
        assert beside & laid.taken.keys()
    sheet = MARKER_MM / 2 + MARKER_MARGIN_MM
    for space in laid.taken:
        hexagon = np.array(middle_mm(space, HEX_SIDE_MM)) + np.array(corners_mm((0, 0), HEX_SIDE_MM))
        assert (np.abs(hexagon) <= markers_extent_mm().max(0)).all()
        for centre in MARKER_CENTRES_MM.values():
            inner = np.abs(centre) - sheet
            assert (np.abs(hexagon) < inner).any(axis=1).all()


def test_the_command_draws_bare_maps_of_as_many_tiles_as_asked_in_rough_rooms(tmp_path: Path) -> None:
    arguments = [str(tmp_path), "--game", "rifts", "--tables", "1,", "--size", "640", "360", "--reference-px", "64"]
    rough = [*arguments, "--map-tiles", "17", "--profile", "rough", "--bare"]
    assert CliRunner().invoke(make_tables, rough, catch_exceptions=False).exit_code == 0
    told = json.loads((tmp_path / "table" / "001.json").read_text(encoding="utf-8"))
    assert sum(slot["face"] is not None for slot in told["slots"]) == 17
    assert told["rendered"]


@pytest.mark.parametrize("option", [["--map-tiles", "17"], ["--game", "rifts", "--bare"]])
def test_options_of_wide_maps_are_refused_where_they_would_do_nothing(tmp_path: Path, option: list[str]) -> None:
    assert CliRunner().invoke(make_tables, [str(tmp_path / "out"), *option]).exit_code == 2
    assert not (tmp_path / "out").exists()
