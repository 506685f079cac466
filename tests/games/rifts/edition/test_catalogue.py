"""Catalogues of Rifts of N'Norya: the sample edition says what is invented, a wrong file is told everything at once."""

from __future__ import annotations

from functools import partial

import pytest
from catalogue_kit import catalogue_problems

from companion.core.game_kit.catalogue_reader import Provenance
from companion.games.rifts import GAME
from companion.games.rifts.edition.catalogue import load_catalogue

problems = partial(catalogue_problems, GAME)


def words(look) -> tuple[tuple[object, ...], ...]:
    """What the spaces of a tile show, without where they lie."""
    return tuple((space.terrain, space.enemy, space.rift, space.sells, space.gold) for space in look)


def test_only_names_of_elements_and_items_are_marked_as_the_rulebooks():
    edition = load_catalogue("sample")
    stated = {key for key, origin in edition.provenance.items() if origin is Provenance.RULEBOOK}
    assert stated == {(f"temple-{e}", "element") for e in ("fire", "earth", "air")} | {
        (item, "id") for item in ("horse", "boat", "scroll")
    }
    assert edition.has_sample_values
    assert "invented" in edition.title


def test_the_sample_edition_has_24_locations_of_three_spaces_that_meet_in_a_corner():
    edition = load_catalogue("sample")
    assert edition.piece_counts == {"locations": 24, "spells": 88, "enemies": 72, "temples": 3}
    assert {tuple(space.at for space in tile.spaces) for tile in edition.tiles} == {((0, 0), (1, 0), (0, 1))}
    # told apart whichever way they are turned about their common corner
    turned = {frozenset(words(tile.look[i:] + tile.look[:i]) for i in range(3)) for tile in edition.tiles}
    assert len(turned) == len(edition.tiles)


def test_all_problems_are_told_with_line_and_key():
    found = problems(
        ('"1,0 imperium"', '"1,0 palace"'),
        ("damage = 1", "damage = -1"),
        ("health = [4, 6, 8]", "health = [4, 6]"),
    )
    assert found.startswith("3 problem(s); docs/reference/rifts.md shows the form")
    assert 'line 14, start.spaces: expected "0,0 imperium" with one of imperium, got \'1,0 palace\' (N2)' in found
    assert "spell 'ember' damage: expected a whole number from 0 to 99, got -1" in found
    assert "temple.health: expected 3 numbers, got 2 (N40)" in found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('id = "location-02"', 'id = "location-01"', "tile 'location-01' id: this id is taken (N2)"),
        ('id = "flare"', 'id = "rift"', "spell 'rift' id: this id is taken (N2)"),
        ('"1,0 river enemy"', '"3,0 river enemy"', "expected different spaces that hang together, the first at 0,0"),
        ('"1,0 river enemy"', '"1,0 river dragon"', "got 'dragon' in '1,0 river dragon' (N12)"),
        ('"1,0 river enemy"', '"1,0 river sells=fire:1"', "on a village sells=fire:1, got 'sells=fire:1'"),
        ("boost = 1\nprice = 0\nstart = 6", "boost = 1\nprice = 0\nstart = 0", "a starting deck of at least 5 spells"),
        ("price = 3\nstart = 0\nbook = 3", "price = 3\nstart = 0\nbook = 0", "fire book: expected a spell book of at"),
        ('value = "boat", prov', 'value = "horse", prov', "this item is listed already (N4)"),
        ('value = "air", prov', 'value = "earth", prov', "expected one temple of air, got 0 (N40)"),
        ("gold = 2\ncopies", "gold = 1\ncopies", "each amount of gold once (N30)"),
        ("gold = 2\ncopies", "colour = 1\ngold = 2\ncopies", "enemy.colour: unknown key"),
    ],
)
def test_what_breaks_a_count_or_value_is_refused(old, new, expected):
    assert expected in problems((old, new))
