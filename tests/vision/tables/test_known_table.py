"""A followed tile's reading is weighed with how it looked when it was agreed what lay there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from learnt_sets import learnt

import companion.app
from companion.app.camera.film import read_jobs
from companion.core.layout import SlotView
from vision.pieces.finder import FoundPiece
from vision.pieces.probability import Counted
from vision.scenes.scene_set import picture
from vision.tables.again.difference import KnownPlace, PlaceDifference
from vision.tables.known_table import KnownTable, standing_of, told_by
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReader, TableReading

FILM = Path(companion.app.__file__).parent / "demo" / "film"


def reading(state: PlaceState, face: str | None, pieces: tuple[tuple[str, int], ...], pieces_p: float) -> PlaceReading:
    ranked = ((face or "fire-1-a", 0.99 if face else 0.3),)
    return PlaceReading("r1c1", TILE, state, face, ranked[0][1], 0, ranked, pieces, pieces_p, 8.0, np.zeros((4, 2)))


def known(p: float = 0.99) -> KnownPlace:
    crop = np.zeros((4, 4, 3), np.uint8)
    return KnownPlace("water-1-a", (), (), None, crop, np.zeros((4, 2)), np.zeros((4, 2)), p)  # type: ignore[arg-type]


def difference(pieces: tuple[tuple[str, int], ...], p: float) -> PlaceDifference:
    return PlaceDifference(pieces, p, (), Counted(100.0, 0.0, 0.0), 0.9)


def test_a_piece_on_a_tile_that_cannot_be_named_is_counted() -> None:
    told = told_by(reading(PlaceState.UNKNOWN, None, (), 0.0), known(), difference((("pink", 1),), 0.98))
    assert (told.state, told.face, told.pieces) == (PlaceState.FACE, "water-1-a", (("pink", 1),))
    assert told.pieces_p == pytest.approx(0.98)


def test_a_sure_count_that_contradicts_the_comparison_leaves_doubt() -> None:
    told = told_by(reading(PlaceState.FACE, "water-1-a", (("pink", 1),), 0.95), known(), difference((), 0.98))
    assert told.pieces == ()
    assert told.pieces_p < 0.9


def test_what_was_agreed_for_want_of_better_gives_way_to_a_sure_count() -> None:
    told = told_by(reading(PlaceState.FACE, "water-1-a", (("pink", 1),), 0.95), known(p=0.9), difference((), 0.98))
    assert told.pieces == (("pink", 1),)


def test_a_comparison_that_tells_nothing_leaves_the_reading_as_it_is() -> None:
    one = reading(PlaceState.FACE, "fire-1-a", (), 0.9)
    assert told_by(one, known(), difference((), 0.1)) is one


def test_a_piece_that_stands_where_nothing_has_changed_is_asked_about() -> None:
    one = reading(PlaceState.FACE, "water-1-a", (("pink", 1),), 0.91)
    told = told_by(one, known(), replace(difference((("pink", 1),), 0.1), unborne=True))
    assert (told.pieces, told.pieces_p) == ((("pink", 1),), 0.5)


def test_another_name_for_a_tile_that_looks_as_before_leaves_doubt() -> None:
    told = told_by(reading(PlaceState.FACE, "fire-1-a", (), 0.99), known(), difference((), 0.99))
    assert told.alternatives[0] == ("water-1-a", 0.9)
    assert told.alternatives[1][0] == "fire-1-a"


def test_a_piece_that_one_reading_found_too_many_is_not_taken_to_stand_there() -> None:
    one, false, red = (
        FoundPiece(colour, (x, 0.0), 0.0, 9.0, 9.0) for colour, x in (("white", 0.0), ("white", 9.0), ("red", 5.0))
    )
    assert standing_of((("white", 1),), ((one, false), (one,), ())) == (one,)
    assert standing_of((("white", 1),), ((red,), ())) == ()


@pytest.fixture(scope="module")
def table() -> tuple[TableReader, TableReading, TableReading]:
    """The reader of the film that ships, its first picture, and the first move (r2c2) as read."""
    cv2.setNumThreads(1)
    reader = learnt(FILM).table(read_jobs(FILM / "game").players)
    before, after = (reader.read(picture(FILM / "game" / f"{n:04d}.webp")) for n in (0, 3))
    return reader, before, after


def test_a_tile_is_compared_only_after_it_was_agreed_what_lay_there(
    table: tuple[TableReader, TableReading, TableReading],
) -> None:
    reader, before, after = table
    agreed = {one.slot: SlotView(one.face, None, one.pieces) for one in before.places if one.face}
    slot, *others = agreed
    beside = KnownTable(reader.layout, reader.colours)
    assert beside.beside(before, {}).places == before.places  # nothing is known yet
    zones = tuple(replace(zone, places={s: hidden(one) for s, one in zone.places.items()}) for zone in after.zones)
    blind = replace(after, zones=zones, places=tuple(map(hidden, after.places)))
    told = beside.beside(blind, {slot: agreed[slot]})
    assert told.at(slot).face == agreed[slot].face
    assert told.at(slot).pieces == after.at(slot).pieces
    assert all(told.at(other).face is None for other in others)


def test_a_tile_that_was_not_read_again_is_as_sure_as_that_it_has_not_changed(
    table: tuple[TableReader, TableReading, TableReading],
) -> None:
    reader, before, _ = table
    slot = next(one.slot for one in before.places if one.face)
    weak = doubting(before, slot, 0.92)
    agreed = {one.slot: SlotView(one.face, None, one.pieces) for one in weak.places if one.face}
    beside = KnownTable(reader.layout, reader.colours)
    assert beside.beside(weak, {}).at(slot).pieces_p == 0.92
    assert beside.beside(weak, agreed).at(slot).pieces_p == 0.99  # the very same reading: nothing has changed there
    again = beside.beside(doubting(before, slot, 0.92), agreed)  # read again: it may be in error twice
    assert again.at(slot).pieces_p == 0.92


def doubting(reading: TableReading, slot: str, pieces_p: float) -> TableReading:
    """`reading` by an eye that is no surer than this of the pieces in one slot."""

    def less(one: PlaceReading) -> PlaceReading:
        return replace(one, pieces_p=pieces_p) if one.slot == slot else one

    places = {one.slot: less(one) for one in reading.places}
    zones = tuple(replace(zone, places={s: places[s] for s in zone.places}) for zone in reading.zones)
    return replace(reading, zones=zones, places=tuple(places.values()))


def named(reading: TableReading, slot: str, face: str) -> TableReading:
    """`reading` by an eye that takes the tile of one slot for another face, for sure."""

    def other(one: PlaceReading) -> PlaceReading:
        return replace(one, face=face, p=0.99, alternatives=((face, 0.99),), pieces_p=0.95) if one.slot == slot else one

    zones = tuple(replace(zone, places={s: other(one) for s, one in zone.places.items()}) for zone in reading.zones)
    return replace(reading, zones=zones, places=tuple(map(other, reading.places)))


def names_told(table: tuple[TableReader, TableReading, TableReading], names: str) -> str:
    """Which of two faces, w(rong) or r(ight), is told of a tile that was agreed to be the wrong one, picture by picture
    in which the eye names it so; "-" is a picture after which people say that the wrong name is right."""
    reader, before, _ = table
    slot = next(one.slot for one in before.places if one.face)
    right, wrong = before.at(slot).face or "", "another"
    agreed = {slot: SlotView(wrong, None, before.at(slot).pieces)}
    beside, told = KnownTable(reader.layout, reader.colours), ""
    beside.beside(named(before, slot, wrong), {})
    believed = agreed
    for name in names:
        one = beside.beside(named(before, slot, wrong if name == "w" else right), believed).at(slot)
        told += "w" if one.face == wrong else "r"
        believed = agreed if one.face == wrong or name == "-" else {}
    return told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("rr", "ww"),
        ("rrrr", "wwrr"),
        ("rwrr", "wwww"),
        ("rwrrr", "wwwwr"),
        ("rr-rrrrrr", "wwrwwwwwr"),
    ],
)
def test_a_tile_that_was_named_wrongly_is_named_anew_when_more_pictures_name_it_otherwise(
    table: tuple[TableReader, TableReading, TableReading], names: str, told: str
) -> None:
    assert names_told(table, names) == told


def test_a_picture_that_only_repeats_what_was_read_before_is_no_further_witness(
    table: tuple[TableReader, TableReading, TableReading],
) -> None:
    reader, before, _ = table
    slot = next(one.slot for one in before.places if one.face)
    agreed = {slot: SlotView("another", None, before.at(slot).pieces)}
    beside = KnownTable(reader.layout, reader.colours)
    beside.beside(named(before, slot, "another"), {})
    told = [beside.beside(before, agreed).at(slot).face for _ in range(6)]
    assert told == ["another"] * 6


def test_many_tiles_that_look_otherwise_at_once_are_a_hand_unless_they_stay_so(
    table: tuple[TableReader, TableReading, TableReading],
) -> None:
    reader, before, after = table
    agreed = {one.slot: SlotView(one.face, None, one.pieces) for one in before.places if one.face}
    beside = KnownTable(reader.layout, reader.colours)
    beside.beside(before, {})
    zones = tuple(
        replace(
            zone, seen_bgr=np.full_like(zone.seen_bgr, 90), places={s: hidden(one) for s, one in zone.places.items()}
        )
        for zone in after.zones
    )
    dark = replace(after, zones=zones, places=tuple(map(hidden, after.places)))
    assert beside.beside(dark, agreed).hand
    assert not beside.beside(dark, {}).hand


def hidden(one: PlaceReading) -> PlaceReading:
    """A place as an eye reports it that makes nothing of it."""
    if one.state is not PlaceState.FACE:
        return one
    return replace(one, state=PlaceState.UNKNOWN, face=None, p=0.3, pieces=(), pieces_p=0.0)
