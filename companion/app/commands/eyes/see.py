"""`companion see` and `tally`: one frame, or captured tiles, read from a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from companion.core.errors import DataError, DeviceError

MOST_LIKELY, LEAST_SAID = 3, 0.01
"""What a doubtful tile may be is said of so many faces that are so probable."""


@click.command(epilog="Example: companion see table.jpg --set scenes --players 3 --out sheet.png")
@click.argument("source")
@click.option("--set", "set_dir", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True,
              help="Folder with layout.json, catalogue.json and reference/ or enrol/.")  # fmt: skip
@click.option("--players", type=click.IntRange(2, 5), required=True, help="Number of players: the size of the grid.")
@click.option("--seat", "seats", multiple=True, help="A board to read, as DEGREES:COLOUR; may be repeated.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("see.png"), show_default=True,
              help="The contact sheet.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the reading as one JSON object.")
@click.option("--colours", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="The pieces as `companion calibrate colours` learnt them (default: the layout's).")  # fmt: skip
def see(
    source: str, set_dir: Path, players: int, seats: tuple[str, ...], out: Path, as_json: bool, colours: Path | None
) -> None:
    """Read one frame and write the contact sheet: frame, zones from above, every face with its reading, boards.

    SOURCE is a picture or any source of pictures (0, /dev/video2, film.mp4, replay:DIR, rtsp://…): one of its first
    frames.
    """
    import cv2

    from calibration.piece_colours.colour_enrolment import read_report
    from vision.scenes.contact_sheet import contact_sheet
    from vision.scenes.readings import table_json
    from vision.scenes.scene_set import SceneSet
    from vision.scenes.set_reader import SetReader
    from vision.tables.boards import SeatBoard

    image = _frame(source)
    learnt = None if colours is None else read_report(colours).colours
    boards = [SeatBoard(int(seat), colour) for seat, _, colour in (s.partition(":") for s in seats)]
    reader = SetReader(SceneSet(set_dir), learnt)
    reading = reader.table(players).read(image, seats=boards)
    asks = reader.asks(reading, players)
    if not cv2.imwrite(str(out), contact_sheet(image, reading)):
        raise DataError("cannot write the contact sheet", where=str(out), remedy="Choose another --out")
    if as_json:
        click.echo(json.dumps(table_json(source, reading, asks)))
        return
    click.echo(f"{out}: the contact sheet of {source}")
    for slot, why in asks.items():
        click.echo(f"{slot}: {why}")


@click.command(epilog="Example: companion tally captured.jpg --set scenes --out tally.png")
@click.argument("source")
@click.option("--set", "set_dir", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True,
              help="Folder with layout.json, catalogue.json and reference/ or enrol/.")  # fmt: skip
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the frame with every tile outlined."
)
@click.option("--json", "as_json", is_flag=True, help="Print the reading as one JSON object.")
def tally(source: str, set_dir: Path, out: Path | None, as_json: bool) -> None:
    """Name and score the captured tiles of one player, spread on the table in any way.

    What is unsure is outlined in red and asked about, never guessed.
    """
    import cv2

    from companion.app.game.captured_score import CapturedScore
    from vision.scenes.contact_sheet import tally_picture
    from vision.scenes.readings import tally_json
    from vision.scenes.scene_set import SceneSet
    from vision.scenes.set_reader import SetReader

    scenes = SceneSet(set_dir)
    image = _frame(source)
    reading = SetReader(scenes).tally_of(image)
    captured = CapturedScore.of_set(set_dir)
    result = captured.of(reading.faces)
    score, sets = captured.as_json(result), captured.sets(result)
    if out:
        marks, captions = _sets_of_tiles([t.face for t in reading.tiles], sets, _points(scenes))
        if not cv2.imwrite(str(out), tally_picture(image, reading, captions, marks)):
            raise DataError("cannot write the picture", where=str(out), remedy="Choose another --out")
    if as_json:
        click.echo(json.dumps(tally_json(source, reading, score)))
        return
    click.echo(f"{len(reading.faces)} tiles: {score['tiles']} points, sets {score['sets']}, total {score['total']}")
    for doubt in reading.doubts:
        click.echo(f"please confirm: {doubt}")
    if reading.hidden_px is not None:
        x, y = reading.hidden_px.mean(0)
        click.echo(f"  another one may lie at {x:.0f}, {y:.0f} px")
    for tile in (t for t, ask in zip(reading.tiles, reading.asked, strict=True) if ask):
        x, y = tile.centre_px
        likely = ", ".join(f"{face} {p:.2f}" for face, p in tile.alternatives[:MOST_LIKELY] if p >= LEAST_SAID)
        what = f"likely {likely}" if likely else "like none of this box; remove it, or lay it flat and out of glare"
        click.echo(f"  the tile at {x:.0f}, {y:.0f} px: {what}")


WARM_UP = 8
"""Frames of a camera that are let go by while its exposure and focus settle: a quarter of a second."""

PATIENCE_S = 10.0
"""How long a camera or stream may take to give its first frame."""


def _frame(source: str) -> Any:
    """The picture `source` names, or a frame of the camera, stream or film."""
    from vision.scenes.scene_set import picture
    from vision.sources import open_source
    from vision.sources.grabbers import PICTURES

    if Path(source).suffix.lower() in PICTURES:
        return picture(Path(source))
    eyes = open_source(source)
    eyes.start()
    try:
        frame = eyes.newest(0, PATIENCE_S)
        camera = frame is not None and not Path(source.removeprefix("replay:").partition("?")[0]).is_dir()
        for _ in range(WARM_UP if camera else 0):
            frame = eyes.newest(frame.number if frame else 0, 1.0) or frame
        reason = eyes.status().reason
    finally:
        eyes.stop()
    if frame is None:
        raise DeviceError(
            f"no frame came within {PATIENCE_S:.0f} s{': ' if reason else ''}{reason}", where=source,
            remedy="Check that the camera is connected and not in use",
        )
    return frame.image


def _points(scenes: Any) -> dict[str, int]:
    return {tile["id"]: int(tile["vp"]) for tile in scenes.tiles}


def _sets_of_tiles(faces: list[str | None], sets: list[Any], points: dict[str, int]) -> tuple[list[int], list[str]]:
    """Per tile the number of the set it is in (-1: none) and its caption; a face seen twice fills two sets."""
    left = [list(line.faces) for line in sets]
    marks, captions = [], []
    for face in faces:
        mark = next((n for n, members in enumerate(left) if face in members), -1)
        if mark >= 0:
            left[mark].remove(face)
        marks.append(mark)
        named = f"{face}\n{points.get(face, 0)} VP" if face else "which tile?"
        captions.append(f"{named}\nset {mark + 1}" if mark >= 0 else named)
    return marks, captions


COMMANDS = (see, tally)
