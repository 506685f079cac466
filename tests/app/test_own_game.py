"""The guide to a game of one's own, followed word by word: its files written, its commands run, its game shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, chromium, join, shot, until, visitor
from playwright.sync_api import expect
from web_kit import PIN, Caller, make_app

import companion.games
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.core.errors import DataError
from companion.games import add_games, find_game, game_names

ROOT = Path(__file__).parents[2]
PAGES = ("add-your-own-game.md", "check-your-own-game.md")
GUIDE = "\n".join((ROOT / "docs" / "guide" / page).read_text(encoding="utf-8") for page in PAGES)
FILE = re.compile(r"^File `([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.M | re.S)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the guide's files in `mygames`."""
    folder = tmp_path_factory.mktemp("home")
    for name, text in FILE.findall(GUIDE):
        path = folder / "mygames" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def registry(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The guide's folder of games, registered in this process for one test."""
    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    add_games(home / "mygames")
    yield home
    for name in [n for n in sys.modules if n.startswith("companion.games.orchard")]:
        del sys.modules[name]


def test_what_the_tests_need_is_installed_before_they_are_called() -> None:
    before, called, _ = GUIDE.partition("$ python -m pytest")
    assert called
    assert "pip install -c constraints.txt -e '.[test]'" in before  # `make demo` installs what a game needs alone


def commands() -> list[tuple[str, list[str]]]:
    """(command, what its output must hold) of the guide in their order."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(CONSOLE.findall(GUIDE)).splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def run(command: str, environment: dict[str, str], home: Path) -> str:
    """What a command of the guide prints; it must end well."""
    command, _, source = command.partition(" < ")
    words = [word.replace("~", os.fspath(home), 1) if word.startswith("~") else word for word in shlex.split(command)]
    if words[0] == "companion":
        words = ["-m", "companion.app.cli", *words[1:]]
    else:
        assert words.pop(0) == "python"
    stdin = Path(source.replace("~", os.fspath(home), 1)).read_text(encoding="utf-8") if source else ""
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def settings_of(home: Path) -> dict[str, str]:
    """An environment of its own in `home`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("COMPANION_", "XDG_"))}
    return kept | {"HOME": os.fspath(home), "COMPANION_DATA_DIR": os.fspath(home / "data"), "PYTHONUTF8": "1"}


def test_the_guide_leads_to_a_game_that_keeps_the_contract_and_is_played(home: Path) -> None:
    environment, ran = settings_of(home), []
    for command, expected in commands():
        word = command.split()[0]
        if word == "export":
            key, _, value = command.removeprefix("export ").partition("=")
            environment[key] = value.replace("~", os.fspath(home), 1)
            continue
        if command.startswith("companion serve"):
            continue  # shown in a browser by the tests below
        said = run(command, environment, home)
        for line in expected:
            assert line in said, f"`{command}` printed no {line!r}:\n{said}"
        ran.append(word)
    assert ran.count("companion") >= 4
    assert "python" in ran


def played_table(home: Path, data: Path) -> Host:
    """The guide's game after its typed lines, on a host."""
    environment = settings_of(home) | {
        "COMPANION_GAMES_DIR": os.fspath(home / "mygames"), "COMPANION_DATA_DIR": os.fspath(data)
    }
    for command, _ in commands():
        if command.startswith(("companion new", "companion play")):
            run(command, environment, home)
    settings = Settings(data_dir=os.fspath(data))
    return open_host(open_store(settings), settings)


def test_the_guides_game_is_offered_and_refereed_through_the_pages(registry: Path, tmp_path: Path) -> None:
    host = played_table(registry, tmp_path)
    try:
        app = make_app(host)
        offered = {game["name"]: game for game in Caller(app).get("/api/games").get_json()["games"]}
        assert (offered["orchard"]["title"], offered["orchard"]["catalogues"]) == ("Orchard", ["sample"])
        host.resume("first")
        referee = Caller(app, "referee")
        state = referee.state()
        lying = {slot["slot"]: slot["face"] for slot in state["board"]["slots"]}
        assert lying == {"r1c1": "apple-1", "r1c2": "apple-2", "r1c3": "pear-1", "r1c4": "apple-1"}
        assert {row["seat"]: row["total"] for row in state["scores"]} == {"A": 4 + 2, "B": 1 + 1}
        refused = referee.play("A take r1c2").get_json()["refused"]
        assert refused["facts"]["clause"]["id"] == "O3"
        for act in ("A take r1c1", "B take r1c2", "A take r1c4", "B take r1c3"):
            assert referee.play(act).status_code == 200
        # O5: 4 + 2 + 1 + 1 and a pair of apples; 1 + 1 + 2 + 1 and a pair of each fruit
        assert {row["seat"]: row["total"] for row in referee.state()["scores"]} == {"A": 8 + 2, "B": 5 + 4}
        assert referee.state()["result"]["winners"] == ["A"]
    finally:
        host.close()


@pytest.mark.system("chromium")
def test_the_guides_game_is_drawn_on_the_dashboard(registry: Path, tmp_path: Path) -> None:
    host = played_table(registry, tmp_path)
    host.resume("first")
    with serving(host, tmp_path / "web", bind="127.0.0.1", port=0, pin=PIN) as where, chromium() as browser:
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        expect(page.locator(".freeboard g")).to_have_count(4)
        expect(page.get_by_role("img", name="pear 1")).to_have_count(1)
        expect(page.locator("#players")).to_contain_text("Ľuboš")
        shot(page, "own-game")
        phone_context, phone = visitor(browser, PHONE)
        assert host.table is not None
        session = host.table.session
        mover, number = session.rules.to_act(session.state)[0].name, session.number
        join(phone, host, where.url, mover)
        place = phone.locator("#board g.can").first
        taken = place.get_attribute("data-key")
        place.click()
        phone.locator("#acts button.primary").click()
        until(phone, lambda: session.number > number)
        event = next(step.event for step in session.line(number) if step.event is not None)
        assert session.rules.format(event) == f"{mover} take {taken}"
        assert phone.errors == []  # type: ignore[attr-defined]
        phone_context.close()
        assert not page.errors  # type: ignore[attr-defined]
        context.close()


def test_a_folder_of_games_is_registered_once(registry: Path) -> None:
    add_games(registry / "mygames")
    assert game_names().count("orchard") == 1
    assert find_game("orchard").title == "Orchard"


def test_a_name_that_is_taken_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "envyra").mkdir()
    (tmp_path / "envyra" / "__init__.py").write_text("GAME = None\n", encoding="utf-8")
    with pytest.raises(DataError, match="a game is called envyra already"):
        add_games(tmp_path)
    with pytest.raises(DataError, match="found none"):
        add_games(tmp_path / "nowhere")


BROKEN = [("", "GAME"), ("import nothing_like_it", "nothing_like_it"), ("(", "SyntaxError")]


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_a_game_that_cannot_be_loaded_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str
) -> None:
    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    (tmp_path / f"broken{len(text)}").mkdir()
    (tmp_path / f"broken{len(text)}" / "__init__.py").write_text(text, encoding="utf-8")
    add_games(tmp_path)
    with pytest.raises(DataError, match=expected):
        find_game(f"broken{len(text)}")
