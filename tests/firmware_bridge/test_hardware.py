"""The box as a thing: a circuit that breaks no rule, a board with a hole for every leg, a housing that closes."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from firmware_bridge.hardware.circuit import WIRES, Circuit, Leg, circuit, pin_table
from firmware_bridge.hardware.documents import COMMAND, HARDWARE, documents
from firmware_bridge.hardware.fit import fit_faults, sensor_distance_mm
from firmware_bridge.hardware.housing import LANGUAGES, Box, boxes, covers, data, words
from firmware_bridge.hardware.parts import price, small_parts
from firmware_bridge.hardware.perfboard import layout_faults, links, perfboard
from firmware_bridge.hardware.plates import sheet, widened
from firmware_bridge.hardware.rules import broken_rules, field_mt, led_ma, reach_mm, short_ma
from firmware_bridge.hardware.schematic import schematic

GRID_MM = 1.0


def test_circuit_breaks_no_rule() -> None:
    assert broken_rules(circuit()) == []


def changed(path: tuple[str, ...], value: object) -> Circuit:
    """The circuit with one figure of its file changed."""
    figures = copy.deepcopy(circuit().data)
    place = figures
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return replace(circuit(), data=figures)


def valued(name: str, value: str) -> Circuit:
    """The circuit with another value of one part."""
    parts = tuple(replace(each, value=value) if each.name == name else each for each in circuit().components)
    return replace(circuit(), components=parts)


def joined(name: str, leg: int, net: str) -> Circuit:
    """The circuit with one leg of a part on another net."""
    parts = []
    for each in circuit().components:
        legs = list(each.legs)
        if each.name == name:
            legs[leg] = Leg(net, legs[leg].hole)
        parts.append(replace(each, legs=tuple(legs)))
    return replace(circuit(), components=tuple(parts))


@pytest.mark.parametrize(
    ("faulty", "rule"),
    [
        (joined("J1", 3, "green-1"), "goes bare from the board to a cable"),
        (valued("R15", "100 Ω"), "at least 330 Ω"),
        (valued("R12", "1 kΩ"), "when closed"),
        (valued("C11", "470 nF"), "to open"),
        (valued("R15", "4.7 kΩ"), "too dark"),
        (joined("R11", 0, "nowhere"), "it joins nothing"),
        (joined("F1", 1, "5V"), "without a fuse"),
        (valued("F1", "50 mA"), "through a fuse"),
        (valued("F1", "500 mA"), "more than a USB socket gives"),
        (joined("J2", 0, "shield-cable-2"), "J2 has"),
        (changed(("cable", "pairs"), [[1, 3], [2, 6], [4, 5], [7, 8]]), "carries two signals"),
        (changed(("chip", "all_ma"), 60.0), "all LED wires shorted"),
        (changed(("cable", "longest_m"), 3_000.0), "when closed"),
    ],
)
def test_planted_fault_of_the_circuit_is_found(faulty: Circuit, rule: str) -> None:
    assert any(rule in each for each in broken_rules(faulty)), broken_rules(faulty)


def test_currents_are_those_of_ohms_law() -> None:
    """(5 V - 2.1 V) / (470 + 25 + 0.84) Ω; 5 V / 495 Ω into a short; the hand's sums."""
    assert led_ma(circuit(), "green", anode=False) == pytest.approx(2.9 / 495.84 * 1000, rel=0.001)
    assert short_ma(circuit(), "red") == pytest.approx(5 / 495 * 1000, rel=0.001)


def test_field_of_a_magnet_is_that_of_the_textbook() -> None:
    """On the face of a disc as high as its radius: Br/2 · 1/√2; far away: a dipole, which falls with the cube."""
    disc = {"remanence_t": 1.2, "radius_mm": 5.0, "height_mm": 5.0}
    assert field_mt(disc, 0) == pytest.approx(600 / 2**0.5)
    assert field_mt(disc, 200) / field_mt(disc, 400) == pytest.approx(8, rel=0.1)


def test_shield_is_seen_through_the_wood_with_room_to_spare() -> None:
    assert sensor_distance_mm() * 2 <= reach_mm(circuit())


def test_pins_are_used_once_and_the_serial_line_is_free() -> None:
    pins = [wire.pin for wire in WIRES]
    assert len(pins) == len(set(pins)) == 17
    assert not {"D0", "D1", "D13"} & set(pins)


def test_everything_has_its_hole_and_every_net_is_joined() -> None:
    assert list(layout_faults(circuit())) == []
    for net, legs in circuit().nets().items():
        wires = [(a, b) for name, a, b in links(circuit()) if name == net]
        reached, holes = {legs[0][0].legs[legs[0][1]].hole}, {part.legs[index].hole for part, index in legs}
        for _ in wires:
            reached |= {hole for wire in wires if reached & set(wire) for hole in wire}
        assert reached == holes, net


def test_planted_fault_of_the_layout_is_found() -> None:
    parts = circuit().components
    moved = replace(parts[1], legs=tuple(Leg(leg.net, (leg.hole[0], leg.hole[1] + 2)) for leg in parts[1].legs))
    faults = list(layout_faults(replace(circuit(), components=(parts[0], moved, *parts[2:]))))
    assert any("share hole" in each for each in faults)
    assert any("lies over" in each for each in faults)


def test_turned_sockets_keep_their_first_pin_at_the_same_hand() -> None:
    """Seen from outside the box, pin 1 is on the same side on every socket: right above and below."""
    for name, step in (("J1", 1), ("J2", 1), ("J3", -1), ("J4", -1)):
        (socket,) = (each for each in circuit().components if each.name == name)
        columns = [leg.hole[0] for leg in socket.legs]
        assert [b - a for a, b in pairwise(columns)] == [step] * 7


def test_drawings_name_every_part_and_pin() -> None:
    drawn = ElementTree.fromstring(schematic(circuit()))
    said = " ".join(element.text or "" for element in drawn.iter() if element.tag.endswith("text"))
    assert all(f"{each.name} " in said for each in circuit().components if each.kind in ("resistor", "capacitor"))
    assert all(wire.pin in said.split() for wire in WIRES)
    board = ElementTree.fromstring(perfboard(circuit()))
    words_ = [element.text or "" for element in board.iter() if element.tag.endswith("text")]
    assert all(any(word.startswith(each.name) for word in words_) for each in circuit().components)
    assert board.get("width") == "102mm"  # true to size when printed


def test_parts_are_counted_from_the_circuit() -> None:
    """One station: two inputs and the referee's, each with a series resistor and a pull-up; two LEDs; the buzzer."""
    counted = small_parts(circuit(), 1, buzzer=True)
    assert counted["resistor", "1 kΩ"] == 2 + 1 + 1
    assert counted["resistor", "4.7 kΩ"] == 2 + 1
    assert counted["resistor", "470 Ω"] == 2
    assert counted["capacitor", "100 nF"] == 2 + 1
    assert price(circuit(), 4) > price(circuit(), 1) > 20


@pytest.mark.parametrize("box", boxes(), ids=lambda box: box.name)
def test_housing_is_closed_and_no_plate_is_in_another(box: Box) -> None:
    """Every cubic millimetre of the shell belongs to exactly one plate, and none of the inside to any."""
    thickness = data()["thickness"]
    outer = [int(each + 2 * thickness) for each in box.inside]
    for x in range(outer[0]):
        for y in range(outer[1]):
            for z in (*range(4), outer[2] // 2, *range(outer[2] - 4, outer[2])):
                place = (x + 0.5, y + 0.5, z + 0.5)
                inside = all(thickness < p < o - thickness for p, o in zip(place, outer, strict=True))
                count = sum(covers(box, plate.name, place) for plate in box.plates)
                assert count == (0 if inside else 1), place


def is_inside(outline: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Even-odd rule."""
    crossings = 0
    for n, (bx, by) in enumerate(outline):
        ax, ay = outline[n - 1]
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("box", boxes(), ids=lambda box: box.name)
def test_outlines_are_those_of_the_closed_housing(box: Box) -> None:
    """What the laser cuts is what the test above has put together."""
    thickness = data()["thickness"]
    axes = {"bottom": (0, 1), "top": (0, 1), "front": (0, 2), "back": (0, 2), "left": (1, 2), "right": (1, 2)}
    for plate in box.plates:
        across, up = axes[plate.name]
        through = 3 - across - up
        outer = box.inside[through] + 2 * thickness
        depth = thickness / 2 if plate.name in ("bottom", "front", "left") else outer - thickness / 2
        for px in range(int(plate.size[0])):
            for py in range(int(plate.size[1])):
                place = [0.0, 0.0, 0.0]
                place[across], place[up], place[through] = px + 0.5, py + 0.5, depth
                expected = covers(box, plate.name, (place[0], place[1], place[2]))
                assert is_inside(plate.outline, px + 0.5, py + 0.5) is expected, (plate.name, px, py)


@pytest.mark.parametrize("box", boxes(), ids=lambda box: box.name)
def test_everything_fits_into_the_housing(box: Box) -> None:
    assert list(fit_faults(box)) == []


def test_part_that_does_not_fit_is_named() -> None:
    centre, station = boxes()
    low = replace(station, inside=(station.inside[0], station.inside[1], 20.0))
    assert any("button" in each for each in fit_faults(low))
    tight = replace(centre, inside=(80.0, *centre.inside[1:]))
    assert any("board" in each for each in fit_faults(tight))


def test_kerf_is_given_to_the_plates() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    expected = [(-0.1, -0.1), (10.1, -0.1), (10.1, 10.1), (-0.1, 10.1)]
    for got, wanted in zip(widened(square, 0.1), expected, strict=True):
        assert got == pytest.approx(wanted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_engraved_in_each_language(language: str) -> None:
    for box in boxes():
        drawn = ElementTree.fromstring(sheet(box, language))
        said = [element.text for element in drawn.iter() if element.tag.endswith("text")]
        expected = [words(each.label, language) for plate in box.plates for each in plate.openings if each.label]
        assert sorted(said) == sorted(expected)


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_documents_are_what_the_files_of_data_say(path) -> None:  # type: ignore[no-untyped-def]
    assert path.read_text(encoding="utf-8") == documents()[path], f"run `{COMMAND}`"


def test_hardware_document_has_the_pins() -> None:
    assert pin_table() in HARDWARE.read_text(encoding="utf-8")
