"""The generator against HMAC written out by hand, and its integers against counting."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.draws import generator

KEY = bytes(range(32))


def hmac_by_hand(key: bytes, data: bytes) -> bytes:
    """RFC 2104 for a key shorter than a block."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + data).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def test_block_is_the_hmac_of_session_draw_and_counter():
    data = b'["companion-draws/1","draw","evening",7,2]'
    assert generator.block(KEY, "evening", 7, 2) == hmac_by_hand(KEY, data)


def test_bag_key_is_the_hmac_of_the_transcript_under_the_secret():
    data = b'["companion-draws/1","key","abc"]'
    assert generator.bag_key(KEY, "abc") == hmac_by_hand(KEY, data)


def test_commitment_is_the_plain_hash_that_a_player_can_compute():
    text = json.dumps(["companion-draws/1", "commit", "evening", 1, KEY.hex()], separators=(",", ":"))
    assert generator.commitment("evening", 1, KEY) == hashlib.sha256(text.encode()).hexdigest()


@given(st.integers(1, 2**600), st.integers(1, 10**6))
def test_integer_is_below_the_total_for_any_total(total: int, number: int):
    assert 0 <= generator.uniform(KEY, "s", number, total) < total


def test_candidate_that_is_too_large_is_discarded_never_reduced():
    discarded = 0
    for number in range(1, 200):
        first = int.from_bytes(generator.block(KEY, "s", number, 0), "big") >> 253  # three bits for a total of 5
        second = int.from_bytes(generator.block(KEY, "s", number, 1), "big") >> 253
        drawn = generator.uniform(KEY, "s", number, 5)
        if first < 5:
            assert drawn == first
        elif second < 5:
            discarded += 1
            assert drawn == second
    assert discarded > 30


def test_every_integer_of_a_large_awkward_total_can_come_from_two_blocks():
    total = 2**256 + 1
    drawn = [generator.uniform(KEY, "s", number, total) for number in range(1, 40)]
    assert max(drawn) > 2**255
    assert min(drawn) < 2**254


def test_single_outcome_needs_no_randomness():
    assert generator.uniform(KEY, "s", 1, 1) == 0


@pytest.mark.parametrize("total", [0, -1])
def test_empty_urn_is_refused(total: int):
    with pytest.raises(ValueError, match="at least 1"):
        generator.uniform(KEY, "s", 1, total)


def test_purposes_never_hash_the_same_bytes():
    assert len({generator.message(p, "x", 1) for p in ("commit", "promise", "transcript", "key", "draw")}) == 5
    assert generator.message("draw", "a", 11) != generator.message("draw", "a", 1, 1)
