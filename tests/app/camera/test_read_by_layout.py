"""A table that is no grid of tiles is read by its game's layout, from a box file or a set of pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from followed_table import sample_rules
from spyrium_positions import rules_of
from watched_table import WatchedTable

from calibration.box_file import read_box
from companion.app.camera.known_box import KnownBox
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.commands.eyes.enrol import enrol
from companion.app.commands.game.sample import sample
from companion.app.files.settings import Settings
from companion.core.errors import DataError
from companion.core.inputs import Sight, ViewState
from companion.games.spyrium import GAME
from companion.lab.scenes.make_tables import main as make_tables


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the camera must know of the printed sample edition of Spyrium."""
    path = tmp_path_factory.mktemp("box") / "spyrium.zip"
    made = CliRunner().invoke(sample, ["box", "--game", "spyrium", "--out", str(path)], catch_exceptions=False)
    assert "invented" in made.output
    return path


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered set with one picture of a market."""
    cv2.setNumThreads(1)
    out = tmp_path_factory.mktemp("tables")
    arguments = [str(out), "--seed", "3", "--size", "1280", "720", "--tables", "1", "--reference-px", "200"]
    assert CliRunner().invoke(make_tables, arguments, catch_exceptions=False).exit_code == 0
    return out


def test_the_drawn_edition_knows_every_face_of_the_game(box: Path, tmp_path: Path) -> None:
    assert set(rules_of().faces()) == read_box(box).references.keys()
    known = KnownBox(box)
    catalogue = known.catalogue(Settings(data_dir=str(tmp_path)))
    assert known.game() == "spyrium"
    assert catalogue is not None
    assert GAME.load_catalogue(catalogue).cards == GAME.load_catalogue("sample").cards


def test_hands_are_looked_for_round_the_market_and_its_gaps(box: Path) -> None:
    reader = KnownBox(box).reader(rules_of())
    assert reader.grid is None
    assert {o.slot for o in reader.outlines} == set(rules_of().tables.slots) | set(rules_of().tables.gaps)


def test_a_set_of_pictures_tells_its_game_markers_and_faces(pictures: Path, tmp_path: Path) -> None:
    known = KnownBox(pictures)
    assert known.game() == "spyrium"
    assert known.catalogue(Settings(data_dir=str(tmp_path))) is None
    assert known.markers() == known.reader(rules_of(4)).markers


def test_a_set_of_another_game_is_refused(pictures: Path) -> None:
    with pytest.raises(DataError, match="expected pictures of envyra, got some of spyrium"):
        KnownBox(pictures).reader(sample_rules(3))


def test_scans_of_cards_become_a_box_with_the_catalogue_that_is_named(tmp_path: Path, box: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    same = rules_of().same_face
    for face, (picture, *_) in read_box(box).references.items():
        if same(face) == face:  # of cards that look the same one is enough
            cv2.imwrite(str(scans / f"{face}.png"), np.asarray(picture)[::4, ::4])
    out = tmp_path / "own.zip"
    arguments = [str(scans), "--out", str(out), "--game", "spyrium", "--catalogue", "sample"]
    assert CliRunner().invoke(enrol, arguments, catch_exceptions=False).exit_code == 0
    assert {one.slot for one in KnownBox(out).reader(rules_of()).layout.slots} >= set(rules_of().tables.slots)
    (scans / "crane.png").unlink()
    with pytest.raises(DataError, match="no picture of crane"):
        CliRunner().invoke(enrol, arguments, catch_exceptions=False)


def test_scans_without_a_catalogue_are_refused(tmp_path: Path) -> None:
    answer = CliRunner().invoke(enrol, [str(tmp_path), "--out", "own.zip", "--game", "spyrium"])
    assert answer.exit_code == 2
    assert "--catalogue" in answer.output


def test_a_live_table_reads_a_market_and_never_takes_what_is_outside_for_empty(pictures: Path, tmp_path: Path) -> None:
    image = cv2.imread(str(pictures / "table" / "000.jpg"))
    one = WatchedTable(tmp_path, players=2, game="spyrium")
    try:
        eyes = PictureEyes(KnownBox(pictures).reader(one.table.rules), stills=True)
        (observation,) = eyes.observe(1, image, 0.0)
    finally:
        one.close()
    assert observation.view is ViewState.SETTLED
    sights = {reading.slot: reading.sight for reading in observation.slots}
    assert sights["r2c2"] is Sight.SEEN
    assert Sight.OUTSIDE in sights.values()
