"""The JSON API: roles, tokens, stale and repeated requests, one shape of errors, refusals that name the clause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from web_kit import KEY, PIN, Caller, deal, fresh_key, hosting, make_app, play_on, taken

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from web.roles.access import PIN_BURST, TOKEN_HEADER, Access
from web.routes import ROUTES, openapi


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosting(tmp_path) as host:
        deal(host)
        yield host


@pytest.fixture
def app(host: Host) -> Flask:
    return make_app(host)


def error_of(answer) -> dict:
    body = answer.get_json()
    assert set(body) == {"error"}
    assert {"code", "message", "where", "remedy"} <= set(body["error"])
    return body["error"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/nothing", 404),
        ("get", "/nothing", 404),
        ("delete", "/api/state", 405),
        ("get", "/api/state?as=referee", 401),
        ("get", "/api/state?as=Q", 404),
        ("get", "/api/records?after=x", 400),
        ("get", "/api/records/9999", 404),
        ("get", "/api/clauses/E999", 404),
        ("get", "/api/sessions", 401),
        ("get", "/api/seats", 401),
        ("get", "/api/export", 409),
        ("get", "/api/camera/picture", 401),
        ("post", "/api/play", 415),
    ],
)
def test_every_refusal_has_the_one_shape(app: Flask, method: str, path: str, status: int) -> None:
    answer = getattr(app.test_client(), method)(path)
    assert answer.status_code == status
    assert error_of(answer)["message"]


@pytest.mark.parametrize(
    ("path", "language", "said"),
    [
        ("/api/state?as=referee", "sk", "tento prehliadač sa nepreukázal ako referee"),
        ("/api/records?after=x", "cs", "očekává se celé číslo od 0 do 1000000000, přišlo 'x'"),
        ("/api/nothing", "sk", "na tejto adrese nič nie je"),
        ("/api/nothing", "en", "there is nothing at this address"),
    ],
)
def test_refusals_speak_the_clients_language(app: Flask, path: str, language: str, said: str) -> None:
    mark = "&" if "?" in path else "?"
    assert error_of(app.test_client().get(f"{path}{mark}lang={language}"))["message"] == said
    page = app.test_client().get("/nothing", headers={"Accept": "text/html", "Accept-Language": language})
    assert f'<html lang="{language}">' in page.get_data(as_text=True)


def test_what_is_wrong_with_a_set_up_is_said_in_the_clients_language(app: Flask) -> None:
    referee = Caller(app, "referee")
    seats = [{"name": "Žofia", "colour": "pink"}, {"name": "Žofia", "colour": "pink"}]
    answer = referee.post("/api/begin?lang=sk", **{"as": "referee"}, game="envyra", seats=seats)
    assert answer.status_code == 400
    faults = "dvaja hráči sa volajú Žofia: dajte jednému iné meno; dvaja hráči majú rovnakú farbu: ružová"
    assert error_of(answer)["message"] == faults
    seats[1] = {"name": "Ján", "colour": "pink"}
    said = error_of(referee.post("/api/begin?lang=en", **{"as": "referee"}, game="envyra", seats=seats))
    assert said["message"] == "two players have pink"


def test_a_body_too_large_is_refused_in_the_one_shape(app: Flask) -> None:
    answer = app.test_client().post("/api/play", data=b"[" * 70_000, content_type="application/json")
    assert answer.status_code == 413
    assert error_of(answer)["code"] == "too-large"


def test_every_problem_of_a_body_is_named_at_once(app: Flask) -> None:
    answer = app.test_client().post("/api/play", json={"as": "Q", "texts": [], "more": 1})
    assert answer.status_code == 400
    message = error_of(answer)["message"]
    assert all(f'"{key}" is a required property' in message for key in ("expected", "key"))
    assert "('more' was unexpected)" in message
    assert "body.as: " in message
    assert "body.texts: " in message


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"pin": "\\ud800"}', "surrogates"), ('{"pin": NaN}', "NaN"), ('{"pin": true}', "body.pin"),
        ('{"pin": "secret-secret-secret-secret-secret-secret"}', "body.pin"), ("[]", "body: "),
    ],
)
def test_a_body_that_is_no_json_or_not_by_the_schema_is_refused_without_repeating_it(
    app: Flask, body: str, said: str
) -> None:
    answer = app.test_client().post("/api/login", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert said in error_of(answer)["message"]
    assert "secret" not in error_of(answer)["message"]


def test_a_whole_number_may_be_written_with_a_point(app: Flask) -> None:
    body = '{"as": "A", "expected": 1.0, "key": "abcdefgh", "texts": ["A x"]}'
    answer = app.test_client().post("/api/play", data=body, content_type="application/json")
    assert answer.status_code == 401, "the body passes: the client is not known"


def test_a_failure_inside_is_an_answer_without_traceback(host: Host, app: Flask, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(type(host), "faces", fail)
    answer = app.test_client().get("/api/games/envyra/faces")
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
    assert error_of(answer)["code"] == "internal"


def test_the_document_names_exactly_the_routes_that_exist(app: Flask) -> None:
    served = {
        (method, rule.rule.replace("<int:number>", "{number}").replace("<name>", "{name}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    document = openapi()
    described = {(m.upper(), path) for path, entry in document["paths"].items() for m in entry}
    assert served == described
    assert len(described) == len(ROUTES)


def test_a_wrong_pin_is_refused_and_soon_not_even_looked_at(host: Host) -> None:
    app = make_app(host, clock_s=lambda: 0.0)
    client = app.test_client()
    answers = [client.post("/api/login", json={"pin": "000000"}).status_code for _ in range(PIN_BURST + 1)]
    assert answers == [401] * PIN_BURST + [429]
    assert client.post("/api/login", json={"pin": PIN}).status_code == 429


def test_right_pins_and_codes_are_not_counted(host: Host) -> None:
    app = make_app(host, clock_s=lambda: 0.0)
    for _ in range(3 * PIN_BURST):
        assert app.test_client().post("/api/login", json={"pin": PIN}).status_code == 200
        Caller(app, "A", host)
    answers = [app.test_client().post("/api/login", json={"pin": "000000"}).status_code for _ in range(PIN_BURST + 1)]
    assert answers == [401] * PIN_BURST + [429]


def test_a_change_needs_the_pages_token_and_the_same_origin(app: Flask) -> None:
    referee = Caller(app, "referee")
    body = {"as": "referee", "topic": "remark", "text": "x", "key": fresh_key()}
    assert referee.http.post("/api/note", json=body).status_code == 403
    wrong = {TOKEN_HEADER: Access(KEY, PIN).request_token("another cookie")}
    assert referee.http.post("/api/note", json=body, headers=wrong).status_code == 403
    foreign = {TOKEN_HEADER: referee.token, "Origin": "http://evil.example"}
    assert error_of(referee.http.post("/api/note", json=body, headers=foreign))["code"] == "origin"
    assert referee.post("/api/note", **body).status_code == 200


def test_a_name_of_the_wide_world_is_not_answered(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/api/state", headers={"Host": "evil.example:80"}).status_code == 403
    for name in ("192.168.1.20:8000", "localhost:8000", "[::1]:8000", "table.local"):
        assert client.get("/api/state", headers={"Host": name}).status_code == 200


def test_a_seat_acts_for_itself_only(app: Flask, host: Host) -> None:
    seat = Caller(app, "A", host)
    assert seat.play("B confirm").status_code == 409
    assert seat.post("/api/note", **{"as": "A", "topic": "dispute", "key": fresh_key()}).status_code == 403
    assert seat.post("/api/play", **{"as": "B"}, texts=["B confirm"], expected=1, key=fresh_key()).status_code == 401
    assert taken(seat.play("A confirm"))


def test_a_seat_cannot_tell_what_was_drawn(tmp_path: Path) -> None:
    with hosting(tmp_path / "undealt") as host:
        app = make_app(host)
        draw = Caller(app, "referee").state()["outcomes"][0]["text"]
        assert Caller(app, "A", host).play(draw).status_code == 403
        assert taken(Caller(app, "referee").play(draw))


def test_the_code_of_another_session_is_no_key_to_a_seat(app: Flask) -> None:
    token = Access(KEY, PIN).seat_token("another-session", Seat.A)
    assert app.test_client().post("/api/join", json={"seat": "A", "token": token}).status_code == 401


def test_a_stale_request_is_refused_and_changes_nothing(app: Flask) -> None:
    referee = Caller(app, "referee")
    seen = referee.state()["number"]
    for letter in "ABC":
        assert taken(referee.play(f"{letter} confirm"))
    for letter in "ABC":
        assert taken(referee.play(f"{letter} choose r1c1 r1c2"))
    number = referee.state()["number"]
    mover = referee.state()["to_act"][0]
    answer = referee.play(f"{mover} move r1c1", expected=seen)
    assert answer.status_code == 409
    assert error_of(answer)["code"] == "stale"
    assert referee.state()["number"] == number


def test_the_same_key_is_applied_once(app: Flask, host: Host) -> None:
    seat, key = Caller(app, "A", host), fresh_key()
    seen = seat.state()["number"]
    first = seat.play("A confirm", expected=seen, key=key)
    second = seat.play("A confirm", expected=seen, key=key)
    assert first.get_json()["records"] == second.get_json()["records"]
    assert seat.state()["number"] == seen + 1


def test_keys_of_different_clients_do_not_meet(app: Flask, host: Host) -> None:
    key = fresh_key()
    assert taken(Caller(app, "A", host).play("A confirm", key=key))
    assert taken(Caller(app, "B", host).play("B confirm", key=key))
    assert Caller(app).state()["view"]["seats"][1]["ready"] is True


def test_an_illegal_act_is_explained_with_its_clause(app: Flask, host: Host) -> None:
    answer = Caller(app, "A", host).play("A move r1c1")
    assert (answer.status_code, answer.get_json()["records"]) == (200, [])
    error = answer.get_json()["refused"]
    assert error["code"] == "illegal"
    assert error["facts"]["clause"]["id"] in error["message"]
    assert error["facts"]["clause"]["text"]


def test_undo_across_others_needs_everyone(app: Flask) -> None:
    referee = Caller(app, "referee")
    for letter in "ABC":
        referee.play(f"{letter} confirm")
    plan = referee.get("/api/undo?to=2").get_json()
    assert plan["consents"] == ["A", "B", "C"]
    body = {"as": "referee", "to": 2, "expected": referee.state()["number"]}
    refused = referee.post("/api/undo", **body, consents=["A"], key=fresh_key())
    assert error_of(refused)["code"] == "consent"
    assert referee.post("/api/undo", **body, consents=["A", "B", "C"], key=fresh_key()).status_code == 200


def test_the_bag_is_filled_sealed_drawn_from_and_revealed_at_the_end_only(tmp_path: Path) -> None:
    with hosting(tmp_path / "bag") as host:
        app = make_app(host)
        referee, seat = Caller(app, "referee"), Caller(app, "A", host)
        assert referee.post("/api/bag", **{"as": "referee"}, step="commit").status_code == 200
        assert len(seat.state()["bag"]["commitment"]) == 64
        add = {"as": "A", "step": "add", "how": "dice", "value": "3 1 6"}
        assert seat.post("/api/bag", **add, seat="A").status_code == 200
        assert seat.post("/api/bag", **add, seat="B").status_code == 403
        slip = seat.post("/api/bag?lang=cs", **{**add, "value": "7 9"}, seat="A")
        assert error_of(slip)["message"] == "kostky jsou číslice od 1 do 6 oddělené mezerou, dostali jsme '7 9'"
        assert seat.post("/api/bag", **{"as": "A"}, step="seal").status_code == 403
        for step in ("close", "seal"):
            assert referee.post("/api/bag", **{"as": "referee"}, step=step).status_code == 200
        drawn = referee.post("/api/draw", **{"as": "referee"}, expected=referee.state()["number"], key=fresh_key())
        assert drawn.status_code == 200
        record = Caller(app).get("/api/records?after=1").get_json()["records"][-1]
        assert record["cause"]["detail"]["proof"]["number"] == 1
        assert referee.post("/api/bag", **{"as": "referee"}, step="reveal").status_code == 409


def test_the_record_can_be_looked_back_at_and_drawn(app: Flask, host: Host) -> None:
    play_on(host, 40)
    caller = Caller(app)
    last = caller.state()["number"]
    assert caller.get("/api/records").get_json()["records"][-1]["number"] == min(last, 200)
    assert caller.get("/api/records/3").get_json()["view"]["phase"] == "deal"
    charts = caller.get("/api/charts").get_json()
    assert charts["points"][-1]["totals"] == {row["seat"]: row["total"] for row in caller.state()["scores"]}
    assert sum(n for row in charts["captures"] for n in row["by"].values()) == sum(
        len(seat["captured"]) for seat in caller.state()["view"]["seats"]
    )


def test_captured_tiles_are_scored_and_the_winner_found(app: Flask) -> None:
    body = {"game": "envyra", "players": [["flora-1-a", "water-1-b", "fire-1-a"], ["flora-1-a"]]}
    scored = app.test_client().post("/api/score", json=body).get_json()
    assert [row["wins"] for row in scored["players"]] == [True, False]
    unknown = app.test_client().post("/api/score", json={"game": "envyra", "players": [["nothing"]]})
    assert unknown.status_code == 400


def test_the_language_is_each_clients_own(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/language/sk?back=/table").headers["Location"] == "/table"
    assert "Stôl" in client.get("/table").get_data(as_text=True)
    assert "Stůl" in client.get("/table?lang=cs").get_data(as_text=True)
    assert "Stôl" not in app.test_client().get("/table").get_data(as_text=True)
    assert client.get("/language/sk?back=//evil.example").headers["Location"] == "/"
