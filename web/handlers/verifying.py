"""The verifier of the draws as it is served: the page with the sentences by which the record's page tells each draw."""

from __future__ import annotations

import json
from typing import Any

from companion.i18n import LANGUAGES
from web.ports.tables import OpenTable
from web.speaker import Speaker

NO_WORDS = '<script type="application/json" id="words">{}</script>'
"""Where the page carries the sentences: a copy of the page as it is shipped knows none."""


def with_words(page: str, table: OpenTable | None) -> str:
    """The verifier's page with the sentences of the table's draws. Raises ValueError when it has no place for them."""
    if page.count(NO_WORDS) != 1:
        raise ValueError(f"expected {NO_WORDS} once in verify.html, got {page.count(NO_WORDS)} times")
    if table is None:
        return page
    words = json.dumps(draw_words(table), ensure_ascii=False).replace("<", "\\u003c")  # it cannot end the element
    return page.replace(NO_WORDS, NO_WORDS.replace("{}", words))


def draw_words(table: OpenTable) -> dict[str, Any]:
    """`session`, and `words`: language -> a digital draw's text in the record -> its sentence, as a spectator may know
    it now: what is still secret is left out."""
    session, rules = table.session, table.session.rules
    over = rules.result(session.state) is not None
    speakers = {language: Speaker(table, language) for language in LANGUAGES}
    words: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for update in session.subscribe(0).so_far():
        seen = update.for_viewer(None, over=over)
        if update.event is None or seen["hidden"] or "proof" not in seen["cause"]["detail"]:
            continue
        for language, speaker in speakers.items():
            words[language][seen["body"]["text"]] = speaker.prompter.update(rules, update, None, over=over)
    return {"session": session.header.session, "words": words}
