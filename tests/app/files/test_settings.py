"""Facts about settings: strict, all problems at once, and every one is documented."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from companion.app.files.settings import Settings, load_settings, settings_rows
from companion.core.errors import DataError
from companion.i18n import LANGUAGES

KNOWN = ", ".join(LANGUAGES)
DOCS = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


def test_without_file_and_environment_the_defaults_hold() -> None:
    assert load_settings({}) == Settings()


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('language = "sk"\nstore_wait_s = 9\n', encoding="utf-8")
    settings = load_settings({"COMPANION_LANGUAGE": "cs"}, config)
    assert (settings.language, settings.store_wait_s) == ("cs", 9)


def test_a_file_named_by_the_environment_is_read_instead(tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    named.write_text('draws = "digital"\n', encoding="utf-8")
    assert load_settings({"COMPANION_CONFIG": str(named)}, tmp_path / "other.toml").draws == "digital"


BAD_FILES = [
    ('colour = "pink"\n', "unknown key 'colour'"),
    ('language = "xx"\n', f"language: expected one of {KNOWN}, got 'xx'"),
    ("language = 3\n", "language: expected text, got 3"),
    ("store_wait_s = 61\n", "store_wait_s: expected 0 to 60, got 61"),
    ("store_wait_s = -1\n", "store_wait_s: expected 0 to 60, got -1"),
    ("store_wait_s = true\n", "store_wait_s: expected a whole number, got True"),
    ("store_wait_s = 1.5\n", "store_wait_s: expected a whole number, got 1.5"),
    ("[language]\n", "language: expected text"),
    ("language = \n", "cannot be read"),
]


@pytest.mark.parametrize(("text", "expected"), BAD_FILES)
def test_a_wrong_file_names_file_key_and_range(tmp_path: Path, text: str, expected: str) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_settings({}, config)
    assert expected in str(caught.value)
    assert str(config) in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("COMPANION_COLOUR", "pink", "unknown COMPANION_COLOUR"),
        ("COMPANION_LANGUAGE", "EN", f"expected one of {KNOWN}"),
        ("COMPANION_STORE_WAIT_S", "soon", "expected a whole number, got 'soon'"),
        ("COMPANION_STORE_WAIT_S", "99", "expected 0 to 60"),
        ("COMPANION_CONFIG", "/nowhere/companion.toml", "/nowhere/companion.toml: cannot be read"),
    ],
)
def test_a_wrong_variable_is_named(variable: str, value: str, expected: str) -> None:
    with pytest.raises(DataError) as caught:
        load_settings({variable: value})
    assert expected in str(caught.value)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('colour = "pink"\nlanguage = "xx"\n', encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_settings({"COMPANION_DRAWS": "magic"}, config)
    for part in ("colour", "language", "COMPANION_DRAWS"):
        assert part in str(caught.value)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().language = "sk"  # type: ignore[misc]


def test_every_setting_is_documented_with_its_default_and_range() -> None:
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    for row in settings_rows():
        documented = [line for line in lines if line.startswith(f"| `{row.key}`")]
        assert len(documented) == 1, f"docs/reference/settings.md has no line for {row.key}"
        assert (
            documented[0]
            == f"| `{row.key}` | `{row.variable}` | {row.default or '(empty)'} | {row.allowed} | {row.what} |"
        )


def test_a_variable_of_the_hub_is_no_wrong_setting() -> None:
    assert load_settings({"COMPANION_HUB_DATABASE": "postgresql://companion@localhost/hall"}) == Settings()
