"""What people read of every game: no refusal has a hole, and no two acts that can be chosen between read alike."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from contract_kit import absurd, contract_of, has_contract, random_game

from companion.core.game import GameSpec, Rules, State
from companion.core.types import Seat, SeatInfo, Setup, Violation
from companion.games import find_game, game_names
from companion.i18n import LANGUAGES
from companion.lab.trials.engine_trial import any_rules
from companion.lab.trials.engine_trial import random_game as whole_game
from companion.lab.trials.offers_trial import OfferCount, count_offers
from companion.table.prompts import Prompter

GAMES = [name for name in game_names() if has_contract(name)]
CASES = [(name, label) for name in GAMES for label in contract_of(name).setups]
STATES, ATTEMPTS = 6, 300

HOLES = {
    "an empty word": re.compile(r"^\s|\s$|  | [.,;:!)](?!\w)|\(\s*\)|\(,|: *[.;]|, *[.;,]|''|\"\""),
    "a placeholder": re.compile(r"[{}]"),
    "an object of the program": re.compile(r"[<>\[\]]|\bNone\b|\bNoneType\b|\bTrue\b|\bFalse\b|Seat\.|\w+\(\w+="),
    "a doubled word": re.compile(r"(?<![\w|-])(\w+)(?:,? \1)(?![\w|-])", re.IGNORECASE),
    "a lone dash": re.compile(r"(?:^| )-(?= |[.,;]|$)"),
    "two colons": re.compile(r": [^,;()]*?: nothing"),
}
ENGLISH_PLURAL = re.compile(r"(?<![\w-])1 (?!is\b|its\b|has\b)[a-z]+s\b")


def ids_of(rules: Rules) -> re.Pattern[str]:
    """The ids of faces that are no words: people know a tile or card by its name."""
    ids = [re.escape(face) for face in rules.faces() if re.search(r"[-\d]", face)]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(ids)})(?![\w-])") if ids else re.compile(r"(?!)")


def holes(text: str, language: str, ids: re.Pattern[str]) -> list[str]:
    """What is wrong with a sentence."""
    found = [name for name, pattern in HOLES.items() if pattern.search(text)]
    if ids.search(text):
        found.append("an id instead of a name")
    if language == "en" and ENGLISH_PLURAL.search(text):
        found.append("a plural for one")
    return found


def short_names(setup: Setup) -> Setup:
    """The set-up with players whose names are like no other word."""
    seats = tuple(SeatInfo(name, info.colour) for name, info in zip(("Žofia", "Ján", "Řehoř", "Ana", "Šimon"),
                                                                  setup.seats, strict=False))  # fmt: skip
    return Setup(setup.game, seats, setup.catalogue, setup.options)


def attempts(spec: GameSpec, rules: Rules, state: State, rng: random.Random) -> Iterator[object]:
    """Things that might be tried: some that can be named, every kind of rubbish, what is legal for somebody else."""
    contract = contract_of(spec.name)
    actions, draws = list(contract.actions(rules)), list(contract.draws(rules))
    yield from rng.sample(actions, min(ATTEMPTS, len(actions)))
    yield from rng.sample(draws, min(ATTEMPTS, len(draws)))
    yield from absurd((*spec.action_types, *spec.draw_types))
    for action in rules.legal_actions(state)[:20]:
        for seat in Seat:
            yield rules.parse(f"{seat.name}{rules.format(action)[1:]}")


def refusals(spec: GameSpec, rules: Rules, seed: int) -> Iterator[Violation]:
    """Every refusal of the attempts in positions of a random game, in the states of their own games also."""
    rng = random.Random(seed)
    game = list(random_game(rules, seed, contract_of(spec.name).longest))
    for state, _ in [*rng.sample(game[:-1], STATES), game[0], game[-1]]:
        for thing in attempts(spec, rules, state, rng):
            for violation in (rules.check(state, thing), rules.check_draw(state, thing)):
                if violation is not None:
                    yield violation


@pytest.mark.parametrize(("name", "label"), CASES, ids=[f"{name}: {label}" for name, label in CASES])
def test_no_refusal_has_an_empty_an_internal_or_a_doubled_word(name, label):
    spec = find_game(name)
    setup = short_names(contract_of(name).setups[label])
    rules = spec.make_rules(setup, spec.load_catalogue(spec.default_catalogue))
    speakers = {language: Prompter(spec, setup, language) for language in LANGUAGES}
    ids, seen, bad = ids_of(rules), set[Any](), {}
    for violation in refusals(spec, rules, 7):
        key = (violation.message, tuple(map(str, violation.facts)))
        if key in seen:
            continue
        seen.add(key)
        for language, speaker in speakers.items():
            text = speaker.violation(violation).partition(": ")[2]
            wrong = holes(text, language, ids)
            if wrong:
                bad.setdefault((violation.message, language, *wrong), text)
    assert len(seen) >= 50
    assert not bad, "\n".join(f"{key}: {text}" for key, text in bad.items())


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (" is no gap inside the market.", "an empty word"),
        ("No building in the space .", "an empty word"),
        ("It chooses move or score, not .", "an empty word"),
        ("One of A, , C.", "an empty word"),
        ("Can build at new, not at -.", "a lone dash"),
        ("There is no seat <Seat.C: 2> here.", "an object of the program"),
        ("Names no space: Buy(seat=0).", "an object of the program"),
        ("With turn 0 0 sides meet.", "a doubled word"),
        ("It requires fire, fire.", "a doubled word"),
        ("expected: nothing: nothing", "two colons"),
        ("Ana has 1 workers.", "a plural for one"),
        ("mine-left is inclined.", "an id instead of a name"),
    ],
)
def test_a_hole_is_found(text, wrong):
    assert wrong in holes(text, "en", re.compile("mine-left"))


def test_what_reads_well_is_no_hole():
    text = "Factory (left) costs £10 (price £6, other workers £2, new space £2); Ana has £7, at r1c1|r1c2, r1c2|r1c3."
    assert holes(text, "en", re.compile("mine-left")) == []


@pytest.mark.parametrize("name", GAMES)
def test_no_two_acts_that_can_be_chosen_between_read_alike(name):
    """`companion bench offers --game GAME --games 1000` asks the same of a thousand games."""
    spec, count = find_game(name), OfferCount()
    for seed in range(4):
        rng = random.Random(f"offers {seed}")
        rules = any_rules(rng, name)
        states = [state for state, _ in whole_game(rules, rng) if rules.to_act(state)]
        speakers = [Prompter(spec, rules.setup, language) for language in LANGUAGES]
        count_offers(count, rules, rng.sample(states, min(60, len(states))), speakers)
    assert count.decisions > 50
    assert (count.offers, count.records) == (0, 0), count.example
