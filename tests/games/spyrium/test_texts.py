"""Every text that Spyrium shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken_texts import assert_translated, spoken, texts_of_spec

from companion.core.types import ClauseSource
from companion.games.spyrium import GAME, describe
from companion.games.spyrium.legality import EXPECTED
from companion.games.spyrium.scoring import TECHNIQUE_LABELS

FOLDER = Path(GAME.locale_dir).parent
# problems of a state or a file are for whoever mends it, in English
UNSPOKEN = frozenset({"invariants.py", "catalogue.py"})


def wanted() -> set[str]:
    sentences = {*describe.SENTENCES.values(), describe.BUILDS_NEW, describe.REPLACES}
    sentences |= {describe.STRAIGHTENS, describe.PLACES, describe.HOLDS, describe.TOKENS_LIE}
    expected = {words for _, words in EXPECTED.values()}
    return (
        spoken(FOLDER, leave_out=UNSPOKEN) | sentences | expected | set(TECHNIQUE_LABELS.values()) | texts_of_spec(GAME)
    )


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    assert_translated(GAME, language, wanted())


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source is ClauseSource.RULING) == clause.id.startswith("R-S")
