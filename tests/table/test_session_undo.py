"""Facts about a session that goes back: who must agree, what is said of the pieces, what stays of the branch left."""

from __future__ import annotations

import pytest
from table_kit import begin, play, resume

from companion.core.events import Cause, CauseKind
from companion.core.types import Seat
from companion.table.commands import Answer, Outcome, Retell, Undo
from companion.table.record.store import Store
from companion.table.session import Session

BOTH = (Seat.A, Seat.B)

UNDO_CASES = [
    # texts played, who undoes, to, needs everyone
    (["A hide 2"], Seat.A, None, False),
    (["A hide 2", "A take-back", "A hide 1"], Seat.A, 1, False),
    (["A hide 2"], Seat.B, 1, True),
    (["A hide 2"], None, None, True),
    (["A hide 2", "B hide 3"], Seat.B, None, True),  # the second hiding reveals both
    (["A hide 2", "B hide 3"], Seat.A, None, True),  # goes back over B's act
    (["A hide 2", "B hide 3", "token red"], Seat.B, None, True),
]


@pytest.mark.parametrize(("texts", "by", "to", "everyone"), UNDO_CASES)
def test_undo_is_free_only_within_ones_own_acts(
    session: Session, texts: list[str], by: Seat | None, to: int | None, everyone: bool
) -> None:
    play(session, *texts)
    number, state = session.number, session.state
    answer = session.ask(Undo(to=to, by=by))
    if not everyone:
        assert answer.accepted
        assert session.state == session.rules.initial()
        return
    assert answer.outcome is Outcome.CONSENT
    assert (session.number, session.state) == (number, state)
    missing = dict(answer.facts)["seats"]
    assert missing == tuple(s for s in BOTH if s is not by)
    assert session.ask(Undo(to=to, by=by, consents=missing)).accepted


def test_an_undo_says_which_pieces_go_where(session: Session) -> None:
    play(session, "A hide 2", "B hide 3", "token red", "A hide 1")
    answer = session.ask(Undo(to=3, by=Seat.A, consents=BOTH))
    assert [(s.message, dict(s.facts)) for s in answer.steps] == [
        ("from {slot}: give {count} {colour} back to the player", {"count": 2, "colour": "pink", "slot": "a"}),
        ("from {slot}: give {count} {colour} back to the player", {"count": 3, "colour": "gray", "slot": "b"}),
        ("from {slot}: take {face} away", {"face": "red", "slot": "token"}),
    ]


def test_an_undo_plan_tells_beforehand_what_is_crossed(session: Session) -> None:
    play(session, "A hide 2", "B hide 3", "token red", "A hide 1")
    plan = session.undo_plan(to=1, by=Seat.A)
    assert not isinstance(plan, Answer)
    assert [(c.number, c.message) for c in plan.crossings] == [(3, "a reveal"), (4, "a draw")]
    assert plan.undone == (2, 3, 4, 5)
    assert session.number == 5


def test_an_undo_of_what_is_not_in_force_is_refused(session: Session) -> None:
    assert session.ask(Undo(by=Seat.A)).message == "there is no act to undo"
    play(session, "A hide 2", "A take-back")
    session.ask(Undo(to=1, by=Seat.A))
    for to in (2, 3, 0, -1, 99):
        assert session.ask(Undo(to=to, consents=BOTH)).outcome is Outcome.REFUSED


def test_a_retold_story_is_one_answer_or_none_and_each_event_keeps_its_cause(store: Store) -> None:
    camera, person = Cause(CauseKind.CAMERA, (("frame", 7),)), Cause(CauseKind.OPERATOR)
    with begin(store) as session:
        play(session, "A hide 2", "B hide 3", "token red")
        impossible = Retell(to=3, events=(("token blue", person), ("token blue", camera)), consents=BOTH)
        assert session.ask(impossible).outcome is Outcome.ILLEGAL
        assert (session.number, session.cause(4).kind) == (4, CauseKind.OPERATOR)
        retold = Retell(to=1, events=(("A hide 1", person), ("B hide 3", camera)), cause=person, consents=BOTH)
        assert session.ask(retold).records == (5, 6, 7)
        assert [session.cause(n).kind for n in (5, 6, 7)] == [CauseKind.OPERATOR, CauseKind.OPERATOR, CauseKind.CAMERA]
        state = session.state
    with resume(store) as session:
        assert session.state == state


def test_states_of_undone_branches_can_still_be_looked_at(session: Session) -> None:
    play(session, "A hide 2")
    session.ask(Undo(by=Seat.A))
    play(session, "A hide 3")
    assert session.state_after(2).hidden == (2, None)
    assert session.state_after(3).hidden == (None, None)
    assert [s.number for s in session.line()] == [4]
