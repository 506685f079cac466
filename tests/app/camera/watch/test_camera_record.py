"""A tile that the camera misread as it was dealt, at a session: asked about, corrected by one answer, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from watched_table import WatchedTable

from companion.app.camera.watch.open_question import DOUBTED
from companion.app.camera.watch.table_watch import QUESTION
from companion.core.events import Cause, CauseKind
from companion.core.layout import SlotView
from companion.core.types import Draw
from companion.table.commands import Play

SLOT = "r2c2"


class SeenDeal(WatchedTable):
    """A table whose tiles were dealt under the camera."""

    def deal(self, random: Random) -> None:
        """Draw what is due by the exact odds; the camera saw it."""
        rules, session = self.table.rules, self.table.session
        while outcomes := rules.chance_outcomes(session.state):
            draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
            assert session.ask(Play(texts=(rules.format(draw),), cause=Cause(CauseKind.CAMERA))).accepted


@pytest.fixture
def one(tmp_path: Path) -> Iterator[SeenDeal]:
    """Three players have chosen, one cube was seen; on SLOT lies another tile than the record says."""
    table = SeenDeal(tmp_path)
    table.say("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r1c2 r2c3")
    table.put("r1c1", "purple")
    table.look()
    yield table
    table.close()


def doubt(one: SeenDeal) -> str:
    """Lay a tile on SLOT that might have been dealt there, and look until people are asked; its face."""
    rules, session = one.table.rules, one.table.session
    number = next(n for n, event in one.watch.record.steps() if getattr(event, "slot", "") == SLOT)
    lie = {rules.board(session.state).at(s.slot).face for s in rules.layout().slots}
    might = sorted({rules.same_face(o.draw.tile) for o in rules.chance_outcomes(one.watch.record.before(number))})
    face = next(face for face in might if face not in {rules.same_face(f) for f in lie})
    one.lay(SLOT, SlotView(face))
    for _ in range(4):
        one.look()
    return face


def test_the_record_is_corrected_by_one_answer_and_what_followed_stays(one: SeenDeal) -> None:
    rules, session = one.table.rules, one.table.session
    before = [rules.format(event) for _, event in one.watch.record.steps()]
    face = doubt(one)
    assert one.alerts[QUESTION]["text"] == DOUBTED
    question = one.watch.question
    assert question is not None
    assert (question["corrects"], question["seat"], question["slots"]) == (True, None, [SLOT])
    one.watch.answer(0, "referee")
    after = [rules.format(event) for _, event in one.watch.record.steps()]
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) == 1
    assert rules.same_face(rules.board(session.state).at(SLOT).face) == face
    causes = {session.cause(n).kind for n, event in one.watch.record.steps() if isinstance(event, Draw)}
    assert causes == {CauseKind.CAMERA, CauseKind.OPERATOR}
    assert QUESTION not in one.alerts
    assert one.kinds() == []
    one.put("r2c1", "gray")
    assert [h.event and rules.format(h.event) for h in one.look()] == ["B move r2c1"]


def test_a_record_that_is_right_stays_and_is_not_doubted_again(one: SeenDeal) -> None:
    state = one.table.session.state
    doubt(one)
    one.watch.answer(1, "referee")
    assert one.table.session.state == state
    for _ in range(5):
        assert one.kinds() == []
    assert one.alerts == {}


def test_an_answer_after_something_else_was_recorded_changes_nothing(one: SeenDeal) -> None:
    doubt(one)
    one.say("B move r2c1")
    one.watch.answer(0, "referee")
    assert [one.table.rules.format(e) for _, e in one.watch.record.steps()][-1] == "B move r2c1"
    assert one.watch.tracker.state == one.table.session.state
