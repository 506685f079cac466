"""`companion bench own-games` and the made-up games that it reads."""

from __future__ import annotations

import json

import numpy as np
from click.testing import CliRunner

from companion.lab.benches.eyes.own_games import bench_own_games
from companion.lab.simulators.made_up_game import KINDS, LEAST_APART, made_up_game


def test_every_place_is_counted_and_none_is_wrong_and_sure() -> None:
    run = CliRunner().invoke(bench_own_games, ["--seed", "2", "--pictures", "1", "--json"], catch_exceptions=False)
    told = json.loads(run.output)["2"]
    counted = {what: n for what, n in told.items() if what.startswith(("bare", "face ")) and n}
    assert sum(counted.values()) == len(made_up_game(2).layout.slots)
    assert not {"bare wrong", "face wrong"} & counted.keys()


def test_a_seed_gives_one_game_and_another_seed_another() -> None:
    game, again, other = made_up_game(5), made_up_game(5), made_up_game(6)
    assert game.layout == again.layout
    assert all(np.array_equal(game.faces[face], again.faces[face]) for face in game.faces)
    assert game.layout != other.layout


def test_faces_are_as_large_as_the_places_and_show_some_print() -> None:
    for seed in range(8):
        game = made_up_game(seed)
        assert KINDS[0] <= len(game.faces) <= KINDS[1]
        for face in game.faces.values():
            height, width = face.shape[:2]
            assert abs(width / height - game.face_mm[0] / game.face_mm[1]) < 0.02
            assert np.ptp(face.astype(int).sum(axis=2)) >= LEAST_APART / 3
