"""What happened from picture to picture of a game: the ordinary watch at a session, one picture a turn."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.core.events import Cause, CauseKind
from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.core.layout import BoardView, SlotView
from companion.core.types import SEATS, Event, Seat, SeatInfo, Setup, Violation
from companion.table.commands import Overrule, Play
from companion.table.record.records import SessionHeader
from companion.table.record.store import Store
from companion.table.session import Session
from companion.table.tracking.happenings import Happening as TableHappening
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS

from . import GAME
from .board import SIDE, known_square, slot
from .by_sight import as_it_lies, lays_that_show
from .catalogue import Catalogue
from .laying import placed
from .pictures import LEAST_P, SeenPicture, SeenSquare, Square, fuse, letters_of
from .rules import CrosswordRules
from .state import Challenge, Lay, Pass, State
from .turns import divisions, points_after
from .words import ALL_SEVEN, ALL_SEVEN_POINTS

PICTURE_A_TURN = Policy(DEFAULT_DEMANDS, patience=1, stills=True, take_backs=0)
"""Every picture is a turn of its own: what it leaves open no other picture will tell, and is said at once."""

@dataclass(frozen=True, slots=True)
class Happening:
    """What was new in a picture. `kind`: names, empty, move, withdrawal, pass_or_exchange, unexplained or refused.

    `words`: (letters, points) of every word; `violation`: the clause and sentence of what is against the rules;
    `sure`: whether the totals rest on nothing that was left unexplained.
    """

    picture: str
    kind: str
    player: int | None
    laid: Mapping[Square, str]
    removed: Mapping[Square, str]
    words: tuple[tuple[str, int], ...]
    bonus: int
    points: int
    totals: tuple[int, ...]
    letters: Mapping[Square, str]
    unsure: Mapping[Square, Mapping[str, float]]
    violation: tuple[str, str] | None = None
    sure: bool = True



class GameFollower:
    """Follows one game picture by picture. The first picture of an empty board begins it.

    When none shows it empty, the game begins before the first picture whose tiles stay where they are.
    """

    def __init__(self, catalogue: Catalogue, players: int = 2) -> None:
        seats = tuple(SeatInfo(f"Player {n + 1}", colour) for n, colour in enumerate(GAME.colours[:players]))
        self.catalogue, self.setup = catalogue, Setup(GAME.name, seats, catalogue.id)

    def follow(self, pictures: Sequence[SeenPicture]) -> tuple[Happening, ...]:
        """What happened in all of them, in their order."""
        fused = fuse(pictures)
        begin = _beginning(fused)
        found: list[Happening] = []
        with self._session() as session:
            game = _Game(session, self.catalogue)
            for n, picture in enumerate(fused):
                if picture.refused:
                    found.append(game.told(picture, "refused", None))
                elif n <= begin:
                    kind = "names" if n < begin or _laid(picture) else "empty"
                    found.append(game.told(picture, kind, None, letters=letters_of(picture)))
                else:
                    found += game.turn(picture, n)
        return tuple(found)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with tempfile.TemporaryDirectory(prefix="crossword-") as folder, Store(Path(folder) / "game.db") as store:
            header = SessionHeader("photographs", 0, self.setup, self.catalogue.text)
            with Session.create(store, header, GAME.make_rules(self.setup, self.catalogue)) as session:
                yield session


def _beginning(pictures: Sequence[SeenPicture]) -> int:
    """The last picture before the game: the first empty board, or the one before tiles lie that stay (-1: none is)."""
    read = [n for n, picture in enumerate(pictures) if not picture.refused]
    empty = next((n for n in read if not _laid(pictures[n])), None)
    if empty is not None:
        return empty
    for n, following in pairwise(read):
        if _laid(pictures[n]).items() <= letters_of(pictures[following]).items():
            return n - 1
    return len(pictures)  # a single picture, or pictures of different boards


def _laid(picture: SeenPicture) -> dict[Square, str]:
    """The tiles that surely lie on the board: one doubtful square does not hide that it is empty."""
    return {square: letter for square, letter in letters_of(picture).items() if not picture.squares[square].unsure}


class _Game:
    """A session that is watched, and the people who say what no picture shows."""

    def __init__(self, session: Session, catalogue: Catalogue) -> None:
        assert isinstance(session.rules, CrosswordRules)
        self.session, self.rules = session, session.rules
        self.watch = TableWatch(GAME, session, PICTURE_A_TURN)
        self._ids = {tile.letter: tile.id for tile in catalogue.tiles} | {"": None}
        self._letters = {tile.id: tile.letter for tile in catalogue.tiles}
        self._sure = True

    def turn(self, picture: SeenPicture, number: int) -> list[Happening]:
        """What happened between the picture before and this one."""
        picture = self._of_this_turn(picture)
        if self._ended() and letters_of(picture) != self._lying():
            self._go_on()
        self.watch.observe(BoardObservation(number, number, ViewState.HAND))
        found = self.watch.observe(BoardObservation(number, number, ViewState.SETTLED, self._readings(picture)))
        out = [self._event(picture, one.event, one.before, one.state) for one in found if one.event is not None]
        if letters_of(picture) != self._lying() or self.watch.question is not None:
            out += self._several_turns(picture, found)
        elif not out:
            out.append(self._nothing_new(picture))
        return out

    def _of_this_turn(self, picture: SeenPicture) -> SeenPicture:
        """Without the tiles that were laid in a later turn, on squares that are covered in this picture."""
        before = self._lying()
        new = {square for square in letters_of(picture) if square not in before}
        hidden = {square for square in new if picture.squares[square].covered}
        if not hidden:
            return picture
        self._sure = False  # whether they lay there already no picture tells
        later = replace(picture, squares={s: seen for s, seen in picture.squares.items() if s not in hidden})
        if new > hidden and self._legal(later) and not self._legal(picture):
            return later
        guessed = {square: replace(picture.squares[square], unsure=True) for square in hidden}
        return replace(picture, squares={**picture.squares, **guessed})

    def _legal(self, picture: SeenPicture) -> bool:
        now = letters_of(picture).items()
        seen = frozenset((slot(*square), SlotView(self._ids[letter])) for square, letter in now)
        return bool(lays_that_show(self.rules, self.session.state, seen))

    def _readings(self, picture: SeenPicture) -> tuple[SlotReading, ...]:
        empty = SeenSquare({"": 1.0})
        squares = ((column, row) for row in range(SIDE) for column in range(SIDE))
        return tuple(self._reading(square, picture.squares.get(square, empty)) for square in squares)

    def _reading(self, square: Square, seen: SeenSquare) -> SlotReading:
        likely = sorted(seen.letters.items(), key=lambda one: -one[1])
        faces = tuple((self._ids[letter], math.log(max(p, LEAST_P))) for letter, p in likely)
        return SlotReading(slot(*square), Sight.SEEN, faces)

    def _lying(self) -> dict[Square, str]:
        state: State = self.session.state
        return {known_square(name): self._letters[tile] for name, tile in state.board}

    def _event(self, picture: SeenPicture, event: Event, before: State, after: State) -> Happening:
        if isinstance(event, Challenge):
            assert before.last is not None
            lay = dict(before.board)
            removed = {known_square(name): self._letters[lay[name]] for name in before.last.slots}
            return self.told(picture, "withdrawal", int(before.last.seat), removed=removed, points=-before.last.points,
                             totals=after.points)  # fmt: skip
        assert isinstance(event, Lay), event
        laid = {known_square(name): self._letters[tile] for name, tile in placed(event)}
        board = dict(after.board)
        words = tuple(
            ("".join(self._letters[board[slot(*square)]] for square in word.squares), word.points)
            for word in self.rules.words(before, event)
        )
        if any(square in laid and seen.unsure for square, seen in picture.squares.items()):
            self._sure = False
        points = after.points[event.seat] - before.points[event.seat]
        bonus = ALL_SEVEN_POINTS if len(laid) == ALL_SEVEN else 0
        return self.told(picture, "move", int(event.seat), laid=laid, words=words, bonus=bonus, points=points,
                         totals=after.points)  # fmt: skip

    def _nothing_new(self, picture: SeenPicture) -> Happening:
        """Whose turn it was passed or exchanged tiles: people say so. Nobody does when the game has ended."""
        seats = () if self._ended() else self.rules.to_act(self.session.state)
        if seats:
            self._say(Pass(seats[0]))
        return self.told(picture, "pass_or_exchange", int(seats[0]) if seats else None)

    def _several_turns(self, picture: SeenPicture, found: tuple[TableHappening, ...]) -> list[Happening]:
        """No turn leads to this board. Where pictures are missing the fewest turns that do are taken to have been: told
        one by one, if they can be only these, else as unexplained. Whose turn is next depends on how many they were.
        """
        before, now = self._lying(), letters_of(picture)
        new = {square for square in now if square not in before}
        state: State = self.session.state
        # a letter that nobody is sure of may be no tile at all: then it was one turn
        clear = before.items() <= now.items() and not any(picture.squares[square].unsure for square in new)
        tiles = tuple((slot(*square), str(self._ids[now[square]])) for square in sorted(new))
        ways = divisions(self.rules, state, tiles) if clear else ()
        if len({points_after(self.rules, state, way) for way in ways}) != 1:
            return [self._unexplained(picture, found, turns=len(ways[0]) if ways else 1)]
        self._sure = False  # a turn without a word may have been among them
        out = []
        for lay in ways[0]:
            earlier: State = self.session.state
            self._say(lay)
            out.append(self._event(picture, lay, earlier, self.session.state))
        return out

    def _unexplained(self, picture: SeenPicture, found: tuple[TableHappening, ...], turns: int) -> Happening:
        """So many turns or more led to this board: it is told with its clause, and taken as it lies."""
        before, now = self._lying(), letters_of(picture)
        seats = self.rules.to_act(self.session.state)
        violation = next((one.violation for one in found if one.kind is HappeningKind.ILLEGAL), None)
        self._sure = False
        out = self.told(
            picture, "unexplained", int(seats[0]) if seats else None,
            laid={square: letter for square, letter in now.items() if square not in before},
            removed={square: letter for square, letter in before.items() if square not in now},
            letters=now, violation=violation,
        )  # fmt: skip
        self._take_as_it_lies(now, turns)
        return out

    def _take_as_it_lies(self, now: Mapping[Square, str], turns: int) -> None:
        seen = BoardView(tuple((slot(*square), SlotView(self._ids[letter])) for square, letter in now.items()))
        lying, problems = as_it_lies(self.rules, self.session.state, seen)
        if problems:
            return  # more of a letter than the box has: the next picture is compared with the board before it
        turn = (lying.turn + turns) % len(self.session.header.setup.seats)  # they were taken, whatever they were
        self._overrule(replace(lying, idle=0, turn=turn))

    def _ended(self) -> bool:
        seats = self.rules.to_act(self.session.state)
        return not seats or self.rules.check(self.session.state, Pass(seats[0])) is not None

    def _go_on(self) -> None:
        """More is laid after turns without a word that end a game: some of those pictures showed no turn at all."""
        self._sure = False
        self._overrule(replace(self.session.state, idle=0))

    def _overrule(self, state: State) -> None:
        everybody = tuple(SEATS[: len(self.session.header.setup.seats)])
        answer = self.session.ask(Overrule(state=self.rules.dump(state), why="the photograph shows it so",
                                           consents=everybody, cause=Cause(CauseKind.OPERATOR)))  # fmt: skip
        assert answer.accepted, answer

    def _say(self, act: Pass | Lay) -> None:
        answer = self.session.ask(Play(texts=(self.rules.format(act),), cause=Cause(CauseKind.OPERATOR)))
        assert answer.accepted, answer

    def told(
        self, picture: SeenPicture, kind: str, player: int | None, *, laid: Mapping[Square, str] | None = None,
        removed: Mapping[Square, str] | None = None, words: tuple[tuple[str, int], ...] = (), bonus: int = 0,
        points: int = 0, letters: Mapping[Square, str] | None = None, violation: Violation | None = None,
        totals: tuple[int, ...] | None = None,
    ) -> Happening:  # fmt: skip
        """What a picture was about. `letters` and `totals`: those of the session if nothing else is said."""
        unsure = {square: dict(seen.letters) for square, seen in picture.squares.items() if seen.unsure}
        broken = None if violation is None else (violation.clause, violation.message.format(**_facts(violation)))
        shown = self._lying() if letters is None else dict(letters)
        now = self.session.state.points if totals is None else totals
        return Happening(picture.name, kind, player, laid or {}, removed or {}, words, bonus, points,
                         now, shown, unsure, broken, self._sure)  # fmt: skip


def _facts(violation: Violation) -> dict[str, object]:
    return {name: value.name if isinstance(value, Seat) else value for name, value in violation.facts}
