"""A filmed table with a virtual box, looked at in the browser: an illegal act is seen, explained and put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import as_referee, chromium, served, shot, visitor
from held_film import held_while_alarmed
from playwright.sync_api import expect

import companion.app
from companion.app.dashboard.filmed_game import film_choice
from companion.table.record.updates import Update
from companion.table.session import Session

FILM = Path(companion.app.__file__).parent / "demo" / "film"
READING_MS = 300_000
"""The first illegal act is in picture 17; reading that far takes 15 s on two idle cores."""

pytestmark = pytest.mark.system("chromium")


def test_an_illegal_act_in_the_film_is_explained_and_gone_when_it_is_corrected(tmp_path: Path) -> None:
    with (
        served(tmp_path, game=False, box="virtual:", camera=f"replay:{FILM}", enrolled=FILM) as (host, where),
        chromium() as browser,
    ):
        host.begin(film_choice(FILM))
        assert host.table is not None
        session = host.table.session
        with held_while_alarmed(host, "E31") as go_on:
            context, page = visitor(browser)
            as_referee(page, where.url)
            alert = page.locator("#alerts .alert", has_text="E31")
            expect(alert).to_contain_text("To put it right:", timeout=READING_MS)
            expect(page.locator("#board .wrong")).to_have_count(1)
            expect(page.locator("#camera-state")).to_contain_text(re.compile("settled|hand"))
            shot(page, "story-filmed-illegal")
            go_on.set()
            expect(alert).to_have_count(0, timeout=READING_MS)
        causes = [update.cause.kind.value for update in iter_updates(session)]
        assert causes.count("button") >= 4
        assert causes.count("camera") >= 10
        assert page.errors == []
        context.close()


def iter_updates(session: Session) -> Iterator[Update]:
    """All updates so far."""
    subscription = session.subscribe(0)
    while (update := subscription.get(0)) is not None:
        yield update
