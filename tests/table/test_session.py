"""Facts about a session: what it accepts and refuses, overruling, notes, the snapshot, many askers at once."""

from __future__ import annotations

import threading
from random import Random

import pytest
from table_kit import LONG_CATALOGUE, ScriptedBag, begin, play, resume
from toy_game import toy_rules

from companion.core.errors import CompanionError
from companion.core.events import Cause, CauseKind, RecordKind
from companion.core.types import Seat
from companion.table.commands import DrawNext, Note, Outcome, Overrule, Play, Prove, Topic, Undo
from companion.table.record.store import Store
from companion.table.record.trouble import StoreError
from companion.table.session import MOVED_ON, Session

BOTH = (Seat.A, Seat.B)


def test_accepted_events_are_numbered_and_in_the_store(session: Session, store: Store) -> None:
    assert play(session, "A hide 2").records == (2,)
    assert session.ask(Play(texts=("B hide 3", "token red"))).records == (3, 4)
    kinds = [r.kind for r in store.records("toy-1")]
    assert kinds == [RecordKind.SETUP, RecordKind.EVENT, RecordKind.EVENT, RecordKind.EVENT]
    assert session.state.points == (0, 3)


def test_an_illegal_act_is_answered_with_its_clause_and_writes_nothing(session: Session) -> None:
    answer = play(session, "A hide 9")
    assert answer.outcome is Outcome.ILLEGAL
    assert answer.violation is not None
    assert answer.violation.clause == "T1"
    assert session.number == 1


def test_several_events_are_taken_all_or_none(session: Session) -> None:
    answer = session.ask(Play(texts=("A hide 2", "B hide 3", "A hide 1")))
    assert answer.outcome is Outcome.ILLEGAL
    assert (session.number, session.state) == (1, session.rules.initial())


def test_a_command_without_an_event_is_refused(session: Session) -> None:
    assert session.ask(Play(texts=())).outcome is Outcome.REFUSED
    assert session.number == 1


@pytest.mark.parametrize("text", ["", "fly", "A hide", "Q hide 2", "A hide two", "token"])
def test_a_text_that_is_no_event_is_refused_with_what_was_expected(session: Session, text: str) -> None:
    answer = play(session, text)
    assert answer.outcome is Outcome.REFUSED
    assert "expected" in answer.message


def test_a_seat_cannot_act_for_another(session: Session) -> None:
    assert play(session, "A hide 2", by=Seat.B).outcome is Outcome.REFUSED
    assert play(session, "B hide 2", by=Seat.B).accepted


def test_a_repeated_key_gets_the_same_answer_and_is_applied_once(session: Session) -> None:
    first = play(session, "A hide 2", key="k1")
    play(session, "A take-back")
    assert play(session, "A hide 2", key="k1") == first
    assert session.state.hidden == (None, None)


def test_a_refusal_is_repeated_for_its_key(session: Session) -> None:
    play(session, "A hide 2")
    refused = play(session, "A hide 3", key="k2")
    play(session, "A take-back")
    assert play(session, "A hide 3", key="k2") == refused


def test_a_key_is_known_after_a_restart(store: Store) -> None:
    with begin(store) as session:
        first = session.ask(Play(texts=("A hide 2", "B hide 3"), key="twice"))
        undone = session.ask(Undo(consents=BOTH, key="back"))
    with resume(store) as session:
        number = session.number
        assert session.ask(Play(texts=("A hide 2", "B hide 3"), key="twice")) == first
        assert session.ask(Undo(consents=BOTH, key="back")) == undone
        assert session.number == number


def test_a_stale_command_is_refused(session: Session) -> None:
    play(session, "A hide 2")
    answer = play(session, "B hide 3", expected=1)
    assert (answer.outcome, answer.message) == (Outcome.STALE, MOVED_ON)
    assert play(session, "B hide 3", expected=99).outcome is Outcome.STALE
    assert play(session, "B hide 3", expected=2).accepted


def test_what_others_do_at_the_same_time_makes_no_seat_stale(session: Session) -> None:
    play(session, "A hide 2")
    assert play(session, "B hide 3", expected=1, by=Seat.B).accepted


def test_a_reveal_makes_a_seat_stale(session: Session) -> None:
    play(session, "A hide 2", "B hide 3", "token red")
    assert play(session, "A hide 1", expected=2, by=Seat.A).outcome is Outcome.STALE


def test_a_note_makes_nobody_stale(session: Session) -> None:
    session.ask(Note(topic=Topic.REMARK, text="tea"))
    assert play(session, "A hide 2", expected=1).accepted


def test_the_bag_draws_with_its_proof_and_its_own_numbers(session: Session, store: Store) -> None:
    play(session, "A hide 2", "B hide 3")
    answer = session.ask(DrawNext(cause=Cause(CauseKind.SEAT, (("seat", "A"),))))
    drawn = list(store.records("toy-1"))[answer.records[0] - 1]
    assert drawn.cause.kind is CauseKind.DRAW
    assert dict(drawn.cause.detail) == {"asked_by": "seat", "seat": "A", "draw": 1, "proof": {"script": 0}}


def test_a_draw_after_an_undo_has_a_new_number_also_after_a_restart(store: Store) -> None:
    bag = ScriptedBag(0, 1, 0)
    with begin(store, bag=bag) as session:
        play(session, "A hide 2", "B hide 3")
        session.ask(DrawNext())
        session.ask(Undo(to=3, consents=BOTH))
    with resume(store, bag=bag) as session:
        session.ask(DrawNext())
    assert [c.draw for c in bag.contexts] == [1, 2]
    assert bag.contexts[0].texts == ("token red", "token blue")


def test_the_bag_draws_by_itself_when_told_to(session: Session) -> None:
    play(session, "A hide 2", "B hide 3")
    assert session.draw_automatically().result(10).records == (4,)
    play(session, "A hide 1")
    assert play(session, "B hide 1").records == (6,)
    assert session.number == 7


def test_a_bag_that_cannot_draw_is_shown_as_trouble_and_the_act_stands(session: Session) -> None:
    assert isinstance(session.bag, ScriptedBag)
    session.bag.refuse = True
    session.draw_automatically().result(10)
    assert play(session, "A hide 2", "B hide 3").records == (3,)
    assert "not sealed" in session.snapshot(None)["trouble"]
    with pytest.raises(CompanionError, match="not sealed"):
        session.ask(DrawNext())
    session.bag.refuse = False
    assert session.ask(DrawNext()).accepted
    assert session.snapshot(None)["trouble"] == ""


def test_no_draw_is_made_when_none_is_due_or_there_is_no_bag(store: Store) -> None:
    with begin(store, bag=ScriptedBag(0)) as session:
        assert session.ask(DrawNext()).outcome is Outcome.REFUSED
    with begin(store, "toy-2") as session:
        play(session, "A hide 2", "B hide 3")
        assert session.ask(DrawNext()).outcome is Outcome.REFUSED
        assert play(session, "token blue").accepted


def test_a_long_line_replays_from_checkpoints(store: Store) -> None:
    with begin(store, catalogue=LONG_CATALOGUE) as session:
        for index in range(40):
            session.ask(Play(texts=(f"A hide {1 + index % 3}", "B hide 2", "token red")))
        states = [session.state_after(n) for n in range(1, session.number + 1)]
        rules = toy_rules(LONG_CATALOGUE)
        state = rules.initial()
        assert states[0] == state
        for record, expected in zip(list(store.records("toy-1"))[1:], states[1:], strict=True):
            state = rules.apply(state, rules.parse(dict(record.body)["text"]))
            assert state == expected
        session.ask(Undo(to=50, consents=BOTH))
        assert session.state == states[49]


def test_only_one_state_in_32_is_kept_besides_the_present_one(store: Store) -> None:
    with begin(store, catalogue=LONG_CATALOGUE) as session:
        for _ in range(4):
            session.ask(Play(texts=("A hide 1", "B hide 2", "token red") * 64))
        assert session.number == 769
        assert len(session._ledger.history._kept) == 769 // 32 + 1


@pytest.mark.parametrize("seed", range(3))
def test_commands_sent_twice_and_restarts_change_nothing(store: Store, seed: int) -> None:
    chance = Random(seed)
    rules = toy_rules(LONG_CATALOGUE)
    begin(store, catalogue=LONG_CATALOGUE).close()
    state, answers = rules.initial(), {}
    for turn in range(6):
        with resume(store) as session:
            assert session.state == state
            for key, (command, answer) in answers.items():
                if answer.accepted and chance.random() < 0.2:
                    assert session.ask(command) == answer, key
            for number in range(12):
                key = f"{turn}-{number}"
                outcomes = rules.chance_outcomes(state)
                events = [o.draw for o in outcomes] if outcomes else rules.legal_actions(state)
                command = Play(texts=(rules.format(chance.choice(events)),), key=key)
                for _ in range(chance.randrange(1, 3)):
                    answer = session.ask(command)
                answers[key] = (command, answer)
                state = rules.apply(state, rules.parse(command.texts[0]))
                assert session.state == state
    assert store.session("toy-1").records == 1 + 6 * 12


def test_overruling_takes_the_table_as_it_is_with_everyones_consent(session: Session, store: Store) -> None:
    play(session, "A hide 2", "B hide 3", "token red")
    wanted = session.rules.dump(session.state) | {"points": [3, 0]}
    no_reason = session.ask(Overrule(state=wanted, consents=BOTH))
    assert no_reason.outcome is Outcome.REFUSED
    assert session.ask(Overrule(state=wanted, why="cup fell", by=Seat.A)).outcome is Outcome.CONSENT
    assert session.ask(Overrule(state=wanted, why="cup fell", by=Seat.A, consents=(Seat.B,))).accepted
    assert session.state.points == (3, 0)
    assert session.undo_plan(to=4, by=Seat.A).crossings[0].message == "an overruling"  # type: ignore[union-attr]
    state = session.state
    session.close()
    with resume(store) as again:
        assert again.state == state


@pytest.mark.parametrize("change", [{"bag": [9, 9]}, {"points": 7}, {"round": "x"}])
def test_a_table_that_cannot_be_is_not_accepted(session: Session, change: dict[str, object]) -> None:
    wanted = dict(session.rules.dump(session.state)) | change
    assert session.ask(Overrule(state=wanted, why="x", consents=BOTH)).outcome is Outcome.REFUSED
    assert session.number == 1


def test_a_paused_game_takes_no_acts_until_resumed(session: Session) -> None:
    session.ask(Note(topic=Topic.PAUSE))
    assert play(session, "A hide 2").outcome is Outcome.REFUSED
    assert session.snapshot(None)["paused"]
    session.ask(Note(topic=Topic.RESUME))
    assert play(session, "A hide 2").accepted


def test_open_alerts_are_in_the_snapshot_also_after_a_restart(store: Store) -> None:
    alert = {"id": "r2c1", "open": True, "message": "{player} owns no green", "facts": {"player": "A"}}
    with begin(store) as session:
        session.ask(Note(topic=Topic.ALERT, data=alert))
        session.ask(Note(topic=Topic.ALERT, data={"id": "r1c1", "open": True}))
        session.ask(Note(topic=Topic.ALERT, data={"id": "r1c1", "open": False}))
    with resume(store) as session:
        alerts = session.snapshot(None)["alerts"]
    assert [(a["id"], a["message"]) for a in alerts] == [("r2c1", "{player} owns no green")]


def test_proofs_of_the_bag_are_in_the_record_and_change_no_state(session: Session, store: Store) -> None:
    assert session.ask(Prove(body={"step": "commitment", "hash": "ab"})).accepted
    record = list(store.records("toy-1"))[-1]
    assert record.kind is RecordKind.PROOF
    assert record.before == record.after


def test_commands_from_many_threads_are_applied_one_after_another(store: Store) -> None:
    with begin(store, queue_size=500) as session:

        def toggle(seat: str) -> None:
            for _ in range(20):
                session.ask(Play(texts=(f"{seat} hide 1",)))
                session.ask(Play(texts=(f"{seat} take-back",)))

        threads = [threading.Thread(target=toggle, args=("A",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        numbers = [r.number for r in store.records("toy-1")]
        assert numbers == list(range(1, session.number + 1))
    with resume(store) as again:
        assert again.state.hidden[1] is None


def test_a_full_queue_answers_busy_at_once(store: Store) -> None:
    gate = threading.Event()

    class SlowBag(ScriptedBag):
        def draw(self, outcomes, context):  # type: ignore[no-untyped-def]
            gate.wait(10)
            return super().draw(outcomes, context)

    with begin(store, bag=SlowBag(0), queue_size=1) as session:
        play(session, "A hide 1", "B hide 2")
        drawing = session.submit(DrawNext())
        answers = [session.submit(Play(texts=("A hide 1",))) for _ in range(4)]
        assert sum(a.done() and a.result().outcome is Outcome.BUSY for a in answers) >= 2
        gate.set()
        assert drawing.result(10).accepted


def test_a_closed_session_says_so(session: Session) -> None:
    session.close()
    session.close()
    with pytest.raises(StoreError, match="ended"):
        session.ask(Play(texts=("A hide 2",)))


def test_a_mistake_of_the_program_reaches_who_asked_and_the_table_goes_on(session: Session) -> None:
    with pytest.raises(TypeError):
        session.ask(Note(topic=Topic.REMARK, data={"picture": object()}))
    assert play(session, "A hide 2").accepted
