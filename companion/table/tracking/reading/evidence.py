"""Fuses settled pictures into what is believed of each slot: log-likelihoods of what may lie there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import accumulate
from math import exp, log
from types import MappingProxyType

from companion.core.inputs import BoardObservation, Sight, SlotReading
from companion.core.layout import EMPTY_SLOT, BoardView, SlotView, slot_view
from companion.core.types import Face, Slot

FRAME_WEIGHTS: tuple[float, ...] = (1.0, 0.7, 0.5, 0.35, 0.25)
"""What each further picture of the same still scene adds. The errors of one camera are correlated, so pictures
are not multiplied as if independent: five pictures count as 2.8, and further ones not at all."""

TOTAL_WEIGHTS = tuple(accumulate(FRAME_WEIGHTS, initial=0.0))
"""By number of readings: what they are worth together."""

FLOOR = log(1e-7)
"""No single reading is believed to be more certain than this."""

FLAGGED_P = 0.25
"""A count that is flagged as unsure is still this likely to be right: the flag says that little is known, not that
what was counted is impossible."""

SUREST_COUNT = 0.99
"""No count of pieces is believed more than this, whatever the reader says of it: on test pictures 98 to 99 % of the
tiles had every piece counted right."""

CROWD, HIDDEN_P = 3, 0.1
"""Behind so many pieces that are counted on bare table another one may stand hidden, however sure the reader is of
those that it sees: in two rough rendered films one of the six sure counts where three and more stood missed one, none
of 277 where fewer did; of 60 clumps of five in better pictures one without a flag."""

EVEN = 0.5
"""A count of a doubted colour that is as likely wrong as right says nothing."""

SUREST_FACE = 0.995
"""Nor is a face: on test pictures up to 0.5 % of the small tiles were named wrongly."""

UNEXPLAINED_P, UNEXPLAINED_FACE = 0.9, 0.7
"""Where the counts are less sure than the first, the face and the pieces do not explain what is seen there, and the
face is believed no more than the second: of such faces in a dark rendered room 10 of 33 were wrong, of all others 4 of
1233. That some face lies there is believed as elsewhere: of 375 empty places in ten rendered rough films none was read
as a face likelier than all others. Where they do explain it, a face lies there however little is known of which: of 356
empty places in eleven films 8 read as a face, all of them with counts below 0.001."""

CLEAR_FACE = 0.5
"""A face that is likelier than all others together is clearly read."""

NAMED_FACE = COUNTED_PIECES = 0.9
"""Below this a face, or the count of a colour, is flagged as unsure, however clearly it is read: what is counted as
wrong without a flag begins there. It accuses nobody."""

SUREST_TURN = 0.995
"""Nor is the turn of a face: on 172 test pictures of inclined cards it was never wrong, which says no more."""
LOG_TURN, LOG_OTHER_TURN = log(SUREST_TURN), log(1.0 - SUREST_TURN)

WEAK_READING = log(20.0)
"""A reading that speaks less than this against what is believed may be taken for a misreading without asking."""

UNTRIED_FACES = 20
"""Among how many faces the probability is shared that a reading left over."""


@dataclass(frozen=True, slots=True)
class ReadingWeights:
    """One reading of a slot, made ready to be compared with what may lie there."""

    faces: Mapping[Face | None, float]
    """Log-likelihood of the reading's faces if each of them lies there."""
    other_face: float
    """The same for a face that the reading does not name."""
    pieces: tuple[tuple[str, int], ...]
    """What was counted, sorted by colour, without zeros."""
    right: float
    """Log-probability that the counts of the colours that are not doubted are right."""
    wrong_p: float
    """Probability that they are not."""
    best: SlotView
    """What the reading takes for most probable: its first face, its turn where that means something, its counts."""
    clear: bool
    """Whether the face is likelier than all others together and the counts of undoubted colours are not flagged."""
    doubted: tuple[tuple[str, float], ...] = ()
    """(colour, probability that its count is right) where pieces of it might not show."""
    named: bool = True
    """Whether its face, or that none lies there, is not flagged as unsure."""

    def log_likelihood(self, view: SlotView) -> float:
        """Log-likelihood of the reading if `view` lies in the slot."""
        of_face = self.faces.get(view.face, self.other_face)
        best = self.best
        if best.turn is not None and view.turn is not None and view.face == best.face:
            of_face += LOG_TURN if view.turn == best.turn else LOG_OTHER_TURN
        return max(of_face + self._of_pieces(view.pieces), FLOOR)

    def counts(self, colour: str, number: int) -> bool:
        """Whether it shows `number` pieces of `colour`, and is so sure of it that it is not flagged."""
        p = dict(self.doubted).get(colour, 1.0 - self.wrong_p)
        return p >= COUNTED_PIECES and dict(self.pieces).get(colour, 0) == number

    @property
    def is_flagged(self) -> bool:
        """Whether its face, or the count of some colour, is flagged as unsure."""
        sure = min((p for _, p in self.doubted), default=1.0)
        return not self.named or min(sure, 1.0 - self.wrong_p) < COUNTED_PIECES

    def called(self, read: Face | None, face: Face) -> ReadingWeights:
        """This reading with `face` for the face that it names `read`, and the other way round."""
        names = {read: face, face: read}
        faces = {names.get(one, one): log_p for one, log_p in self.faces.items()}
        return replace(self, faces=faces, best=replace(self.best, face=names.get(self.best.face, self.best.face)))

    def among(self, come: Collection[Face]) -> ReadingWeights:
        """This reading if only one of `come` can lie there, or nothing, and it takes another face for most probable:
        what it says of others is said of them all alike. Whether a face lies there it says as before."""
        named = {face: log_p for face, log_p in self.faces.items() if face in come}
        rest = 1.0 - sum(map(exp, named.values()))
        other_face = log(max(rest, 1.0 - SUREST_FACE) / UNTRIED_FACES)
        none = self.faces.get(None, self.other_face)
        return replace(self, faces={**named, None: none}, other_face=other_face, clear=False, named=False)

    def _of_pieces(self, wanted: tuple[tuple[str, int], ...]) -> float:
        """A piece that was overlooked, one too many, and one taken for another colour are one error each; what is
        told of a doubted colour says nothing of the others."""
        if not self.doubted:
            return self._of_sure(wanted, self.pieces)
        lie, seen = dict(wanted), dict(self.pieces)
        told = 0.0
        for colour, p in self.doubted:
            errors = abs(lie.pop(colour, 0) - seen.pop(colour, 0))
            told += log((1.0 - p) * 0.5**errors if errors else p)
        return told + self._of_sure(tuple(lie.items()), tuple(seen.items()))

    def _of_sure(self, wanted: tuple[tuple[str, int], ...], counted: tuple[tuple[str, int], ...]) -> float:
        if wanted == counted:
            return self.right
        lie, seen = dict(wanted), dict(counted)
        colours = lie.keys() | seen.keys()
        lost = sum(max(0, lie.get(c, 0) - seen.get(c, 0)) for c in colours)
        found = sum(max(0, seen.get(c, 0) - lie.get(c, 0)) for c in colours)
        errors = max(lost, found)
        hidden = self.best.face is None and hidden_in_crowd(counted, wanted)
        wrong_p = max(self.wrong_p, HIDDEN_P) if hidden else self.wrong_p
        return log(wrong_p * 0.5**errors) if errors else self.right


def hidden_in_crowd(counted: tuple[tuple[str, int], ...], wanted: tuple[tuple[str, int], ...]) -> bool:
    """Whether all pieces `counted` are among those `wanted`, and enough of them for the others to stand behind them."""
    lie, seen = dict(wanted), dict(counted)
    among = all(lie.get(colour, 0) >= number for colour, number in seen.items())
    return among and CROWD <= sum(seen.values()) < sum(lie.values())


def weigh_reading(reading: SlotReading, same_face: Callable[[Face], Face], turns: int = 1) -> ReadingWeights:
    """What a reading of a seen slot says. Faces that look the same count as one.

    `turns`: how many turns of the face mean something else in this slot (SlotOutline); with 1 the turn says nothing.
    """
    merged: dict[Face | None, float] = {}
    for face, log_p in reading.faces:
        key = None if face is None else same_face(face)
        merged[key] = log(exp(merged[key]) + exp(log_p)) if key in merged else log_p
    surest = SUREST_FACE if reading.others_p >= UNEXPLAINED_P else UNEXPLAINED_FACE
    rest = 1.0 - sum(exp(log_p) for log_p in merged.values())
    other_face = log(max(rest, 1.0 - surest) / UNTRIED_FACES) if merged else 0.0
    # where the reader is wrong about the first face, one that it weighed and refused is as likely as any other
    faces = {face: min(max(log_p, other_face), log(surest)) for face, log_p in merged.items()}
    first = max(merged, key=merged.__getitem__) if merged else None
    if first is not None:  # where the pieces are explained some face lies there, whichever it is
        bare = rest if reading.others_p < UNEXPLAINED_P else 0.0
        faces.setdefault(None, log(max(bare, 1.0 - SUREST_FACE) / UNTRIED_FACES))
    clear = reading.others_p > FLAGGED_P and (first is None or merged[first] > log(CLEAR_FACE))
    named = first not in merged or merged[first] >= log(NAMED_FACE)
    pieces = tuple(sorted((p.colour, p.count) for p in reading.pieces if p.count))
    p = min(max(reading.others_p, FLAGGED_P), SUREST_COUNT)
    doubted = tuple((colour, min(max(sure, FLAGGED_P), SUREST_COUNT)) for colour, sure in reading.doubted)
    turn = None if turns == 1 or first is None or reading.turn is None else reading.turn % turns
    best = slot_view(first, turn, pieces)
    return ReadingWeights(faces, other_face, pieces, log(p), 1.0 - p, best, clear, doubted, named)


@dataclass(frozen=True, slots=True)
class SlotEvidence:
    """All readings of one slot since the scene last changed; none: the slot was never seen."""

    slot: Slot
    last: ReadingWeights | None = None
    before: SlotEvidence | None = None
    """The evidence without the last reading."""
    count: int = 0
    """How many readings there are."""
    candidates: tuple[SlotView, ...] = ()
    """The best views of the readings, oldest first, each once."""
    clear: frozenset[SlotView] = frozenset()
    """Those of the candidates that a reading clearly shows."""
    named: frozenset[Face | None] = frozenset()
    """The faces of the candidates of which a reading is so sure that it is not flagged."""
    _known: dict[SlotView, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def and_then(self, reading: ReadingWeights) -> SlotEvidence:
        """This evidence and one reading more, up to `len(FRAME_WEIGHTS)` readings."""
        known = reading is self.last or reading.best in self.candidates
        candidates = self.candidates if known else (*self.candidates, reading.best)
        clear = self.clear | {reading.best} if reading.clear else self.clear
        named = self.named | {reading.best.face} if reading.named else self.named
        return SlotEvidence(self.slot, reading, self, self.count + 1, candidates, clear, named)

    def is_surely_other(self, seen: SlotView, legal: SlotView) -> bool:
        """Whether one reading is so sure of what tells `seen` from `legal`, its face or the count of a colour, that it
        is not flagged."""
        if seen.face != legal.face:
            return seen.face in self.named
        has, had = dict(seen.pieces), dict(legal.pieces)
        other = [colour for colour in has.keys() | had.keys() if has.get(colour, 0) != had.get(colour, 0)]
        one: SlotEvidence | None = self
        while one is not None and one.last is not None:
            if not other or any(one.last.counts(colour, has.get(colour, 0)) for colour in other):
                return True
            one = one.before
        return False

    def is_of(self, readings: Sequence[ReadingWeights]) -> bool:
        """Whether it is of just these readings, oldest first."""
        one: SlotEvidence | None = self
        for reading in reversed(readings):
            if one is None or one.last is not reading:
                return False
            one = one.before
        return one is not None and one.last is None

    @property
    def visible(self) -> bool:
        """Whether any picture shows the slot."""
        return self.last is not None

    @property
    def weight(self) -> float:
        """How many independent readings these readings are worth."""
        return TOTAL_WEIGHTS[self.count]

    def log_likelihood(self, view: SlotView) -> float:
        """Fused log-likelihood of `view`; 0 for every view when the slot was never seen."""
        if self.last is None or self.before is None:
            return 0.0
        known = self._known.get(view)
        if known is None:
            weight = FRAME_WEIGHTS[self.count - 1]
            known = self.before.log_likelihood(view) + weight * self.last.log_likelihood(view)
            self._known[view] = known
        return known

    def hides_the_difference(self, one: SlotView, other: SlotView) -> bool:
        """Whether two views differ only in pieces of colours that hardly show there: the slot reads the same whichever
        lies there, now and later, so that its reading not having changed says nothing."""
        hidden = {colour for colour, p in (self.last.doubted if self.last is not None else ()) if p <= EVEN}
        rest = (tuple(each for each in view.pieces if each[0] not in hidden) for view in (one, other))
        return bool(hidden) and len(set(rest)) == 1 and (one.face, one.turn) == (other.face, other.turn)

    def most_likely(self) -> SlotView:
        """The view that explains the readings best, among the best ones of each reading."""
        if len(self.candidates) == 1:
            return self.candidates[0]
        return max(self.candidates, key=self.log_likelihood, default=EMPTY_SLOT)


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """What the settled pictures since the last disturbance say of the whole table."""

    frames: tuple[int, ...]
    slots: Mapping[Slot, SlotEvidence]
    outside: frozenset[Slot] = frozenset()
    """Slots that lie outside of the picture, and were in none of this scene: nothing will be seen there."""

    def of(self, slot: Slot) -> SlotEvidence:
        """The evidence of `slot`; an unseen one when no picture names it."""
        return self.slots.get(slot) or SlotEvidence(slot)

    @property
    def unclear(self) -> frozenset[Slot]:
        """The slots that are seen, but in which no reading clearly shows what it takes for most probable."""
        return frozenset(s for s, one in self.slots.items() if one.visible and one.most_likely() not in one.clear)

    @property
    def flagged(self) -> frozenset[Slot]:
        """The slots that are seen, but flagged as unsure in the last picture that shows them."""
        return frozenset(slot for slot, one in self.slots.items() if one.last is not None and one.last.is_flagged)

    def perhaps_come(self, view: BoardView) -> frozenset[Slot]:
        """The slots in which a piece may have come that does not lie there by `view`: it is counted, and may be none.
        """
        return frozenset(
            slot for slot, one in self.slots.items()
            if one.last is not None
            and any(p <= EVEN and dict(one.last.pieces).get(colour, 0) > dict(view.at(slot).pieces).get(colour, 0)
                    for colour, p in one.last.doubted)
        )  # fmt: skip

    def called(self, slot: Slot, face: Face) -> TableEvidence:
        """The same pictures if the face that `slot` most likely shows is `face`, misread."""
        read = self.of(slot).most_likely().face
        return self._reread(slot, lambda reading: reading.called(read, face))

    def among(self, slot: Slot, come: Collection[Face]) -> TableEvidence:
        """The same pictures if one of the faces `come` lies in `slot`, or nothing: they show another one, misread."""
        return self._reread(slot, lambda reading: reading.among(come))

    def _reread(self, slot: Slot, anew: Callable[[ReadingWeights], ReadingWeights]) -> TableEvidence:
        """The same pictures with another sense of each reading of `slot`."""
        one, reread, readings = self.of(slot), SlotEvidence(slot), []
        while one.last is not None and one.before is not None:
            readings.append(one.last)
            one = one.before
        for reading in reversed(readings):
            reread = reread.and_then(anew(reading))
        return replace(self, slots={**self.slots, slot: reread})

    def unseen(self, slots: Iterable[Slot]) -> tuple[Slot, ...]:
        """Those of `slots` that no picture shows, in their order."""
        return tuple(s for s in slots if not self.of(s).visible)


NOTHING_SEEN = TableEvidence((), MappingProxyType({}))
"""Before the first settled picture."""


@dataclass
class StillScene:
    """The settled pictures of one still scene, fused as they come. Faces that look the same count as one.

    `turns`: per slot how many turns of its face mean something else; 1 where it is not named. A bare face that waited
    for its name when the scene began was read in the scene before, in other light: read alike, that picture counts,
    too. What a piece hides of a face it would hide again.
    """

    same_face: Callable[[Face], Face]
    turns: Mapping[Slot, int] = field(default_factory=dict)
    _pictures: list[tuple[int, dict[Slot, ReadingWeights | None]]] = field(default_factory=list)
    _fused: dict[Slot, SlotEvidence] = field(default_factory=dict)
    _before: dict[Slot, ReadingWeights] = field(default_factory=dict)
    _weighed: dict[Slot, tuple[SlotReading, ReadingWeights]] = field(default_factory=dict)

    def add(self, observation: BoardObservation) -> TableEvidence:
        """The evidence with one picture more; only the last `len(FRAME_WEIGHTS)` pictures count."""
        seen = {r.slot: self._weigh(r) if r.sight is Sight.SEEN else None for r in observation.slots}
        self._pictures.append((observation.frame, seen))
        if len(self._pictures) + bool(self._before) > len(FRAME_WEIGHTS):
            self._before = {}  # enough of this scene
            del self._pictures[: -len(FRAME_WEIGHTS)]
            self._fused = self._fused_anew()
        else:
            self._fuse(seen)
        outside = (r.slot for r in observation.slots if r.sight is Sight.OUTSIDE)
        unseen = frozenset(slot for slot in outside if not self._fused[slot].visible)
        return TableEvidence(tuple(frame for frame, _ in self._pictures), dict(self._fused), unseen)

    def _weigh(self, reading: SlotReading) -> ReadingWeights:
        """What the reading says; a slot that reads just as it did last is not weighed again."""
        last = self._weighed.get(reading.slot)
        if last is None or last[0] != reading:
            turns = self.turns.get(reading.slot, 1)
            last = self._weighed[reading.slot] = (reading, weigh_reading(reading, self.same_face, turns))
        return last[1]

    def _fused_anew(self) -> dict[Slot, SlotEvidence]:
        """The evidence of the pictures that count; of slots that read the same in them as in those before, what was
        worked out then."""
        fused: dict[Slot, SlotEvidence] = {}
        for slot in dict.fromkeys(slot for _, readings in self._pictures for slot in readings):
            seen = [reading for _, readings in self._pictures if (reading := readings.get(slot)) is not None]
            known = self._fused.get(slot)
            if known is None or not known.is_of(seen):
                known = reduce(SlotEvidence.and_then, seen, SlotEvidence(slot))
            fused[slot] = known
        return fused

    def _fuse(self, readings: Mapping[Slot, ReadingWeights | None]) -> None:
        for slot, reading in readings.items():
            one = self._fused.get(slot) or SlotEvidence(slot)
            before = self._before.get(slot)
            if reading is not None and before is not None and one.last is None and before.best == reading.best:
                one = one.and_then(before)
            self._fused[slot] = one if reading is None else one.and_then(reading)

    def clear(self, waiting: Collection[Slot] = ()) -> None:
        """Something moved on the table: what comes is another scene. `waiting`: the slots whose face waits for its
        name."""
        read = {slot: self._last_of(slot) or self._before.get(slot) for slot in waiting}
        self._before = {slot: one for slot, one in read.items() if one is not None and not one.pieces}
        self._pictures.clear()
        self._fused = {}

    def _last_of(self, slot: Slot) -> ReadingWeights | None:
        """The last reading of `slot` in this scene; None before there is one."""
        one = self._fused.get(slot)
        return None if one is None else one.last
