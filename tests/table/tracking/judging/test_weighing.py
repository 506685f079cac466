"""How well an explanation fits the pictures: it matters not which one it is compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from followed_table import Table

from companion.core.inputs import PieceReading
from companion.core.layout import SlotView
from companion.table.tracking.hypotheses import Believed, root, successors
from companion.table.tracking.judging.weighing import Weigher
from companion.table.tracking.reading.still_scene import StillScene


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


def test_a_piece_that_the_reader_can_hardly_tell_is_no_rarer_error_where_the_slot_was_read_rightly_before() -> None:
    table = Table.dealt()
    table.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    rules, tracker = table.rules, table.tracker
    outlines = rules.layout().slots
    slots = tuple(o.slot for o in outlines)
    seen = table.eyes.look(table.view)
    perhaps = tuple(
        replace(one, pieces=(PieceReading("purple", 1, 0.5),), pieces_p=0.5 * one.pieces_p, doubted=(("purple", 0.5),))
        if one.slot == "r2c2" else one for one in seen.slots
    )  # fmt: skip
    evidence = StillScene(rules.same_face).add(replace(seen, slots=perhaps))
    start = root(rules, Believed(tracker.state, tracker.view), slots)
    weighed = Weigher(evidence, outlines, tracker.view, {}, frozenset(), start)(start)
    assert evidence.of("r2c2").most_likely() != tracker.view.at("r2c2")
    assert weighed.score == pytest.approx(sum(evidence.of(s).log_likelihood(tracker.view.at(s)) for s in slots))
