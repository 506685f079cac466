"""The stream of updates: who looks at more than the record is woken by a nudge, who counts records is not."""

from __future__ import annotations

import threading

from companion.table.record.updates import Stream, Subscription

WAIT_S = 60.0  # for another thread; not a delay


def test_a_nudge_wakes_those_who_look_at_more_than_the_record() -> None:
    stream = Stream(0, lambda *_: iter(()))
    begun, woken = threading.Event(), threading.Event()

    def follow() -> None:
        begun.set()
        while Subscription(stream, 0).get(WAIT_S, nudged=True) is None:
            woken.set()
            return

    thread = threading.Thread(target=follow)
    thread.start()
    begun.wait(WAIT_S)
    while not woken.wait(0.01):
        stream.nudge()
    thread.join()


def test_a_nudge_ends_no_wait_for_a_record() -> None:
    stream = Stream(0, lambda *_: iter(()))
    came: list[object] = []
    thread = threading.Thread(target=lambda: came.extend(Subscription(stream, 0)))
    thread.start()
    for _ in range(20):
        stream.nudge()
    thread.join(0.05)
    assert thread.is_alive()
    stream.close()
    thread.join()
    assert came == []
