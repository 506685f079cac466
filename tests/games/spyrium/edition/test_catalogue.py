"""Catalogues of Spyrium: the sample edition says what is invented, and a wrong file is told everything at once."""

from __future__ import annotations

from functools import partial

import pytest
from catalogue_kit import catalogue_problems

from companion.core.game_kit.catalogue_reader import Provenance
from companion.core.layout import Coin
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.games.spyrium.edition.catalogue import load_catalogue

problems = partial(catalogue_problems, GAME)


def test_only_what_the_rulebook_states_is_marked_as_the_rulebooks():
    edition = load_catalogue("sample")
    stated = {key for key, origin in edition.provenance.items() if origin is Provenance.RULEBOOK}
    prices = {card for card, key in stated if key == "price"}
    points = {card for card, key in stated if key == "points"}
    assert prices == {"apprentice", "factory-left"}
    assert points == {"luxury-home", "mansion", "palace"}
    assert edition.provenance["residence", "track"] is Provenance.SAMPLE
    assert edition.has_sample_values


def test_all_problems_are_told_with_line_and_key():
    found = problems(
        ("copies = 3\nprice = 2", "copies = 3\nprice = -2"),
        ('period = "B"', 'period = "D"'),
        ("track = [2", "track = [0"),
    )
    assert found.startswith("3 problem(s); docs/reference/spyrium.md shows the form")
    assert "card 'mine-left' price: expected a whole number from 0 to 99, got -2" in found
    assert "card 'mine-right-b' period: expected one of A, B, C, got 'D'" in found
    assert "line 12, residence.track: expected a list of whole numbers from 1 to 99" in found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("copies = 3", "copies = 4", "buildings: expected 35 cards, got 36 (S1)"),
        ("copies = 3", "copies = 4", "period A: expected 30 cards, got 31 (R-S9)"),
        ('id = "apprentice"', 'id = "geologist"', "this id is taken by an earlier card (S1)"),
        ('"mansion", provenance', '"palace", provenance', "mansion: expected a card, got 0 (S1)"),
        ("[2, 3, 4, 5, 6, 7]", "[2, 3, 5, 7]", "residence.track: expected 2, 3, 4 and rising from there"),
        ("[residence]", "[coins]\none_mm = 22\n\n[residence]", "line 11, coins: expected one coin 1.2 times as wide"),
        ("[residence]", "[coins]\none_mm = 9\n\n[residence]", "one_mm: expected millimetres from 12 to 45, got 9"),
        ("price = 2\npoints = 1", "price = 2\npoints = 1\ncolour = 3", "card 'mine-left' colour: unknown key"),
    ],
)
def test_what_breaks_a_count_or_value_of_the_rulebook_is_refused(old, new, expected):
    assert expected in problems((old, new))


def test_a_box_says_how_wide_its_coins_are():
    coins = "[coins]\none_mm = 21.5\nfive_mm = 17\n\n"
    text = load_catalogue("sample").text.replace("[residence]", f"{coins}[residence]", 1)
    setup = Setup("spyrium", (SeatInfo("Anna", "blue"), SeatInfo("Bořek", "green")), "sample")
    rules = GAME.make_rules(setup, load_catalogue(text))
    assert rules.layout().coins == (Coin(1, 21.5), Coin(5, 17.0))
    assert load_catalogue("sample").coins == (Coin(1, 18.0), Coin(5, 25.0))
