"""`companion identify`: names pictures of any game's pieces from one or more reference pictures a kind."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.command_kit import Unusable
from companion.core.errors import DataError

if TYPE_CHECKING:
    from vision.faces.readings import FaceReading

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
ALTERNATIVES = 5  # named at most; the rest share what is left of the probability
TOGETHER = 48  # crops that are held in memory at once; one photograph seldom shows more pieces
# How crops are named that come from one photograph: its name, then what tells the crop, as in PHOTO__CROP or PHOTO-7.
NUMBERED = re.compile(r"^(.*)__[^_].*$|^(.*?)[ _.-]*\d+$")


@click.command(
    epilog="Example: companion identify --references cards/ crops/*.jpg > names.jsonl",
    help="""Name pictures of pieces: tiles, cards, chips of any game.

    DIR holds one picture a kind, upright, cut at the piece's edge; the file's name without its ending is the kind's
    name. A folder in DIR is a kind with several pictures, which are heard together. Pictures to learn from that
    reflect light, are blurred or cut off are told on the error channel: take them again.

    Every PICTURE must show one piece cut in the same way; it may be turned by quarters (pieces that are not square: by
    halves). Where the pieces of DIR are not cut at their edges (cells of a board), the piece is found in the picture
    first. A PICTURE of another shape than those of DIR is an upright box around a piece that lies at any angle or
    partly under another; DIR may hold such boxes, too.

    Pictures from one photograph tell each other its light, which is what red and orange are told apart by: without an
    option those whose names differ in their last number only (table-1.png, table-2.png), or in what follows two
    underscores (table__r2c3.png), are taken together, as far as their lights agree.

    Prints one JSON object a picture: file, name (null when unknown), probability, turn (quarter turns clockwise),
    alternatives. Exit code 3 when a file is not a usable picture: the others are named.""",
)
@click.option(
    "--references", required=True, metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--margin", default=0.0, show_default=True, help="Strip around each piece, share of its side.")
@click.option("--at-least", type=click.FloatRange(0, 1), help="Name a kind from this probability on.")
@click.option("--size", default=96, show_default=True, type=click.IntRange(32, 256), help="Working size, px.")
@click.option("--upright", is_flag=True, help="The pieces are never turned.")
@click.option(
    "--same-light/--own-light",
    "same_light",
    default=None,
    help="All pictures come from one photograph; or each from its own. By default their names tell.",
)
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path))
def identify(
    references: Path,
    margin: float,
    at_least: float | None,
    size: int,
    upright: bool,
    same_light: bool | None,
    pictures: tuple[Path, ...],
) -> None:
    """Name pictures of pieces."""
    from vision.faces.identify import identify_many
    from vision.faces.learning import learn_faces
    from vision.sources.pictures import read_picture

    files = reference_files(references)
    kinds = {kind: [_picture(path) for path in paths] for kind, paths in files.items()}
    book = learn_faces(kinds, size_px=size, turns=(0,) if upright else None, loose=True)
    for group in book.same:
        click.echo(f"companion: these kinds look the same and are named as the first: {', '.join(group)}", err=True)
    learnt = [path for paths in files.values() for path in paths]
    for faulty in book.faulty:
        click.echo(f"companion: {learnt[faulty.number]}: {faulty.fault.value}; take this picture again", err=True)
    unusable = Unusable("named")
    for shot in photographs(pictures, same_light):
        crops: dict[Path, Any] = {}
        for path in shot:
            with unusable.told_at_the_end(path):
                crops[path] = read_picture(path)
        if not crops:
            continue
        readings = identify_many(book, list(crops.values()), margin=margin, same_light=len(shot) > 1)
        for path, reading in zip(crops, readings, strict=True):
            click.echo(json.dumps(_line(path, reading, at_least), ensure_ascii=False))
    unusable.tell()


def photographs(pictures: Sequence[Path], same_light: bool | None) -> list[tuple[Path, ...]]:
    """The pictures in order, those that are taken to share a light in groups of at most TOGETHER.

    `same_light`: all do, or none; None: neighbours in one folder whose names say so (NUMBERED).
    """
    groups: list[list[Path]] = []
    last: object = None
    for path in pictures:
        numbered = NUMBERED.match(path.stem)
        key: object = True if same_light else (path.parent, *numbered.groups()) if numbered else None
        if same_light is False or key is None or key != last or len(groups[-1]) == TOGETHER:
            groups.append([])
        groups[-1].append(path)
        last = key
    return [tuple(group) for group in groups]


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


def reference_files(folder: Path) -> dict[str, list[Path]]:
    """Kind -> its pictures, by name: a file's stem, or a sub-folder's name with all pictures in it.

    Raises DataError when there is none, when two files are of one kind (a sub-folder is meant), or one holds none.
    """
    kinds: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            found = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
            if not found:
                raise DataError("expected pictures of a kind, found none", where=str(path), remedy="Add some")
            kinds.setdefault(path.name, []).extend(found)
        elif path.suffix.lower() in PICTURES:
            kinds.setdefault(path.stem, []).append(path)
    if not kinds:
        raise DataError("expected one picture a kind, found none", where=str(folder), remedy="Add NAME.png files")
    twice = sorted({kind for kind, paths in kinds.items() if sum(p.parent == folder for p in paths) > 1})
    if twice:
        message = f"expected one picture a kind, found several of {', '.join(twice)}"
        raise DataError(message, where=str(folder), remedy="Put a kind's pictures into a folder of its name")
    return kinds


def _picture(path: Path) -> Any:
    from vision.scenes.scene_set import picture

    return picture(path)


COMMANDS: tuple[click.Command, ...] = (identify,)
