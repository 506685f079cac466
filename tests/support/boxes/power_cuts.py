"""Power cuts of the firmware in simavr at random moments of a press; `python -m power_cuts 1000` prints the count."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from simulated_box import SimulatedBox, build_firmware, build_harness

from companion.core.inputs import BoxInput, ButtonEdge
from firmware_bridge.constants import LED_STEP_MS, STATIONS, LedState

CONFIRMS = tuple(BoxInput(f"confirm-{n}") for n in range(1, STATIONS + 1))
GREEN = (True, False)
AFTER_PRESS_MS = 30.0  # a press is settled, reported, taken and lit within some 25 ms
BOOT_MS = 400.0
STEADY_MS = 5 * LED_STEP_MS  # longer than the half second of "place now": green all the while is "confirmed"


@dataclass(slots=True)
class CutResult:
    """What became of presses whose box lost its power."""

    cuts: int = 0
    presses: int = 0
    taken: int = 0
    lit: int = 0
    lit_and_lost: int = 0
    doubled: int = 0
    dark_after_cut: int = 0  # not taken, and the LED did not say confirmed afterwards: pressed again
    lit_but_not_taken: int = 0
    repeated_boots: int = 0


def _shown(box: SimulatedBox, station: int) -> bool:
    """Whether the station's LED is green and stays so."""
    for _ in range(int(STEADY_MS / 25)):
        box.run(25, step_ms=25)
        if box.leds()[station] != GREEN:
            return False
    return True


def cut_power(box: SimulatedBox, cuts: int, seed: int) -> CutResult:
    """One press of a random station and a power cut around it, `cuts` times; every fourth is cut again as it starts."""
    random, result, boots = Random(seed), CutResult(), set()
    bridge = box.connect()
    box.run(BOOT_MS)
    while result.cuts < cuts:
        states = [LedState.PLACE_NOW] * STATIONS
        bridge.link.set_leds(tuple(states))
        box.run(60)
        box.events.clear()
        station, lit = random.randrange(STATIONS), False
        box.move(CONFIRMS[station], True)
        result.presses += 1
        end = box.now_ms + random.uniform(0, AFTER_PRESS_MS)
        while box.now_ms < end:
            box.run(1, step_ms=1)
            if box.events:
                states[station] = LedState.CONFIRMED  # the session has it
                bridge.link.set_leds(tuple(states))
            # PLACE_NOW is green too, half of the time: lit is what only CONFIRMED can be
            lit = lit or (bridge.link.leds_taken and states[station] is LedState.CONFIRMED)
        for _ in range(2 if result.cuts % 4 == 0 else 1):
            box.power_cut()
            result.cuts += 1
            box.run(random.uniform(0, 80), step_ms=2)
        box.move(CONFIRMS[station], False)
        box.run(BOOT_MS)
        boots_now = bridge.status.boot
        result.repeated_boots += boots_now in boots
        boots.add(boots_now)
        taken = sum(event.edge is ButtonEdge.PRESSED for event in box.events)
        steady = _shown(box, station)
        result.taken += taken > 0
        result.doubled += taken > 1
        result.lit += lit
        result.lit_and_lost += lit and not taken
        result.dark_after_cut += not taken and not steady
        result.lit_but_not_taken += not taken and steady
    return result


def main() -> None:
    cuts = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_firmware(folder, "hex")
        box = SimulatedBox(build_harness(folder), folder / "box.elf")
        try:
            print(cut_power(box, cuts, 1))
        finally:
            box.close()


if __name__ == "__main__":
    main()
