"""A crossword tile game on a printed board of 15 x 15 squares: an example of a game in a folder of one's own."""

from pathlib import Path

from companion.core.game import GameSpec

from .by_sight import as_it_lies, blame
from .catalogue import load_catalogue
from .clauses import CLAUSES
from .rules import MAX_SEATS, MIN_SEATS, CrosswordRules
from .state import Challenge, Exchange, Finish, Lay, LeftOver, Pass

GAME = GameSpec(
    name="crossword",
    title="Crossword tiles",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    clauses=CLAUSES,
    options=(),
    action_types=(Lay, Exchange, Pass, Challenge, Finish, LeftOver),
    draw_types=(),
    default_catalogue="german",
    load_catalogue=load_catalogue,
    make_rules=CrosswordRules,
    locale_dir=Path(__file__).parent / "locale",
    colours=("red", "blue", "green", "yellow"),
    blame=blame,
    as_it_lies=as_it_lies,
)
