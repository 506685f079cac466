"""Terminals for tests: one that types given lines, one that plays at random by what is listed."""

from __future__ import annotations

from random import Random


class Script:
    """A terminal that types given lines and keeps what it saw."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.screen: list[str] = []
        self.asked: list[tuple[str, bool]] = []
        self.cleared = 0

    def ask(self, prompt: str, *, secret: bool = False) -> str | None:
        self.asked.append((prompt, secret))
        return self.lines.pop(0) if self.lines else None

    def say(self, text: str = "") -> None:
        self.screen.append(text)

    def clear(self) -> None:
        self.cleared += 1

    @property
    def text(self) -> str:
        return "\n".join(self.screen)


class RandomPlayer(Script):
    """Types the number of one of the choices that are listed, by a seeded generator; keeps what it typed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._chance = Random(seed)
        self._choices: list[str] = []
        self.typed: list[str] = []

    def say(self, text: str = "") -> None:
        super().say(text)
        self._choices += [word for word in text.split("  ") if word.strip()[:1].isdigit() and "." in word]

    def ask(self, prompt: str, *, secret: bool = False) -> str | None:
        self.asked.append((prompt, secret))
        line = str(self._chance.randint(1, len(self._choices))) if self._choices else ""
        self._choices = []
        self.typed.append(line)
        return line
