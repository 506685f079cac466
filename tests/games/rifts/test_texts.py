"""Every text that Rifts of N'Norya shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken_texts import assert_translated, spoken, texts_in, texts_of_form, texts_of_spec

from companion.core.types import ClauseSource
from companion.games.rifts import GAME
from companion.games.rifts.board import TOKENS
from companion.games.rifts.edition import names
from companion.games.rifts.edition.form import FORM
from companion.games.rifts.edition.spell_form import SPELL_FORM
from companion.games.rifts.edition.world import ITEMS, Element, Terrain
from companion.games.rifts.legality.check import EXPECTED
from companion.games.rifts.state import Foe
from companion.games.rifts.table import describe, telling

FOLDER = Path(GAME.locale_dir).parent
# problems of a state or a file are for whoever mends it, in English
UNSPOKEN = frozenset({"invariants.py", "catalogue.py"})


SAMPLE_SPELLS = {names.spell_name(spell.id) for spell in GAME.load_catalogue("sample").spells}


def wanted() -> set[str]:
    sentences = texts_in(describe) | texts_in(names) | texts_in(telling)
    # facts that are words: they are translated inside a sentence
    words = {word.value for kind in (Foe, Element, Terrain) for word in kind} | {item.value for item in ITEMS}
    words |= SAMPLE_SPELLS | set(TOKENS)
    expected = {text for _, text in EXPECTED.values()}
    # a starting tile with other land is what the form says cannot be
    expected |= texts_of_form(FORM, [{"land_1": "imperium", "land_2": "river"}])
    expected |= texts_of_form(SPELL_FORM, [])
    return spoken(FOLDER, leave_out=UNSPOKEN) | sentences | words | expected | texts_of_spec(GAME)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    assert_translated(GAME, language, wanted())


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source is not ClauseSource.RULEBOOK) == clause.id.startswith("R-N")
