"""The shipped image of the Pico in an emulated RP2040, as a rig of the conformance checks.

    npm install rp2040js --prefix FOLDER            # once; the emulator is used here alone
    python tests/support/boxes/pico_rig.py FOLDER         # 30 checks, then starts after power cuts

Not among the tests: the emulator comes from a package registry, not from the system's packages.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from firmware_bridge.conformance.rig import ProgramRig
from firmware_bridge.conformance.run import conformance
from firmware_bridge.framing import FrameReader
from firmware_bridge.messages import Hello, parse

IMAGE = Path(__file__).parents[3] / "firmware_bridge" / "flash" / "images" / "box-pico.uf2"
EMULATOR = Path(__file__).with_name("pico_emulator.cjs")
STARTS = 40
"""More than twice 16, the pages of the sector in which each start is written down: it is erased in between."""


class PicoRig(ProgramRig):
    """Bytes over the emulated serial line, contacts and LEDs at the emulated pins."""

    slack_ms = 17.0  # as of the Arduino's rig: two frames on a line of 57,600 baud, the LEDs' 8 ms, a step

    def __init__(self, modules: Path, image: Path = IMAGE) -> None:
        """`modules`: the folder in which npm installed the emulator."""
        os.environ |= {"NODE_PATH": str(modules / "node_modules"), "PICO_IMAGE": str(image)}
        super().__init__(EMULATOR)

    def restart(self) -> None:
        """Cut the power and give it back: memory is lost, flash is kept."""
        self._say("restart")


def hello(rig: PicoRig) -> Hello:
    """The first HELLO that comes."""
    reader = FrameReader()
    for _ in range(20):
        for _, data in rig.run(100):
            for body in reader.feed(data):
                message = parse(body) if isinstance(body, bytes) else None
                if isinstance(message, Hello):
                    return message
    raise AssertionError("no HELLO within 2 s")


def main(modules: Path) -> int:
    """Exit code 1 when a check fails or a start is not told apart from another."""
    failed = passed = 0
    with closing(PicoRig(modules)) as rig:
        for outcome in conformance(rig):
            passed, failed = passed + outcome.passed, failed + (not outcome.passed)
            print(f"{'ok' if outcome.passed else 'BROKEN'}: {outcome.name} {outcome.broken}".rstrip())
        simulated_s = rig.now_ms / 1000
    with closing(PicoRig(modules)) as rig:
        first = hello(rig)
        boots = [first.boot]
        for _ in range(STARTS):
            rig.restart()
            again = hello(rig)
            assert again.box == first.box, "another id after a power cut"
            boots.append(again.boot)
    distinct = len(set(boots)) == len(boots)
    print(f"{passed} checks passed, {failed} broken, {simulated_s:.0f} simulated seconds; {len(boots)} starts with "
          f"{len(set(boots))} boot ids")
    return int(bool(failed) or not distinct)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
