"""Facts about the order in which the spaces of a map are read to name its tiles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from companion.core.types import Slot
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_faces import NO_PRINT
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.naming.tile_naming import TileNaming
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.place import EMPTY_P, LOCATION, PlaceReading, PlaceState
from vision.tables.zone import SpaceReading

SLOTS = [f"s{k}" for k in range(6)]


class PrintedSpaces:
    """Spaces that show what is printed on them, as `SpaceFaces`, but for those that only a close look knows (`faint`);
    those that a glance tells of what; and in which ways each was read."""

    def __init__(
        self, printed: Mapping[Slot, SpaceReading], faint: Collection[Slot] = (),
        glances: Mapping[Slot, tuple[str, int]] | None = None,
    ) -> None:
        self._printed, self._faint, self._glances = printed, faint, glances or {}
        self.coarse: list[Slot] = []
        self.close: list[Slot] = []
        self.turned: list[Slot] = []

    def in_turns(self, turns: Mapping[Slot, int]) -> dict[Slot, SpaceReading]:
        self.turned += turns
        seen = {slot: self._printed.get(slot, NO_PRINT) for slot in turns if slot not in self._faint}
        return {slot: one for slot, one in seen.items() if one.face is not None and one.turn == turns[slot]}

    def at_a_glance(self, slots: Sequence[Slot], _most: float) -> dict[Slot, tuple[str, int]]:
        return {slot: one for slot, one in self._glances.items() if slot in slots}

    def read(self, slots: Sequence[Slot], most: float | None) -> dict[Slot, SpaceReading]:
        (self.close if most is None else self.coarse).extend(slots)
        return {slot: NO_PRINT if most is not None and slot in self._faint else self._printed.get(slot, NO_PRINT)
                for slot in slots}

    def in_all_turns(self, slots: Collection[Slot]) -> dict[Slot, SpaceReading]:
        return self.read(list(slots), None)

    def in_turn(self, wanted: Sequence[tuple[Slot, int]]) -> dict[tuple[Slot, int], SpaceReading]:
        seen = {(slot, turn): self._printed.get(slot, NO_PRINT) for slot, turn in wanted}
        return {(slot, turn): one if one.turn == turn else NO_PRINT for (slot, turn), one in seen.items()}


class TableWith:
    """A table on which all spaces are empty but for some, as `BareTable`."""

    def __init__(self, things: Collection[Slot]) -> None:
        self._things = things

    def not_empty(self, slots: Sequence[Slot], _laid: Sequence[Slot]) -> list[Slot]:
        return [slot for slot in slots if slot in self._things]


def shown(face: str) -> SpaceReading:
    return SpaceReading(face, 0, 0.9999, LIKE_A_FACE)


def naming(faces: PrintedSpaces, things: Collection[Slot] = (), piece: SpacePiece = PAIR) -> TileNaming:
    plan = MapPlan([hexagon(slot, k * STEP_MM, 0.0) for k, slot in enumerate(SLOTS)], [piece])
    votes = SpaceVotes(plan, {face: face for face in piece.faces})
    return TileNaming(plan, votes, faces, TableWith(things))  # type: ignore[arg-type]  # they answer what is asked


def test_a_tile_that_lay_there_is_read_in_its_turn_and_names_itself() -> None:
    faces = PrintedSpaces({"s1": shown("first"), "s2": shown("second")})
    tiles = naming(faces).named({}, SLOTS, {}, [("s1", "pair", 0)], None, None)
    assert tiles.slots["s1"].face == "pair"
    assert tiles.used == {"s1", "s2"}
    assert faces.turned == ["s1", "s2"]
    assert not {"s1", "s2"} & {*faces.coarse, *faces.close}


@pytest.mark.parametrize(
    ("glance", "turned"), [(("second", 0), []), (("second", 1), ["s2"]), (("first", 0), ["s2"])]
)
def test_a_space_that_another_foretells_is_read_closely_only_where_a_glance_does_not_bear_it_out(
    glance: tuple[str, int], turned: list[Slot]
) -> None:
    faces = PrintedSpaces({"s1": shown("first"), "s2": shown("second")}, glances={"s2": glance, "s1": ("first", 0)})
    tiles = naming(faces).named({}, ["s1", "s2"], {}, [], None, None)
    assert tiles.slots["s1"].face == "pair"
    assert tiles.spaces["s2"] == shown("second")
    assert (faces.coarse, faces.turned) == (["s1"], turned)


def test_a_space_beside_print_is_read_closely_only_where_more_than_table_is_seen() -> None:
    for things, close in (((), []), (("s2",), ["s2"])):
        faces = PrintedSpaces({"s1": shown("first"), "s2": shown("second")}, faint={"s2"})
        tiles = naming(faces, things).named({}, SLOTS, {}, [], None, None)
        assert [slot for slot in faces.close if slot == "s2"][:1] == close
        assert tiles.slots["s1"].state is (PlaceState.FACE if things else PlaceState.UNKNOWN)


@pytest.mark.parametrize(("came", "named"), [(("s4", "s5"), True), (("s4",), False)])
def test_what_came_to_bare_table_is_read_closely_where_several_spaces_lie_together(came, named: bool) -> None:
    bare = {slot: PlaceReading(slot, LOCATION, PlaceState.EMPTY, p=EMPTY_P) for slot in SLOTS}
    faces = PrintedSpaces({"s4": shown("first"), "s5": shown("second")}, faint={"s4", "s5"})
    tiles = naming(faces, came).named({}, SLOTS, {}, [], None, bare)
    assert ("s4" in tiles.slots) is named


def test_spaces_that_are_kept_are_not_read_again() -> None:
    faces = PrintedSpaces({})
    kept = {"s1": shown("first"), "s2": shown("second")}
    tiles = naming(faces).named(kept, ["s0", "s3"], {}, [], kept, None)
    assert set(tiles.shown) == {"s1", "s2"}
    assert not {"s1", "s2"} & {*faces.coarse, *faces.close, *faces.turned}


def test_a_tile_that_lay_there_is_no_bare_table_though_its_print_is_hidden() -> None:
    class TableBeside(TableWith):
        """Looks like what lies there unless that is known to lie there."""

        def not_empty(self, slots: Sequence[Slot], laid: Sequence[Slot]) -> list[Slot]:
            return super().not_empty(slots, laid) if {"s4", "s5"} <= {*laid} else []

    faces = PrintedSpaces({"s1": shown("first"), "s2": shown("second")}, faint={"s2"})
    tiles = naming(faces)
    tiles._table = TableBeside(["s2"])  # type: ignore[assignment]  # it answers what is asked
    assert tiles.named({}, SLOTS, {}, [("s4", "pair", 0)], None, None).slots["s1"].state is PlaceState.FACE


@pytest.mark.parametrize(("third", "state"), [("c", PlaceState.FACE), ("a", PlaceState.UNKNOWN)])
def test_a_worn_tile_is_read_closely_in_the_turn_that_a_space_faintly_shows(third: str, state: PlaceState) -> None:
    three = SpacePiece("three", ("a", "b", "c"), tuple((k * STEP_MM, 0.0) for k in range(3)))
    printed = {f"s{k}": replace(shown(face), likeness=0.5 * LIKE_A_FACE) for k, face in enumerate(("a", "b", third))}
    faces = PrintedSpaces(printed, faint=("s1", "s2"))
    tiles = naming(faces, piece=three).named({}, SLOTS, {}, [], None, None)
    assert tiles.slots["s0"].state is state  # of all of its spaces, or it is asked about
    assert tiles.slots["s0"].likeliest == "three"
    assert not naming(faces, piece=three).named(tiles.spaces, [], {}, [], None, None).slots.keys() - tiles.slots.keys()
