"""What a game must offer: the Rules protocol, and the GameSpec by which the registry knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from companion.core.duties import Duty, Reminder
from companion.core.face_form import FaceForm
from companion.core.layout import BoardView, SlotView, TableLayout
from companion.core.messages import Message
from companion.core.types import (
    Action,
    ChanceOutcome,
    Clause,
    Draw,
    Event,
    Face,
    Json,
    Problem,
    Result,
    Seat,
    SeatScore,
    Setup,
    Slot,
    Violation,
)

State = Any
"""A game's own immutable, hashable value: only what the table can know, never a hidden order."""


class Rules(Protocol):
    """One game's rules, bound to a set-up and a catalogue. Pure: no clock, no generator, no I/O.

    A state is in exactly one of three conditions: terminal (`result` is not None), at chance
    (`chance_outcomes` is not empty) or waiting for seats (`to_act` is not empty).
    """

    def __hash__(self) -> int:
        """Rules can be a key: what was worked out for a state is remembered beside it."""

    @property
    def setup(self) -> Setup:
        """The set-up these rules are bound to."""

    def initial(self) -> State:
        """The state before the first draw or action; dealing is chance."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats that may act now, several in a simultaneous phase; empty at chance and at the end."""

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every action that `check` passes, in canonical order; empty at chance and at the end."""

    def check(self, state: State, action: object) -> Violation | None:
        """Why `action` (anything at all) is illegal in `state`, or None. Never raises, never changes a state."""

    def check_draw(self, state: State, draw: object) -> Violation | None:
        """Why `draw` cannot happen in `state`, or None. Total and pure like `check`."""

    def apply(self, state: State, event: Event) -> State:
        """The state after a legal action or a possible draw. Raises ValueError for anything else."""

    def chance_outcomes(self, state: State) -> tuple[ChanceOutcome, ...]:
        """The possible draws in canonical order with exact probabilities; empty when not at chance."""

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""

    def scores(self, state: State) -> tuple[SeatScore, ...]:
        """The score of every seat as if the game ended now, line by line."""

    def problems(self, state: State) -> tuple[Problem, ...]:
        """Broken invariants of a state (pieces lost or doubled); empty for every state that play can reach."""

    def parse(self, text: str) -> Event:
        """The event that `text` names. Raises NotationError saying what was expected."""

    def format(self, event: Event) -> str:
        """The canonical text of an event: one line, ASCII, `parse(format(e)) == e`."""

    def dump(self, state: State) -> Json:
        """The whole state as JSON (secrets included): `load(dump(s)) == s`."""

    def load(self, data: Json) -> State:
        """The state that `dump` wrote. Raises DataError naming every key that is wrong."""

    def view(self, state: State, viewer: Seat | None) -> Json:
        """What `viewer` (None: a spectator) may know, as JSON for a page. Secrets of others are left out."""

    def board(self, state: State) -> BoardView:
        """What lies on the table in this state."""

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """The views the real table passes through when `event` happens, the last being `board(after)`.

        Envyra: a cube that captures is first seen lying, then the tile is gone.
        """

    def layout(self) -> TableLayout:
        """Where the slots of this set-up lie on the table."""

    def faces(self) -> tuple[Face, ...]:
        """Every face that can be seen on the table."""

    def same_face(self, face: Face) -> Face:
        """The representative of the faces that look the same as `face` (itself when none does)."""

    def is_reveal(self, before: State, event: Event) -> bool:
        """Whether `event` makes a secret public, so that undoing it needs everyone's consent."""

    def is_secret(self, event: Event) -> bool:
        """Whether `event` itself may be shown only to its seat while the game has not revealed it."""

    def describe(self, event: Event) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """A sentence about the event: English message id with placeholders, and its facts."""


def violation_of(rules: Rules, state: State, event: Event) -> Violation | None:
    """Why an action or a draw is illegal in `state`, or None."""
    return rules.check(state, event) if isinstance(event, Action) else rules.check_draw(state, event)


@dataclass(frozen=True, slots=True)
class Account:
    """What was seen to happen though a secret before it was not read, and what that says of the secret."""

    events: tuple[Event, ...]
    """The open events, in their order."""
    fitting: tuple[tuple[Seat, int], ...]
    """Per seat whose secret is unread: how many of its secret acts fit the events."""
    inferred: tuple[Action, ...] = ()
    """The secret acts that lead to `over` with the events; of several that fit those with the least in them."""
    over: State | None = None
    """The state of the game after `inferred` and `events`, if no more of these events come; None while one must."""
    certain: bool = False
    """Whether no more of them can come."""


@runtime_checkable
class InferringRules(Rules, Protocol):
    """Rules for a table where secrets are not read at their reveal: play goes on, and they follow from what is done.

    States are the game's own, and others while something is unread: those are legal for these rules only.
    """

    def account(self, state: State) -> Account | None:
        """What was inferred on the way to `state`; None for a state of the game itself."""

    def begin(self, state: State) -> State:
        """The state in which play goes on though something is unread; `state` itself where nothing is."""

    def recorded(self, event: Event) -> bool:
        """Whether `event` is one of the game's; others only say that no more acts of a kind will come."""


@dataclass(frozen=True, slots=True)
class UnseenAct:
    """An act that leaves nothing to be seen, and follows from what is seen after it: any act, or one of the same seat.

    `forced`: nothing else could have been done, so whatever is seen after it follows from it. `shown_by`: who must be
    seen to act after it where that is another seat.
    """

    action: Action
    forced: bool
    shown_by: Seat | None = None

    @property
    def only(self) -> Seat | None:
        """The seat whose act shows it; None: anybody's."""
        return None if self.forced else self.action.seat if self.shown_by is None else self.shown_by


@runtime_checkable
class ActsUnseen(Protocol):
    """Rules of a game in which acts that leave nothing to be seen follow from what is seen after them."""

    def unseen_before(self, state: State) -> UnseenAct | None:
        """The act that has happened in `state` if it is seen that the game has gone on from it; None: not known.

        Only an act that could not have been another: what people chose among several must be told.
        """


@runtime_checkable
class ActsInOneGo(Protocol):
    """Rules of a game in which hands do several things before anything can be seen, such as drawing a face and laying
    it, or moving a piece by several steps."""

    def acts_in_one_go(self, state: State, seen: frozenset[tuple[Slot, SlotView]]) -> tuple[tuple[Event, ...], ...]:
        """The chains of legal events that lead from `state` to a table on which some of `seen` lies and of which only
        the last is seen. Of chains with the same outcome one stands for all.

        `seen`: what may lie in the slots where something has changed; no chain need be tried that shows none of it.
        """

    def found_by_sight(self, state: State) -> bool:
        """Whether so much may be done next that it is not tried one by one: `acts_in_one_go` gives single events too.
        """


class SeenFirst(NamedTuple):
    """How an event is seen first: the one slot that changes, and how it looks from then on until the event is over."""

    slot: Slot
    view: SlotView
    then: tuple[tuple[Slot, SlotView], ...] | None
    """What changes on the table after that; None: not known."""


@runtime_checkable
class ActsInPlaces(Protocol):
    """Rules of a game that say where an event is seen before the table after it is worked out: many may come next, and
    few of them are looked for."""

    def seen_first(self, state: State, event: Event) -> SeenFirst | None:
        """How `event`, which is legal in `state`, is seen first; None: not known."""


@runtime_checkable
class WaysCompared(Protocol):
    """Rules of a game in which the same act can be come to by several ways, of which some must be shown or told."""

    def goes_without_saying(self, way: State, other: State) -> bool:
        """Whether who is seen after the same last act is at `way`, unless it shows or tells that it is at `other`."""


@runtime_checkable
class SensibleActs(Protocol):
    """Rules of a game that know which acts nobody does who wants to win, since another act is plainly better."""

    def sensible(self, state: State, ways: tuple[tuple[Event, ...], ...]) -> tuple[tuple[Event, ...], ...]:
        """Those of `ways` to which none of the others is plainly better for the seat that acts; at least one.

        `ways`: chains of legal events from `state`, that seat's act first or after what leaves nothing to be seen.
        """


@runtime_checkable
class MoneyShown(Protocol):
    """Rules of a game in which players keep their money on the table, in the purses of the layout."""

    def purses(self, state: State) -> Mapping[Slot, int]:
        """What the coins in each purse come to in `state`, once hands are done."""

    def purses_at_start(self) -> Mapping[Slot, int]:
        """The same when the first player's turn comes: no act has paid or taken money yet."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A choice at set-up: its key, values (the first is the default), message ids, and the clause it switches."""

    key: str
    values: tuple[str, ...]
    title: str
    clause: str
    labels: tuple[str, ...] = ()
    """Message ids of what the values mean to people; empty: the values themselves."""


Told: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]
"""A message id with the facts of its placeholders."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game as the registry knows it. Everything a part needs in order to offer the game at the table."""

    name: str
    title: str
    min_seats: int
    max_seats: int
    clauses: Mapping[str, Clause]
    options: tuple[OptionSpec, ...]
    action_types: tuple[type[Action], ...]
    draw_types: tuple[type[Draw], ...]
    default_catalogue: str
    load_catalogue: Callable[[str | Path], Any]
    """Catalogue by name (shipped) or path. Raises DataError with all problems at once.

    Every catalogue has `id`, `title`, `provenance` (key -> Provenance), `has_sample_values` and `piece_counts`
    (sort of piece -> number of them).
    """
    make_rules: Callable[[Setup, Any], Rules]
    """Rules for a set-up and a loaded catalogue. Raises DataError when they do not fit each other."""
    locale_dir: Path
    """Folder with sk.po and cs.po: translations of the game's message ids."""
    score_faces: Callable[[Any, tuple[Face, ...]], SeatScore] | None = None
    """Tally of the captured faces of one player (catalogue, faces), where the game has such a tally."""
    check_faces: Callable[[Any, tuple[Face, ...]], None] | None = None
    """Raises DataError when more of a face are named for such a tally than the box has (catalogue, faces)."""
    same_looks: Callable[[Any], Mapping[Face, Face]] | None = None
    """Of a game whose catalogue lists every piece of the box by itself: each piece of a catalogue -> the first one that
    looks the same."""
    face_clause: str = ""
    set_clause: str = ""
    """The clauses of the lines of such a tally that count single faces, and sets of them; others count the rest."""
    pieces: Callable[[Any], tuple[Json, ...]] | None = None
    """What such a tally can name, of a catalogue: a row of JSON for each piece, with its `id`."""
    faces: Callable[[Any], Mapping[Face, Json]] | None = None
    """What the pages draw of each face of a catalogue: face -> JSON, with at least `id`; None: its name."""
    colours: tuple[str, ...] = ()
    """Names of the piece colours in the box."""
    form: FaceForm | None = None
    """What is printed on the pieces, by which a box of one's own is learnt on the pages; None: it is not offered."""
    more_forms: tuple[FaceForm, ...] = ()
    """Forms of pieces of other sorts, which may be learnt beside: each by itself, all in one box."""
    blame: Callable[[Rules, State, BoardView, BoardView], Violation] | None = None
    """(rules, state, the table as accepted, the table as seen) -> the clause that the change on the table breaks;
    None for a game whose table is not followed by the camera."""
    infer: Callable[[Rules], InferringRules] | None = None
    """The same rules for a table whose secrets are not read at their reveal, where the game can infer them."""
    reminders: Mapping[Duty, Reminder] = field(default_factory=dict)
    """Of what this game reminds people: the clause it rests on, and its own words; other duties are named without."""
    as_it_lies: Callable[[Rules, State, BoardView], tuple[State, tuple[Problem, ...]]] | None = None
    """(rules, state, the table as seen) -> the state in which everything but the table is as it was, for an overruling,
    and what keeps that from being played on (the state is then of no use). None: the table tells too little."""
    beside_board: Callable[[Rules, State], tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]] | None = None
    """What people need to see beside the board view, such as money and tokens: message ids with their facts, in the
    order to be shown; all of it public."""
    beside_seat: Callable[[Rules, State, Seat], tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]] | None = None
    """What one player has and nobody else may see, such as a hand of cards: as `beside_board`."""
    offer: Callable[[Rules, State, Action], tuple[str, tuple[tuple[str, Any], ...]]] | None = None
    """A sentence about an act that can be done in this position, where the position adds to `Rules.describe`: what it
    costs, what it brings, and that it brings nothing. No two acts of a position read alike. None: as `describe`."""
    places: Callable[[Action], tuple[Slot, ...]] | None = None
    """The places of the drawn table that people tap to tell an act, in order. None: the act's slots."""
    tiebreaks: tuple[str, ...] = ()
    """Message ids of what the `tiebreaks` of a score count, in their order."""
    together: bool = False
    """Whether all win or lose together."""
    turn_words: Callable[[Rules, State, Seat], Told | None] | None = None
    """What a player can do now, in one sentence to that player, with its facts; None when nothing. It says counts and
    limits before they are broken."""
    what_followed: Callable[[Rules, State, Event, State], tuple[Told, ...]] | None = None
    """(rules, before, event, after) -> what the rules made of the event by themselves, in order: captures, what goes
    back, who is passed over, income. All of it is public at once, also after a secret event, of which it tells
    nothing."""
    table_names: Callable[[Rules], Mapping[str, Message]] | None = None
    """What people call the places and faces of this table, by the record's own words for them; None: places of a grid
    by row and column, faces by the words of their ids (companion/core/game_kit/table_names.py)."""
    secret_sentences: Mapping[type[Event], str] = field(default_factory=dict)
    """What is said of a secret event to those who may not know it, by its sort: message ids that name nothing but
    `{seat}`, since a sort is as public as the phase it belongs to. A sort without one is only said to be secret."""
    for_seat_only: Callable[[Rules, Action], bool] | None = None
    """Whether it is a secret of the seat that it can do this (play a card of its hand), though no secret that it has
    done it: only the seat itself is offered such an act, and nobody else is told whether it is legal. None: of no
    act."""
    draws_told_by: Callable[[Rules, State, Seat], tuple[ChanceOutcome, ...]] | None = None
    """(rules, state, seat) -> what the seat may have drawn in secret with its own hands, each as likely as the seat
    can know: what others hold is not left out, since that would tell it. None: the possible draws."""
