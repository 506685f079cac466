"""Acts in a place that surely reads as a face which no story puts there."""

from __future__ import annotations

from random import Random

from followed_table import Table, sample_rules
from seen_record import Line, dealt

from companion.core.layout import SlotView
from companion.lab.simulators.simulated_table import play, random_state
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from companion.table.tracking.judging.verdicts import Ambiguous

RULES = sample_rules()


def test_a_piece_on_a_tile_that_reads_as_an_impossible_one_is_asked_about() -> None:
    state = random_state(RULES, Random(3))
    chosen = next(
        after for event, _, after in play(RULES, state, Random(5))
        if any(RULES.format(one).split()[1] == "move" for one in RULES.legal_actions(after))
    )
    move = next(one for one in RULES.legal_actions(chosen) if RULES.format(one).split()[1] == "move")
    slot = RULES.format(move).split()[2]
    table = Table(RULES, chosen, DEFAULT_DEMANDS)
    table.tracker.record = Line(RULES, ())  # nothing that could be told again
    table.stage(move)
    lying = {at.face for _, at in table.view.slots}
    read = next(face for face in map(RULES.same_face, RULES.faces()) if face not in lying)
    table.lay(slot, SlotView(read, None, table.view.at(slot).pieces))
    for _ in range(4):
        table.glance()
    asked = table.tracker.asked
    assert isinstance(asked, Ambiguous)
    assert asked.choices == ((move,), ())


def test_what_is_read_as_recorded_is_never_doubted() -> None:
    events = dealt(RULES)
    table = Table(RULES, Line(RULES, events).before(len(events) + 2), DEFAULT_DEMANDS)
    table.tracker.record = Line(RULES, events)
    for _ in range(5):
        assert table.look() == ()
    assert table.tracker.asked is None
