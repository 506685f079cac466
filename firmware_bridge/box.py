"""The bridge: finds the box, keeps the link up by itself, and hands every press over exactly once and in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TextIO

from companion.core.errors import DeviceError
from companion.core.inputs import ButtonEvent
from companion.core.messages import Message
from firmware_bridge.capture import CaptureWriter
from firmware_bridge.constants import STATIONS, LedState, Option
from firmware_bridge.host_link import Direction, HostLink, Observer
from firmware_bridge.model.contacts import Lockouts
from firmware_bridge.ports import Port, PortError, PortSource, SerialPort, SerialSource
from firmware_bridge.status import BoxStatus, LinkPhase, ReportPosition
from firmware_bridge.virtual_box import VIRTUAL, VirtualBox, open_virtual

RETRY_S = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)  # waits before the next attempt: at once, then up to 1 s, for ever
CLOSE_WAIT_S = 2.0


class Bridge:
    """One step of the bridge at a time, without a thread: connect, take bytes, send bytes.

    `clock_ms` and `wait` (seconds) are passed in, so that a simulation can run as fast as it likes.
    """

    def __init__(
        self,
        source: PortSource,
        on_event: Callable[[ButtonEvent], None] | None,
        on_status: Callable[[BoxStatus], None],
        *,
        open_port: Callable[[str], Port] = SerialPort,
        clock_ms: Callable[[], float],
        wait: Callable[[float], object],
        position: ReportPosition | None = None,
        fresh: bool = False,
        observe: Observer | None = None,
        capture: TextIO | None = None,
    ) -> None:
        self._source, self._on_status, self._open_port = source, on_status, open_port
        self._clock_ms, self._wait = clock_ms, wait
        self.link = HostLink(on_event, position=position, fresh=fresh, observe=observe)
        self._capture = (
            CaptureWriter(capture, virtual=source.virtual, clock_ms=clock_ms, position=position, fresh=fresh)
            if capture else None
        )
        self._port: Port | None = None
        self._attempt = self._reconnects = 0
        self._was_connected = False
        self._candidate = 0
        self._trouble = ""
        self._status = BoxStatus(LinkPhase.SEARCHING, source.virtual)
        self._told: object = None

    @property
    def status(self) -> BoxStatus:
        """How the link stands now, with its counts."""
        return replace(self._status, quality=replace(self.link.quality, reconnects=self._reconnects))

    def step(self) -> None:
        """Do what is due: at most one attempt to connect, or one read and one write."""
        if self._port is None:
            self._connect()
        if self._port is not None:
            self._exchange(self._port)
        self._tell()

    def close(self) -> None:
        """Give the port back."""
        if self._port is not None:
            self._port.close()
            self._port = None
        self._status = replace(self._status, phase=LinkPhase.CLOSED)
        self._on_status(self.status)

    def _connect(self) -> None:
        self._wait(RETRY_S[min(self._attempt, len(RETRY_S) - 1)])
        self._attempt += 1
        candidates = self._source.candidates()
        if not candidates:
            self._trouble = self._source.missing()
            return
        name = candidates[self._candidate % len(candidates)]
        self._candidate += 1  # a port that stays silent gives way to the next one
        try:
            self._port = self._open_port(name)
        except PortError as error:
            self._trouble = error.said
            return
        self._trouble = ""
        self.link.opened(self._clock_ms())
        if self._capture:
            self._capture.opened(name)

    def _exchange(self, port: Port) -> None:
        try:
            data = port.read()
            now_ms = self._clock_ms()
            if data:
                if self._capture:
                    self._capture.bytes(Direction.FROM_BOX, data)
                self.link.receive(data, now_ms)
            out = self.link.to_send(now_ms)
            if out:
                port.write(out)
                if self._capture:
                    self._capture.bytes(Direction.TO_BOX, out)
        except PortError as error:
            self._lose(error.said)
            return
        if self.link.hello is not None and self._status.phase is not LinkPhase.CONNECTED:
            self._source.opened(port.name)
            self._attempt = self._candidate = 0
            self._reconnects += self._was_connected
            self._was_connected = True
        if self.link.dead(now_ms):
            self._lose(self._silence(port.name))

    def _silence(self, name: str) -> str:
        if self.link.hello is not None:
            silent = "{port}: the box fell silent. Check its cable and power; this program keeps trying"
            return Message(silent, port=name)
        if self.link.quality.bad_frames:
            other = "{port}: something answers there, but not the box's firmware. Run `companion box doctor {port}`"
            return self.link.trouble or Message(other, port=name)
        return Message("{port}: nothing answers there. Run `companion box doctor {port}`", port=name)

    def _lose(self, trouble: str) -> None:
        assert self._port is not None
        self._port.close()
        self._port = None
        self._trouble = trouble
        self.link.hello = None

    def _tell(self) -> None:
        link, hello = self.link, self.link.hello
        # counts alone are no news; they can be read at any time
        capture_trouble = self._capture.trouble if self._capture else ""
        news = (self._port, hello, link.inputs, link.leds_taken, self._trouble, link.trouble, capture_trouble)
        if news == self._told:
            return
        self._told = news
        was = self._status
        if self._port is None:
            phase = LinkPhase.SEARCHING
        elif hello is None and was.phase is not LinkPhase.CONNECTED:
            phase = LinkPhase.LISTENING
        else:
            phase = LinkPhase.CONNECTED  # a box that was just reset is being asked for its state
        self._status = BoxStatus(
            phase,
            self._source.virtual,
            port=self._port.name if self._port else "",
            box=f"{hello.box:08x}" if hello else was.box,
            boot=hello.boot if hello else was.boot,
            firmware=hello.firmware if hello else was.firmware,
            about=hello.about if hello else was.about,
            closed=link.closed_inputs(),
            leds_taken=link.leds_taken and phase is LinkPhase.CONNECTED,
            trouble=self._trouble or link.trouble or capture_trouble,
        )
        if self._status != was:
            self._on_status(self.status)


class Box:
    """An open box: its thread delivers events; LEDs and status from any thread."""

    def __init__(self, bridge: Bridge, stop: threading.Event, virtual: VirtualBox | None) -> None:
        self._bridge, self._stop = bridge, stop
        self.virtual = virtual
        self._lock = threading.Lock()
        self._settings: tuple[int, int, Option] | None = None
        self._leds: list[LedState] = [LedState.OFF] * STATIONS
        self._taker: list[Callable[[ButtonEvent], None] | None] = []  # the one to change to, until it is done
        self._thread = threading.Thread(target=self._run, name="box", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                with self._lock:
                    states, settings = tuple(self._leds), self._settings
                    if self._taker:
                        self._bridge.link.take(self._taker.pop())
                self._bridge.link.set_leds(states)
                if settings is not None:
                    self._bridge.link.set_settings(*settings)
                self._bridge.step()
        finally:  # whatever ends the thread, the status must not go on saying that the box is connected
            self._bridge.close()

    @property
    def status(self) -> BoxStatus:
        """How the link stands now, with its counts."""
        return self._bridge.status

    def set_led(self, station: int, state: LedState) -> None:
        """Show `state` at `station` (1 to 4), now or as soon as the box is there. Raises ValueError otherwise."""
        if not 1 <= station <= STATIONS:
            raise ValueError(f"stations are 1 to {STATIONS}, got {station}")
        if state is LedState.HOST_LOST:
            raise ValueError("the box shows HOST_LOST by itself")
        with self._lock:
            self._leds[station - 1] = state

    def set_leds(self, states: tuple[LedState, ...]) -> None:
        """Show a state at each station, in order."""
        for station, state in enumerate(states, start=1):
            self.set_led(station, state)

    def take(self, on_event: Callable[[ButtonEvent], None] | None) -> None:
        """From now on presses go to `on_event`, what waits in the box first; with None they stay in the box."""
        with self._lock:
            self._taker = [on_event]

    def set_settings(self, lockouts: Lockouts, options: Option) -> None:
        """What the box is to keep from now on; `status.about` tells when it has."""
        with self._lock:
            self._settings = (*lockouts.as_bytes, options)

    def close(self) -> None:
        """End the thread and give the port back; the box notices by itself."""
        self._stop.set()
        self._thread.join(CLOSE_WAIT_S)
        if self.virtual is not None:
            self.virtual.close()


def open_box(
    source: str,
    on_event: Callable[[ButtonEvent], None] | None,
    on_status: Callable[[BoxStatus], None] | None = None,
    *,
    position: ReportPosition | None = None,
    fresh: bool = False,
    observe: Observer | None = None,
    capture: TextIO | None = None,
) -> Box:
    """Start the bridge and return at once; whether a box is there is told by the status.

    `source`: `auto`, a device file, a /dev/serial/by-id path, or `virtual:` (faults may follow, as in
    `virtual:drop=0.1,seed=3`). `on_event` and `on_status` run on the bridge's thread: they enqueue and return;
    an event is acknowledged to the box when `on_event` has returned; with None the box is only watched, and every
    press stays in it for whoever plays. `position` is the last event a session
    already has; with `fresh` it has none, and what waits in the box is dropped.
    Raises DeviceError for a source that is none of these.
    """
    stop = threading.Event()
    virtual = open_virtual(source) if source.startswith(VIRTUAL) else None
    if virtual is None and source != "auto" and not source.startswith("/"):
        raise DeviceError(
            f"{source!r} is no box", where="--box", remedy="Give auto, /dev/ttyACM0, /dev/serial/by-id/… or virtual:"
        )
    bridge = Bridge(
        virtual if virtual is not None else SerialSource(source),
        on_event,
        on_status or (lambda _status: None),
        clock_ms=lambda: time.monotonic() * 1000,
        wait=stop.wait,
        position=position,
        fresh=fresh,
        observe=observe,
        capture=capture,
    )
    return Box(bridge, stop, virtual)
