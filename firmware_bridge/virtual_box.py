"""The virtual box: the box's own protocol over a pseudo-terminal, with buttons and faults by command."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from random import Random
from typing import Final

from companion.core.errors import DeviceError
from companion.core.inputs import BoxInput
from firmware_bridge.constants import INPUT_INDEX, STATIONS, LedState
from firmware_bridge.model.box_model import BoxModel
from firmware_bridge.model.contacts import Lockouts
from firmware_bridge.model.device_link import U32
from firmware_bridge.model.faults import Faults, FaultyLine

VIRTUAL: Final = "virtual:"
BANNER: Final = "This button box is virtual: no hardware is connected."
VIRTUAL_BOX_ID: Final = 0x76697274  # "virt" in ASCII
TAP_MS: Final = 80  # how long a finger stays on a button
_LONGEST_SLEEP_S: Final = 0.25

FAULT_HELP: Final = (
    "drop P, corrupt P, repeat P, reorder P (probability of a frame, 0 to 1), delay MS, bounce EDGES, "
    "silence SECONDS, reset, unplug, replug, clear"
)


class _Line:
    """A pseudo-terminal whose other end is the port of the box."""

    def __init__(self) -> None:
        # The slave stays open here too: without it the master fails while no host has the port open.
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.name = os.ttyname(self._slave)

    def read(self) -> bytes:
        try:
            return os.read(self.master, 4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        try:
            os.write(self.master, data)
        except BlockingIOError:
            return  # nobody reads the line: as with a real one, the bytes are gone

    def close(self) -> None:
        os.close(self.master)
        os.close(self._slave)


class VirtualBox:
    """A box on a pty of its own; what people do to it may be called from any thread."""

    virtual = True

    def __init__(
        self,
        *,
        faults: Faults | None = None,
        seed: int = 0,
        box: int = VIRTUAL_BOX_ID,
        boot: int | None = None,
        clock_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
    ) -> None:
        random = Random(seed)
        self._faults, self._clock_ms = faults or Faults(), clock_ms
        self._lock = threading.RLock()
        # Another one at each start: a session that goes on must not take new presses for old ones.
        boot = time.time_ns() // 1_000_000 & U32 if boot is None else boot
        self._model = BoxModel(box, random, clock_ms(), boot)
        self._to_host = FaultyLine(random, lambda: self._faults)
        self._to_box = FaultyLine(random, lambda: self._faults)
        self._wake_read, self._wake_write = os.pipe()
        self._line: _Line | None = _Line()
        self._last_name = self._line.name
        self._running = True
        self._thread = threading.Thread(target=self._run, name="virtual box", daemon=True)
        self._thread.start()

    # ---- what people do to it

    def press(self, which: BoxInput) -> None:
        """Close a contact: hold a button down, or put a shield up."""
        self._move(which, True)

    def release(self, which: BoxInput) -> None:
        """Open a contact: let a button go, or lift a shield."""
        self._move(which, False)

    def tap(self, which: BoxInput) -> None:
        """Press a button and let it go after 80 ms."""
        self._move(which, True)
        self._move(which, False, TAP_MS)

    def set_lockouts(self, lockouts: Lockouts) -> None:
        """As a host would by SETTINGS."""
        with self._lock:
            self._model.link.lockouts = lockouts

    def is_closed(self, which: BoxInput) -> bool:
        """Whether the box has this contact as closed."""
        with self._lock:
            return bool(self._model.closed >> INPUT_INDEX[which] & 1)

    def _move(self, which: BoxInput, closed: bool, later_ms: float = 0) -> None:
        with self._lock:
            now_ms = self._clock_ms()
            self._model.advance(now_ms)
            self._model.move(which, closed, now_ms + later_ms, self._faults.bounce)
        self._wake()

    def command(self, text: str) -> None:
        """One fault by command, such as "drop 0.1" or "unplug". Raises DeviceError for one that is unknown."""
        name, _, value = text.strip().partition(" ")
        with self._lock:
            now_ms = self._clock_ms()
            match name:
                case "clear":
                    self._faults = Faults()
                    self._to_host.silent_until_ms = self._to_box.silent_until_ms = now_ms
                case "silence":
                    self._to_host.silent_until_ms = self._to_box.silent_until_ms = now_ms + _seconds(value) * 1000
                case "reset":
                    self._cut_line()
                    self._model.restart(now_ms)
                case "unplug":
                    self._cut_line()
                    if self._line is not None:
                        self._line.close()
                        self._line = None
                case "replug":
                    self._cut_line()
                    self._replug()
                case _:
                    self._faults = self._faults.changed(name, value.strip())
        self._wake()

    # ---- what can be seen of it

    @property
    def faults(self) -> Faults:
        """The faults in force."""
        return self._faults

    @property
    def port(self) -> str:
        """The device file of its line, "" while unplugged."""
        return self._line.name if self._line else ""

    @property
    def waiting(self) -> int:
        """Reports that no host has acknowledged."""
        with self._lock:
            return self._model.link.waiting

    def leds(self) -> tuple[LedState, ...]:
        """The state that each station's LED shows."""
        with self._lock:
            return self._model.leds()

    def colours(self) -> tuple[tuple[bool, bool], ...]:
        """(green, red) of each station's LED at this moment."""
        with self._lock:
            return self._model.colours(self._clock_ms())

    # ---- where the bridge finds it (PortSource)

    def candidates(self) -> list[str]:
        """Its port, when it is plugged in."""
        return [self.port] if self.port else []

    def opened(self, name: str) -> None:
        """Nothing to remember: it knows its own ports."""

    def missing(self) -> str:
        """Why there is no port."""
        return "the virtual box is unplugged: give it the command `replug`"

    # ---- its own thread

    def close(self) -> None:
        """Switch the box off; once it is off, nothing happens."""
        if not self._running:
            return
        self._running = False
        self._wake()
        self._thread.join()
        if self._line is not None:
            self._line.close()
            self._line = None
        for each in (self._wake_read, self._wake_write):
            os.close(each)

    def _replug(self) -> None:
        """Another port under another name: the new one is opened before the old one, or its namesake, goes."""
        old, self._line = self._line, _Line()
        if self._line.name == self._last_name:
            old, self._line = self._line, _Line()
        if old is not None:
            old.close()
        self._last_name = self._line.name

    def _cut_line(self) -> None:
        self._to_host.clear()
        self._to_box.clear()

    def _wake(self) -> None:
        os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while self._running:
            with self._lock:
                wait_s = self._work(self._clock_ms())
                watched = [self._wake_read] if self._line is None else [self._wake_read, self._line.master]
            poll = select.poll()
            for each in watched:
                poll.register(each, select.POLLIN)
            for ready, _ in poll.poll(max(0.0, wait_s) * 1000):
                if ready == self._wake_read:
                    os.read(self._wake_read, 4096)

    def _work(self, now_ms: float) -> float:
        """Take bytes, scan, send bytes; gives the seconds until something is due by itself."""
        self._to_box.carry_bytes(self._line.read() if self._line else b"", now_ms)
        self._model.receive(self._to_box.arrived(now_ms), now_ms)
        self._model.advance(now_ms)
        for frame in self._model.frames(now_ms):
            self._to_host.carry(frame, now_ms)
        arrived = self._to_host.arrived(now_ms)
        if self._line is not None and arrived:
            self._line.write(arrived)
        due_ms = min(self._model.deadline_ms(), self._to_host.deadline_ms(), self._to_box.deadline_ms())
        return min(_LONGEST_SLEEP_S, (due_ms - now_ms) / 1000)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise DeviceError(f"silence needs seconds from 0 to 3600, got {text!r}")
    return seconds


def open_virtual(source: str) -> VirtualBox:
    """The virtual box of a source such as `virtual:` or `virtual:drop=0.1,bounce=20,seed=3`. Raises DeviceError."""
    faults, seed = Faults(), 0
    for part in filter(None, source.removeprefix(VIRTUAL).split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise DeviceError(f"{part!r} is not NAME=VALUE", where=source, remedy=f"Faults: {FAULT_HELP}")
        if name == "seed":
            seed = int(value) if value.isdecimal() else 0
            continue
        faults = faults.changed(name, value)
    return VirtualBox(faults=faults, seed=seed)


def station_input(kind: str, station: int) -> BoxInput:
    """The input `confirm` or `shield` of a station (1 to 4). Raises ValueError for another."""
    if not 1 <= station <= STATIONS:
        raise ValueError(f"stations are 1 to {STATIONS}, got {station}")
    return BoxInput(f"{kind}-{station}")
