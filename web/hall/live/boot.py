"""What the live pages begin with: the words of their scripts, the hub's clock, and the state that is shown first."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Response, make_response, render_template

from web.hall.desk import Desk
from web.pages import in_script
from web.texts import language, quoted_in_scripts, script_words, translator

HERE = Path(__file__).parent
NOTHING = '{"session": null}'


@lru_cache(maxsize=1)
def _ids() -> tuple[str, ...]:
    return tuple(sorted(quoted_in_scripts(HERE.parent / "static")))


def live_page(desk: Desk, template: str, state: str = NOTHING, *, hall: dict[str, Any], **more: Any) -> Response:
    """The page `template`, whose scripts get `hall` and begin with the page `state` of a table."""
    wanted = language()
    translate = translator(wanted)
    person = desk.person()
    boot: dict[str, Any] = {
        "as": None, "token": desk.token(), "language": wanted,
        "words": script_words(wanted) | {word: translate(word) for word in _ids() if translate(word) != word},
        "now_ms": desk.hall.clock_ms(), "devices": {"camera": None, "box": None, "seats": []}, "stream": None,
        "hall": {"person": "" if person is None else person.name, "role": "" if person is None else person.role.value}
        | hall,
    }
    if "clauses" in hall:
        boot["clauses"] = hall["clauses"]
    return make_response(render_template(
        f"live/{template}", state=in_script(state), boot=in_script(json.dumps(boot, ensure_ascii=False)), **more,
    ))
