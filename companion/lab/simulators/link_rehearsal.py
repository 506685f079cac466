"""Rehearsals of the link: many presses through the real bridge over a bad line, latency, unplugging; with the count."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.core.errors import DeviceError
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from firmware_bridge.box import Bridge, open_box
from firmware_bridge.constants import INPUT_INDEX, QUEUE_REPORTS
from firmware_bridge.model.contacts import Lockouts
from firmware_bridge.model.device_link import DeviceLink
from firmware_bridge.model.faults import Faults, FaultyLine
from firmware_bridge.status import BoxStatus, LinkPhase

BUTTONS = tuple(each for each in BoxInput if not each.value.startswith("shield"))
STEP_MS = 4.0  # the bridge's turn in simulated time
MOVE_EVERY_MS = 7  # far more presses than contacts with their lock-outs allow: the link is what is rehearsed
WAIT_S = 10.0
PRESS_TO_SESSION_MS = 20.0  # 99th percentile that is asked for on a clean pty
BACK_WITHIN_S = 2.0


class Expected:
    """Compares events one by one with what was done to the box, keeping only what is still under way."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, int], tuple[BoxInput, ButtonEdge, int]] = {}
        self._told: dict[int, int] = {}  # boot -> highest number delivered
        self.presses = self.delivered = 0
        self.lost = self.doubled = self.invented = self.altered = self.disordered = 0

    def done(self, boot: int, number: int, which: BoxInput, edge: ButtonEdge, device_ms: int) -> None:
        """An edge happened: it must be delivered under this number."""
        self.presses += edge is ButtonEdge.PRESSED
        self._under_way[boot, number] = (which, edge, device_ms)

    def deliver(self, event: ButtonEvent) -> None:
        """An event came out of the bridge."""
        told = self._told.get(event.boot, 0)
        truth = self._under_way.pop((event.boot, event.number), None)
        if truth is None:
            self.doubled += event.number <= told
            self.invented += event.number > told
            return
        self.delivered += event.edge is ButtonEdge.PRESSED
        self.altered += truth != (event.input, event.edge, event.device_ms)
        self.disordered += event.number != told + 1
        self._told[event.boot] = event.number

    def finish(self) -> None:
        """Nothing more will come: what is still under way is lost."""
        self.lost = sum(edge is ButtonEdge.PRESSED for _, edge, _ in self._under_way.values())

    @property
    def wrong(self) -> int:
        """Presses lost, doubled, invented, altered or out of order."""
        return self.lost + self.doubled + self.invented + self.altered + self.disordered


class _WatchedLink(DeviceLink):
    """Tells which report each edge became: the truth that the events are compared with."""

    done: Callable[[int, int, BoxInput, ButtonEdge, int], None]

    def set_levels(self, settled: int, now_ms: int) -> None:
        before, dropped = self.levels, self.dropped
        number = self.next_number
        super().set_levels(settled, now_ms)
        if self.dropped != dropped:
            raise AssertionError("the rehearsal pressed faster than the box can keep")
        if before == self.levels:
            return
        for index, which in enumerate(BoxInput):
            if (before ^ self.levels) >> index & 1:
                pressed = self.levels >> index & 1
                self.done(self.boot, number, which, ButtonEdge.PRESSED if pressed else ButtonEdge.RELEASED, now_ms)
                number += 1


class _NoisyPort:
    """The box and a bad line as one port, in simulated time: what the bridge reads has come through the faults."""

    name = "rehearsal"

    def __init__(self, random: Random, faults: Faults, expected: Expected) -> None:
        self.now_ms = 0.0
        self.link = _WatchedLink(0xB0C5, 1, 0, 0)
        self.link.done = expected.done
        self.to_host = FaultyLine(random, lambda: faults)
        self.to_box = FaultyLine(random, lambda: faults)

    def move(self, which: BoxInput, closed: bool) -> None:
        """An input settles on another level."""
        bit = 1 << INPUT_INDEX[which]
        self.link.set_levels(self.link.settled | bit if closed else self.link.settled & ~bit, int(self.now_ms))

    def read(self) -> bytes:
        now_ms = int(self.now_ms)
        self.link.receive(self.to_box.arrived(now_ms), now_ms)
        while frame := self.link.send(now_ms):
            self.to_host.carry(frame, now_ms)
        return self.to_host.arrived(self.now_ms)

    def write(self, data: bytes) -> None:
        self.to_box.carry_bytes(data, self.now_ms)

    def close(self) -> None:
        self.to_host.clear()
        self.to_box.clear()


class _OnePort:
    """A source with one port that never goes away."""

    virtual = True

    def candidates(self) -> list[str]:
        return ["rehearsal"]

    def opened(self, name: str) -> None:
        pass

    def missing(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class PressResult:
    """What came of a rehearsal of presses; `spoilt` frames were damaged on the line."""

    presses: int
    delivered: int
    lost: int
    doubled: int
    invented: int
    altered: int
    disordered: int
    frames: int
    spoilt: int
    repeated: int
    resent: int
    reconnects: int
    simulated_s: float
    seconds: float

    @property
    def passed(self) -> bool:
        """Every press delivered exactly once, in order and as it was."""
        wrong = self.lost + self.doubled + self.invented + self.altered + self.disordered
        return wrong == 0 and self.delivered == self.presses


def rehearse_presses(
    presses: int, noise: float, seed: int, progress: Callable[[int], object] = lambda _done: None
) -> PressResult:
    """`presses` presses of five buttons through the bridge, with corruption, loss, repetition and reordering of
    `noise` each, per frame and direction; in simulated time, by the seed. Raises DeviceError for impossible numbers.
    """
    if presses < 1 or not 0 <= noise <= 0.3:
        raise DeviceError(f"expected presses >= 1 and noise 0 to 0.3, got {presses} and {noise}")
    random = Random(seed)
    expected = Expected()
    port = _NoisyPort(random, Faults(drop=noise, corrupt=noise, repeat=noise, reorder=noise), expected)
    bridge = Bridge(
        _OnePort(),
        expected.deliver,
        lambda _status: None,
        open_port=lambda _name: port,
        clock_ms=lambda: port.now_ms,
        wait=lambda _seconds: None,
    )
    begun = time.perf_counter()
    started, held, next_move_ms = 0, None, 1000.0
    while started < presses or held is not None or port.link.waiting or port.now_ms < next_move_ms:
        port.now_ms += STEP_MS
        moving = held is not None or started < presses
        if moving and port.now_ms >= next_move_ms and port.link.waiting < QUEUE_REPORTS - 2:
            if held is not None:
                port.move(held, False)
                held = None
            else:
                held = random.choice(BUTTONS)
                port.move(held, True)
                started += 1
                if started % 1000 == 0:
                    progress(started)
            next_move_ms = port.now_ms + MOVE_EVERY_MS
        bridge.step()
    expected.finish()
    quality = bridge.status.quality
    return PressResult(
        started,
        expected.delivered,
        expected.lost,
        expected.doubled,
        expected.invented,
        expected.altered,
        expected.disordered,
        frames=quality.frames,
        spoilt=port.to_host.spoilt + port.to_box.spoilt,
        repeated=quality.repeated,
        resent=port.link.resent,
        reconnects=quality.reconnects,
        simulated_s=port.now_ms / 1000,
        seconds=time.perf_counter() - begun,
    )


@dataclass(frozen=True, slots=True)
class LatencyResult:
    """Milliseconds from the contact's closing to the session, debouncing included, over a pty and threads."""

    presses: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    worst_ms: float

    @property
    def passed(self) -> bool:
        """The 99th percentile is within what the requirement allows."""
        return self.p99_ms <= PRESS_TO_SESSION_MS


def _wait_connected(statuses: queue.Queue[BoxStatus]) -> None:
    deadline = time.monotonic() + WAIT_S
    while statuses.get(timeout=max(0.0, deadline - time.monotonic())).phase is not LinkPhase.CONNECTED:
        pass


def rehearse_latency(presses: int, seed: int) -> LatencyResult:
    """The virtual box on a clean pty and the real bridge on its thread: how long a press takes to the session."""
    random = Random(seed)
    statuses: queue.Queue[BoxStatus] = queue.Queue()
    events: queue.Queue[tuple[float, ButtonEvent]] = queue.Queue()
    box = open_box("virtual:", lambda event: events.put((time.perf_counter(), event)), statuses.put)
    assert box.virtual is not None
    try:
        _wait_connected(statuses)
        box.virtual.set_lockouts(Lockouts(0, 0))  # or most of the time would be waiting for them
        taken_ms = []
        for _ in range(presses):
            which = random.choice(BUTTONS)
            pressed_at = time.perf_counter()
            box.virtual.press(which)
            taken_ms.append((events.get(timeout=WAIT_S)[0] - pressed_at) * 1000)
            box.virtual.release(which)
            events.get(timeout=WAIT_S)
            time.sleep(random.uniform(0, 0.01))  # so that presses fall anywhere in the bridge's and the box's cycles
    finally:
        box.close()
    taken_ms.sort()
    at = [taken_ms[min(presses - 1, int(presses * share))] for share in (0.5, 0.95, 0.99)]
    return LatencyResult(presses, at[0], at[1], at[2], taken_ms[-1])


@dataclass(frozen=True, slots=True)
class ReplugResult:
    """What came of unplugging and replugging under another name."""

    times: int
    presses: int
    wrong: int
    median_s: float
    worst_s: float
    other_names: int

    @property
    def passed(self) -> bool:
        """Nothing lost, doubled or invented, always under another name and back within 2 s."""
        return self.wrong == 0 and self.other_names == self.times and self.worst_s <= BACK_WITHIN_S


def rehearse_replug(times: int, seed: int, progress: Callable[[int], object] = lambda _done: None) -> ReplugResult:
    """Unplug the virtual box `times` times, press while it is out, replug it under another name, press again.

    The box keeps its power meanwhile, so that nothing at all may be lost; time is the real clock's.
    """
    random = Random(seed)
    statuses: queue.Queue[BoxStatus] = queue.Queue()
    events: queue.Queue[ButtonEvent] = queue.Queue()
    box = open_box("virtual:", events.put, statuses.put)
    assert box.virtual is not None
    box.virtual.set_lockouts(Lockouts(0, 0))  # the same button may be pressed again at once
    done: list[BoxInput] = []
    got: list[ButtonEvent] = []
    back_s, other_names = [], 0
    try:
        _wait_connected(statuses)
        for number in range(times):
            name = box.virtual.port
            before, out, after = random.sample(BUTTONS, 3)
            box.virtual.tap(before)
            box.virtual.command("unplug")
            box.virtual.tap(out)
            plugged_at = time.perf_counter()
            box.virtual.command("replug")
            box.virtual.tap(after)
            done += (before, out, after)
            other_names += box.virtual.port != name
            while not box.status.connected or box.status.port != box.virtual.port:
                statuses.get(timeout=WAIT_S)
            back_s.append(time.perf_counter() - plugged_at)
            while len(got) < 2 * len(done):
                got.append(events.get(timeout=WAIT_S))
            progress(number + 1)
    finally:
        box.close()
    while not events.empty():
        got.append(events.get())
    pressed = [event.input for event in got if event.edge is ButtonEdge.PRESSED]
    numbers = [event.number for event in got]
    # the three of a round fall into the same few milliseconds, in which the box may name a tie
    wrong = sum(set(pressed[at : at + 3]) != set(done[at : at + 3]) for at in range(0, len(done), 3))
    wrong += abs(len(pressed) - len(done))
    wrong += numbers != list(range(1, len(numbers) + 1))
    back_s.sort()
    return ReplugResult(times, len(done), wrong, back_s[times // 2], back_s[-1], other_names)
