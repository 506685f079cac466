"""A newcomer teaches the companion the spells of a box of Rifts, whose tiles are learnt: a phone over the table."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import ARGUMENTS, PATIENCE_MS, as_referee, served, shot
from card_newcomer_kit import CardNewcomer, learn_cards
from evening_kit import LAPTOP, PHONE, Person, Tally
from newcomer_kit import phone_over
from playwright.sync_api import expect, sync_playwright

from calibration.box_file import read_box
from calibration.course.course import Course
from calibration.course.course_folder import CourseFolder
from calibration.rifts_edition.art import draw_tile
from companion.app.files.atomic_write import write_whole
from companion.games.rifts import GAME
from companion.games.rifts.edition.catalogue import Spell
from companion.games.rifts.edition.form import FORM
from companion.lab.render.lights import LIGHTS
from companion.lab.scenes.laid_cards import laid_out
from companion.lab.scenes.map_newcomer import values_of
from companion.lab.scenes.rifts_spells import made_up_spells, spell_values, spells_in_piles

SEED = int(os.environ.get("COMPANION_SEED", "2"))
TABLE = os.environ.get("COMPANION_TABLE", "wood")
SIZE = (1920, 1080)
MOST_TAPS = 110
"""Each of the 32 spells looks like no other, and of its fields nothing tells some until enough were confirmed."""


def learn_tiles(folder: Path) -> None:
    """The tiles of the sample edition, as if they were learnt the day before."""
    edition = GAME.load_catalogue("sample")
    tiles = (edition.start, *edition.tiles)
    kept = CourseFolder(folder / "enrolment" / GAME.name, GAME.name, write_whole)
    names = [f"{number}-1.png" for number, _ in enumerate(tiles, 1)]
    for name, tile in zip(names, tiles, strict=True):
        kept.add(name, draw_tile(tile, 4.0))
    values = {number: values_of(tile) for number, tile in enumerate(tiles, 1)}
    kept.save(Course(GAME.name).laid(names).accepted(values, FORM))


def printed(spells: Sequence[Spell]) -> list[str]:
    """Spells without their names, which no page asks for."""
    return sorted(str(replace(spell, id="")) for spell in spells)


@pytest.mark.whole_evening
@pytest.mark.system("chromium")
@pytest.mark.parametrize("device", [PHONE, LAPTOP])
def test_the_spells_of_a_box_of_rifts_are_learnt_by_taps_alone(tmp_path: Path, device: tuple[int, int]) -> None:
    edition, light = made_up_spells(SEED), LIGHTS[SEED % len(LIGHTS)]
    learn_tiles(tmp_path / "data")
    begun_s = time.monotonic()
    with sync_playwright() as playwright, served(tmp_path / "data", game=False, camera="browser") as (host, where):
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(ARGUMENTS))
        tally, knows = Tally(), CardNewcomer(edition.faces, partial(spell_values, edition), "pile")
        person = Person(browser, "newcomer", device, tally)
        page = person.page
        as_referee(page, where.url)
        page.goto(f"{where.url}/enrol?game=rifts")
        person.tap('#sorts [data-key="rifts.spell"]', "sort")
        expect(page.locator("#lay-title")).to_contain_text("spells")
        for number, batch in enumerate(spells_in_piles(edition)):
            laid = laid_out(edition.faces, batch, 100 * SEED + number, SIZE, table=TABLE, light=light)
            picture = cv2.imdecode(np.frombuffer(laid.jpeg, np.uint8), cv2.IMREAD_COLOR)
            with phone_over(playwright, tmp_path, where.url, np.asarray(picture)):
                learn_cards(person, knows, batch, f"spell-newcomer-{device[0]}-{number}")
        expect(page.locator("main button.primary:visible")).to_have_text("Save the box")
        person.tap("#save-box", "save")
        expect(page.locator("#saved a").first).to_be_visible()
        shot(page, f"spell-newcomer-{device[0]}-saved")
        assert host.setup.known is not None
        box = read_box(host.setup.known.path)
        seconds = time.monotonic() - begun_s
        sys.stdout.write(
            f"{seconds:.0f} s, {sum(tally.taps.values())} taps {dict(tally.taps)}, "
            f"{sum(knows.right.values())} of {sum(knows.shown.values())} fields right at first sight "
            f"({', '.join(f'{key} {knows.right[key]} of {count}' for key, count in knows.shown.items())})\n"
        )
        assert person.faults == []
        assert knows.wrong == [], "what the page was sure of was right"
        assert sum(tally.taps.values()) <= MOST_TAPS
        browser.close()
    learnt, sample = GAME.load_catalogue(box.catalogue), GAME.load_catalogue("sample")
    assert printed(learnt.spells) == printed(edition.spells)
    assert [tile.spaces for tile in learnt.tiles] == [tile.spaces for tile in sample.tiles]
    assert {spell.id for spell in learnt.spells} < set(box.references)
