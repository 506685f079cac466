"""Facts about the referee in the terminal: whole games are played, secrets not shown, refusals name the clause."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from run_companion import Companion
from scripted_terminal import RandomPlayer, Script
from table_kit import begin
from toy_game import TOY

from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.terminal.referee import Referee
from companion.app.wiring import begin_table
from companion.core.errors import CompanionError
from companion.core.types import Seat, SeatInfo
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import Phase
from companion.draws.keeper import SecretFiles
from companion.table.commands import Undo
from companion.table.prompts import Prompter
from companion.table.record.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "record.sqlite") as opened:
        yield opened


@pytest.fixture
def toy(store: Store, tmp_path: Path) -> Iterator[Table]:
    bag = DigitalBag("toy-1", SecretFiles(tmp_path / "secrets"), lambda n: store.records("toy-1", n + 1))
    table = Table(TOY, begin(store, bag=bag), bag)
    yield table
    table.close()


def lead(table: Table, script: Script, *, digital: bool = False, language: str = "en") -> str:
    Referee(table, Prompter(table.spec, table.rules.setup, language), script, digital=digital).run()
    return script.text


def texts(table: Table) -> list[str]:
    return [table.rules.format(step.event) for step in table.session.line() if step.event is not None]


def test_a_game_is_played_by_numbers_and_texts(toy: Table) -> None:
    script = Script("", "2", "", "hide 3", "1", "", "1", "", "B hide 1", "token blue", "", "2", "", "1", "red")
    said = lead(toy, script)
    assert texts(toy)[:3] == ["A hide 2", "B hide 3", "token red"]
    assert "The game is over (T4)." in said
    assert "Ľuboš wins" in said


def test_a_verb_may_be_left_out_and_a_draw_named_by_its_last_word(toy: Table) -> None:
    lead(toy, Script("", "2", "", "hide 2", "blue", "", "A hide 3"))
    assert texts(toy) == ["A hide 2", "B hide 2", "token blue", "A hide 3"]


def test_what_is_decided_in_secret_is_asked_unseen_and_never_printed(toy: Table) -> None:
    script = Script("", "hide 3", "", "quit")
    said = lead(toy, script)
    assert [secret for prompt, secret in script.asked if prompt == "Žofia: "] == [True]
    assert script.cleared >= 2
    assert "Ľuboš alone at the screen" in script.asked[2][0]
    assert said.count("Žofia hides 3") == 1  # in the list of what is possible
    assert "hide 3" not in said


def test_a_player_alone_at_the_screen_cannot_decide_for_the_other(toy: Table) -> None:
    lead(toy, Script("", "B hide 3"))
    assert texts(toy) == []


def test_a_refusal_names_the_clause_and_asks_again(toy: Table) -> None:
    said = lead(toy, Script("", "hide 9", "hide 2"))
    assert "T1: Žofia may hide 1, 2 or 3, not 9" in said
    assert texts(toy) == ["A hide 2"]


@pytest.mark.parametrize("line", ["", "77", "0", "²", "sing", "A", "-1"])
def test_a_line_that_means_nothing_is_not_taken_for_something(toy: Table, line: str) -> None:
    said = lead(toy, Script("", line))
    assert "That is not understood" in said
    assert texts(toy) == []


def test_the_end_of_the_input_leaves_a_saved_game(toy: Table) -> None:
    assert "The game is saved. `companion play toy-1` goes on." in lead(toy, Script("", "2"))
    assert texts(toy) == ["A hide 2"]


def test_undo_within_ones_own_act_needs_nobody(toy: Table) -> None:
    lead(toy, Script("", "2", "undo", "", "3"))
    assert texts(toy) == ["A hide 3"]


def test_undo_over_a_draw_asks_everyone_and_says_what_goes_where(toy: Table) -> None:
    start = ["", "2", "", "3", "token red", "undo"]
    said = lead(toy, Script(*start, "no"))
    assert "this takes back a draw (record 4)" in said
    assert texts(toy) == ["A hide 2", "B hide 3", "token red"]
    said = lead(toy, Script("undo", "yes"))
    assert "from token: take red away" in said
    assert texts(toy) == ["A hide 2"]


def test_undo_to_a_record_that_is_not_there_is_refused(toy: Table) -> None:
    said = lead(toy, Script("", "2", "undo 99", "undo x"))
    assert "record 99 is not part of the game any more" in said
    assert "That is not understood" in said


def test_the_other_commands_answer(toy: Table) -> None:
    said = lead(toy, Script("score", "board", "rules", "rules T2", "rules X1", "note tea", "log", "help", "quit"))
    assert "T2 Drawing\nWhen both have hidden" in said
    assert "Pearls has no clause X1" in said
    assert "note (remark): tea" in said
    assert "take back the last act" in said


def test_the_log_does_not_tell_a_secret(toy: Table) -> None:
    said = lead(toy, Script("", "hide 2", "log"))
    assert "Žofia: something in secret" in said


def test_a_player_alone_can_read_their_own_secrets_again(toy: Table) -> None:
    script = Script("", "hide 2", "mine A", "", "", "mine B", "", "", "mine X")
    said = lead(toy, script)
    assert said.count("Žofia hides 2") == 2  # once in the list of what is possible
    assert [prompt for prompt, _ in script.asked].count("Press Enter when you have read it. ") == 2
    assert "That is not understood" in said


def test_a_secret_card_from_the_digital_bag_is_shown_to_its_player_alone(store: Store, tmp_path: Path) -> None:
    seats = (SeatInfo("Žofia", "purple"), SeatInfo("Ján", "gray"), SeatInfo("Zoë", "pink"))
    chosen = NewGame("envyra", seats, (("equilibrium", "b"),))
    table = begin_table(store, Settings(data_dir=str(tmp_path)), chosen)
    try:
        script = Script("", "", "", *["Enter"] * 6)
        lead(table, script, digital=True)
        hands = [
            prompt
            for prompt, _ in script.asked
            if prompt in {f"{s.name} alone at the screen? Press Enter. " for s in seats}
        ]
        assert len(hands) >= 3
        shown = [line for line in script.screen if "Equilibrium" in line or "card" in line]
        assert len(shown) == 3
    finally:
        table.close()


def test_digital_draws_are_made_and_proved(toy: Table) -> None:
    numbers = ["", "1", "", "2"] * 3
    said = lead(toy, Script("stormy weather", "", *numbers), digital=True)
    assert toy.bag.drawn == 3
    assert toy.bag.ceremony.phase is Phase.REVEALED
    assert "The bag is sealed" in said
    assert "token is drawn" in said
    assert [c["value"] for c in toy.bag.ceremony.contributions()] == ["stormy weather"]


def test_filling_the_bag_goes_on_where_the_input_ended(toy: Table) -> None:
    lead(toy, Script("stormy weather"), digital=True)
    assert toy.bag.ceremony.phase is Phase.GATHERING
    script = Script("x" * 500, "mild weather")
    said = lead(toy, script, digital=True)
    assert "200 characters" in said
    assert [c["seat"] for c in toy.bag.ceremony.contributions()] == ["A", "B"]
    assert toy.bag.ceremony.phase is Phase.SEALED


ENVYRA = [
    (2, (), 1, "en"),
    (3, (("variant", "basic"),), 2, "sk"),
    (4, (("equilibrium", "c"), ("removed_tiles", "drawn")), 3, "cs"),
]


@pytest.mark.parametrize(("players", "options", "seed", "language"), ENVYRA)
def test_whole_games_of_envyra_are_played_by_numbers_alone(
    store: Store, tmp_path: Path, players: int, options: tuple[tuple[str, str], ...], seed: int, language: str
) -> None:
    names = ("Žofia", "Ján", "Ľuboš", "Zoë")
    seats = tuple(SeatInfo(names[i], c) for i, c in enumerate(("purple", "gray", "pink", "white")[:players]))
    table = begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("envyra", seats, options))
    try:
        player = RandomPlayer(seed)
        said = lead(table, player, language=language)
        result = table.rules.result(table.session.state)
        assert result is not None
        assert f"({result.clause})" in said
        assert all(f"{score.total}" in said for score in result.scores)
        assert table.rules.problems(table.session.state) == ()
        if players == 2:
            again = Companion(tmp_path / "again")
            arguments = [f"--player={seat.name}:{seat.colour}" for seat in seats]
            run = again("play", "s", "--game", "envyra", *arguments, stdin="\n".join(player.typed) + "\n")
            assert f"({result.clause})" in run.out
            lines = [json.loads(line) for line in again("export", "s").out.splitlines()[1:]]
            assert [line["body"]["text"] for line in lines if line["kind"] == "event"] == texts(table)
    finally:
        table.close()


def test_a_failing_disk_is_told_and_the_game_goes_on_when_it_works_again(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    holder = sqlite3.connect(path, isolation_level=None)

    class Mended(Script):
        """Lets the file go when it is asked to try again."""

        def ask(self, prompt: str, *, secret: bool = False) -> str | None:
            if "try again" in prompt:
                holder.execute("ROLLBACK")
            return super().ask(prompt, secret=secret)

    with Store(path, busy_s=0) as store:
        bag = DigitalBag("toy-1", SecretFiles(tmp_path / "secrets"), lambda n: store.records("toy-1", n + 1))
        table = Table(TOY, begin(store, bag=bag), bag)
        holder.execute("BEGIN IMMEDIATE")
        said = lead(table, Mended("", "hide 2", "", "", "hide 2"))
        table.close()
    holder.close()
    assert "another program holds the file" in said
    assert texts(table) == ["A hide 2"]


def test_a_digital_game_that_was_taken_back_from_its_end_gets_a_new_bag(toy: Table) -> None:
    lead(toy, Script("", "", *["", "1", "", "2"] * 3), digital=True)
    toy.session.ask(Undo(to=toy.session.line()[0].number, consents=(Seat.A, Seat.B)))
    lead(toy, Script("", "", *["", "1", "", "2"] * 3), digital=True)
    assert (toy.bag.ceremony.bag, toy.bag.ceremony.phase, toy.bag.drawn) == (2, Phase.REVEALED, 6)


def test_a_choice_that_cannot_be_set_up_tells_all_its_problems(store: Store, tmp_path: Path) -> None:
    seats = (SeatInfo("Eva", "pink"), SeatInfo("Eva", "pink"), SeatInfo("\n", "gray"), SeatInfo("x" * 99, "white"))
    options = (("variant", "none"), ("colour", "x"))
    with pytest.raises(CompanionError) as caught:
        begin_table(store, Settings(data_dir=str(tmp_path)), NewGame("envyra", (*seats, seats[0]), options))
    for part in ("2 to 4 players, got 5", "two players are called Eva", "two players have pink", "'colour'", "variant"):
        assert part in str(caught.value)
    nameless = NewGame("envyra", (SeatInfo("", "pink"), SeatInfo("", "gray")))
    with pytest.raises(CompanionError, match=r"^a name has 1 to 40 characters on one line, got ''\. `"):
        begin_table(store, Settings(data_dir=str(tmp_path)), nameless)
