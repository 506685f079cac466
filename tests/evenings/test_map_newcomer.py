"""A newcomer teaches the companion the tiles of a box of Rifts with a phone over the table, on a phone or a laptop."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from evening_kit import LAPTOP, PHONE, Person
from map_newcomer_kit import (
    MapNewcomer,
    as_drawn,
    as_learnt,
    learn_again,
    learn_colours,
    learn_group,
    learn_tiles,
    read_maps,
    write_flat_box,
)
from newcomer_kit import newcomer, phone_over
from playwright.sync_api import Playwright, expect

from calibration.box_file import read_box
from companion.app.camera.known_box import KnownBox
from companion.core.game_kit.any_table import colour_groups
from companion.games.rifts import GAME
from companion.lab.render.lights import LIGHTS
from companion.lab.scenes.rifts.laid_map import CELLS, laid_out, laid_tokens, made_up_map

SEED = int(os.environ.get("COMPANION_SEED", "6"))
TABLE = os.environ.get("COMPANION_TABLE", "dark")
BARE = os.environ.get("COMPANION_BARE", "felt")  # under all mages and tokens at first
MAPS = int(os.environ.get("COMPANION_MAPS", "8"))
SHEETS = ("dark", "white")
"""Laid under the mages and under the tokens where a piece has the table's colour: what the page says to do."""
SIZE = (1920, 1080)


@pytest.mark.whole_evening
@pytest.mark.system("chromium")
@pytest.mark.parametrize("device", [PHONE, LAPTOP])
def test_a_box_of_rifts_is_learnt_by_taps_alone(tmp_path: Path, device: tuple[int, int]) -> None:
    edition = made_up_map(SEED)
    table, light = TABLE, LIGHTS[SEED % len(LIGHTS)]
    tiles = (edition.catalogue.start, *edition.catalogue.tiles)
    batches = [tiles[k : k + len(CELLS)] for k in range(0, len(tiles), len(CELLS))]
    pictures = [
        _decoded(laid_out(edition, batch, 100 * SEED + k, SIZE, table=table, light=light).jpeg)
        for k, batch in enumerate(batches)
    ]
    begun_s = time.monotonic()
    knows = MapNewcomer(edition)
    with newcomer(tmp_path, device, "?game=rifts") as (playwright, host, url, person):
        page, tally = person.page, person.tally
        for number, (batch, picture) in enumerate(zip(batches, pictures, strict=True), 1):
            with phone_over(playwright, tmp_path, url, picture):
                learn_tiles(person, knows, len(batch), f"map-newcomer-{device[0]}-{number}")
        _teach_colours(playwright, tmp_path, url, person)
        person.tap("#save-box", "save")
        expect(page.locator("#saved a").first).to_be_visible()
        assert host.setup.known is not None
        box = host.setup.known.path
        assert GAME.load_catalogue(host.setup.known.catalogue(host.settings)).piece_counts["locations"] == 24
        seconds = time.monotonic() - begun_s
        assert person.faults == []
        assert knows.wrong == [], "what the page was sure of was right"
        sys.stdout.write(
            f"{seconds:.0f} s, {sum(tally.taps.values())} taps {dict(tally.taps)}, "
            f"{knows.right} of {knows.fields} fields right at first sight\n"
        )
    flat = tmp_path / "flat.zip"
    write_flat_box(flat, edition)
    learnt = GAME.load_catalogue(read_box(box).catalogue)
    with_box = read_maps(KnownBox(box), learnt, edition, as_learnt(knows), range(MAPS))
    with_art = read_maps(KnownBox(flat), edition.catalogue, edition, as_drawn, range(MAPS))
    sys.stdout.write(f"maps read with the box {with_box}, with the flat art {with_art}\n")
    assert with_box.wrong == 0
    assert with_box.right >= 0.9 * with_art.right


@pytest.mark.whole_evening
@pytest.mark.system("chromium")
@pytest.mark.parametrize("device", [PHONE, LAPTOP])
def test_mages_and_tokens_are_learnt_by_what_the_page_says(tmp_path: Path, device: tuple[int, int]) -> None:
    with newcomer(tmp_path, device, "?game=rifts") as (playwright, _, url, person):
        _teach_colours(playwright, tmp_path, url, person)
        assert person.faults == []
        sys.stdout.write(f"edition {SEED}: {dict(person.tally.taps)}\n")


def _teach_colours(playwright: Playwright, folder: Path, url: str, person: Person) -> None:
    """All mages and tokens in one picture; where the page refuses that, on two sheets."""
    light, groups, name = LIGHTS[SEED % len(LIGHTS)], colour_groups(GAME), "map-newcomer"
    every = [piece for group in groups for piece in group]
    with phone_over(playwright, folder, url, _decoded(laid_tokens(SEED, SIZE, every, table=BARE, light=light))):
        learnt = learn_colours(person, name)
    for number, (group, sheet) in enumerate(zip(groups, SHEETS, strict=True) if not learnt else ()):
        with phone_over(playwright, folder, url, _decoded(laid_tokens(SEED, SIZE, group, table=sheet, light=light))):
            learn_group(person, number, name)
    expect(person.page.locator("#colours-note")).to_contain_text("are learnt")
    alone = laid_tokens(SEED, SIZE, groups[0][:1], table=SHEETS[0], light=light)
    with phone_over(playwright, folder, url, _decoded(alone)):
        learn_again(person, 0, 0, name)


def _decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
