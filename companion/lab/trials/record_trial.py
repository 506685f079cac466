"""A player in a process of its own that plays for ever and is killed; then its record is looked at."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.wiring import begin_table, resume_table
from companion.core.game import Rules, State
from companion.core.types import Event, Seat, SeatInfo
from companion.table.commands import Answer, Play, Undo
from companion.table.record.records import check_chain
from companion.table.record.store import Store
from companion.table.session import Session

SESSION = "trial"
GAME = NewGame("envyra", (SeatInfo("Žofia", "purple"), SeatInfo("Ján", "gray")), session=SESSION)


def next_event(rules: Rules, state: State, chance: Random) -> str:
    """The text of an event that may happen in `state`, drawn evenly; the state must not be terminal."""
    outcomes = rules.chance_outcomes(state)
    events: Sequence[Event] = [o.draw for o in outcomes] if outcomes else rules.legal_actions(state)
    return rules.format(chance.choice(events))


def play_on(session: Session, chance: Random) -> Answer:
    """One more command: an event, or, when the game is over, an undo of all of it."""
    rules, state = session.rules, session.state
    if rules.result(state) is None:
        return session.ask(Play(texts=(next_event(rules, state, chance),)))
    return session.ask(Undo(to=1, consents=tuple(Seat(i) for i in range(len(rules.setup.seats)))))


@dataclass(frozen=True, slots=True)
class Kill:
    """One trial: the last record the player had told of when it was killed, and the last one found afterwards."""

    told: int
    found: int

    @property
    def sound(self) -> bool:
        """Nothing that was told is lost; at most the one command under way came in besides."""
        return self.told <= self.found <= self.told + 1


def kill_and_resume(place: str, settings: Settings, kills: int, seed: int) -> Iterator[Kill]:
    """Let a player play in the store at `place` and kill it (SIGKILL), `kills` times, each after some acts.

    Afterwards the chain is checked and the session resumed, which replays all of it. Raises RecordError when it is not
    as it should be.
    """
    chance = Random(seed)
    for _ in range(kills):
        told = _played_until_killed(place, settings, chance.randrange(1, 40), chance.randrange(2**32))
        with Store(place) as store:
            for _ in check_chain(store.session(SESSION).header, store.records(SESSION)):
                pass
            table = resume_table(store, settings, SESSION)
            found = table.session.number
            table.close()
        yield Kill(told, found)


def _played_until_killed(place: str, settings: Settings, acts: int, seed: int) -> int:
    with killable_player(place, settings, seed) as (pid, said):
        told = 0
        for _ in range(acts + 1):
            told = said.recv()
        os.kill(pid, 9)
        try:
            while True:
                told = said.recv()
        except (EOFError, ConnectionResetError):
            return told


@contextmanager
def killable_player(place: str, settings: Settings, seed: int) -> Iterator[tuple[int, Connection]]:
    """A process that plays on in `place` for ever: its id, and where it says the number of every record it made.

    The first number says where the record was when it began. It is killed at the end.
    """
    # A server that has imported everything forks the players: starting one takes milliseconds.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "companion.games.envyra", "sqlalchemy.dialects.sqlite"])
    hear, say = context.Pipe(duplex=False)
    process = context.Process(target=_play_for_ever, args=(place, settings, seed, say), daemon=True)
    process.start()
    say.close()
    assert process.pid is not None
    try:
        yield process.pid, hear
    finally:
        process.kill()
        process.join()
        process.close()
        hear.close()


def _play_for_ever(place: str, settings: Settings, seed: int, say: Connection) -> None:
    chance = Random(seed)
    store = Store(place)
    begun = SESSION in store.names()
    table = resume_table(store, settings, SESSION) if begun else begin_table(store, settings, GAME)
    say.send(table.session.number)
    while True:
        answer = play_on(table.session, chance)
        say.send(answer.records[-1])
