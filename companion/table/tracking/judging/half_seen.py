"""What an accusation must reckon with that was seen by half: a figure that can have left, a face not yet named (pure).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.doings import unseen_chains
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.reading.evidence import TableEvidence


def with_figures_moved(
    seen: BoardView, wrong: Collection[Slot], evidence: TableEvidence, figures: Collection[str]
) -> BoardView:
    """`seen` without the `figures` that stand in a `wrong` slot, of which there is one each, where they stood before
    and are not read any more, however unclear that is: they have moved, and are not there twice."""
    moved = {colour for slot in wrong for colour, _ in seen.at(slot).pieces if colour in figures}
    left = {}
    for slot, lies in seen.slots:
        one = evidence.of(slot)
        if slot in wrong or not one.visible:
            continue
        read = dict(one.most_likely().pieces)
        gone = {colour for colour, _ in lies.pieces if colour in moved and colour not in read}
        if gone:
            left[slot] = replace(lies, pieces=tuple(each for each in lies.pieces if each[0] not in gone))
    return seen.with_slots(left)


def perhaps_astray(
    figures: Collection[str], strange: Collection[Slot], legal: Collection[Hypothesis]
) -> frozenset[str]:
    """The `figures` that may have been set against the rules in one of the `strange` slots, which are not clear: where
    acts that are `legal` bring a figure to each of them it stands there rightly, if it does."""
    homes = {
        (slot, colour) for one in legal for slot in set(one.touched) & set(strange)
        for view in one.allowed(slot) for colour, _ in view.pieces
    }  # fmt: skip
    return frozenset(each for each in figures if any((slot, each) not in homes for slot in strange))


def _is_laid_anywhere(rules: Rules, state: State, evidence: TableEvidence) -> bool:
    """Whether a face is to be drawn in `state` that the draw itself puts nowhere in sight."""
    drawn = next(islice(rules.chance_outcomes(state), 1), None)
    if drawn is None:
        return False
    put = board_look(rules, state).differs(board_look(rules, rules.apply(state, drawn.draw)))
    return not any(evidence.of(slot).visible for slot in put)


def unnamed_draw(rules: Rules, state: State, view: BoardView, evidence: TableEvidence) -> tuple[Slot, ...]:
    """The slots that show a face which nobody can name, where none lies by `view`, while one is to be drawn that comes
    to wherever people lay it, be it after acts that nobody saw: it may be that one, and what is done after it may be
    right."""
    if not any(_is_laid_anywhere(rules, after, evidence) for _, after, _ in unseen_chains(rules, state)):
        return ()
    return tuple(
        slot for slot, one in evidence.slots.items()
        if one.visible and view.at(slot).face is None
        and (read := one.most_likely()).face not in (None, *one.named) and read not in one.clear
    )  # fmt: skip
