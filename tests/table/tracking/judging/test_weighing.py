"""How well an explanation fits the pictures: it matters not which one it is compared with."""

from __future__ import annotations

import pytest
from followed_table import Table

from companion.core.layout import SlotView
from companion.table.tracking.hypotheses import Believed, root, successors
from companion.table.tracking.judging.weighing import Weigher
from companion.table.tracking.reading.evidence import StillScene


def test_an_explanation_weighs_the_same_whichever_it_is_compared_with() -> None:
    table = Table.dealt()
    table.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    table.put("r1c1", "purple")
    table.lay("r2c2", SlotView())  # against the rules
    rules, tracker = table.rules, table.tracker
    outlines = rules.layout().slots
    slots = tuple(o.slot for o in outlines)
    evidence = StillScene(rules.same_face).add(table.eyes.look(table.view))
    start = root(rules, Believed(tracker.state, tracker.view), slots)
    found = list(successors(rules, (start,), evidence, slots, anywhere=True))
    assert len(found) > 2
    weigh = Weigher(evidence, outlines, tracker.view, {}, frozenset(), start)
    for one in found:
        beside_itself = Weigher(evidence, outlines, tracker.view, {}, frozenset(), one)(one)
        weighed = weigh(one)
        assert weighed.score == pytest.approx(beside_itself.score)
        assert weighed.misread == pytest.approx(beside_itself.misread)
        assert (weighed.lies, weighed.shows, weighed.wrong) == (
            beside_itself.lies, beside_itself.shows, beside_itself.wrong
        )  # fmt: skip
        assert weighed.odds == pytest.approx(beside_itself.odds)
