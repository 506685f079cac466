"""Scripted films whose pictures are read without an error: what is done in one go is followed, hardly asked about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from followed_table import ENVYRA

from companion.app.camera.film import FilmJobs
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView, SlotView
from companion.core.types import Seat
from companion.games.envyra.edition.catalogue import load_catalogue
from companion.lab.evaluation.film import FilmReferee, begin_filmed
from companion.lab.evaluation.film_report import FilmReport, compare_film
from companion.lab.films.film import write_script
from companion.lab.films.game_script import Script, cell_of
from companion.lab.films.merged_acts import merged
from companion.lab.render.edition import sample_edition
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes

CATALOGUE = ENVYRA.locale_dir.parent / "catalogues" / "sample.toml"


def script_of(players: int, seed: int, shots: int) -> Script:
    """A film of a game in which five pairs of acts have no settled picture between them."""
    whole = write_script(
        sample_edition(), load_catalogue(CATALOGUE), players, seed, most_acts=4, most_shots=shots
    )
    return merged(whole, np.random.default_rng(seed), 5)


def jobs_of(script: Script) -> FilmJobs:
    presses: dict[int, tuple[Seat, ...]] = {}
    for one in script.presses:
        presses[one["frame"]] = (*presses.get(one["frame"], ()), Seat(one["player"]))
    reveals = {
        one["frame"]: {Seat(c["player"]): tuple(f"r{y + 1}c{x + 1}" for y, x in c["cells"]) for c in one["choices"]}
        for one in script.reveals
    }
    return FilmJobs("envyra", script.players, script.colours, script.first, (), presses, reveals)


def refereed(script: Script, folder: Path) -> FilmReport:
    truth: dict[str, Any] = {"events": script.events, "frames": []}
    settings, jobs = Settings(data_dir=str(folder)), jobs_of(script)
    with open_store(settings) as store:
        table = begin_filmed(store, settings, jobs, CATALOGUE)
        try:
            referee, rules = FilmReferee(store, table, jobs, truth), table.rules
            eyes, slots = SimulatedEyes(rules, Noise(), Random(1)), [o.slot for o in rules.layout().slots]
            same = {face: rules.same_face(face) for face in rules.faces()}
            for n, shot in enumerate(script.shots):
                places = {s: (shot.tiles.get(cell_of(s)), shot.cubes.get(cell_of(s), ())) for s in slots}
                truth["frames"].append({
                    "frame": n, "kind": shot.kind,
                    "cells": {",".join(map(str, cell_of(s))): tile for s, (tile, _) in places.items()},
                })  # fmt: skip
                view = BoardView(tuple(
                    (s, SlotView(None if tile is None else same[tile], None, tuple(sorted(Counter(cubes).items()))))
                    for s, (tile, cubes) in places.items()
                ))
                referee.people.before_picture(n)
                now = ViewState.SETTLED if shot.kind == "settled" else ViewState.HAND
                for state in (ViewState.MOVED, now) if shot.bumped else (now,):
                    seen = eyes.look(view).slots if state is ViewState.SETTLED else ()
                    referee.after(referee.watch.observe(BoardObservation(n + 1, n * 500, state, seen)), n)
            referee.scribe.end(referee.watch.tracker.state, len(script.shots) - 1, last=True)
            return compare_film(truth, referee.scribe.events, referee.final(), same, [])
        finally:
            table.close()


@pytest.mark.parametrize(("players", "seed"), [(2, 3), (3, 7), (4, 4)])
def test_acts_of_which_the_first_was_never_seen_are_followed_without_a_false_alarm(
    tmp_path: Path, players: int, seed: int
) -> None:
    report = refereed(script_of(players, seed, 60), tmp_path)
    assert (report.missed, report.wrong, report.false_alarms) == ((), (), ())
    assert report.asked <= 1  # a tile taken early that might have been captured is named by people
    assert report.cells_right
    assert all(alarm.right and alarm.settled == 1 for alarm in report.alarms)
