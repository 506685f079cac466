"""One word for one thing: rules, pages and the companion's own sentences call it alike in Slovak and Czech."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
PLACEHOLDER = re.compile(r"{\w+}")
OWN_NAMES = re.compile(r"Rifts of N'Norya|LED is the wrong way round|order turns round|other way round|event\.json")
"""Words of the table below that mean something else there."""
TERMS: tuple[tuple[str, str, str], ...] = (
    (r"\bbags?\b", "vreck|vreciek", "sáč"),
    (r"\bbutton box", "skrink", "skříň"),
    (r"\bbonus tiles?\b", "bonusov", "bonusov"),
    (r"\bcameras?\b(?!'s own app)", "kamer", "kamer"),
    (r"\bcubes?\b", "kock|kocie", "kost"),
    (r"\bdark mode\b", "tmav", "tmav"),
    (r"\bEnd tile", "koncov", "koncov"),
    (r"\bcaptur(e|es|ed|ing)\b(?! ended)", "získ|zisk", "získ|zisk"),
    (r"\bevents?\b", "udalos", "událos"),
    (r"\bglory\b", "sláv", "sláv"),
    (r"\bgold\b", "zlat", "zlat"),
    (r"\bmages?\b", "mág", "mág"),
    (r"\bmarket", "trh", "trh"),
    (r"\bphases?\b", "fáz", "fáz"),
    (r"\breferee", "rozhod", "rozhod"),
    (r"\bRifts?\b", "trhl", "trhl"),
    (r"\brounds?\b", "kol|kôl", "kol"),
    (r"\bshields?\b", "záste|zást", "zást"),
    (r"\bspells?\b(?! deck)", "kúz", "kouz"),
    (r"\bstarting figure\b", "figúr", "figur"),
    (r"\bsupply\b", "zásob", "zásob"),
    (r"\bthemes?\b", "tém|tem", "tém"),
    (r"\btiles?\b", "dielik", "dílk|dílc|dílek"),
    (r"(?<!\+)\btokens?\b(?! in )", "žet", "žet"),
    (r"\btechniques?\b", "techni|techní", "techni"),
    (r"\bworkers?\b", "robotn", "děln"),
    (r"\bwounds?\b", "zran", "zran"),
)
"""What the English sentence says, and what one of its words must begin with in Slovak and in Czech."""
OF_A_HALL: dict[str, tuple[str, str, str]] = {r"\bevents?\b": (r"\bevents?\b", "podujat", "akc")}
"""In a hall an event is an evening or a championship, not something that a game's card brings."""


def sentences(language: str) -> Iterator[tuple[str, str, str]]:
    """Where a sentence stands, its English and its translation, without what is filled in later."""
    for path in sorted(ROOT.glob(f"*/**/locale/{language}.po")):
        if path.relative_to(ROOT).parts[0] not in ("companion", "web", "calibration", "vision"):
            continue
        with path.open("rb") as source:
            for message in read_po(source, locale=language):
                english = message.id if isinstance(message.id, str) else message.id[0]
                told = message.string if isinstance(message.string, str) else " ".join(message.string)
                if english:
                    yield str(path.relative_to(ROOT)), PLACEHOLDER.sub("", english), PLACEHOLDER.sub("", told)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_a_term_of_the_rules_and_pages_is_translated_alike_everywhere(language: str) -> None:
    column = 1 if language == "sk" else 2
    at_table, in_hall = (
        [(re.compile(row[0], re.I if row[0] != r"\bRifts?\b" else 0), re.compile(rf"\w*(?:{row[column]})", re.I))
         for row in rows]
        for rows in (TERMS, [OF_A_HALL.get(row[0], row) for row in TERMS])
    )
    seen, wrong = 0, []
    for where, english, told in sentences(language):
        english = OWN_NAMES.sub("", english)
        for term, stem in in_hall if where.startswith("web/hall/") else at_table:
            if term.search(english):
                seen += 1
                if not stem.search(told):
                    wrong.append(f"{where}: {english!r} has {term.pattern}, and {told!r} has no {stem.pattern}")
    assert seen > 500
    assert not wrong, "\n".join(wrong)
