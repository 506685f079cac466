"""Writes a rendered set of a game's tables.

Example: `python -m companion.lab.scenes.make_tables OUT --game spyrium --seed 7 --tables 40`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import cv2

from companion.lab.rough.profiles import PROFILES
from companion.lab.scenes.envyra_pictures import WEBCAMS, Sizes
from companion.lab.scenes.json_file import write_json
from companion.lab.scenes.make_set import numbers_named
from companion.lab.scenes.rifts import table_set as rifts_set
from companion.lab.scenes.rifts.pictures import MOST_TILES_WIDE, wide_picture
from companion.lab.scenes.spyrium import table_set as spyrium_set

GAMES: dict[str, Any] = {"spyrium": spyrium_set, "rifts": rifts_set}
"""Modules that offer `plan()`, `tiles()`, `scans()` and `table_picture(seed, number, sizes)`."""


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(list(GAMES)), default="spyrium", show_default=True)
@click.option("--seed", default=7, show_default=True, help="Everything is drawn from it.")
@click.option("--size", "sizes", type=(int, int), multiple=True, default=WEBCAMS, show_default=True)
@click.option("--tables", default="40", show_default=True, help="How many pictures, or which numbers: 0,2,7.")
@click.option("--reference-px", default=440, show_default=True, help="Longer side of the flat scans.")
@click.option(
    "--map-tiles", type=click.IntRange(1, MOST_TILES_WIDE), help="Maps of just so many tiles, as far out as is seen."
)
@click.option(
    "--profile", "profile_name", type=click.Choice(list(PROFILES)), default="plain", show_default=True,
    help="Rooms of such maps.",
)
@click.option("--pieces/--bare", default=True, show_default=True, help="Tokens and mages on such maps, or none.")
def main(
    out: Path, game: str, seed: int, sizes: Sizes, tables: str, reference_px: int, map_tiles: int | None,
    profile_name: str, pieces: bool,
) -> None:  # fmt: skip
    """Write layout.json, catalogue.json, reference/ and table/ with exact truth to OUT. All of it is synthetic."""
    if map_tiles and game != "rifts":
        raise click.UsageError("--map-tiles is for --game rifts")
    if not map_tiles and (profile_name != "plain" or not pieces):
        raise click.UsageError("--profile and --bare need --map-tiles")
    cv2.setNumThreads(1)
    source = GAMES[game]
    folder = out / "table"
    folder.mkdir(parents=True, exist_ok=True)
    (out / "reference").mkdir(exist_ok=True)
    (out / "layout.json").write_text(json.dumps(source.plan(), indent=1) + "\n", encoding="utf-8")
    catalogue = {"edition": f"{game} sample edition, rendered", "tiles": source.tiles()}
    (out / "catalogue.json").write_text(json.dumps(catalogue, indent=1) + "\n", encoding="utf-8")
    for face, scan in source.scans().items():
        share = min(1.0, reference_px / max(scan.shape[:2]))
        size = (round(scan.shape[1] * share), round(scan.shape[0] * share))
        cv2.imwrite(str(out / "reference" / f"{face}.png"), cv2.resize(scan, size, interpolation=cv2.INTER_AREA))
    jobs = []
    for number in numbers_named(tables):
        if map_tiles:
            # A table is a household of its own: twenty rooms of one wear would say little of another's.
            profile = PROFILES[profile_name](1000 * seed + number)
            jpeg, truth, job = wide_picture(seed, number, sizes, map_tiles, profile, pieces=pieces)
        else:
            jpeg, truth, job = source.table_picture(seed, number, sizes)
        name = f"{number:03d}.jpg"
        (folder / name).write_bytes(jpeg)
        write_json(folder / f"{number:03d}.json", truth | {"image": name, "rendered": True})
        jobs.append({"image": name} | job)
    write_json(folder / "jobs.json", jobs)


if __name__ == "__main__":
    main()
