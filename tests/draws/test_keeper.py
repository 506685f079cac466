"""The host's secret survives a crash, is readable by its owner alone, and is gone when it was revealed."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion.core.errors import DataError
from companion.draws.keeper import SecretFiles


def test_secret_is_in_a_private_file_of_its_own(tmp_path: Path):
    keeper = SecretFiles(tmp_path / "secrets")
    secret = keeper.make("evening", 1)
    (file,) = (tmp_path / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert file.read_text().strip() == secret.hex()


def test_secret_is_the_same_after_a_restart_and_another_for_each_bag(tmp_path: Path):
    first = SecretFiles(tmp_path).make("evening", 1)
    assert SecretFiles(tmp_path).make("evening", 1) == first
    assert SecretFiles(tmp_path).read("evening", 1) == first
    assert SecretFiles(tmp_path).make("evening", 2) != first


def test_file_left_half_written_by_a_crash_is_never_taken_for_a_secret(tmp_path: Path):
    (tmp_path / "evening.1.unfinished").write_text("00ff")
    assert len(SecretFiles(tmp_path).make("evening", 1)) == 32


def test_forgotten_secret_is_gone(tmp_path: Path):
    keeper = SecretFiles(tmp_path)
    keeper.make("evening", 1)
    keeper.forget("evening", 1)
    keeper.forget("evening", 1)
    with pytest.raises(DataError, match="cannot be read"):
        keeper.read("evening", 1)


def test_damaged_file_is_refused_with_what_to_do(tmp_path: Path):
    (tmp_path / "evening.1.secret").write_text("not a secret\n")
    with pytest.raises(DataError, match=r"evening\.1\.secret.*64 hex digits.*backup"):
        SecretFiles(tmp_path).read("evening", 1)


@pytest.mark.parametrize("session", ["../evening", "", "a/b", "."])
def test_session_that_is_no_file_name_is_refused(tmp_path: Path, session: str):
    with pytest.raises(DataError, match="cannot name"):
        SecretFiles(tmp_path).make(session, 1)


def test_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DataError, match="cannot be stored"):
        SecretFiles(tmp_path / "taken").make("evening", 1)
