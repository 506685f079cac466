"""A newcomer teaches the companion a box with a phone over the table, and begins a refereed game with it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser_kit import shot
from evening_kit import LAPTOP
from newcomer_kit import Newcomer, batches_of, learn_batch, newcomer, phone_over, values_of
from playwright.sync_api import expect

from companion.lab.render.edition import sample_edition
from companion.lab.scenes.envyra_pictures import WEBCAMS
from companion.lab.scenes.make_set import write_edition, write_enrolment

MOST_TAPS = 70


def pictures(tmp_path: Path) -> Path:
    """A set with pictures of all tiles laid out: the folder that COMPANION_SCENES names, or the sample edition's."""
    named = os.environ.get("COMPANION_SCENES")
    if named:
        return Path(named)
    edition = sample_edition()
    write_edition(tmp_path / "set", edition, 0)
    write_enrolment(tmp_path / "set" / "enrol", edition, 3, WEBCAMS, tiles=True)
    return tmp_path / "set"


@pytest.mark.whole_evening
@pytest.mark.system("chromium")
def test_a_newcomer_comes_from_an_empty_folder_to_a_refereed_game(tmp_path: Path) -> None:
    scenes = pictures(tmp_path)
    begun_s = time.monotonic()
    with newcomer(tmp_path, LAPTOP) as (playwright, host, url, person):
        page, tally = person.page, person.tally
        knows = Newcomer(values_of(scenes / "catalogue.json"))
        for number, batch in enumerate(batches_of(scenes / "enrol"), 1):
            knows.see(batch)
            with phone_over(playwright, tmp_path, url, batch.picture):
                learn_batch(person, knows, batch)
            shot(page, f"newcomer-{number}")
        cubes = cv2.imread(str(scenes / "enrol" / "cubes.jpg"))
        assert isinstance(cubes, np.ndarray)
        with phone_over(playwright, tmp_path, url, cubes):
            expect(page.locator("#outlines polygon")).to_have_count(0)
            person.tap("#colours", "colours")
            expect(page.locator("#colours-note")).to_contain_text("are learnt")
        person.tap("#save-box", "save")
        expect(page.locator("#saved a").first).to_be_visible()
        page.goto(f"{url}/setup")
        expect(page.locator("#catalogue")).to_have_value("your-box")
        for place, name in enumerate(("Eva", "Ján")):
            person.tap(page.locator(".seat-name").nth(place), "names")
            page.locator(".seat-name").nth(place).fill(name)
        person.tap("#begin", "begin")
        page.wait_for_url(f"{url}/referee")
        assert host.table is not None
        assert host.setup.known is not None
        assert person.faults == []
        assert knows.wrong == [], "what the page was sure of was right"
        assert knows.right >= 0.9 * knows.fields
        assert sum(tally.taps.values()) <= MOST_TAPS
        sys.stdout.write(
            f"{time.monotonic() - begun_s:.0f} s, {sum(tally.taps.values())} taps {dict(tally.taps)}, "
            f"{knows.right} of {knows.fields} fields right at first sight\n"
        )
