"""The verifier tells the draws of the present game in the words of the record's page, and keeps its secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser_kit import chromium, served, shot, visitor
from playwright.sync_api import expect
from web_kit import NAMES, Caller, make_app, play_on

from companion.app.dashboard.host import Host
from companion.games import find_game
from companion.table.commands import DrawNext
from web.handlers.verifying import NO_WORDS, draw_words, with_words
from web.ports.tables import SetupChoice

LANGUAGES = {"sk": "Slovenčina", "en": "English", "cs": "Čeština"}
SHOWN = """() => [...document.querySelectorAll("#rows td:last-child")].map(cell =>
    [cell.firstChild.textContent, cell.querySelector("code")?.textContent ?? ""])"""


def begin(host: Host, game: str, names: tuple[str, ...] = tuple(name for name, _ in NAMES[:2])) -> None:
    """A game of two whose bag is sealed and has made every draw that is due."""
    host.begin(SetupChoice(game, tuple(zip(names, find_game(game).colours, strict=False))))
    assert host.table is not None
    session, desk = host.table.session, host.table.desk
    for step in ("commit", "close", "seal"):
        desk.record(lambda bag, step=step: getattr(bag, step)())
    while session.rules.chance_outcomes(session.state):
        assert session.ask(DrawNext()).accepted


@pytest.mark.system("chromium")
@pytest.mark.parametrize("game", ["envyra", "spyrium"])
def test_a_draw_reads_in_the_verifier_as_on_the_page_of_the_record(tmp_path: Path, game: str) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        begin(host, game)
        assert host.table is not None
        reader, session = Caller(make_app(host)), host.table.session
        export = {"name": "game.jsonl", "mimeType": "application/jsonl", "buffer": host.export(session.header.session)}
        context, page = visitor(browser, locale="sk-SK")
        page.goto(f"{where.url}/verify.html")
        page.set_input_files("#file", export)  # type: ignore[arg-type]
        for language, name in LANGUAGES.items():
            page.get_by_role("button", name=name).click()
            records = reader.get(f"/api/records?lang={language}").get_json()["records"]
            told = [[one["sentence"], one["body"]["text"]] for one in records if one["cause"]["kind"] == "draw"]
            assert told
            expect(page.locator("#rows tr")).to_have_count(len(told))
            assert page.evaluate(SHOWN) == told
        shot(page, f"verified-words-{game}")
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


@pytest.mark.system("chromium")
def test_the_record_of_another_game_is_told_as_its_file_writes_it(tmp_path: Path) -> None:
    with chromium() as browser, served(tmp_path, game=False) as (host, where):
        begin(host, "envyra")
        assert host.table is not None
        first = host.table.session.header.session
        begin(host, "envyra")
        file = host.export(first)
        export = {"name": "game.jsonl", "mimeType": "application/jsonl", "buffer": file}
        context, page = visitor(browser, locale="en-GB")
        page.goto(f"{where.url}/verify.html")
        page.set_input_files("#file", export)  # type: ignore[arg-type]
        expect(page.locator("#rows tr").first).to_be_visible()
        lines = [json.loads(line) for line in file.splitlines()[1:]]
        assert page.evaluate(SHOWN) == [[one["body"]["text"], ""] for one in lines if one["cause"]["kind"] == "draw"]
        context.close()


def test_what_is_still_secret_is_not_among_the_words(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, _):
        begin(host, "rifts")
        assert host.table is not None
        hands = [text for text in draw_words(host.table)["words"]["sk"] if text.startswith("hand ")]
        assert hands == []
        play_on(host, 600, seed=2)
        assert host.table.session.rules.result(host.table.session.state) is not None
        hands = [text for text in draw_words(host.table)["words"]["sk"] if text.startswith("hand ")]
        assert hands


def test_a_name_cannot_end_the_element_of_the_words(tmp_path: Path) -> None:
    with served(tmp_path, game=False) as (host, _):
        begin(host, "rifts", ("</script><b>", "Ján"))
        play_on(host, 600, seed=2)
        page = with_words(f"<p></p>{NO_WORDS}", host.table)
        assert "\\u003c/script>" in page
        assert page.count("</script>") == 1


def test_a_page_without_a_place_for_words_is_refused() -> None:
    with pytest.raises(ValueError, match=r"verify\.html"):
        with_words("<p></p>", None)
