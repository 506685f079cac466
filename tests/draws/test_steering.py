"""What a host that tries out secrets can reach, and with whose help: the limits that docs/reference/draws.md states."""

from __future__ import annotations

from math import sqrt
from random import Random

import chi_square

from companion.draws import generator
from companion.draws.ceremony import Body, Ceremony, take
from companion.draws.urn import Urn

SESSION = "evening"
URN = Urn(tuple("abcdef"), (1, 1, 1, 1, 1, 1))
WANTED = 4
SALT = "00" * 16
TRIES = 60


def first_pick(secret: bytes, dice: str, *, colluder: str = "", sealed: bool = False) -> int:
    """The first draw when A adds dice (sealed or not) and then a colluding B a phrase, all through the real steps."""
    code = generator.commitment(SESSION, 1, secret)
    promised = generator.promise(SESSION, code, "A", "dice", dice, SALT)
    bodies: list[Body] = [{"step": "commit", "bag": 1, "scheme": generator.SCHEME, "commitment": code}]
    if sealed:
        bodies.append({"step": "promise", "bag": 1, "seat": "A", "promise": promised})
    else:
        bodies.append({"step": "add", "bag": 1, "seat": "A", "how": "dice", "value": dice})
    if colluder:
        bodies.append({"step": "add", "bag": 1, "seat": "B", "how": "phrase", "value": colluder})
    bodies.append({"step": "close", "bag": 1})
    if sealed:
        bodies.append({"step": "open", "bag": 1, "seat": "A", "how": "dice", "value": dice, "salt": SALT})
    ceremony = Ceremony(SESSION)
    for body in bodies:
        ceremony = take(ceremony, body)
    ceremony = take(ceremony, {"step": "seal", "bag": 1, "transcript": ceremony.expected_transcript()})
    key = generator.bag_key(secret, ceremony.transcript)
    return URN.pick(generator.uniform(key, SESSION, 1, URN.total))


def throw(rng: Random) -> str:
    return " ".join(str(rng.randint(1, 6)) for _ in range(10))


def is_chance(hits: int, games: int) -> bool:
    """Whether `hits` lie within four standard deviations of one sixth: a wrong alarm in 16,000 such tests."""
    return abs(hits - games / 6) < 4 * sqrt(games * 5 / 36)


def test_host_that_tried_out_secrets_gains_nothing_against_dice_thrown_after_its_commitment():
    rng = Random(20)
    hits = games = 0
    for _ in range(40):
        guess = throw(rng)
        secret = next(s for s in (rng.randbytes(32) for _ in range(1000)) if first_pick(s, guess) == WANTED)
        for _ in range(50):
            games += 1
            hits += first_pick(secret, throw(rng)) == WANTED
    assert is_chance(hits, games)


def test_every_outcome_is_as_likely_as_it_should_be_over_the_dice_for_any_fixed_secret():
    rng = Random(21)
    for secret in (bytes(32), b"\xff" * 32, rng.randbytes(32)):
        picks = [first_pick(secret, throw(rng)) for _ in range(3000)]
        counts = [picks.count(i) for i in range(6)]
        assert chi_square.statistic(counts, URN.weights) < chi_square.quantile(0.999, 5)


def test_host_with_the_last_contributor_can_choose_when_all_the_others_were_open():
    rng = Random(22)
    steered = 0
    for _ in range(20):
        secret, dice = rng.randbytes(32), throw(rng)
        steered += any(first_pick(secret, dice, colluder=f"try {i}") == WANTED for i in range(TRIES))
    assert steered == 20


def test_host_with_the_last_contributor_gains_nothing_against_one_sealed_contribution():
    rng = Random(23)
    hits = games = 0
    for _ in range(20):
        secret, guess = rng.randbytes(32), throw(rng)
        phrases = (f"try {i}" for i in range(1000))
        phrase = next(p for p in phrases if first_pick(secret, guess, colluder=p, sealed=True) == WANTED)
        for _ in range(50):
            games += 1
            hits += first_pick(secret, throw(rng), colluder=phrase, sealed=True) == WANTED
    assert is_chance(hits, games)
