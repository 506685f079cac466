"""The camera's question: said in sentences, asked of the player who did it, answered as it was read."""

from __future__ import annotations

from pathlib import Path

from web_kit import NAMES, Caller, StillCamera, hosting, make_app

from companion.core.types import Seat
from companion.table.commands import Play
from web.ports.devices import Question
from web.ports.tables import SetupChoice

SEATS = ((NAMES[0][0], "blue"), (NAMES[1][0], "red"))
START, MONEY = "A start", "A money r1c1|r1c2 r1c1"


def test_every_event_of_a_choice_is_a_sentence_in_the_language_of_the_page(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("spyrium", SEATS))
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


def test_an_answer_says_what_the_act_costs_and_brings_where_its_choices_begin(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("spyrium", SEATS))
        assert host.table is not None
        session, rules = host.table.session, host.table.session.rules

        def play(*texts: str) -> None:
            assert session.ask(Play(texts=texts)).accepted

        play("future event-points", "first A", "future event-place")
        market = ("mine-left", "apprentice", "geologist", "workshop-left", "mine-left", "crane", "apprentice")
        market = (*market, "neighbourhood-left", "laboratory-left")
        play(*(f"deal {slot} {card}" for slot, card in zip(rules.tables.slots, market, strict=True)))
        play("A place r1c1|r1c2", "B place r1c2|r1c3")
        before = session.number
        play(START, MONEY)
        camera = host.camera = StillCamera(Question(
            ((START, MONEY), (START, "A activate r1c1|r1c2 r1c2")), ("r1c1|r1c2",), presumed=True, before=before
        ))  # fmt: skip
        caller = Caller(make_app(host), "referee")
        (_, money), (_, called) = caller.get("/api/devices").get_json()["camera"]["question"]["sentences"]
        camera.open = Question(((MONEY,),), ("r1c1|r1c2",))  # it cannot be done any more
        ((plain,),) = caller.get("/api/devices").get_json()["camera"]["question"]["sentences"]
    assert "back for £0 at" in money
    assert "for £1: price £0, other workers £1, Spyrium paid: 1, points gained: 3." in called
    assert plain.endswith("back for money at market place 1.")


def test_a_question_that_doubts_the_record_says_so_to_the_page(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("spyrium", SEATS))
        host.camera = StillCamera(Question(((START,), (MONEY,)), ("r1c1|r1c2",), corrects=True))
        question = Caller(make_app(host), "referee").http.get("/api/devices").get_json()["camera"]["question"]
    assert (question["corrects"], question["seat"], len(question["sentences"])) == (True, None, 2)


CHOICES = ((MONEY,), (START,))


def test_the_player_concerned_answers_on_the_own_page_and_nobody_else_does(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("spyrium", SEATS))
        camera = host.camera = StillCamera(Question(CHOICES, ("r1c1",), Seat.B))
        app = make_app(host)
        own, other = Caller(app, "B", host), Caller(app, "A", host)
        assert own.get("/api/devices").get_json()["camera"]["question"]["seat"] == "B"
        refused = other.post("/api/camera/answer", **{"as": "A"}, choice=0, texts=[MONEY])
        assert refused.status_code == 403
        assert camera.answered == -1
        assert own.post("/api/camera/answer", **{"as": "B"}, choice=1, texts=[START]).status_code == 200
        assert (camera.answered, camera.by) == (1, "B")


def test_an_answer_to_a_question_that_has_changed_meanwhile_is_stale(tmp_path: Path) -> None:
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("spyrium", SEATS))
        camera = host.camera = StillCamera(Question(CHOICES, ("r1c1",), Seat.B))
        caller = Caller(make_app(host), "referee")
        camera.open = Question(CHOICES[::-1], ("r1c1",), Seat.B)
        answer = caller.post("/api/camera/answer", **{"as": "referee"}, choice=0, texts=[MONEY])
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "stale")
        assert camera.answered == -1
