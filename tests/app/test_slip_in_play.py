"""A game's own code that fails in play: told with file and line, nothing is recorded, and the table goes on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from run_companion import Companion
from web_kit import Caller, fresh_key, hosting, make_app

import companion.games
from companion.games import add_games
from companion.table.commands import Play
from web.ports.tables import SetupChoice

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "add-your-own-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"^File `([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.M | re.S)
SEATS = (("Eva", "red"), ("Ján", "blue"))
DEALT = ("deal r1c1 apple-1", "deal r1c2 apple-2", "deal r1c3 pear-1", "deal r1c4 pear-4")
TAKEN, WRONG = "A take r1c4", {"check": "A take r9c9"}
PLAYERS = ("--player", "Eva:red", "--player", "Ján:blue", "--session", "first")
SAID = re.compile(r"nothing was recorded: \w+Error.*\(orchard/rules\.py, line \d+\)")
LATER = 'if state.last == "r1c4": raise LookupError("no basket")'
SLIPS = {
    "check": ("        if action.slot not in PLACES", '        if action.slot == "r9c9":\n            1 / 0\n'),
    "after": ("        tile = state.row[PLACES", '        assert event.slot != "r1c4", "no basket"\n'),
    "legal_actions": ("        every = (Take(", f"        {LATER}\n"),
    "to_act": ("        return () if self._at_chance", f"        {LATER}\n"),
    "view": ("        scores, awaited = ", f"        {LATER}\n"),
    "scores": ("        kinds = {kind.id: kind for", f"        {LATER}\n"),
    "result": ("        if not self._over(state):", f"        {LATER}\n"),
    "describe": ("        if isinstance(event, Take):\n            return", "        BASKET\n"),
}
"""Method -> before which line of the guide's rules the slip stands, and the slip: it shows when r1c4 is taken, that of
`check` when r9c9 is, that of `describe` at once."""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Path]]:
    """Puts the guide's game with a slip in one method into a folder of games, registered for one test."""
    folder = tmp_path / "games"

    def make(method: str) -> Path:
        for name, text in FILE.findall(GUIDE):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        rules, (line, slip) = folder / "orchard" / "rules.py", SLIPS[method]
        text = rules.read_text(encoding="utf-8")
        assert line in text
        rules.write_text(text.replace(line, slip + line, 1), encoding="utf-8")
        add_games(folder)
        return folder

    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    yield make
    for name in [n for n in sys.modules if n.startswith("companion.games.orchard")]:
        del sys.modules[name]


def own(folder: Path, games: Path) -> Companion:
    """The command with that folder of games."""
    return Companion(folder / "home", COMPANION_GAMES_DIR=str(games))


@pytest.mark.parametrize("method", [method for method in SLIPS if method != "describe"])
def test_act_at_which_the_games_code_fails_is_refused_with_its_line_and_the_table_goes_on(
    tmp_path: Path, begun: Callable[[str], Path], method: str
) -> None:
    begun(method)
    with hosting(tmp_path / "home", game=False) as host:
        host.begin(SetupChoice("orchard", SEATS))
        assert host.table is not None
        session, referee = host.table.session, Caller(make_app(host), "referee")
        for text in DEALT:
            assert session.ask(Play(texts=(text,))).accepted
        before = session.number
        act = {"as": "referee", "texts": [WRONG.get(method, TAKEN)], "expected": before, "key": fresh_key()}
        taken = referee.post("/api/play", **act)
        assert taken.status_code == 409
        assert SAID.search(taken.get_json()["error"]["message"])
        assert referee.state()["number"] == session.number == before
        assert session.ask(Play(texts=("A take r1c2",))).accepted


@pytest.mark.parametrize("method", ["after", "legal_actions"])
def test_terminal_tells_where_the_games_code_failed_and_asks_on(
    tmp_path: Path, begun: Callable[[str], Path], method: str
) -> None:
    companion = own(tmp_path, begun(method))
    assert companion("new", "orchard", *PLAYERS).code == 0
    run = companion("play", "first", stdin="apple-1\napple-2\npear-1\npear-4\nr1c4\nr1c2\nstatus\n")
    assert (run.code, "Traceback" in run.err) == (0, False)
    assert SAID.search(run.out)
    assert "A take r1c2" in companion("export", "first").out
    assert "A take r1c4" not in companion("export", "first").out


def test_game_whose_code_fails_at_its_first_state_is_not_begun(tmp_path: Path, begun: Callable[[str], Path]) -> None:
    companion = own(tmp_path, begun("describe"))
    run = companion("new", "orchard", *PLAYERS)
    assert run.code == 1
    assert SAID.search(run.err)
    assert "first" not in companion("status").out


def test_page_that_the_games_code_cannot_fill_says_where_it_failed(
    tmp_path: Path, begun: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("after")
    with hosting(tmp_path / "home", game=False) as host:
        host.begin(SetupChoice("orchard", SEATS))
        assert host.table is not None
        rules = type(host.table.session.rules)
        monkeypatch.setattr(rules, "view", lambda self, *_: self.scores(None))  # raises in the game's file
        caller = Caller(make_app(host))
        answer = caller.get("/api/state")
        assert answer.status_code == 500
        assert answer.get_json()["error"]["code"] == "game-code"
