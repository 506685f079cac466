"""A real session with simulated eyes at its table, for tests of the watch: deal, lay, look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from laid_view import LaidView

from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, resume_table
from companion.core.inputs import BoardObservation, ViewState
from companion.core.types import SeatInfo
from companion.games import find_game
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes
from companion.table.commands import Answer, Play
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS


class WatchedTable(LaidView):
    """Three players' game in a store below `folder`; what lies on the table is `view`. Close it at the end."""

    def __init__(self, folder: Path, players: int = 3, game: str = "envyra") -> None:
        self.settings = Settings(data_dir=str(folder))
        self.store = open_store(self.settings)
        self.spec = find_game(game)
        seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(self.spec.colours[:players]))
        self.table: Table = begin_table(self.store, self.settings, NewGame(game, seats, session="watched"))
        self.deal(Random(3))
        self.now_ms = 0
        self.kept: list[int] = []
        self.eyes = SimulatedEyes(self.table.rules, Noise(), Random(5))
        self.view = board_look(self.table.rules, self.table.session.state)
        self.watch = self._new_watch()

    def _new_watch(self) -> TableWatch:
        return TableWatch(self.spec, self.table.session, Policy(DEFAULT_DEMANDS), keep=self.kept.append)

    def deal(self, random: Random) -> None:
        """Draw what is due by the exact odds."""
        rules = self.table.rules
        while outcomes := rules.chance_outcomes(self.table.session.state):
            draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
            self.say(rules.format(draw))

    def say(self, *texts: str) -> Answer:
        """Somebody enters these events."""
        answer = self.table.session.ask(Play(texts=texts))
        assert answer.accepted, answer
        return answer

    def stage(self, text: str, number: int = 0) -> None:
        """Show the table as it is at a stage of a legal event that begins now."""
        rules = self.table.rules
        self.view = path_look(rules, self.table.session.state, rules.parse(text))[number]

    def look(self, passed_ms: int = 500, *, hand: bool = True) -> tuple[Happening, ...]:
        """A hand passes (if `hand`), then the table is seen once, so much later."""
        self.now_ms += passed_ms
        if hand:
            self.watch.observe(BoardObservation(0, self.now_ms, ViewState.HAND))
        seen = self.eyes.look(self.view)
        return self.watch.observe(replace(seen, time_ms=self.now_ms))

    def kinds(self, **how: object) -> list[HappeningKind]:
        """What kinds of things a look finds."""
        return [h.kind for h in self.look(**how)]  # type: ignore[arg-type]

    @property
    def alerts(self) -> dict[str, dict]:
        """The open alerts."""
        return dict(self.table.session.moment.mood.alerts)

    def restart(self) -> None:
        """The program ends and begins again; the table stays as it lies."""
        self.table.close()
        self.table = resume_table(self.store, self.settings, "watched")
        self.watch = self._new_watch()

    def close(self) -> None:
        """End the session."""
        self.table.close()
        self.store.close()


def all_have_chosen(folder: Path) -> Iterator[WatchedTable]:
    """A table at which three players have chosen; A (purple) begins. r1c1 and r1c2 need two cubes."""
    table = WatchedTable(folder)
    table.say("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    yield table
    table.close()
