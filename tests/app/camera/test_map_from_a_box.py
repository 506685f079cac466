"""A map of Rifts is read with a box file: each tile in its space, at its turn, with the tokens on it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.box_file import EnrolledBox, read_box, write_box
from companion.app.camera.known_box import KnownBox
from companion.app.commands.game.sample import sample
from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.rifts import GAME
from companion.games.rifts.board import TOKENS
from companion.lab.films.map_film import PIECE_RGB
from companion.lab.scenes.make_tables import main as make_tables
from vision.appearance.picture_light import PieceColours
from vision.tables.place import PlaceState


def rules_of(catalogue: str = "sample"):
    known = GAME.load_catalogue(catalogue)
    seats = (SeatInfo("Žofia", "yellow"), SeatInfo("Ján", "blue"))
    return GAME.make_rules(Setup(GAME.name, seats, known.id), known)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("box") / "rifts.zip"
    arguments = ["box", "--game", "rifts", "--out", str(path)]
    assert CliRunner().invoke(sample, arguments, catch_exceptions=False).exit_code == 0
    return path


def test_a_rendered_map_is_read_with_a_box_file(box: Path, tmp_path: Path) -> None:
    cv2.setNumThreads(1)
    arguments = [str(tmp_path), "--game", "rifts", "--seed", "5", "--size", "1280", "720", "--tables", "2,"]
    assert CliRunner().invoke(make_tables, arguments, catch_exceptions=False).exit_code == 0
    image = cv2.imread(str(tmp_path / "table" / "002.jpg"))
    truth = json.loads((tmp_path / "table" / "002.json").read_text(encoding="utf-8"))
    seen = KnownBox(box).reader(rules_of(), PieceColours.from_rgb(PIECE_RGB)).read(np.asarray(image))
    laid = {slot["slot"]: (slot["face"], slot["turn"]) for slot in truth["slots"] if slot["face"]}
    named = {one.slot: (one.face, one.turn) for one in seen.places if one.state is PlaceState.FACE}
    assert len(laid) >= 3
    assert named == laid


def test_without_the_tokens_colours_or_with_a_tile_missing_no_map_is_read(box: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=TOKENS[0]):
        KnownBox(box).reader(rules_of())
    whole = read_box(box)
    less = tmp_path / "less.zip"
    write_box(less, EnrolledBox("rifts", whole.catalogue, {f: p for f, p in whole.references.items() if f != "start"}))
    with pytest.raises(DataError, match="no picture of start"):
        KnownBox(less).reader(rules_of(), PieceColours.from_rgb(PIECE_RGB))
