"""Fits the probabilities of the recogniser on drawn pieces whose references are photographs themselves.

Run as `make fit-faces`: it prints the weights for `vision/faces/chance.py`, and what they name right and wrong of boxes
left out of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import click
import cv2
import numpy as np
from logistic import chances, logistic

from calibration.degraded import PHOTOGRAPH, degraded
from calibration.made_up_kinds import made_up_kinds
from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import made_up_style
from vision.faces.book import FaceBook
from vision.faces.chance import features

CROP_PX = 128
FOLDS = 5
RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Sample:
    """One crop: the box it is of, what the probability may rest on, and whether the best face was right."""

    box: int
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


def samples(seeds: range, crops: int) -> list[Sample]:
    """`crops` readings of each box; the book is taken to be complete, so every crop shows one of its kinds."""
    out = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 29])
        kinds = box_of(seed)
        book = FaceBook.learn({k: [photographed(p, rng)] for k, p in kinds.items()}, loose=True)
        names = list(kinds)
        for _ in range(crops):
            name = names[int(rng.integers(len(names)))]
            reading = book.identify(degraded(kinds[name], rng, PHOTOGRAPH, CROP_PX, 0.0)[0])
            same = {name, *next((g for g in book.same if name in g), ())}
            right = reading.alternatives[0][0] in same
            out.append(Sample(seed, tuple(features(reading.evidence).tolist()), right))
    return out


def fit(chosen: list[Sample]) -> np.ndarray:
    """Weights of a logistic regression with a small ridge."""
    x = np.array([s.seen for s in chosen])
    y = np.array([float(s.right) for s in chosen])
    return logistic(x, y, np.zeros(x.shape[1]), RIDGE * len(x))


def left_out(every: list[Sample]) -> np.ndarray:
    """(N,) probabilities of all samples by weights fitted without their own box's fold."""
    out = np.zeros(len(every))
    for fold in range(FOLDS):
        weights = fit([s for s in every if s.box % FOLDS != fold])
        for k, s in enumerate(every):
            if s.box % FOLDS == fold:
                out[k] = chances(np.array([s.seen]), weights)[0]
    return out


@click.command()
@click.option("--boxes", default=30, show_default=True)
@click.option("--crops", default=14, show_default=True, help="Crops of each box.")
@click.option("--first-seed", default=100, show_default=True)
def main(boxes: int, crops: int, first_seed: int) -> None:
    """Print weights fitted on drawn boxes, and what they name at several thresholds when a box is left out."""
    cv2.setNumThreads(1)
    every = samples(range(first_seed, first_seed + boxes), crops)
    p, right = left_out(every), np.array([s.right for s in every])
    click.echo(f"{len(every)} crops, best guess right {right.mean():.2%}")
    for limit in (0.8, 0.9, 0.95, 0.98, 0.99):
        named = p >= limit
        click.echo(f"at {limit}: named right {(named & right).mean():.2%}, wrong {(named & ~right).mean():.2%}")
    click.echo("weights " + ", ".join(f"{w:.3f}" for w in fit(every)))


if __name__ == "__main__":
    main()
