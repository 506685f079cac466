"""`companion evaluate`: every picture of a scene set read and compared with the truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.app.game.captured_score import CapturedScore

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
    from companion.lab.evaluation.comparison import MeasureCounts
    from companion.lab.evaluation.comparison_text import as_json, as_text
    from vision.scenes.scene_set import SceneSet
    from vision.scenes.set_reader import SetReader

    scenes = SceneSet(directory)
    by_layout = scenes.plan.grid is None
    only = tuple(part for part in only if part == "game" or (part == "table") is by_layout)
    reader: Any = None  # the film's referee has its own
    if set(only) - {"game"}:
        reader = SetReader(scenes)
    tally = MeasureCounts()
    film: dict[str, Any] | None = None
    for part in only:
        if part == "game":
            film = _acts(directory, quiet) if by_layout else _game(directory, readings, scenes.representative, quiet)
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
        from companion.lab.evaluation.worst_crops import worst_crops

        worst_crops(scenes, tally.mistakes, worst)


def _part(part: str, reader: Any, tally: Any, readings: Path | None, quiet: bool) -> None:
    from companion.app.game.captured_score import CapturedScore
    from companion.lab.evaluation.comparison import compare_boards, compare_grid, compare_tally
    from companion.lab.evaluation.comparison_layout import compare_table

    jobs = reader.scenes.jobs(part)
    same = reader.scenes.representative
    score = CapturedScore.of_set(reader.scenes.root) if part == "tally" else None
    with click.progressbar(jobs, label=f"reading {part}", file=sys.stderr, hidden=quiet) as every:
        for job in every:
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
    part: str, reader: Any, job: Any, score: CapturedScore | None
) -> dict[str, Any]:
    from vision.scenes.readings import layout_json, table_json, tally_json

    if part == "table":
        return layout_json(job.image.name, reader.read(job))
    if score is not None:
        tiles = reader.read_tally(job)
        return tally_json(job.image.name, tiles, score.as_json(score.of(tiles.faces)))
    table = reader.read(job)
    return table_json(job.image.name, table, reader.asks(table, job.players))


def _game(directory: Path, readings: Path | None, same: Mapping[str, str], quiet: bool) -> dict[str, Any] | None:
    """Referee the filmed game when the set has one: write what was accepted, print the comparison with the truth.

    Returns the comparison as JSON; None without a film or without its truth.
    """
    from companion.lab.evaluation.film import referee_film
    from companion.lab.evaluation.film_report import as_json, as_text, compare_film

    folder = directory / "game"
    if not (folder / "jobs.json").exists():
        return None
    with _bar(quiet) as bar:
        film = referee_film(directory, _told(bar))
    if readings is not None:
        out = readings / "game"
        out.mkdir(parents=True, exist_ok=True)
        (out / "events.json").write_text(json.dumps(film.events, indent=1), encoding="utf-8")
        (out / "final.json").write_text(json.dumps(film.final, indent=1), encoding="utf-8")
    if not (folder / "truth.json").exists():
        return None
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    report = compare_film(truth, film.events, film.final, same, film.seconds)
    click.echo(as_text(report))
    return as_json(report)


def _acts(directory: Path, quiet: bool) -> dict[str, Any] | None:
    """Referee the film of a game whose truth names its acts, and print the comparison; None without film or truth."""
    from companion.lab.evaluation.film_of_acts import referee_acts

    folder = directory / "game"
    if not (folder / "jobs.json").exists() or not (folder / "truth.json").exists():
        return None
    with _bar(quiet) as bar:
        report = referee_acts(directory, _told(bar))
    click.echo(report.as_text())
    return report.as_json()


def _bar(quiet: bool) -> Any:
    return click.progressbar(length=1, label="refereeing the film", file=sys.stderr, hidden=quiet)


def _told(bar: Any) -> Callable[[int, int], None]:
    """What tells the bar how many pictures are done, of how many."""

    def told(done: int, of: int) -> None:
        bar.length = of
        bar.update(done - bar.pos)

    return told


COMMANDS = (evaluate,)
