"""Roles of devices: given, taken back, told of each other, and how a PIN is guarded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_kit import KEY, PIN, Caller, deal, hosting, make_app

from companion.app.dashboard.access_file import AccessFile
from companion.app.dashboard.host import Host
from companion.core.types import Seat
from web import create_app
from web.roles.access import MOST_DEVICES, REFEREE_COOKIE, SEAT_COOKIE, Access
from web.roles.buckets import FORGIVEN_S, FREE_TRIES, LONGEST_WAIT_S, Patience
from web.stream import FREE_FOR_OTHERS, OF_A_SEAT, OF_A_SENDER, OF_REFEREE, SPECTATORS

NEW_PIN = "86420975"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosting(tmp_path) as host:
        deal(host)
        yield host


def code_of(app, seat: str) -> str:
    rows = Caller(app, "referee").get("/api/seats").get_json()["seats"]
    return next(row["address"].partition("#")[2] for row in rows if row["seat"] == seat)


def test_a_role_that_was_logged_out_is_gone_on_the_server_too(host: Host) -> None:
    app = make_app(host)
    for role, cookie in (("referee", REFEREE_COOKIE), ("A", SEAT_COOKIE.format(seat="A"))):
        caller = Caller(app, role, host)
        copy = caller.http.get_cookie(cookie).value
        assert caller.post("/api/logout").status_code == 200
        thief = app.test_client()
        thief.set_cookie(cookie, copy)
        assert thief.get(f"/api/state?as={role}").status_code == 401


def test_a_withdrawn_code_lets_nobody_in_and_puts_every_device_out(host: Host) -> None:
    app = make_app(host)
    first, referee = Caller(app, "A", host), Caller(app, "referee")
    old = code_of(app, "A")
    assert referee.post("/api/seats/code", **{"as": "referee"}, seat="A", do="renew").status_code == 200
    assert first.get("/api/state").status_code == 401
    assert app.test_client().post("/api/join", json={"seat": "A", "token": old}).status_code == 401
    new = code_of(app, "A")
    assert app.test_client().post("/api/join", json={"seat": "A", "token": new}).status_code == 200


def test_who_joined_by_a_code_that_is_withdrawn_is_out_until_there_is_a_new_one(host: Host) -> None:
    app = make_app(host)
    first, referee = Caller(app, "A", host), Caller(app, "referee")
    stays, old = Caller(app, "B", host), code_of(app, "A")
    assert referee.post("/api/seats/code", **{"as": "referee"}, seat="A", do="withdraw").status_code == 200
    assert (first.get("/api/state").status_code, stays.get("/api/state").status_code) == (401, 200)
    assert first.http.post("/api/join", json={"seat": "A", "token": old}).status_code == 401
    assert referee.post("/api/seats/code", **{"as": "referee"}, seat="A", do="renew").status_code == 200
    assert first.http.post("/api/join", json={"seat": "A", "token": old}).status_code == 401
    assert first.http.post("/api/join", json={"seat": "A", "token": code_of(app, "A")}).status_code == 200
    assert first.get("/api/state").status_code == 200


def test_a_seat_is_told_of_a_second_device_and_can_put_it_out(host: Host) -> None:
    app = make_app(host)
    first = Caller(app, "A", host)
    assert first.told()["joined"] == 1
    other = Caller(app, "A", host)
    assert first.told()["joined"] == 2
    assert first.post("/api/seats/code", **{"as": "A"}, seat="A", do="renew").status_code == 200
    assert first.get("/api/state").status_code == 200
    assert other.get("/api/state").status_code == 401


def test_a_seat_withdraws_its_own_code_only(host: Host) -> None:
    app = make_app(host)
    seat, other = Caller(app, "A", host), Caller(app, "B", host)
    assert seat.post("/api/seats/code", **{"as": "A"}, seat="B", do="renew").status_code == 403
    assert seat.post("/api/seats/code", **{"as": "A"}, seat="A", do="withdraw").status_code == 403
    assert other.get("/api/state").status_code == 200


def test_joining_again_with_the_same_browser_is_no_second_device(host: Host) -> None:
    app = make_app(host)
    seat = Caller(app, "A", host)
    assert seat.http.post("/api/join", json={"seat": "A", "token": code_of(app, "A")}).status_code == 200
    assert seat.told()["joined"] == 1


def test_a_stream_ends_when_its_role_is_taken_away(host: Host) -> None:
    app = make_app(host)
    seat, referee = Caller(app, "A", host), Caller(app, "referee")
    answer = seat.http.get("/api/stream?as=A", buffered=False)
    events, text = iter(answer.response), ""
    while "event: devices" not in text:
        text += next(events).decode()
    assert referee.post("/api/seats/code", **{"as": "referee"}, seat="A", do="renew").status_code == 200
    assert b"".join(events).endswith(b"event: moved\ndata: {}\n\n")
    answer.close()


def test_the_pin_can_be_changed_and_other_devices_have_to_give_it(host: Host) -> None:
    app = make_app(host)
    referee, other = Caller(app, "referee"), Caller(app, "referee")
    assert referee.post("/api/pin", **{"as": "referee"}, pin=NEW_PIN).status_code == 200
    assert referee.get("/api/state").status_code == 200
    assert other.get("/api/state").status_code == 401
    assert app.test_client().post("/api/login", json={"pin": PIN}).status_code == 401
    assert app.test_client().post("/api/login", json={"pin": NEW_PIN}).status_code == 200


@pytest.mark.parametrize("pin", ["123456", "1234567", "secret", "three two"])
def test_a_pin_that_is_easily_guessed_is_refused(host: Host, pin: str) -> None:
    referee = Caller(make_app(host), "referee")
    assert referee.post("/api/pin", **{"as": "referee"}, pin=pin).status_code == 400


def test_roles_and_pin_hold_over_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    kept = AccessFile(folder)
    access = Access(kept.key, kept.pin, keeper=kept)
    referee, seat = access.change_pin(NEW_PIN), access.join_seat("s", Seat.B)
    access.renew("s", Seat.A)
    code = access.seat_token("s", Seat.A)
    again = AccessFile(folder)
    later = Access(again.key, again.pin, keeper=again)
    assert later.is_pin(NEW_PIN)
    assert later.is_referee(referee)
    assert later.is_seat(seat, "s", Seat.B)
    assert later.is_code(code, "s", Seat.A)
    assert (folder / "access.json").stat().st_mode & 0o077 == 0


def test_a_pin_that_is_made_has_eight_digits_and_a_short_one_is_replaced(tmp_path: Path) -> None:
    assert len(AccessFile(tmp_path).pin) == 8
    text = (tmp_path / "access.json").read_text()
    (tmp_path / "access.json").write_text(text.replace(AccessFile(tmp_path).pin, "123456"))
    assert len(AccessFile(tmp_path).pin) == 8


@pytest.mark.parametrize("token", ["", "x", "A0", "é", "A0.é", "." * 200, "0" * 5000])
def test_a_token_that_nobody_made_proves_nothing(token: str) -> None:
    access = Access(KEY, PIN)
    access.join_seat("s", Seat.A)
    assert not access.is_seat(token, "s", Seat.A)
    assert not access.is_code(token, "s", Seat.A)
    assert not access.is_referee(token)


def test_a_token_of_one_seat_or_session_is_none_of_another() -> None:
    access = Access(KEY, PIN)
    cookie, code = access.join_seat("s", Seat.A), access.seat_token("s", Seat.A)
    assert access.is_seat(cookie, "s", Seat.A)
    assert not access.is_seat(cookie, "s", Seat.B)
    assert not access.is_seat(cookie, "t", Seat.A)
    assert not access.is_seat(code, "s", Seat.A)
    assert not access.is_code(code, "s", Seat.B)
    assert not access.is_referee(cookie)


def test_more_devices_of_a_role_than_can_be_put_out_the_first() -> None:
    access = Access(KEY, PIN)
    cookies = [access.join_seat("s", Seat.A) for _ in range(MOST_DEVICES + 1)]
    assert not access.is_seat(cookies[0], "s", Seat.A)
    assert access.is_seat(cookies[1], "s", Seat.A)


def test_wrong_pins_of_all_senders_make_everybody_wait_longer_and_longer() -> None:
    now = [0.0]
    patience, waits = Patience(lambda: now[0]), []
    for n in range(FREE_TRIES + 8):
        patience.wrong(f"10.0.0.{n}")
        waits.append(patience.wait_s())
        now[0] += waits[-1]
        assert patience.wait_s() == 0
    assert waits[:FREE_TRIES] == [0.0] * FREE_TRIES
    assert waits[FREE_TRIES:] == [2, 4, 8, 16, 32, LONGEST_WAIT_S, LONGEST_WAIT_S, LONGEST_WAIT_S]
    assert patience.told == (FREE_TRIES + 8, f"10.0.0.{FREE_TRIES + 7}")


def test_the_referee_is_told_of_wrong_pins_and_nobody_gets_in_while_waiting(host: Host) -> None:
    app = create_app(host, Access(KEY, PIN, lambda: 0.0))
    referee = Caller(app, "referee")
    for n in range(FREE_TRIES + 1):
        sent = app.test_client().post(
            "/api/login", json={"pin": "00000000"}, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}
        )
        assert sent.status_code == 401
    late = app.test_client().post("/api/login", json={"pin": PIN}, environ_base={"REMOTE_ADDR": "10.0.1.1"})
    assert late.status_code == 429
    assert late.get_json()["error"]["message"] == "too many wrong PINs were tried: wait 2 seconds"
    assert referee.told() == {"wrong_pins": FREE_TRIES + 1, "wrong_from": f"10.0.0.{FREE_TRIES}"}
    assert "wrong_pins" not in Caller(app).get("/api/devices").get_json()


def test_wrong_pins_are_told_until_their_sender_gives_the_right_one_or_an_hour_has_passed() -> None:
    now = [0.0]
    patience = Patience(lambda: now[0])
    for sent_by in ("10.0.0.1", "10.0.0.2", "10.0.0.1"):
        patience.wrong(sent_by)
    patience.right("10.0.0.1")
    assert patience.told == (1, "10.0.0.2")
    patience.right("10.0.0.3")
    assert patience.told == (1, "10.0.0.2")
    now[0] = FORGIVEN_S + 1
    assert patience.told == (0, "")


def test_no_sender_takes_the_streams_of_others_and_nobody_those_of_seats_and_referee(host: Host) -> None:
    app = make_app(host)
    opened = []

    def opens(client, address: str, role: str = "") -> bool:
        answer = client.get(f"/api/stream{role and f'?as={role}'}", environ_base={"REMOTE_ADDR": address},
                            buffered=False)
        if answer.status_code == 200:
            opened.append(answer)
        return answer.status_code == 200

    greedy = [opens(app.test_client(), "10.0.0.1") for _ in range(SPECTATORS)]
    assert sum(greedy) == SPECTATORS - FREE_FOR_OTHERS
    assert [opens(app.test_client(), "10.0.0.2") for _ in range(OF_A_SENDER + 1)] == [True] * OF_A_SENDER + [False]
    for role, places in (("referee", OF_REFEREE), ("B", OF_A_SEAT)):
        http = Caller(app, role, host).http
        assert [opens(http, "10.0.0.1", role) for _ in range(places + 1)] == [True] * places + [False]
    opened.pop().close()
    assert opens(http, "10.0.0.1", "B")
    for answer in opened:
        answer.close()


def test_a_stream_that_nobody_read_gives_its_place_back(host: Host) -> None:
    app = make_app(host)
    for _ in range(SPECTATORS * 2):
        app.test_client().get("/api/stream", buffered=False).close()
    answer = app.test_client().get("/api/stream", buffered=False)
    assert answer.status_code == 200
    answer.close()
