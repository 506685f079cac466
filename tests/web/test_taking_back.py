"""Something taken back: the cheapest way first, everybody agrees with one tap, then it is the record's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_kit import Caller, fresh_key, hosting, make_app, taken

from companion.app.dashboard.host import Host
from companion.core.events import RecordKind


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Two players; two tiles were drawn by hand and told."""
    with hosting(tmp_path, 2) as host:
        referee = Caller(make_app(host), "referee")
        for _ in range(2):
            assert taken(referee.play(referee.state()["outcomes"][0]["text"]))
        yield host


def people(host: Host) -> tuple[Caller, Caller, Caller]:
    app = make_app(host)
    return Caller(app, "referee"), Caller(app, "A", host), Caller(app, "B", host)


def ask(caller: Caller, **more):
    body = {"as": caller.role, "expected": caller.state()["number"], "key": fresh_key(), **more}
    return caller.post("/api/undo/ask", **body)


def asked(caller: Caller):
    return caller.get("/api/devices").get_json()["proposal"]


def ended(caller: Caller):
    return caller.get("/api/devices").get_json()["proposal_ended"]


def agree(caller: Caller):
    return caller.post("/api/overrule/agree", **{"as": caller.role})


def test_a_wrong_draw_alone_is_taken_back_when_every_seat_has_agreed_and_not_before(host: Host) -> None:
    referee, a, b = people(host)
    number, before = referee.state()["number"], referee.state()["view"]["cells"]
    plan = referee.get("/api/undo?as=referee").get_json()
    assert (plan["undone"], plan["further"], len(plan["told"])) == ([number], None, 1)
    assert ask(referee).get_json()["proposal"]["agreed"] == []
    assert asked(a)["told"] == plan["told"]
    assert agree(a).get_json()["proposal"]["agreed"] == ["A"]
    assert referee.state()["number"] == number
    assert agree(b).status_code == 200
    assert asked(a) is None
    cells = referee.state()["view"]["cells"]
    assert sum(cell["tile"] is not None for cell in cells) == sum(cell["tile"] is not None for cell in before) - 1
    record = host.current().session.subscribe(number).get(0)
    assert record is not None
    assert (record.kind, dict(record.body)["undone"], dict(record.body)["consents"]) == (
        RecordKind.UNDO, [number], ["A", "B"]
    )


def test_asking_is_agreeing_and_what_only_the_own_seat_did_needs_nobody(host: Host) -> None:
    referee, a, b = people(host)
    while referee.state()["draw_due"]:
        referee.play(referee.state()["outcomes"][0]["text"])
    assert (a.state()["undo"], b.state()["undo"]) == ("", "")
    a.play("A choose r1c1")
    assert (a.state()["undo"], b.state()["undo"]) == ("alone", "")
    assert ask(a).get_json()["proposal"] is None
    assert a.state()["undo"] == ""
    a.play("A choose r1c1")
    b.play("B choose r2c2")
    assert a.state()["undo"] == "asks"
    assert ask(a).get_json()["proposal"]["agreed"] == ["A"]
    assert agree(b).status_code == 200
    assert a.state()["undo"] == ""


def test_one_who_does_not_agree_and_anything_that_happens_end_the_asking(host: Host) -> None:
    referee, a, b = people(host)
    ask(referee)
    assert b.post("/api/overrule/disagree", **{"as": "B"}).status_code == 200
    assert agree(a).status_code == 409
    assert ended(a) == {"what": "undo", "by": "B", "void": False}
    ask(referee)
    assert ended(a) is None
    assert taken(referee.play(referee.state()["outcomes"][0]["text"]))
    assert asked(a) is None
    assert ended(a) == {"what": "undo", "by": None, "void": True}
    assert taken(referee.play(referee.state()["outcomes"][0]["text"]))
    assert ended(a) is None
    ask(referee)
    assert agree(a).status_code == agree(b).status_code == 200
    assert ended(a) is None


def test_an_act_is_taken_back_first_where_it_was_told_last(host: Host) -> None:
    referee, a, b = people(host)
    while referee.state()["draw_due"]:
        referee.play(referee.state()["outcomes"][0]["text"])
    a.play("A choose r1c1")
    number = a.state()["number"]
    assert referee.get("/api/undo?as=referee").get_json()["undone"] == [number]
    assert b.get("/api/undo?as=B").status_code == 409


def test_a_wrong_draw_among_others_is_corrected_alone(host: Host) -> None:
    referee, a, b = people(host)
    cells = {cell["slot"]: cell["tile"] for cell in referee.state()["view"]["cells"]}
    first, second = cells["r1c1"]["id"], cells["r1c2"]["id"]
    other = referee.state()["outcomes"][-1]["face"]
    for face, expected in ((other, (other, second)), (second, (second, other))):
        body = {"as": "referee", "slot": "r1c1", "face": face, "key": fresh_key()}
        answer = referee.post("/api/draw/correct", expected=referee.state()["number"], **body)
        assert len(answer.get_json()["proposal"]["instead"]) == 2
        assert agree(a).status_code == agree(b).status_code == 200
        cells = {cell["slot"]: cell["tile"] for cell in referee.state()["view"]["cells"]}
        assert (cells["r1c1"]["id"], cells["r1c2"]["id"]) == expected
    assert first not in expected


def test_a_draw_on_which_something_depends_is_not_corrected_alone(host: Host) -> None:
    referee, a, _ = people(host)
    while referee.state()["draw_due"]:
        referee.play(referee.state()["outcomes"][0]["text"])
    a.play("A choose r1c1")
    body = {"as": "referee", "slot": "r1c1", "face": "flora-1-a", "key": fresh_key()}
    answer = referee.post("/api/draw/correct", expected=referee.state()["number"], **body)
    assert answer.status_code == 409
