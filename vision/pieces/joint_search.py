"""Searches the set of pieces again where those chosen one by one leave something unexplained: pieces that touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import combinations

import cv2
import numpy as np

from vision.pieces.candidates import HALF, Pool
from vision.pieces.scene import ACCEPTED, EDGE, MANY, TOUCHES_PX, UNEXPLAINED, Chooser
from vision.pieces.shapes import Hypothesis

# Pieces whose feet are nearer than this, in sides, may have been taken for each other's.
CLOSE_SIDES = 2.2

# How many of the best places are tried for a piece that is put where another was taken away.
PLACES = 12

# Evidence (nats) that the pixels no piece explains must hold for the set to be searched again: half a hidden piece.
LEFT_OVER = 3 * ACCEPTED

# Evidence (nats) by which another arrangement must be better.
WORTH_MORE = 1.0

# Two pieces of one colour whose feet are nearer than this, in sides, touch; where one alone explains so much of what
# both do, nobody can say that there are two. Of two pieces one explains 0.50 to 0.54, seen from 36 degrees up to 0.67;
# of a single piece in the sun, of which top and side were taken for two, 0.80 to 0.98. Where three touch nothing is
# asked: in a clump one explains up to 0.83 of two.
TOUCHING_SIDES = 1.2
MOSTLY_ONE = 0.75

# Evidence (nats) that counts for one of such two as refused: it makes the count of both somewhat unlikelier than not.
PERHAPS_ONE = 1.5 * ACCEPTED

# Part of a top that must be seen beside the chosen pieces for another one behind them to be searched for: a cube that
# another hides up to its top shows two thirds of it, less the pixels into which the other one's edge is blurred.
PART_OF_A_TOP = 0.25

# Evidence (nats) by which a new arrangement may be worse before its pieces are moved: of 5,371 in rendered films 33
# were the best in the end, none of them more than 44 worse before that. Half of all are more than 60 worse.
MOST_WON_BY_MOVING = 90.0

# Of the new arrangements of a kind so many are moved, those that are worth most before that: moving takes two thirds of
# the search. Of 44 in five rendered films that were the best in the end 42 were among the first nine, of up to 90; what
# they leave is arranged in the next round.
MOST_MOVED = 12

# How often each piece of a new arrangement is moved to where it fits best beside the others.
MOST_ROUNDS = 6
MOVES = 2


def perhaps_one(
    chosen: Sequence[Hypothesis], alone: Sequence[Hypothesis], chooser: Chooser
) -> list[Hypothesis]:
    """One of each two of the chosen pieces that touch, and explain hardly more than one of those that fit `alone`."""
    reach, found = TOUCHING_SIDES * chooser.side_px, []
    for one, other in combinations(chosen, 2):
        touching = [c for c in chosen if min(_apart(c, one), _apart(c, other)) < reach]
        if one.colour != other.colour or _apart(one, other) >= reach or len(touching) > 2:
            continue
        rest = chooser.scene([c for c in chosen if c is not one and c is not other])
        near = [c for c in alone if c.colour == one.colour and _apart(c, one) < reach]
        both = rest.gain(one) + rest.with_one(one).gain(other)
        if max(map(rest.gain, [one, other, *near])) > MOSTLY_ONE * both:
            found.append(other)
    return found


def _apart(one: Hypothesis, other: Hypothesis) -> float:
    """How far the feet of two pieces stand apart, px."""
    return float(np.hypot(*(one.foot_px - other.foot_px)))


def _most(scores: Mapping[int, np.ndarray]) -> tuple[float, np.ndarray]:
    """The most of such scores (nats), 0 without any, and where the foot (2,) stands for which it is."""
    if not scores:
        return 0.0, np.zeros(2)
    most = np.max([score.max(0) for score in scores.values()], axis=0)
    y, x = np.unravel_index(int(most.argmax()), most.shape)
    return float(most[y, x]), np.array([x, y]) * HALF


Untried = list[tuple[Hypothesis, float]]
"""Where more pieces seem to stand than were searched for, with the evidence for them (nats)."""


class Rearranger:
    """Improves a choice of pieces in one region: takes one or two away and puts as many, or one more, where they fit.

    Every place of the region is weighed beside the rest of the set, not only those where a piece alone fits best: of
    three pieces that touch, the middle of two is such a place, and where the two stand is none.
    """

    def __init__(self, pool: Pool, chooser: Chooser) -> None:
        self.pool, self.chooser = pool, chooser

    def improve(self, chosen: Sequence[Hypothesis]) -> tuple[list[Hypothesis], Untried]:
        """The chosen pieces, or a set that explains more; and what was left untried, since MANY are chosen."""
        best, untried = list(chosen), Untried()
        for _ in range(MOST_ROUNDS):
            left = self._left_over(best) if best else {}
            evidence, place = _most(left)
            if evidence < LEFT_OVER:
                break
            if len(best) >= MANY:
                untried = [(one, LEFT_OVER) for one in self.pool.best(left, LEFT_OVER, PLACES)]
                break
            found = self._better(best, place)
            if found is None:
                break
            best = found
        return self._needed(best), untried

    def with_hidden(self, chosen: Sequence[Hypothesis]) -> tuple[list[Hypothesis], Untried]:
        """The chosen pieces and those that stand behind them: alone, the sides that others hide speak against these.
        And what was left untried, since MANY are chosen."""
        best, worth = list(chosen), None
        while best and self._shows_more(best) and (found := self._places(best, ())):
            if len(best) >= MANY:
                scene = self.chooser.scene(best)
                return best, [(one, scene.gain(one)) for one in found]
            moved = self._moved_to_fit(best, found[:1])
            worth, before = self.worth(moved), self.worth(best) if worth is None else worth
            if worth <= before + WORTH_MORE:
                break
            best = moved
        return best, []

    def _shows_more(self, pieces: Sequence[Hypothesis]) -> bool:
        """Whether enough of a top is seen that none of the pieces explains."""
        scene = self.chooser.scene(pieces)
        halo = cv2.dilate(scene.covered, np.ones((2 * TOUCHES_PX + 1,) * 2, np.uint8))
        strange = (self.pool.region.tops.max(0) - scene.eased > UNEXPLAINED) & (halo < EDGE)
        return bool(np.count_nonzero(strange) >= PART_OF_A_TOP * self.pool.side_px**2)

    def _needed(self, chosen: list[Hypothesis]) -> list[Hypothesis]:
        """The chosen pieces without those that explain nothing beside the others."""
        best, worth = chosen, self.worth(chosen)
        for one in chosen:
            fewer = [other for other in best if other is not one]
            if (without := self.worth(fewer)) > worth:
                best, worth = fewer, without
        return best

    def worth(self, pieces: Sequence[Hypothesis]) -> float:
        """Evidence (nats) of all pieces, the strongest first, beyond what each must have to be believed."""
        left, taken, total = list(pieces), list[Hypothesis](), 0.0
        while left:
            scene = self.chooser.scene(taken)  # those of fewer pieces begin with the same ones
            gains = [scene.gain(one) for one in left]
            total += max(gains) - ACCEPTED
            taken.append(left.pop(int(np.argmax(gains))))
        return total

    def _left_over(self, pieces: list[Hypothesis]) -> dict[int, np.ndarray]:
        """The evidence (nats) that pixels which no piece explains hold for a piece, wherever it would stand, as
        `Pool.beside`."""
        return self.pool.beside(self.chooser.scene(pieces), left_over=True)

    def _better(self, chosen: list[Hypothesis], place: np.ndarray) -> list[Hypothesis] | None:
        """The best arrangement with one more piece near the place and up to two put anew; None if it is no better."""
        reach = CLOSE_SIDES * self.pool.side_px
        near = [one for one in chosen if np.hypot(*(one.foot_px - place)) < reach]
        close = [pair for pair in combinations(near, 2) if np.hypot(*(pair[0].foot_px - pair[1].foot_px)) < reach]
        few: list[tuple[Hypothesis, ...]] = [(), *((one,) for one in near)]
        for kind in (few, close):
            most, best = self.worth(chosen) + WORTH_MORE, None
            for unmoved, rest, added in nlargest(MOST_MOVED, self._arranged(chosen, kind), key=lambda one: one[0]):
                if unmoved < most - MOST_WON_BY_MOVING:
                    break
                moved = self._moved_to_fit(rest, added)
                if (worth := self.worth(moved)) > most:
                    most, best = worth, moved
            if best is not None:
                return best
        return None

    def _arranged(
        self, chosen: list[Hypothesis], kind: Sequence[Sequence[Hypothesis]]
    ) -> Iterator[tuple[float, list[Hypothesis], list[Hypothesis]]]:
        """The arrangements with one more piece, each of a kind of those that are gone put anew: what it is worth, the
        pieces that stay, and those that come."""
        for gone in kind:
            rest = [c for c in chosen if not any(c is g for g in gone)]
            for added in self._put(rest, gone):
                yield self.worth([*rest, *added]), rest, added

    def _put(self, rest: list[Hypothesis], gone: Sequence[Hypothesis]) -> Iterator[list[Hypothesis]]:
        """Pieces in place of those that are gone, and one more: the first anywhere near, the others where most adds."""
        for one in self._places(rest, gone):
            added = [one]
            for _ in gone:
                further = self._places([*rest, *added], ())
                if not further:
                    break
                added.append(further[0])
            yield added

    def _places(self, rest: list[Hypothesis], near: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Where a piece adds something beside the rest, best first: also between the best, near those that are gone."""
        scores = self.pool.beside(self.chooser.scene(rest))
        found = self.pool.best(scores, ACCEPTED, PLACES)
        for gone in near:
            found += self.pool.spread(scores, ACCEPTED, gone)
        return [one for one in found if not any(self.chooser.close(one, other) for other in rest)]

    def _moved_to_fit(self, rest: list[Hypothesis], added: list[Hypothesis]) -> list[Hypothesis]:
        """The pieces, each moved to where it fits best beside the others, in turn. One that fits nowhere better stays
        the very same, so that scenes in which it stands are known; where none has moved since, none will."""
        pieces, unmoved = [*rest, *added], 0
        for index in [*range(len(pieces))] * MOVES:
            others = pieces[:index] + pieces[index + 1 :]
            scene = self.chooser.scene(others)
            near = [
                one for one in self.pool.around(pieces[index])
                if not any(self.chooser.close(one, o) for o in others)
            ]
            best = max([pieces[index], *near], key=scene.gain)
            unmoved = unmoved + 1 if best is pieces[index] else 0
            pieces[index] = best
            if unmoved == len(pieces):
                break
        return pieces
