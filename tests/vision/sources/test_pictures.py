"""Pictures from strangers: the head is believed before anything is decoded, and small and large ones are refused."""

from __future__ import annotations

import os
import struct
import tracemalloc
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import DataError, DeviceError
from vision.scenes.scene_set import picture
from vision.sources.browser import BrowserSource
from vision.sources.grabbers import decode_jpeg
from vision.sources.pictures import decoded, read_picture, size_of


def png(width: int, height: int, rows: int) -> bytes:
    """A PNG whose head promises width x height black pixels, of which `rows` rows are there."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 + 3 * width)) for _ in range(rows)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "expected a picture"),
        (b"GIF89a" + bytes(50), "expected a picture"),
        (bytes(1000), "expected a picture"),
        (b"\xff\xd8\xff\xe0" + bytes(20), "expected a picture"),
        (png(50_000, 50_000, 10), "megapixels"),
        (png(2**31 - 1, 2**31 - 1, 0), "expected a picture|megapixels"),
        (jpeg(1, 1), "1 x 1; expected 8 px a side"),
        (jpeg(1, 5000), "1 x 5000"),
        (jpeg(5000, 3), "5000 x 3"),
        (png(64, 64, 3)[:60], "expected"),
    ],
    ids=["nothing", "another kind", "zeros", "half a head", "a bomb", "a wild head", "a dot", "a line", "a strip",
         "cut"],
)
def test_what_is_no_sound_picture_is_refused_and_costs_nothing(data: bytes, expected: str) -> None:
    tracemalloc.start()
    with pytest.raises(ValueError, match=expected):
        decoded(data)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    with pytest.raises(DeviceError):
        decode_jpeg(data)
    with pytest.raises(DeviceError):
        BrowserSource().push(data)


def test_a_sound_picture_is_decoded() -> None:
    assert decoded(jpeg(64, 48)).shape == (48, 64, 3)
    assert size_of(png(64, 48, 48)) == (64, 48)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_every_kind_is_read_and_its_size_is_told_beforehand(kind: str) -> None:
    data = cv2.imencode(kind, np.full((48, 64, 3), 90, np.uint8))[1].tobytes()
    assert size_of(data) == (64, 48)
    assert decoded(data).shape == (48, 64, 3)


def test_a_kind_that_the_decoder_knows_but_nobody_expects_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a picture"):
        decoded(cv2.imencode(".jp2", np.full((48, 64, 3), 90, np.uint8))[1].tobytes())


def test_every_shortened_picture_is_a_picture_or_an_error() -> None:
    whole = jpeg(48, 32)
    for length in range(0, len(whole), 7):
        try:
            assert decoded(whole[:length]).shape == (32, 48, 3)
        except ValueError:
            continue


def test_files_with_any_name_are_read_and_devices_are_refused(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.jpg"))
    path.write_bytes(jpeg(64, 48))
    assert picture(path).shape == (48, 64, 3)
    os.mkfifo(tmp_path / "pipe.jpg")
    for odd in (Path("/dev/zero"), tmp_path, tmp_path / "none.jpg", tmp_path / "pipe.jpg"):
        with pytest.raises(ValueError, match=r"expected a file|No such file"):
            read_picture(odd)
        with pytest.raises(DataError):
            picture(odd)
