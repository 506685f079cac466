"""Rifts of N'Norya at the terminal: whole games with digital draws that prove, in the record, with hands kept apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from rifts_positions import position, rules_of
from scripted_terminal import RandomPlayer

from companion.app.commands.record.draws import draws
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.terminal.referee import Referee
from companion.app.terminal.text import board_text
from companion.app.wiring import begin_table
from companion.core.types import Seat, SeatInfo
from companion.draws.ceremony import Phase
from companion.games.rifts import GAME
from companion.games.rifts.actions import Cast, Hand
from companion.table.commands import Play, Undo
from companion.table.prompts import Prompter
from companion.table.record.store import Store
from companion.table.record.transfer import export_lines

SEATS = (SeatInfo("Žofia", "yellow"), SeatInfo("Ján", "blue"))


def test_a_whole_game_is_played_by_numbers_with_cards_and_tiles_from_the_digital_bag(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("rifts", SEATS, ()))
        try:
            player = RandomPlayer(1)
            Referee(table, Prompter(table.spec, table.rules.setup, "sk"), player, digital=True).run()
            result = table.rules.result(table.session.state)
            assert result is not None
            assert f"({result.clause})" in player.text
            line = table.session.line()
            drawn = sum(isinstance(step.event, GAME.draw_types) for step in line)
            assert (table.bag.drawn, table.bag.ceremony.phase) == (drawn, Phase.REVEALED)
            record = tmp_path / "record.jsonl"
            record.write_text("".join(export_lines(store, table.session.header.session)), encoding="utf-8")
            verdict = CliRunner().invoke(draws, ["verify", str(record)])
            assert verdict.exit_code == 0, verdict.output
            assert f"Each of the {drawn} urns held exactly what the rules allowed" in verdict.output
            everybody = (Seat.A, Seat.B)
            assert table.session.ask(Undo(to=line[-1].number - 1, consents=everybody)).accepted
        finally:
            table.close()


def test_hands_are_told_and_played_alone_at_the_screen_and_the_screen_is_cleared(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("rifts", SEATS, ()))
        try:
            player = RandomPlayer(3)
            Referee(table, Prompter(table.spec, table.rules.setup, "en"), player, digital=False).run()
            events = [step.event for step in table.session.line()]
            hands, casts = sum(isinstance(e, Hand) for e in events), sum(isinstance(e, Cast) for e in events)
            assert casts > 0
            told = [secret for prompt, secret in player.asked if prompt == "drawn: "]
            # what is drawn into a hand is typed without an echo, unless only one card can come; other draws with one
            assert 0 < told.count(True) <= hands
            assert told.count(False) > 0
            assert sum(secret for prompt, secret in player.asked if prompt in ("Žofia: ", "Ján: ")) >= casts
            assert player.cleared >= hands + casts
            # who has the screen keeps it while nobody else has had it
            asked = sum("alone at the screen" in prompt for prompt, _ in player.asked)
            assert 2 <= asked < hands + casts
        finally:
            table.close()


def test_a_mage_alone_is_never_asked_whether_others_look(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("rifts", SEATS[:1], ()))
        try:
            player = RandomPlayer(3)
            Referee(table, Prompter(table.spec, table.rules.setup, "en"), player, digital=False).run()
            assert table.rules.result(table.session.state) is not None
            assert not any("alone at the screen" in prompt for prompt, _ in player.asked)
        finally:
            table.close()


def test_every_place_of_the_table_has_a_name_of_its_own() -> None:
    names = [outline.slot for outline in rules_of().layout().slots]
    assert len(set(names)) == len(names)


def test_a_drawn_card_is_told_to_its_seat_only(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("rifts", SEATS, ()))
        try:
            session = table.session
            while not isinstance(draw := table.rules.chance_outcomes(session.state)[0].draw, GAME.draw_types[1]):
                assert session.ask(Play(texts=(table.rules.format(draw),))).accepted
            text = table.rules.format(draw)
            assert text == "hand A ember"
            assert session.ask(Play(texts=(text,))).accepted
            update = session.subscribe(session.number - 1).get(0)
            assert update is not None
            for viewer, told in ((Seat.A, True), (Seat.B, False), (None, False)):
                assert ("ember" in str(update.for_viewer(viewer))) == told
                assert ("Ember" in Prompter(GAME, table.rules.setup, "en").update(table.rules, update, viewer)) == told
        finally:
            table.close()


@pytest.mark.parametrize(
    ("language", "gold", "hand"),
    [("en", "gold 4", "In hand: a Wound"), ("sk", "zlato 4", "V ruke: Zranenie"), ("cs", "zlato 4", "V ruce: Zranění")],
)
def test_the_terminal_tells_map_market_mages_and_to_its_seat_the_hand(language: str, gold: str, hand: str) -> None:
    rules = rules_of()
    seats = {"A": {"at": "j9", "gold": 4, "hand": "ember ember flare wound"}, "B": {"items": "horse"}}
    state = position(rules, land=["location-04 i8 1"], enemies="j8", seats=seats)
    prompter = Prompter(GAME, rules.setup, language)
    text = board_text(rules, state, prompter)
    assert "i8: location-04" in text
    assert "j8: enemy×1" in text
    assert "s1: lash" in text
    assert any("Žofia" in line and gold in line for line in text.splitlines())
    assert hand not in text
    assert hand in prompter.beside_seat(rules, state, Seat.A)
    assert hand not in prompter.beside_seat(rules, state, Seat.B)
