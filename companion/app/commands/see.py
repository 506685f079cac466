"""`companion see`, `tally` and `evaluate`: one frame, captured tiles, or a whole scene set read and compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from companion.core.errors import DataError, DeviceError
from companion.core.types import SeatScore

PARTS = ("grid", "boards", "tally", "table", "game")


def _parts(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    chosen = PARTS if value is None else tuple(p.strip() for p in value.split(","))
    unknown = [p for p in chosen if p not in PARTS]
    if unknown:
        raise click.BadParameter(f"parts are {', '.join(PARTS)}; got {', '.join(unknown)}")
    return chosen


@click.command(epilog="Example: companion evaluate scenes --readings out --only grid,boards")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--readings", type=click.Path(file_okay=False, path_type=Path), help="Write every reading below this folder."
)
@click.option("--only", callback=_parts, help="Parts to read, separated by commas: grid, boards, tally, table, game.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables as JSON.")
@click.option("--worst", type=click.Path(dir_okay=False, path_type=Path), help="Write the worst crops as a picture.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def evaluate(
    directory: Path,
    readings: Path | None,
    only: tuple[str, ...],
    json_file: Path | None,
    worst: Path | None,
    quiet: bool,
) -> None:
    """Read every picture of a scene set and, where the truth is there, compare.

    Works without truth files, flat scans or lens pictures: it then writes the readings only.
    """
    from vision.evaluation import Tally
    from vision.evaluation_tables import as_json, as_text
    from vision.scene_set import SceneSet
    from vision.set_reader import SetReader
    from vision.table_plan import is_table_plan
    from vision.table_set import TableSetReader

    scenes = SceneSet(directory)
    by_layout = is_table_plan(directory / "layout.json")
    only = tuple(part for part in only if (part == "table") is by_layout)
    reader: Any = None  # the film's referee has its own
    if set(only) - {"game"}:
        reader = TableSetReader(scenes) if by_layout else SetReader(scenes)
    tally = Tally()
    film: dict[str, Any] | None = None
    for part in only:
        if part == "game":
            film = _game(directory, readings, scenes.representative, quiet)
            continue
        _part(part, reader, tally, readings, quiet)
    if film is not None and json_file:
        json_file.write_text(json.dumps({"game": film}, indent=1), encoding="utf-8")
    if not tally.counts and film is None:
        click.echo(
            "No truth to compare with: only the readings were written." if readings else "Nothing to compare with."
        )
    if not tally.counts:
        return
    click.echo(as_text(tally))
    if json_file:
        tables = as_json(tally) | ({} if film is None else {"game": film})
        json_file.write_text(json.dumps(tables, indent=1), encoding="utf-8")
    if worst:
        from vision.contact_sheet import worst_crops

        worst_crops(scenes, tally.mistakes, worst)


def _part(part: str, reader: Any, tally: Any, readings: Path | None, quiet: bool) -> None:
    from rich.console import Console
    from rich.progress import track

    from vision.evaluation import compare_boards, compare_grid, compare_tally
    from vision.evaluation_layout import compare_table

    jobs = reader.scenes.jobs(part)
    same = reader.scenes.representative
    score = _scorer(reader.scenes) if part == "tally" else None
    for job in track(jobs, f"reading {part}", console=Console(stderr=True), disable=quiet):
        name = f"{part}/{job.stem}"
        reading = _read(part, reader, job, score)
        if readings:
            out = readings / part / f"{job.stem}.json"
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(reading, indent=1), encoding="utf-8")
        truth = reader.scenes.truth(job)
        if truth is None:
            continue
        if part == "tally":
            compare_tally(tally, name, truth, reading, same)
        elif part == "table":
            compare_table(tally, name, truth, reading, same)
        else:
            compare_grid(tally, name, truth, reading, same)
        if part == "boards":
            compare_boards(tally, name, truth, reading)


def _read(
    part: str, reader: Any, job: Any, score: Callable[[tuple[str, ...]], dict[str, int]] | None
) -> dict[str, Any]:
    from vision.readings import table_json, tally_json
    from vision.table_set import layout_json

    if part == "table":
        return layout_json(job.image.name, reader.read(job))
    if score is not None:
        tiles = reader.read_tally(job)
        return tally_json(job.image.name, tiles, score(tiles.faces))
    return table_json(job.image.name, reader.read(job))


def _score_faces(scenes: Any) -> Callable[[tuple[str, ...]], SeatScore]:
    """The tally of captured tiles by the rules of Envyra, with the set's own catalogue."""
    from companion.games import find_game

    spec = find_game("envyra")
    catalogue = spec.load_catalogue(scenes.root / "catalogue.json")
    if spec.score_faces is None:
        raise DataError("the rules of Envyra offer no score of captured tiles", where="companion.games.envyra")
    score_faces = spec.score_faces
    return lambda faces: score_faces(catalogue, faces)


def _scorer(scenes: Any) -> Callable[[tuple[str, ...]], dict[str, int]]:
    """Points of tiles, of sets, and their total."""
    score_faces = _score_faces(scenes)

    def score(faces: tuple[str, ...]) -> dict[str, int]:
        result = score_faces(faces)
        sets = sum(line.points for line in result.lines if line.clause == "E66")
        return {"tiles": result.total - sets, "sets": sets, "total": result.total}

    return score


def _game(directory: Path, readings: Path | None, same: Mapping[str, str], quiet: bool) -> dict[str, Any] | None:
    """Referee the filmed game when the set has one: write what was accepted, print the comparison with the truth.

    Returns the comparison as JSON; None without a film or without its truth.
    """
    from companion.app.film import referee_film
    from companion.app.film_report import as_json, as_text, compare_film

    folder = directory / "game"
    if not (folder / "jobs.json").exists():
        return None
    with _bar(quiet) as bar:
        task = bar.add_task("refereeing the film", total=None)
        referee, seconds = referee_film(directory, lambda done, of: bar.update(task, completed=done, total=of))
    events, final = referee.events, referee.final()
    if readings is not None:
        out = readings / "game"
        out.mkdir(parents=True, exist_ok=True)
        (out / "events.json").write_text(json.dumps(events, indent=1), encoding="utf-8")
        (out / "final.json").write_text(json.dumps(final, indent=1), encoding="utf-8")
    if not (folder / "truth.json").exists():
        return None
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    report = compare_film(truth, events, final, same, seconds)
    click.echo(as_text(report))
    return as_json(report)


def _bar(quiet: bool) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), disable=quiet)


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
    """Read one frame and write the contact sheet: frame, grid from above, every cell with its reading, boards.

    SOURCE is a picture or any source of pictures (0, /dev/video2, film.mp4, replay:DIR, rtsp://…): one of its first
    frames.
    """
    import cv2

    from calibration.colour_enrolment import read_report
    from vision.boards import SeatBoard
    from vision.contact_sheet import contact_sheet
    from vision.readings import table_json
    from vision.scene_set import SceneSet
    from vision.set_reader import SetReader

    image = _frame(source)
    learnt = None if colours is None else read_report(colours).colours
    boards = [SeatBoard(int(seat), colour) for seat, _, colour in (s.partition(":") for s in seats)]
    reading = SetReader(SceneSet(set_dir), learnt).table(players).read(image, seats=boards)
    if not cv2.imwrite(str(out), contact_sheet(image, reading)):
        raise DataError("cannot write the contact sheet", where=str(out), remedy="Choose another --out")
    if as_json:
        click.echo(json.dumps(table_json(source, reading)))
    else:
        click.echo(f"{out}: the contact sheet of {source}")


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

    from vision.contact_sheet import tally_picture
    from vision.readings import tally_json
    from vision.scene_set import SceneSet
    from vision.set_reader import SetReader

    scenes = SceneSet(set_dir)
    image = _frame(source)
    reading = SetReader(scenes).tally_of(image)
    result = _score_faces(scenes)(reading.faces)
    sets = [line for line in result.lines if line.clause == "E66" and line.points]
    if out:
        marks, captions = _sets_of_tiles([t.face for t in reading.tiles], sets, _points(scenes))
        if not cv2.imwrite(str(out), tally_picture(image, reading, captions, marks)):
            raise DataError("cannot write the picture", where=str(out), remedy="Choose another --out")
    points = sum(line.points for line in sets)
    score = {"tiles": result.total - points, "sets": points, "total": result.total}
    if as_json:
        click.echo(json.dumps(tally_json(source, reading, score)))
        return
    click.echo(f"{len(reading.faces)} tiles: {score['tiles']} points, sets {score['sets']}, total {score['total']}")
    for doubt in reading.doubts:
        click.echo(f"please confirm: {doubt}")


WARM_UP = 8
"""Frames of a camera that are let go by while its exposure and focus settle: a quarter of a second."""

PATIENCE_S = 10.0
"""How long a camera or stream may take to give its first frame."""


def _frame(source: str) -> Any:
    """The picture `source` names, or a frame of the camera, stream or film."""
    from vision.scene_set import picture
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


COMMANDS = (evaluate, see, tally)
