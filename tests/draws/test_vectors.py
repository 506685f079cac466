"""The known answers are what the generator gives, and what HMAC written out by hand gives."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from draw_vectors import vectors

VECTORS = Path(__file__).parents[1] / "data" / "draws" / "vectors.json"


def sha(*parts: object) -> str:
    text = json.dumps(["companion-draws/1", *parts], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def mac(key: str, *parts: object) -> bytes:
    padded = bytes.fromhex(key).ljust(64, b"\0")
    data = json.dumps(["companion-draws/1", *parts], separators=(",", ":")).encode()
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + data).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def integer(key: str, session: str, number: int, total: int) -> int:
    """By bits, one after another, without the shifts of the generator."""
    bits, counter = len(f"{total - 1:b}") if total > 1 else 0, 0
    while True:
        stream = ""
        while len(stream) < bits:
            stream += "".join(f"{byte:08b}" for byte in mac(key, "draw", session, number, counter))
            counter += 1
        candidate = int(stream[:bits] or "0", 2)
        if candidate < total:
            return candidate


@pytest.fixture(scope="module")
def known() -> dict[str, list[dict[str, object]]]:
    return json.loads(VECTORS.read_text(encoding="utf-8"))


def test_vectors_are_the_golden_ones(golden):
    golden(VECTORS, vectors())


def test_known_answers_agree_with_a_second_implementation(known):
    for v in known["commitments"]:
        assert sha("commit", v["session"], v["bag"], v["secret"]) == v["is"]
    for v in known["promises"]:
        assert sha("promise", v["session"], v["commitment"], v["seat"], v["how"], v["value"], v["salt"]) == v["is"]
    for v in known["transcripts"]:
        assert sha("transcript", v["session"], v["bag"], v["commitment"], v["steps"]) == v["is"]
    for v in known["keys"]:
        assert mac(v["secret"], "key", v["transcript"]).hex() == v["is"]
    for v in known["blocks"]:
        assert mac(v["key"], "draw", v["session"], v["number"], v["counter"]).hex() == v["is"]
    for v in known["integers"]:
        assert integer(v["key"], v["session"], v["number"], int(v["total"])) == int(v["is"])
