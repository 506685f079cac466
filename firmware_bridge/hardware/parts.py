"""The parts list for one to four stations, from the circuit and its file of names and prices."""

from __future__ import annotations

from collections import Counter

from firmware_bridge.constants import STATIONS
from firmware_bridge.hardware.circuit import Circuit

# Small parts are counted from the circuit itself: (kind, price of one in euro, about).
_SMALL = {"resistor": 0.05, "capacitor": 0.10, "transistor": 0.10, "diode": 0.05}
_WORDS = {"resistor": "resistor {value}, 1/4 W", "capacitor": "ceramic capacitor {value}",
          "transistor": "transistor {value}", "diode": "diode {value}"}  # fmt: skip


def small_parts(circuit: Circuit, stations: int, buzzer: bool) -> Counter[tuple[str, str]]:
    """How many of each (kind, value) are on a board for that many stations."""
    return Counter(
        (each.kind, each.value)
        for each in circuit.components
        if each.kind in _SMALL and each.station <= stations and (buzzer or each.option != "buzzer")
    )


def price(circuit: Circuit, stations: int) -> float:
    """About what a box of that many stations costs in euro, with reeds, without a buzzer and without the housing."""
    rows = circuit.data["buy"]
    total = sum(row["price"] * row["count"] for row in rows if row["each"] == "box")
    total += stations * sum(row["price"] * row["count"] for row in rows if row["each"] == "station")
    total += sum(_SMALL[kind] * n for (kind, _), n in small_parts(circuit, stations, buzzer=False).items())
    return float(total)


def parts_table(circuit: Circuit) -> str:
    """The parts in Markdown: what, how many for 1 to 4 stations, and about what one costs."""
    heads = [str(n) for n in range(1, STATIONS + 1)]
    rows = [f"| part | {' | '.join(heads)} | about € |", "|---|" + "---|" * (STATIONS + 1)]
    for row in circuit.data["buy"]:
        each = row["each"]
        many = [row["count"] * (1 if each in ("box", "buzzer") else n) for n in range(1, STATIONS + 1)]
        words = row["text"] + (" (option)" if each == "buzzer" else "")
        rows.append(f"| {words} | {' | '.join(map(str, many))} | {row['price']:.2f} |")
    for kind, value in sorted(small_parts(circuit, STATIONS, buzzer=True)):
        many = [small_parts(circuit, n, buzzer=True)[kind, value] for n in range(1, STATIONS + 1)]
        rows.append(f"| {_WORDS[kind].format(value=value)} | {' | '.join(map(str, many))} | {_SMALL[kind]:.2f} |")
    totals = [f"{price(circuit, n):.0f}" for n in range(1, STATIONS + 1)]
    rows.append(f"| **all together, about €** (reeds, no buzzer, no housing) | {' | '.join(totals)} | |")
    return "\n".join(rows) + "\n"
