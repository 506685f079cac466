"""Only what lies in the region counts, and nothing that the empty table shows as well."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from loose_fixtures import LOOSE, colours_of

from companion.app.commands.eyes.count import count
from vision.count.counting import count_pieces
from vision.count.teaching.colour_file import read_picture

CANDIES = LOOSE / "candies"
TRUTH = json.loads((CANDIES / "truth.json").read_text())["005.jpg"]


@pytest.fixture(scope="module")
def learnt():
    return colours_of("candies")


def test_only_pieces_in_the_region_count(learnt):
    picture = read_picture(CANDIES / "005.jpg")
    half = (0, 0, picture.shape[1] // 2, picture.shape[0])
    result = count_pieces(picture, learnt, region=half)
    expected = [p["colour"] for p in TRUTH["pieces"] if p["px"][0] < half[2]]
    assert result.counts == {c.name: expected.count(c.name) for c in learnt}
    assert all(piece.xy[0] < half[2] for piece in result.pieces)


def test_what_the_empty_table_shows_as_well_is_not_counted(learnt):
    picture = read_picture(CANDIES / "005.jpg")
    table = np.full_like(picture, np.median(picture, axis=(0, 1)).astype(np.uint8))
    printed, laid = (100, 60), (420, 380)
    before = table.copy()
    cv2.circle(before, printed, 14, (30, 25, 180), -1, cv2.LINE_AA)
    after = before.copy()
    for dx in (0, 40, 80):
        cv2.circle(after, (laid[0] + dx, laid[1]), 14, (30, 25, 180), -1, cv2.LINE_AA)
    assert len(count_pieces(after, learnt).pieces) == 4
    assert len(count_pieces(after, learnt, background_bgr=before).pieces) == 3


def test_a_card_beside_the_pieces_is_not_counted(learnt):
    picture = read_picture(CANDIES / "005.jpg")
    cv2.rectangle(picture, (420, 300), (540, 440), (235, 238, 240), -1)
    for xy in ((450, 350), (450, 374), (500, 350), (500, 374)):  # the loops of two eights
        cv2.circle(picture, xy, 12, (20, 20, 20), 3, cv2.LINE_AA)
    result = count_pieces(picture, learnt)
    assert result.counts == TRUTH["counts"]
    assert result.unknown == 0


def test_print_alone_is_no_piece_and_nothing_is_sure(learnt):
    picture = np.full((400, 500, 3), 200, np.uint8)
    for xy in ((100, 100), (200, 100), (300, 250)):
        cv2.circle(picture, xy, 14, (30, 30, 30), 2, cv2.LINE_AA)
    result = count_pieces(picture, learnt)
    assert not result.pieces
    assert not result.sure


def test_an_empty_table_of_another_size_is_refused(learnt):
    picture = read_picture(CANDIES / "005.jpg")
    with pytest.raises(ValueError, match="640 x 480"):
        count_pieces(picture, learnt, background_bgr=picture[:100])


@pytest.mark.parametrize("region", [(0, 0, 0, 10), (-1, 0, 10, 10), (600, 0, 100, 100)])
def test_a_region_outside_the_picture_is_refused(learnt, region):
    with pytest.raises(ValueError, match="inside 640 x 480"):
        count_pieces(read_picture(CANDIES / "005.jpg"), learnt, region=region)


def test_command_takes_a_region_and_says_how_sure_the_sum_is():
    arguments = ["--colours", str(CANDIES / "references"), "--region", "0,0,640,480", str(CANDIES / "005.jpg")]
    result = CliRunner().invoke(count, arguments)
    line = json.loads(result.stdout)
    assert result.exit_code == 0
    assert line["total"] == len(TRUTH["pieces"])
    assert line["probability"] <= line["total_probability"] <= 1.0


def test_a_region_of_another_form_is_refused():
    result = CliRunner().invoke(count, ["--colours", str(CANDIES / "references"), "--region", "1,2,3", "x.jpg"])
    assert result.exit_code == 2
    assert "X,Y,WIDTH,HEIGHT" in result.output
