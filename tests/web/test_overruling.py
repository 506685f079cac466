"""The table accepted as it lies: proposed by the referee, agreed to by every seat, void when anything else happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser_kit import DESKTOP, PHONE, as_referee, chromium, join, serious, served, shot, visitor
from held_film import held_while_alarmed
from playwright.sync_api import expect
from web_kit import Caller, deal, fresh_key, hosting, make_app, taken

import companion.app
from companion.app.dashboard.filmed_game import film_choice
from companion.app.dashboard.host import Host
from companion.core.events import RecordKind

READING_MS = 300_000
"""The first illegal act is in picture 17; reading that far takes 15 s on two idle cores."""

FILM = Path(companion.app.__file__).parent / "demo" / "film"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Two players have chosen; Phase II begins."""
    with hosting(tmp_path, 2) as host:
        deal(host)
        app = make_app(host)
        for letter, slots in (("A", "r1c1 r1c2"), ("B", "r2c1 r2c2")):
            assert taken(Caller(app, letter, host).play(f"{letter} choose {slots}"))
        yield host


def people(host: Host) -> tuple[Caller, Caller, Caller]:
    app = make_app(host)
    return Caller(app, "referee"), Caller(app, "A", host), Caller(app, "B", host)


def propose(referee: Caller, slot: str, pieces: dict[str, int], **more):
    table = referee.get("/api/lies").get_json()["slots"][slot]
    one = {"slot": slot, "face": table["face"] or "",
           "pieces": [{"colour": colour, "count": count} for colour, count in pieces.items()]}
    body = {"why": "the cup fell", "expected": referee.state()["number"], "key": fresh_key(), "slots": [one], **more}
    return referee.post("/api/overrule", **{"as": "referee"}, **body)


def roomy(caller: Caller) -> str:
    """A place whose tile stays with one cube more."""
    cells = caller.state()["view"]["cells"]
    return next(cell["slot"] for cell in cells if cell["tile"] and cell["tile"]["cubes"] >= 2 and not cell["cubes"])


def asked(caller: Caller):
    return caller.get("/api/devices").get_json()["proposal"]


def agree(caller: Caller, **more):
    return caller.post("/api/overrule/agree", **{"as": caller.role}, **more)


def test_the_table_is_accepted_when_every_seat_has_agreed_and_not_before(host: Host) -> None:
    referee, a, b = people(host)
    number, place = referee.state()["number"], roomy(referee)
    assert propose(referee, place, {"pink": 1}).status_code == 200
    change = asked(a)["changes"]
    assert [(one["slot"], one["before"]["pieces"], one["after"]["pieces"]) for one in change] == [
        (place, [], [["pink", 1]])
    ]
    assert agree(a).get_json()["proposal"]["agreed"] == ["A"]
    assert referee.state()["number"] == number
    assert agree(b).status_code == 200
    assert asked(a) is None
    state = referee.state()
    assert state["number"] == number + 1
    assert next(cell for cell in state["view"]["cells"] if cell["slot"] == place)["cubes"] == ["A"]
    record = host.current().session.subscribe(number).get(0)
    assert record is not None
    assert record.kind is RecordKind.OVERRULE


def test_the_referee_may_hear_the_players_agree(host: Host) -> None:
    referee, _, _ = people(host)
    propose(referee, roomy(referee), {"gray": 1})
    assert agree(referee, seats=["B"]).get_json()["proposal"]["agreed"] == ["B"]
    assert agree(referee, seats=["A"]).get_json()["proposal"] is None
    assert agree(referee, seats=["A"]).status_code == 409


def test_one_who_does_not_agree_ends_it(host: Host) -> None:
    referee, a, b = people(host)
    propose(referee, roomy(referee), {"pink": 1})
    agree(a)
    assert b.post("/api/overrule/disagree", **{"as": "B"}).status_code == 200
    assert asked(a) is None
    assert agree(b).status_code == 409


def test_a_seat_agrees_for_itself_only_and_proposes_nothing(host: Host) -> None:
    referee, a, _ = people(host)
    propose(referee, roomy(referee), {"pink": 1})
    assert agree(a, seats=["B"]).get_json()["proposal"]["agreed"] == ["A"]
    body = {"why": "x", "expected": 0, "key": fresh_key(), "slots": []}
    assert a.post("/api/overrule", **{"as": "A"}, **body).status_code == 403


def test_it_is_void_as_soon_as_anything_else_happens_at_the_table(host: Host) -> None:
    referee, a, b = people(host)
    propose(referee, roomy(referee), {"pink": 1})
    agree(a)
    mover = referee.state()["to_act"][0]
    act = next(act for act in referee.state()["actions"] if act["seat"] == mover)
    assert taken(referee.play(act["text"]))
    assert asked(b) is None
    assert agree(b).status_code == 409
    assert propose(referee, roomy(referee), {"pink": 1}, expected=1).get_json()["error"]["code"] == "stale"


@pytest.mark.parametrize(("slot", "pieces", "words"), [
    ("r1c3", {"orange": 1}, "nobody plays with the orange pieces at row 1 column 3"),
    ("r1c3", {"pink": 9}, "than that player has left"),
])
def test_a_table_that_cannot_be_says_why(host: Host, slot: str, pieces: dict[str, int], words: str) -> None:
    error = propose(people(host)[0], slot, pieces).get_json()["error"]
    assert error["code"] == "impossible"
    assert words in error["message"]
    assert slot in error["facts"]["slots"] or "cubes" in error["facts"]["slots"]


@pytest.mark.system("chromium")
def test_an_illegal_table_in_the_film_is_accepted_with_consent_from_referee_and_phone(tmp_path: Path) -> None:
    with (
        served(tmp_path, game=False, box="virtual:", camera=f"replay:{FILM}", enrolled=FILM) as (host, where),
        chromium() as browser,
        ExitStack() as film,
    ):
        host.begin(film_choice(FILM))
        film.enter_context(held_while_alarmed(host, "E31"))  # the film's people would put it right themselves
        context, page = visitor(browser, DESKTOP)
        as_referee(page, where.url)
        phone_context, phone = visitor(browser, PHONE)
        join(phone, host, where.url, "A")
        expect(page.locator("#alerts .alert", has_text="E31")).to_be_visible(timeout=READING_MS)
        page.locator("#lies").click()
        dialog = page.locator("dialog")
        expect(dialog).to_contain_text("The camera sees these places differently")
        assert serious(page) == []
        dialog.locator("#why").fill("nobody minds")
        shot(page, "story-overrule-proposed")
        dialog.get_by_role("button", name="Ask everybody").click()
        expect(page.locator("#proposal")).to_contain_text("nobody minds")
        expect(phone.locator("#proposal")).to_contain_text("nobody minds")
        assert serious(phone) == []
        shot(phone, "story-overrule-phone")
        phone.locator("[data-key=agree]").click()
        expect(page.locator("#proposal .chip.ok")).to_have_count(1)
        page.locator("[data-key=agree-B]").click()
        expect(page.locator("#proposal .alert")).to_have_count(0)
        expect(page.locator("#log li").first).to_contain_text("nobody minds")
        assert page.errors == phone.errors == []
        context.close()
        phone_context.close()
