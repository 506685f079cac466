"""Commands speak the language of the setting, unless `--lang` says another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.command_kit import speaker
from companion.app.commands.game.rules import rules
from companion.app.commands.game.serve import tell_addresses
from companion.app.commands.hall.table import hall
from companion.app.dashboard.server.serve import Serving

CZECH = "Tento stůl nepatří do žádného sálu."


def said(command, *words: str, folder: Path, **environment: str) -> str:
    variables = {"COMPANION_DATA_DIR": str(folder), "COMPANION_CONFIG": None, **environment}
    answer = CliRunner().invoke(command, words, env=variables)
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_the_commands_of_a_hall_speak_the_language_of_the_setting(tmp_path: Path) -> None:
    assert said(hall, "status", folder=tmp_path, COMPANION_LANGUAGE="cs").strip() == CZECH
    assert "Tento stôl nepatril do žiadnej sály." in said(hall, "leave", folder=tmp_path, COMPANION_LANGUAGE="sk")
    assert said(hall, "status", folder=tmp_path).strip() == "This table belongs to no hall."


def test_the_option_goes_before_the_setting(tmp_path: Path) -> None:
    by_setting = said(rules, "E20", folder=tmp_path, COMPANION_LANGUAGE="sk")
    assert by_setting == said(rules, "E20", "--lang", "sk", folder=tmp_path)
    assert by_setting != said(rules, "E20", "--lang", "en", folder=tmp_path, COMPANION_LANGUAGE="sk")


def test_addresses_are_told_in_the_language_of_the_setting(capsys: pytest.CaptureFixture[str]) -> None:
    where = Serving("http://127.0.0.1:8000", "http://192.168.1.5:8000", "", "12345678", 8000)
    tell_addresses(where, speaker("sk"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Otvorte túto adresu na obrazovke, notebooku alebo telefóne, alebo naskenujte kód:"
    assert lines[-1] == "Rozhodca: http://127.0.0.1:8000/referee, PIN 12345678"
