"""The electrical rules: what no cable, no short and no part may do; each broken one in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator

from firmware_bridge.constants import STATIONS
from firmware_bridge.hardware.circuit import Circuit, ohm

BOUNCE_MS = 0.5  # the quickest bounce that counts; the filter may be no slower
SAFE_OHM = 330.0  # least resistor between a pin and a cable: 15 mA into a short


def field_mt(data: dict[str, float], distance_mm: float) -> float:
    """The field on the axis of a disc magnet, in mT, `distance_mm` before its face.

    B(z) = Br/2 ((h+z)/sqrt(r²+(h+z)²) - z/sqrt(r²+z²)), the textbook formula of a uniformly magnetised cylinder.
    """
    radius, height, far = data["radius_mm"], data["height_mm"], data["height_mm"] + distance_mm
    near = distance_mm / math.hypot(radius, distance_mm)
    assert height > 0
    return data["remanence_t"] / 2 * (far / math.hypot(radius, far) - near) * 1000


def reach_mm(circuit: Circuit) -> float:
    """The greatest distance at which the hall switch surely sees the magnet, in mm."""
    operate = circuit.data["station"]["hall"]["operate_mt"]
    distance = 0.0
    while field_mt(circuit.data["magnet"], distance) >= operate:
        distance += 0.1
    return round(distance - 0.1, 1)


def broken_rules(circuit: Circuit) -> list[str]:
    """Every rule that the circuit breaks; empty for a sound one."""
    return [*_nets(circuit), *_cables(circuit), *_inputs(circuit), *_outputs(circuit), *_supply(circuit)]


def _nets(circuit: Circuit) -> Iterator[str]:
    for net, legs in circuit.nets().items():
        if len(legs) < 2:
            yield f"net {net} ends at {legs[0][0].name}: it joins nothing"
    pins = [wire.pin for wire in circuit.wires]
    if len(pins) != len(set(pins)):
        yield "a pin of the Arduino is used twice"
    for pin in ("D0", "D1"):
        if pin in pins:
            yield f"{pin} is the serial line and must be free"


def _chip_nets(circuit: Circuit) -> set[str]:
    return {leg.net for each in circuit.components if each.kind == "arduino" for leg in each.legs if leg.net}


def _cable_nets(circuit: Circuit) -> set[str]:
    return {leg.net for each in circuit.components if each.kind == "connector" for leg in each.legs} - {"GND"}


def _cables(circuit: Circuit) -> Iterator[str]:
    chip, cables = _chip_nets(circuit), _cable_nets(circuit)
    for net in sorted(chip & cables):
        yield f"{net} goes bare from the board to a cable: a short there harms the board"
    for cable in sorted(cables - {"5V-cable"}):
        for net in sorted(chip - {"GND", "5V"}):
            for part in circuit.between(cable, net):
                if part.kind != "resistor" or ohm(part.value) < SAFE_OHM:
                    yield f"{part.name} between {net} and the cable is {part.value}: at least {SAFE_OHM:.0f} Ω"
    if not any(part.kind == "fuse" for part in circuit.between("5V", "5V-cable")):
        yield "the supply goes into the cables without a fuse"
    cable = circuit.data["cable"]
    for first, second in cable["pairs"]:
        names = {cable["pins"][str(first)], cable["pins"][str(second)]}
        if not names & {"GND", "5V"}:
            yield f"the pair {first}, {second} carries two signals: each belongs beside a ground or the supply"
    for connector in (each for each in circuit.components if each.kind == "connector" and each.station):
        expected = [cable["pins"][str(pin)] for pin in range(1, 9)]
        got = [leg.net.removesuffix(f"-{connector.station}").removesuffix("-cable") for leg in connector.legs]
        if got != expected:
            yield f"{connector.name} has {got}, the cable {expected}"


def _value(circuit: Circuit, first: str, second: str, kind: str) -> float | None:
    found = [part for part in circuit.between(first, second) if part.kind == kind]
    if len(found) != 1:
        return None
    value = found[0].value
    return float(value.split()[0]) if kind == "capacitor" else ohm(value)


def _inputs(circuit: Circuit) -> Iterator[str]:
    data = circuit.data
    supply, chip = data["supply_v"], data["chip"]
    cable_ohm = 2 * data["cable"]["longest_m"] * data["cable"]["ohm_per_m"]
    names = [(f"{s}-{n}", f"{s}-cable-{n}") for s in ("confirm", "shield") for n in range(1, STATIONS + 1)]
    for net, cable in (*names, ("referee", "referee-cable")):
        series, pull = _value(circuit, cable, net, "resistor"), _value(circuit, "5V", net, "resistor")
        filter_nf = _value(circuit, net, "GND", "capacitor")
        if series is None or pull is None or filter_nf is None:
            yield f"input {net} needs one series resistor, one pull-up and one capacitor"
            continue
        low_v = data["station"]["hall"]["low_v"] if net.startswith("shield") else 0.0
        closed_v = low_v + (supply - low_v) * (series + cable_ohm) / (series + cable_ohm + pull)
        if closed_v > chip["low_share"] * supply:
            yield f"input {net} reads {closed_v:.2f} V when closed: at most {chip['low_share'] * supply:.2f} V"
        all_nf = filter_nf + data["cable"]["longest_m"] * data["cable"]["nf_per_m"]
        rise_ms = pull * all_nf * 1e-6 * math.log((supply - closed_v) / (supply * (1 - chip["high_share"])))
        if rise_ms > BOUNCE_MS:
            yield f"input {net} needs {rise_ms:.2f} ms to open: at most {BOUNCE_MS} ms"


def led_ma(circuit: Circuit, colour: str, anode: bool) -> float:
    """The current of a LED in mA, of either polarity: the drop at the pin is the same both ways, within a tenth."""
    data = circuit.data
    resistor = _value(circuit, f"{colour}-cable-1", f"{colour}-1", "resistor") or math.inf
    cable_ohm = 2 * data["cable"]["longest_m"] * data["cable"]["ohm_per_m"]
    drop_v: float = data["station"]["led"][f"{colour}_v"]
    fuse_ohm = 5.0 if anode else 0.0  # a common anode is fed through the fuse: its resistance when cold, at most
    all_ohm: float = resistor + cable_ohm + fuse_ohm + data["chip"]["output_ohm"]
    return float(data["supply_v"] - drop_v) / all_ohm * 1000


def short_ma(circuit: Circuit, colour: str) -> float:
    """What a pin gives when its wire is shorted to ground or to the supply, in mA."""
    resistor = _value(circuit, f"{colour}-cable-1", f"{colour}-1", "resistor") or 0.0
    return float(circuit.data["supply_v"]) / (resistor + float(circuit.data["chip"]["output_ohm"])) * 1000


def _outputs(circuit: Circuit) -> Iterator[str]:
    data, chip = circuit.data, circuit.data["chip"]
    for colour in ("green", "red"):
        for anode in (False, True):
            current = led_ma(circuit, colour, anode)
            if current < data["station"]["led"]["least_ma"]:
                yield f"LED {colour} gets {current:.1f} mA: it is too dark"
        if short_ma(circuit, colour) > chip["pin_ma"]:
            yield f"a shorted wire of LED {colour} draws {short_ma(circuit, colour):.1f} mA from a pin"
    shorted = {w.pin: short_ma(circuit, "green" if w.part.value.endswith("green") else "red") for w in circuit.wires
               if w.part.value.startswith("LED")}  # fmt: skip
    if sum(shorted.values()) > chip["all_ma"]:
        yield f"all LED wires shorted at once draw {sum(shorted.values()):.0f} mA from the chip"
    ports = {wire.pin: wire.port for wire in circuit.wires}
    low = sum(ma for pin, ma in shorted.items() if ports[pin][1] == "C" or ports[pin] in ("PD0", "PD1", "PD2", "PD3"))
    for total in (low, sum(shorted.values()) - low):
        if total > chip["group_ma"]:
            yield f"a group of ports gives {total:.0f} mA: at most {chip['group_ma']:.0f} mA"


def _supply(circuit: Circuit) -> Iterator[str]:
    data = circuit.data
    hall = STATIONS * data["station"]["hall"]["supply_ma"]
    anodes = STATIONS * (led_ma(circuit, "green", True) + led_ma(circuit, "red", True))
    fuse = next((float(p.value.split()[0]) for p in circuit.components if p.kind == "fuse"), 0.0)
    if hall + anodes > fuse:
        yield f"hall switches and LEDs draw {hall + anodes:.0f} mA through a fuse of {fuse:.0f} mA"
    if data["usb"]["own_ma"] + 2 * fuse + 30 > data["usb"]["all_ma"]:  # a fuse trips at twice its rating; the buzzer
        yield "a short in a cable draws more than a USB socket gives"
