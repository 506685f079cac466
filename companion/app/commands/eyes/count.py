"""`companion count`: coloured pieces lying free on a table, counted in photographs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import Unusable

if TYPE_CHECKING:
    from vision.count.result import Count
    from vision.count.teaching.colours import PieceColour

Region = tuple[int, int, int, int]


def _region(_context: click.Context, _option: click.Parameter, value: str | None) -> Region | None:
    if value is None:
        return None
    try:
        x, y, width, height = (int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"expected X,Y,WIDTH,HEIGHT in px, got {value!r}") from None
    return x, y, width, height


@click.command(epilog="\b\nExample:\n  companion count --colours colours.json --picture out table-1.jpg table-2.jpg")
@click.option(
    "--colours",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    help="What each colour looks like: a JSON or TOML file, or a folder of reference pictures (docs/guide/count.md).",
)
@click.option(
    "--learn", type=click.Path(path_type=Path, dir_okay=False), help="Write the learnt colours to this JSON file."
)
@click.option(
    "--picture", "drawn", type=click.Path(path_type=Path, file_okay=False), help="Folder for outlined pictures."
)
@click.option(
    "--region",
    callback=_region,
    help="Where the pieces lie, X,Y,WIDTH,HEIGHT in px of the pictures: what lies elsewhere is not looked at.",
)
@click.option(
    "--background",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A picture of the same table without pieces, by the same camera: what it shows is not counted.",
)
@click.option("--pieces", is_flag=True, help="List every piece with its place, colour and probability.")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path))
def count(
    colours: Path,
    learn: Path | None,
    drawn: Path | None,
    region: Region | None,
    background: Path | None,
    pieces: bool,
    pictures: tuple[Path, ...],
) -> None:
    """Count the coloured pieces in each PICTURE; one JSON line a picture.

    counts: colour -> number; unknown: pieces of no learnt colour; probability: that every number is right;
    total_probability: that their sum is; sure: whether it can be taken without a look (why says what to look at, advice
    what would help).
    With --learn alone nothing is counted.
    """
    import cv2

    from companion.app.files.atomic_write import write_whole
    from vision.count.counting import count_pieces
    from vision.count.outlines import draw_count
    from vision.count.teaching.colour_file import read_colours, write_colours
    from vision.scenes import scene_set
    from vision.sources.pictures import read_picture

    if not pictures and learn is None:
        raise click.UsageError("expected a PICTURE to count in, or --learn FILE")
    learnt = read_colours(colours)
    if learn is not None:
        write_colours(learn, learnt)
        _warn_of_close_pairs(learnt)
        _warn_of_unseen_rims(learnt)
    unusable = Unusable("counted")
    empty = None if background is None else scene_set.picture(background)
    for path in pictures:
        with unusable.told_at_the_end(path):
            picture = read_picture(path)
            result = count_pieces(picture, learnt, region, empty)
            if drawn is not None:
                drawn.mkdir(parents=True, exist_ok=True)
                outlined = cv2.imencode(".png", draw_count(picture, result))[1]
                write_whole(drawn / f"{path.stem}.png", (outlined.tobytes(),), for_all=True)
            click.echo(json.dumps(_as_json(path, result, pieces), ensure_ascii=False))
    unusable.tell()


def _as_json(path: Path, result: Count, pieces: bool) -> dict[str, object]:
    line: dict[str, object] = {
        "file": str(path),
        "counts": result.counts,
        "total": sum(result.counts.values()),
        "unknown": result.unknown,
        "probability": result.probability,
        "total_probability": result.total_probability,
        "sure": result.sure,
        "why": result.why,
        "advice": result.advice,
    }
    if pieces:
        line["pieces"] = [
            {
                "xy_px": [round(v, 1) for v in piece.xy],
                "colour": piece.colour,
                "p": round(piece.p, 4),
                "alternatives": [list(a) for a in piece.alternatives],
            }
            for piece in result.pieces
        ]
    return line


def _warn_of_close_pairs(learnt: tuple[PieceColour, ...]) -> None:
    from vision.count.teaching.colours import close_pairs

    for first, second, distance in close_pairs(learnt):
        click.echo(
            f"{first} and {second} are too close to tell apart in every light ({distance:.1f} spreads)", err=True
        )


def _warn_of_unseen_rims(learnt: tuple[PieceColour, ...]) -> None:
    from vision.count.teaching.colours import without_rim

    for name in without_rim(learnt):
        click.echo(f"{name}: no rim is seen where it was taught: take it again, a little beyond its edge", err=True)


COMMANDS = (count,)
