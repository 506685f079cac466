"""Facts about the sentences for people: names, clauses, rulings, secrets, three languages."""

from __future__ import annotations

import pytest
from toy_game import TOY, TOY_SETUP

from companion.core.types import Seat, SeatInfo, Setup, Violation
from companion.games import find_game
from companion.table.commands import Answer, Crossing, Outcome
from companion.table.prompts import Prompter
from companion.table.steps import MOVE_PIECE, HandStep


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "everyone must agree first; waiting for: Žofia, Ľuboš"),
        ("sk", "najprv musia súhlasiť všetci; čaká sa na: Žofia, Ľuboš"),
        ("cs", "nejdřív musí souhlasit všichni; čeká se na: Žofia, Ľuboš"),
        ("xx", "everyone must agree first; waiting for: Žofia, Ľuboš"),
    ],
)
def test_an_answer_is_said_in_the_language_with_the_players_names(language: str, expected: str) -> None:
    facts = (("seats", (Seat.A, Seat.B)),)
    answer = Answer(Outcome.CONSENT, message="everyone must agree first; waiting for: {seats}", facts=facts)
    assert Prompter(TOY, TOY_SETUP, language).answer(answer) == expected


def test_a_violation_begins_with_its_clause() -> None:
    violation = Violation("T1", "{player} has hidden already", (("player", Seat.B),))
    prompter = Prompter(TOY, TOY_SETUP, "en")
    assert prompter.violation(violation) == "T1: Ľuboš has hidden already"
    assert prompter.answer(Answer(Outcome.ILLEGAL, violation=violation)) == "T1: Ľuboš has hidden already"
    assert prompter.answer(Answer(Outcome.ACCEPTED, (2,))) == ""


@pytest.mark.parametrize(("language", "expected"), [("en", "R-05 (ruling)"), ("sk", "R-05 (výklad)")])
def test_a_ruling_is_said_to_be_one(language: str, expected: str) -> None:
    envyra = find_game("envyra")
    setup = Setup("envyra", (SeatInfo("Eva", "pink"), SeatInfo("Ján", "gray")), "sample")
    prompter = Prompter(envyra, setup, language)
    assert prompter.clause("R-05") == expected
    assert prompter.clause("E33") == "E33"
    assert prompter.clause_text("E33").startswith("E33 ")


def test_steps_and_crossings_are_said_in_words() -> None:
    prompter = Prompter(TOY, TOY_SETUP, "sk")
    step = HandStep(MOVE_PIECE, (("count", 1), ("colour", "pink"), ("source", "a"), ("slot", "b")), ("a", "b"))
    assert prompter.step(step) == "z miesta a na b: presuňte 1 × ružová"
    assert prompter.crossing(Crossing(4, "an act of {seat}", (("seat", Seat.A),))) == "ťah, ktorý urobil hráč Žofia"
