"""How sure a count is: each doubt makes it less sure and says what to look at. And what an empty table changes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.count import round_pieces
from vision.count.appearance.looks import PieceLook
from vision.count.certainty import CLEARED, OTHER_TABLE, SURE_OF_COATED, Doubts, of_clumps, of_rims
from vision.count.certainty import SURE as LEAST_SURE
from vision.count.counting import count_pieces
from vision.count.naming.names import Names
from vision.count.outlines import draw_count
from vision.count.result import Count, least_sure, tally
from vision.count.table.background import changed_from
from vision.count.teaching.colours import PieceColour

SURE = Names(np.array([[0.99, 0.005, 0.005]] * 3), 0.97, np.ones(3))
HALF = Names(np.array([[0.99, 0.005, 0.005], [0.5, 0.49, 0.01]]), 0.5, np.ones(3))
STRANGE = Names(np.array([[0.1, 0.1, 0.8]]), 0.9, np.ones(3))


def test_sharp_rims_of_one_colour_are_sure_and_soft_ones_less() -> None:
    sharp, soft = of_rims(np.array([0.95] * 3), SURE), of_rims(np.array([0.62] * 3), SURE)
    assert sharp.all_right > 0.95
    assert sharp.why == ""
    assert soft.total_right < sharp.total_right


def test_a_doubtful_colour_costs_the_colours_and_not_the_total() -> None:
    doubts = of_rims(np.array([0.95] * 2), HALF)
    assert doubts.total_right > 0.95 > doubts.all_right
    assert "colour is doubtful" in doubts.why


def test_a_thing_of_no_learnt_colour_costs_the_total_too() -> None:
    doubts = of_rims(np.array([0.95]), STRANGE)
    assert doubts.total_right < 0.8
    assert "none of the learnt colours" in doubts.why


def test_a_clump_that_cannot_be_divided_is_named() -> None:
    assert of_clumps([4.0, 4.0, 4.0], SURE).why == ""
    assert "clump" in of_clumps([4.0, 4.0, 40.0], SURE).why


def test_every_further_doubt_is_added_to_the_reasons() -> None:
    doubts = Doubts(1.0, 1.0).rimless(0).hidden([]).lit(0.9)
    assert doubts == Doubts(1.0, 1.0)
    worse = doubts.rimless(2).hidden(["green"]).lit(0.1)
    assert worse.all_right == worse.total_right < 0.2
    assert worse.why.count(";") == 2


def test_a_doubtful_count_says_once_what_would_help_and_a_sure_one_nothing() -> None:
    doubted = Doubts(1.0, 1.0).strange(2).hidden(["white"]).beneath(1)
    assert doubted.advice == (CLEARED, OTHER_TABLE)
    taught = [PieceColour("red", (0.03, 0.03, 0.5), (0.0, 0.0, 0.0))]
    count, vague, sure = (tally([], taught, some) for some in (doubted, Doubts(0.5, 0.5), Doubts(1.0, 1.0)))
    assert count.advice == f"{CLEARED}; {OTHER_TABLE}"
    assert "closer" in vague.advice
    assert sure.advice == ""


def test_clear_pieces_of_a_colour_like_the_table_speak_for_its_being_seen_and_never_make_sure() -> None:
    none, one, many = (Doubts(1.0, 1.0).hidden(["green"], seen).all_right for seen in (0, 1, 90))
    assert none < 0.8 < one < many < SURE_OF_COATED


def test_things_as_large_as_a_piece_and_of_no_colour_make_a_count_unsure() -> None:
    doubts = Doubts(1.0, 1.0).strange(2)
    assert doubts.total_right < 0.7
    assert "may be pieces: 2" in doubts.why
    assert Doubts(1.0, 1.0).strange(0) == Doubts(1.0, 1.0)


def test_things_without_round_rims_are_not_surely_the_round_pieces_that_taught() -> None:
    """Twelve playing cards on a table are told apart as clearly as twelve candies."""
    card = np.full((300, 400, 3), (90, 60, 40), np.uint8)
    for x in range(40, 360, 80):
        for y in range(40, 260, 110):
            cv2.rectangle(card, (x, y), (x + 40, y + 66), (225, 228, 230), -1)
    light = (0.7, 0.75, 0.78)
    taught = PieceColour("white", light, (2.0, 1.0, 1.0), (PieceLook(light, light, support=0.95),))
    squares = replace(taught, looks=(PieceLook(light, light, support=0.5),))
    seen, same = count_pieces(card, (taught,)), count_pieces(card, (squares,))
    assert seen.counts == same.counts == {"white": 8}
    assert seen.total_probability < 0.6 < same.total_probability
    assert "no round rims" in seen.why


def test_a_table_printed_with_rings_is_asked_before_its_rings_are_named(monkeypatch) -> None:
    """Names of 375 rings took a minute, as all are named together."""
    cloth = np.full((160, 220, 3), 150, np.uint8)
    for x in range(30, 220, 50):
        for y in range(30, 160, 50):
            cv2.circle(cloth, (x, y), 17, (40, 40, 190), -1, cv2.LINE_AA)
    light = (0.03, 0.03, 0.5)
    taught = [PieceColour("red", light, (2.0, 1.0, 1.0), (PieceLook(light, light, support=0.95),))]
    monkeypatch.setattr(round_pieces, "MOST_PIECES", 11)
    asked = count_pieces(cloth, taught)
    assert (asked.counts, asked.unknown, asked.sure) == ({"red": 0}, 12, False)
    assert "12 round things, too many" in asked.why
    assert "plain table" in asked.advice
    monkeypatch.setattr(round_pieces, "MOST_PIECES", 12)
    assert count_pieces(cloth, taught).counts == {"red": 12}


def test_the_drawn_count_has_its_numbers_below_the_picture() -> None:
    picture = np.full((90, 300, 3), 128, np.uint8)
    drawn = draw_count(picture, Count({"red": 0}, 0, 0.5, 0.5, False, "nothing lies there", ()))
    assert drawn.shape[0] > picture.shape[0]
    assert (drawn[:90] == picture).all()
    assert drawn[90:].max() > 200, "white letters"


def test_what_is_doubted_and_what_would_help_are_read_whole_below_a_narrow_picture() -> None:
    picture = np.full((90, 300, 3), 128, np.uint8)
    why, advice = "white cannot be told from this table", "lay the pieces on a table or cloth of another colour"
    sure, unsure, helped = (
        draw_count(picture, Count({"red": 3}, 0, 0.5, 0.5, *said))
        for said in ((True, "", ()), (False, f"{why}; {why}", ()), (False, f"{why}; {why}", (), advice))
    )
    assert 90 < len(sure) < len(unsure) < len(helped)
    for one in (sure, unsure, helped):
        assert one[90:-2, :-6].max() > 200
        assert (one[90:, -6:] == 30).all(), "no letter is cut off"
        assert (one[-2:] == 30).all()


def test_only_what_lies_on_the_table_differs_from_the_empty_one_in_other_light() -> None:
    rng = np.random.default_rng(3)
    empty = np.clip(rng.normal(120, 6, (160, 200, 3)), 0, 255).astype(np.uint8)
    brighter = np.clip(empty * 1.15, 0, 255).astype(np.uint8)
    assert changed_from(brighter, empty).mean() < 0.01
    brighter[60:90, 80:110] = (30, 30, 200)
    changed = changed_from(brighter, empty)
    assert changed[65:85, 85:105].all()
    changed[50:100, 70:120] = False
    assert changed.mean() < 0.01


def test_pieces_that_are_blown_out_cost_certainty():
    clear = Doubts(0.99, 0.99)
    assert clear.blown(0) == clear
    doubted = clear.blown(2)
    assert doubted.all_right < 0.97
    assert "blown out, of whatever colour: 2" in doubted.why


def test_candies_are_sure_a_little_sooner_than_coins() -> None:
    red, blue, copper = ((0.03, 0.03, 0.5), (0.5, 0.2, 0.03), (0.1, 0.2, 0.4))
    for colours, least in (((red, blue), SURE_OF_COATED), ((copper,), LEAST_SURE)):
        taught = [PieceColour(str(k), light, (0.0, 0.0, 0.0)) for k, light in enumerate(colours)]
        assert least_sure(taught) == least
