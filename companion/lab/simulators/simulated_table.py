"""A simulated table with imperfect eyes: whole games played at random and read with stated rates of error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import log
from random import Random

from companion.core.game import Rules, SensibleActs, State
from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Face, Slot
from companion.table.tracking.appearance import board_look, path_look

PICTURES_PER_SCENE = 5
"""Settled pictures of a scene before the next hand comes: a quarter of a second at 20 pictures a second."""

PICTURE_S = 0.05
"""Between two pictures."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates per reading of a slot, 0..1, independent from picture to picture, but for `stuck`.

    `stuck`: rate per change of a slot at which it is misread the same way until something changes there again.
    """

    flipped: float = 0.0
    covered: float = 0.0
    unknown: float = 0.0
    stuck: float = 0.0

    @property
    def honest_p(self) -> float:
        """What an honest reader says of its readings: how often one that it gives is right."""
        given = 1.0 - self.covered - self.unknown
        return min(0.9999, (given - self.flipped - self.stuck) / given)


def even_noise(rate: float) -> Noise:
    """`rate` of all readings are wrong in some way: a third each flipped, covered and unknown."""
    return Noise(rate / 3, rate / 3, rate / 3)


def stubborn_noise(rate: float) -> Noise:
    """As `even_noise`, but what is flipped stays so, picture after picture, until the slot changes."""
    return Noise(0.0, rate / 3, rate / 3, stuck=rate / 3)


@dataclass(frozen=True, slots=True)
class StillMoment:
    """One still moment: the view that lies there, and the event (if any) that was completed by it."""

    view: BoardView
    event: Event | None
    before: State
    after: State


def random_state(rules: Rules, random: Random) -> State:
    """The first state with a grid on the table, dealt at random by the exact odds."""
    state = rules.initial()
    while outcomes := rules.chance_outcomes(state):
        weights = [float(o.probability) for o in outcomes]
        state = rules.apply(state, random.choices(outcomes, weights)[0].draw)
    return state


def play(
    rules: Rules, state: State, random: Random, *, sensible: bool = False
) -> Iterator[tuple[Event, State, State]]:
    """(event, state before, state after) of a random game from `state` to its end; `sensible`: nobody does what another
    act is plainly better than, where the rules know such acts."""
    while True:
        if outcomes := rules.chance_outcomes(state):
            weights = [float(o.probability) for o in outcomes]
            event: Event = random.choices(outcomes, weights)[0].draw
        elif actions := rules.legal_actions(state):
            if sensible and isinstance(rules, SensibleActs):
                sensible_ones = {way[0] for way in rules.sensible(state, tuple((act,) for act in actions))}
                actions = tuple(act for act in actions if act in sensible_ones)
            event = random.choice(actions)
        else:
            return
        after = rules.apply(state, event)
        yield event, state, after
        state = after


def scenes(
    rules: Rules, event: Event, before: State, after: State, outside: frozenset[Slot] = frozenset()
) -> Iterator[StillMoment]:
    """The still moments of one event; none when nothing changes on the table but `outside` of the pictures."""
    view = board_look(rules, before)
    for number, step in enumerate(path_look(rules, before, event)):
        if not outside.issuperset(step.differs(view)):
            yield StillMoment(step, event if number == 0 else None, before, after)
            view = step


class SimulatedEyes:
    """Reads a view with errors at the rates of `noise`, and is honest about how often it errs."""

    def __init__(self, rules: Rules, noise: Noise, random: Random, outside: frozenset[Slot] = frozenset()) -> None:
        """`outside`: slots that are not in the picture."""
        self._noise = noise
        self._outside = outside
        self._random = random
        self._faces: list[Face] = sorted({rules.same_face(f) for f in rules.faces()})
        self._colours = [*(seat.colour for seat in rules.setup.seats), *rules.layout().tokens]
        self._slots = {outline.slot: outline for outline in rules.layout().slots}
        self._taken_for: dict[str, tuple[SlotView, SlotView]] = {}  # per slot: what lies there, what it is taken for
        self._readings: dict[tuple[str, SlotView], SlotReading] = {}  # made once: most views are read again and again
        self._frame = 0

    def observe(self, number: int, picture: BoardView, now_s: float) -> Iterator[BoardObservation]:
        """What a settled picture of a table shows, as the eyes of a `PictureLoop` say it: the table is the picture."""
        yield replace(self.look(picture), frame=number, time_ms=round(now_s * 1000))

    def look(self, view: BoardView) -> BoardObservation:
        """One settled picture of `view`."""
        self._frame += 1
        readings = tuple(self._read(slot, view.at(slot)) for slot in self._slots)
        return BoardObservation(self._frame, round(self._frame * PICTURE_S * 1000), ViewState.SETTLED, readings)

    def _read(self, slot: str, truth: SlotView) -> SlotReading:
        if slot in self._outside:
            return SlotReading(slot, Sight.OUTSIDE)
        noise, dice = self._noise, self._random.random()
        pieces_only = self._slots[slot].holds == "gap"
        if dice < noise.covered:
            return SlotReading(slot, Sight.COVERED)
        p = noise.honest_p
        if dice < noise.covered + noise.unknown:
            others = self._random.sample(self._faces, 3)
            faces = () if pieces_only else tuple((f, log(0.1)) for f in others)
            return SlotReading(slot, Sight.SEEN, faces, None, (), 0.5)
        taken_for = self._steadily(slot, truth) if noise.stuck else truth
        seen = self._flip(slot, truth) if dice < noise.covered + noise.unknown + noise.flipped else taken_for
        reading = self._readings.get((slot, seen))
        if reading is None:
            pieces = tuple(PieceReading(colour, count, p) for colour, count in seen.pieces)
            named = () if pieces_only else ((seen.face, log(p)),)
            reading = SlotReading(slot, Sight.SEEN, named, seen.turn, pieces, p)
            self._readings[slot, seen] = reading
        return reading

    def _steadily(self, slot: str, truth: SlotView) -> SlotView:
        """What the slot is taken for as long as `truth` lies there."""
        before = self._taken_for.get(slot)
        if before is None or before[0] != truth:
            stuck = self._random.random() < self._noise.stuck
            before = self._taken_for[slot] = (truth, self._flip(slot, truth) if stuck else truth)
        return before[1]

    def _flip(self, slot: Slot, truth: SlotView) -> SlotView:
        """A wrong face or a wrong turn of it, or a piece too many, too few or of another colour; where both can be
        wrong, half of the errors are of either kind."""
        outline = self._slots[slot]
        if outline.turns > 1 and truth.turn is not None and self._random.random() < 0.5:
            return replace(truth, turn=(truth.turn + 1) % outline.turns)
        if outline.holds == "card" or (outline.holds in ("tile", "location") and self._random.random() < 0.5):
            face = self._random.choice([f for f in (*self._faces, None) if f != truth.face])
            turn = self._random.randrange(outline.turns) if face is not None and outline.turns > 1 else None
            return SlotView(face, turn, truth.pieces if face is not None else ())
        pieces = dict(truth.pieces)
        if pieces and self._random.random() < 0.5:
            lost = self._random.choice(sorted(pieces))
            pieces[lost] -= 1
            if not pieces[lost]:
                del pieces[lost]
            if self._random.random() < 0.5:
                return SlotView(truth.face, truth.turn, tuple(sorted(pieces.items())))
        found = self._random.choice(self._colours)
        pieces[found] = pieces.get(found, 0) + 1
        return SlotView(truth.face, truth.turn, tuple(sorted(pieces.items())))
