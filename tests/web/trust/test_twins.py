"""Refusals tell nothing: what a client may not know changes no answer that it gets, however it asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_kit import Caller, deal, hosting, make_app, taken

from companion.core.types import Seat
from companion.lab.trials.twins import SCENARIOS, Scenario, compare
from companion.table.commands import Play
from web.ports.tables import SetupChoice

REQUESTS = 40
"""Questions of each pair of twins in a test run; `companion bench attack` asks many more."""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("seed", [3])
def test_twin_games_that_differ_in_a_secret_answer_everybody_else_alike(
    tmp_path: Path, scenario: Scenario, seed: int
) -> None:
    report = compare(tmp_path, scenario, seed, REQUESTS, look_again=False)
    assert report.compared > 100
    assert not report.differences, report.differences[0]


def refused(answer) -> dict:
    assert answer.status_code in (403, 409)
    error = answer.get_json()["error"]
    assert "facts" not in error
    return error


@pytest.mark.parametrize("chosen", ["r1c1", "r2c3"])
def test_a_batch_that_would_cross_the_reveal_is_refused_whole_and_without_detail(tmp_path: Path, chosen: str) -> None:
    with hosting(tmp_path, 2) as host:
        deal(host)
        app = make_app(host)
        Caller(app, "A", host).play(f"A choose {chosen}")
        for role in ("B", "referee"):
            caller = Caller(app, role, host)
            number = caller.state()["number"]
            error = refused(caller.play("B choose r1c1", "A move r2c3", "A move r1c1"))
            assert "r2c3" not in error["message"]
            assert caller.state()["number"] == number


def test_several_open_acts_are_still_told_at_once(tmp_path: Path) -> None:
    with hosting(tmp_path, 3) as host:
        deal(host)
        assert taken(Caller(make_app(host), "referee").play("A confirm", "B confirm", "C confirm"))


def test_what_an_act_would_be_is_said_before_anything_is_looked_at(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        deal(host)
        app = make_app(host)
        answer = Caller(app, "referee").play("A confirm", "zzz")
        assert answer.status_code == 400
        assert "zzz" in answer.get_json()["error"]["message"]


@pytest.fixture
def fight(tmp_path: Path):
    """A fight in Rifts, in which A may play cards; the companion keeps the hands."""
    with hosting(tmp_path, game=False) as host:
        host.begin(SetupChoice("rifts", (("Žofia", "yellow"), ("Ján", "green"))))
        session, seed = host.table.session, 0
        while not any(session.rules.format(a).split()[1] == "cast" for a in session.rules.legal_actions(session.state)):
            seed += 1
            deal(host, seed)
            acts = list(session.rules.legal_actions(session.state))
            fights = [a for a in acts if session.rules.format(a).split()[1] in ("fight", "join")]
            act = (fights or acts)[seed % len(fights or acts)]
            assert session.ask(Play(texts=(session.rules.format(act),))).accepted
            deal(host, seed)
        yield host


def test_nobody_but_the_seat_is_told_whether_it_holds_a_card(fight) -> None:
    app = make_app(fight)
    rules, state = fight.table.session.rules, fight.table.session.state
    seat = rules.to_act(state)[0]
    spells = [spell.id for spell in rules.tables.spells]
    referee = Caller(app, "referee")
    answers = {referee.play(f"{seat.name} cast {spell}").get_data() for spell in spells}
    assert len(answers) == 1
    assert b"only the player who knows this" in answers.pop()
    told = [refused(referee.play(f"{seat.name} done"))["message"], *(
        refused(referee.play(f"hand {seat.name} {spell}"))["message"] for spell in spells)]
    assert len(set(told)) == 1


def test_the_referee_is_not_offered_what_tells_a_hand(fight) -> None:
    kinds = {act["kind"] for act in Caller(make_app(fight), "referee").state()["actions"]}
    assert not kinds & {"Cast", "Done"}


def test_a_card_dealt_by_hand_is_offered_whatever_others_hold(tmp_path: Path) -> None:
    with hosting(tmp_path, 2, options=(("equilibrium", "b"),)) as host:
        session = host.table.session
        while not any(session.rules.is_secret(o.draw) for o in session.rules.chance_outcomes(session.state)):
            draw = session.rules.chance_outcomes(session.state)[0].draw
            assert session.ask(Play(texts=(session.rules.format(draw),))).accepted
        app = make_app(host)
        first = session.rules.chance_outcomes(session.state)[0].draw.seat
        second = Seat(1 - first)
        offered = [one["text"] for one in Caller(app, first.name, host).state()["outcomes"]]
        assert taken(Caller(app, first.name, host).play(offered[0]))
        other = Caller(app, second.name, host)
        outcomes = other.state()["outcomes"]
        assert [one["text"].split()[-1] for one in outcomes] == [text.split()[-1] for text in offered]
        assert sum(one["chance"] for one in outcomes) == pytest.approx(1)
        assert taken(other.play(outcomes[0]["text"]))


def test_a_proof_tells_nothing_of_the_secret_draw_before_it(tmp_path: Path) -> None:
    with hosting(tmp_path, 2, options=(("equilibrium", "b"),)) as host:
        app = make_app(host)
        referee = Caller(app, "referee")
        for step in ("commit", "close", "seal"):
            assert referee.post("/api/bag", **{"as": "referee"}, step=step).status_code == 200
        referee.post("/api/bag/automatic", **{"as": "referee"}, on=True)
        records = referee.get("/api/records?after=1").get_json()["records"]
        proofs = [r["cause"]["detail"]["proof"] for r in records if "proof" in r["cause"]["detail"]]
        assert proofs
        assert all("previous" not in proof for proof in proofs)
