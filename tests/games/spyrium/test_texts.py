"""Every text that Spyrium shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken_texts import assert_translated, spoken, texts_in, texts_of_form, texts_of_spec

from companion.core.types import ClauseSource
from companion.games.spyrium import GAME
from companion.games.spyrium.edition import names as names_of
from companion.games.spyrium.edition.catalogue import DECK_SIZES
from companion.games.spyrium.edition.designs import EVENTS, TECHNIQUES
from companion.games.spyrium.edition.form import EVENT, FORM
from companion.games.spyrium.legality.check import EXPECTED
from companion.games.spyrium.play import costs
from companion.games.spyrium.play.acts import EVENT_CHOICES, PLAIN
from companion.games.spyrium.play.scoring import TECHNIQUE_LABELS
from companion.games.spyrium.table import describe, naming, offers, telling

FOLDER = Path(GAME.locale_dir).parent
# problems of a state or a file are for whoever mends it, in English
UNSPOKEN = frozenset({"invariants.py", "catalogue.py"})

BOX_WITHOUT_RULES = (
    *({"design": "apprentice", "price": "9"}, {"design": "mansion", "points": "1"}),
    *({"design": next(iter(TECHNIQUES))} for _ in range(sum(DECK_SIZES.values()))),
    *({"period": EVENT, "event": EVENTS[0].value} for _ in range(2)),
)
"""Of which the form says everything that it can find wrong."""


def wanted() -> set[str]:
    sentences = texts_in(describe) | texts_in(offers) | texts_in(costs) | texts_in(telling) | texts_in(naming)
    names = {*names_of.CARD_NAMES.values(), *names_of.EVENT_NAMES.values()}
    # facts that are words: they are translated inside a sentence
    words = {word for choices in EVENT_CHOICES.values() for word in choices if word.isalpha()} - {PLAIN}
    expected = {text for _, text in EXPECTED.values()}
    labels = set(TECHNIQUE_LABELS.values())
    sentences |= texts_of_form(FORM, BOX_WITHOUT_RULES)
    return (
        spoken(FOLDER, leave_out=UNSPOKEN) | sentences | names | words | expected | labels | texts_of_spec(GAME)
    )


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    assert_translated(GAME, language, wanted())


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source is not ClauseSource.RULEBOOK) == clause.id.startswith("R-S")
    assert [c.id for c in GAME.clauses.values() if c.source is ClauseSource.OPTION] == ["R-S6"]
