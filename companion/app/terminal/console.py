"""The terminal that a referee speaks to: what it needs of one, and this process's own."""

from __future__ import annotations

import getpass
import sys
from typing import Protocol

import click


class Terminal(Protocol):
    """Where lines come from and go to."""

    def ask(self, prompt: str, *, secret: bool = False) -> str | None:
        """A line that was typed, or None at the end of the input. `secret`: it is not shown."""

    def say(self, text: str = "") -> None:
        """Print a text."""

    def clear(self) -> None:
        """Clear the screen, so that the next player does not see it."""


class Console:
    """This process's own terminal; standard input may be a file or a pipe."""

    def ask(self, prompt: str, *, secret: bool = False) -> str | None:
        """See `Terminal.ask`."""
        if secret and sys.stdin.isatty():
            try:
                return getpass.getpass(prompt)
            except EOFError:
                return None
        click.echo(prompt, nl=False)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            click.echo()
        return line.strip() if line else None

    def say(self, text: str = "") -> None:
        """See `Terminal.say`."""
        click.echo(text)

    def clear(self) -> None:
        """See `Terminal.clear`."""
        click.clear()
