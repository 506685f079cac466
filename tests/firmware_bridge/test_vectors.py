"""Python and C read the same vectors; the C header and the vectors are up to date with the constants."""

from __future__ import annotations

import ctypes
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from c_box import CBox, build_c_box

from firmware_bridge import generate
from firmware_bridge.constants import LedState, led_colours
from firmware_bridge.framing import BadFrame, FrameReader, crc16, decode_frame, encode_frame, fletcher16
from firmware_bridge.messages import About, Leds, pack, parse

VECTORS: dict[str, Any] = json.loads(generate.VECTORS.read_text())
NEEDS_C = pytest.mark.system("gcc")


@pytest.fixture(scope="module")
def c_box(tmp_path_factory: pytest.TempPathFactory) -> CBox:
    return build_c_box(tmp_path_factory.mktemp("c"))


def test_c_header_is_what_the_constants_say() -> None:
    assert generate.HEADER.read_text() == generate.header(), f"run `{generate.COMMAND}`"


def test_vectors_are_what_the_constants_say() -> None:
    assert generate.VECTORS.read_text() == generate.vectors(), f"run `{generate.COMMAND}`"


def test_cobs_agrees_with_the_examples_of_its_authors() -> None:
    """Cheshire and Baker (1999), section 3, and the table of the usual examples."""
    from firmware_bridge.framing import cobs_encode

    for plain, encoded in (
        ("", "01"), ("00", "0101"), ("0000", "010101"), ("00110000", "0102110101"), ("11220033", "0311220233"),
        ("11223344", "0511223344"), ("11000000", "0211010101"),
    ):  # fmt: skip
        assert cobs_encode(bytes.fromhex(plain)).hex() == encoded


def test_checks_have_their_published_values() -> None:
    for name, function in (("crc16", crc16), ("fletcher16", fletcher16)):
        row = VECTORS["checks"][name]
        assert function(bytes.fromhex(row["bytes"])) == row["value"]


@NEEDS_C
def test_c_checks_have_their_published_values(c_box: CBox) -> None:
    for name in ("crc16", "fletcher16"):
        row = VECTORS["checks"][name]
        assert c_box.check(name, bytes.fromhex(row["bytes"])) == row["value"]


@pytest.mark.parametrize("row", VECTORS["frames"], ids=lambda row: row["type"])
def test_python_reads_and_writes_every_frame(row: dict[str, Any]) -> None:
    body, frame = bytes.fromhex(row["body"]), bytes.fromhex(row["frame"])
    assert encode_frame(body) == frame
    assert decode_frame(frame[1:-1]) == body
    message = parse(body)
    assert pack(message) == body
    for name, value in row["fields"].items():
        told = getattr(message, name)
        if isinstance(told, About):
            told = asdict(told)
        assert (list(told) if isinstance(message, Leds) and name == "states" else told) == value


@NEEDS_C
@pytest.mark.parametrize("row", VECTORS["frames"], ids=lambda row: row["type"])
def test_c_reads_and_writes_every_frame(c_box: CBox, row: dict[str, Any]) -> None:
    body, frame = bytes.fromhex(row["body"]), bytes.fromhex(row["frame"])
    assert c_box.close_frame(body) == frame
    assert c_box.read_stream(frame) == ([body], 0)


@pytest.mark.parametrize("row", VECTORS["streams"], ids=lambda row: row["name"])
def test_python_cuts_every_stream_alike_whole_and_byte_by_byte(row: dict[str, Any]) -> None:
    stream = bytes.fromhex(row["bytes"])
    for pieces in ([stream], [stream[at : at + 1] for at in range(len(stream))]):
        reader = FrameReader()
        found = [each for piece in pieces for each in reader.feed(piece)]
        assert [each.hex() for each in found if isinstance(each, bytes)] == row["bodies"]
        assert sum(isinstance(each, BadFrame) for each in found) == row["bad"]


@NEEDS_C
@pytest.mark.parametrize("row", VECTORS["streams"], ids=lambda row: row["name"])
def test_c_cuts_every_stream_alike(c_box: CBox, row: dict[str, Any]) -> None:
    bodies, bad = c_box.read_stream(bytes.fromhex(row["bytes"]))
    assert [body.hex() for body in bodies] == row["bodies"]
    assert bad == row["bad"]


@NEEDS_C
def test_python_and_c_show_the_same_led_colours(c_box: CBox) -> None:
    for row in VECTORS["leds"]:
        state = LedState[row["state"]]
        assert list(led_colours(state, row["at_ms"])) == row["colours"]
        bits = c_box.library.led_colours(ctypes.c_uint8(state), ctypes.c_uint32(row["at_ms"]))
        assert [bool(bits & 1), bool(bits & 2)] == row["colours"]


def test_led_states_differ_by_rhythm_and_not_by_colour_alone() -> None:
    rhythms = [tuple(any(led_colours(state, step * 125)) for step in range(16)) for state in LedState]
    assert len(set(rhythms)) == len(rhythms)


def test_protocol_document_shows_the_bytes_of_the_vectors() -> None:
    text = "".join((Path(generate.HERE) / "PROTOCOL.md").read_text().split())
    shown = [row for row in VECTORS["frames"] if row["frame"] in text]
    assert {row["type"] for row in shown} == {row["type"] for row in VECTORS["frames"]}
