"""The registry of games: a game is a folder here, or in a folder of one's own, that exports `GAME`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from companion.core.errors import DataError
from companion.core.game import GameSpec
from companion.core.game_code import place_in_game

DEFAULT_GAME = "envyra"
"""The game of a set of pictures that names none, and of a command that is not told which."""


def game_names() -> tuple[str, ...]:
    """The names of all registered games, sorted."""
    return tuple(sorted(m.name for m in iter_modules(__path__) if m.ispkg))


def add_games(folder: Path) -> None:
    """Register the games in `folder` beside those that come with the companion; a second time changes nothing.

    Raises DataError when there is no such folder, or when a game in it has a name that is taken.
    """
    place = str(folder.resolve())
    if place in __path__:
        return
    if not folder.is_dir():
        raise DataError("expected a folder of games, found none", where=str(folder), remedy="Correct `games_dir`.")
    own = {m.name for m in iter_modules([place]) if m.ispkg}
    taken = sorted(own & set(game_names()))
    if taken:
        raise DataError(f"a game is called {', '.join(taken)} already", where=place, remedy="Rename the folder.")
    __path__.append(place)


def find_game(name: str) -> GameSpec:
    """The game called `name`. Raises DataError naming the registered ones, or saying why it cannot be loaded."""
    if name not in game_names():
        known = f"Known games: {', '.join(game_names())}. The setting games_dir names the folder of your own."
        raise DataError(f"no game is called {name!r}", remedy=known)
    try:
        spec: GameSpec = import_module(f"{__name__}.{name}").GAME
    except Exception as error:  # anybody's code runs here, and may fail in any way
        raise DataError(
            f"the game {name} cannot be loaded: {type(error).__name__}: {error}{_place(error)}",
            remedy="Its __init__.py exports GAME, a GameSpec: docs/guide/add-your-own-game.md.",
        ) from error
    if spec.name != name:
        raise DataError(f"expected a game called {name!r} in the folder of this name, got {spec.name!r}")
    return spec


def _place(error: Exception) -> str:
    """Where a game's own code failed, in brackets; empty when it is not there, and for what says it itself."""
    place = "" if isinstance(error, SyntaxError) else place_in_game(error)
    return f" ({place})" if place else ""
