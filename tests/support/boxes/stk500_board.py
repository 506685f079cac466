"""A board with a bootloader on a pty: enough of STK500 version 1 (Atmel AVR061) for avrdude to flash and to verify."""

from __future__ import annotations

import os
import select
import termios
import threading
import tty

OK, IN_SYNC, NO_SYNC = b"\x10", b"\x14", b"\x15"
# Command byte -> bytes that follow it before the closing 0x20; PROG_PAGE tells its own length.
ARGUMENTS = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x74: 3, 0x75: 0}
PROG_PAGE, END = 0x64, 0x20


class BootloaderBoard:
    """Understands one rate; `spoilt` flips a bit of what is read back."""

    def __init__(self, baud: int, signature: bytes, *, spoilt: bool = False) -> None:
        self._baud, self._signature, self._spoilt = baud, signature, spoilt
        self.flash = bytearray(b"\xff" * 32768)
        self._address = 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._buffer = bytearray()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.02)
            if not ready:
                continue
            data = os.read(self._master, 4096)
            if termios.tcgetattr(self._slave)[5] != self._baud:
                self._buffer.clear()
                continue
            self._buffer += data
            self._take()

    def _take(self) -> None:
        while self._buffer:
            command = self._buffer[0]
            if command == PROG_PAGE:
                if len(self._buffer) < 4:
                    return
                count = 3 + (self._buffer[1] << 8 | self._buffer[2])
            elif command in ARGUMENTS:
                count = ARGUMENTS[command]
            else:
                del self._buffer[0]
                continue
            if len(self._buffer) < count + 2:
                return
            arguments, end = bytes(self._buffer[1 : 1 + count]), self._buffer[1 + count]
            if end != END:
                del self._buffer[0]
                continue
            del self._buffer[: count + 2]
            os.write(self._master, IN_SYNC + self._do(command, arguments) + OK)

    def _do(self, command: int, arguments: bytes) -> bytes:
        if command == 0x41:
            return b"\x03"
        if command == 0x55:
            self._address = 2 * (arguments[0] | arguments[1] << 8)
        if command == 0x56:
            return b"\x00"
        if command == PROG_PAGE:
            data = arguments[3:]
            self.flash[self._address : self._address + len(data)] = data
        if command == 0x74:
            size = arguments[0] << 8 | arguments[1]
            data = bytearray(self.flash[self._address : self._address + size])
            if self._spoilt and self._address == 0:
                data[0] ^= 1
            return bytes(data)
        return self._signature if command == 0x75 else b""

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)
