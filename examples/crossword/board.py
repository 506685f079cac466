"""The printed board: 15 x 15 squares, some of which multiply the points of a letter or of a word (C7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SIDE = 15
MIDDLE = (7, 7)
PLAIN = "."
LETTER_SIGNS: Mapping[str, int] = {"d": 2, "t": 3}
WORD_SIGNS: Mapping[str, int] = {"D": 2, "T": 3}
"""Sign of a square in a catalogue -> by how much the letter, or the word, on it is multiplied."""


@dataclass(frozen=True, slots=True)
class Premiums:
    """What the squares of a board multiply: `rows` from the top, a sign a square."""

    rows: tuple[str, ...]

    def letter_factor(self, square: tuple[int, int]) -> int:
        """By how much the letter laid on (column, row) is multiplied."""
        return LETTER_SIGNS.get(self._sign(square), 1)

    def word_factor(self, square: tuple[int, int]) -> int:
        """By how much a word with a letter laid on (column, row) is multiplied."""
        return WORD_SIGNS.get(self._sign(square), 1)

    def _sign(self, square: tuple[int, int]) -> str:
        column, row = square
        return self.rows[row][column]


def drawn_premiums(text: str) -> Premiums:
    """The board drawn in `text`, a line a row. Raises ValueError for anything but 15 lines of 15 known signs."""
    rows = tuple(text.split())
    known = {PLAIN, *LETTER_SIGNS, *WORD_SIGNS}
    if len(rows) != SIDE:
        raise ValueError(f"expected {SIDE} rows, got {len(rows)}")
    for number, row in enumerate(rows, start=1):
        if len(row) != SIDE or not known.issuperset(row):
            raise ValueError(f"row {number}: expected {SIDE} of the signs {' '.join(sorted(known))}, got {row!r}")
    return Premiums(rows)


def slot(column: int, row: int) -> str:
    """The name of a square: r8c8 is the middle."""
    return f"r{row + 1}c{column + 1}"


def square_of(name: str) -> tuple[int, int] | None:
    """(column, row) of a square's name; None for anything that names none."""
    row, _, column = name[1:].partition("c") if name.startswith("r") else ("", "", "")
    if not (row.isascii() and column.isascii() and row.isdigit() and column.isdigit()):
        return None
    found = int(column) - 1, int(row) - 1
    return found if slot(*found) == name and max(found) < SIDE and min(found) >= 0 else None


def known_square(name: str) -> tuple[int, int]:
    """(column, row) of a square's name. Raises ValueError for anything that names none."""
    found = square_of(name)
    if found is None:
        raise ValueError(f"expected a square of the board, got {name!r}")
    return found
