"""A newcomer teaches the companion the spells of a box of Rifts, whose tiles are learnt: a phone over the table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from card_newcomer_kit import CardNewcomer, teach_cards
from evening_kit import LAPTOP, PHONE

from calibration.box_file import read_box
from calibration.course.course import Course
from calibration.course.course_folder import CourseFolder
from calibration.rifts_edition.art import draw_tile
from companion.app.files.atomic_write import write_whole
from companion.games.rifts import GAME
from companion.games.rifts.edition.catalogue import Spell
from companion.games.rifts.edition.form import FORM
from companion.lab.scenes.rifts.read_values import values_of
from companion.lab.scenes.rifts.spells import made_up_spells, spell_values, spells_in_piles

SEED = int(os.environ.get("COMPANION_SEED", "2"))
TABLE = os.environ.get("COMPANION_TABLE", "wood")
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
    edition = made_up_spells(SEED)
    learn_tiles(tmp_path / "data")
    knows = CardNewcomer(edition.faces, partial(spell_values, edition), "pile")
    box = read_box(teach_cards(
        tmp_path, device, knows, spells_in_piles(edition), "spell-newcomer", game=GAME.name, sort="spell", seed=SEED,
        table=TABLE, most_taps=MOST_TAPS,
    ))
    learnt, sample = GAME.load_catalogue(box.catalogue), GAME.load_catalogue("sample")
    assert printed(learnt.spells) == printed(edition.spells)
    assert [tile.spaces for tile in learnt.tiles] == [tile.spaces for tile in sample.tiles]
    assert {spell.id for spell in learnt.spells} < set(box.references)
