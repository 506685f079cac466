"""Frames on the wire: COBS between zero bytes, each closed by a CRC-16 and a Fletcher-16."""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass
from enum import Enum
from operator import mul

from firmware_bridge.constants import MAX_BODY, MAX_ENCODED, TRAILER_SIZE

DELIMITER = b"\x00"
_CRC_START = 0xFFFF
_FLETCHER_MODULUS = 255


class FrameFault(Enum):
    """Why the bytes between two delimiters are not a frame."""

    TOO_LONG = "longer than any frame"
    TOO_SHORT = "shorter than any frame"
    BAD_COBS = "not COBS"
    BAD_CHECK = "check does not match"


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two delimiters that are not a frame (at most MAX_ENCODED of them)."""

    fault: FrameFault
    encoded: bytes


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF, no reflection): 0x29B1 for b"123456789"."""
    return crc_hqx(data, _CRC_START)


def fletcher16(data: bytes) -> int:
    """Fletcher's checksum modulo 255, second sum in the high byte: 0xC8F0 for b"abcde"."""
    first = sum(data) % _FLETCHER_MODULUS
    second: int = sum(map(mul, data, range(len(data), 0, -1))) % _FLETCHER_MODULUS
    return second << 8 | first


def cobs_encode(data: bytes) -> bytes:
    """`data` (at most 253 bytes) without zero bytes and one byte longer, after Cheshire and Baker (1999)."""
    if len(data) > 253:
        raise ValueError(f"a frame holds at most 253 bytes, got {len(data)}")
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(DELIMITER))


def cobs_decode(encoded: bytes) -> bytes | None:
    """What `cobs_encode` was given, or None when `encoded` is not its output."""
    runs = []
    at, end = 0, len(encoded)
    while at < end:
        code = encoded[at]
        if code == 0 or at + code > end:
            return None
        runs.append(encoded[at + 1 : at + code])
        at += code
    return DELIMITER.join(runs) if runs else None


def encode_frame(body: bytes) -> bytes:
    """The bytes on the wire for `body` (2 to MAX_BODY bytes), delimiters included. Raises ValueError otherwise."""
    if not 2 <= len(body) <= MAX_BODY:
        raise ValueError(f"a body has 2 to {MAX_BODY} bytes, got {len(body)}")
    trailer = crc16(body).to_bytes(2, "little") + fletcher16(body).to_bytes(2, "little")
    return DELIMITER + cobs_encode(body + trailer) + DELIMITER


def decode_frame(encoded: bytes) -> bytes | BadFrame:
    """The body of the bytes between two delimiters, or what is wrong with them."""
    if len(encoded) > MAX_ENCODED:
        return BadFrame(FrameFault.TOO_LONG, encoded[:MAX_ENCODED])
    decoded = cobs_decode(encoded)
    if decoded is None:
        return BadFrame(FrameFault.BAD_COBS, encoded)
    if len(decoded) < 2 + TRAILER_SIZE:
        return BadFrame(FrameFault.TOO_SHORT, encoded)
    body = decoded[:-TRAILER_SIZE]
    crc = decoded[-4] | decoded[-3] << 8
    check = decoded[-2] | decoded[-1] << 8
    if crc16(body) != crc or fletcher16(body) != check:
        return BadFrame(FrameFault.BAD_CHECK, encoded)
    return body


class FrameReader:
    """Cuts a stream of any bytes into bodies and bad frames; keeps at most MAX_ENCODED + 1 bytes.

    Resynchronises at every zero byte: a damaged frame costs itself, or at most the next one with it.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes | BadFrame]:
        """The bodies and bad frames completed by `data`, in order."""
        found: list[bytes | BadFrame] = []
        pieces = data.split(DELIMITER)
        for number, piece in enumerate(pieces):
            room = MAX_ENCODED + 1 - len(self._buffer)  # one byte more than fits tells that it was too long
            self._buffer += piece[:room]
            if number < len(pieces) - 1 and self._buffer:  # back to back delimiters enclose nothing
                found.append(decode_frame(bytes(self._buffer)))
                self._buffer.clear()
        return found

    def reset(self) -> None:
        """Forget a frame begun: the stream starts anew."""
        self._buffer.clear()
