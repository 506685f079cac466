"""Every page in every state at three sizes on one sheet: `make contact-sheet` writes it to artefacts/contact-sheet.

Each size shows light or dark and another language by turns. `index.html` has all pictures side by side; on standard
output stand the serious findings of axe-core, texts wider than the screen, and errors of scripts.
"""

from __future__ import annotations

import html
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from browser_kit import as_referee, chromium, join, serious, visitor
from playwright.sync_api import Browser, Page
from web_kit import NAMES, PIN, deal, hosting, play_on

from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import serving
from companion.games import find_game
from companion.table.commands import Note, Topic
from web.ports.tables import SetupChoice

SHEET = Path(__file__).parents[3] / "artefacts" / "contact-sheet"
SIZES = ((390, 844), (1280, 800), (1920, 1080))
SCHEMES, LANGUAGES = ("light", "dark"), ("en", "sk", "cs")
ENOUGH_TO_END = 2000
"""Random acts: no game of the three takes so many."""
SETTLED_MS = 500
STYLE = """
body { font: 14px sans-serif; display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); }
figure { margin: 0; }
img { width: 100%; max-height: 420px; object-fit: contain; object-position: top; border: 1px solid #999; }
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the table and the pages that are looked at in it; `prepare` brings a fresh host there."""

    name: str
    prepare: Callable[[Host], None]
    pages: tuple[str, ...]


def _begin(game: str, players: int, acts: int, draws: str = "physical") -> Callable[[Host], None]:
    def prepare(host: Host) -> None:
        spec = find_game(game)
        seats = tuple((name, spec.colours[i]) for i, (name, _) in enumerate(NAMES[:players]))
        host.begin(SetupChoice(game, seats, draws=draws))
        if acts:
            play_on(host, acts, seed=5)

    return prepare


def _noted(prepare: Callable[[Host], None], topic: Topic, text: str = "") -> Callable[[Host], None]:
    def noted(host: Host) -> None:
        prepare(host)
        assert host.table is not None
        assert host.table.session.ask(Note(topic=topic, text=text)).accepted

    return noted


def _nothing(host: Host) -> None:
    assert host.table is None


def _dealt(host: Host) -> None:
    _begin("envyra", 3, 0)(host)
    deal(host)


SCENES = (
    Scene("no-game", _nothing, (
        "/", "/table", "/referee?login", "/setup", "/camera", "/tally", "/history", "/join/A", "/overlay",
        "/nothing-here", "/verify.html",
    )),
    Scene("envyra-draw-by-hand", _begin("envyra", 3, 0), ("/table", "/referee", "/draws?referee")),
    Scene("envyra-bag", _begin("envyra", 3, 0, "digital"), ("/draws?referee", "/table")),
    Scene("envyra-choosing", _dealt, ("/table", "/seat/A", "/referee", "/record", "/charts", "/sheet", "/tally")),
    Scene("envyra-clocks", _noted(_begin("envyra", 4, 30), Topic.CLOCK, "20"), ("/table", "/seat/B", "/record")),
    Scene("envyra-paused", _noted(_begin("envyra", 3, 20), Topic.PAUSE), ("/table", "/seat/A", "/referee")),
    Scene("envyra-over", _begin("envyra", 3, ENOUGH_TO_END), (
        "/table", "/seat/A", "/result", "/history", "/charts", "/sheet", "/overlay/grid", "/overlay/score",
    )),
    Scene("spyrium", _begin("spyrium", 4, 60), (
        "/table", "/seat/A", "/seat/B", "/referee", "/record", "/overlay/grid",
    )),
    Scene("spyrium-over", _begin("spyrium", 5, ENOUGH_TO_END), ("/table", "/result", "/charts")),
    Scene("rifts", _begin("rifts", 3, 40), ("/table", "/seat/A", "/referee", "/sheet")),
)  # fmt: skip
"""What follows a question mark says who looks, and is no part of the address: `login` before the PIN was given."""


def role_of(path: str) -> str:
    """Who looks at a page: a seat's letter, the referee, or "" for anybody."""
    address, _, role = path.partition("?")
    if address.startswith("/seat/"):
        return address[-1]
    leads = role == "referee" or address in ("/referee", "/setup", "/camera", "/tally")
    return "referee" if leads and role != "login" else ""


def known_as(browser: Browser, host: Host, url: str, role: str) -> Any:
    """The cookies of somebody in a role: who gives the PIN for each picture is made to wait."""
    context, page = visitor(browser)
    if role == "referee":
        as_referee(page, url)
    else:
        join(page, host, url, role)
    cookies = context.storage_state()
    context.close()
    return cookies


def pictures(browser: Browser, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Write every picture: yields its file, what it shows, and what is wrong with it."""
    turn = count()
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as data, hosting(Path(data), game=False, box="virtual:") as host:
            scene.prepare(host)
            with serving(host, Path(data) / "web", bind="127.0.0.1", port=0, pin=PIN) as where:
                roles = {role for path in scene.pages if (role := role_of(path))}
                cookies = {role: known_as(browser, host, where.url, role) for role in sorted(roles)}
                for path in scene.pages:
                    for size in SIZES:
                        number = next(turn)
                        scheme, language = SCHEMES[number % 2], LANGUAGES[number % 3]
                        context, page = visitor(
                            browser, size, color_scheme=scheme, locale=language, reduced_motion="reduce",
                            storage_state=cookies.get(role_of(path)),
                        )
                        page.goto(where.url + path.partition("?")[0])
                        page.wait_for_timeout(SETTLED_MS)
                        name = f"{scene.name}{path.replace('/', '-').replace('?', '-')}-{size[0]}.png"
                        whole = not (path.startswith(("/table", "/overlay/")) and size[0] > SIZES[0][0])
                        page.screenshot(path=os.fspath(folder / name), full_page=whole)
                        yield name, f"{scene.name} {path}, {size[0]} px, {scheme}, {language}", faults(page, size[0])
                        context.close()


def faults(page: Page, width: int) -> str:
    """Errors of scripts, serious findings of axe-core, a page wider than the screen; "" when all is well."""
    found = [*page.errors, *serious(page)]  # type: ignore[attr-defined]
    wide = page.evaluate("document.documentElement.scrollWidth")
    return "; ".join([*found, *([f"{wide} px wide"] if wide > width else [])])


def main() -> int:
    """Write the sheet; the number of pictures with a fault is the exit code, at most 1."""
    shutil.rmtree(SHEET, ignore_errors=True)
    SHEET.mkdir(parents=True)
    rows, bad = [], 0
    with chromium() as browser:
        for name, shown, fault in pictures(browser, SHEET):
            if fault:
                bad += 1
                print(f"{shown}: {fault}", flush=True)
            said = html.escape(f"{shown}{': ' + fault if fault else ''}")
            picture = f'<a href="{name}"><img src="{name}" loading="lazy" alt=""></a>'
            rows.append(f"<figure>{picture}<figcaption>{said}</figcaption></figure>")
    head = f"<!doctype html><meta charset=utf-8><title>Contact sheet</title><style>{STYLE}</style>"
    (SHEET / "index.html").write_text(f"{head}{''.join(rows)}\n", encoding="utf-8")
    print(f"{len(rows)} pictures, {bad} with a fault: {SHEET / 'index.html'}")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
