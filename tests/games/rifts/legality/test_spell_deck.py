"""The odds of the spell deck agree with a count of every order in which N3 and R-N1 can leave a small deck."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

from rifts_positions import rules_of

from companion.games.rifts.play.market import drawable

RULES = rules_of(1)
KINDS = ("lash", "fireball", "rift")
SPELLS = {"lash": 3, "fireball": 2}
SHUFFLED_RIFTS, BOTTOM = 4, 5


def orders() -> Counter[tuple[str, ...]]:
    """Every order of spells and Rift cards, as they look, with its weight.

    Spells and four Rift cards are shuffled; then one Rift card is put in at one of the five places that are the bottom
    five afterwards.
    """
    size = sum(SPELLS.values()) + SHUFFLED_RIFTS
    found: Counter[tuple[str, ...]] = Counter()
    for lashes in combinations(range(size), SPELLS["lash"]):
        rest = [place for place in range(size) if place not in lashes]
        for balls in combinations(rest, SPELLS["fireball"]):
            deck = ["lash" if i in lashes else "fireball" if i in balls else "rift" for i in range(size)]
            for place in range(BOTTOM):
                at = size - place
                found[(*deck[:at], "rift", *deck[at:])] += 1
    return found


@cache
def after(seen: tuple[str, ...]) -> Counter[str]:
    """How often each card comes next when these have come, in any order, whichever."""
    drawn = Counter(seen)
    following: Counter[str] = Counter()
    for order, weight in ALL.items():
        if Counter(order[: len(seen)]) == drawn:
            following[order[len(seen)]] += weight
    return following


ALL = orders()


def test_every_next_card_has_the_chance_that_the_orders_give_it():
    t, start = RULES.tables, RULES.initial()._replace(turn=1)
    deck = Counter({**SPELLS, "rift": SHUFFLED_RIFTS + 1})
    compared = 0
    for lashes in range(SPELLS["lash"] + 1):
        for balls in range(SPELLS["fireball"] + 1):
            for rifts in range(SHUFFLED_RIFTS + 1):
                seen = ("lash",) * lashes + ("fireball",) * balls + ("rift",) * rifts
                expected = after(seen)
                if not expected:
                    continue  # nothing left, or a state that cannot be
                left = deck - Counter(seen)
                book = tuple(left.get(card, 0) for card in t.cards)
                weights = drawable(t, start._replace(book=book))
                for card in KINDS:
                    got = Fraction(weights[t.card_index[card]], sum(weights))
                    assert got == Fraction(expected[card], sum(expected.values())), (seen, card)
                compared += 1
    assert compared > 30
