"""The rules of the crossword game, bound to a set-up and a catalogue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.core.errors import DataError
from companion.core.game_kit.common_rules import CommonRules
from companion.core.game_kit.score_views import line_view, result_view
from companion.core.game_kit.setups import seat_problems
from companion.core.game_kit.state_reader import StateReader
from companion.core.layout import BoardView, SlotOutline, SlotView, TableLayout
from companion.core.types import (
    SEATS,
    Action,
    ChanceOutcome,
    Event,
    Json,
    Problem,
    Result,
    ScoreLine,
    Seat,
    SeatScore,
    Setup,
    Violation,
)

from .board import SIDE, known_square, slot, square_of
from .by_sight import lays_that_show
from .catalogue import Catalogue
from .laying import MOST_TILES, check_lay, placed
from .state import NOTATION, Challenge, Exchange, Finish, Lay, LeftOver, Pass, State, Turn
from .words import Word, turn_points, words_made

SQUARE_MM, TILE_MM = 20.0, 19.0
MIN_SEATS, MAX_SEATS = 2, 4
IDLE_ROUNDS = 2  # C11


@dataclass(frozen=True)
class CrosswordRules(CommonRules):
    """See `companion.core.game.Rules`. Racks stay with the players: the table knows what lies on the board only.

    `legal_actions` leaves out `Lay`: which words a rack allows nobody but its player knows. They are seen, or typed.
    Raises DataError for a set-up that does not fit.
    """

    notation = NOTATION
    setup: Setup
    catalogue: Catalogue

    def __post_init__(self) -> None:
        problems = seat_problems(self.setup, "crossword", MIN_SEATS, MAX_SEATS, "C9")
        if problems:
            raise DataError("; ".join(problems), where="set-up")

    def __hash__(self) -> int:
        return hash((self.setup, self.catalogue.tiles, self.catalogue.premiums))

    def initial(self) -> State:
        seats = len(self.setup.seats)
        return State((), (0,) * seats, (None,) * seats)

    def _ended(self, state: State) -> bool:
        return state.out is not None or state.idle >= IDLE_ROUNDS * len(self.setup.seats)  # C11

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if self._ended(state):
            return tuple(seat for seat, left in zip(SEATS, state.left, strict=False) if left is None)  # C12
        return (SEATS[state.turn],)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        every: list[Action] = []
        for seat in (*self.to_act(state), *((state.last.seat,) if state.last is not None else ())):
            every += [Pass(seat), Challenge(seat), Finish(seat), *(Exchange(seat, n + 1) for n in range(MOST_TILES))]
        return tuple(action for action in every if self.check(state, action) is None)

    def check(self, state: State, action: object) -> Violation | None:
        if not isinstance(action, Action) or not NOTATION.well_formed(action):
            return Violation("C9", "that is no act of this game")
        facts = (("player", action.seat),)
        if isinstance(action, Finish):
            return self._check_finish(state, action, facts)
        if action.seat not in self.to_act(state):
            # C9: one after the other
            return Violation("C9", "it is not {player}'s turn", facts)
        if isinstance(action, LeftOver) != self._ended(state):
            # C11, C12: what is left over is told at the end, and nothing else is done then
            message = "the game has ended: {player} tells which tiles are left over" if self._ended(state) else (
                "tiles left over are told when the game has ended")  # fmt: skip
            return Violation("C12", message, facts)
        match action:
            case Lay():
                return check_lay(dict(state.board), action, self.catalogue)
            case Challenge() if state.last is None:
                # C10: the word just laid
                return Violation("C10", "no word was laid just before", facts)
            case Exchange() if not 1 <= action.number <= min(MOST_TILES, self._unseen(state)):
                # C9, C5: tiles that a player can have
                more = (*facts, ("number", action.number))
                return Violation("C9", "{player} has no {number} tiles to exchange", more)
            case LeftOver():
                return self._check_left(action, facts)
        return None

    def _unseen(self, state: State) -> int:
        """How many tiles lie in the bag and on the racks."""
        return sum(tile.copies for tile in self.catalogue.tiles) - len(state.board)

    def _check_finish(self, state: State, action: Finish, facts: tuple[tuple[str, Any], ...]) -> Violation | None:
        others = MOST_TILES * (len(self.setup.seats) - 1)
        if self._ended(state) or state.last is None or state.last.seat != action.seat:
            # C11: who laid the last tile
            return Violation("C11", "only who has just laid a word can have finished", facts)
        if self._unseen(state) > others:
            # C11: the bag must be empty
            more = (*facts, ("number", self._unseen(state)), ("most", others))
            return Violation("C11", "{number} tiles are not on the board: the others hold {most} at most", more)
        return None

    def _check_left(self, action: LeftOver, facts: tuple[tuple[str, Any], ...]) -> Violation | None:
        known = self.catalogue.by_id()
        tiles = [tile for tile in action.tiles if tile != "none"]
        wrong = tuple(tile for tile in tiles if tile not in known)
        if wrong or len(tiles) > MOST_TILES:
            # C12: up to seven tiles of the box
            return Violation("C12", "{tiles} are not up to seven tiles of the box", (*facts, ("tiles", action.tiles)))
        return None

    def check_draw(self, state: State, draw: object) -> Violation | None:  # noqa: ARG002 - nothing is drawn openly
        return Violation("C9", "tiles are drawn unseen: there is no draw to tell")

    def chance_outcomes(self, state: State) -> tuple[ChanceOutcome, ...]:  # noqa: ARG002 - as above
        return ()

    def words(self, state: State, lay: Lay) -> tuple[Word, ...]:
        """The words that a legal turn makes, with their points (C7)."""
        board = {known_square(name): tile for name, tile in (*state.board, *placed(lay))}
        laid = frozenset(known_square(name) for name, _ in placed(lay))
        points = {tile.id: tile.points for tile in self.catalogue.tiles}
        return words_made(board, laid, points, self.catalogue.premiums)

    def after(self, state: State, event: Event) -> State:
        following = (state.turn + 1) % len(self.setup.seats)
        match event:
            case Lay():
                points = turn_points(self.words(state, event), len(event.tiles))  # C7, C8
                last = Turn(event.seat, tuple(sorted(name for name, _ in placed(event))), points)
                return replace(state, board=tuple(sorted((*state.board, *placed(event)))), turn=following, last=last,
                               points=_add(state.points, event.seat, points), idle=0)  # fmt: skip
            case Challenge():
                assert state.last is not None
                # C10: the tiles come off, the points are taken back, the turn is lost
                board = tuple(pair for pair in state.board if pair[0] not in state.last.slots)
                points_left = _add(state.points, state.last.seat, -state.last.points)
                return replace(state, board=board, points=points_left, last=None)
            case Finish():
                return replace(state, out=event.seat, left=_put(state.left, event.seat, 0))
            case LeftOver():
                known = self.catalogue.by_id()
                value = sum(known[tile].points for tile in event.tiles if tile != "none")
                return replace(state, left=_put(state.left, event.seat, value))
        return replace(state, turn=following, last=None, idle=state.idle + 1)  # C9: an exchange or a pass

    def scores(self, state: State) -> tuple[SeatScore, ...]:
        told = [left or 0 for left in state.left]
        found = []
        for seat, points in zip(SEATS, state.points, strict=False):
            lines = [ScoreLine("C7", "words", points)]
            if self._ended(state):
                gained = sum(told) if seat == state.out else -told[seat]  # C12
                lines.append(ScoreLine("C12", "tiles left over", gained))
            found.append(SeatScore(seat, tuple(lines), sum(line.points for line in lines)))
        return tuple(found)

    def result(self, state: State) -> Result | None:
        if not self._ended(state) or self.to_act(state):
            return None
        scores = self.scores(state)
        best = max(score.total for score in scores)
        return Result("C11", scores, tuple(score.seat for score in scores if score.total == best), "C13")

    def problems(self, state: State) -> tuple[Problem, ...]:
        found = []
        tiles = [tile for _, tile in state.board]
        for tile in self.catalogue.tiles:
            if tiles.count(tile.id) > tile.copies:
                facts = (("letter", tile.letter), ("expected", tile.copies), ("got", tiles.count(tile.id)))
                found.append(Problem(tile.id, "{letter}: the box has {expected}, {got} lie on the board", facts, "C6"))
        return tuple(found)

    def dump(self, state: State) -> Json:
        last = state.last
        return {
            "board": [list(pair) for pair in state.board], "points": list(state.points), "left": list(state.left),
            "turn": state.turn, "idle": state.idle, "out": None if state.out is None else int(state.out),
            "last": None if last is None else [int(last.seat), list(last.slots), last.points],
        }  # fmt: skip

    def load(self, data: Json) -> State:
        keys = ("board", "points", "left", "turn", "idle", "out", "last")
        reader = StateReader(data)
        try:
            out, last = data["out"], data["last"]
            state = State(
                tuple((str(name), str(tile)) for name, tile in data["board"]), tuple(map(int, data["points"])),
                tuple(None if left is None else int(left) for left in data["left"]), int(data["turn"]),
                None if last is None else Turn(Seat(last[0]), tuple(map(str, last[1])), int(last[2])),
                int(data["idle"]), None if out is None else Seat(out),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"expected the state of a crossword game, got {error!r}", where="state") from error
        known = self.catalogue.by_id()
        if any(square_of(name) is None or tile not in known for name, tile in state.board):
            raise DataError("expected squares of the board with tiles of the box", where="state")
        reader.refuse(keys, lambda: self.problems(state))
        return state

    def view(self, state: State, viewer: Seat | None) -> Json:  # noqa: ARG002 - what is secret is not known here
        awaited = [seat.name for seat in self.to_act(state)]
        seats: list[dict[str, Any]] = [
            {"seat": score.seat.name, "score": {"total": score.total, "lines": [line_view(one) for one in score.lines]}}
            for score in self.scores(state)
        ]
        turn = {"expected": "a word is laid, tiles are exchanged, or it is passed", "clause": "C9"}
        end = {"expected": "tiles left over are told", "clause": "C12"}
        expected = (end if self._ended(state) else turn) if awaited else {}
        return {"awaited": awaited, "seats": seats, "result": result_view(self.result(state)), **expected}

    def acts_in_one_go(self, state: State, seen: frozenset[tuple[str, SlotView]]) -> tuple[tuple[Event, ...], ...]:
        """See `companion.core.game.ActsInOneGo`: the words that `seen` may be, which no list of legal acts holds."""
        return lays_that_show(self, state, seen)

    def found_by_sight(self, state: State) -> bool:  # noqa: ARG002 - a challenge, too, is seen and stands in the list
        """See `companion.core.game.ActsInOneGo`."""
        return False

    def board(self, state: State) -> BoardView:
        return BoardView(tuple((name, SlotView(face=tile)) for name, tile in state.board))

    def layout(self) -> TableLayout:
        half = TILE_MM / 2
        outlines = []
        for row in range(SIDE):
            for column in range(SIDE):
                x, y = ((n - (SIDE - 1) / 2) * SQUARE_MM for n in (column, row))
                corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
                outlines.append(SlotOutline(slot(column, row), corners))
        return TableLayout(tuple(outlines), seat_pieces=False)

    def faces(self) -> tuple[str, ...]:
        return tuple(tile.id for tile in self.catalogue.tiles)

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        assert isinstance(event, Action)
        facts: tuple[tuple[str, Any], ...] = (("player", event.seat),)
        match event:
            case Lay():
                return "{player} lays {tiles}", (*facts, ("tiles", event.tiles))
            case Exchange():
                return "{player} exchanges {number} tiles", (*facts, ("number", event.number))
            case Challenge():
                return "{player} challenges: the tiles come off the board", facts
            case Finish():
                return "{player} has no tile left", facts
            case LeftOver():
                return "{player} has {tiles} left over", (*facts, ("tiles", event.tiles))
        return "{player} passes", facts


def _add(points: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return tuple(value + more if n == seat else value for n, value in enumerate(points))


def _put(left: tuple[int | None, ...], seat: int, value: int) -> tuple[int | None, ...]:
    return tuple(value if n == seat else old for n, old in enumerate(left))
