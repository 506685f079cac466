"""Writes a scene set: `python -m render.make_set OUT --edition sample --seed 7 --grids 24` (also: `make scenes`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cv2

from companion.games.envyra.catalogue import load_catalogue
from render.calibration_views import calibration_views
from render.edition import Edition, edition_named
from render.envyra_pictures import board_picture, enrol_cubes, enrol_tiles, grid_picture, tally_picture
from render.film import film, write_json, write_script
from render.layout import layout_json


def write_part(folder: Path, count: int, picture: Any, edition: Edition, seed: int) -> None:
    """One folder of numbered pictures with their truths and jobs.json."""
    if not count:
        return
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for number in range(count):
        jpeg, truth, job = picture(edition, seed, number)
        name = f"{number:03d}.jpg"
        (folder / name).write_bytes(jpeg)
        write_json(folder / f"{number:03d}.json", truth | {"image": name})
        jobs.append({"image": name} | job)
    write_json(folder / "jobs.json", jobs)


def write_edition(out: Path, edition: Edition, seed: int, *, reference: bool, enrol: bool) -> None:
    """Catalogue, layout, flat scans and enrolment pictures."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "catalogue.json").write_text(edition.catalogue() + "\n", encoding="utf-8")
    (out / "layout.json").write_text(layout_json(edition) + "\n", encoding="utf-8")
    if reference:
        (out / "reference").mkdir(exist_ok=True)
        for tile in edition.tiles:
            cv2.imwrite(str(out / "reference" / f"{tile.id}.png"), edition.face(tile.id))
    if enrol:
        folder = out / "enrol"
        folder.mkdir(exist_ok=True)
        for number, (jpeg, truth) in enumerate(enrol_tiles(edition, seed), start=1):
            (folder / f"tiles-{number}.jpg").write_bytes(jpeg)
            write_json(folder / f"tiles-{number}.json", truth)
        jpeg, truth = enrol_cubes(edition, seed)
        (folder / "cubes.jpg").write_bytes(jpeg)
        write_json(folder / "cubes.json", truth)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--edition", "edition_name", default="sample", show_default=True, help="sample, or random:SEED for new art."
)
@click.option("--seed", default=7, show_default=True, help="Everything but the edition is drawn from it.")
@click.option("--grids", default=24, show_default=True)
@click.option("--boards", default=8, show_default=True)
@click.option("--tallies", default=12, show_default=True)
@click.option("--views", default=16, show_default=True, help="Pictures for the lens calibration.")
@click.option("--players", default=3, show_default=True, help="Players of the filmed game; 0: no film.")
@click.option("--acts", default=6, show_default=True, help="At most so many illegal acts in the film.")
@click.option("--shots", default=10_000, show_default=True, help="No new round is begun after so many frames.")
@click.option("--film-size", type=(int, int), default=(1280, 720), show_default=True)
@click.option("--film-quality", default=88, show_default=True, help="JPEG quality of the film.")
@click.option("--reference/--no-reference", default=True, show_default=True, help="Flat scans of the tiles.")
@click.option("--enrol/--no-enrol", default=True, show_default=True)
def main(
    out: Path,
    edition_name: str,
    seed: int,
    grids: int,
    boards: int,
    tallies: int,
    views: int,
    players: int,
    acts: int,
    shots: int,
    film_size: tuple[int, int],
    film_quality: int,
    reference: bool,
    enrol: bool,
) -> None:
    """Write a set of rendered pictures with exact truth to OUT."""
    cv2.setNumThreads(1)
    edition = edition_named(edition_name)
    write_edition(out, edition, seed, reference=reference, enrol=enrol)
    write_part(out / "grid", grids, grid_picture, edition, seed)
    write_part(out / "boards", boards, board_picture, edition, seed)
    write_part(out / "tally", tallies, tally_picture, edition, seed)
    if views:
        folder = out / "calibration"
        folder.mkdir(exist_ok=True)
        jpegs, truth = calibration_views(seed, views)
        for number, jpeg in enumerate(jpegs):
            (folder / f"{number:02d}.jpg").write_bytes(jpeg)
        write_json(folder / "truth.json", truth)
    if players:
        catalogue = load_catalogue(out / "catalogue.json")
        script = write_script(edition, catalogue, players, seed, most_acts=acts, most_shots=shots)
        film(edition, script, seed, film_size, film_quality, out / "game")


if __name__ == "__main__":
    main()
