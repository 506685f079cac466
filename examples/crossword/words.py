"""The words that a turn makes, and their points (C7, C8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .board import Premiums

Square = tuple[int, int]
ALL_SEVEN = 7
ALL_SEVEN_POINTS = 50  # C8


@dataclass(frozen=True, slots=True)
class Word:
    """A word on the board: its squares (column, row) in reading order, and its points in the turn that made it."""

    squares: tuple[Square, ...]
    points: int


def words_made(
    board: Mapping[Square, str], laid: frozenset[Square], points: Mapping[str, int], premiums: Premiums
) -> tuple[Word, ...]:
    """The words of a turn, the longest line first: `board` (square -> tile) holds the tiles of `laid` already.

    `points`: of every tile; `premiums`: of the board.
    """
    found: dict[tuple[Square, ...], None] = {}
    for square in sorted(laid):
        for step in ((1, 0), (0, 1)):
            line = _line(board, square, step)
            if len(line) > 1:
                found.setdefault(line)
    words = [Word(line, _points(line, board, laid, points, premiums)) for line in found]
    return tuple(sorted(words, key=lambda word: (-len(laid & set(word.squares)), word.squares)))


def _line(board: Mapping[Square, str], square: Square, step: Square) -> tuple[Square, ...]:
    x, y = square
    while (x - step[0], y - step[1]) in board:
        x, y = x - step[0], y - step[1]
    line = []
    while (x, y) in board:
        line.append((x, y))
        x, y = x + step[0], y + step[1]
    return tuple(line)


def _points(
    line: tuple[Square, ...], board: Mapping[Square, str], laid: frozenset[Square], points: Mapping[str, int],
    premiums: Premiums,
) -> int:  # fmt: skip
    # C7: a square counts for a tile laid in this turn only; letters first, then the word
    total, factor = 0, 1
    for square in line:
        fresh = square in laid
        total += points[board[square]] * (premiums.letter_factor(square) if fresh else 1)
        factor *= premiums.word_factor(square) if fresh else 1
    return total * factor


def turn_points(words: tuple[Word, ...], tiles: int) -> int:
    """The points of a turn that laid so many tiles."""
    return sum(word.points for word in words) + (ALL_SEVEN_POINTS if tiles == ALL_SEVEN else 0)  # C8
