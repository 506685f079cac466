"""A followed table in a process of its own that can be killed at a stated moment; the table stays as it lies.

Arguments: folder, seed, whether boards are "told" or "unread", how many scenes to play, the moment to be killed at and
how often it has to come. What lies on the table is scene number FOLDER/scene, written before the camera sees it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from followed_table import ENVYRA, sample_rules

from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, resume_table
from companion.core.game import Rules
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView
from companion.core.types import SeatInfo
from companion.games.envyra.actions import Choose, Confirm, TakeBack
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes, scenes
from companion.table.commands import Play
from companion.table.record.store import Store
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS

PLAYERS = 2
SESSION = "killed"
MOMENTS = ("seen", "accepted", "shown")
"""Before the camera's picture is judged; when an event is on the disk and nobody was told; after all were told."""


def script(rules: Rules, seed: int, *, told: bool) -> Iterator[tuple[str, BoardView | None]]:
    """What happens at the table: the text of what is entered, or "" and the view that lies there."""
    random, state = Random(seed), rules.initial()
    while True:
        outcomes = rules.chance_outcomes(state)
        events = [o.draw for o in outcomes] or [
            a for a in rules.legal_actions(state) if not isinstance(a, (Confirm, TakeBack))
        ]
        if not events:
            return
        event = random.choice(events)
        after = rules.apply(state, event)
        seen = list(scenes(rules, event, state, after)) if state.round else []
        if isinstance(event, Choose) and not told:
            yield f"{event.seat.name} confirm", None
        elif not seen:
            yield rules.format(event), None
        for scene in seen:
            yield "", scene.view
        state = after


def opened(store: Store, settings: Settings) -> Table:
    """The session, begun or gone on with."""
    if SESSION in store.names():
        return resume_table(store, settings, SESSION)
    seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(ENVYRA.colours[:PLAYERS]))
    return begin_table(store, settings, NewGame("envyra", seats, session=SESSION))


def main(folder: Path, seed: int, told: bool, most: int, moment: str, times: int) -> None:
    """Play on from where the table lies until `most` steps of the script are done or the moment has come."""
    left = {moment: times}

    def passed(now: str, what: int) -> None:
        print(now, what, flush=True)
        left[now] = left.get(now, 0) - 1
        if now == moment and left[now] == 0:
            sys.stdin.read()  # to be killed here

    settings, place = Settings(data_dir=str(folder)), folder / "scene"
    begun = int(place.read_text()) if place.exists() else 0
    with open_store(settings) as store:
        table = opened(store, settings)
        policy = Policy(DEFAULT_DEMANDS)
        watch = TableWatch(ENVYRA, table.session, policy, keep=lambda number: passed("accepted", number))
        eyes = SimulatedEyes(table.rules, Noise(), Random(seed))
        steps = list(enumerate(script(sample_rules(PLAYERS), seed, told=told)))[begun:most]
        for number, (text, view) in steps:
            place.write_text(str(number))
            if view is None:
                watch.conclude()
                table.session.ask(Play(texts=(text,), key=f"script:{number}"))
                continue
            watch.observe(BoardObservation(0, number * 1000, ViewState.HAND))
            passed("seen", number)
            watch.observe(eyes.look(view))
            passed("shown", number)
        print("done", table.session.number, flush=True)
        table.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "told", int(sys.argv[4]), sys.argv[5], int(sys.argv[6]))
