"""Rifts of N'Norya on the pages: hands reach their own seat only, a seat tells its own cards, the map can be tapped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rifts_positions import position, rules_of
from web_kit import NAMES, Caller, deal, hosting, make_app, play_on, taken

from companion.app.dashboard.host import Host
from companion.core.types import Seat
from companion.games.rifts.actions import Cast, Hand
from companion.games.rifts.state import Phase
from companion.table.commands import DrawNext, Overrule, Play
from web.ports.tables import SetupChoice

# three forests in the south-east; an enemy stands at m9
LAND = ["location-01 i11 1", "location-02 j12 1", "location-21 l10 0", "location-05 m9 3"]
SEATS = tuple((name, colour) for (name, _), colour in zip(NAMES, ("green", "blue"), strict=False))


@contextmanager
def rifts(folder: Path, **options: str) -> Iterator[Host]:
    """A game of two mages whose cards and tiles are told by hand."""
    with hosting(folder, game=False) as host:
        host.begin(SetupChoice("rifts", SEATS, tuple(options.items())))
        yield host


def play_until(host: Host, wanted: Phase) -> None:
    """Play random legal acts, fights first, until the table is in that phase."""
    assert host.table is not None
    session, random = host.table.session, Random(3)
    rules = session.rules
    while session.state.phase is not wanted:
        outcomes = rules.chance_outcomes(session.state)
        if outcomes:
            event: Any = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        else:
            legal = rules.legal_actions(session.state)
            assert legal, f"the game is over before {wanted}"
            fights = [a for a in legal if type(a).__name__ == "Attack"]
            event = random.choice(fights or legal)
        assert session.ask(Play(texts=(rules.format(event),))).accepted


def test_hands_are_sent_to_their_own_seat_only(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        deal(host)
        app = make_app(host)
        for role, own in (("A", 0), ("B", 1), ("referee", None), (None, None)):
            seats = Caller(app, role, host).state()["view"]["seats"]
            assert [seat["hand"] is not None for seat in seats] == [own == 0, own == 1]
            assert [seat["hand_count"] for seat in seats] == [5, 5]


def test_others_receive_the_same_bytes_whichever_card_a_seat_drew(tmp_path: Path) -> None:
    """The state and the record's lines, for everybody but the seat itself, when its first card is another one."""
    received = []
    for card in ("pebble", "boulder"):
        with rifts(tmp_path / card) as host:
            assert host.table is not None
            session = host.table.session
            while not isinstance(session.rules.chance_outcomes(session.state)[0].draw, Hand):
                first = session.rules.chance_outcomes(session.state)[0].draw
                assert session.ask(Play(texts=(session.rules.format(first),))).accepted
            assert session.ask(Play(texts=(f"hand A {card}",))).accepted
            app, answers = make_app(host), {}
            for role in ("B", "referee", None):
                caller = Caller(app, role, host)
                state = caller.state()
                for changing in ("session", "time_ms"):
                    state.pop(changing, None)
                records = caller.get("/api/records?after=1").get_json()["records"]
                lines = [[record["sentence"], record["body"], record["cause"]] for record in records]
                charts = caller.get("/api/charts").get_json()
                told = json.dumps([state, lines, charts], sort_keys=True)
                answers[str(role)] = told.replace(session.header.session, "")
            received.append(answers)
            own = json.dumps(Caller(app, "A", host).get("/api/records?after=1").get_json())
            assert f"hand A {card}" in own
    assert received[0] == received[1]


def test_only_the_seat_is_offered_its_cards_to_play(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        play_until(host, Phase.CAST)
        assert host.table is not None
        rules, state = host.table.session.rules, host.table.session.state
        casting = {a.seat for a in rules.legal_actions(state) if isinstance(a, Cast)}
        assert casting
        app = make_app(host)
        for role in ("A", "B", "referee", None):
            offered = {act["kind"] for act in Caller(app, role, host).state()["actions"]}
            assert ("Cast" in offered) == (role in {seat.name for seat in casting})


def test_with_real_cards_nobody_s_page_has_a_hand_and_the_referee_may_tell_what_was_played(tmp_path: Path) -> None:
    with rifts(tmp_path, hands="table") as host:
        play_until(host, Phase.CAST)
        app = make_app(host)
        for role in ("A", "B", "referee", None):
            state = Caller(app, role, host).state()
            assert [seat["hand"] for seat in state["view"]["seats"]] == [None, None]
            assert [seat["hand_count"] for seat in state["view"]["seats"]] == [5, 5]
        referee = Caller(app, "referee")
        casts = [act for act in referee.state()["actions"] if act["kind"] == "Cast"]
        assert casts
        assert not any(act["private"] for act in casts)
        assert taken(referee.play(casts[0]["text"]))


def test_a_seat_tells_the_card_it_drew_and_no_other_draw(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        assert host.table is not None
        session = host.table.session
        app = make_app(host)
        seat, other, referee = Caller(app, "A", host), Caller(app, "B", host), Caller(app, "referee")
        market = referee.state()["outcomes"][0]["text"]
        assert seat.play(market).status_code == 403
        while not isinstance(draw := session.rules.chance_outcomes(session.state)[0].draw, Hand):
            assert taken(referee.play(session.rules.format(draw)))
        text = session.rules.format(draw)
        assert text in [outcome["text"] for outcome in seat.state()["outcomes"]]
        assert other.state()["outcomes"] == referee.state()["outcomes"] == []
        assert other.play(text).status_code == 403
        assert taken(seat.play(text))


def test_with_a_digital_bag_no_seat_chooses_its_card(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        assert host.table is not None
        session, desk = host.table.session, host.table.desk
        while not isinstance(draw := session.rules.chance_outcomes(session.state)[0].draw, Hand):
            assert session.ask(Play(texts=(session.rules.format(draw),))).accepted
        for step in ("commit", "close", "seal"):
            desk.record(lambda bag, step=step: getattr(bag, step)())
        app = make_app(host)
        seat = Caller(app, "A", host)
        assert seat.state()["outcomes"] == []
        assert seat.play(session.rules.format(draw)).status_code == 403
        referee = Caller(app, "referee")
        number = referee.state()["number"]
        drawn = referee.post("/api/draw", **{"as": "referee"}, expected=number, key="draw-by-the-bag-1")
        assert drawn.status_code == 200
        assert seat.state()["view"]["seats"][0]["hand_count"] == 1


def test_the_proof_of_a_draw_that_knocks_out_is_kept_back_as_its_urn_tells_the_hand(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        assert host.table is not None
        session, desk = host.table.session, host.table.desk
        mage = {"at": "m9", "hand": "pebble pebble wound wound wound", "deck": "wound wound"}
        mage["discard"] = "pebble pebble pebble pebble root root root boulder"
        rules = rules_of(2, "green", "blue")
        state = position(rules, land=LAND, temples={"earth": "l9|l10|m9"}, enemies="m9", seats={"A": mage})
        everybody = (Seat.A, Seat.B)
        overrule = Overrule(state=session.rules.dump(state), why="so it lies", consents=everybody)
        assert session.ask(overrule).accepted
        for step in ("commit", "close", "seal"):
            desk.record(lambda bag, step=step: getattr(bag, step)())
        assert session.ask(Play(texts=("A fight enemy", "A cast pebble", "A done", "gold 2"))).accepted
        assert session.ask(DrawNext()).accepted
        assert session.state.mages[0].down
        for role in ("A", "B", "referee", None):
            caller = Caller(make_app(host), role, host)
            records = caller.get(f"/api/records?after={session.number - 1}").get_json()["records"]
            assert records[0]["body"]["text"] == "hand A wound"  # the knock-out shows it
            assert "proof" not in records[0]["cause"]["detail"]


def test_the_map_offers_every_place_of_the_drawn_tile(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        play_until(host, Phase.PLACE)
        state = Caller(make_app(host), "A", host).state()
        assert state["board"] is None
        places = {slot for act in state["actions"] if act["kind"] == "Place" for slot in act["slots"]}
        assert {site["slot"] for site in state["view"]["map"]["sites"]} == places
        assert not places & {space["slot"] for space in state["view"]["map"]["spaces"]}
        assert len(state["view"]["tile"]["turns"]) == 6


def test_a_game_played_to_its_end_is_shown_as_won_or_lost_by_all(tmp_path: Path) -> None:
    with rifts(tmp_path) as host:
        play_on(host, 600, seed=2)
        assert host.table is not None
        result = host.table.session.rules.result(host.table.session.state)
        assert result is not None
        state = Caller(make_app(host)).state()
        assert state["result"]["winners"] == [seat.name for seat in result.winners]
        assert state["result"]["ended_by"]["id"] == result.clause
        most = max(score.total for score in result.scores)
        first = {score.seat.name for score in result.scores if score.total == most}
        champions = state["view"]["champions"]
        assert set(champions) <= first
        assert bool(champions) == bool(most)  # N60, R-N19


@pytest.mark.parametrize("language", ["en", "sk", "cs"])
def test_draws_and_acts_are_told_in_the_language_of_the_page(tmp_path: Path, language: str) -> None:
    with rifts(tmp_path) as host:
        deal(host)
        state = Caller(make_app(host), "A", host).get(f"/api/state?lang={language}").get_json()
        assert {"en": "begins at", "sk": "začína na", "cs": "začíná na"}[language] in state["actions"][0]["sentence"]
