"""The languages of the pages: every text of pages and scripts is translated, with the same placeholders."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po
from page_texts import page_ids, refusal_ids

from companion.i18n import translations
from web.texts import HERE, script_ids, translator

SAME_IN_ALL = {"PIN", "bonus"}
"""Words that are the same in Slovak and Czech."""


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated(language: str) -> None:
    translate = translations(language, HERE / "locale").gettext
    missing = {text for text in (*script_ids(), *page_ids(), *refusal_ids()) if translate(text) == text}
    assert missing == SAME_IN_ALL


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_translations_keep_the_placeholders_and_none_is_left_over(language: str) -> None:
    with (HERE / "locale" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file)
    used = {*script_ids(), *page_ids(), *refusal_ids()}
    for message in catalogue:
        if message.id:
            assert set(re.findall(r"\{\w+\}", message.id)) == set(re.findall(r"\{\w+\}", message.string)), message.id
            assert message.id in used, message.id


def test_a_command_stands_in_the_quotes_of_the_language() -> None:
    told = "Run `companion enrol`, or type the tiles."
    assert translator("en")(told) == "Run “companion enrol”, or type the tiles."
    assert "„companion enrol“" in translator("sk")(told)


def test_scripts_have_no_text_outside_the_catalogue() -> None:
    # What people read passes t(); a sentence in quotes that does not is a text in one language only.
    sentence = re.compile(r'"[A-Z][a-z]+(?: [a-z]+){2,}[.!?]?"')
    for path in (HERE / "static").rglob("*.js"):
        for line in path.read_text(encoding="utf-8").splitlines():
            for found in sentence.findall(line):
                assert f"t({found}" in line, f"{path.name}: {found}"


FAMILIAR = {
    "sk": r"\b(?:[Ss]i na ťahu|[Mm]áš|[Mm]ôžeš|[Tt]voj\w*|[Tt]vá\w*)\b",
    "cs": r"\b(?:[Jj]si|[Mm]áš|[Mm]ůžeš|[Tt]voj\w*|[Tt]v(?:ůj|á|é|ou|ým?)|[Tt]v(?:ého|ému|ých))\b",
}
"""Words to somebody one is on familiar terms with; all other sentences are polite."""


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_a_player_is_spoken_to_in_one_way(language: str) -> None:
    for path in sorted(HERE.parent.glob("*/**/locale")):
        if not (path / f"{language}.po").exists():
            continue
        with (path / f"{language}.po").open("rb") as file:
            familiar = [m.string for m in read_po(file) if re.search(FAMILIAR[language], str(m.string))]
        assert familiar == [], path
