"""The drawn cards of a market: nothing that is written or drawn on one leaves it or lies on something else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_kit import chromium, served, visitor
from playwright.sync_api import expect
from web_kit import NAMES as PEOPLE
from web_kit import Caller, make_app, play_on

from companion.games import find_game
from web.ports.tables import SetupChoice

pytestmark = pytest.mark.system("chromium")

NAMES = ("Working-class neighbourhood", "Laboratórium", "Robotnícka štvrť", "Taylorizmus", "Strojárstvo")
DRAW = """async ([title, named]) => {
  const { card } = await import('/static/market/cards.js'), { s } = await import('/static/page/dom.js');
  const one = { sort: 'building', title, points: 4, symbols: ['factory', 'laboratory'], effects: [] };
  const [width, height, unit] = named ? [132, 104, 17] : [136, 64, 19];
  const svg = s('svg', { width, height }, card(one, 0, 0, width, height, unit, { price: false, name: named }));
  document.body.append(svg);
  const box = (e) => (({ left, right, top, bottom }) => ({ left, right, top, bottom }))(e.getBoundingClientRect());
  return {
    card: box(svg),
    texts: [...svg.querySelectorAll('text')].filter((e) => e.textContent.length > 1).map(box),
    signs: [...svg.querySelectorAll(':scope > svg > svg')].map(box),
  };
}"""
Box = dict[str, float]


def overlap_px(a: Box, b: Box) -> float:
    """How far two boxes lie on each other, the shorter way."""
    across, down = min(a["right"], b["right"]) - max(a["left"], b["left"]), min(a["bottom"], b["bottom"]) - max(
        a["top"], b["top"]
    )
    return max(0.0, min(across, down))


def test_names_stay_on_their_card_and_symbols_leave_the_points_to_be_read(tmp_path: Path) -> None:
    with served(tmp_path) as (_, where), chromium() as browser:
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        for name in NAMES:
            seen = page.evaluate(DRAW, [name, True])
            assert seen["texts"], name
            for text in seen["texts"]:
                assert text["left"] >= seen["card"]["left"], name
                assert text["right"] <= seen["card"]["right"], name
        star, *symbols = page.evaluate(DRAW, ["Laboratórium", False])["signs"]
        assert len(symbols) >= 2
        assert max(overlap_px(star, one) for one in symbols) < 1
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


DRAW_TILE = """async (cubes) => {
  const { tileSvg } = await import('/static/board/tiles.js');
  const tile = { theme: 'water', symbol: 1, vp: 5, cubes: 5, requires: [], start: false };
  const svg = tileSvg(tile, cubes);
  svg.setAttribute('width', 400);
  document.body.append(svg);
  const box = (e) => (({ left, right, top, bottom }) => ({ left, right, top, bottom }))(e.getBoundingClientRect());
  const [ground, ...parts] = svg.children;
  return {
    tile: box(ground),
    printed: parts.slice(0, -cubes.length).map(box),
    cubes: parts.slice(-cubes.length).map((cube) => box(cube.querySelector('rect'))), // a pattern is cut at its edge
  };
}"""


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_cubes_on_a_tile_lie_on_nothing_that_is_printed_nor_on_each_other(tmp_path: Path, count: int) -> None:
    with served(tmp_path) as (_, where), chromium() as browser:
        context, page = visitor(browser)
        page.goto(f"{where.url}/table")
        seen = page.evaluate(DRAW_TILE, list("ABCDA")[:count])
        assert len(seen["printed"]) >= 7  # symbol, star, five cubes to capture
        for i, one in enumerate(seen["cubes"]):
            assert one["left"] > seen["tile"]["left"]
            assert one["right"] < seen["tile"]["right"]
            others = [*seen["printed"], *seen["cubes"][:i]]
            assert max(overlap_px(one, other) for other in others) < 1
        assert page.errors == []  # type: ignore[attr-defined]
        context.close()


UNDER = """() => [...document.querySelectorAll(".market .place:has(> svg):has(> .number)")].flatMap(place => {
    const number = place.querySelector(".number").getBoundingClientRect();
    return [...place.querySelectorAll(":scope > svg :is(text, svg)")].filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < number.right && box.right > number.left
            && box.top < number.bottom - 4 && box.bottom > number.top + 4;
    }).map(one => one.textContent); })"""
"""What of the cards lies under the numbers of their places."""


@pytest.mark.parametrize("size", [(390, 844), (1920, 1080)])
def test_the_places_of_a_market_bear_the_numbers_by_which_gaps_are_offered(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with served(tmp_path, game=False) as (host, where), chromium() as browser:
        colours = find_game("spyrium").colours
        host.begin(SetupChoice("spyrium", tuple((name, colours[i]) for i, (name, _) in enumerate(PEOPLE))))
        play_on(host, 60, seed=5)
        context, page = visitor(browser, size)
        page.goto(f"{where.url}/table")
        expect(page.locator(".market .number")).to_have_text([str(n) for n in range(1, 10)])
        places = page.locator(".market .place:has(> .number)")
        called = Caller(make_app(host)).state()["names"]
        for n, place in enumerate(places.all(), start=1):
            assert called[place.get_attribute("data-key") or ""] == f"market place {n}"
            said = place.get_attribute("aria-label") or ""
            assert said.startswith(f"market place {n}: ")
            assert not re.search(r"\d (pounds|points|worker)\b", said)  # "1 pounds": numbers stand behind their word
        assert page.evaluate(UNDER) == []
        context.close()
