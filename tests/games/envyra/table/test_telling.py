"""What Envyra tells of itself: whose turn it is in a sentence, and what followed an act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from web_kit import hosting, play_on

from companion.core.game import Told
from companion.core.types import Seat
from companion.games.envyra import GAME
from companion.games.envyra.actions import Move
from companion.games.envyra.play.phases import capturer
from companion.games.envyra.state import Phase
from companion.games.envyra.table import telling
from companion.games.envyra.table.stored import ENDINGS
from companion.i18n import translations
from companion.table.prompts import Prompter
from companion.table.session import Session

MESSAGES = [text for name, text in vars(telling).items() if name.isupper() and isinstance(text, str)]
MESSAGES += telling.ENDED.values()


@pytest.fixture(scope="module", params=[2, 3, 4])
def session(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Session]:
    with hosting(tmp_path_factory.mktemp("told"), request.param) as host:
        play_on(host, 120, request.param)
        assert host.table is not None
        yield host.table.session


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_message_is_translated_with_its_placeholders(language: str) -> None:
    translate = translations(language, GAME.locale_dir).gettext
    for message in MESSAGES:
        assert translate(message) != message
        assert {part.split("}")[0] for part in message.split("{")[1:]} == {
            part.split("}")[0] for part in translate(message).split("{")[1:]
        }


def test_who_is_awaited_is_told_what_to_do_and_nobody_else_is(session: Session) -> None:
    prompter = Prompter(GAME, session.header.setup, "en")
    for step in session.line(1):
        state = session.state_after(step.number)
        awaited = session.rules.to_act(state)
        for seat in range(len(session.header.setup.seats)):
            assert bool(prompter.turn(session.rules, state, Seat(seat))) == (Seat(seat) in awaited), step.number


def test_every_capture_is_told_with_who_where_and_how_many_points_and_all_cubes_back(session: Session) -> None:
    rules, captures = session.rules, 0
    for step in session.line(1)[1:]:
        before, after = session.state_after(session.before(step.number)), session.state_after(step.number)
        assert step.event is not None
        told = telling.what_followed(rules, before, step.event, after)
        sentences = [dict(facts) for message, facts in told if message in (telling.CAPTURED, telling.CAPTURED_TIE)]
        taken = [
            (seat, tile)
            for seat, (was, has) in enumerate(zip(before.owned, after.owned, strict=True))
            for tile in range(has.bit_length())
            if (has & ~was) >> tile & 1
        ]
        assert len(sentences) == len(taken) <= 1
        if taken:
            captures += 1
            (seat, tile), said = taken[0], sentences[0]
            slot = rules.tables.slot_index[said["slot"]]
            assert (said["seat"], before.grid[slot]) == (Seat(seat), tile)
            assert said["seat"] == capturer((*before.cubes[slot], int(step.event.seat)))
            back = {dict(facts)["seat"]: dict(facts)["n"] for message, facts in told if message == telling.CUBES_BACK}
            on_tile = (*before.cubes[slot], int(step.event.seat))
            marked = [x for x, board in enumerate(before.boards) if slot in board and x != step.event.seat]
            assert back == {Seat(x): on_tile.count(x) + marked.count(x) for x in {*on_tile, *marked}}
    assert captures > 0


def test_whoever_is_passed_over_is_told_with_the_reason_be_it_at_the_reveal_or_after_a_move(session: Session) -> None:
    rules, order, at_reveal = session.rules, rules_order(session), 0
    for step in session.line(1)[1:]:
        before, after = session.state_after(session.before(step.number)), session.state_after(step.number)
        revealed = before.phase is Phase.CHOOSE and after.phase is Phase.MOVE and after.round == before.round
        if not revealed:
            continue
        skipped = {seat for seat in order[before.first][: after.turn] if after.boards[seat]}
        told = telling.what_followed(rules, before, step.event, after)
        assert {dict(facts)["seat"] for message, facts in told if message == telling.RESTRICTED} == skipped
        at_reveal += len(skipped)
    assert at_reveal > 0 or len(session.header.setup.seats) == 2  # two seldom stand in each other's way


def test_nobody_is_passed_over_when_the_end_tile_ends_the_game_at_once(session: Session) -> None:
    rules, otherwise = session.rules, 0
    for step in session.line(1)[1:]:
        before, after = session.state_after(session.before(step.number)), session.state_after(step.number)
        if before.phase is not Phase.MOVE or not isinstance(step.event, Move):
            continue
        at_once = after._replace(phase=Phase.OVER, over="E60", turn=0)
        assert not passed(telling.what_followed(rules, before, step.event, at_once))
        otherwise += passed(telling.what_followed(rules, before, step.event, at_once._replace(over="E61")))
    assert otherwise > 0


def test_why_the_game_ends_is_told_with_the_act_that_ends_it(session: Session) -> None:
    rules = session.rules
    step = next(step for step in session.line(1)[1:] if isinstance(step.event, Move))
    act, state = step.event, session.state_after(session.before(step.number))
    for clause in ENDINGS[1:]:
        over = state._replace(phase=Phase.OVER, over=clause)
        assert (telling.ENDED[clause], ()) in telling.what_followed(rules, state, act, over)
        assert (telling.ENDED[clause], ()) not in telling.what_followed(rules, over, act, over)
        assert f"({clause})" in telling.ENDED[clause]


def passed(told: tuple[Told, ...]) -> int:
    """How many are told to be passed over."""
    return sum(message in (telling.RESTRICTED, telling.GONE) for message, _ in told)


def rules_order(session: Session) -> Any:
    """Who moves in turn, by the seat with the starting figure."""
    return session.rules.tables.order  # type: ignore[attr-defined]
