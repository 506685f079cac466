"""`companion bench photographs`: naming pieces on real and drawn photographs, beside quick recipes in the same run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.lab.evaluation.photograph_sets import Task

SURE = 0.95
EDGES = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1.0)  # of the reliability table


@click.command("photographs")
@click.option(
    "--set",
    "folders",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with reference/ and crops/ (truth.json or KIND__N names), or truth.json with stickers or cards.",
)
@click.option("--groups", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Object -> its pictures.")
@click.option("--symbols", type=int, metavar="SEED", help="Stickers as symbols on black, in made-up forms.")
@click.option("--drawn", multiple=True, type=int, metavar="SEED", help="Drawn one-colour symbols on black. Repeatable.")
@click.option("--own-light", is_flag=True, help="Read every crop by itself.")
@click.option("--every", default=1, show_default=True, type=click.IntRange(1), help="Take each so many-th photograph.")
@click.option("--recipes", "recipe_crops", default=100, show_default=True, help="Crops for the quick recipes; 0: none.")
@click.option("--pair", default="red,orange", show_default=True, help="Two kinds (or parts of names) reported apart.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_photographs(
    folders: tuple[Path, ...],
    groups: Path | None,
    symbols: int | None,
    drawn: tuple[int, ...],
    own_light: bool,
    every: int,
    recipe_crops: int,
    pair: str,
    as_json: bool,
) -> None:
    """Name pieces on photographs: right, wrong, unknown, how sure, how fast, and what quick recipes make of them.

    Times are medians of one thread's own time.

    \b
    Example:
      companion bench photographs --set photos/cards --drawn 1
    """
    import cv2

    cv2.setNumThreads(1)
    result = {}
    for task in _tasks(folders, groups, symbols, drawn):
        result[task.name] = _measured(task, own_light, every, recipe_crops, pair.split(","))
        if not as_json:
            _print(task.name, result[task.name])
    if as_json:
        click.echo(json.dumps(result))


def _tasks(
    folders: tuple[Path, ...], groups: Path | None, symbols: int | None, drawn: tuple[int, ...]
) -> Iterator[Task]:
    from companion.lab.evaluation.photograph_sets import drawn_task, read_tasks
    from companion.lab.evaluation.sticker_symbols import symbols_of

    for folder in folders:
        for task in read_tasks(folder, groups):
            yield task if symbols is None else symbols_of(task, symbols)
    for seed in drawn:
        yield drawn_task(seed, photographs_count=20, pieces=10)


def _measured(task: Task, own_light: bool, every: int, recipe_crops: int, pair: list[str]) -> dict[str, Any]:
    import statistics

    from vision.faces.identify import identify_many
    from vision.faces.learning import learn_faces

    book = learn_faces(task.references, size_px=96, loose=True)
    rows: list[tuple[str, str | None, str, float]] = []
    times = []
    groups = task.groups[::every]
    for group in groups:
        begin = time.process_time()
        readings = identify_many(book, [c for c, _ in group], same_light=not own_light and len(group) > 1)
        times += [(time.process_time() - begin) / len(group)] * len(group)
        for (_, kind), r in zip(group, readings, strict=True):
            rows.append((kind, r.face, r.alternatives[0][0], r.p))
    kinds = {face: faces[0] for faces in book.same for face in faces}
    rows = [(kinds.get(kind, kind), *rest) for kind, *rest in rows]  # type: ignore[misc]
    sure = [(kind, best) for kind, _, best, p in rows if p >= SURE]
    apart = [(kind, best) for kind, _, best, _ in rows if any(p in kind for p in pair)]
    swapped = sum(k != b and any(p in b for p in pair) and _of(pair, k) != _of(pair, b) for k, b in apart)
    out: dict[str, Any] = {
        "crops": len(rows),
        "right": _share(kind == face for kind, face, _, _ in rows),
        "wrong": _share(face not in (kind, None) for kind, face, _, _ in rows),
        "best guess right": _share(kind == best for kind, _, best, _ in rows),
        "said 0.95 or more": len(sure) / len(rows),
        "of those right": _share(kind == best for kind, best in sure),
        "ms a crop": 1000 * statistics.median(times),
        "reliability": _reliability([(p, kind == best) for kind, _, best, p in rows]),
        "told to take again": [f"{f.face}: {f.fault.value}" for f in book.faulty],
    }
    if apart:
        out[f"{' against '.join(pair)}: told apart"] = 1 - swapped / len(apart)
    if recipe_crops:
        right = [kind == best for kind, _, best, _ in rows]
        out["recipes"] = _recipes(task, groups, recipe_crops, book.turns, right)
    return out


def _of(pair: list[str], name: str) -> str | None:
    return next((p for p in pair if p in name), None)


def _share(hits: Iterator[bool] | Any) -> float:
    every = list(hits)
    return sum(every) / len(every) if every else 1.0


def _reliability(said: list[tuple[float, bool]]) -> list[tuple[float, float, int, float]]:
    """For each span of probability: mean said, share right, how many, lower edge."""
    out = []
    for low, high in zip(EDGES, (*EDGES[1:-1], 1.01), strict=False):
        inside = [(p, r) for p, r in said if low <= p < high]
        if inside:
            out.append((sum(p for p, _ in inside) / len(inside), _share(r for _, r in inside), len(inside), low))
    return out


def _recipes(task: Task, groups: Any, count: int, turns: tuple[int, ...], own: list[bool]) -> dict[str, Any]:
    """Share of right names, ms, and errors over those of the recogniser's best guesses (`own`) on the same crops."""
    from companion.lab.evaluation.quick_recipes import recipes

    crops = [pair for group in groups for pair in group]
    step = max(1, len(crops) // count)
    crops, own_errors = crops[::step], 1 - _share(own[::step])
    out: dict[str, Any] = {"recogniser, same crops": {"right": 1 - own_errors}}
    for name, recipe in recipes(task.references, turns).items():
        begin = time.process_time()
        right = _share(recipe(crop) == kind for crop, kind in crops)
        ms = 1000 * (time.process_time() - begin) / len(crops)
        ratio = (1 - right) / own_errors if own_errors else None
        out[name] = {"right": right, "ms a crop": ms, "errors over the recogniser's": ratio}
    return out


def _print(name: str, row: dict[str, Any]) -> None:
    click.echo(f"{name}: {row['crops']} crops")
    for key, value in row.items():
        if isinstance(value, float):
            click.echo(f"  {key:32} {value:8.2f}" if key.startswith("ms") else f"  {key:32} {value:8.2%}")
    for said, right, count, _ in row["reliability"]:
        click.echo(f"    said {said:5.1%}: right {right:6.1%} of {count}")
    for told in row["told to take again"]:
        click.echo(f"  take again: {told}")
    for recipe, r in row.get("recipes", {}).items():
        if "ms a crop" not in r:
            click.echo(f"  {recipe:24} right {r['right']:6.1%}")
            continue
        over = r["errors over the recogniser's"]
        more = "the recogniser has none" if over is None else f"{over:.1f} times the errors"
        click.echo(f"  {recipe:24} right {r['right']:6.1%}, {more}, {r['ms a crop']:.1f} ms")


BENCH = bench_photographs
