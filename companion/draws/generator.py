"""The generator of the digital bag: HMAC-SHA256 blocks and unbiased integers, functions of key and draw number alone.

Every hash is taken over the canonical JSON of an array that begins with the scheme and a purpose, so that no two
purposes ever hash the same bytes. HMAC is RFC 2104, SHA-256 is FIPS 180-4; the integer is found by the simple
discard method of NIST SP 800-90A (appendix on converting random bits into a random number).
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from companion.core.digest import canonical_json

SCHEME = "companion-draws/1"
"""Names the whole construction; a change of any formula below needs a new name."""

BLOCK_BITS = 256
SECRET_BYTES = 32


def message(purpose: str, *parts: Any) -> bytes:
    """The bytes that are hashed for `purpose`: UTF-8 of the canonical JSON of [SCHEME, purpose, *parts]."""
    return canonical_json([SCHEME, purpose, *parts]).encode("utf-8")


def commitment(session: str, bag: int, secret: bytes) -> str:
    """What is published before the game, 64 hex digits: SHA-256 of ["commit", session, bag, secret in hex]."""
    return hashlib.sha256(message("commit", session, bag, secret.hex())).hexdigest()


def promise(session: str, bag_commitment: str, seat: str, how: str, value: str, salt: str) -> str:
    """A player's sealed contribution, 64 hex digits; bound to the seat and to the host's commitment."""
    return hashlib.sha256(message("promise", session, bag_commitment, seat, how, value, salt)).hexdigest()


def transcript(session: str, bag: int, bag_commitment: str, steps: list[dict[str, Any]]) -> str:
    """Digest of everything the players put in, in its order: what the seal publishes."""
    return hashlib.sha256(message("transcript", session, bag, bag_commitment, steps)).hexdigest()


def bag_key(secret: bytes, sealed_transcript: str) -> bytes:
    """The key of all draws of a bag: HMAC of the transcript under the host's secret, 32 bytes."""
    return hmac.digest(secret, message("key", sealed_transcript), "sha256")


def block(key: bytes, session: str, number: int, counter: int) -> bytes:
    """32 pseudo-random bytes: block `counter` (from 0) of the draw `number` (from 1)."""
    return hmac.digest(key, message("draw", session, number, counter), "sha256")


def uniform(key: bytes, session: str, number: int, total: int) -> int:
    """An integer in [0, total), each equally likely: the draw `number` of the bag with this key.

    A try takes the first bit_length(total - 1) bits of one block (of several blocks in a row when one is too
    short) and is discarded when it is not below `total`; at least every second try succeeds on average, and
    nothing is ever reduced by a remainder. Raises ValueError for a `total` below 1.
    """
    if total < 1:
        raise ValueError(f"an urn needs a total weight of at least 1, got {total}")
    bits = (total - 1).bit_length()
    blocks = -(-bits // BLOCK_BITS)
    counter = 0
    while True:
        stream = b"".join(block(key, session, number, counter + i) for i in range(blocks))
        candidate = int.from_bytes(stream, "big") >> (blocks * BLOCK_BITS - bits)
        if candidate < total:
            return candidate
        counter += blocks
