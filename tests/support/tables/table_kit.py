"""What tests of the table share: sessions of the toy game, a clock that ticks by itself, a scripted bag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from toy_game import CATALOGUE, TOY_SETUP, ToyRules, toy_rules

from companion.core.errors import CompanionError
from companion.core.types import ChanceOutcome
from companion.table.commands import Answer, DrawContext, Play
from companion.table.record.records import SessionHeader
from companion.table.record.store import Store
from companion.table.session import Session

LONG_CATALOGUE = "rounds = 100000\nred = 100000\nblue = 100000\n"


def clock(start_ms: int = 1_700_000_000_000) -> Callable[[], int]:
    """A clock that advances one millisecond at every look."""
    ticks = count(start_ms)
    return lambda: next(ticks)


class ScriptedBag:
    """A bag that draws the outcomes of a script by number of the draw, and says so in the proof."""

    def __init__(self, *indices: int) -> None:
        self.indices = indices
        self.contexts: list[DrawContext] = []
        self.refuse = False

    def draw(self, outcomes: tuple[ChanceOutcome, ...], context: DrawContext) -> tuple[int, Mapping[str, Any]]:
        if self.refuse:
            raise CompanionError("the bag is not sealed")
        self.contexts.append(context)
        index = self.indices[(context.draw - 1) % len(self.indices)] % len(outcomes)
        return index, {"script": index}


def toy_header(session: str = "toy-1", catalogue: str = CATALOGUE) -> SessionHeader:
    """The header of a session of the toy game."""
    return SessionHeader(session, 1_700_000_000_000, TOY_SETUP, catalogue)


def begin(store: Store, session: str = "toy-1", catalogue: str = CATALOGUE, **options: Any) -> Session:
    """A new session of the toy game."""
    options.setdefault("clock_ms", clock())
    return Session.create(store, toy_header(session, catalogue), toy_rules(catalogue), **options)


def resume(store: Store, session: str = "toy-1", rules: ToyRules | None = None, **options: Any) -> Session:
    """The session again, from its record."""
    options.setdefault("clock_ms", clock())
    text = store.session(session).header.catalogue_text
    return Session.resume(store, session, rules or toy_rules(text), **options)


def play(session: Session, *texts: str, **options: Any) -> Answer:
    """Play events one command each and give the last answer."""
    answer = None
    for text in texts:
        answer = session.ask(Play(texts=(text,), **options))
    assert answer is not None
    return answer
