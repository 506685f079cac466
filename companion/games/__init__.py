"""The registry of games: a game is a folder here that exports `GAME`; adding one changes no other game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from companion.core.errors import DataError
from companion.core.game import GameSpec


def game_names() -> tuple[str, ...]:
    """The names of all registered games, sorted."""
    return tuple(sorted(m.name for m in iter_modules(__path__) if m.ispkg))


def find_game(name: str) -> GameSpec:
    """The game called `name`. Raises DataError naming the registered ones."""
    if name not in game_names():
        raise DataError(f"no game is called {name!r}", remedy=f"Known games: {', '.join(game_names())}.")
    spec: GameSpec = import_module(f"{__name__}.{name}").GAME
    return spec
