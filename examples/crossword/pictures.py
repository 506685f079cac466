"""What pictures of a game show, square by square, and each tile named by all the pictures in which it lies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Square = tuple[int, int]
LEAST_P = 1e-4
"""Probability of a letter that a reading does not name: pictures of one tile are not independent."""


@dataclass(frozen=True, slots=True)
class SeenSquare:
    """What a picture shows on a square: letter ("" for none) -> probability; `unsure`: a person should look.

    `covered`: a hand or the like lies over it; its letters, if any, are those of other pictures.
    """

    letters: Mapping[str, float]
    unsure: bool = False
    covered: bool = False

    def likeliest(self) -> str:
        """The likeliest letter; "" for an empty square."""
        return max(self.letters, key=lambda letter: self.letters[letter], default="")


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """One picture: its name, what its squares show (those that are not there are empty), why it could not be read."""

    name: str
    squares: Mapping[Square, SeenSquare] = field(default_factory=dict)
    refused: str = ""


def fuse(pictures: Sequence[SeenPicture]) -> tuple[SeenPicture, ...]:
    """The pictures with each tile named by all of those in which it lies: from the first to the last without a gap.

    A square that is unsure in some is what it is in the others, if most of them are sure of it. A tile that is surely
    one letter in the earlier pictures and surely another in the later ones was changed for another. A square that is
    covered is what the pictures before and after show.
    """
    out = [dict(picture.squares) for picture in pictures]
    read = [n for n, picture in enumerate(pictures) if not picture.refused]
    for before, n, after in zip(read, read[1:], read[2:], strict=False):
        if any(seen.covered for seen in pictures[n].squares.values()):
            out[n] |= dict.fromkeys(_gone_for_one(out[before], out[n], out[after]), HIDDEN)
    for square in sorted({square for squares in out for square in squares}):
        for run in (part for whole in _runs(read, out, square) for part in _unchanged(whole, out, square)):
            seen = [out[n][square] for n in run if not out[n][square].covered]
            if not seen:
                for n in run:
                    if run[0] == read[0] or run[-1] == read[-1]:
                        out[n][square] = SeenSquare({"": 1.0}, unsure=True, covered=True)
                    else:
                        del out[n][square]  # empty before and after
                continue
            total: dict[str, float] = {}
            names = {name for one in seen for name in one.letters}
            for name in names:
                total[name] = sum(math.log(max(one.letters.get(name, 0.0), LEAST_P)) for one in seen)
            best = max(total.values())
            weights = {name: math.exp(value - best) for name, value in total.items()}
            letters = {name: weight / sum(weights.values()) for name, weight in weights.items()}
            name = max(letters, key=letters.__getitem__)
            sure = sum(not one.unsure and one.likeliest() == name for one in seen)
            for n in run:
                out[n][square] = SeenSquare(letters, 2 * sure < len(seen), out[n][square].covered)
    return tuple(
        SeenPicture(picture.name, squares, picture.refused) for picture, squares in zip(pictures, out, strict=True)
    )


HIDDEN = SeenSquare({}, unsure=True, covered=True)


def _gone_for_one(
    before: Mapping[Square, SeenSquare], now: Mapping[Square, SeenSquare], after: Mapping[Square, SeenSquare]
) -> list[Square]:
    """Squares that look empty while a hand is over the board, and hold the same tile before and after."""
    return [
        square for square, seen in before.items()
        if square not in now and square in after and not seen.unsure and not after[square].unsure
        and seen.likeliest() == after[square].likeliest()
    ]  # fmt: skip


def _runs(read: Sequence[int], squares: Sequence[Mapping[Square, SeenSquare]], square: Square) -> list[list[int]]:
    """The stretches of pictures in which something lies, or may lie, on a square."""
    runs: list[list[int]] = [[]]
    for n in read:
        if square in squares[n]:
            runs[-1].append(n)
        else:
            runs.append([])
    return [run for run in runs if run]


def _unchanged(run: list[int], squares: Sequence[Mapping[Square, SeenSquare]], square: Square) -> list[list[int]]:
    """`run` in two, where all sure readings before are of one letter and all after of another."""
    sure = [n for n in run if not squares[n][square].unsure]
    named = [squares[n][square].likeliest() for n in sure]
    changes = [k for k in range(1, len(named)) if named[k] != named[k - 1]]
    if len(changes) != 1:
        return [run]
    first = sure[changes[0]]
    return [[n for n in run if n < first], [n for n in run if n >= first]]


def letters_of(picture: SeenPicture) -> dict[Square, str]:
    """Square -> the likeliest letter, of every square that is not empty."""
    likely = {square: seen.likeliest() for square, seen in picture.squares.items()}
    return {square: letter for square, letter in likely.items() if letter}
