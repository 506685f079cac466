"""Whether tiles may be laid as they are (C1 to C6), and the board after it (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.types import Violation

from .board import MIDDLE, slot, square_of
from .catalogue import BLANK, Catalogue
from .state import Lay

MOST_TILES = 7  # C5
Square = tuple[int, int]


def placed(lay: Lay) -> tuple[tuple[str, str], ...]:
    """(square's name, tile's id) of every tile of a turn."""
    return tuple((name, tile.partition(":")[0]) for name, _, tile in (text.partition("=") for text in lay.tiles))


def check_lay(board: Mapping[str, str], lay: Lay, catalogue: Catalogue) -> Violation | None:
    """Why these tiles cannot be laid on `board` (square's name -> tile's id), or None."""
    tiles, known = placed(lay), catalogue.by_id()
    facts = (("player", lay.seat),)
    if not 1 <= len(tiles) <= MOST_TILES:
        # C5: one to seven
        return Violation("C5", "{player} lays {number} tiles, not one to seven", (*facts, ("number", len(tiles))))
    if len({name for name, _ in tiles}) < len(tiles):
        # C4: a square holds one tile
        return Violation("C4", "two tiles of the turn lie on one square", facts)
    squares: list[Square] = []
    for name, tile in tiles:
        square = square_of(name)
        if square is None or name in board:
            # C4: a free square of the board
            return Violation("C4", "{slot} is not a free square", (*facts, ("slot", name)), (name,))
        if tile not in known or not _meant(lay, name, catalogue):
            # C6: a tile of this box
            return Violation("C6", "the box has no tile {tile}", (*facts, ("tile", tile)), (name,))
        squares.append(square)
    used = Counter([*board.values(), *(tile for _, tile in tiles)])
    for tile in sorted(used):
        if used[tile] > known[tile].copies:
            # C6: as often as the box has it
            more = (("letter", known[tile].letter), ("copies", known[tile].copies), ("number", used[tile]))
            where = tuple(name for name, laid in tiles if laid == tile)
            return Violation("C6", "the box has {copies} of {letter}, {number} would lie there", (*facts, *more), where)
    return _check_line(board, squares)


def _meant(lay: Lay, name: str, catalogue: Catalogue) -> bool:
    # CR1: what a blank stands for is a tile of the box; other tiles stand for themselves
    text = next(text for text in lay.tiles if text.partition("=")[0] == name)
    tile, _, meaning = text.partition("=")[2].partition(":")
    known = catalogue.by_id()
    return not meaning or (known[tile].letter == BLANK and meaning in known and known[meaning].letter != BLANK)


def _check_line(board: Mapping[str, str], squares: list[Square]) -> Violation | None:
    names = tuple(slot(*square) for square in squares)
    columns, rows = {x for x, _ in squares}, {y for _, y in squares}
    if len(columns) > 1 and len(rows) > 1:
        # C2: one row or column
        return Violation("C2", "the tiles lie neither in one row nor in one column", (), names)
    line = [(x, y) for x in range(min(columns), max(columns) + 1) for y in range(min(rows), max(rows) + 1)]
    gaps = tuple(slot(*square) for square in line if square not in squares and slot(*square) not in board)
    if gaps:
        # C2: no empty square between them
        return Violation("C2", "{gaps} lies empty between the tiles", (("gaps", gaps),), gaps)
    if not board:
        if MIDDLE not in squares or len(squares) < 2:
            # C1: over the middle, two letters or more
            return Violation("C1", "the first word must cover the middle and have two letters or more", (), names)
        return None
    beside = {slot(x + dx, y + dy) for x, y in squares for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    if not beside & set(board):
        # C3: joined to what lies there
        return Violation("C3", "no tile of the turn lies beside one that was there before", (), names)
    return None
