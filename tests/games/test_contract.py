"""The contract that every registered game keeps, played out in random games of every kind of set-up."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from functools import cache

import pytest
from contract_kit import ForeignAction, absurd, contract_of, has_contract, random_game

from companion.core.digest import digest
from companion.core.game import GameSpec, Rules
from companion.core.types import Action, Seat, Violation
from companion.games import find_game, game_names
from companion.i18n import fill, translations

REGISTERED = [name for name in game_names() if has_contract(name)]
CASES = [(name, label) for name in REGISTERED for label in contract_of(name).setups]
SEED = 20

pytestmark = pytest.mark.long


def rules_for(name: str, label: str) -> Rules:
    spec = find_game(name)
    return spec.make_rules(contract_of(name).setups[label], spec.load_catalogue(spec.default_catalogue))


@cache
def played(name: str, label: str):
    """The rules of the case and a whole random game: (state, event) pairs."""
    rules = rules_for(name, label)
    return rules, tuple(random_game(rules, SEED, contract_of(name).longest))


def some(sequence, most: int):
    """At most about `most` members, spread evenly, the first and the last among them."""
    step = max(1, len(sequence) // most)
    return [*sequence[::step], sequence[-1]]


@pytest.fixture(params=CASES, ids=[f"{name}: {label}" for name, label in CASES])
def case(request):
    name, label = request.param
    return find_game(name), contract_of(name), *played(name, label)


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_registered_for_the_contract(name):
    assert has_contract(name), f"write contract_{name}.py: docs/guide/check-your-own-game.md"


def test_a_state_is_terminal_or_at_chance_or_waits_for_seats(case):
    _, _, rules, game = case
    for state, _ in game:
        conditions = [rules.result(state) is not None, bool(rules.chance_outcomes(state)), bool(rules.to_act(state))]
        assert sum(conditions) == 1
        assert bool(rules.legal_actions(state)) == bool(rules.to_act(state))
        assert {a.seat for a in rules.legal_actions(state)} == set(rules.to_act(state))


def test_legal_actions_are_the_actions_that_pass_the_check(case):
    _, contract, rules, game = case
    every = tuple(contract.actions(rules))
    for state, _ in some(game, 20):
        legal = rules.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert {a for a in every if rules.check(state, a) is None} == set(legal)


def test_possible_draws_are_the_draws_that_pass_the_check(case):
    _, contract, rules, game = case
    every = tuple(contract.draws(rules))
    for state, _ in some(game, 16):
        possible = [o.draw for o in rules.chance_outcomes(state)]
        assert len(set(possible)) == len(possible)
        passes = {d for d in every if rules.check_draw(state, d) is None}
        assert set(possible) <= passes
        # A secret draw that only another player's secret excludes passes: its refusal would tell that secret.
        assert all(rules.is_secret(draw) for draw in passes - set(possible))


def test_probabilities_are_positive_and_sum_to_one(case):
    _, _, rules, game = case
    for state, _ in game:
        outcomes = rules.chance_outcomes(state)
        assert all(o.probability > 0 for o in outcomes)
        assert not outcomes or sum(o.probability for o in outcomes) == 1


def test_apply_changes_no_state_and_gives_equal_states_for_equal_events(case):
    _, _, rules, game = case
    for state, event in game[:-1]:
        before, known = rules.dump(state), hash(state)
        assert rules.apply(state, event) == rules.apply(state, event)
        assert rules.dump(state) == before
        assert hash(state) == known


def test_an_event_that_passed_in_one_state_is_judged_anew_in_another(case):
    _, _, rules, game = case
    found = 0
    for (before, event), (after, _) in itertools.pairwise(game):
        check = rules.check if isinstance(event, Action) else rules.check_draw
        if check(after, event) is None:
            continue
        assert check(before, event) is None
        with pytest.raises(ValueError, match="breaks"):
            rules.apply(after, event)
        found += 1
    assert found


def test_parse_and_format_are_inverse(case):
    _, _, rules, game = case
    possible = {a for s, _ in some(game, 40) for a in rules.legal_actions(s)}
    possible |= {o.draw for s, _ in some(game, 40) for o in rules.chance_outcomes(s)}
    for event in sorted(possible, key=rules.format):
        text = rules.format(event)
        assert text.isascii()
        assert text == text.strip()
        assert "\n" not in text
        assert rules.parse(text) == event


def test_a_state_survives_its_json(case):
    _, _, rules, game = case
    for state, _ in game:
        assert rules.load(json.loads(json.dumps(rules.dump(state)))) == state


def test_a_replay_gives_the_same_digests(case):
    _, _, rules, game = case
    state = rules.initial()
    for before, event in game[:-1]:
        assert digest(rules.dump(state)) == digest(rules.dump(before))
        state = rules.apply(state, rules.parse(rules.format(event)))
    assert state == game[-1][0]


def test_no_state_has_problems(case):
    _, _, rules, game = case
    for state, _ in game:
        assert rules.problems(state) == ()


def test_rubbish_is_refused_with_a_clause_and_changes_nothing(case):
    spec, _, rules, game = case
    rubbish = tuple(absurd((*spec.action_types, *spec.draw_types)))
    for state, _ in some(game, 8):
        known = hash(state)
        for thing in rubbish:
            for violation in (rules.check(state, thing), rules.check_draw(state, thing)):
                assert violation is None or violation.clause in spec.clauses
        assert rules.check(state, None) is not None
        assert rules.check(state, ForeignAction(Seat.A)) is not None
        assert hash(state) == known


def refused(spec: GameSpec, contract, rules: Rules, game) -> list[Violation]:
    """One violation of each kind (clause and message) met in the game."""
    kinds: dict[tuple[str, str], Violation] = {}
    for state, _ in some(game, 15):
        for thing in (*contract.actions(rules), *absurd(spec.action_types)):
            violation = rules.check(state, thing)
            if violation is not None:
                kinds.setdefault((violation.clause, violation.message), violation)
        for thing in (*contract.draws(rules), *absurd(spec.draw_types)):
            violation = rules.check_draw(state, thing)
            if violation is not None:
                kinds.setdefault((violation.clause, violation.message), violation)
    return list(kinds.values())


def test_every_refusal_cites_a_clause_and_reads_in_every_language(case):
    spec, contract, rules, game = case
    english = translations("en", spec.locale_dir).gettext
    for violation in refused(spec, contract, rules, game):
        assert violation.clause in spec.clauses
        text = fill(violation.message, violation.facts, english, lambda seat: seat.name)
        assert "{" not in text, violation
        assert set(violation.slots) <= {o.slot for o in rules.layout().slots}
        for language in ("sk", "cs"):
            translate = translations(language, spec.locale_dir).gettext
            translated = translate(violation.message)
            assert translated != violation.message, f"no {language} text for {violation.message!r}"
            names = set(re.findall(r"{(\w+)}", translated))
            assert names <= {name for name, _ in violation.facts}, (language, violation)


def test_apply_raises_value_error_for_what_is_not_legal(case):
    _, contract, rules, game = case
    for state, _ in some(game, 6):
        events = [
            *some(tuple(contract.actions(rules)), 60),
            *some(tuple(contract.draws(rules)), 60),
            ForeignAction(Seat.A),
        ]
        for event in events:
            if rules.check(state, event) is not None and rules.check_draw(state, event) is not None:
                with pytest.raises(ValueError, match="breaks"):
                    rules.apply(state, event)


def test_views_hide_the_secrets_of_others(case):
    """Secret events of one seat that differ lead to the same view for everybody else."""
    _, _, rules, game = case
    compared = 0
    for state, _ in some(game, 30):
        options = [*rules.legal_actions(state), *(o.draw for o in rules.chance_outcomes(state))]
        secret = [e for e in options if rules.is_secret(e) and not rules.is_reveal(state, e)]
        for seat in sorted({e.seat for e in secret}):
            mine = [rules.apply(state, e) for e in some([e for e in secret if e.seat == seat], 6)]
            for viewer in (None, *(Seat(i) for i in range(len(rules.setup.seats)) if i != seat)):
                assert len({digest(rules.view(s, viewer)) for s in mine}) == 1
                compared += 1
            assert len({digest(rules.view(s, seat)) for s in mine}) == len(set(mine))
    assert compared or not any(rules.is_secret(e) for _, e in game if e is not None)


def test_views_are_json_for_every_viewer(case):
    _, _, rules, game = case
    for state, _ in some(game, 30):
        for viewer in (None, *(Seat(i) for i in range(len(rules.setup.seats)))):
            json.dumps(rules.view(state, viewer), allow_nan=False)


def test_the_table_shows_known_faces_in_known_slots_and_ends_its_path_where_the_event_leads(case):
    _, _, rules, game = case
    slots, faces = {o.slot for o in rules.layout().slots}, set(rules.faces())
    for (state, event), (after, _) in itertools.pairwise(game):
        for slot, shown in rules.board(state).slots:
            assert slot in slots
            assert shown.face is None or shown.face in faces
        path = rules.board_path(state, event)
        assert path[-1] == rules.board(after)
        assert all(a != b for a, b in itertools.pairwise(path))


def test_faces_that_look_the_same_have_one_representative(case):
    _, _, rules, _ = case
    for face in rules.faces():
        assert rules.same_face(rules.same_face(face)) == rules.same_face(face)
        assert rules.same_face(face) in rules.faces()


def test_scores_add_up_and_the_result_agrees_with_them(case):
    spec, _, rules, game = case
    for state, _ in some(game, 30):
        scores = rules.scores(state)
        assert [s.seat for s in scores] == [Seat(i) for i in range(len(rules.setup.seats))]
        for score in scores:
            assert sum(line.points for line in score.lines) == score.total
            assert {line.clause for line in score.lines} <= set(spec.clauses)
    end = rules.result(game[-1][0])
    assert end.scores == rules.scores(game[-1][0])
    assert {end.clause, end.decided_by} <= set(spec.clauses)
    assert set(end.winners) <= {s.seat for s in end.scores}


def test_every_event_has_a_sentence_in_every_language(case):
    spec, _, rules, game = case
    for _, event in game[:-1]:
        message, facts = rules.describe(event)
        assert "{" not in fill(message, facts, str, lambda seat: seat.name)
        for language in ("sk", "cs"):
            assert translations(language, spec.locale_dir).gettext(message) != message


SCRIPT = """
import sys
from pathlib import Path
sys.path[:0] = map(str, Path("tests/support").iterdir())
from companion.games import add_games
name, label, *folders = sys.argv[1:]
for folder in folders:
    add_games(Path(folder))
    sys.path.append(folder)
from contract_kit import contract_of, random_game
from companion.core.digest import digest
from companion.games import find_game
spec, contract = find_game(name), contract_of(name)
rules = spec.make_rules(contract.setups[label], spec.load_catalogue(spec.default_catalogue))
game = list(random_game(rules, 3, contract.longest))
print(digest([[rules.dump(s), rules.view(s, None), e and rules.format(e)] for s, e in game[::9]]))
"""


@pytest.mark.parametrize("name", REGISTERED)
def test_nothing_depends_on_the_order_of_hashes(name, pytestconfig):
    label = list(contract_of(name).setups)[-1]
    own = pytestconfig.getoption("--games")
    folders = [] if own is None else [os.fspath(own.resolve())]
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, name, label, *folders],
            cwd=pytestconfig.rootpath,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "42")
    }
    assert len(digests) == 1


def test_whoever_may_act_is_told_what_to_do_in_one_sentence_and_nobody_else_is(case):
    spec, _, rules, game = case
    if spec.turn_words is None:
        pytest.skip("this game does not say what a player can do")
    for state, _ in some(game, 60):
        for number in range(len(rules.setup.seats)):
            told = spec.turn_words(rules, state, Seat(number))
            assert (told is not None) == (Seat(number) in rules.to_act(state))
            if told is not None:
                sentence = fill(*told, str, lambda seat: seat.name)
                assert sentence[-1] in ".?"
                assert "{" not in sentence


def test_what_followed_an_event_is_said_in_whole_sentences(case):
    spec, _, rules, game = case
    if spec.what_followed is None:
        pytest.skip("this game does not say what followed an event")
    sentences = [
        fill(*told, str, lambda seat: seat.name)
        for (before, event), (after, _) in itertools.pairwise(game)
        for told in spec.what_followed(rules, before, event, after)
    ]
    assert sentences
    assert all("{" not in sentence and sentence.endswith(".") for sentence in sentences)


def test_what_followed_a_secret_draw_does_not_tell_what_was_drawn(case):
    spec, _, rules, game = case
    secret = [
        (state, event) for state, event in game
        if event is not None and not isinstance(event, Action) and rules.is_secret(event)
    ]
    for state, event in some(secret, 40) if secret and spec.what_followed else ():
        after = rules.apply(state, event)
        for outcome in rules.chance_outcomes(state):
            other = rules.apply(state, outcome.draw)
            if rules.view(other, None) == rules.view(after, None):
                assert spec.what_followed(rules, state, outcome.draw, other) == spec.what_followed(
                    rules, state, event, after
                )


def test_a_secret_event_is_told_to_the_others_by_its_sort_and_its_seat_alone(case):
    spec, _, rules, game = case
    secret = {type(event): event for _, event in game if event is not None and rules.is_secret(event)}
    for sort, event in secret.items():
        sentence = fill(spec.secret_sentences[sort], {"seat": event.seat}, str, lambda seat: seat.name)
        assert sentence.startswith(f"{event.seat.name} "), sentence
        assert "{" not in sentence, sentence
