"""The camera's question on the referee's page: each choice is said in sentences, whatever is possible now."""

from __future__ import annotations

from pathlib import Path

from web_kit import NAMES, Caller, StillCamera, hosting, make_app

from web.ports import Choice, Question

START, MONEY = "A start", "A money r1c1|r1c2 r1c1"


def test_every_event_of_a_choice_is_a_sentence_in_the_language_of_the_page(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        seats = ((NAMES[0][0], "blue"), (NAMES[1][0], "red"))
        host.begin(Choice("spyrium", seats))
        host.camera = StillCamera(Question(((START, MONEY), ()), ("r1c1|r1c2",)))
        caller = Caller(make_app(host), "referee")
        question = caller.http.get("/api/devices?lang=sk").get_json()["camera"]["question"]
    assert question["choices"] == [[START, MONEY], []]
    assert question["sentences"] == [
        [
            f"{NAMES[0][0]} začína fázu II.",
            f"{NAMES[0][0]} si berie späť robotníka z 1–2 za peniaze pri karte na mieste trh 1.",
        ],
        [],
    ]
