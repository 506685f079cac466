"""What fails in a game's own code, said with file and line: anybody's code runs there, and may fail in any way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb

from companion.core.errors import CompanionError
from companion.core.game import Rules, State
from companion.core.messages import Message
from companion.core.types import Seat

GAMES = "companion.games."
"""What the names of all modules of games begin with, wherever their files lie."""

FAILED = (
    "the code of the game failed, and nothing was recorded: {error} ({place}). "
    "Mend that line, then start the companion again"
)


class GameCodeError(CompanionError):
    """A game's code raised what it should not have. `facts`: those of FAILED."""

    def __init__(self, error: Exception, place: str) -> None:
        self.facts = {"error": f"{type(error).__name__}: {error}".removesuffix(": "), "place": place}
        super().__init__(Message(FAILED, **self.facts))


def place_in_game(error: BaseException) -> str:
    """Where in a game's code the error arose, as "orchard/rules.py, line 44"; empty when it arose elsewhere."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__", "")).startswith(GAMES):
            file = Path(frame.f_code.co_filename)
            return f"{file.parent.name}/{file.name}, line {line}"
    return ""


def game_code_error(error: Exception) -> GameCodeError | None:
    """What to say of an error that no part foresaw; None when it did not arise in a game's code."""
    place = place_in_game(error)
    return GameCodeError(error, place) if place else None


@contextmanager
def game_code() -> Iterator[None]:
    """Raise what fails in a game's code as GameCodeError; everything else as it is."""
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        told = game_code_error(error)
        if told is None:
            raise
        raise told from error


def try_state(rules: Rules, state: State) -> None:
    """Ask all of a state that is asked of it once it holds, so that what raises does so before it is in the record."""
    rules.dump(state)
    rules.result(state)
    rules.to_act(state)
    rules.scores(state)
    rules.board(state)
    for viewer in (None, *map(Seat, range(len(rules.setup.seats)))):
        rules.view(state, viewer)
    for outcome in rules.chance_outcomes(state):
        rules.describe(outcome.draw)
    for action in rules.legal_actions(state):
        rules.describe(action)
        rules.is_secret(action)
