"""Catalogues: the sample edition, every problem reported at once with line and key, no traceback for any input."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import DataError
from companion.core.game_kit.catalogue_reader import Provenance
from companion.games.envyra.edition.catalogue import CATALOGUES, load_catalogue
from companion.games.envyra.edition.components import Catalogue, Theme

SAMPLE = (CATALOGUES / "sample.toml").read_text(encoding="utf-8")


def problems_of(text: str) -> str:
    with pytest.raises(DataError) as error:
        load_catalogue(text)
    return str(error.value)


def line_with(text: str, part: str, nth: int = 1) -> int:
    return [n for n, line in enumerate(text.splitlines(), start=1) if part in line][nth - 1]


def test_every_value_of_the_sample_edition_says_where_it_comes_from():
    sample = load_catalogue("sample")
    keys = {"id", "theme", "vp", "cubes", "requires"}
    assert all({key for piece, key in sample.provenance if piece == tile.id} >= keys for tile in sample.tiles)
    assert sample.has_sample_values
    assert "invented" in sample.title


def test_only_what_the_rulebook_prints_is_marked_so_in_the_sample_edition():
    sample = load_catalogue("sample")
    themes = {tile.id: tile.theme for tile in sample.tiles}
    points = {card.id: card.points for card in sample.cards}
    for (piece, key), origin in sample.provenance.items():
        if origin is Provenance.RULEBOOK:
            end_requires = key == "requires" and themes.get(piece) is Theme.END  # E3
            bonus_points = key == "vp" and themes.get(piece) is Theme.BONUS  # E1
            large_card = key == "points" and points.get(piece) == 4  # E73
            assert key == "theme" or end_requires or bonus_points or large_card, (piece, key)


def test_a_plain_value_has_the_provenance_of_the_header():
    box = load_catalogue(SAMPLE.replace('provenance = "sample"  #', 'provenance = "box"  #'))
    assert box.provenance["flora-1-a", "vp"] is Provenance.BOX
    assert box.provenance["flora-1-a", "theme"] is Provenance.RULEBOOK
    assert not box.has_sample_values


def test_a_scene_sets_tile_list_can_be_read(tmp_path):
    entries = []
    for tile in load_catalogue("sample").tiles:
        if not tile.alternative:
            entries.append(
                {
                    "id": tile.id,
                    "theme": tile.theme.value,
                    "symbol": max(0, tile.symbol - 1),
                    "vp": tile.vp,
                    "cubes": tile.cubes,
                    "requires": [theme.value for theme in tile.requires],
                    "start": tile.start,
                    "min34": tile.players_3_4,
                    "copy": 0,
                }
            )
    path = tmp_path / "catalogue.json"
    path.write_text(json.dumps({"edition": "other", "tiles": entries}), encoding="utf-8")
    read = load_catalogue(path)
    assert read.id == "other"
    assert read.tiles == tuple(t for t in load_catalogue("sample").tiles if not t.alternative)
    assert read.cards == ()


def test_all_problems_come_at_once_with_line_and_key():
    text = SAMPLE.replace('id = "flora-1-b"', 'id = "flora-1-a"').replace("cubes = 5", "cubes = 50", 1)
    text = text.replace("start = true", "start = 1", 1).replace(
        'symbols = ["flora-1", "water-1"]', 'symbols = ["moon-1"]'
    )
    text += "\n[extra]\nx = 1\n"
    found = problems_of(text)
    second = line_with(text, 'id = "flora-1-a"', 2)
    assert f"line {second}, tile 'flora-1-a' id: this id is taken" in found
    assert f"line {line_with(text, 'cubes = 50')}, " in found
    assert "expected a whole number from 1 to 10, got 50" in found
    assert f"line {line_with(text, 'start = 1')}, tile 'flora-1-a' start: expected true or false, got 1" in found
    assert f"line {line_with(text, 'moon-1')}, card 'eq-1' symbols: expected theme-symbol such as flora-1" in found
    assert f"line {line_with(text, '[extra]')}, extra: unknown key" in found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("symbol = 4\nvp = 4\ncubes = 3", "symbol = 3\nvp = 4\ncubes = 3", "tiles of flora: expected its four symbols"),
        ('value = "water"', 'value = "flora"', "tiles of water"),
        ("vp = { value = 5, ", "vp = { value = 4, ", "bonus tiles: expected the points [2, 2, 3, 3, 4, 4, 5]"),
        ("start = true\n", "", "expected 15 Starting tiles, got 14 (E2)"),
        ("alternative = true\n", "", "End tile: expected one without alternative = true, got 2"),
        ('[[card]]\nid = "eq-9"', '[[tile]]\nid = "eq-9"', "expected 9 Equilibrium cards or none, got 8"),
        ('points = { value = 4, provenance = "rulebook" }', "points = 3", "4 points go with 3 symbols, got 3"),
        ("vp = 1\n", "", "vp: missing"),
        ("vp = 1\n", "vp = true\n", "expected a whole number from 0 to 99, got True"),
        ("vp = 1\n", "vp = { value = 1, origin = 2 }\n", "expected value and provenance only, got 'origin'"),
        ("vp = 1\n", 'vp = { value = 1, provenance = "hearsay" }\n', "expected one of rulebook, box, sample"),
        ("vp = 1\n", "vp = 1\ncolour = 3\n", "colour: unknown key"),
        ('game = "envyra"', 'game = "chess"', "line 6, catalogue.game: expected one of envyra, got 'chess'"),
        (
            'id = "flora-1-a"',
            'id = "Flora 1"',
            "expected plain letters, digits, hyphens and underscores, got 'Flora 1'",
        ),
        ('flora = ["leaf", ', "flora = [", "symbols.flora: expected 4 names, got 3"),
        ("[catalogue]", "[catalog]", "catalogue: missing: a table of this name is needed"),
        ("[[tile]]", "[tile]", "not a catalogue"),
    ],
)
def test_a_broken_value_is_reported(old, new, expected):
    assert old in SAMPLE
    assert expected in problems_of(SAMPLE.replace(old, new, 1))


def test_too_many_tiles_for_more_than_two_players_are_reported():
    text = SAMPLE.replace("requires = []\n\n", "requires = []\nplayers_3_4 = true\n\n")
    for requires in (
        '["flora"]',
        '["water"]',
        '["fire"]',
        '["flora", "water"]',
        '["flora", "fire"]',
        '["flora", "flora"]',
    ):
        text = text.replace(f"requires = {requires}\n\n", f"requires = {requires}\nplayers_3_4 = true\n\n")
    assert "at most 14 tiles with 3/4, which two players remove" in problems_of(text)


@pytest.mark.parametrize("source", ["no-such-edition", "/no/such/file.toml", "x\0y"])
def test_a_missing_file_is_an_error_that_names_the_shipped_editions(source):
    with pytest.raises(DataError, match="sample"):
        load_catalogue(source)


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not UTF-8 at byte 0"):
        load_catalogue(path)


LINES = SAMPLE.splitlines()
VALUES = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(
        ["true", "nan", "[]", "[1, 2]", "{}", '"x"', "1979-05-27", "{ value = [[]] }", "[[1]]", "0x1f", '""']
    ),
    st.text(max_size=10),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(LINES) - 1), st.one_of(st.none(), VALUES)), min_size=1, max_size=5))
def test_altered_lines_give_a_catalogue_or_a_clear_error(changes):
    lines = list(LINES)
    for at, value in changes:
        key = lines[at].split("=")[0]
        lines[at] = "" if value is None else f"{key}= {value}"
    try:
        catalogue = load_catalogue("\n".join(lines))
    except DataError:
        return  # anything else would fail the test
    assert isinstance(catalogue, Catalogue)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_clear_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "box.toml"
    path.write_bytes(content)
    with pytest.raises(DataError):
        load_catalogue(path)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x) | st.dictionaries(st.sampled_from(["tiles", "id", "theme", "symbol", "vp", "requires"]), x)
        ),
        max_leaves=12,
    )
)
def test_any_json_gives_a_clear_error(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("fuzz") / "catalogue.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError):
        load_catalogue(path)
