"""Spyrium at the terminal: a whole game with digital draws that prove, in the record, undone and in three languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_terminal import RandomPlayer
from spyrium_positions import position, rules_of

from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.terminal.referee import Referee
from companion.app.terminal.text import board_text
from companion.app.wiring import begin_table
from companion.core.types import Seat, SeatInfo
from companion.draws.ceremony import Phase
from companion.games.spyrium import GAME
from companion.table.commands import Undo
from companion.table.prompts import Prompter
from companion.table.record.store import Store

SEATS = (SeatInfo("Žofia", "blue"), SeatInfo("Ján", "black"))


def test_a_whole_game_is_played_by_numbers_with_decks_and_tokens_from_the_digital_bag(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("spyrium", SEATS, ()))
        try:
            player = RandomPlayer(4)
            Referee(table, Prompter(table.spec, table.rules.setup, "sk"), player, digital=True).run()
            result = table.rules.result(table.session.state)
            assert result is not None
            assert "(S51)" in player.text
            drawn = sum(isinstance(step.event, GAME.draw_types) for step in table.session.line())
            assert (table.bag.drawn, table.bag.ceremony.phase) == (drawn, Phase.REVEALED)
            everybody = (Seat.A, Seat.B)
            assert table.session.ask(Undo(to=table.session.line()[-1].number - 1, consents=everybody)).accepted
            assert table.rules.to_act(table.session.state)
        finally:
            table.close()


@pytest.mark.parametrize(("language", "money"), [("en", "£8"), ("sk", "8 £"), ("cs", "8 £")])
def test_the_terminal_tells_market_workers_money_and_tokens(language: str, money: str) -> None:
    rules = rules_of()
    state = position(
        rules, gaps={"r1c1|r1c2": "ABB"}, tokens={"r2c2": [2]}, seats={"B": {"buildings": "mine-left mine-middle*"}}
    )
    lines = board_text(rules, state, Prompter(GAME, rules.setup, language)).splitlines()
    assert "r1c1: mine-left   r1c1|r1c2: blue×1 red×2   r1c2: apprentice   r1c3: geologist" in lines
    assert "B-b1: mine-left   B-b2: mine-middle ↻1" in lines
    assert any("Žofia" in line and money in line for line in lines)
    assert any("r2c2" in line and line.endswith("2") for line in lines[-1:])
