"""The commands about rules: what they print, their JSON, their exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from companion.app.commands.game import rules as commands
from companion.core.errors import DataError
from companion.games.envyra import GAME


def run(command, *arguments: str, text: str | None = None):
    return CliRunner().invoke(command, list(arguments), input=text)


def run_whole(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The real program, for what its outermost layer does: messages on stderr and exit codes."""
    return subprocess.run(
        [sys.executable, "-m", "companion.app.cli", *arguments],
        capture_output=True, text=True, timeout=600, check=False,
    )


def test_rules_lists_every_clause_and_marks_the_rulings():
    lines = run(commands.rules).output.splitlines()
    assert len(lines) == len(GAME.clauses)
    assert sum(line.endswith("[ruling]") for line in lines) == 10
    assert sum(line.endswith("[option]") for line in lines) == 2


def test_rules_prints_a_clause_in_slovak():
    result = run(commands.rules, "e41", "--lang", "sk")
    assert result.output.startswith("E41   Zhoda pri získaní")


def test_rules_json_has_the_text_of_each_clause_asked_for():
    found = json.loads(run(commands.rules, "E33", "R-05", "--json").output)
    assert [clause["id"] for clause in found["clauses"]] == ["E33", "R-05"]
    assert found["clauses"][1]["source"] == "ruling"


def test_an_unknown_clause_is_an_error():
    assert isinstance(run(commands.rules, "E99").exception, DataError)


EXAMPLE = ("flora-1-c", "flora-1-a", "flora-3-a", "fire-1-c", "fire-2-c", "fire-3-b", "water-2-b")


def test_score_shows_the_rulebooks_example_set_by_set():
    result = run(commands.score, *EXAMPLE)
    assert "  21  E65" in result.output
    assert "  27  Total" in result.output
    assert "invented" in result.output  # the values are sample values, and that is said


@pytest.mark.parametrize("way", ["arguments", "file", "input"])
def test_score_takes_tiles_as_arguments_from_a_file_or_from_input(way, tmp_path):
    listing = tmp_path / "tiles.txt"
    listing.write_text(", ".join(EXAMPLE), encoding="utf-8")
    arguments = {"arguments": EXAMPLE, "file": (str(listing),), "input": ("-",)}[way]
    result = run(commands.score, *arguments, "--json", text="\n".join(EXAMPLE) if way == "input" else None)
    found = json.loads(result.output)
    assert (found["tiles"], found["sets"], found["cards"], found["total"]) == (21, 6, 0, 27)
    assert found["sample_values"] is True


def test_score_of_a_file_that_is_not_there_says_so(tmp_path):
    error = run(commands.score, str(tmp_path / "tiles.txt")).exception
    assert isinstance(error, DataError)
    assert f"there is no file {tmp_path / 'tiles.txt'}" in str(error)


def test_score_counts_cards():
    found = json.loads(run(commands.score, "flora-1-a", "water-1-b", "eq-1", "--json").output)
    assert (found["tiles"], found["cards"], found["total"]) == (2, 2, 4)


def test_score_refuses_more_copies_than_the_box_has():
    assert run(commands.score, "flora-2-a", "flora-2-a").exit_code == 0  # two tiles look like this
    error = run(commands.score, "flora-2-a", "flora-2-b", "flora-2-a").exception
    assert isinstance(error, DataError)
    assert "3 tiles like flora-2-a are named, the box has 2" in str(error)


def test_score_without_tiles_is_wrong_usage():
    assert run(commands.score).exit_code == 2


def test_score_lists_the_names_of_all_pieces():
    assert len(run(commands.score, "--list").output.splitlines()) == 39 + 9


def test_catalogue_check_counts_values_by_origin():
    found = json.loads(run(commands.catalogue, "check", "sample", "--json").output)
    assert found["ok"] is True
    assert set(found["provenance"]) == {"rulebook", "sample"}


def test_catalogue_check_gives_every_problem_and_exit_code_3(tmp_path):
    path = tmp_path / "box.toml"
    text = GAME.load_catalogue("sample").text
    path.write_text(text.replace("vp = 1", "vp = -1").replace("cubes = 5", "cubes = 0"), encoding="utf-8")
    result = run(commands.catalogue, "check", str(path), "--json")
    assert result.exit_code == 3
    assert len(json.loads(result.output)["problems"]) == text.count("vp = 1") + text.count("cubes = 5")
    whole = run_whole("catalogue", "check", str(path))
    assert whole.returncode == 3
    assert "box.toml: " in whole.stderr
    assert "Traceback" not in whole.stderr


def test_perft_counts_from_the_fixed_setup():
    assert json.loads(run(commands.perft, "--players", "3", "--depth", "3", "--json").output)["perft"] == [
        138,
        12834,
        628452,
    ]


def test_perft_begins_after_the_events_of_a_file(tmp_path):
    path = tmp_path / "events.txt"
    tiles = ["flora-1-a", "flora-1-b", "flora-2-a", "water-1-a", "water-1-b", "water-2-a"]
    slots = ["r1c1", "r1c2", "r1c3", "r2c1", "r2c2", "r2c3"]
    deal = [f"deal {slot} {tile}" for slot, tile in zip(slots, tiles, strict=True)]
    path.write_text("\n".join(["# two players", *deal, "start A", "A choose r1c1 r1c2", "B choose r2c1"]), "utf-8")
    result = run(commands.perft, "--players", "2", "--depth", "2", "--setup", str(path), "--json")
    assert json.loads(result.output)["perft"] == [2, 2]
    path.write_text("deal r1c1 flora-1-a\ndeal r1c1 flora-1-b\n", "utf-8")
    error = run(commands.perft, "--players", "2", "--setup", str(path)).exception
    assert isinstance(error, DataError)
    assert "line 2" in str(error)
    assert "R-08" in str(error)


@pytest.mark.parametrize("arguments", [("--players", "7"), ("--players", "-1"), ("--option", "variant=odd")])
def test_perft_refuses_a_setup_that_cannot_be_played(arguments):
    assert isinstance(run(commands.perft, *arguments).exception, DataError)


def test_every_command_has_help_with_an_example():
    for command in (*commands.COMMANDS, *commands.catalogue.commands.values()):
        text = run(command, "--help").output
        assert "Example" in text or command is commands.catalogue
