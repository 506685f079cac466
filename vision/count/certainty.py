"""How probable it is that a count is right, and what a person should look at when it is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.count.naming.names import Names

# Probability of the whole count from which it is given as sure. Of photographs of three to eight coins given 0.83 and
# more one in ten was wrong: 0.9 means what it says, and nobody counts again what is called sure.
SURE = 0.95
# The same of candies and chips, whose colours are farther apart than metals': of 226 counts of such pieces 73 were
# given 0.8 to 0.95, and one of these was wrong, by a piece that cannot be told from the table.
SURE_OF_COATED = 0.92
# A rim that is just sharp enough is something else once in ten; every 6 % more of it make that e times rarer.
# Of 6,300 rims of candies and chips, by the part that is sharp of what touching ones do not hide of it, 12 % are none
# from 0.6 to 0.65, 1 % from 0.65 to 0.8 and 0.2 % above; by all of each rim 6, 1 and 0.2 %, with more below.
FALSE_RIM, RIM_AT, RIM_SCALE = 0.1, 0.6, 0.06
LEAST_RIM = 0.2  # chance that the weakest rim, half under another piece, is one
USUAL_MISFIT = (4.0, 12.0)  # of a single piece (`Blob.misfit`): discs the least, cubes seen from aside the most
UNKNOWN_IS_PIECE = 0.7  # chance that an unknown thing of a piece's size and shape is no piece of the game
RIMLESS = 0.5  # chance that what lies there in a piece's colour and size, without a sharp rim, is a piece
STRANGE_IS_NONE = 0.8  # chance that a thing as large as a piece, without a sharp rim and of no learnt colour, is none
CUT_OFF = 0.75  # chance that what the picture's edge cuts off is not meant to be counted
# Chance that things without round rims are the round pieces that were taught: cards and letter tiles are told apart as
# surely as candies, and candies whose rims are not seen are not seen well.
OTHER_SHAPE = 0.5
ON_LARGER = 0.4  # chance that no piece lies unseen on a larger thing of its colour
# Chance that no piece lies hidden where a colour in play looks like the table: rims show most of them (70 of 77 counts
# of coins had them all, seven times without the same one). Each clear one of the colour that is seen speaks for it.
# Never so much that a count is sure by them: the next one may lie on a spot of its own colour.
SEEN_ANYWAY, SEEN_AT_BEST = 0.75, 0.9
# Chance that what is blown out, or has another name without the lamp that is mirrored in it, is named right when its
# name is thought so: with such a piece nothing is sure. Of 54 rendered pictures with such pieces 42 were right; of the
# others most were doubtful by their names, and at 0.97 one of 20 pictures of chips kept back was sure and wrong. Of 47
# counts with such a doubt alone all were right: too few to be sure by.
STILL_NAMED = 0.9
# Chance that a piece without a print that was taught is named right by its colour alone, beside pieces that show one:
# it may be of a kind that was not taught. Of such coins 70 to 99 in a hundred were, by the choice of what taught.
UNPRINTED = 0.85
# Chance that nothing lies beneath a piece beside which more is seen than beside the others: grain and the edge of a
# neighbour's shadow look so, too; of rendered chips nine in ten such lay on others.
NOT_STACKED = 0.3
# What a person could do.
CLOSER = "take the picture closer and sharper"
CLEARED = "take other things off the table, leave them out by --region, or show the empty table by --background"
INSIDE = "take the picture so that no piece is cut off, or leave that edge out by --region"
OTHER_TABLE = "lay the pieces on a table or cloth of another colour"
DARKER = "take the picture with less light on the pieces, or a shorter exposure"
OTHER_LIGHT = "move the lamp or the camera until no lamp or window is mirrored in the pieces"
EVEN_LIGHT = "take the picture in even light"
APART = "move the pieces a little apart"
SIDE_BY_SIDE = "lay the pieces beside each other, none on another"
TAUGHT_WHOLE = "teach the colours again by boxes a little beyond each piece's edge"
TAUGHT_HERE = "teach the colours in the light of this picture"
TAUGHT_ALL = "teach every kind of piece that lies here"
TAUGHT_OR_CLEARED = "teach the colours that are missing, or take those things away"
PLAIN_OR_PARTS = "lay the pieces on a plain table, or count them in parts by --region"
LEAST_CLEAR, DIM = 0.5, 0.8  # part of the picture neither blown out nor black, and the trust when there is less


@dataclass(frozen=True, slots=True)
class Doubts:
    """`all_right`: that every number is right; `total_right`: that their sum is; `why`: what to look at; `advice`: what
    a person could do for a surer count, each thing once.
    """

    all_right: float
    total_right: float
    why: str = ""
    advice: tuple[str, ...] = ()

    def worse(self, factor: float, why: str, advice: str) -> Doubts:
        """The same with one more doubt, and what would help."""
        together = f"{self.why}; {why}" if self.why else why
        advised = self.advice if advice in self.advice else (*self.advice, advice)
        return Doubts(self.all_right * factor, self.total_right * factor, together, advised)

    def rimless(self, number: int) -> Doubts:
        """With things in a piece's colour and size that were counted though their rim was not seen."""
        return self.worse(RIMLESS**number, f"seen without a clear rim: {number}", CLOSER) if number else self

    def not_round(self) -> Doubts:
        """With things of another shape than the pieces that taught."""
        return self.worse(OTHER_SHAPE, "round pieces were taught, and no round rims are seen", CLOSER)

    def beneath(self, number: int) -> Doubts:
        """With larger things that have a piece's colour: playing cards, paper."""
        why = "pieces could lie unseen on a larger thing of their colour"
        return self.worse(ON_LARGER, why, CLEARED) if number else self

    def cut(self, number: int) -> Doubts:
        """With things in a piece's colour that the picture's edge cuts off, which were not counted."""
        why = f"cut off by the picture's edge and not counted: {number}"
        return self.worse(CUT_OFF, why, INSIDE) if number else self

    def cut_but_counted(self, number: int) -> Doubts:
        """With pieces that the picture's edge cuts off so little that they were counted."""
        return self.worse(CUT_OFF, f"cut off by the picture's edge and counted: {number}", INSIDE) if number else self

    def strange(self, number: int) -> Doubts:
        """With things as large as a piece that have neither a piece's rim nor its colour: a lamp may lie on them."""
        return self.worse(STRANGE_IS_NONE**number, f"things that may be pieces: {number}", CLEARED) if number else self

    def hidden(self, names: Sequence[str], seen: int = 0, missed: tuple[int, int] | None = None) -> Doubts:
        """With colours that cannot be told from the table, of which so many clear pieces were seen all the same.
        `missed`: of pieces of those colours that were drawn into the picture how many were not counted, of how many.
        """
        if missed is not None and missed[0] == 0:
            chance = 1 - (1 - SEEN_ANYWAY) / (2 + missed[1])  # Laplace's rule of succession: one in so many is missed
        else:
            chance = min(SEEN_AT_BEST, 1 - (1 - SEEN_ANYWAY) / (1 + seen))
        return self.worse(chance, f"{', '.join(names)} cannot be told from this table", OTHER_TABLE) if names else self

    def blown(self, number: int) -> Doubts:
        """With pieces that are white all over because no camera shows more light."""
        return self.worse(STILL_NAMED, f"blown out, of whatever colour: {number}", DARKER) if number else self

    def veiled(self, number: int) -> Doubts:
        """With pieces on which a mirrored lamp lies, and whose names rest on its light."""
        return self.worse(STILL_NAMED, f"under a mirrored lamp: {number}", OTHER_LIGHT) if number else self

    def stacked(self, number: int) -> Doubts:
        """With pieces that seem to lie on others, which are not seen and not counted."""
        return self.worse(NOT_STACKED, f"may lie on others: {number}", SIDE_BY_SIDE) if number else self

    def rimless_teaching(self) -> Doubts:
        """With round pieces that were taught by boxes in which no rim was seen: where label and body lie is a guess."""
        return self.worse(STILL_NAMED, "no rim is seen where most colours were taught", TAUGHT_WHOLE)

    def lit(self, clear: float) -> Doubts:
        """With the part of the picture that is neither blown out nor black."""
        return self.worse(DIM, "most of the picture is blown out or black", EVEN_LIGHT) if clear < LEAST_CLEAR else self


def of_rims(support: NDArray[np.float64], names: Names) -> Doubts:
    """Of round pieces, by the part of each rim (N,) that is a sharp edge."""
    each = 1 - FALSE_RIM * np.exp(-(support - RIM_AT) / RIM_SCALE)
    pieces = float(np.prod(np.maximum(each, LEAST_RIM)))
    return _named(Doubts(names.together * pieces, pieces), names)


def of_clumps(misfits: Sequence[float], names: Names) -> Doubts:
    """Of pieces of other shapes, by how unlike a single piece each part of a clump is."""
    usual = float(np.clip(1.6 * np.median(misfits or [0.0]), *USUAL_MISFIT))
    pieces = float(np.prod([np.exp(-0.5 * max(0.0, misfit - usual) / usual) for misfit in misfits]))
    doubts = Doubts(names.together * pieces, pieces)
    if any(misfit > 2 * usual for misfit in misfits):
        doubts = doubts.worse(1.0, "a clump could not be divided into pieces of one size and shape", APART)
    return _named(doubts, names)


def _named(doubts: Doubts, names: Names) -> Doubts:
    """With the doubts of the pieces' colours: unknown pieces cost the total's certainty too."""
    unknown = int((names.p.argmax(axis=1) == names.p.shape[1] - 1).sum())
    if (names.p.max(axis=1, initial=1.0 if not len(names.p) else 0.0) < SURE).any():
        doubts = doubts.worse(1.0, "a piece's colour is doubtful", TAUGHT_HERE)
    if names.unprinted:
        why = f"without a print that was taught: {names.unprinted}"
        doubts = replace(doubts.worse(1.0, why, TAUGHT_ALL), all_right=doubts.all_right * UNPRINTED**names.unprinted)
    if unknown:
        things = f"things of none of the learnt colours: {unknown}"
        doubts = doubts.worse(UNKNOWN_IS_PIECE**unknown, things, TAUGHT_OR_CLEARED)
    return doubts
