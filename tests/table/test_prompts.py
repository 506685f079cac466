"""Facts about the sentences for people: names, clauses, rulings, secrets, three languages."""

from __future__ import annotations

import pytest
from toy_game import TOY, TOY_SETUP

from companion.core.events import Cause, CauseKind, RecordKind
from companion.core.types import Seat, SeatInfo, Setup, Violation
from companion.games import find_game
from companion.table.commands import Answer, Crossing, Outcome
from companion.table.prompts import Prompter
from companion.table.record.updates import Update
from companion.table.steps import MOVE_PIECE, HandStep


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "everyone must agree first; waiting for: Žofia and Ľuboš"),
        ("sk", "najprv musia súhlasiť všetci; čaká sa na: Žofia a Ľuboš"),
        ("cs", "nejdřív musí souhlasit všichni; čeká se na: Žofia a Ľuboš"),
        ("xx", "everyone must agree first; waiting for: Žofia and Ľuboš"),
    ],
)
def test_an_answer_is_said_in_the_language_with_the_players_names(language: str, expected: str) -> None:
    facts = (("seats", (Seat.A, Seat.B)),)
    answer = Answer(Outcome.CONSENT, message="everyone must agree first; waiting for: {seats}", facts=facts)
    assert Prompter(TOY, TOY_SETUP, language).answer(answer) == expected


def test_the_last_of_several_players_is_joined_by_and() -> None:
    colours = ("pink", "gray", "green")
    setup = Setup("toy", tuple(SeatInfo(name, colour) for name, colour in zip("XYZ", colours, strict=True)), "sample")
    seats = (Seat.A, Seat.B, Seat.C)
    for language, expected in (("en", "X, Y and Z"), ("sk", "X, Y a Z"), ("cs", "X, Y a Z")):
        assert Prompter(TOY, setup, language).text("{seats}", seats=seats) == expected
    assert Prompter(TOY, setup, "en").text("{seats}: {slots}", seats=seats[:1], slots=("a", "b")) == "X: a, b"


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


@pytest.mark.parametrize(
    ("game", "texts", "language", "expected"),
    [
        ("envyra", ("A choose r1c1", "A choose r1c2"), "en", "Eva chooses places in secret."),
        ("envyra", ("A choose r1c1", "A choose r1c2"), "sk", "Eva tajne volí miesta."),
        ("envyra", ("A choose r1c1", "A choose r1c2"), "cs", "Eva tajně volí místa."),
        ("rifts", ("hand A fire_bolt", "hand A wound"), "en", "Eva draws a card in secret."),
        ("rifts", ("hand A fire_bolt", "hand A wound"), "sk", "Eva tajne ťahá kartu."),
        ("rifts", ("hand A fire_bolt", "hand A wound"), "cs", "Eva tajně líže kartu."),
    ],
)
def test_a_secret_is_told_to_the_others_by_its_sort_whatever_it_is(
    game: str, texts: tuple[str, str], language: str, expected: str
) -> None:
    spec = find_game(game)
    setup = Setup(game, tuple(SeatInfo(n, c) for n, c in zip(("Eva", "Ján"), spec.colours, strict=False)), "sample")
    rules = spec.make_rules(setup, spec.load_catalogue("sample"))
    prompter = Prompter(spec, setup, language)
    for viewer in (None, Seat.B):
        told = {
            prompter.update(rules, Update(7, 0, Cause(CauseKind.DRAW), RecordKind.EVENT, (), rules.parse(text), True),
                            viewer)
            for text in texts
        }
        assert told == {expected}
