"""What one reading of a slot says of what may lie there: log-likelihoods, and which of them are not to be believed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import exp, log

from companion.core.inputs import SlotReading
from companion.core.layout import SlotView, slot_view
from companion.core.types import Face

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
