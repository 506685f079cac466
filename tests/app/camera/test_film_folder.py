"""Which sources of pictures name a filmed game: only a set with one, or its `game` folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.camera.film import film_folder


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """A set with a filmed game, and pictures for the lens beside it."""
    for name in ("game", "calibration"):
        (tmp_path / name).mkdir()
    (tmp_path / "catalogue.json").write_text("{}", encoding="utf-8")
    (tmp_path / "game" / "jobs.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["", "/game", "?fps=2", "/game?fps=2"])
def test_a_set_and_its_game_are_a_film(scenes: Path, name: str) -> None:
    assert film_folder(f"replay:{scenes}{name}") == scenes


@pytest.mark.parametrize("source", ["replay:{}/calibration", "replay:{}/calibration?fps=2", "{}", "0", "browser"])
def test_anything_else_is_none(scenes: Path, source: str) -> None:
    assert film_folder(source.format(scenes)) is None
