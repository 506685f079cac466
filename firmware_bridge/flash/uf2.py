"""An image for a Raspberry Pi Pico: the second stage's CRC, and the blocks that its boot loader takes (UF2)."""

from __future__ import annotations

import struct

SECOND_STAGE = 256  # bytes; the last four are the CRC of the others (RP2040 data sheet 2.8.1.3.1)
_CRC_POLYNOMIAL = 0x04C11DB7
FLASH = 0x10000000
# Source of the block: the UF2 specification (Microsoft), "File format".
_MAGIC_START, _MAGIC_SECOND, _MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_HAS_FAMILY, _RP2040 = 0x00002000, 0xE48BFF56
_PAYLOAD, _PADDED = 256, 476


def crc32_mpeg2(data: bytes) -> int:
    """CRC-32/MPEG-2: polynomial 0x04C11DB7, start 0xFFFFFFFF, not reflected; 0x0376E6E7 for b"123456789"."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ _CRC_POLYNOMIAL if value >> 31 else value << 1) & 0xFFFFFFFF
    return value


def with_second_stage_crc(image: bytes) -> bytes:
    """The image with the CRC of its first 252 bytes behind them. Raises ValueError when the second stage is longer."""
    stage = image[: SECOND_STAGE - 4]
    if any(image[SECOND_STAGE - 4 : SECOND_STAGE]):
        raise ValueError(f"the second stage has at most {SECOND_STAGE - 4} bytes")
    return stage + crc32_mpeg2(stage).to_bytes(4, "little") + image[SECOND_STAGE:]


def uf2(image: bytes) -> bytes:
    """The image as the file that is dropped onto the board's drive."""
    padded = image + bytes(-len(image) % _PAYLOAD)
    count = len(padded) // _PAYLOAD
    blocks = []
    for number in range(count):
        payload = padded[number * _PAYLOAD : (number + 1) * _PAYLOAD]
        head = struct.pack(
            "<8I", _MAGIC_START, _MAGIC_SECOND, _HAS_FAMILY, FLASH + number * _PAYLOAD, _PAYLOAD, number, count, _RP2040
        )
        blocks.append(head + payload.ljust(_PADDED, b"\0") + _MAGIC_END.to_bytes(4, "little"))
    return b"".join(blocks)
