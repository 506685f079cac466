"""`companion bench own-games`: rendered tables of made-up games of one's own, read as a table of any game is."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from companion.core.types import Face, Slot

if TYPE_CHECKING:
    import numpy as np

    from companion.lab.simulators.made_up_game import MadeUpGame
    from vision.tables.place import PlaceReading
    from vision.tables.table_reader import TableReader

SIZES = ((1280, 720), (1920, 1080))
FILLED = (0.3, 0.7, 1.0)
OFF_MM, ASKEW_DEG = 1.0, 1.8
"""How pieces come to lie in a tidy room; in a rough one so many times as far off as its profile says."""


@click.command("own-games")
@click.option("--seed", "seeds", multiple=True, type=int, default=(1, 2, 3, 4), show_default=True, help="Repeatable.")
@click.option("--pictures", default=6, show_default=True, help="Of each game.")
@click.option("--profile", type=click.Choice(["plain", "rough"]), default="plain", show_default=True)
@click.option("--scans", is_flag=True, help="Faces as people cut them: whether they show a rim is measured.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_own_games(seeds: tuple[int, ...], pictures: int, profile: str, scans: bool, as_json: bool) -> None:
    """Read rendered tables of made-up games: two to twelve plain faces, in rows, some places bare.

    Art, sizes and rows are drawn from each seed. Counted are faces and bare places: right and sure, right but asked
    about, unknown, wrong but asked about, wrong and sure. Times are one thread's own.

    \b
    Example:
      companion bench own-games --seed 31 --seed 32 --pictures 4
    """
    import cv2

    from companion.lab.simulators.made_up_game import made_up_game

    cv2.setNumThreads(1)
    result: dict[str, dict[str, Any]] = {}
    for seed in seeds:
        game = made_up_game(seed)
        reader = _reader(game, None if scans else False)
        told: Counter[str] = Counter()
        times = []
        for picture, lying in _pictures(game, seed, pictures, profile):
            begun = time.thread_time()
            reading = reader.read(picture)
            times.append(time.thread_time() - begun)
            told.update(_verdict(one, lying[one.slot]) for one in reading.places)
            told["pictures not located"] += not reading.places
        result[str(seed)] = {"faces": len(game.faces), "ms": 1000 * statistics.median(times), **told}
        if not as_json:
            counts = ", ".join(f"{what} {count}" for what, count in sorted(told.items()) if count)
            click.echo(f"{seed}: {len(game.faces)} faces, {result[str(seed)]['ms']:.0f} ms: {counts}")
    if as_json:
        click.echo(json.dumps(result))


def _reader(game: MadeUpGame, loose: bool | None) -> TableReader:
    from calibration.piece_colours.colour_enrolment import piece_colours
    from vision.faces.learning import learn_faces
    from vision.scenes.set_reader import print_size_px
    from vision.tables.grid import GridPlan
    from vision.tables.table_reader import TableReader

    size_px = print_size_px(GridPlan.of(game.layout))
    book = learn_faces({face: [art] for face, art in game.faces.items()}, size_px=size_px, loose=loose)
    return TableReader(game.layout, book, game.faces, piece_colours(("red", "blue"), None, None))


def _pictures(
    game: MadeUpGame, seed: int, count: int, profile: str
) -> Iterator[tuple[np.ndarray, Mapping[Slot, Face | None]]]:
    """(H, W, 3) uint8 BGR, and the face in each slot."""
    import cv2
    import numpy as np

    from companion.lab.render.layout import marker_slabs, markers_extent_mm
    from companion.lab.render.lights import LIGHTS
    from companion.lab.render.pieces import printed
    from companion.lab.render.surfaces import PLAIN_TABLES, TABLES
    from companion.lab.rough.profiles import PROFILES
    from companion.lab.scenes.profile import take

    household, tables = PROFILES[profile](seed), TABLES + PLAIN_TABLES
    for number in range(count):
        rng = np.random.default_rng([seed, number, 5])
        table, light = tables[(number + seed) % len(tables)], LIGHTS[number // 2 % len(LIGHTS)]
        size = SIZES[number % len(SIZES)]
        room = household.room(rng, size, table, light, markers_extent_mm(), slack=(1.02, 1.2))
        slabs, lying, filled = marker_slabs(rng), dict[Slot, Face | None](), float(rng.choice(FILLED))
        for slot in game.layout.slots:
            lying[slot.slot] = str(rng.choice(list(game.faces))) if rng.random() < filled else None
            if (face := lying[slot.slot]) is None:
                continue
            xy = np.array(slot.corners_mm).mean(0) + rng.normal(0, OFF_MM * household.untidiness, 2)
            turn = float(rng.normal(0, ASKEW_DEG * household.untidiness))
            art = household.face(face, game.faces[face])
            slabs.append(printed(art, game.face_mm, xy, turn, game.layout.face_thickness_mm, layer=1))
        jpeg, _ = take(room, slabs, rng)
        yield np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)), lying


def _verdict(one: PlaceReading, lies: Face | None) -> str:
    """What became of a place in which a face lies, or none."""
    from vision.tables.place import PlaceState

    place = "bare" if lies is None else "face"
    if one.state in (PlaceState.UNKNOWN, PlaceState.COVERED, PlaceState.OUTSIDE):
        return f"{place} {one.state.value}"
    return f"{place} {'right' if one.face == lies else 'wrong'}{'' if one.is_sure else ', asked'}"


BENCH = bench_own_games
