"""The firmware's pure C, compiled for this machine and called through ctypes."""

from __future__ import annotations

import ctypes
from pathlib import Path
from random import Random

from simulated_box import build_firmware

from firmware_bridge.constants import INPUTS, MAX_ENCODED, QUEUE_REPORTS, STATIONS

CRC_START = 0xFFFF
FRAME_BODY, FRAME_BAD = 1, 2
MAX_FRAME = MAX_ENCODED + 2
BOARD = 0x7F  # a program: as the Python link says it


class Reader(ctypes.Structure):
    """struct frame_reader"""

    _fields_ = (("length", ctypes.c_uint8), ("bytes", ctypes.c_uint8 * MAX_ENCODED))


class CContacts(ctypes.Structure):
    """struct contacts"""

    _fields_ = (
        ("settled", ctypes.c_uint16),
        ("moving", ctypes.c_uint16),
        ("locked", ctypes.c_uint16),
        ("since", ctypes.c_uint16 * len(INPUTS)),
        ("told", ctypes.c_uint16 * len(INPUTS)),
    )


class Report(ctypes.Structure):
    """struct report"""

    _fields_ = (("input", ctypes.c_uint8), ("ms", ctypes.c_uint32))


class Reports(ctypes.Structure):
    """struct reports"""

    _fields_ = (
        ("oldest", ctypes.c_uint32),
        ("head", ctypes.c_uint8),
        ("count", ctypes.c_uint8),
        ("sent", ctypes.c_uint8),
        ("told", ctypes.c_uint8),
        ("items", Report * QUEUE_REPORTS),
    )


class CSettings(ctypes.Structure):
    """struct settings"""

    _fields_ = tuple((name, ctypes.c_uint8) for name in ("lockout_button", "lockout_shield", "options"))


class Link(ctypes.Structure):
    """struct link"""

    _fields_ = (
        ("box", ctypes.c_uint32),
        ("boot", ctypes.c_uint32),
        ("board", ctypes.c_uint8),
        ("cause", ctypes.c_uint8),
        ("settings", CSettings),
        ("reports", Reports),
        ("levels", ctypes.c_uint16),
        ("settled", ctypes.c_uint16),
        ("dropped", ctypes.c_uint16),
        ("bad_frames", ctypes.c_uint16),
        ("resent", ctypes.c_uint16),
        ("heard_ms", ctypes.c_uint32),
        ("sent_ms", ctypes.c_uint32),
        ("alive_ms", ctypes.c_uint32),
        ("hello_ms", ctypes.c_uint32),
        ("host_present", ctypes.c_bool),
        ("hello_due", ctypes.c_bool),
        ("alive_due", ctypes.c_bool),
        ("settings_new", ctypes.c_bool),
        ("decision_due", ctypes.c_bool),
        ("refused", ctypes.c_uint8 * 3),
        ("token", ctypes.c_uint8),
        ("led_order", ctypes.c_uint8),
        ("leds", ctypes.c_uint8 * STATIONS),
    )


class CBox:
    """One C box: a frame reader and a link."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        for name in ("crc16", "fletcher16", "contacts_sample"):
            getattr(library, name).restype = ctypes.c_uint16
        for name in ("frame_close", "link_send", "link_led", "led_colours"):
            getattr(library, name).restype = ctypes.c_uint8
        library.next_boot.restype = ctypes.c_uint32
        self.link, self.reader = Link(), Reader()
        self._length, self._frame = ctypes.c_uint8(), (ctypes.c_uint8 * MAX_FRAME)()

    def check(self, name: str, data: bytes) -> int:
        if name == "crc16":
            return int(self.library.crc16(ctypes.c_uint16(CRC_START), data, ctypes.c_uint16(len(data))))
        return int(self.library.fletcher16(data, ctypes.c_uint8(len(data))))

    def close_frame(self, body: bytes) -> bytes:
        ctypes.memmove(ctypes.addressof(self._frame) + 2, body, len(body))
        length = self.library.frame_close(self._frame, ctypes.c_uint8(len(body)))
        return bytes(self._frame[:length])

    def read_stream(self, stream: bytes) -> tuple[list[bytes], int]:
        """The bodies in a stream and how many bad frames it holds."""
        bodies, bad = [], 0
        for byte in stream:
            length = ctypes.byref(self._length)
            result = self.library.frame_push(ctypes.byref(self.reader), ctypes.c_uint8(byte), length)
            if result == FRAME_BODY:
                bodies.append(bytes(self.reader.bytes[: self._length.value]))
            bad += result == FRAME_BAD
        return bodies, bad

    def start(self, box: int, boot: int, levels: int, now_ms: int) -> None:
        self.reader = Reader()
        self.library.link_start(
            ctypes.byref(self.link),
            ctypes.c_uint32(box),
            ctypes.c_uint32(boot),
            ctypes.c_uint16(levels),
            ctypes.c_uint32(now_ms),
        )
        settings = CSettings(self.link.settings.lockout_button, self.link.settings.lockout_shield, 0)
        self.library.link_describe(
            ctypes.byref(self.link), ctypes.c_uint8(BOARD), ctypes.c_uint8(0), ctypes.byref(settings)
        )

    def set_levels(self, levels: int, now_ms: int) -> None:
        self.library.link_levels(ctypes.byref(self.link), ctypes.c_uint16(levels), ctypes.c_uint32(now_ms))

    def receive(self, data: bytes, now_ms: int) -> None:
        bodies, bad = self.read_stream(data)
        for _ in range(bad):
            self.library.link_bad_frame(ctypes.byref(self.link))
        for body in bodies:
            self.library.link_receive(
                ctypes.byref(self.link), body, ctypes.c_uint8(len(body)), ctypes.c_uint32(now_ms & 0xFFFFFFFF)
            )

    def frames(self, now_ms: int) -> list[bytes]:
        out = []
        while length := self.library.link_send(
            ctypes.byref(self.link), self._frame, ctypes.c_uint32(now_ms & 0xFFFFFFFF)
        ):
            out.append(bytes(self._frame[:length]))
        return out


def build_c_box(folder: Path) -> CBox:
    """Compile the pure parts into `folder` and load them."""
    build_firmware(folder, "host")
    return CBox(ctypes.CDLL(str(folder / "libbox.so")))


def any_stream(random: Random, frames: list[bytes]) -> bytes:
    """Garbage, parts of frames and whole frames in a row."""
    parts = []
    for _ in range(random.randint(1, 12)):
        frame = random.choice(frames)
        parts.append(
            random.choice(
                (frame, frame[: random.randrange(len(frame))], random.randbytes(random.randint(0, 60)), bytes(3))
            )
        )
    return b"".join(parts)
