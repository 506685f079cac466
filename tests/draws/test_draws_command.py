"""`companion draws …` says in words what was proved and tells by its exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.app.commands.record.draws import draws
from companion.core.errors import DataError, RecordError
from companion.core.events import Cause, CauseKind, RecordKind
from companion.lab.benches.draws import tables
from companion.lab.simulators.draw_rehearsal import Journal, Power, Rehearsal


@pytest.fixture(scope="module")
def game() -> bytes:
    header, rules = next(tables())
    power = Power(Random(1), 0.0)
    return Rehearsal(Journal(header, rules, power), Random(2), power, 0.1, 0.3).run().export


@pytest.fixture
def record(tmp_path: Path, game: bytes) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game)
    return path


def run(*arguments: object):
    return CliRunner().invoke(draws, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("language", "verdict"), [("en", "Proved: every digital draw"), ("sk", "Dokázané"), ("cs", "Dokázáno")]
)
def test_verify_says_what_was_proved_in_the_language_of_the_table(record: Path, language: str, verdict: str):
    result = run("verify", record, "--lang", language)
    assert result.exit_code == 0
    assert verdict in result.output.splitlines()[-1]
    assert "{" not in result.output


def test_every_sentence_is_translated(record: Path):
    said = {language: run("verify", record, "--lang", language).output.splitlines() for language in ("en", "sk", "cs")}
    assert len(said["en"]) == len(said["sk"]) == len(said["cs"]) > 8
    for english, slovak, czech in zip(said["en"], said["sk"], said["cs"], strict=True):
        assert len({english, slovak, czech}) == 3


def test_json_is_one_object(record: Path):
    report = json.loads(run("verify", record, "--json").output)
    assert report["complete"] is True
    assert report["proved"] == report["draws"] > 10
    assert report["missing"] == []


def test_altered_record_ends_with_the_place(record: Path, game: bytes):
    record.write_bytes(game.replace(b'"pick":0', b'"pick":1', 1))
    result = run("verify", record)
    assert isinstance(result.exception, RecordError)
    assert result.exception.exit_code == 4
    assert str(result.exception).startswith("line ")


def test_record_that_is_not_revealed_ends_the_program_with_one(tmp_path: Path):
    header, rules = next(tables())
    path = tmp_path / "begun.jsonl"
    path.write_bytes(Journal(header, rules, Power(Random(1), 0.0)).export())
    command = [sys.executable, "-m", "companion.app.cli", "draws", "verify", str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1] == "Not proved yet."


def test_code_that_was_noted_is_said_to_be_the_one(record: Path, game: bytes):
    code = re.search(rb'"commitment":"([0-9a-f]{64})"', game)
    assert code is not None
    told, asked = run("verify", record, "--code", code[1].decode()).output, run("verify", record).output
    assert "the one that you noted" in told
    assert "compare it with the code" not in told
    assert "compare it with the code" in asked


def test_other_code_is_refused(record: Path):
    assert isinstance(run("verify", record, "--code", "f" * 64).exception, RecordError)


def test_game_that_is_not_known_is_a_data_error(tmp_path: Path):
    from draw_records import urn_export

    path = tmp_path / "urn.jsonl"
    path.write_bytes(urn_export())
    assert isinstance(run("verify", path).exception, DataError)


def test_odds_of_a_finished_game_say_that_no_draw_is_due(record: Path):
    assert run("odds", record).output == "No draw is due.\n"


def test_odds_of_the_first_draw_are_those_of_the_box(tmp_path: Path):
    header, rules = next(tables())
    path = tmp_path / "begun.jsonl"
    path.write_bytes(Journal(header, rules, Power(Random(1), 0.0)).export())
    shown = json.loads(run("odds", path, "--json").output)
    assert shown["due"] is True
    assert {row["label"] for row in shown["odds"]} >= {"flora", "water", "fire"}
    assert run("odds", path).exit_code == 0


@pytest.fixture
def dealt(tmp_path: Path) -> Path:
    """A game of two in which everything has been dealt: 14 tiles are in the bag (E13)."""
    header, rules = next(tables())
    rng = Random(4)
    journal = Journal(header, rules, Power(rng, 0.0))
    while outcomes := rules.chance_outcomes(journal.state):
        draw = rng.choice(outcomes).draw
        body = {"text": rules.format(draw)}
        journal.write(RecordKind.EVENT, Cause(CauseKind.OPERATOR), body, rules.apply(journal.state, draw))
    path = tmp_path / "dealt.jsonl"
    path.write_bytes(journal.export())
    return path


def test_count_of_the_real_bag_fits(dealt: Path):
    result = run("count", dealt, "all=14", "end=1")
    assert (result.exit_code, result.output) == (0, "The bag fits the game.\n")


@pytest.mark.parametrize(
    ("count", "lang", "question"),
    [("all=15", "en", "left in the bag"), ("all=13", "sk", "aspoň 14"), ("end=0", "cs", "aspoň 1")],
)
def test_count_that_differs_is_asked_about(dealt: Path, count: str, lang: str, question: str):
    result = run("count", dealt, count, "--lang", lang)
    assert result.exit_code == 1
    assert question in result.output


@pytest.mark.parametrize("count", ["all", "all=many", "rock=1", "all=-1"])
def test_count_that_is_none_is_wrong_usage(dealt: Path, count: str):
    assert run("count", dealt, count).exit_code == 2
