"""`companion identify`: names rectified pictures of any game's pieces from one reference picture a kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.errors import DataError

if TYPE_CHECKING:
    from vision.faces.read import FaceReading

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
ALTERNATIVES = 5  # named at most; the rest share what is left of the probability


@click.command(
    epilog="Example: companion identify --references cards/ crops/*.jpg > names.jsonl",
    help="""Name rectified pictures of pieces: tiles, cards, chips of any game.

    DIR holds one picture a kind, upright, cut at the piece's edge; the file's name without its ending is the kind's
    name. Every PICTURE must show one piece cut in the same way; it may be turned by quarters (pieces that are not
    square: by halves). Prints one JSON object a picture: file, name (null when unknown), probability, turn (quarter
    turns clockwise), alternatives. Exit code 3 when a file is not a usable picture.""",
)
@click.option(
    "--references", required=True, metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--margin", default=0.0, show_default=True, help="Strip around each piece, share of its side.")
@click.option("--at-least", type=click.FloatRange(0, 1), help="Name a kind from this probability on.")
@click.option("--size", default=96, show_default=True, type=click.IntRange(32, 256), help="Working size, px.")
@click.option("--upright", is_flag=True, help="The pieces are never turned.")
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path))
def identify(
    references: Path,
    margin: float,
    at_least: float | None,
    size: int,
    upright: bool,
    pictures: tuple[Path, ...],
) -> None:
    """Name rectified pictures of pieces."""
    from vision.faces.book import FaceBook

    kinds = {path.stem: [_picture(path)] for path in _reference_files(references)}
    book = FaceBook.learn(kinds, size_px=size, turns=(0,) if upright else None)
    for group in book.same:
        click.echo(f"companion: these kinds look the same and are named as the first: {', '.join(group)}", err=True)
    for path in pictures:
        reading = book.identify(_picture(path), margin=margin)
        click.echo(json.dumps(_line(path, reading, at_least), ensure_ascii=False))


def _line(path: Path, reading: FaceReading, at_least: float | None) -> dict[str, Any]:
    best, p = reading.alternatives[0]
    name = reading.face if at_least is None else (best if p >= at_least else None)
    return {
        "file": str(path),
        "name": name,
        "unknown": name is None,
        "probability": round(p, 4),
        "turn": reading.turn,
        "alternatives": [[face, round(chance, 4)] for face, chance in reading.alternatives[:ALTERNATIVES]],
    }


def _reference_files(folder: Path) -> list[Path]:
    """The pictures of a folder by name. Raises DataError when there is none, or two of one kind."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not files:
        raise DataError("expected one picture a kind, found none", where=str(folder), remedy="Add NAME.png files")
    twice = sorted({p.stem for p in files if sum(q.stem == p.stem for q in files) > 1})
    if twice:
        raise DataError(f"expected one picture a kind, found several of {', '.join(twice)}", where=str(folder))
    return files


def _picture(path: Path) -> Any:
    import cv2

    image = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
    if image is None:
        raise DataError("expected a picture, got nothing that can be decoded", where=str(path), remedy="Check the file")
    return image


COMMANDS: tuple[click.Command, ...] = (identify,)
