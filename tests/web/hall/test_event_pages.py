"""The pages of events: who may, what the public is not shown, paper and export, every text in every language."""

from __future__ import annotations

import json
import re

import pytest
from babel.messages.pofile import read_po
from event_texts import EVENTS, event_ids
from hall_kit import Clock, browser, logged_in, send

from companion.hub.events.changes import PlayersAdded
from companion.hub.hall import Hall
from companion.hub.store.staff import StaffRole
from companion.i18n import translations
from web.hall.events.forms import SIZES, rules_fields, rules_of_form
from web.texts import HERE

pytestmark = pytest.mark.system("postgresql")
GAMES = {"envyra": "ENVYRA", "rifts": "RIFTS OF N'NORYA"}
RULES = {"game": "envyra", "sizes": "4,3", "rounds": "2", "round_minutes": "60", "delay_s": "0", "bye_points": "6",
         "shared": "mean", "seed": "s", "points4": "6 4 2 0", "points3": "6 3 0", "points2": "6 0", "tie0": "wins"}
NAMES = "Anna\nBert,Lipa,yes\nCyril\nDana\n"
SAME_IN_ALL = {"line {line}: {error}"}


def an_event(hall: Hall, **more: str) -> int:
    client = logged_in(hall)
    assert send(client, "/events", "/events", name="Evening", **{**RULES, **more}).status_code == 303
    assert send(client, "/events/1/players", "/events/1/players", text=NAMES).status_code == 303
    return 1


def started(hall: Hall, **more: str) -> None:
    an_event(hall, **more)
    client = logged_in(hall)
    assert send(client, "/events/1", "/events/1/pair").status_code == 303
    assert send(client, "/events/1", "/events/1/start").status_code == 303


def places(hall: Hall, *order: int) -> dict[str, str]:
    seats = hall.events.event(1).rounds[-1].tables[0].seats
    return {f"place{player}": str(place) for player, place in zip(seats, order, strict=True)}


RESULT = "/events/1/rounds/1/tables/1"


def test_the_public_changes_nothing_and_a_referee_enters_results_only(hall: Hall) -> None:
    started(hall)
    assert browser(hall).post("/events/1/pair").status_code == 401
    assert browser(hall).get(RESULT).status_code == 401
    for address in ("players", "history", "rules", "print/codes", "export/event.json"):
        assert browser(hall).get(f"/events/1/{address}").status_code == 401
    _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    referee = logged_in(hall, pin)
    assert send(referee, RESULT, "/events/1/pair").status_code == 403
    assert send(referee, RESULT, RESULT, **places(hall, 1, 2, 3, 4)).status_code == 303
    assert hall.events.event(1).rounds[0].tables[0].given[0].by == "Eva"


def test_results_are_public_after_the_delay_and_seats_at_once(hall_and_clock: tuple[Hall, Clock]) -> None:
    hall, clock = hall_and_clock
    started(hall, delay_s="300")
    clock.now_ms += 1000
    public = browser(hall)
    seen = public.get("/events/1/as-of").get_json()
    assert send(logged_in(hall), RESULT, RESULT, **places(hall, 1, 2, 3, 4)).status_code == 303
    assert 'href="/events/1/standings"' in public.get("/events/1").get_data(as_text=True)
    assert "Anna" in public.get("/events/1").get_data(as_text=True)
    assert public.get("/events/1/as-of").get_json() == seen
    row = re.compile(r'<td class="num">6</td>')
    assert not row.search(public.get("/events/1/standings").get_data(as_text=True))
    assert row.search(logged_in(hall).get("/events/1/standings").get_data(as_text=True))
    clock.now_ms += 300_000
    assert public.get("/events/1/as-of").get_json() != seen
    assert row.search(public.get("/events/1/standings").get_data(as_text=True))


def test_who_is_anonymous_is_named_nowhere_in_public(hall: Hall) -> None:
    started(hall)
    send(logged_in(hall), RESULT, RESULT, **places(hall, 1, 2, 3, 4))
    event = hall.events.event(1)
    anna, bert = event.player(1), event.player(2)
    for address in ("/events", "/events/1", "/events/1/standings", "/events/statistics", f"/events/1/p/{anna.secret}"):
        text = browser(hall).get(address).get_data(as_text=True)
        assert "Bert" not in text, address
        assert "Lipa" not in text, address
    assert "Bert" in browser(hall).get(f"/events/1/p/{bert.secret}").get_data(as_text=True)
    assert "Bert" in logged_in(hall).get("/events/statistics").get_data(as_text=True)


def test_a_players_code_opens_the_own_page_and_another_nothing(hall: Hall) -> None:
    started(hall)
    player = hall.events.event(1).player(1)
    text = browser(hall).get(f"/events/1/p/{player.secret}").get_data(as_text=True)
    assert "Table 1, seat" in text
    assert browser(hall).get("/events/1/p/other").status_code == 409
    assert player.secret not in browser(hall).get("/events/1").get_data(as_text=True)
    assert player.secret not in logged_in(hall).get("/events/1/export/event.json").get_data(as_text=True)


def test_people_of_a_table_are_named_as_in_a_sentence(hall: Hall) -> None:
    started(hall)
    event = hall.events.event(1)
    others = [event.player(seat).name for seat in event.rounds[-1].tables[0].seats if seat != 1]
    page = f"/events/1/p/{event.player(1).secret}?lang="
    first, last = ", ".join(others[:2]).replace("Bert", "Player 2"), others[2].replace("Bert", "Player 2")
    assert f"With {first} and {last}" in browser(hall).get(f"{page}en").get_data(as_text=True)


def test_who_lost_together_has_no_place_on_any_page(hall: Hall) -> None:
    started(hall)
    client = logged_in(hall)
    assert send(client, RESULT, RESULT, **places(hall, 4, 4, 4, 4)).status_code == 303
    own = f"/events/1/p/{hall.events.event(1).player(1).secret}"
    for page in ("/events/1", "/events/1/history", RESULT, own):
        text = client.get(page).get_data(as_text=True)
        assert "lost together" in text, page
        assert "4." not in text, page
        assert "Place 4" not in text, page


def test_a_file_of_players_is_chosen_by_a_button_in_the_language_of_the_page(hall: Hall) -> None:
    an_event(hall)
    text = logged_in(hall).get("/events/1/players?lang=sk").get_data(as_text=True)
    assert re.search(r'Vybrať súbor<input type="file"[^>]*class="visually-hidden"', text)


def test_bad_rows_of_an_import_are_told_and_nobody_is_taken(hall: Hall) -> None:
    an_event(hall)
    answer = send(logged_in(hall), "/events/1/players", "/events/1/players", text="Emil\n\n,x\nEmil")
    assert answer.status_code == 409
    assert len(hall.events.event(1).players) == 4


def test_a_page_that_is_out_of_date_changes_nothing(hall: Hall) -> None:
    an_event(hall)
    client = logged_in(hall)
    send(client, "/events/1", "/events/1/pair")
    seen = str(hall.events.event(1).changes)
    hall.events.change(1, PlayersAdded(()), "other", 0)
    assert send(client, "/events/1", "/events/1/start", seen=seen).status_code == 409
    assert hall.events.event(1).rounds[0].started_ms is None


def test_pairing_anew_draws_other_lots(hall: Hall) -> None:
    an_event(hall)
    client = logged_in(hall)
    seeds = []
    for _ in range(2):
        assert send(client, "/events/1", "/events/1/pair").status_code == 303
        seeds.append(hall.events.event(1).rounds[0].seed)
    assert seeds == ["s/1/0", "s/1/1"]


def test_what_is_exported_is_what_was_entered(hall: Hall) -> None:
    started(hall)
    client = logged_in(hall)
    send(client, RESULT, RESULT, **places(hall, 2, 1, 3, 4))
    data = json.loads(client.get("/events/1/export/event.json").get_data(as_text=True))
    seats = hall.events.event(1).rounds[0].tables[0].seats
    assert {int(row["number"]): row["place"] for row in data["results"]} == dict(
        zip(seats, ["2", "1", "3", "4"], strict=True)
    )
    assert {row["source"] for row in data["results"]} == {"paper"}
    assert client.get("/events/1/export/standings.csv").mimetype == "text/csv"
    assert client.get("/events/1/export/other").status_code == 400


@pytest.mark.parametrize("what", ["plan", "sheets", "codes"])
def test_what_is_printed_has_everybody(hall: Hall, what: str) -> None:
    started(hall)
    text = logged_in(hall).get(f"/events/1/print/{what}").get_data(as_text=True)
    assert all(name in text for name in ("Anna", "Bert", "Cyril", "Dana"))
    assert ("<svg" in text) is (what != "plan")


def test_a_form_of_rules_says_what_its_fields_say() -> None:
    rules = rules_of_form(RULES, GAMES)
    assert rules_of_form(rules_fields(rules, GAMES), GAMES) == rules
    for sizes in SIZES:
        again = rules_of_form({**RULES, "sizes": sizes}, GAMES)
        assert rules_of_form(rules_fields(again, GAMES), GAMES) == again


@pytest.mark.parametrize(
    ("written", "meant"), [("rifts", "rifts"), ("Rifts of N'Norya", "rifts"), ("A game on paper", "A game on paper")]
)
def test_a_game_is_known_by_its_title(written: str, meant: str) -> None:
    rules = rules_of_form({**RULES, "game": written}, GAMES)
    assert rules.game == meant
    assert rules_fields(rules, GAMES)["game"] == GAMES.get(meant, meant)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_of_events_is_translated_with_its_placeholders(language: str) -> None:
    translate = translations(language, EVENTS / "locale", HERE / "hall" / "locale", HERE / "locale").gettext
    used = set(event_ids())
    assert {text for text in used if translate(text) == text} <= SAME_IN_ALL | {"Los"}
    with (EVENTS / "locale" / f"{language}.po").open("rb") as file:
        for message in read_po(file):
            if message.id:
                assert message.id in used, message.id
                assert set(re.findall(r"\{\w+\}", message.id)) == set(re.findall(r"\{\w+\}", message.string))
