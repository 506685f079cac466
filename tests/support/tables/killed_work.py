"""Work that is killed at a chosen moment: what it leaves is what a power cut leaves."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator

KILLED_AT = 12
"""Moments of a run at which it is killed, evenly over all times that it touches the disk."""
LAST = 8
"""And every one of the last moments, among which the new takes the old one's place."""
TOUCHES = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "ctypes.dlsym", "sqlite3.connect"})


def killed(work: Callable[[], object], at: int) -> int | None:
    """Do `work` in a process that is killed when it touches the disk for the `at`-th time; None when it was.

    Else how often it did. The child leaves without the cleaning up of this process.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        touched = 0

        def count(event: str, _arguments: object) -> None:
            nonlocal touched
            if event not in TOUCHES:
                return
            touched += 1
            if touched == at:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            work()
        except BaseException as error:  # noqa: BLE001  told to the test through the pipe
            os.write(writing, f"failed: {error!r}".encode())
            os._exit(1)
        os.write(writing, str(touched).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        said = told.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    assert said.isdigit(), said
    return int(said)


def moments(work: Callable[[], object]) -> Iterator[int]:
    """Numbers of touches at which to kill `work`, which is done once to count them."""
    most = killed(work, -1)
    assert most is not None
    assert most > KILLED_AT
    spread = {1 + number * (most - 1) // (KILLED_AT - 1) for number in range(KILLED_AT)}
    return iter(sorted(spread | set(range(most - LAST, most + 1))))
