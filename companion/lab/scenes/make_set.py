"""Writes a scene set (also: `make scenes`).

Example: `python -m companion.lab.scenes.make_set OUT --edition sample --seed 7 --grids 24`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from companion.games.envyra.edition.catalogue import load_catalogue
from companion.lab.films.film import film, write_script
from companion.lab.films.merged_acts import merged
from companion.lab.render.calibration_views import calibration_views
from companion.lab.render.edition import Edition, edition_named
from companion.lab.render.layout import layout_json
from companion.lab.rough.profiles import PROFILES
from companion.lab.scenes.envyra_pictures import (
    WEBCAMS,
    Sizes,
    board_picture,
    enrol_cubes,
    enrol_tiles,
    grid_picture,
    tally_picture,
)
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.profile import PLAIN, Profile


def write_part(
    folder: Path,
    numbers: Sequence[int],
    picture: Any,
    edition: Edition,
    seed: int,
    sizes: Sizes,
    profile: Profile = PLAIN,
) -> None:
    """One folder of numbered pictures with their truths and jobs.json."""
    if not numbers:
        return
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for number in numbers:
        jpeg, truth, job = picture(edition, seed, number, sizes, profile)
        name = f"{number:03d}.jpg"
        (folder / name).write_bytes(jpeg)
        write_json(folder / f"{number:03d}.json", truth | {"image": name})
        jobs.append({"image": name} | job)
    write_json(folder / "jobs.json", jobs)


def write_edition(out: Path, edition: Edition, reference_px: int) -> None:
    """Catalogue, layout and flat scans (none when `reference_px` is 0)."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "catalogue.json").write_text(edition.catalogue() + "\n", encoding="utf-8")
    (out / "layout.json").write_text(layout_json(edition) + "\n", encoding="utf-8")
    if reference_px:
        (out / "reference").mkdir(exist_ok=True)
        for tile in edition.tiles:
            scan = cv2.resize(edition.face(tile.id), (reference_px, reference_px), interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(out / "reference" / f"{tile.id}.png"), scan)


def write_enrolment(folder: Path, edition: Edition, seed: int, sizes: Sizes, *, tiles: bool) -> None:
    """Pictures to learn the cube colours from and, with `tiles`, the faces too."""
    folder.mkdir(exist_ok=True)
    if tiles:
        for number, (jpeg, truth) in enumerate(enrol_tiles(edition, seed, sizes), start=1):
            (folder / f"tiles-{number}.jpg").write_bytes(jpeg)
            write_json(folder / f"tiles-{number}.json", truth)
    jpeg, truth = enrol_cubes(edition, seed, sizes)
    (folder / "cubes.jpg").write_bytes(jpeg)
    write_json(folder / "cubes.json", truth)


def write_views(folder: Path, count: int, seed: int, size: tuple[int, int]) -> None:
    """Pictures for the lens calibration."""
    folder.mkdir(exist_ok=True)
    jpegs, truth = calibration_views(seed, count, size)
    for number, jpeg in enumerate(jpegs):
        (folder / f"{number:02d}.jpg").write_bytes(jpeg)
    write_json(folder / "truth.json", truth)


def numbers_named(text: str) -> Sequence[int]:
    """`24` -> 0 to 23; `0,2,7` -> these; `7,` -> this alone."""
    return [int(word) for word in text.split(",") if word] if "," in text else range(int(text))


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--edition", "edition_name", default="sample", show_default=True,
    help="sample, random:SEED for new art, painted:SEED for dark art.",
)
@click.option(
    "--profile", "profile_name", type=click.Choice(list(PROFILES)), default="plain", show_default=True,
    help="rough: the light, cameras, worn tiles and clutter of a living room.",
)  # fmt: skip
@click.option("--seed", default=7, show_default=True, help="Everything but the edition is drawn from it.")
@click.option("--size", "sizes", type=(int, int), multiple=True, default=WEBCAMS, show_default=True)
@click.option("--grids", default="24", show_default=True, help="How many, or which numbers: 0,2,7,12.")
@click.option("--boards", default=8, show_default=True)
@click.option("--tallies", default=12, show_default=True)
@click.option("--views", default=16, show_default=True, help="Pictures for the lens calibration.")
@click.option("--reference-px", default=440, show_default=True, help="Side of the flat scans; 0: none.")
@click.option("--enrol", type=click.Choice(["all", "cubes", "none"]), default="all", show_default=True)
@click.option("--players", default=3, show_default=True, help="Players of the filmed game; 0: no film.")
@click.option("--acts", default=6, show_default=True, help="At most so many illegal acts in the film.")
@click.option("--shots", default=10_000, show_default=True, help="No new round is begun after so many frames.")
@click.option("--film-quality", default=88, show_default=True, help="JPEG quality of a plain film.")
def main(out: Path, edition_name: str, profile_name: str, seed: int, sizes: Sizes, **wanted: Any) -> None:
    """Write a set of rendered pictures with exact truth to OUT."""
    cv2.setNumThreads(1)
    edition = edition_named(edition_name)
    profile = PROFILES[profile_name](seed)
    write_edition(out, edition, wanted["reference_px"])
    if wanted["enrol"] != "none":
        write_enrolment(out / "enrol", edition, seed, sizes, tiles=wanted["enrol"] == "all")
    write_part(out / "grid", numbers_named(wanted["grids"]), grid_picture, edition, seed, sizes, profile)
    write_part(out / "boards", range(wanted["boards"]), board_picture, edition, seed, sizes, profile)
    write_part(out / "tally", range(wanted["tallies"]), tally_picture, edition, seed, sizes, profile)
    if wanted["views"]:
        write_views(out / "calibration", wanted["views"], seed, sizes[-1])
    if wanted["players"]:
        catalogue = load_catalogue(out / "catalogue.json")
        script = write_script(
            edition, catalogue, wanted["players"], seed, most_acts=wanted["acts"], most_shots=wanted["shots"]
        )
        script = merged(script, np.random.default_rng([seed, 62]), profile.merged_acts)
        quality = wanted["film_quality"] if profile is PLAIN else None
        film(edition, script, seed, sizes[0], quality, out / "game", profile)


if __name__ == "__main__":
    main()
