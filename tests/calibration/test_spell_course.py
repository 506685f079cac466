"""Learning the spells of Rifts beside its tiles: their catalogue, copies by pile, counts, and one box of both sorts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.box_file import read_box
from calibration.course.course import Course
from calibration.course.course_folder import CourseFolder
from calibration.course.written_catalogue import catalogue_toml, piece_ids
from companion.app.enrolment.enrolment import OTHERS_WRONG, Enrolment
from companion.app.enrolment.looking import LooseEyes
from companion.app.files.atomic_write import write_whole
from companion.app.files.settings import Settings
from companion.core.errors import DataError
from companion.core.face_form import FaceForm, Values
from companion.games.rifts.edition.catalogue import Spell, load_catalogue
from companion.games.rifts.edition.form import FORM
from companion.games.rifts.edition.spell_form import SPELL_FORM
from companion.lab.scenes.rifts.read_values import values_of
from companion.lab.scenes.rifts.spells import made_up_spells, spell_values, spells_in_piles
from vision.locate.markers import MarkerLayout

SAMPLE = load_catalogue("sample")
TILES = [values_of(tile) for tile in (SAMPLE.start, *SAMPLE.tiles)]
EDITION = made_up_spells(5)
CARDS = [spell_values(EDITION, face) for batch in spells_in_piles(EDITION) for face in batch]
SPELLS = "rifts.spell"


def course_of(name: str, pieces: list[dict[str, str]], form: FaceForm, *, kept: bool = True) -> Course:
    course = Course(name).laid([f"{number}-1.png" for number, _ in enumerate(pieces, 1)], pieces)
    return course.accepted({}, form) if kept else course


def printed(spells: tuple[Spell, ...]) -> list[str]:
    return sorted(str(replace(spell, id="")) for spell in spells)


def laid_in(folder: Path, course: Course) -> None:
    kept = CourseFolder(folder / "enrolment" / course.game, course.game, write_whole)
    rng = np.random.default_rng(1)
    for one in course.pieces:
        kept.add(one.pictures[0], rng.integers(0, 255, (24, 24, 3), dtype=np.uint8))
    kept.save(course)


def enrolment(folder: Path) -> Enrolment:
    eyes = LooseEyes(lambda: None, MarkerLayout, lambda _: (None, None))
    return Enrolment(Settings(data_dir=str(folder)), eyes, lambda _: None)


def test_spells_told_card_by_card_are_those_of_the_edition() -> None:
    tiles, cards = course_of("rifts", TILES, FORM), course_of(SPELLS, CARDS, SPELL_FORM)
    text = catalogue_toml("rifts", "mine", "Mine", tiles.kept, FORM, [(cards.kept, SPELL_FORM)])
    assert printed(load_catalogue(text).spells) == printed(EDITION.spells)


def test_a_spell_of_both_piles_without_a_price_is_one_with_copies_in_each() -> None:
    card = {"element": "fire", "damage": "2", "fuel": "air", "boost": "1"}
    pieces: list[Values] = [card | {"pile": "start"}, card | {"pile": "book", "price": "3"}, card | {"pile": "start"}]
    kept = course_of(SPELLS, [dict(one) for one in pieces], SPELL_FORM).kept
    ids = piece_ids(kept, SPELL_FORM)
    assert ids[1] == ids[3] != ids[2]  # what is for sale has its price printed, another face
    text = catalogue_toml("rifts", "mine", "Mine", kept, SPELL_FORM)
    assert (text.count("start = 2"), text.count("book = 1"), text.count("price = 3")) == (1, 1, 1)


def test_every_element_needs_a_starting_deck_and_a_spell_book() -> None:
    lines = {str(line.text): line for line in SPELL_FORM.progress(CARDS)}
    assert len(lines) == 8
    assert all(line.have == line.want for line in lines.values())
    without = [card for card in CARDS if (card["element"], card["pile"]) != ("water", "start")]
    short = [str(line.text) for line in SPELL_FORM.progress(without) if line.have < line.want]
    assert short == ["Starting deck, water: at least 5 spells"]  # N1: a hand of five


def test_tiles_and_spells_are_learnt_each_by_itself_and_saved_as_one_box(tmp_path: Path) -> None:
    port = enrolment(tmp_path)
    assert list(port.sorts("rifts")) == ["rifts", SPELLS]
    laid_in(tmp_path, course_of(SPELLS, CARDS, SPELL_FORM))
    assert port.read(SPELLS).trouble == OTHERS_WRONG
    with pytest.raises(DataError, match="another sort"):
        port.save(SPELLS, "Mine")
    laid_in(tmp_path, course_of("rifts", TILES, FORM))
    assert (port.read("rifts").trouble, port.read(SPELLS).trouble) == ("", "")
    both = read_box(tmp_path / "boxes" / port.save(SPELLS, "Mine"))
    learnt = load_catalogue(both.catalogue)
    assert both.game == "rifts"
    assert printed(learnt.spells) == printed(EDITION.spells)
    assert set(both.references) == {"start", *(tile.id for tile in learnt.tiles), *(one.id for one in learnt.spells)}


def test_spells_may_be_left_out_but_not_half_learnt(tmp_path: Path) -> None:
    port = enrolment(tmp_path)
    laid_in(tmp_path, course_of("rifts", TILES, FORM))
    box = load_catalogue(read_box(tmp_path / "boxes" / port.save("rifts", "Tiles")).catalogue)
    assert box.spells == SAMPLE.spells
    assert {origin.value for (piece, _), origin in box.provenance.items() if piece == "ember"} == {"sample"}
    laid_in(tmp_path, course_of(SPELLS, CARDS[:5], SPELL_FORM))
    assert port.read("rifts").trouble == OTHERS_WRONG
