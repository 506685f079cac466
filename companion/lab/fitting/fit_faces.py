"""Fits the probabilities of the recogniser for photographed references, on photographs and on drawings.

`make fit-faces` fits on drawings alone. With `--set DIR` (as for `companion bench photographs`) photographs take part:
it prints the weights for `vision/faces/chance.py`, and for every set what a fit without it names right and wrong, and
how often what it says is true. `--picture FILE` draws that as a diagram.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import made_up_style
from companion.lab.evaluation.photograph_sets import Task, drawn_colours_task, drawn_task, read_tasks
from companion.lab.fitting.logistic import chances, logistic
from companion.lab.simulators.degraded import PHOTOGRAPH, degraded
from companion.lab.simulators.laid_askew import laid_askew
from companion.lab.simulators.made_up_kinds import made_up_kinds
from vision.faces.chance import PHOTOGRAPHED_FACES, photographed_features
from vision.faces.identify import identify, identify_many
from vision.faces.learning import learn_faces

CROP_PX = 128
RIDGE = 1e-4
EVEN = 300
"""Samples that every set counts as, however many crops it has."""

FEWER = {"strangers": 60, "unlearnt": 100, "laid": 100}
"""Crops of another box, of kinds not learnt, and crops laid anyhow: fewer than of learnt kinds cut with care."""

EARLIER = np.array(PHOTOGRAPHED_FACES.weights)
EARLIER_WORTH = np.array([0.001] * (len(EARLIER) - 1) + [1.0])
"""Weights of earlier fits on more sets, and how freely each may leave them: only the last, the newest, may."""

STRANGER_SEED, STRANGERS = 7, 3
"""Another box, and the crops of it that are read beside each set: no name of them is right."""

LAID, MANY = 24, 12
"""Crops of a set that are laid anyhow, and the kinds from which it is one of printed pieces."""

APART = 4
"""Every so many-th kind is left unlearnt, one after the other."""

LIMITS = (0.8, 0.85, 0.9, 0.95, 0.98)
EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.99, 1.001)


@dataclass(frozen=True, slots=True)
class Sample:
    """One crop: the family of sets it is of, what the probability may rest on, and whether the best face was right."""

    family: str
    seen: tuple[float, ...]
    right: bool


def box_of(seed: int) -> dict[str, np.ndarray]:
    """The drawn pieces of box `seed`: every third a made-up edition of tiles, the others kinds of small marks."""
    if seed % 3:
        return made_up_kinds(seed)
    style, out = made_up_style(seed), {}
    looks = set()
    for tile in sample_tiles():
        look = (tile.theme, tile.symbol, tile.vp, tile.cubes, tile.requires, tile.start, tile.min34)
        if look not in looks:
            looks.add(look)
            out[tile.id] = draw_tile(tile, style, 160)
    return out


def photographed(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The piece as somebody photographed it with care, to learn it from: without a reflection; upright."""
    crop, turn, _ = degraded(picture, rng, replace(PHOTOGRAPH, glare=0.0), CROP_PX, 0.0)
    return np.ascontiguousarray(np.rot90(crop, turn))


def drawn_box(seed: int, crops: int) -> Task:
    """`crops` drawn photographs of the pieces of box `seed`, each in its own light."""
    rng = np.random.default_rng([seed, 29])
    kinds = box_of(seed)
    references = {k: [photographed(p, rng)] for k, p in kinds.items()}
    names = [list(kinds)[int(k)] for k in rng.integers(len(kinds), size=crops)]
    groups = tuple(((degraded(kinds[name], rng, PHOTOGRAPH, CROP_PX, 0.0)[0], name),) for name in names)
    return Task(f"box {seed}", references, groups)


def laid(task: Task, seed: int, crops: int, askew: bool) -> Task:
    """`crops` pictures of `task` laid anyhow, some of them under a drawn piece; a tenth of the kinds is not learnt.

    `askew`: those to learn from lie turned in upright boxes, too.
    """
    rng = np.random.default_rng([seed, 41])
    references = {kind: pictures for kind, pictures in task.references.items() if rng.random() < 0.9}
    if askew:
        references = {k: [laid_askew(p, p, rng, covered=0.0) for p in ps] for k, ps in references.items()}
    pool, others = [pair for group in task.groups for pair in group], list(box_of(STRANGER_SEED).values())
    groups = []
    for _ in range(crops):
        picture, kind = pool[int(rng.integers(len(pool)))]
        groups.append(((laid_askew(picture, others[int(rng.integers(len(others)))], rng), kind),))
    return Task(task.name, references, tuple(groups))


def unlearnt(task: Task, first: int, every: int) -> Task:
    """The crops of each so many-th kind of `task`, from the `first` on, which is not learnt."""
    out = set(sorted(task.references)[first::every])
    groups = (tuple(pair for pair in group if pair[1] in out) for group in task.groups)
    references = {kind: pictures for kind, pictures in task.references.items() if kind not in out}
    return Task(task.name, references, tuple(group for group in groups if group))


def samples(task: Task, family: str, every: int, same_light: bool) -> Iterator[Sample]:
    """Readings of every so many-th photograph, whose crops show kinds of the book, and of a few strangers."""
    book = learn_faces(task.references, size_px=96, loose=True)
    for group in task.groups[::every]:
        readings = identify_many(book, [c for c, _ in group], same_light=same_light and len(group) > 1)
        for (_, kind), reading in zip(group, readings, strict=True):
            same = {kind, *next((g for g in book.same if kind in g), ())}
            seen = tuple(photographed_features(reading.evidence).tolist())
            yield Sample(family, seen, reading.alternatives[0][0] in same)
    for crop, _ in (pair for group in drawn_box(STRANGER_SEED, STRANGERS).groups for pair in group):
        seen = tuple(photographed_features(identify(book, crop).evidence).tolist())
        yield Sample("strangers", seen, right=False)


def fit(chosen: list[Sample]) -> np.ndarray:
    """Weights of a logistic regression with a small ridge around the earlier ones; each family counts as told above."""
    count = {f: sum(s.family == f for s in chosen) for f in {s.family for s in chosen}}
    even = {f: FEWER.get(f.split()[0], EVEN) for f in count}
    times = np.array([max(1, round(even[s.family] / count[s.family])) for s in chosen])
    x = np.repeat(np.array([s.seen for s in chosen]), times, axis=0)
    y = np.repeat(np.array([float(s.right) for s in chosen]), times)
    weights = logistic(x * EARLIER_WORTH, y, EARLIER / EARLIER_WORTH, RIDGE * len(x))
    return np.asarray(weights * EARLIER_WORTH)


def left_out(every: list[Sample]) -> np.ndarray:
    """(N,) probabilities of all samples by weights fitted without any of their own sets, laid anyhow or unlearnt."""
    out = np.zeros(len(every))
    for source in {_source(s.family) for s in every} - {"strangers"}:
        own = [k for k, s in enumerate(every) if _source(s.family) == source]
        weights = fit([s for s in every if _source(s.family) != source])
        out[own] = chances(np.array([every[k].seen for k in own]), weights)
    return out


def _source(family: str) -> str:
    """The sets that a family is made of."""
    return family.removeprefix("laid ").removeprefix("unlearnt ")


def diagram(p: np.ndarray, right: np.ndarray, families: np.ndarray, path: Path) -> None:
    """A reliability diagram (small): said against true, one line a family, bigger dots for more crops."""
    side, edge = 300, 34
    sheet = np.full((side + 2 * edge, side + 2 * edge + 90, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return edge + round(x * side), edge + side - round(y * side)

    cv2.rectangle(sheet, at(0, 1), at(1, 0), (90, 90, 90), 1)
    cv2.line(sheet, at(0, 0), at(1, 1), (180, 180, 180), 1, cv2.LINE_AA)
    for n, family in enumerate(sorted(set(families))):
        hue = round(179 * n / len(set(families)))
        colour = cv2.cvtColor(np.array([[[hue, 200, 170]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].tolist()
        dots = []
        for low, high in pairwise(EDGES):
            inside = (families == family) & (p >= low) & (p < high)
            if inside.sum() >= 3:
                dot = at(float(p[inside].mean()), float(right[inside].mean()))
                dots.append(dot)
                cv2.circle(sheet, dot, 2 + round(float(np.log10(inside.sum()) * 2)), colour, -1, cv2.LINE_AA)
        cv2.polylines(sheet, [np.array(dots, np.int32).reshape(-1, 1, 2)], False, colour, 1, cv2.LINE_AA)
        place = (edge + side + 10, edge + 16 + 16 * n)
        cv2.putText(sheet, family, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
    for label, place in (("said", (edge + side // 2, edge + side + 22)), ("true", (2, edge - 10))):
        cv2.putText(sheet, label, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (60, 60, 60), 1, cv2.LINE_AA)
    cv2.imwrite(str(path), sheet)


@click.command()
@click.option("--set", "folders", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--groups", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--family", "families", multiple=True, help="Family of each --set, in order.")
@click.option("--apart", multiple=True, help="Family without near twins, of which kinds are left unlearnt, too.")
@click.option("--every", default=2, show_default=True, help="Take each so many-th photograph of a set.")
@click.option("--boxes", default=12, show_default=True, help="Drawn boxes.")
@click.option("--crops", default=14, show_default=True, help="Crops of each drawn box.")
@click.option("--first-seed", default=100, show_default=True)
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Where the diagram is written.")
def main(
    folders: tuple[Path, ...],
    groups: Path | None,
    families: tuple[str, ...],
    apart: tuple[str, ...],
    every: int,
    boxes: int,
    crops: int,
    first_seed: int,
    picture: Path | None,
) -> None:
    """Print weights, and what a fit without each family of sets names of it at several thresholds."""
    cv2.setNumThreads(1)
    found: list[Sample] = []
    for n, folder in enumerate(folders):
        family = families[n] if n < len(families) else folder.name
        for task in read_tasks(folder, groups):
            found += samples(task, family, every, same_light=True)
            found += samples(task, family, 3 * every, same_light=False)
            if len(task.references) > MANY:
                found += samples(laid(task, n, LAID, askew=n % 2 == 0), f"laid {family}", 1, same_light=False)
            if family in apart:
                for first in range(APART):
                    left = unlearnt(task, first, APART)
                    found += samples(left, f"unlearnt {family}", every, same_light=False)
    for seed in range(first_seed, first_seed + boxes):
        found += samples(drawn_box(seed, crops), "drawn boxes", 1, same_light=False)
    for seed in range(first_seed, first_seed + max(1, boxes // 4)):
        left = unlearnt(drawn_box(seed, 3 * crops), 0, APART)
        found += samples(left, "unlearnt drawn boxes", 1, same_light=False)
    for seed in range(first_seed, first_seed + max(1, boxes // 4)):
        found += samples(drawn_task(seed, 10, 10), "drawn symbols", 1, same_light=True)
        found += samples(drawn_task(seed, 10, 10), "drawn symbols", 2, same_light=False)
    for seed in range(first_seed, first_seed + boxes):
        found += samples(drawn_colours_task(seed, 4, 9), "drawn colours", 1, same_light=True)
    known = [s for s in found if s.family != "strangers"]
    p, right = left_out(found)[[s.family != "strangers" for s in found]], np.array([s.right for s in known])
    names = np.array([s.family for s in known])
    for family in sorted(set(names)):
        own = names == family
        click.echo(f"{family}: {own.sum()} crops, best guess right {right[own].mean():.2%}; by a fit without it")
        for limit in LIMITS:
            named = p[own] >= limit
            true = right[own][named].mean() if named.any() else 1.0
            shares = f"right {(named & right[own]).mean():.2%}, wrong {(named & ~right[own]).mean():.2%}"
            click.echo(f"  from {limit}: {shares}; of the named {true:.2%} right")
    if picture is not None:
        diagram(p, right, names, picture)
    click.echo("weights " + ", ".join(f"{w:.3f}" for w in fit(found)))


if __name__ == "__main__":
    main()
