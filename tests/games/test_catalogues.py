"""What holds of the catalogues of every game: no file is believed blindly, and the pieces are counted for people."""

from __future__ import annotations

import json

import pytest
from catalogue_kit import catalogue_problems
from click.testing import CliRunner

from companion.app.commands.game import rules as commands
from companion.core.errors import DataError
from companion.games import find_game

PIECES = {
    "envyra": {"tiles": 38 + 1, "cards": 9},  # E1: and an alternative End tile
    "spyrium": {"buildings": 35, "characters": 17, "techniques": 7},
    "rifts": {"locations": 24, "spells": 88, "enemies": 72, "temples": 3},
}


@pytest.fixture(params=PIECES)
def spec(request):
    return find_game(request.param)


def test_a_text_that_is_no_toml_is_refused(spec):
    with pytest.raises(DataError, match="not a catalogue"):
        spec.load_catalogue("this is\nno catalogue")


def test_another_games_catalogue_is_refused_with_the_line(spec):
    found = catalogue_problems(spec, (f'game = "{spec.name}"', 'game = "chess"'))
    assert f"line 6, catalogue.game: expected one of {spec.name}, got 'chess'" in found


def test_a_table_that_nobody_knows_is_refused(spec):
    assert "extra: unknown key" in catalogue_problems(spec, ("[catalogue]", "[extra]\nx = 1\n[catalogue]"))


def test_what_is_missing_in_the_header_is_told_with_everything_else(spec):
    found = catalogue_problems(spec, ('title = "', 'titel = "'), ('provenance = "sample"', 'provenance = "hearsay"'))
    for told in ("catalogue.title: missing", "catalogue.titel: unknown key", "expected one of rulebook, box, sample"):
        assert told in found


def test_catalogue_check_counts_the_pieces(spec):
    done = CliRunner().invoke(commands.catalogue, ["check", "sample", "--game", spec.name, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert {key: told[key] for key in PIECES[spec.name]} == PIECES[spec.name]
