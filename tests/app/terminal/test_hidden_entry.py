"""Facts about a real terminal: a secret choice is not echoed, and the screen is cleared before the next player."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

from run_companion import Companion

PATIENCE_S = 600.0


class Screen:
    """The other end of a terminal in which `companion play` runs."""

    def __init__(self, companion: Companion, session: str) -> None:
        self._master, slave = os.openpty()
        command = [sys.executable, "-m", "companion.app.cli", "play", session]
        environment = companion.environment | {"TERM": "xterm"}
        self.process = subprocess.Popen(
            command, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self._seen = ""

    def until(self, text: str) -> str:
        """Everything that is shown from now up to `text`."""
        ends = time.monotonic() + PATIENCE_S
        while text not in self._seen:
            ready, _, _ = select.select([self._master], [], [], max(0.0, ends - time.monotonic()))
            assert ready, f"waited for {text!r}, saw {self._seen!r}"
            self._seen += os.read(self._master, 65536).decode("utf-8", "replace")
        shown, _, self._seen = self._seen.partition(text)
        return shown

    def type(self, line: str) -> None:
        os.write(self._master, line.encode("utf-8") + b"\n")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


def test_a_secret_choice_is_not_echoed_and_the_screen_is_cleared(tmp_path: Path) -> None:
    companion = Companion(tmp_path)
    companion("new", "envyra", "--player", "Žofia:pink", "--player", "Ján:gray", "--session", "s")
    screen = Screen(companion, "s")
    try:
        for _ in range(7):  # six tiles and the starting figure
            screen.until("drawn: ")
            screen.type("1")
        shown = screen.until("Žofia alone at the screen? Press Enter. ")
        assert "1\r\n" in shown  # what is no secret is echoed
        screen.type("")
        screen.until("Žofia confirms.")
        screen.until("Žofia: ")
        screen.type("r1c2 r2c3")
        after = screen.until("Ján alone at the screen? Press Enter. ")
        assert "r1c2" not in after
        assert "\x1b[2J" in after
        assert companion("export", "s").out.splitlines()[-1].count("A choose r1c2 r2c3") == 1
    finally:
        screen.close()
