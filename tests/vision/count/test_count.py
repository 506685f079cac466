"""Loose pieces are counted by colour, touching ones too; what cannot be seen is said, never guessed as sure."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from loose_fixtures import LOOSE, colours_of, counted_in

from companion.app.commands.eyes.count import count
from companion.core.errors import DataError
from vision.count.clumps.split import piece_area, split
from vision.count.counting import count_pieces
from vision.count.table.ground import find_ground
from vision.count.teaching.colour_file import read_colours, read_picture, write_colours
from vision.count.teaching.colours import close_pairs
from vision.count.teaching.references import learn_colour

# rendered: make fixtures
TRUTH = {kind: json.loads((LOOSE / kind / "truth.json").read_text()) for kind in ("candies", "chips", "cubes")}


def shown(kind, name):
    return read_picture(LOOSE / kind / name)


@pytest.fixture(scope="module")
def learnt():
    """Kind -> its colours, learnt from one picture of four pieces each."""
    return {kind: colours_of(kind) for kind in TRUTH}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("candies", "000.jpg"),
        ("candies", "005.jpg"),
        ("candies", "013.jpg"),
        ("chips", "000.jpg"),
        ("cubes", "005.jpg"),
    ],
)
def test_touching_pieces_are_counted_by_colour(kind, name):
    assert counted_in(kind, name).counts == TRUTH[kind][name]["counts"]


def test_pieces_lie_where_they_were_put():
    places = np.array([piece["px"] for piece in TRUTH["candies"]["013.jpg"]["pieces"]])
    result = counted_in("candies", "013.jpg")
    for piece in result.pieces:
        nearest = np.linalg.norm(places - piece.xy, axis=1).min()
        assert nearest < 6  # a third of a candy's breadth in this picture


def test_pieces_that_look_like_the_table_make_the_count_unsure(learnt):
    result = count_pieces(shown("chips", "009.jpg"), learnt["chips"])  # black chips on black stone
    assert TRUTH["chips"]["009.jpg"]["counts"]["black"] > 0
    assert not result.sure
    assert "black cannot be told from this table" in result.why


def test_things_of_no_learnt_colour_are_unknown_and_make_the_count_unsure(learnt):
    known = [c for c in learnt["cubes"] if c.name != "teal"]
    result = count_pieces(shown("cubes", "005.jpg"), known)
    assert result.unknown == TRUTH["cubes"]["005.jpg"]["counts"]["teal"]
    assert not result.sure


def test_an_empty_table_counts_nothing_and_is_not_sure(learnt):
    wood = shown("candies", "000.jpg")[:100, :200]
    result = count_pieces(wood, learnt["candies"])
    assert sum(result.counts.values()) == 0
    assert not result.sure


def test_colours_learnt_in_one_light_hold_in_another(learnt):
    warm = np.clip(shown("candies", "000.jpg") * np.array([0.78, 0.95, 1.08]), 0, 255).astype(np.uint8)
    assert count_pieces(warm, learnt["candies"]).counts == TRUTH["candies"]["000.jpg"]["counts"]


def test_a_crop_that_one_piece_fills_teaches_the_same_colour(learnt):
    picture = shown("candies", "references/purple.jpg")
    lying = (find_ground(picture).difference > 4).astype(np.uint8)
    blob = split(lying, piece_area(lying))[0]
    x, y = (int(v) for v in blob.xy)
    half = int(np.sqrt(len(blob.pixels) / np.pi) * 1.15)
    crop = learn_colour("purple", [(picture[y - half : y + half, x - half : x + half], ())])
    whole = next(c for c in learnt["candies"] if c.name == "purple")
    assert np.linalg.norm(crop.lab() - whole.lab()) < 8


def test_discs_in_a_ring_are_divided_by_their_size():
    mask = np.zeros((300, 300), np.uint8)
    for angle in np.arange(9) * 2 * np.pi / 9:
        cv2.circle(mask, (int(150 + 59 * np.cos(angle)), int(150 + 59 * np.sin(angle))), 20, 1, -1)
    cv2.circle(mask, (30, 30), 20, 1, -1)
    assert len(split(mask, piece_area(mask))) == 10


def test_close_colours_are_named():
    grey = np.full((40, 40, 3), 120, np.uint8)
    first, second = learn_colour("gray", [(grey, ())]), learn_colour("silver", [(grey + 4, ())])
    assert [pair[:2] for pair in close_pairs([first, second])] == [("silver", "gray")]


def test_command_counts_by_a_folder_of_references_and_by_what_it_learnt(tmp_path):
    picture, truth = LOOSE / "candies" / "013.jpg", TRUTH["candies"]["013.jpg"]
    learnt = tmp_path / "learnt.json"
    command = ["--colours", str(LOOSE / "candies" / "references"), "--learn", str(learnt), str(picture)]
    first = CliRunner().invoke(count, command)
    again = CliRunner().invoke(count, ["--colours", str(learnt), "--picture", str(tmp_path / "out"), str(picture)])
    for result in (first, again):
        assert result.exit_code == 0
        line = json.loads(result.stdout.splitlines()[0])
        assert line["counts"] == truth["counts"]
        assert line["total"] == len(truth["pieces"])
    assert cv2.imread(str(tmp_path / "out" / "013.png")) is not None


def test_colour_file_forms_agree(tmp_path):
    cv2.imwrite(str(tmp_path / "red.png"), np.full((30, 30, 3), (40, 30, 190), np.uint8))
    forms = {
        "a.json": '{"red": "red.png"}',
        "b.json": '{"colours": {"red": {"picture": "red.png", "boxes": [[5, 5, 20, 20]]}}}',
        "c.json": '{"red": [190, 30, 40]}',
        "d.json": '{"red": "#be1e28"}',
        "e.toml": 'red = ["red.png", "red.png"]',
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in forms:
        (colour,) = read_colours(tmp_path / name)
        assert colour.name == "red"
        assert colour.lab() == pytest.approx(read_colours(tmp_path / "c.json")[0].lab(), abs=0.5)


def test_written_colours_read_back(tmp_path):
    colours = read_colours_of(tmp_path, '{"red": [190, 30, 40], "grün": [20, 140, 60]}')
    write_colours(tmp_path / "out.json", colours)
    assert read_colours(tmp_path / "out.json") == colours


def read_colours_of(folder, text):
    path = folder / "colours.json"
    path.write_text(text, encoding="utf-8")
    return read_colours(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2]", "expected an object"),
        ("{}", "at least one"),
        ('{"red": "nowhere.jpg"}', "nowhere.jpg"),
        ('{"red": [1, 2, 300]}', "from 0 to 255"),
        ('{"red": {"boxes": [[0, 0, 5, 5]]}}', "expected a key picture"),
        ('{"red": "nowhere.jpg", "blue": 7}', "blue"),
        ("not json", "neither JSON nor TOML"),
    ],
)
def test_bad_colour_files_say_what_was_expected(tmp_path, text, expected):
    with pytest.raises(DataError, match=expected):
        read_colours_of(tmp_path, text)
