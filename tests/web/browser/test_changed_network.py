"""A phone that changes its network says that the link is lost, and goes on by itself where the game then is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_kit import PHONE, chromium, join, served, until, visitor
from playwright.sync_api import Browser, expect
from silent_network import SilentNetwork
from web_kit import play_on

pytestmark = pytest.mark.system("chromium")

NUMBER = "() => import('/static/page/live.js').then((live) => live.state.number)"
HEAR_BANNERS = """() => {
  const place = document.querySelector("#banners");
  window.told = "";
  new MutationObserver(() => (window.told += place.textContent)).observe(place, { childList: true, subtree: true });
}"""
"""What banners say, however short: the browser's emulation leaves an open stream alive, which takes them away again."""
NOTICED_MS = 60_000
"""Far less than any timeout of TCP: who looks at the phone does not wait for a minute."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_a_phone_without_network_says_so_and_comes_back_where_the_game_is(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where):
        person, phone = visitor(browser, PHONE, locale="cs-CZ")
        join(phone, host, where.url, "A")
        expect(phone.locator("#headline")).not_to_be_empty()
        phone.evaluate(HEAR_BANNERS)
        person.set_offline(True)
        until(phone, lambda: "Spojení se společníkem se ztratilo" in phone.evaluate("window.told"))
        play_on(host, 1)
        person.set_offline(False)
        expect(phone.locator("#banners .bad")).to_have_count(0)
        assert host.table is not None
        session = host.table.session
        until(phone, lambda: phone.evaluate(NUMBER) == session.number)
        person.close()


@pytest.mark.long
def test_a_connection_that_fell_silent_is_told_within_seconds_and_replaced(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (host, where), SilentNetwork(int(where.url.rsplit(":", 1)[1])) as network:
        person, phone = visitor(browser, PHONE)
        join(phone, host, network.url, "A")
        expect(phone.locator("#headline")).not_to_be_empty()
        phone.wait_for_timeout(3000)  # long enough to hear that the stream is there
        network.fall_silent()
        play_on(host, 1)
        assert host.table is not None
        session = host.table.session
        expect(phone.locator("#banners .bad")).to_contain_text("The link to the companion is lost", timeout=NOTICED_MS)
        # The browser tries its other open connections first, which are as silent.
        until(phone, lambda: phone.evaluate(NUMBER) == session.number)
        expect(phone.locator("#banners .bad")).to_have_count(0)
        assert phone.errors == []  # type: ignore[attr-defined]
        person.close()
