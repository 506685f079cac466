"""A box that was enrolled reads a live table: the same tiles as the set it was learnt from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_set import SMALL_SET, scene, without_markers

from calibration.box_file import EnrolledBox, read_box, write_box
from calibration.enrol import catalogue_text, pictures_of, tiles_of
from calibration.piece_colours.colour_enrolment import ColourReport, report_text
from calibration.profiles import LensProfile, ProfileStore, TableProfile
from companion.app.camera.known_box import KnownBox, camera_profiles, enrolled_colours
from companion.app.files.paths import calibration_dir
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.wiring import attach_camera, begin_table
from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games import find_game
from companion.games.envyra.edition.catalogue import load_catalogue
from vision.appearance.picture_light import PieceColours
from vision.tables.grid import GridPlan
from vision.tables.place_reader import PlaceReader

COLOURS = ("purple", "gray", "pink", "white")
NAMES = ("Žofia", "Ján", "Mária", "Ľubomír")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small set's tiles as a box file."""
    path = tmp_path_factory.mktemp("box") / "small.zip"
    catalogue = load_catalogue(SMALL_SET / "catalogue.json")
    text = catalogue_text("small", "Small box", tiles_of(catalogue))
    write_box(path, EnrolledBox("envyra", text, pictures_of(SMALL_SET)))
    return path


def rules(players: int, catalogue: Path | str, game: str = "envyra"):
    spec = find_game(game)
    colours = spec.colours if game != "envyra" else COLOURS
    setup = Setup(game, tuple(SeatInfo(n, c) for n, c in zip(NAMES[:players], colours, strict=False)), "small")
    return spec.make_rules(setup, spec.load_catalogue(catalogue))


def test_a_box_file_reads_what_the_set_it_was_learnt_from_reads(box: Path, tmp_path: Path) -> None:
    shown = scene("grid", "001")
    players = shown.truth["players"]
    known = rules(players, KnownBox(box).catalogue(Settings(data_dir=str(tmp_path))))
    learnt = PieceColours.from_rgb({"purple": (98, 48, 120), "gray": (118, 118, 118), "pink": (240, 130, 170),
                                    "white": (240, 240, 235)})
    from_box = KnownBox(box).reader(known, learnt.only(COLOURS[:players])).read(shown.image)
    from_set = KnownBox(SMALL_SET).reader(known).read(shown.image)
    same = known.same_face
    faces = [[one.face and same(one.face) for one in reading.places] for reading in (from_box, from_set)]
    assert faces[0] == faces[1]
    assert any(faces[0])


def test_a_box_file_tells_how_many_tiles_have_a_face(box: Path, tmp_path: Path) -> None:
    known = rules(2, KnownBox(box).catalogue(Settings(data_dir=str(tmp_path))))
    copies = []
    for each in (box, SMALL_SET):
        (zone,) = KnownBox(each).reader(known).zones
        assert isinstance(zone, PlaceReader)
        copies.append({known.same_face(face): count for face, count in zone.faces.copies.items()})
    in_play = {known.same_face(face) for face in known.faces()}
    assert copies[0] == {face: count for face, count in copies[1].items() if face in in_play}
    assert min(copies[0].values()) >= 1


def test_the_colours_that_came_with_a_box_are_used(box: Path, tmp_path: Path) -> None:
    learnt = ColourReport(PieceColours(COLOURS, ((120, 50, 100), (118, 118, 118), (170, 130, 240), (1, 2, 3))), (), ())
    path = tmp_path / "box.zip"
    write_box(path, replace(read_box(box), colours=report_text(learnt)))
    reader = KnownBox(path).reader(rules(4, KnownBox(path).catalogue(Settings(data_dir=str(tmp_path)))))
    (zone,) = reader.zones
    assert isinstance(zone, PlaceReader)
    assert np.abs(zone.in_light.colours.array() - learnt.colours.array()).max() < 1.0
    told = KnownBox(path).colours()
    assert told is not None
    assert told.colours.names == COLOURS
    assert KnownBox(box).colours() is None


def test_the_grid_is_taken_from_the_games_own_layout() -> None:
    # E10: two by three for two players, three by three for three, three by four for four
    for players, (rows, columns) in {2: (2, 3), 3: (3, 3), 4: (3, 4)}.items():
        assert GridPlan.of(rules(players, "sample").layout()) == GridPlan(rows, columns)


def test_a_market_with_gaps_is_no_grid() -> None:
    assert GridPlan.of(rules(2, "sample", "spyrium").layout()) is None


def test_tiles_that_the_box_does_not_know_are_named(box: Path, tmp_path: Path) -> None:
    catalogue = KnownBox(box).catalogue(Settings(data_dir=str(tmp_path)))
    text = catalogue.read_text(encoding="utf-8")
    first = text.split('[[tile]]\nid = "')[1].split('"')[0]
    other = tmp_path / "other.toml"
    other.write_text(text.replace(f'"{first}"', '"stranger"', 1), encoding="utf-8")
    with pytest.raises(DataError, match="no picture of stranger of the catalogue"):
        KnownBox(box).check(rules(2, other))


def test_without_enrolment_there_are_no_colours_and_a_damaged_file_is_refused(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))
    assert enrolled_colours(settings) is None
    path = tmp_path / "calibration" / "colours.json"
    path.parent.mkdir()
    path.write_text('{"colours": {"pink": [200, 100, 150]}, "pairs": [1]}', encoding="utf-8")
    with pytest.raises(DataError, match="no colour file"):
        enrolled_colours(settings)


def test_a_live_camera_uses_its_measured_lens_and_the_remembered_table(tmp_path: Path) -> None:
    shown = scene("grid", "001")
    settings, size_wh = Settings(data_dir=str(tmp_path)), (shown.image.shape[1], shown.image.shape[0])
    store = ProfileStore(calibration_dir(settings))
    lens = replace(shown.true_pose.camera, measured=True)
    store.save_lens(LensProfile("browser", lens, 0.1, 20, 0))
    store.save_table(TableProfile("browser", shown.true_pose, KnownBox(SMALL_SET).markers(), 0))
    assert camera_profiles(settings, "browser", (640, 480)) == (None, None)
    with open_store(settings) as records:
        seats = tuple(SeatInfo(n, c) for n, c in zip(NAMES[:2], COLOURS, strict=False))
        chosen = NewGame("envyra", seats, catalogue=str(SMALL_SET / "catalogue.json"))
        table = begin_table(records, settings, chosen)
        live = attach_camera(table, settings, "browser", known=KnownBox(SMALL_SET))
        live.stop()
        # two of four markers: enough only for a camera that remembers its table
        eyes = live.loop.make_eyes()
        for second in (0, 1):
            list(eyes.observe(second + 1, without_markers(shown, 0, 1), second))
        assert eyes.reader.camera is not None
        assert np.allclose(eyes.reader.camera.matrix, lens.matrix)
        assert eyes.pose is not None
        assert camera_profiles(settings, "browser", size_wh)[1] is not None
        table.close()
