"""The doctor on pseudo-terminals, each with a fault of its own: what it hears, and the finding that follows."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.inputs import BoxInput
from firmware_bridge.constants import Board, StartCause
from firmware_bridge.doctor.bootloader import ask_bootloader
from firmware_bridge.doctor.examine import examine
from firmware_bridge.doctor.finding import Finding, Verdict
from firmware_bridge.doctor.listening import listen
from firmware_bridge.doctor.machine import Machine
from firmware_bridge.framing import encode_frame
from firmware_bridge.messages import About, Hello, pack
from firmware_bridge.virtual_box import VirtualBox

HELLO = encode_frame(pack(Hello(1, 1, 2, 0, 1, 1, 100, 0, About(Board.ATMEGA328P, StartCause.POWER_ON, 150, 75))))
Answer = Callable[[bytes, int], bytes]  # what came (b"" now and then) and the line's rate -> what is said


class FakeLine:
    """A pty with something at its other end that hears bytes and answers them."""

    def __init__(self, answer: Answer) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.name = os.ttyname(self._slave)
        self._answer, self._ending = answer, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.02)
            data = os.read(self._master, 4096) if ready else b""
            out = self._answer(data, termios.tcgetattr(self._slave)[5])
            if out:
                os.write(self._master, out)

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def line() -> Iterator[Callable[[Answer], FakeLine]]:
    lines: list[FakeLine] = []

    def make(answer: Answer) -> FakeLine:
        lines.append(FakeLine(answer))
        return lines[-1]

    yield make
    for each in lines:
        each.close()


class FastClock:
    """Time that passes fivefold while a real line is read."""

    def __init__(self) -> None:
        self.now_ms = 0.0

    def __call__(self) -> float:
        self.now_ms += 100
        return self.now_ms


def doctor(name: str) -> Finding:
    """The worst finding about a port."""
    found = examine(name, Machine(), comports=list, hear=lambda port: listen(port, clock_ms=FastClock()))
    return min(found, key=lambda each: list(Verdict)[::-1].index(each.verdict))


def test_line_that_speaks_and_does_not_hear(line: Callable[[Answer], FakeLine]) -> None:
    finding = doctor(line(lambda data, _rate: b"" if data else HELLO).name)
    assert "does not hear" in finding.text
    assert "D0" in finding.text


def test_box_of_another_version(line: Callable[[Answer], FakeLine]) -> None:
    other = encode_frame(bytes((3, 1)) + bytes(20))
    finding = doctor(line(lambda data, _rate: b"" if data else other).name)
    assert "protocol version 3" in finding.text
    assert "companion box flash" in finding.command


def test_device_that_is_no_box(line: Callable[[Answer], FakeLine]) -> None:
    assert "not as the box does" in doctor(line(lambda data, _rate: b"" if data else b"AT+GMM\r\n").name).text


def bootloader(rate: int, signature: bytes) -> Answer:
    """A bootloader that understands one rate only: at another one bytes come as rubbish."""

    def answer(data: bytes, now: int) -> bytes:
        if now != rate or not data:
            return b""
        return {b"\x30\x20": b"\x14\x10", b"\x75\x20": b"\x14" + signature + b"\x10"}.get(data, b"\x14\x10")

    return answer


def test_clone_with_the_old_bootloader(line: Callable[[Answer], FakeLine]) -> None:
    finding = doctor(line(bootloader(termios.B57600, b"\x1e\x95\x0f")).name)
    assert "ATmega328P with the old bootloader" in finding.text
    assert "--bootloader old" in finding.command


def test_board_with_another_chip(line: Callable[[Answer], FakeLine]) -> None:
    name = line(bootloader(termios.B115200, b"\x1e\x98\x01")).name
    found = ask_bootloader(name)
    assert found is not None
    assert (found.chip, found.old) == ("ATmega2560", False)


def test_board_on_which_nothing_answers(line: Callable[[Answer], FakeLine]) -> None:
    finding = doctor(line(lambda _data, _rate: b"").name)
    assert "no bootloader answers" in finding.text
    assert "--programmer" in finding.command


def test_button_that_sticks_and_presses_that_wait_are_left_in_the_box() -> None:
    box = VirtualBox()
    try:
        box.press(BoxInput.CONFIRM_1)
        got = listen(box.port)
        assert got.hello is not None
        assert got.round_trip_ms is not None
        assert got.always_closed == (BoxInput.CONFIRM_1,)
        assert box.waiting == 1
    finally:
        box.close()


def test_game_that_has_the_port_is_named_and_not_killed(line: Callable[[Answer], FakeLine], tmp_path: Path) -> None:
    name = line(lambda _data, _rate: b"").name
    program = tmp_path / "companion"
    program.write_text(
        "import sys\nport = open(sys.argv[2], 'rb', buffering=0)\nprint('open', flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, program, "play", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as game:
        assert game.stdout is not None
        assert game.stdout.readline() == "open\n"
        finding = doctor(name)
        assert f"`companion play {name}` (pid {game.pid})" in finding.text
        assert "kill" not in finding.text + finding.command
        assert game.stdin is not None
        game.stdin.close()
