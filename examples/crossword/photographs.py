"""Reads a folder of photographs of a crossword game and writes letters, moves and totals as JSON.

    python -m examples.crossword.photographs FOLDER --learn LABELLED --out result.json

LABELLED is another folder with a truth.json: its pictures, their letters and board_corners_px teach the board and the
tiles. FOLDER needs no truth; its pictures are taken in the order of their names, numbers by their value. A file that is
no picture is refused like one that shows no board; a labelled picture that is missing teaches nothing.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from companion.core.errors import DataError
from vision.printed.board import BoardShape, Image
from vision.printed.marks import MarkText
from vision.printed.squares import (
    LabelledPicture,
    LearntBoard,
    SquaresReader,
    SquaresReading,
    SquareState,
    learn_board,
)

from .board import SIDE
from .catalogue import BLANK, Catalogue, load_catalogue
from .follow import GameFollower, Happening
from .pictures import SeenPicture, SeenSquare
from .rules import MAX_SEATS, MIN_SEATS

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
OF_PHONES = (".heic", ".heif", ".avif", ".dng")
"""Photographs that are not read here: each is told as refused, or a move would be missing and nobody would know."""
MOST_LEARNT = 40
"""Labelled pictures that are used at most, evenly spaced: more of one game show the same tiles again."""

SHAPE = BoardShape(SIDE, SIDE)

NO_PICTURE = "the file is not a picture that can be read"
ANOTHER_FORM = "photographs of this form are not read: save it as JPEG or PNG"
TURNS = (None, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE)
"""How a camera may be held; the board looks alike from all sides, the letters do not."""

SETTLED = 8
"""Tiles of one picture that tell which way is up; some letters can be read upside down."""

LEAST_DOUBT = 1e-4
"""Of a named mark: surer ones say no more."""


def learn_folder(folder: Path, catalogue: Catalogue) -> LearntBoard:
    """The board and tiles of a labelled folder. Raises DataError when its truth or a picture cannot be read."""
    path = folder / "truth.json"
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        if "frames" in truth:
            corners = truth["board_corners_px"]
            labelled = [(f["image"], f["letters"], corners[f["image"]]) for f in truth["frames"]]
        else:
            labelled = [(name, one["letters"], one["board_corners_px"]) for name, one in sorted(truth.items())]
        missing = [name for name, *_ in labelled if not (folder / name).is_file()]
        if missing:
            click.echo(f"{path}: {len(missing)} pictures are missing and teach nothing: {', '.join(missing)}", err=True)
        labelled = [one for one in labelled if one[0] not in missing]
        _refuse_strange(labelled, catalogue, path)
        step = max(1, -(-len(labelled) // MOST_LEARNT))
        pictures = [
            LabelledPicture(_picture(folder / name), np.array(corners_px, float), _squares(letters))
            for name, letters, corners_px in labelled[::step]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"expected pictures with letters and board_corners_px: {_told(error)}"
        raise DataError(message, where=str(path), remedy="See examples/crossword/README.md.") from error
    try:
        return learn_board(pictures, SHAPE, _texts(catalogue), BLANK)
    except ValueError as error:
        raise DataError(str(error), where=str(path)) from error


def _told(error: Exception) -> str:
    """What is wrong with a truth, in words."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case json.JSONDecodeError():
            return f"no JSON: {error}"
        case KeyError():
            return f"{error} is missing"
        case OSError():
            return f"cannot be read: {error.strerror}"
    return f"of another form: {error}"


def _refuse_strange(labelled: list[tuple[str, Any, Any]], catalogue: Catalogue, path: Path) -> None:
    """Raises DataError for letters that the box has not, squares off the board, and corners that are not four."""
    known = set(catalogue.by_letter())
    strange = sorted({letter for _, letters, _ in labelled for letter in letters.values()} - known)
    if strange:
        raise DataError(f"letters that the catalogue {catalogue.id} has not: {', '.join(strange)}", where=str(path),
                        remedy="Give the box's own letters with --catalogue; a blank is _.")  # fmt: skip
    for name, letters, corners_px in labelled:
        off = [cell for cell, square in zip(letters, _squares(letters), strict=True) if square not in SHAPE.squares()]
        if off:
            raise DataError(f"{name}: squares off the board: {', '.join(off)}", where=str(path),
                            remedy=f"Squares are column,row from 0,0 to {SIDE - 1},{SIDE - 1}.")  # fmt: skip
        if np.array(corners_px, float).shape != (4, 2):
            raise DataError(f"{name}: expected 4 corners of the grid, clockwise from top left", where=str(path))


def _texts(catalogue: Catalogue) -> dict[str, MarkText]:
    return {t.letter: MarkText(t.letter, str(t.points)) for t in catalogue.tiles if t.letter != BLANK}


def _squares(letters: Mapping[str, str]) -> dict[tuple[int, int], str]:
    out = {}
    for cell, letter in letters.items():
        column, comma, row = cell.partition(",")
        if not (comma and column.strip().isdecimal() and row.strip().isdecimal()):
            raise ValueError(f"a square is column,row, not {cell!r}")
        out[int(column), int(row)] = letter
    return out


def _picture(path: Path) -> Image:
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise DataError("expected a picture", where=str(path))
    return np.asarray(image, np.uint8)


def in_order(paths: Iterable[Path]) -> list[Path]:
    """By name, numbers in a name by their value: move-9 comes before move-10."""

    def key(path: Path) -> tuple[list[tuple[int, str]], str]:
        return [(int(n or -1), text) for n, text in re.findall(r"([0-9]+)|([^0-9]+)", path.stem)], path.name

    return sorted(paths, key=key)


class TurnedReader:
    """Reads pictures of a board whichever way the camera was held; it is held in one way for a whole game.

    Every turn is tried until a picture with SETTLED tiles has told the right one, and again where that one fails.
    """

    def __init__(self, board: LearntBoard) -> None:
        self._reader, self._known = SquaresReader(board), False
        self._turn: int | None = None

    def read(self, image: Image) -> SquaresReading:
        """The reading with the letters upright: in the turn in which the marks are named most surely."""
        first = self._turned(image, self._turn)
        if self._known and not first.refused and _evidence(first) >= 0:
            return first
        readings = {turn: first if turn == self._turn else self._turned(image, turn) for turn in TURNS}
        alike = sorted(readings, key=lambda turn: turn != self._turn)  # of two that say as much, the one as before
        best = max(alike, key=lambda turn: _evidence(readings[turn]))
        if self._known and best != self._turn and not _tells_the_turn(readings[best]):
            return first  # a board that is found where none is, or under a hand, looks no better from another side
        if not self._known and _tells_the_turn(readings[best]):
            self._known, self._turn = True, best
        return readings[best]

    def _turned(self, image: Image, turn: int | None) -> SquaresReading:
        return self._reader.read(image if turn is None else np.asarray(cv2.rotate(image, turn), np.uint8))


def _tells_the_turn(reading: SquaresReading) -> bool:
    """Whether SETTLED tiles are named, and more surely than others are unsure."""
    named = sum(one.state is SquareState.TILE for one in reading.squares)
    return named >= SETTLED and _evidence(reading) > 0


def _evidence(reading: SquaresReading) -> float:
    """How surely the marks are named (nats); less the squares that are unsure; a refused picture has none."""
    if reading.refused:
        return -math.inf
    sure = sum(-math.log(1 - one.p + LEAST_DOUBT) for one in reading.squares if one.state is SquareState.TILE)
    return sure + math.log(LEAST_DOUBT) * sum(one.state is SquareState.UNSURE for one in reading.squares)


def seen_picture(name: str, reading: SquaresReading) -> SeenPicture:
    """A reading in the words of the follower; squares that are surely empty are left out."""
    if reading.refused:
        return SeenPicture(name, refused=reading.refused)
    squares = {}
    for one in reading.squares:
        if one.state is SquareState.EMPTY:
            continue
        unsure = one.state is SquareState.UNSURE
        likely = {face or "": p for face, p in one.alternatives} or ({} if unsure else {one.face or "": one.p})
        squares[one.column, one.row] = SeenSquare(likely, unsure, covered=not likely)
    return SeenPicture(name, squares)


def _cells(letters: Mapping[tuple[int, int], Any]) -> dict[str, Any]:
    return {f"{column},{row}": letter for (column, row), letter in sorted(letters.items(), key=lambda c: c[0][::-1])}


def as_json(happenings: tuple[Happening, ...]) -> dict[str, Any]:
    """Letters and doubts of every picture, the moves in their order, and the totals."""
    pictures: dict[str, Any] = {}
    moves = []
    for one in happenings:
        unsure = {square: {letter or "empty": round(p, 3) for letter, p in likely.items()}
                  for square, likely in one.unsure.items()}  # fmt: skip
        pictures[one.picture] = {"letters": _cells(one.letters), "unsure": _cells(unsure)}
        if one.kind == "refused":
            pictures[one.picture]["refused"] = True
        broken = None if one.violation is None else {"clause": one.violation[0], "message": one.violation[1]}
        moves.append({
            "image": one.picture, "kind": one.kind, "player": one.player, "laid": _cells(one.laid),
            "removed": _cells(one.removed), "words": [list(word) for word in one.words], "bonus": one.bonus,
            "move_score": one.points, "totals": list(one.totals), "violation": broken, "sure": one.sure,
        })  # fmt: skip
    totals = list(happenings[-1].totals) if happenings else []
    return {"pictures": pictures, "moves": moves, "totals": totals}


def read_folder(
    folder: Path, board: LearntBoard, catalogue: Catalogue, *, game: bool = True, players: int = 2, quiet: bool = True
) -> dict[str, Any]:
    """The JSON of a folder of photographs. `game`: the pictures follow each other; else each stands alone."""
    reader = TurnedReader(board)
    seen: list[SeenPicture] = []
    reasons: dict[str, str] = {}
    copies: dict[bytes, str] = {}
    ours = (*SUFFIXES, *OF_PHONES)
    paths = in_order(path for path in folder.iterdir() if path.suffix.lower() in ours and path.is_file())
    if not paths:
        raise DataError("expected photographs (.jpg, .png), found none", where=str(folder))
    with click.progressbar(paths, label="reading", file=sys.stderr, hidden=quiet) as every:
        for path in every:
            content = path.read_bytes()
            if content in copies:
                seen.append(SeenPicture(path.name, refused=f"the same picture as {copies[content]}"))
                reasons[path.name] = seen[-1].refused
                continue
            copies = {content: path.name}  # a turn without a word is photographed anew, never alike to the last bit
            try:
                reading = reader.read(_picture(path))
            except DataError:
                why = ANOTHER_FORM if path.suffix.lower() in OF_PHONES else NO_PICTURE
                seen.append(SeenPicture(path.name, refused=why))
            else:
                seen.append(seen_picture(path.name, reading))
            reasons[path.name] = seen[-1].refused
    follower = GameFollower(catalogue, players)
    if game:
        out = as_json(follower.follow(seen))
    else:
        alone = tuple(one for picture in seen for one in GameFollower(catalogue).follow([picture]))
        out = {"pictures": as_json(alone)["pictures"]}
    for name, reason in reasons.items():
        if reason:
            out["pictures"][name] = {"letters": {}, "unsure": {}, "refused": reason}
    return out


@click.command(epilog="Example: python -m examples.crossword.photographs game --learn labelled --out result.json")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--learn", "labelled", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder with pictures and truth.json that teach board and tiles.")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON here, not to the screen.")
@click.option("--single", is_flag=True, help="Each picture stands alone: no moves, no totals.")
@click.option("--players", type=click.IntRange(MIN_SEATS, MAX_SEATS), default=MIN_SEATS, show_default=True,
              help="How many take turns.")  # fmt: skip
@click.option("--catalogue", default="german", show_default=True, help="Letters and their values: a name or a file.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path, labelled: Path, out: Path | None, single: bool, players: int, catalogue: str, quiet: bool
) -> None:
    """Read photographs of a crossword game: letters, moves and totals as JSON."""
    if out is not None and not out.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {out.absolute().parent}", param_hint="--out")
    try:
        tiles = load_catalogue(catalogue)
        board = learn_folder(labelled, tiles)
        found = read_folder(folder, board, tiles, game=not single, players=players, quiet=quiet)
    except DataError as error:
        raise click.ClickException(str(error)) from error
    refused = [f"{name}: {one['refused']}" for name, one in found["pictures"].items() if one.get("refused")]
    if refused:
        click.echo(f"{len(refused)} of {len(found['pictures'])} pictures are refused: {'; '.join(refused)}", err=True)
    text = json.dumps(found, indent=1, ensure_ascii=False)
    if out is None:
        click.echo(text)
    else:
        out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
