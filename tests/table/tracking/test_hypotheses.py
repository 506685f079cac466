"""What may have happened next: what an earlier scene has hinted at need not be seen any more."""

from __future__ import annotations

from followed_table import Table

from companion.core.layout import SlotView
from companion.core.types import Event
from companion.table.tracking.hypotheses import Believed, root, successors
from companion.table.tracking.reading.evidence import TableEvidence
from companion.table.tracking.reading.still_scene import StillScene


def chains(table: Table, evidence: TableEvidence, *hinted: Event) -> set[tuple[str, ...]]:
    """The texts of the chains that lead to what is seen."""
    rules = table.rules
    slots = tuple(o.slot for o in rules.layout().slots)
    start = root(rules, Believed(table.tracker.state, table.tracker.view), slots)
    found = successors(rules, (start,), evidence, slots, hinted=frozenset(hinted))
    return {tuple(map(rules.format, one.events)) for one in found}


def test_cubes_that_a_scene_has_hinted_at_may_be_gone_with_their_tile() -> None:
    table = Table.dealt()
    table.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")  # r1c1 needs two cubes
    table.lay("r1c1", SlotView())
    evidence = StillScene(table.rules.same_face).add(table.eyes.look(table.view))
    moves = ("A move r1c1", "B move r1c1")
    assert moves not in chains(table, evidence)
    assert moves in chains(table, evidence, *map(table.rules.parse, moves))
