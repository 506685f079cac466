"""Every text that Rifts of N'Norya shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken_texts import assert_translated, spoken, texts_of_spec

from companion.core.types import ClauseSource
from companion.games.rifts import GAME, describe
from companion.games.rifts.legality import EXPECTED
from companion.games.rifts.state import Foe
from companion.games.rifts.world import ITEMS, Element, Terrain

FOLDER = Path(GAME.locale_dir).parent
# problems of a state or a file are for whoever mends it, in English
UNSPOKEN = frozenset({"invariants.py", "catalogue.py"})


def wanted() -> set[str]:
    sentences = {*describe.SENTENCES.values(), describe.FUELLED, describe.HOLDS, describe.OWNS, describe.DOWN}
    sentences |= {describe.TRACKER, describe.FIGHTS, describe.NO_WEAKNESS, describe.RELICS, describe.CHAMPION}
    sentences |= {describe.EMPTY_HAND, describe.PLAIN_CARD, describe.FUELLED_CARD, describe.WOUND_CARD}
    sentences |= {describe.LAND, describe.CITY, describe.SELLS, describe.DRAWN, describe.STORE}
    sentences |= {describe.PLAIN_OFFER, describe.FUELLED_OFFER}
    # facts that are words: they are translated inside a sentence
    words = {word.value for kind in (Foe, Element, Terrain) for word in kind} | {item.value for item in ITEMS}
    words |= set(describe.WHERE)
    expected = {text for _, text in EXPECTED.values()}
    return spoken(FOLDER, leave_out=UNSPOKEN) | sentences | words | expected | texts_of_spec(GAME)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    assert_translated(GAME, language, wanted())


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source is not ClauseSource.RULEBOOK) == clause.id.startswith("R-N")
