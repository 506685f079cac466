"""What is proposed of the faces of a box that is learnt piece by piece: mostly right, and asked where it is unsure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.face_print.face_view import PrintView
from calibration.face_print.figures import find_figure, likeness_at
from calibration.proposals.faces import Proposal
from calibration.proposals.read import FaceReader
from calibration.sample_edition.art import TileFacts, draw_tile
from calibration.sample_edition.style import Style, made_up_style
from companion.core.face_form import Values
from companion.games.envyra.edition.form import FORM
from companion.lab.render.edition import laid_out_otherwise, painted_edition

pytestmark = pytest.mark.long

SEED = 29
SIDE_PX = 110  # as a camera with 1080 lines shows a tile of a table for four

TILES = (
    TileFacts("a", "flora", 0, 1, 2, (), True), TileFacts("b", "flora", 0, 2, 1, (), True),
    TileFacts("c", "flora", 1, 4, 3, ("water",)), TileFacts("d", "flora", 2, 5, 4, ("fire", "water")),
    TileFacts("e", "water", 0, 3, 3, ("fire",)), TileFacts("f", "water", 0, 1, 1, (), True),
    TileFacts("g", "water", 1, 2, 2, ("flora", "flora")), TileFacts("h", "fire", 0, 4, 3, ("flora", "water")),
    TileFacts("i", "fire", 1, 2, 2, (), True), TileFacts("j", "fire", 1, 5, 4, ("water",)),
)  # fmt: skip


def photographed(tile: TileFacts, rng: np.random.Generator, style: Style | None = None) -> np.ndarray:
    """A drawn tile as a camera shows it."""
    return filmed(draw_tile(tile, style or made_up_style(SEED)), rng)


def filmed(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A face as a camera shows it: small, soft, noisy, cut a pixel off."""
    small = cv2.resize(face, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float64)
    square = np.array([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]], np.float32)
    moved = (square + rng.normal(0, 0.8, square.shape)).astype(np.float32)
    cut = cv2.warpPerspective(
        soft, cv2.getPerspectiveTransform(square, moved), (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE
    )
    return np.clip(cut * 0.9 + rng.normal(0, 3, cut.shape), 0, 255).astype(np.uint8)


def told(tile: TileFacts) -> dict[str, str]:
    """What a person reads on it."""
    return {
        "theme": tile.theme, "symbol": str(tile.symbol + 1), "vp": str(tile.vp), "cubes": str(tile.cubes),
        "requires": ",".join(sorted(tile.requires, key=("flora", "water", "fire").index)),
        "start": "yes" if tile.start else "no", "players_3_4": "no",
    }  # fmt: skip


def agree(read: Mapping[str, Proposal], values: Values) -> dict[str, bool]:
    """Field -> whether it was read as it is."""
    return {key: proposal.value == values[key] for key, proposal in read.items()}


@pytest.fixture(scope="module")
def views() -> list[PrintView]:
    rng = np.random.default_rng(SEED)
    return [PrintView.of(photographed(tile, rng)) for tile in TILES]


@pytest.fixture(scope="module")
def first(views: list[PrintView]) -> list[dict[str, Proposal]]:
    return FaceReader(FORM).propose([(view, {}) for view in views])


def test_nine_fields_of_ten_of_a_first_batch_are_proposed_right(first: list[dict[str, Proposal]]) -> None:
    right = [ok for read, tile in zip(first, TILES, strict=True) for ok in agree(read, told(tile)).values()]
    assert len(right) == 7 * len(TILES)
    assert np.mean(right) >= 0.9


def test_nothing_that_is_wrong_is_said_surely(first: list[dict[str, Proposal]]) -> None:
    silent = [
        (tile.id, key, read[key].value)
        for read, tile in zip(first, TILES, strict=True)
        for key, ok in agree(read, told(tile)).items()
        if read[key].sure and not ok
    ]
    assert silent == []


def test_a_tile_laid_later_is_read_by_what_was_confirmed(views: list[PrintView]) -> None:
    known = [(view, told(tile)) for view, tile in zip(views[:-1], TILES[:-1], strict=True)]
    read = FaceReader(FORM).propose([*known, (views[-1], {})])[-1]
    assert agree(read, told(TILES[-1])) == dict.fromkeys(told(TILES[-1]), True)
    assert read["theme"].sure
    assert read["symbol"].sure


def test_a_wrong_word_of_a_person_is_never_overruled(views: list[PrintView]) -> None:
    read = FaceReader(FORM).propose([(view, {"theme": "bonus"}) for view in views])
    assert all("theme" not in one for one in read)
    assert all("symbol" not in one for one in read), "a bonus tile has no symbol of a theme"


WITHOUT_FIGURE = FaceReader(replace(FORM, fields=tuple(one for one in FORM.fields if one.key != "vp")))
"""For what is told of marks and icons: the figure's place takes most of the time of a reading."""


@cache
def other_layout(seed: int, count: int, layout: int = 1) -> tuple[list[PrintView], list[dict[str, str]]]:
    """Faces of a box with thin letters, its marks elsewhere, and what is on them."""
    box, rng = laid_out_otherwise(seed, layout), np.random.default_rng([seed, 77, 0])
    tiles = [box.tiles[k] for k in rng.permutation(len(box.tiles))][:count]
    return [PrintView.of(photographed(tile, rng, box.style)) for tile in tiles], [told(tile) for tile in tiles]


def test_thin_figures_are_read_and_not_the_edges_of_their_badge() -> None:
    views, values = other_layout(17, 12)
    place = find_figure(views, [str(n) for n in range(1, 10)])
    assert place is not None
    read = [str(1 + int(likeness_at(view, place, [str(n) for n in range(1, 10)]).argmax())) for view in views]
    assert sum(one == value["vp"] for one, value in zip(read, values, strict=True)) >= 11


def test_a_thin_mark_that_leaves_little_print_is_never_surely_not_there() -> None:
    views, values = other_layout(32, 24)
    marked = FaceReader(replace(FORM, fields=(FORM.field("start"),)))
    known = [(view, value if k < 12 else {}) for k, (view, value) in enumerate(zip(views, values, strict=True))]
    read = [one["start"] for one in marked.propose(known)[12:]]
    assert [one.value for one in read if one.sure] == [v["start"] for one, v in zip(read, values[12:], strict=True)
                                                       if one.sure]
    assert sum(one.sure for one in read) >= 6, "the bare ones are not asked about"


def test_a_mark_in_nearly_the_tone_of_its_ground_is_never_surely_not_there() -> None:
    """It leaves less print than bare ground beside a neighbour's, but has the shape of the confirmed ones."""
    views, values = other_layout(83, 36, layout=2)
    marked = FaceReader(replace(FORM, fields=(FORM.field("start"),)))
    known = [(view, value if k < 24 else {}) for k, (view, value) in enumerate(zip(views, values, strict=True))]
    read = [one["start"] for one in marked.propose(known)[24:]]
    assert [one.value for one in read] == [value["start"] for value in values[24:]]


def test_emblems_whose_outlines_nearly_cover_each_other_are_never_surely_one() -> None:
    """A flower of seven petals and a star of seven points, the same way up."""
    views, values = other_layout(85, 12, layout=1)
    kept = [{key: value for key, value in one.items() if key != "symbol"} for one in values]
    read = FaceReader(FORM).propose(list(zip(views, kept, strict=True)))
    emblems = {(value["theme"], value["symbol"]) for value in values if value["theme"] == "water"}
    said = {(value["theme"], value["symbol"]): one["symbol"].value for one, value in zip(read, values, strict=True)
            if value["theme"] == "water" and one["symbol"].sure}
    assert len(emblems) > 1
    assert len(set(said.values())) == len(said), "no number surely stands for two of them"


def test_the_ground_with_more_colour_is_guessed_to_be_the_one_that_a_hue_names() -> None:
    """A dull teal for water beside the gray of the bonus tiles: guessed right, and asked."""
    rng = np.random.default_rng(7)
    grounds = {"water": (113, 96, 47), "bonus": (103, 101, 82), "end": (47, 41, 36)}  # BGR
    plain = [np.full((SIDE_PX, SIDE_PX, 3), colour) + rng.normal(0, 2, (SIDE_PX, SIDE_PX, 3))
             for colour in grounds.values()]
    views = [PrintView.of(np.clip(picture, 0, 255).astype(np.uint8)) for picture in plain]
    read = FaceReader(replace(FORM, fields=(FORM.field("theme"),))).propose([(view, {}) for view in views])
    assert [one["theme"].value for one in read] == list(grounds)
    assert not any(one["theme"].sure for one in read)


def test_of_two_grounds_of_one_hue_neither_is_surely_the_one_that_the_hue_names() -> None:
    """Green for flora, and a dull green that is of the bonus tiles: guessed right, and asked."""
    grounds = {"flora": (68, 151, 46), "bonus": (110, 133, 100)}  # BGR
    views = [PrintView.of(np.full((SIDE_PX, SIDE_PX, 3), colour, np.uint8)) for colour in grounds.values()]
    read = FaceReader(replace(FORM, fields=(FORM.field("theme"),))).propose([(view, {}) for view in views])
    assert [one["theme"].value for one in read] == list(grounds)
    assert not any(one["theme"].sure for one in read)


def test_a_hue_alone_never_tells_a_theme_and_a_confirmed_ground_does() -> None:
    """The bonus tiles of a box may be printed on the green that flora usually has."""
    views = [PrintView.of(np.full((SIDE_PX, SIDE_PX, 3), (68, 151, 46), np.uint8)) for _ in range(2)]
    themes = FaceReader(replace(FORM, fields=(FORM.field("theme"),)))
    alone = themes.propose([(views[0], {})])[0]["theme"]
    assert (alone.value, alone.sure) == ("flora", False)
    confirmed = themes.propose([(views[0], {"theme": "bonus"}), (views[1], {})])[1]["theme"]
    assert (confirmed.value, confirmed.sure) == ("bonus", False), "asked: such a green is usually that of flora"
    agreed = themes.propose([(views[0], {"theme": "flora"}), (views[1], {})])[1]["theme"]
    assert (agreed.value, agreed.sure) == ("flora", True)


@pytest.mark.parametrize("border_px", [0, 7])
def test_a_row_of_icons_beside_a_badge_is_no_border(border_px: int) -> None:
    """They cover as much of the rows at the edge as a border does, but are not of one colour."""
    face = np.full((160, 160, 3), (60, 140, 60), np.uint8)
    face[10:24, 104:156] = (30, 30, 30)
    for left in (8, 32, 56, 80):
        face[10:24, left : left + 20] = (240, 240, 240)
    if border_px:
        cv2.rectangle(face, (0, 0), (159, 159), (30, 30, 30), 2 * border_px)
    printed = PrintView.of(face).printed()
    assert printed[13:22, 90].all(), "the icon's middle"
    assert not printed[: max(3, border_px)].any(), "the border"


def test_pale_icons_of_several_colours_stand_for_what_the_grounds_show() -> None:
    views, values = other_layout(61, 12, layout=2)
    read = WITHOUT_FIGURE.propose([(view, {}) for view in views])
    for key in ("requires", "cubes"):
        assert [one[key].value for one in read] == [value[key] for value in values]


@pytest.mark.parametrize("layout", [0, 2])
def test_pale_icons_that_touch_on_one_ground_and_stand_apart_on_another_are_one_line(layout: int) -> None:
    views, values = other_layout(77, 12, layout)
    wanted = FaceReader(replace(FORM, fields=tuple(map(FORM.field, ("theme", "cubes", "requires")))))
    read = wanted.propose([(view, {}) for view in views])
    right = [one["requires"].value == value["requires"] for one, value in zip(read, values, strict=True)]
    assert sum(right) >= 11, "six of these tiles ask for something; without the line all six are read as bare"


def test_one_confirmed_tile_with_as_many_icons_of_another_sort_changes_no_line() -> None:
    """Two of water are confirmed on a tile with two cubes: the cubes of the others are no water."""
    views, values = other_layout(84, 12, layout=0)
    asked = FaceReader(replace(FORM, fields=tuple(map(FORM.field, ("theme", "cubes", "requires")))))
    known = [{"theme": value["theme"], **({"requires": "water,water"} if k == 7 else {})}
             for k, value in enumerate(values)]
    assert (values[7]["requires"], values[7]["cubes"]) == ("water,water", "2")
    read = asked.propose(list(zip(views, known, strict=True)))
    assert [one["requires"].value for k, one in enumerate(read) if k != 7] == [
        value["requires"] for k, value in enumerate(values) if k != 7
    ]


def test_confirmed_tiles_with_as_many_icons_of_another_sort_and_one_number_change_no_line() -> None:
    """Tiles with one requirement and one cube, or two and two, say nothing of which line is whose."""
    views, values = other_layout(1210, 12, layout=2)
    asked = FaceReader(replace(FORM, fields=tuple(map(FORM.field, ("theme", "cubes", "requires")))))
    alike = [k for k, value in enumerate(values) if len(value["requires"].split(",")) == int(value["cubes"])
             and value["requires"]]
    number = max(set(alike_counts := [values[k]["cubes"] for k in alike]), key=alike_counts.count)
    told = [k for k in alike if values[k]["cubes"] == number]
    assert len(told) >= 2
    known = [{"theme": value["theme"], **({"requires": value["requires"]} if k in told else {})}
             for k, value in enumerate(values)]
    read = asked.propose(list(zip(views, known, strict=True)))
    wrong = [k for k, one in enumerate(read) if k not in told and one["requires"].value != values[k]["requires"]]
    assert len(wrong) <= 3, "as many as before anything was confirmed"


def test_requirements_that_tiles_with_a_mark_never_have_are_not_taken_for_the_mark() -> None:
    views, values = other_layout(77, 12, layout=0)
    asked = FaceReader(replace(FORM, fields=tuple(map(FORM.field, ("theme", "start", "cubes", "requires")))))
    read = asked.propose([(view, {}) for view in views])
    assert [one["start"].value for one in read] == [value["start"] for value in values]


def test_a_mark_below_the_cubes_is_no_part_of_their_line() -> None:
    """The line of the cubes could hold ten, and the S stands at its end: eleven tiles were proposed wrongly."""
    views, values = other_layout(1406, 12, layout=1)
    read = WITHOUT_FIGURE.propose([(view, {}) for view in views])
    assert [one["start"].value for one in read] == [value["start"] for value in values]


def test_a_word_in_the_row_of_the_requirements_does_not_hide_their_line() -> None:
    """3/4 stands to the right of them on some tiles: no end or middle of all these runs is in one place."""
    views, values = other_layout(1407, 12, layout=2)
    read = WITHOUT_FIGURE.propose([(view, {}) for view in views])
    assert [one["requires"].value for one in read] == [value["requires"] for value in values]


def test_no_icons_are_surely_counted_before_tiles_with_different_numbers_are_confirmed() -> None:
    """Petals and bars of emblems stand in lines too, where the true line is not found."""
    views, values = other_layout(1407, 12, layout=2)
    kept = [{"theme": value["theme"]} for value in values]
    first = WITHOUT_FIGURE.propose(list(zip(views, kept, strict=True)))
    assert not any(one[key].sure for one in first for key in ("cubes", "requires"))
    single = next(k for k, value in enumerate(values) if value["requires"] and "," not in value["requires"])
    mixed = next(k for k, value in enumerate(values) if len(set(value["requires"].split(","))) > 1)
    told = {single, mixed}
    known = [values[k] if k in told else value for k, value in enumerate(kept)]
    then = WITHOUT_FIGURE.propose(list(zip(views, known, strict=True)))
    sure = [k for k, read in enumerate(then) if k not in told and read["requires"].sure]
    assert len(sure) >= 6
    assert [then[k]["requires"].value for k in sure] == [values[k]["requires"] for k in sure]


def test_where_the_print_does_not_divide_the_confirmed_faces_no_mark_is_told() -> None:
    """A thin S on its own tone was not found, and the cubes of faces without it surely were one."""
    views, values = other_layout(1408, 24, layout=0)
    known = [value if k < 12 else {} for k, value in enumerate(values)]
    read = WITHOUT_FIGURE.propose(list(zip(views, known, strict=True)))[12:]
    assert [(one["start"].value, value["start"]) for one, value in zip(read, values[12:], strict=True)
            if one["start"].value == "yes" and value["start"] == "no"] == []


@cache
def painted(seed: int) -> tuple[list[PrintView], list[dict[str, str]]]:
    """24 faces of a painted box, and what is on them."""
    box, rng = painted_edition(seed), np.random.default_rng([seed, 77, 0])
    tiles = [box.tiles[k] for k in rng.permutation(len(box.tiles))[:24]]
    return [PrintView.of(filmed(box.face(tile.id), rng)) for tile in tiles], [told(tile) for tile in tiles]


def test_paintings_of_one_theme_have_nearly_one_tone_though_no_colour_takes_much_of_them() -> None:
    views, values = painted(2004)
    themes = np.array([value["theme"] for value in values])
    apart = np.array([[np.linalg.norm(one.tone - other.tone) for other in views] for one in views])
    np.fill_diagonal(apart, np.inf)
    nearest = [themes[k] for k in apart.argmin(axis=1)]
    assert [a for a, b in zip(nearest, themes, strict=True) if b != "end"] == [t for t in themes if t != "end"]
    assert all(view.is_painted for view in views)


def test_a_painted_ground_near_a_confirmed_one_is_asked_about() -> None:
    """The purple of the bonus and end tiles is ten Lab units off the blue of water: it was surely taken for it."""
    views, values = painted(2001)
    known = [{"theme": value["theme"]} if value["theme"] == "water" else {} for value in values]
    read = FaceReader(replace(FORM, fields=(FORM.field("theme"),))).propose(list(zip(views, known, strict=True)))
    assert not any(one["theme"].sure for one in read if "theme" in one)


def test_cubes_that_shrink_at_the_only_level_that_shows_them_are_counted_together() -> None:
    """On a painted fire tile three were surely one: only the middle one stands where the line does."""
    views, values = painted(2001)
    counts = FaceReader(replace(FORM, fields=tuple(map(FORM.field, ("theme", "cubes")))))
    known = [value if k < 12 else {} for k, value in enumerate(values)]
    read = counts.propose(list(zip(views, known, strict=True)))
    sure = [k for k, one in enumerate(read) if "cubes" in one and one["cubes"].sure]
    assert len(sure) >= 6
    assert [read[k]["cubes"].value for k in sure] == [values[k]["cubes"] for k in sure]


def test_cubes_of_one_colour_are_never_surely_requirements_of_several_values() -> None:
    """Two confirmed tiles have as many cubes as requirements, two and three: the cubes' line is not that of these."""
    views, values = painted(2002)
    known = [value if k < 12 else {} for k, value in enumerate(values)]
    read = WITHOUT_FIGURE.propose(list(zip(views, known, strict=True)))
    sure = [k for k, one in enumerate(read) if "requires" in one and one["requires"].sure]
    assert [read[k]["requires"].value for k in sure] == [values[k]["requires"] for k in sure]
