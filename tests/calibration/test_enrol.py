"""Enrolment: what is read off drawn tiles, corrections, the catalogue that is written, and the commands."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.box_file import read_box
from calibration.enrol import TileDraft, catalogue_text, corrected, described, drafts, scanned
from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import sample_style
from companion.app.commands.eyes.enrol import enrol
from companion.app.commands.eyes.identify import identify
from companion.core.errors import DataError
from companion.games.envyra.edition.components import THEMES, Theme

SIDE = 128


@pytest.fixture(scope="module")
def pictures() -> dict[str, np.ndarray]:
    style = sample_style()
    return {tile.id: draw_tile(tile, style, SIDE) for tile in sample_tiles()}


@pytest.fixture(scope="module")
def scans(pictures: dict[str, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    for face, picture in pictures.items():
        cv2.imwrite(str(folder / f"{face}.png"), picture)
    return folder


@pytest.fixture(scope="module")
def read(pictures: dict[str, np.ndarray]) -> tuple[TileDraft, ...]:
    return tuple(drafts({face: [p] for face, p in pictures.items()}))


def test_what_the_tiles_of_the_sample_edition_say_is_read_off_them(read: tuple[TileDraft, ...]) -> None:
    tiles = {tile.id: tile for tile in sample_tiles()}
    symbols = {(tiles[d.id].theme, tiles[d.id].symbol, d.symbol) for d in read if d.theme in THEMES}
    assert len(symbols) == len({(theme, symbol) for theme, symbol, _ in symbols})
    assert sum(d.vp == tiles[d.id].vp for d in read) >= 0.9 * len(tiles)
    assert sum(d.cubes == tiles[d.id].cubes for d in read) >= 0.9 * len(tiles)


def test_drafts_name_the_themes_by_their_colours(read: tuple[TileDraft, ...]) -> None:
    tiles = {tile.id: tile for tile in sample_tiles()}
    assert {draft.id for draft in read} == set(tiles)
    for draft in read:
        assert draft.theme.value == tiles[draft.id].theme


def test_a_correction_changes_what_it_names() -> None:
    draft = TileDraft("x", Theme.FLORA, 1, None, 2, ())
    mended = corrected(draft, "vp=3 requires=fire,water start=yes")
    assert mended == TileDraft("x", Theme.FLORA, 1, 3, 2, (Theme.WATER, Theme.FIRE), start=True)
    assert corrected(draft, described(mended)) == mended


def test_every_wrong_correction_is_named() -> None:
    with pytest.raises(DataError, match=r"(?s)vp=many.*colour=red"):
        corrected(TileDraft("x", Theme.FLORA, 1, 1, 1, ()), "vp=many colour=red cubes=2")


def test_the_catalogue_says_what_the_tiles_say() -> None:
    wave = TileDraft('a"b', Theme.WATER, 2, 4, 3, (Theme.FIRE,), start=True)
    end = TileDraft("end", Theme.END, 0, 3, 3, ())
    document = tomllib.loads(catalogue_text("mine", "Moja krabica", (wave, end)))
    assert document["catalogue"]["title"] == "Moja krabica"
    assert document["tile"][0] == {
        "id": 'a"b', "theme": "water", "symbol": 2, "vp": 4, "cubes": 3, "requires": ["fire"], "start": True
    }
    assert "symbol" not in document["tile"][1]


def test_points_that_were_not_read_are_asked_for() -> None:
    with pytest.raises(DataError, match="victory points of x"):
        catalogue_text("mine", "Mine", (TileDraft("x", Theme.FLORA, 1, None, 1, ()),))


def test_files_that_are_no_pictures_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no")
    with pytest.raises(DataError, match=r"a\.png"):
        scanned(tmp_path)


def test_enrol_writes_the_catalogue_and_every_scan(
    scans: Path, pictures: dict[str, np.ndarray], tmp_path: Path
) -> None:
    out = tmp_path / "box.zip"
    result = CliRunner().invoke(enrol, [str(scans), "--out", str(out), "--catalogue", "sample"], catch_exceptions=False)
    box = read_box(out)
    assert result.exit_code == 0
    assert set(box.references) == set(pictures)
    assert tomllib.loads(box.catalogue)["catalogue"]["id"] == "sample"


def test_identify_names_a_turned_piece_and_keeps_silent_about_another(scans: Path, tmp_path: Path) -> None:
    tile = cv2.imread(str(scans / "water-1-a.png"))
    some = tmp_path / "some"
    some.mkdir()
    for path in (scans / "water-1-a.png", *sorted(scans.glob("water-*.png"))[:6], *sorted(scans.glob("f*.png"))[:4]):
        (some / path.name).write_bytes(path.read_bytes())
    cv2.imwrite(str(tmp_path / "one.png"), np.rot90(tile, -1))
    noise = cv2.GaussianBlur(np.random.default_rng(3).normal(128, 60, (SIDE, SIDE, 3)), (0, 0), 2)
    cv2.imwrite(str(tmp_path / "two.png"), np.clip(noise, 0, 255).astype(np.uint8))
    arguments = ["--references", str(some), str(tmp_path / "one.png"), str(tmp_path / "two.png")]
    result = CliRunner().invoke(identify, arguments, catch_exceptions=False)
    one, two = (json.loads(line) for line in result.stdout.splitlines())
    assert (one["name"], one["turn"], one["unknown"]) == ("water-1-a", 1, False)
    assert one["alternatives"][0] == ["water-1-a", one["probability"]]
    assert (two["name"], two["unknown"]) == (None, True)
