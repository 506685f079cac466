"""Facts about a session's updates: every follower sees each once and in order, and nobody another's secrets."""

from __future__ import annotations

import threading

from table_kit import LONG_CATALOGUE, begin, play

from companion.core.events import Cause, CauseKind
from companion.core.types import Seat
from companion.table.commands import Overrule, Play, Undo
from companion.table.record.store import Store
from companion.table.session import Session

BOTH = (Seat.A, Seat.B)


def test_subscribers_see_every_record_once_in_order_from_any_number(session: Session) -> None:
    session.ask(Play(texts=("A hide 2", "B hide 3", "token red")))
    follower = session.subscribe(after=0)
    late = session.subscribe(after=3)
    assert [follower.get(5).number for _ in range(4)] == [1, 2, 3, 4]  # type: ignore[union-attr]
    play(session, "A hide 1")
    assert [late.get(5).number for _ in range(2)] == [4, 5]  # type: ignore[union-attr]
    assert follower.get(5).number == 5  # type: ignore[union-attr]
    assert follower.get(0) is None


def test_a_follower_that_is_far_behind_reads_from_the_store(store: Store) -> None:
    with begin(store, catalogue=LONG_CATALOGUE) as session:
        follower = session.subscribe(after=0)
        for _ in range(10):
            session.ask(Play(texts=("A hide 1", "B hide 2", "token red") * 30))
        assert session.number == 901
        assert [follower.get(5).number for _ in range(901)] == list(range(1, 902))  # type: ignore[union-attr]


def test_a_waiting_follower_is_woken_and_ends_with_the_session(session: Session) -> None:
    seen: list[int] = []
    follower = session.subscribe()
    thread = threading.Thread(target=lambda: seen.extend(u.number for u in follower))
    thread.start()
    play(session, "A hide 2", "B hide 3")
    session.close()
    thread.join(10)
    assert seen == [2, 3]
    assert follower.ended


def test_an_update_is_in_the_store_before_it_is_told(session: Session, store: Store) -> None:
    follower = session.subscribe()
    session.submit(Play(texts=("A hide 2",)))
    update = follower.get(10)
    assert update is not None
    assert store.session("toy-1").records >= update.number


def test_others_secrets_are_in_no_update_and_no_snapshot(session: Session) -> None:
    play(session, "A hide 3", cause=Cause(CauseKind.SEAT, (("note", "three pearls"),)), key="of A's phone")
    update = session.subscribe(after=1).get(5)
    assert update is not None
    for viewer in (None, Seat.B):
        told = update.for_viewer(viewer)
        assert (told["body"], told["hidden"], told["cause"]["detail"]) == ({}, True, {})
        assert not {"before", "after", "hash"} & told.keys()
        assert session.snapshot(viewer)["view"]["hidden"] == ["hidden", None]
    assert update.for_viewer(Seat.A)["body"] == {"text": "A hide 3"}
    assert update.for_viewer(Seat.A)["cause"]["detail"] == {"note": "three pearls"}
    assert update.for_viewer(None, over=True)["body"] == {"text": "A hide 3"}


def test_what_a_reveal_shows_is_hidden_no_more_and_what_was_taken_back_before_stays_so(
    session: Session, store: Store
) -> None:
    for text in ("A hide 3", "A take-back", "A hide 2", "B hide 1"):
        play(session, text)

    def seen(session: Session) -> list[str]:
        follower = session.subscribe(after=1)
        told = [update.for_viewer(None) for update in iter(lambda: follower.get(0), None)]
        return ["hidden" if one["hidden"] else one["body"].get("text", one["kind"]) for one in told]

    assert seen(session) == ["hidden", "A take-back", "A hide 2", "B hide 1"]
    session.ask(Undo(to=4, consents=(Seat.A, Seat.B)))  # what everybody has seen stays seen
    play(session, "B hide 3")
    assert seen(session)[1:] == ["A take-back", "A hide 2", "B hide 1", "undo", "B hide 3"]
    session.close()
    with Session.resume(store, "toy-1", session.rules) as again:
        assert seen(again)[:4] == ["hidden", "A take-back", "A hide 2", "B hide 1"]


def test_what_is_secret_before_the_reveal_stays_hidden_after_an_undo_of_it(session: Session) -> None:
    play(session, "A hide 3")
    session.ask(Undo(by=Seat.A))
    play(session, "A hide 1")
    play(session, "B hide 2")
    first = session.subscribe(after=1).get(0)
    assert first is not None
    assert first.for_viewer(None)["hidden"] is True


def test_an_overruled_state_is_in_no_update_until_the_game_is_over(session: Session) -> None:
    session.ask(Overrule(state=session.rules.dump(session.state), why="as it lies", consents=BOTH))
    update = session.subscribe(after=1).get(5)
    assert update is not None
    assert update.for_viewer(Seat.A)["body"].keys() == {"why", "by", "consents"}
    assert "state" in update.for_viewer(Seat.A, over=True)["body"]
