"""`companion calibrate colours`: what the pieces look like, and which of them this light confuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.command_kit import json_option
from companion.app.commands.eyes.calibrate import (
    calibrate,
    layout_option,
    marker_layout_of,
    profiles_folder,
    profiles_option,
)
from companion.core.errors import CompanionError, DataError
from companion.core.files import parse_json, read_text
from companion.games import DEFAULT_GAME

if TYPE_CHECKING:
    import numpy as np

    from calibration.piece_colours.colour_enrolment import ColourPicture, ColourReport
    from vision.locate.markers import MarkerLayout


@calibrate.command(
    "colours", epilog="\b\nExample:\n  companion calibrate colours cubes.jpg --colours purple,gray,pink,white"
)
@click.argument("pictures", nargs=-1, required=True, metavar="PICTURE...", type=click.Path(path_type=Path))
@click.option("--colours", default="", metavar="NAME,NAME…", help="From left to right (default: those of the game).")
@click.option("--game", default=DEFAULT_GAME, show_default=True, help="Whose piece colours are meant.")
@click.option("--side-mm", type=float, default=10.0, show_default=True, help="Side of a piece.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The colour file (default: the user's).")
@click.option("--picture", "shown", type=click.Path(path_type=Path, dir_okay=False), help="Write what was found.")
@layout_option
@profiles_option
@json_option
def colours(
    pictures: tuple[Path, ...], colours: str, game: str, side_mm: float, out: Path | None, shown: Path | None,
    layout: Path | None, profiles: Path | None, as_json: bool,
) -> None:
    """Learn the colours of the pieces from pictures, and check whether this light tells them apart.

    Stand 1 to 5 pieces of each colour in a column on the bare table between the markers, columns 60 mm apart, in the
    order of --colours from left to right. A PICTURE.json beside a picture, with "cubes": [{"colour", "xy"}], says
    instead what stands where. Exit code 1 when two colours are too close.
    """
    from calibration.piece_colours.colour_enrolment import learn_from_pictures, write_report
    from companion.app.files.atomic_write import write_whole
    from companion.games import find_game

    names = tuple(colours.split(",")) if colours else find_game(game).colours
    markers = marker_layout_of(layout)
    found = [_pieces(path, names, markers, side_mm) for path in pictures]
    report = learn_from_pictures(found, markers, side_mm)
    path = out or profiles_folder(profiles) / "colours.json"
    write_report(path, report, write_whole)
    if shown is not None:
        _show(found[0], shown, side_mm)
    _tell(report, path, as_json)
    if report.too_close:
        pairs = ", ".join(f"{pair.first} and {pair.second}" for pair in report.too_close)
        raise CompanionError(f"this light does not tell {pairs} apart", remedy="Use whiter or stronger light.")


def _pieces(path: Path, names: tuple[str, ...], markers: MarkerLayout, side_mm: float) -> ColourPicture:
    """What stands where in a picture: as the file beside it says, else column by column."""
    from calibration.piece_colours.colour_enrolment import ColourPicture
    from calibration.piece_colours.colours import StandingPiece
    from calibration.piece_colours.piece_columns import columns_of_pieces
    from vision.locate.pose import NotLocated, locate_table
    from vision.scenes.scene_set import picture

    image = picture(path)
    pose = locate_table(image, markers)
    if isinstance(pose, NotLocated):
        raise DataError(pose.reason, where=str(path), remedy="Take the picture again with all four markers in view.")
    beside = path.with_suffix(".json")
    if not beside.exists():
        return ColourPicture(image, pose, columns_of_pieces(image, pose, names, markers, side_mm))
    try:
        listed = parse_json(read_text(beside))["cubes"]
        pieces = tuple(StandingPiece(str(c["colour"]), (float(c["xy"][0]), float(c["xy"][1]))) for c in listed)
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise DataError(f'expected "cubes": [{{"colour", "xy"}}], got {error!r}', where=str(beside)) from error
    return ColourPicture(image, pose, pieces)


def _show(found: ColourPicture, path: Path, side_mm: float) -> None:
    import cv2
    import numpy as np

    out: np.ndarray = found.image.copy()
    for piece in found.pieces:
        x, y = np.round(found.pose.project(np.array([[*piece.xy_mm, -side_mm]]))[0]).astype(int)
        cv2.drawMarker(out, (int(x), int(y)), (0, 255, 0), cv2.MARKER_CROSS, 14, 2)
        cv2.putText(out, piece.colour, (int(x) + 12, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1)
    if not cv2.imwrite(str(path), out):
        raise DataError("the picture cannot be written", where=str(path))


def _tell(report: ColourReport, path: Path, as_json: bool) -> None:
    if as_json:
        rgb = {name: [round(v) for v in bgr[::-1]]
               for name, bgr in zip(report.colours.names, report.colours.bgr, strict=True)}
        rows = [{"first": p.first, "second": p.second, "distance": round(p.distance, 1), "verdict": p.verdict}
                for p in report.pairs]
        click.echo(json.dumps(
            {"colours": rgb, "overexposed": list(report.overexposed), "pairs": rows, "file": str(path)},
            ensure_ascii=False,
        ))
        return
    for pair in report.pairs:
        click.echo(f"{pair.first} and {pair.second}: {pair.distance:.0f} apart, {pair.verdict}")
    if report.overexposed:
        click.echo(f"overexposed: {', '.join(report.overexposed)}. Dim the lamp, or lower the camera's exposure.")
    click.echo(f"saved: {path}")


COMMANDS = (calibrate,)
