"""The printed board: 15 x 15 squares, some of which multiply the points of a letter or of a word (C7)."""

from __future__ import annotations

from functools import lru_cache

SIDE = 15
MIDDLE = (7, 7)

# One eighth of the board, (column, row) from the middle outwards; the rest follows by symmetry.
_TRIPLE_WORD = ((7, 7), (7, 0))
_DOUBLE_WORD = ((0, 0), (3, 3), (4, 4), (5, 5), (6, 6))
_TRIPLE_LETTER = ((2, 2), (6, 2))
_DOUBLE_LETTER = ((1, 1), (1, 5), (4, 7), (0, 4), (5, 1))


def _around(squares: tuple[tuple[int, int], ...]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (MIDDLE[0] + sx * x, MIDDLE[1] + sy * y)
        for a, b in squares for x, y in ((a, b), (b, a)) for sx in (1, -1) for sy in (1, -1)
    )  # fmt: skip


@lru_cache(maxsize=1)
def letter_factors() -> dict[tuple[int, int], int]:
    """(column, row) -> by how much the letter on it is multiplied, where it is."""
    return dict.fromkeys(_around(_TRIPLE_LETTER), 3) | dict.fromkeys(_around(_DOUBLE_LETTER), 2)


@lru_cache(maxsize=1)
def word_factors() -> dict[tuple[int, int], int]:
    """(column, row) -> by how much a word on it is multiplied, where it is; the middle doubles."""
    return dict.fromkeys(_around(_TRIPLE_WORD), 3) | dict.fromkeys(_around(_DOUBLE_WORD), 2)


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
