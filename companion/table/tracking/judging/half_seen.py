"""What an accusation must reckon with that was seen by half: a figure that can have left, where a token that is gone
may have come to, a face not yet named (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.doings import unseen_chains
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.judging.weighing import Weighed
from companion.table.tracking.reading.evidence import TableEvidence


def surely_laid(best: Weighed, least: float) -> BoardView:
    """What is seen with what is wrong; where pieces were laid in several slots, only the pieces of those that are
    surely so (`least` log-odds each), if any is: nobody is accused of a misread piece beside a sure one."""
    seen, lies = best.seen, best.view
    wrong = [(lies.at(slot), seen.at(slot)) for slot in best.wrong]
    laid = all(was.face == is_.face and Counter(dict(was.pieces)) <= Counter(dict(is_.pieces)) for was, is_ in wrong)
    if not laid or best.surest < least:
        return seen
    return seen.with_slots({s: lies.at(s) for s in best.wrong if best.odds.get(s, 0.0) < least})


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


def with_tokens_arrived(
    seen: BoardView, wrong: Collection[Slot], lies: BoardView, evidence: TableEvidence, tokens: Collection[str]
) -> BoardView:
    """`seen` with each of the `tokens` that is gone from a `wrong` slot, by the table as it `lies`, in the one other
    slot of which the pictures count one more than lies there, too unsure to accuse anybody: it was moved, not taken."""
    more: Counter[str] = Counter()
    for slot in wrong:
        more.update(dict(seen.at(slot).pieces))
        more.subtract(dict(lies.at(slot).pieces))
    for token in tokens:
        if more[token] != -1:
            continue
        arrived = [
            slot for slot, one in evidence.slots.items() if one.visible and slot not in wrong
            and dict(one.most_likely().pieces).get(token, 0) == dict(lies.at(slot).pieces).get(token, 0) + 1
        ]  # fmt: skip
        if len(arrived) == 1:
            here = lies.at(arrived[0])
            pieces = Counter(dict(here.pieces)) + Counter({token: 1})
            seen = seen.with_slots({arrived[0]: replace(here, pieces=tuple(sorted(pieces.items())))})
    return seen


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
