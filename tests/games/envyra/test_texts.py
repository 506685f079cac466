"""Every text that Envyra shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from spoken_texts import assert_translated, spoken, texts_in, texts_of_form, texts_of_spec

from companion.core.face_form import YES
from companion.games.envyra import GAME
from companion.games.envyra.edition import names
from companion.games.envyra.edition.components import Theme
from companion.games.envyra.edition.form import FORM
from companion.games.envyra.edition.names import THEME_WORDS
from companion.games.envyra.legality.check import EXPECTED
from companion.games.envyra.play.scoring import SET_LABELS
from companion.games.envyra.table.describe import SENTENCES
from companion.games.envyra.table.telling import ENDED

FOLDER = Path(GAME.locale_dir).parent
# problems of a state or a file are for whoever mends it, in English
UNSPOKEN = frozenset({"invariants.py", "counts.py"})


def wanted() -> set[str]:
    told = frozenset({"_whereabouts", "expected_now"})
    texts = spoken(FOLDER, leave_out=UNSPOKEN, telling=told) | set(SENTENCES.values()) | set(THEME_WORDS.values())
    for module in ("as_it_lies", "telling"):
        named = vars(import_module(f"companion.games.envyra.table.{module}"))
        texts |= {value for name, value in named.items() if name.isupper() and isinstance(value, str)}
    texts |= set(ENDED.values())
    # facts that are words: the symbols and themes of the sample edition
    sample = GAME.load_catalogue("sample")
    texts |= texts_in(names) | {word for words in sample.symbol_names.values() for word in words}
    texts |= {theme.value for theme in Theme}
    # a tile that is both Starting and for 3 or 4 players is what the form says cannot be
    impossible = {"theme": "end", "start": YES, "players_3_4": YES}
    # and of themes with more copies of one symbol than three it says how many there are
    copies = [{"theme": theme.value, "symbol": "1"} for theme in Theme for _ in range(4)]
    texts |= texts_of_form(FORM, [impossible]) | texts_of_form(FORM, copies)
    return texts | set(SET_LABELS.values()) | {words for _, words in EXPECTED.values()} | texts_of_spec(GAME)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    assert_translated(GAME, language, wanted())


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source.value == "rulebook") == clause.id.startswith("E")
    assert [c.id for c in GAME.clauses.values() if c.source.value == "option"] == ["R-01", "R-11"]
