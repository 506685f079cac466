"""Keys of the terminal, one by one as they are pressed: a virtual box is pressed with them."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

KEY_WAIT_S = 0.1


def keys(end: float) -> Iterator[str]:
    """Keys as they are pressed, "" now and then, until `end` (monotonic seconds) or Ctrl-C."""
    with _singlekeys() as readable:
        try:
            while time.monotonic() < end:
                if not readable:
                    time.sleep(KEY_WAIT_S)
                    yield ""
                    continue
                ready, _, _ = select.select([sys.stdin], [], [], KEY_WAIT_S)
                data = os.read(sys.stdin.fileno(), 1) if ready else b""
                readable = bool(data) or not ready  # at the end of a piped input only time remains
                yield data.decode("latin-1")
        except KeyboardInterrupt:
            return


@contextmanager
def _singlekeys() -> Iterator[bool]:
    """The terminal gives keys without Enter meanwhile; False when there is no input at all."""
    import termios
    import tty

    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):
        yield False
        return
    if not os.isatty(number):
        yield True
        return
    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield True
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
