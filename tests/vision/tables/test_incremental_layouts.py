"""A market and a map read again after an act say what they say when read whole, and read less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest
from rendered_tables import Pair, land, market, market_before, market_reader

from companion.core.inputs import ViewState
from companion.core.layout import SlotView
from companion.lab.scenes.rifts import table_set as rifts_set
from companion.lab.scenes.rifts.pictures import REACH_MM, map_layout
from companion.lab.scenes.spyrium import table_set as spyrium_set
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, table_layout
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.locate.pose import NotLocated
from vision.tables.again.incremental import (
    AT_LEAST,
    DOUBTED_READINGS,
    SURE_OF_PIECES,
    TableMemory,
    ZoneLook,
    ZoneMemory,
    places_due,
)
from vision.tables.maps.map_reader import MapReader
from vision.tables.maps.naming import space_faces
from vision.tables.place import CARD, EMPTY_P, PlaceReading, PlaceState, Shot
from vision.tables.table_reader import TableReader, TableReading
from vision.view.arms.arm_search import occluded_slots
from vision.view.arms.occlusion import Occlusion
from vision.view.view_state import View


@dataclass(frozen=True, eq=False)
class Table:
    """A reader and what it read in the first picture."""

    reader: TableReader
    pictures: Pair
    first: TableReading


def _market() -> Table:
    return Table(market_reader(), market(), market_before())


def _land() -> Table:
    names, pictures = land()
    pieces = [piece for piece in rifts_set.pieces() if piece.name in names]
    known = {face for piece in pieces for face in piece.faces}
    faces = {face: scan for face, scan in rifts_set.scans().items() if face in known}
    book = learn_faces({face: [scan] for face, scan in faces.items()}, size_px=96)
    near = [o for o in map_layout().slots if (np.abs(np.mean(o.corners_mm, axis=0)) <= REACH_MM).all()]
    layout = replace(map_layout(), slots=tuple(near))
    reader = TableReader(layout, book, faces, PieceColours((), ()), compound=pieces)
    return Table(reader, pictures, reader.read(pictures.before))


@pytest.fixture(scope="module", params=[_market, _land], ids=["market", "map"])
def table(request: pytest.FixtureRequest) -> Table:
    make: Callable[[], Table] = request.param
    return make()


def told(reading: TableReading) -> dict[str, tuple[object, ...]]:
    return {one.slot: (one.state, one.face, one.turn, one.pieces) for one in reading.places}


def read_last(reading: TableReading) -> int:
    """How many places were read in the last picture."""
    assert reading.memory is not None
    return sum(number == zone.pictures - 1 for zone in reading.memory.zones for number in zone.read_in.values())


def again(table: Table, image: np.ndarray, before: TableReading) -> TableReading:
    return table.reader.read(image, pose=before.pose, memory=before.memory)


def test_after_an_act_it_says_what_a_whole_reading_says(table: Table) -> None:
    followed = again(table, table.pictures.after, table.first)
    whole = table.reader.read(table.pictures.after, pose=table.first.pose)
    assert told(followed) == told(whole)
    assert told(followed) != told(table.first)
    assert read_last(followed) < read_last(whole) / 2


def test_without_a_change_it_says_the_same_and_reads_one_place(table: Table) -> None:
    followed = table.first
    turns = set()
    for _ in range(4):
        followed = again(table, table.pictures.before, followed)
        assert told(followed) == told(table.first)
        assert read_last(followed) == AT_LEAST
        assert followed.memory is not None
        zones = followed.memory.zones
        turns |= {(n, slot) for n, zone in enumerate(zones) for slot, in_ in zone.read_in.items() if in_}
    assert len(turns) == 4 * AT_LEAST  # another one in each


def test_what_stays_in_doubt_is_not_read_in_every_picture(table: Table) -> None:
    assert table.first.memory is not None
    first = table.first.memory.zones[-1]
    slot = next(slot for slot, one in first.reading.places.items() if one.is_sure)
    doubtful = {**first.reading.places, slot: replace(first.reading.places[slot], pieces_p=0.5)}
    memory: ZoneMemory = replace(first, reading=replace(first.reading, places=doubtful))
    readers, shot = (table.reader.zones[-1],), Shot(table.pictures.before, table.first.pose)
    looks = (ZoneLook.of(readers[0], shot, memory),)
    for _ in range(DOUBTED_READINGS - memory.readings[slot]):
        assert places_due(readers, shot, looks, (memory,)) == [{slot: False}]
        memory = memory.after(memory.reading, looks[0].seen, {slot: False}, ())
    (due,) = places_due(readers, shot, looks, (memory,))
    assert due is not None
    assert slot not in due


@pytest.mark.parametrize("table", [_land], ids=["map"], indirect=True)
def test_a_tile_of_which_a_space_looks_as_it_did_is_not_named_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = table.reader.zones[0]
    assert isinstance(reader, MapReader)
    memory = table.first.memory
    assert memory is not None
    anchor, name, turn = memory.zones[0].reading.laid[0]
    covered = reader.places_mm[anchor].mean(0)
    image = table.pictures.before.copy()
    x, y = table.first.pose.project(covered[None])[0].astype(int).tolist()
    cv2.circle(image, (x, y), 12, (40, 40, 200), -1)  # something stands on its first space
    read: list[int] = []
    monkeypatch.setattr(space_faces, "identify_many", lambda _, crops, **__: read.append(len(crops)) or [])
    followed = again(table, image, table.first)
    assert not any(read)
    assert (followed.at(anchor).face, followed.at(anchor).turn) == (name, turn)
    assert anchor in {slot for slot, number in followed.memory.zones[0].read_in.items() if number == 1}


def test_another_light_makes_it_read_whole(table: Table) -> None:
    darker = cv2.convertScaleAbs(table.pictures.before, alpha=0.8)
    followed = again(table, darker, table.first)
    assert followed.memory is not None
    assert all(zone.pictures == 1 for zone in followed.memory.zones)


def test_no_memory_is_kept_of_a_picture_with_a_hand(table: Table) -> None:
    bare = next(one.slot for one in table.first.places if one.p in (EMPTY_P, 1.0) and not one.pieces)
    share = {outline.slot: float(outline.slot == bare) for outline in table.reader.layout.slots}
    view = View(ViewState.HAND, over=Occlusion(True, share, None, np.zeros((4, 2))))
    first = table.first
    with_hand = table.reader.read(table.pictures.before, pose=first.pose, memory=first.memory, view=view)
    assert [one.slot for one in with_hand.places if one.state is PlaceState.COVERED] == [bare]
    assert with_hand.memory is first.memory


def with_arm(table: Table) -> np.ndarray:
    """The first picture with a grey arm from its lower edge to the middle of the table."""
    assert not isinstance(table.first.pose, NotLocated)
    image = table.pictures.before.copy()
    x, y = table.first.pose.project(np.zeros((1, 2)))[0].astype(int).tolist()
    cv2.rectangle(image, (x - 30, y), (x + 30, image.shape[0]), (120, 120, 120), -1)
    return image


@pytest.mark.parametrize("table", [_land], ids=["map"], indirect=True)
def test_what_comes_in_from_the_edge_over_a_map_is_a_hand_unless_it_stays_as_it_is(table: Table) -> None:
    image, first = with_arm(table), table.first
    unnoticed = View(ViewState.SETTLED, over=Occlusion(False, dict.fromkeys(told(first), 0.0), None, np.zeros((4, 2))))

    def read(image: np.ndarray, before: TableReading) -> TableReading:
        return table.reader.read(image, pose=before.pose, memory=before.memory, view=unnoticed)

    reached = read(image, first)
    assert reached.hand
    assert told(reached) == told(first)
    assert not read(table.pictures.before, reached).hand
    assert not read(image, reached).hand
    elsewhere = read(np.ascontiguousarray(image[:, ::-1]), reached)  # another hand: the table of the first is known yet
    assert not read(image, elsewhere).hand


def unnoticed(table: Table, image: np.ndarray, *before: np.ndarray) -> TableReading:
    """The reading of `image` after the first picture and those `before` it, in none of which the rim showed an arm."""
    over = Occlusion(False, dict.fromkeys(told(table.first), 0.0), None, np.zeros((4, 2)))
    view = View(ViewState.SETTLED, over=over)
    reading = table.first
    for picture in (*before, image):
        reading = table.reader.read(picture, pose=table.first.pose, memory=reading.memory, view=view)
    return reading


def noisy(image: np.ndarray, seed: int) -> np.ndarray:
    """The picture as a camera takes it once more."""
    return np.clip(image + np.random.default_rng(seed).normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("table", [_land], ids=["map"], indirect=True)
@pytest.mark.parametrize("share", [0.45, 0.7])
def test_a_shadow_that_comes_in_from_the_edge_over_a_map_is_no_hand(table: Table, share: float) -> None:
    changed = np.abs(with_arm(table).astype(int) - table.pictures.before).max(axis=2) > 0
    light = cv2.GaussianBlur(np.where(changed, share, 1.0), (0, 0), 4.0)[..., None]
    shaded = (table.pictures.before * light).astype(np.uint8)
    assert not unnoticed(table, noisy(shaded, 3)).hand


@pytest.mark.parametrize("table", [_land], ids=["map"], indirect=True)
def test_an_arm_over_a_map_is_a_hand_though_the_light_has_changed_with_it(table: Table) -> None:
    again = noisy(table.pictures.before, 1)
    darker = cv2.convertScaleAbs(with_arm(table), alpha=0.7)
    assert unnoticed(table, noisy(darker, 2), again).hand
    assert not unnoticed(table, noisy(cv2.convertScaleAbs(table.pictures.before, alpha=0.7), 2), again).hand


def painted_over(table: Table, corners_mm: list[list[float]], colour: tuple[int, int, int]) -> np.ndarray:
    """The first picture with something of one colour on it."""
    assert not isinstance(table.first.pose, NotLocated)
    image = table.pictures.before.copy()
    px = np.round(table.first.pose.project(np.array(corners_mm))).astype(np.int32)
    cv2.fillConvexPoly(image, px, colour)
    return image


def own_places(table: Table, seat: str) -> np.ndarray:
    """(N, 2) corners of a player's places, table mm."""
    return np.array([c for o in table.reader.layout.slots if o.slot.startswith(f"{seat}-b") for c in o.corners_mm])


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_what_only_points_at_own_buildings_leaves_these_unread_and_the_market_told(table: Table) -> None:
    middle, top = own_places(table, "B").mean(0)[0], own_places(table, "B").min(0)[1]
    phone = [[middle + x, top - y] for x, y in ((-30.0, 70.0), (30.0, 70.0), (30.0, 10.0), (-30.0, 10.0))]
    reading = table.reader.read(painted_over(table, phone, (30, 25, 25)), pose=table.first.pose)
    covered = {one.slot for one in reading.places if one.state is PlaceState.COVERED}
    assert covered
    assert all(slot.startswith("B-b") for slot in covered)
    assert not reading.hand
    assert {slot: one for slot, one in told(reading).items() if slot not in covered} == {
        slot: one for slot, one in told(table.first).items() if slot not in covered
    }
    market = np.array([c for o in table.reader.outlines for c in o.corners_mm])
    side = market[:, 0].max()
    phone = [[side + x, y] for x, y in ((10.0, -25.0), (70.0, -25.0), (70.0, 25.0), (10.0, 25.0))]
    pointed_at = table.reader.read(painted_over(table, phone, (30, 25, 25)), pose=table.first.pose)
    assert pointed_at.hand
    assert not any(one.state is PlaceState.COVERED for one in pointed_at.places)


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_a_card_of_the_record_that_was_covered_is_gone_when_its_place_looks_bare_twice(table: Table) -> None:
    taken = table.reader.read(table.pictures.after, pose=table.first.pose)
    assert taken.memory is not None
    *own, market = taken.memory.zones
    slot = next(s for s, one in market.reading.places.items() if (one.holds, one.state) == (CARD, PlaceState.EMPTY))
    covered = {**market.reading.places, slot: PlaceReading(slot, CARD, PlaceState.COVERED)}
    hidden = replace(market, reading=replace(market.reading, places=covered))

    def seen(memory: TableMemory | None, recorded: dict[str, SlotView]) -> TableReading:
        return table.reader.read(table.pictures.after, pose=taken.pose, memory=memory, recorded=recorded)

    after = replace(taken.memory, zones=(*own, hidden))
    lay = {slot: SlotView("mine-left")}
    once = seen(after, lay)
    assert once.at(slot).state is PlaceState.UNKNOWN
    assert seen(once.memory, lay).at(slot).state is PlaceState.EMPTY
    assert seen(after, {}).at(slot).state is PlaceState.EMPTY


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_a_hand_over_own_buildings_leaves_them_unread_and_what_has_rested_there_no_more_than_it_covers(
    table: Table,
) -> None:
    (left, _), (right, bottom) = own_places(table, "B").min(0).tolist(), own_places(table, "B").max(0).tolist()

    def reaching_over(x: float, y: float, image: np.ndarray) -> np.ndarray:
        over = [[x - 30, y], [x + 30, y], [x + 30, bottom + 90], [x - 30, bottom + 90]]
        painted = painted_over(table, over, (40, 40, 200))
        return np.where(painted == table.pictures.before, image, painted)

    def left_out(reading: TableReading) -> set[str]:
        assert not reading.hand
        covered = {one.slot for one in reading.places if one.state is PlaceState.COVERED}
        assert {slot: one for slot, one in told(reading).items() if slot not in covered} == {
            slot: one for slot, one in told(table.first).items() if slot not in covered
        }
        return covered

    lit = reaching_over((left + right) / 2, bottom - 30, table.pictures.before)
    first = table.reader.read(lit, pose=table.first.pose)
    own = (one for one in table.first.places if one.slot.startswith("B-b"))
    every = {one.slot for one in own if one.state is not PlaceState.OUTSIDE}
    assert left_out(first) == every
    assert first.over is not None
    resting = {slot: first.over.share[slot] for slot in first.over.under_hand()}
    rested = View(ViewState.SETTLED, resting=resting)
    assert set(resting) <= left_out(table.reader.read(lit, pose=table.first.pose, view=rested)) <= every
    for x, y in ((left + 30, bottom - 30), ((left + right) / 2, bottom - 60)):  # beside it, and further over the same
        hand = table.reader.read(reaching_over(x, y, lit), pose=table.first.pose, view=rested)
        assert left_out(hand) == every


def searched_for_hands(table: Table, image: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The slots round whose zones a hand is looked for when the table is read again."""
    asked: set[str] = set()

    def noted(*args: Any, only: set[str], **kwargs: Any) -> Occlusion:
        asked.update(only)
        return occluded_slots(*args, only=only, **kwargs)

    monkeypatch.setattr("vision.tables.table_reader.occluded_slots", noted)
    again(table, image, table.first)
    return asked


def test_no_hand_is_looked_for_round_zones_in_which_nothing_has_changed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not searched_for_hands(table, table.pictures.before, monkeypatch)
    assert searched_for_hands(table, with_arm(table), monkeypatch)


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_a_hand_is_looked_for_round_the_zone_that_has_changed_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    (left, top), (right, bottom) = own_places(table, "B").min(0).tolist(), own_places(table, "B").max(0).tolist()
    image = painted_over(table, [[left, top], [right, top], [right, bottom], [left, bottom]], (110, 140, 190))
    asked = searched_for_hands(table, image, monkeypatch)
    assert {slot.split("-")[0] for slot in asked} == {"B"}


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_what_is_known_to_cover_some_slots_is_kept_beside_what_is_found_over_others(table: Table) -> None:
    market = {o.slot for o in table.reader.outlines}
    known = Occlusion(True, {slot: float(slot == "r1c2") for slot in market}, None, np.zeros((4, 2)))
    reading = table.reader.read(table.pictures.before, pose=table.first.pose, view=View(ViewState.HAND, over=known))
    assert reading.hand
    assert [one.slot for one in reading.places if one.state is PlaceState.COVERED] == ["r1c2"]


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_a_hand_that_nobody_noticed_over_a_card_and_the_table_beside_it_does_not_make_the_place_empty(
    table: Table,
) -> None:
    first = table.first
    unnoticed = View(ViewState.SETTLED, over=Occlusion(False, dict.fromkeys(told(first), 0.0), None, np.zeros((4, 2))))
    left, top = own_places(table, "A").min(0).tolist()
    hand = [[left - 60, top - 5], [left + 50, top - 5], [left + 50, top + 80], [left - 60, top + 80]]
    image = painted_over(table, hand, (110, 140, 190))
    under = next(one.slot for one in first.places if one.slot == "A-b1")
    over = table.reader.read(image, pose=first.pose, memory=first.memory, view=unnoticed).at(under)
    assert over.state is not PlaceState.EMPTY


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_workers_are_counted_between_two_cards_that_each_might_be_its_twin(table: Table) -> None:
    faces = dict(spyrium_set.scans())
    shown = {slot: table.first.at(slot).face for slot in ("r1c2", "r1c3", "r2c1")}
    faces |= {f"twin-{slot}": faces[face] for slot, face in shown.items() if face is not None}
    book = learn_faces({face: [scan] for face, scan in faces.items()}, size_px=96)
    colours = PieceColours.from_rgb(WORKER_RGB).only(("red", "blue"))
    reading = TableReader(table_layout(2), book, faces, colours).read(table.pictures.before, pose=table.first.pose)
    for gap in ("r1c2|r1c3", "r1c2|r2c2"):
        assert {reading.at(slot).state for slot in gap.split("|")} == {PlaceState.UNKNOWN}
        assert sum(number for _, number in reading.at(gap).pieces) == 1
        assert reading.at(gap).pieces == table.first.at(gap).pieces
        assert reading.at(gap).pieces_p >= SURE_OF_PIECES


@pytest.mark.parametrize("table", [_market], ids=["market"], indirect=True)
def test_a_name_is_held_against_the_one_that_the_card_had_where_it_lies(table: Table) -> None:
    brighter = cv2.convertScaleAbs(table.pictures.before, alpha=1.15)
    now = table.reader.read(brighter, pose=table.first.pose)
    slot, other = next(
        (one.slot, one.alternatives[1][0]) for one in now.places
        if one.state is PlaceState.FACE and one.slot.startswith("r") and len(one.alternatives) > 1
    )  # fmt: skip
    assert table.first.memory is not None
    *zones, market = table.first.memory.zones
    named = market.reading.places[slot].named(((other, 0.99), (now.at(slot).likeliest, 0.01)))
    places = {**market.reading.places, slot: named}
    otherwise = replace(market, reading=replace(market.reading, places=places))
    memory = replace(table.first.memory, zones=(*zones, otherwise))
    again = table.reader.read(brighter, pose=table.first.pose, memory=memory)
    assert again.at(slot).state is PlaceState.UNKNOWN
