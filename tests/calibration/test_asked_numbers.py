"""What stands on no piece is asked once of a box: it is of the box when it was said, else a sample value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.course.course import Course
from calibration.course.course_folder import INDEX, CourseFolder
from calibration.course.written_catalogue import catalogue_toml
from companion.app.files.atomic_write import write_whole
from companion.core.game_kit.catalogue_reader import Provenance
from companion.games.rifts.edition import catalogue as rifts
from companion.games.rifts.edition.form import FORM as TILES
from companion.games.rifts.edition.spell_form import SPELL_FORM
from companion.games.rifts.edition.world import Item
from companion.games.spyrium.edition.form import FORM as CARDS
from companion.lab.scenes.rifts.read_values import values_of

SAMPLE = rifts.load_catalogue("sample")
KEPT = (
    Course("rifts")
    .laid([f"{n}.png" for n in range(1 + len(SAMPLE.tiles))], [values_of(one) for one in (SAMPLE.start, *SAMPLE.tiles)])
    .accepted({}, TILES)
    .kept
)


def box_with(numbers: dict[str, int]) -> rifts.Catalogue:
    return rifts.load_catalogue(catalogue_toml("rifts", "mine", "Mine", KEPT, TILES, [((), SPELL_FORM)], numbers))


def test_as_long_as_nobody_says_them_store_temples_and_gold_are_the_samples() -> None:
    box = box_with({})
    assert (box.prices, box.temples, box.enemies) == (SAMPLE.prices, SAMPLE.temples, SAMPLE.enemies)
    assert box.provenance["horse", "price"] is Provenance.SAMPLE
    assert {one.key: one.sample for one in TILES.asked}["price_horse"] == SAMPLE.prices[Item.HORSE]
    assert len(TILES.asked) == 3 + 3 + 3 * 2 * 3  # N4; N30; N40: three temples, three encounters each


def test_what_is_said_is_of_the_box_and_a_temple_once_all_of_it_was_said() -> None:
    box = box_with({"price_boat": 9, "enemies_2": 5, "health_fire_1": 7, **{f"coins_air_{k}": k for k in (1, 2, 3)}})
    assert (box.prices[Item.BOAT], dict(box.enemies)[2]) == (9, 5)
    assert (box.temples[0].health[0], box.temples[2].coins) == (7, (1, 2, 3))
    origins = {key: box.provenance[key] for key in (
        ("boat", "price"), ("horse", "price"), ("temple-fire", "health"), ("temple-air", "coins"))}
    assert list(origins.values()) == [Provenance.BOX, Provenance.SAMPLE, Provenance.SAMPLE, Provenance.BOX]


def test_the_residence_track_beyond_its_four_is_said() -> None:
    assert CARDS.unseen is not None
    assert "[2, 3, 4, 5, 6, 7], provenance = \"sample\"" in CARDS.unseen({})  # S3 prints 2, 3 and 4
    assert "[2, 3, 4, 5, 8, 7], provenance = \"sample\"" in CARDS.unseen({"residence_5": 8})
    said = {one.key: value for one, value in zip(CARDS.asked, (6, 8, 11), strict=True)}
    assert "[2, 3, 4, 6, 8, 11], provenance = \"box\"" in CARDS.unseen(said)


@pytest.mark.parametrize("numbers", [{"residence_9": 8}, {"residence_4": 4}, {"residence_4": 21}])
def test_a_number_that_is_not_asked_or_cannot_be_is_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="within its bounds"):
        Course("spyrium").said(numbers, CARDS)


def test_numbers_are_kept_with_the_course_and_a_course_from_before_has_none(tmp_path: Path) -> None:
    folder = CourseFolder(tmp_path, "spyrium", write_whole)
    folder.save(Course("spyrium").said({"residence_4": 6}, CARDS))
    assert folder.read().numbers == {"residence_4": 6}
    data = json.loads((tmp_path / INDEX).read_text())
    del data["numbers"]
    (tmp_path / INDEX).write_text(json.dumps(data))
    assert folder.read() == Course("spyrium")
