"""Writes what follows from circuit.toml and housing.toml: drawings, plates, and the tables inside HARDWARE.md."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.hardware.circuit import cable_table, circuit, net_table, pin_table
from firmware_bridge.hardware.guide_pictures import first_evening, led_rhythms
from firmware_bridge.hardware.housing import LANGUAGES, boxes
from firmware_bridge.hardware.parts import parts_table
from firmware_bridge.hardware.perfboard import link_table, perfboard
from firmware_bridge.hardware.plates import picture, sheet
from firmware_bridge.hardware.rules import reach_mm
from firmware_bridge.hardware.schematic import schematic
from firmware_bridge.hardware.station import sensor_orientation, station_wiring

ROOT = Path(__file__).parents[1]
HARDWARE = ROOT / "HARDWARE.md"
DRAWINGS = ROOT / "hardware" / "drawings"
COMMAND = "python -m firmware_bridge.hardware.documents"


def with_tables(text: str) -> str:
    """A document with its generated tables anew: each stands between `<!-- name -->` and `<!-- /name -->`. Raises
    ValueError when a place is missing.
    """
    tables = {
        "pins": pin_table(), "cable": cable_table(), "nets": net_table(), "parts": parts_table(circuit()),
        "links": link_table(circuit()), "reach": f"{reach_mm(circuit()):.0f} mm\n",
    }  # fmt: skip
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"HARDWARE.md has no place {begin.strip()} … {end} for its table")
        text = before + begin + table + end + after
    return text


def documents() -> dict[Path, str]:
    """Each file with its whole text."""
    found = {
        HARDWARE: with_tables(HARDWARE.read_text(encoding="utf-8")),
        DRAWINGS / "schematic.svg": schematic(circuit()),
        DRAWINGS / "board.svg": perfboard(circuit()),
        DRAWINGS / "station-wiring.svg": station_wiring(circuit()),
        DRAWINGS / "sensor.svg": sensor_orientation(circuit()),
        DRAWINGS / "first-evening.svg": first_evening(),
        DRAWINGS / "leds.svg": led_rhythms(),
    }
    for box in boxes():
        found[DRAWINGS / f"{box.name}.svg"] = picture(box, "en")
        for language in LANGUAGES:
            found[DRAWINGS / f"plates-{box.name}-{language}.svg"] = sheet(box, language)
    return found


def main() -> None:
    """Write them all."""
    DRAWINGS.mkdir(exist_ok=True)
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
