"""The circuit as data: parts, their legs, the nets that join them; read from circuit.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from firmware_bridge.constants import STATIONS

SOURCE = Path(__file__).with_name("circuit.toml")
Hole = tuple[int, int]  # column, row


class Part(Enum):
    """What hangs on a pin of the Arduino."""

    BUTTON = "confirm button"
    SHIELD = "shield sensor"
    GREEN = "LED green"
    RED = "LED red"
    REFEREE = "referee button"


@dataclass(frozen=True, slots=True)
class Wire:
    """One pin of the Arduino; `station` is 1 to 4, 0 for the referee; `port` is the name in the data sheet."""

    pin: str
    port: str
    part: Part
    station: int


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of a part: the net it is on, and its hole in the board."""

    net: str
    hole: Hole


@dataclass(frozen=True, slots=True)
class Component:
    """A part on the board; `option` is "" for what every box has; `station` 0 for what is there once."""

    name: str
    kind: str
    value: str
    legs: tuple[Leg, ...]
    station: int = 0
    option: str = ""


@dataclass(frozen=True, slots=True)
class Circuit:
    """Everything on the board, and the figures that the rules need (`data` is the file as it stands)."""

    components: tuple[Component, ...]
    wires: tuple[Wire, ...]
    data: dict[str, Any]

    def nets(self) -> dict[str, list[tuple[Component, int]]]:
        """Each net with the legs on it: (part, index of its leg)."""
        found: dict[str, list[tuple[Component, int]]] = {}
        for component in self.components:
            for index, leg in enumerate(component.legs):
                if leg.net:
                    found.setdefault(leg.net, []).append((component, index))
        return found

    def between(self, first: str, second: str) -> list[Component]:
        """The parts with two legs that join two nets."""
        nets = {first, second}
        return [each for each in self.components if len(each.legs) == 2 and {leg.net for leg in each.legs} == nets]


def _station_parts(data: dict[str, Any]) -> list[Component]:
    found = []
    for n, corner in enumerate(data["corners"], start=1):
        (column, row), step = corner["at"], corner["turn"]
        for part in data["station_part"]:
            legs = tuple(
                Leg(net.format(n=n), (column + step * at[0], row + step * at[1]))
                for net, at in zip(part["pins"], part["at"], strict=True)
            )
            found.append(Component(part["name"].format(n=n), part["kind"], part["value"], legs, n))
    return found


def _arduino(data: dict[str, Any], nets: dict[str, str]) -> Component:
    arduino = data["arduino"]
    legs = []
    for names, (column, row) in ((arduino["left"], arduino["at_left"]), (arduino["right"], arduino["at_right"])):
        legs += [Leg(nets.get(name, ""), (column + index, row)) for index, name in enumerate(names)]
    return Component(arduino["name"], "arduino", "Arduino Nano", tuple(legs))


@cache
def circuit() -> Circuit:
    """The circuit of the file. Raises KeyError or ValueError when it is not whole."""
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    nets = dict(data["arduino"]["extra"])
    wires = []
    for signal, row in data["signals"].items():
        for n, (pin, port) in enumerate(zip(row["pins"], row["ports"], strict=True), start=1):
            nets[pin] = f"{signal}-{n}"
            wires.append(Wire(pin, port, Part(row["part"]), n))
    wires.append(Wire("D6", "PD6", Part.REFEREE, 0))
    single = [
        Component(
            part["name"], part["kind"], part["value"],
            tuple(Leg(net, (at[0], at[1])) for net, at in zip(part["pins"], part["at"], strict=True)),
            0, part.get("option", ""),
        )
        for part in data["part"]
    ]  # fmt: skip
    return Circuit((_arduino(data, nets), *_station_parts(data), *single), tuple(wires), data)


WIRES: tuple[Wire, ...] = circuit().wires


def arduino_pins(data: dict[str, Any]) -> list[str]:
    """The names of the Arduino's pins in the order of its legs."""
    return [*data["arduino"]["left"], *data["arduino"]["right"]]


def ohm(value: str) -> float:
    """The ohms of "470 Ω" or "4.7 kΩ". Raises ValueError."""
    number, unit = value.split()
    return float(number) * {"Ω": 1.0, "kΩ": 1e3}[unit]


def pin_table() -> str:
    """The pin table in Markdown, station by station."""
    rows = ["| station | confirm button | shield sensor | LED green | LED red |", "|---|---|---|---|---|"]
    for station in range(1, STATIONS + 1):
        at = {wire.part: f"{wire.pin} ({wire.port})" for wire in WIRES if wire.station == station}
        cells = (at[part] for part in (Part.BUTTON, Part.SHIELD, Part.GREEN, Part.RED))
        rows.append(f"| {station} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def cable_table() -> str:
    """The pins of the station's cable in Markdown, pair by pair (T568B)."""
    colours = {
        1: "white-orange", 2: "orange", 3: "white-green", 6: "green", 4: "blue", 5: "white-blue", 7: "white-brown",
        8: "brown",
    }  # fmt: skip
    cable = circuit().data["cable"]
    rows = ["| pair | pin | wire | what |", "|---|---|---|---|"]
    for number, pair in enumerate(cable["pairs"], start=1):
        for pin in pair:
            what = cable["pins"][str(pin)]
            words = what if what in ("GND", "5V") else f"{what} signal"
            rows.append(f"| {number} | {pin} | {colours[pin]} | {words} |")
    return "\n".join(rows) + "\n"


def net_table() -> str:
    """Every net that is not of stations 2 to 4, with its legs, in Markdown: the circuit in words."""
    rows = ["| net | joins |", "|---|---|"]
    pins = arduino_pins(circuit().data)
    for net, legs in sorted(circuit().nets().items()):
        if net[-1] in "234":
            continue
        names = []
        for component, index in legs:
            if component.station > 1:
                continue
            names.append(f"U1 {pins[index]}" if component.kind == "arduino" else f"{component.name}.{index + 1}")
        rows.append(f"| {net} | {', '.join(names)} |")
    return "\n".join(rows) + "\n"
