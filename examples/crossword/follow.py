"""What happened from picture to picture of a game: words, passes and withdrawals, checked and scored by the rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.types import Seat, SeatInfo, Setup, Violation

from .board import slot
from .catalogue import Catalogue
from .rules import CrosswordRules
from .state import Challenge, Lay, Pass, State
from .words import ALL_SEVEN, ALL_SEVEN_POINTS

Square = tuple[int, int]
LEAST_P = 1e-4
"""Probability of a letter that a reading does not name: pictures of one tile are not independent."""


@dataclass(frozen=True, slots=True)
class SeenSquare:
    """What a picture shows on a square: letter ("" for none) -> probability; `unsure`: a person should look."""

    letters: Mapping[str, float]
    unsure: bool = False

    def likeliest(self) -> str:
        """The likeliest letter; "" for an empty square."""
        return max(self.letters, key=lambda letter: self.letters[letter])


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """One picture: its name, what its squares show (those that are not there are empty), why it could not be read."""

    name: str
    squares: Mapping[Square, SeenSquare] = field(default_factory=dict)
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Happening:
    """What was new in a picture. `kind`: names, empty, move, withdrawal, pass_or_exchange, unexplained or refused.

    `words`: (letters, points) of every word; `violation`: the clause and sentence of what is against the rules.
    """

    picture: str
    kind: str
    player: int | None
    laid: Mapping[Square, str]
    removed: Mapping[Square, str]
    words: tuple[tuple[str, int], ...]
    bonus: int
    points: int
    totals: tuple[int, ...]
    letters: Mapping[Square, str]
    unsure: Mapping[Square, Mapping[str, float]]
    violation: tuple[str, str] | None = None


class GameFollower:
    """Follows one game picture by picture. The first picture of an empty board begins it."""

    def __init__(self, catalogue: Catalogue, players: int = 2) -> None:
        seats = tuple(SeatInfo(f"Player {n + 1}", colour) for n, colour in zip(range(players), COLOURS, strict=False))
        self.rules = CrosswordRules(Setup("crossword", seats, catalogue.id), catalogue)
        self.state: State = self.rules.initial()
        self._letters: dict[Square, str] = {}
        self._ids = {tile.letter: tile.id for tile in catalogue.tiles}

    def follow(self, pictures: Sequence[SeenPicture]) -> tuple[Happening, ...]:
        """What happened in all of them, in their order."""
        fused = fuse(pictures)
        begin = next((n for n, picture in enumerate(fused) if not picture.refused and not _letters(picture)), None)
        found = []
        for n, picture in enumerate(fused):
            if picture.refused:
                found.append(self._told(picture, "refused", None))
            elif begin is not None and n <= begin:
                found.append(self._told(picture, "names" if n < begin else "empty", None, letters=_letters(picture)))
            else:
                found.extend(self._next(picture))
        return tuple(found)

    def _next(self, picture: SeenPicture) -> list[Happening]:
        now, before = _letters(picture), self._letters
        laid = {square: letter for square, letter in now.items() if square not in before}
        gone = {square: letter for square, letter in before.items() if square not in now}
        changed = any(square in now and now[square] != letter for square, letter in before.items())
        out: list[Happening] = []
        last = self.state.last
        if gone and last is not None and {slot(*square) for square in gone} == set(last.slots) and not changed:
            out.append(self._withdrawn(picture, gone))
            gone = {}
        if gone or changed:
            return [*out, self._told(picture, "unexplained", None, laid=laid, removed=gone, letters=now)]
        if laid:
            out.append(self._laid(picture, laid))
        elif not out:
            seat = self.rules.to_act(self.state)[:1]
            if seat:
                self.state = self.rules.apply(self.state, Pass(seat[0]))
            out.append(self._told(picture, "pass_or_exchange", int(seat[0]) if seat else None))
        return out

    def _withdrawn(self, picture: SeenPicture, gone: Mapping[Square, str]) -> Happening:
        last = self.state.last
        assert last is not None
        self.state = self.rules.apply(self.state, Challenge(self.rules.to_act(self.state)[0]))  # C10
        for square in gone:
            del self._letters[square]
        return self._told(picture, "withdrawal", int(last.seat), removed=gone, points=-last.points)

    def _laid(self, picture: SeenPicture, laid: Mapping[Square, str]) -> Happening:
        seats = self.rules.to_act(self.state)
        seat = seats[0] if seats else Seat.A
        tiles = tuple(f"{slot(*square)}={self._ids[letter]}" for square, letter in sorted(laid.items()))
        action = Lay(seat, tiles)
        violation = self.rules.check(self.state, action)
        if violation is not None:
            # what lies there is not taken for a turn: the next picture is compared with the table before it
            now = {**self._letters, **laid}
            return self._told(picture, "unexplained", int(seat), laid=laid, letters=now, violation=violation)
        made = self.rules.words(self.state, action)
        before = self.state.points[seat]
        self.state = self.rules.apply(self.state, action)
        self._letters.update(laid)
        words = tuple(("".join(self._letters[square] for square in word.squares), word.points) for word in made)
        bonus = ALL_SEVEN_POINTS if len(laid) == ALL_SEVEN else 0
        return self._told(picture, "move", int(seat), laid=laid, words=words, bonus=bonus,
                          points=self.state.points[seat] - before)  # fmt: skip

    def _told(
        self, picture: SeenPicture, kind: str, player: int | None, *, laid: Mapping[Square, str] | None = None,
        removed: Mapping[Square, str] | None = None, words: tuple[tuple[str, int], ...] = (), bonus: int = 0,
        points: int = 0, letters: Mapping[Square, str] | None = None, violation: Violation | None = None,
    ) -> Happening:  # fmt: skip
        unsure = {square: dict(seen.letters) for square, seen in picture.squares.items() if seen.unsure}
        broken = None if violation is None else (violation.clause, violation.message.format(**_facts(violation)))
        shown = dict(self._letters) if letters is None else dict(letters)
        return Happening(picture.name, kind, player, laid or {}, removed or {}, words, bonus, points,
                         self.state.points, shown, unsure, broken)  # fmt: skip


COLOURS = ("red", "blue", "green", "yellow")


def fuse(pictures: Sequence[SeenPicture]) -> tuple[SeenPicture, ...]:
    """The pictures with each tile named by all of those in which it lies: from the first to the last without a gap.

    A square that is unsure once and read alike before and after is what it is there.
    """
    out = [dict(picture.squares) for picture in pictures]
    read = [n for n, picture in enumerate(pictures) if not picture.refused]
    for square in sorted({square for squares in out for square in squares}):
        for run in _runs(read, out, square):
            seen = [out[n][square] for n in run]
            total: dict[str, float] = {}
            names = {name for one in seen for name in one.letters}
            for name in names:
                total[name] = sum(math.log(max(one.letters.get(name, 0.0), LEAST_P)) for one in seen)
            best = max(total.values())
            weights = {name: math.exp(value - best) for name, value in total.items()}
            letters = {name: weight / sum(weights.values()) for name, weight in weights.items()}
            sure = any(not one.unsure and one.likeliest() == max(letters, key=letters.__getitem__) for one in seen)
            for n in run:
                out[n][square] = SeenSquare(letters, unsure=not sure)
    return tuple(
        SeenPicture(picture.name, squares, picture.refused) for picture, squares in zip(pictures, out, strict=True)
    )


def _runs(read: Sequence[int], squares: Sequence[Mapping[Square, SeenSquare]], square: Square) -> list[list[int]]:
    """The stretches of pictures in which something lies, or may lie, on a square."""
    runs: list[list[int]] = [[]]
    for n in read:
        if square in squares[n]:
            runs[-1].append(n)
        else:
            runs.append([])
    return [run for run in runs if run]


def _letters(picture: SeenPicture) -> dict[Square, str]:
    likely = {square: seen.likeliest() for square, seen in picture.squares.items()}
    return {square: letter for square, letter in likely.items() if letter}


def _facts(violation: Violation) -> dict[str, object]:
    return {name: value.name if isinstance(value, Seat) else value for name, value in violation.facts}
