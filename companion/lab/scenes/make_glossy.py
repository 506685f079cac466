"""Writes sets of photograph-like pictures of candies and chips with their counts, each set with what teaches it.

Example: `python -m companion.lab.scenes.make_glossy OUT --sets 4 --pictures 8`.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2
import numpy as np

from companion.lab.render.glossy.beside import Beside
from companion.lab.render.glossy.kinds import as_printed, glossy_kind
from companion.lab.render.glossy.picture import Scenery, glossy_picture, unlike
from companion.lab.render.glossy.tossed import Photograph
from companion.lab.scenes.json_file import write_json

USUAL_MEGAPIXELS = (1.0, 1.2, 2.0, 3.0)
LARGE_MEGAPIXELS, LARGE_EVERY = 12.0, 8  # a picture of every so many is as large as phones take them
KINDS = ("candies", "chips", "poker", "lettered", "nuts", "tossed")
TABLES = "tables.json"
LOOSE_MARGIN = 0.25  # where they cut loosely
CROP_MARGIN = 0.06  # of a box's size: people cut a crop a little outside the piece


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--sets", default=4, show_default=True, help="Of every kind.")
@click.option("--pictures", default=8, show_default=True, help="In each set.")
@click.option("--seed", default=1, show_default=True)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), default=KINDS[:2], show_default=True)
@click.option("--tables", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Photographed tables.")
@click.option("--calm", "scenery", flag_value="calm", help="In even light, on tables that mirror nothing.")
@click.option("--plain", "scenery", flag_value="plain", help="The same on tables of one colour, without playing cards.")
@click.option("--easy", "scenery", flag_value="easy", help="There, most apart, on tables unlike every piece.")
@click.option(
    "--beside", type=click.Choice([one.value for one in Beside]), default=Beside.NOTHING.value, show_default=True
)
def main(
    out: Path,
    sets: int,
    pictures: int,
    seed: int,
    kinds: tuple[str, ...],
    tables: Path | None,
    scenery: str | None,
    beside: str,
) -> None:
    """Write NAME-N/NNN.jpg with truth.json, colours.json (boxes in taught.jpg) and crops/COLOUR-N.jpg of it.

    Sets of even number are taken in one room each; of the others every picture has its own table and light. Tables of
    the photographs in a folder take the place of drawn ones, of each picture but those that teach: what lies on them
    is in view, too; tables.json there may name the boxes (x0, y0, x1, y1 px) of each in which no piece is laid.
    """
    cv2.setNumThreads(1)
    photographs = photographed_tables(tables) if tables else []
    for name in kinds:
        for number in range(sets):
            folder = out / f"{name}-{number}"
            own, light = seed * 1000 + number, Scenery(scenery or "mixed")
            _write_set(folder, name, own, pictures, number % 2 == 0, light, photographs, Beside(beside))


def photographed_tables(folder: Path) -> list[Photograph]:
    """The tables in a folder, by the names of their files."""
    boxes = json.loads((folder / TABLES).read_text(encoding="utf-8")) if (folder / TABLES).is_file() else {}
    read = {path.name: cv2.imread(str(path)) for path in sorted(folder.iterdir()) if path.name != TABLES}
    tables = [Photograph(seen, tuple(boxes.get(name, ()))) for name, seen in read.items() if seen is not None]
    if not tables:
        raise click.UsageError(f"{folder}: expected photographs of tables, found none that can be read")
    return tables


def _write_set(
    folder: Path,
    name: str,
    seed: int,
    pictures: int,
    one_room: bool,
    scenery: Scenery,
    tables: list[Photograph],
    beside: Beside,
) -> None:
    own = np.random.default_rng([seed, 72])
    kind = glossy_kind(name, own)
    if scenery is Scenery.EASY:
        kind = as_printed(kind, own)
        tables = [table for table in tables if unlike(table.picture, kind)]
    (folder / "crops").mkdir(parents=True, exist_ok=True)
    jpeg, taught = glossy_picture(kind, seed, pictures, one_room=one_room, taught=True, megapixels=2.0, scenery=scenery)
    (folder / "taught.jpg").write_bytes(jpeg)
    whole = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if whole is None:
        raise ValueError(f"{folder}: the taught picture cannot be read back")
    boxes: dict[str, list[list[int]]] = {colour: [] for colour in kind.colours}
    for piece in taught["pieces"]:
        x, y, width, height = piece["box"]
        more = round(CROP_MARGIN * max(width, height))
        crop = whole[max(0, y - more) : y + height + more, max(0, x - more) : x + width + more]
        boxes[piece["colour"]].append([x, y, width, height])
        cv2.imwrite(str(folder / "crops" / f"{piece['colour']}-{len(boxes[piece['colour']])}.jpg"), crop)
    colours = {colour: {"picture": "taught.jpg", "boxes": own} for colour, own in boxes.items()}
    (folder / "colours.json").write_text(json.dumps(colours, indent=1) + "\n", encoding="utf-8")
    loose = {colour: {"picture": "taught.jpg", "boxes": [loosely(own[0])]} for colour, own in boxes.items()}
    (folder / "loose.json").write_text(json.dumps(loose, indent=1) + "\n", encoding="utf-8")
    truths = {}
    for number in range(pictures):
        large = number % LARGE_EVERY == LARGE_EVERY - 1
        size = LARGE_MEGAPIXELS if large else USUAL_MEGAPIXELS[number % len(USUAL_MEGAPIXELS)]
        table = tables[(seed if one_room else seed + number) % len(tables)] if tables else None
        jpeg, truth = glossy_picture(
            kind, seed, number, one_room=one_room, megapixels=size, scenery=scenery, photograph=table, beside=beside
        )
        (folder / f"{number:03d}.jpg").write_bytes(jpeg)
        truths[f"{number:03d}.jpg"] = truth
    write_json(folder / "truth.json", truths)


def loosely(box: list[int]) -> list[int]:
    """A box with a quarter of its breadth more on each side."""
    x, y, width, height = box
    more = round(LOOSE_MARGIN * max(width, height))
    return [max(0, x - more), max(0, y - more), width + 2 * more, height + 2 * more]


if __name__ == "__main__":
    main()
