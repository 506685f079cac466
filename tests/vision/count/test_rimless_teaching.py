"""A count is never sure when round pieces were taught where no rim was seen, and that is told when they are learnt."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from click.testing import CliRunner

from companion.app.commands.eyes.count import count
from vision.count.counting import count_pieces
from vision.count.teaching.references import learn_colour

PLACES = {"red": ((90, 90), (220, 100), (340, 230)), "green": ((100, 240), (210, 220), (340, 100))}
BGR = {"red": (40, 40, 190), "green": (60, 160, 60)}


LABEL_BGR = (215, 215, 220)


def chips(labels: bool = False):
    """Six discs in two colours on a plain table with the grain of a camera."""
    picture = np.clip(np.random.default_rng(2).normal(190, 2.0, (340, 440, 3)), 0, 255).astype(np.uint8)
    for name, places in PLACES.items():
        for xy in places:
            cv2.circle(picture, xy, 30, BGR[name], -1, cv2.LINE_AA)
            if labels:
                cv2.circle(picture, xy, 18, LABEL_BGR, -1, cv2.LINE_AA)
    return picture


def without_rims(picture):
    """The two colours, taught by their boxes as if no rim had been seen."""
    taught = [learn_colour(n, [(picture, tuple((x - 32, y - 32, 64, 64) for x, y in p))]) for n, p in PLACES.items()]
    return taught, [replace(c, looks=tuple(replace(look, support=0.0) for look in c.looks)) for c in taught]


def test_a_count_of_labelled_chips_taught_without_rims_is_not_sure():
    picture = chips(labels=True)
    taught, rimless = without_rims(picture)
    assert "no rim" not in count_pieces(picture, taught).why
    doubted = count_pieces(picture, rimless)
    assert not doubted.sure
    assert "no rim is seen where most colours were taught" in doubted.why


def test_pieces_of_one_colour_need_no_rim_where_they_were_taught():
    picture = chips()
    counted = count_pieces(picture, without_rims(picture)[1])
    assert counted.counts == {"red": 3, "green": 3}
    assert counted.sure


def test_crops_within_the_label_are_doubted_where_pieces_bear_it():
    picture = chips(labels=True)
    cut = {n: picture[y - 11 : y + 11, x - 11 : x + 11] for n, ((x, y), *_) in PLACES.items()}
    assert not count_pieces(picture, [learn_colour(n, [(crop, ())]) for n, crop in cut.items()]).sure


def test_a_crop_without_a_rim_is_told_when_it_is_learnt(tmp_path: Path) -> None:
    picture = chips()
    (x, y), (u, v) = PLACES["red"][0], PLACES["green"][1]
    cv2.imwrite(str(tmp_path / "cut.png"), picture[y - 18 : y + 18, x - 18 : x + 18])
    cv2.imwrite(str(tmp_path / "whole.png"), picture[v - 34 : v + 34, u - 34 : u + 34])
    (tmp_path / "colours.json").write_text(json.dumps({"red": "cut.png", "green": "whole.png"}), encoding="utf-8")
    command = ["--colours", str(tmp_path / "colours.json"), "--learn", str(tmp_path / "learnt.json")]
    told = CliRunner().invoke(count, command).output
    assert "red: no rim is seen where it was taught" in told
    assert "green" not in told
