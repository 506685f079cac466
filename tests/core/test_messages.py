"""Sentences for people, put into a language wherever they have come to."""

from __future__ import annotations

from companion.core.messages import Message, with_decimals
from companion.i18n import localize, translations


def test_a_number_has_the_decimal_mark_of_the_readers_language() -> None:
    said = Message("no new picture for {seconds} s", seconds=with_decimals(9.24))
    assert said == "no new picture for 9.2 s"
    assert localize(said, translations("sk").gettext) == "žiadny nový obraz už 9,2 s"
    assert with_decimals(7.4, 0) == "7"
