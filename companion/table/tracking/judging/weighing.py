"""How well each explanation fits the settled pictures, slot by slot: legal, illegal, or misread (pure)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress, takewhile
from math import log
from typing import NamedTuple

from companion.core.game import State
from companion.core.layout import BoardView, SlotOutline, SlotView
from companion.core.types import Event, Slot
from companion.table.tracking.doings import EVENT_PRIOR
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.reading.evidence import TableEvidence
from companion.table.tracking.reading.reading_weights import hidden_in_crowd

ADDED_PRIOR, REMOVED_PRIOR, LIFTED_PRIOR, OTHER_PRIOR = log(0.05), log(5e-4), log(0.02), log(0.01)
"""How often people do something illegal, per settled picture: lay a piece where none may lie, take one away, lift a
face, anything else (turning a face over, exchanging two). Orders of magnitude, not fitted to any film."""

FOREIGN_PRIOR = log(1e-4)
"""Another face lies there that was not on the table before, or a card that has not left its place: people exchange two
that lie there, or take one away; eyes take one for another that looks like it."""

TURNED_PRIOR = log(0.02)
"""A face turned to mean something else, as lifting one."""

TAKEN_PRIOR = log(0.01)
"""A piece taken out of a gap, a token that nobody owns taken from the table, or a figure from its slot: in such games
these are taken away all the time, and so sometimes too early, or to where the camera does not see them."""

STRAYED_PRIOR = ADDED_PRIOR
"""A figure gone from its slot while another slot cannot be told any more: it was set there, where it may not stand."""

FORBIDDEN_PRIOR = log(0.05)
"""A piece taken back, the card beside it lifted and perhaps laid down again: one act, though not an allowed one."""

NUDGED_PRIOR = log(0.01)
"""A piece pushed over to another slot: one act, not a piece laid and another one stolen."""

SKIPPED_PRIOR = LIFTED_PRIOR
"""Somebody who lays the last cube and takes the tile in one go looks just like somebody who takes it too early, and is
about as frequent: the referee asks rather than guesses."""

EARLY_PRIOR = log(0.02)
"""Tiles are refilled in row order; one that comes early is possible, one whose turn it is is likelier."""

SILENT_PENALTY = log(1e-3)
"""A slot whose reading has not changed since the last accepted picture has hardly changed on the table."""

UNWEIGHED = 1.0
"""Odds of a wrong slot that is told by another one: it is as sure as that."""

FLICKER = log(0.2)
"""A slot that was read rightly in the last accepted picture is misread less often in the next one than slots are on
the whole, since the errors of one camera on one scene repeat themselves."""


@dataclass(frozen=True, slots=True)
class EarlierState:
    """An earlier accepted state that a player may go back to: the number of its record, and its table."""

    record: int
    state: State
    view: BoardView


Lying = tuple[tuple[Slot, SlotView], ...]
"""What lies in each slot of the layout, empty ones included, in its order."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One explanation with its score: the log of how well it explains the pictures, its prior included."""

    hypothesis: Hypothesis
    lies: Lying  # what lies there if the hypothesis is true
    score: float
    wrong: tuple[Slot, ...]  # slots in which something illegal is the better explanation
    shows: Lying  # `lies` with what is seen in the wrong slots
    misread: float  # score if nothing illegal or early happened and the camera misread those slots
    looks: Lying  # what it shows, as far as it lies in the picture
    odds: Mapping[Slot, float] = field(default_factory=dict)
    """By how much something illegal in a wrong and clearly read slot beats its having been misread, log-odds; 0 where
    a face is wrong that is flagged as unsure."""
    back_to: EarlierState | None = None

    @property
    def surest(self) -> float:
        """The odds of the wrong slot that is surest."""
        return max(self.odds.values(), default=0.0)

    @property
    def accuses(self) -> bool:
        """Whether something is wrong where it was clearly read: an unsure reading accuses nobody."""
        return any(self.odds.get(slot, UNWEIGHED) > 0.0 for slot in self.wrong)

    @property
    def view(self) -> BoardView:
        """The table if the hypothesis is true."""
        return BoardView(self.lies)

    @property
    def seen(self) -> BoardView:
        """The table with what is seen in the wrong slots."""
        return BoardView(self.shows)


class _Fit(NamedTuple):
    """How one slot fits a hypothesis; many are made for each picture, and a named tuple is made fastest."""

    view: SlotView
    fits: float
    misread: float
    wrong: bool = False
    odds: float = 0.0
    """Of a wrong one."""


class _AtStart(NamedTuple):
    """How the slots fit the first hypothesis, in the order of the layout, to be copied and mended for each further one.
    """

    pairs: list[tuple[Slot, SlotView]]
    lies: dict[Slot, SlotView]
    fits: list[float]
    misreads: list[float]
    odds: dict[Slot, float]
    """Of the wrong ones only."""

    @classmethod
    def of(cls, slots: tuple[Slot, ...], each: list[_Fit]) -> _AtStart:
        """From the fits of `slots`, in their order."""
        pairs = [(slot, one.view) for slot, one in zip(slots, each, strict=True)]
        odds = {slot: one.odds for slot, one in zip(slots, each, strict=True) if one.wrong}
        return cls(pairs, dict(pairs), [one.fits for one in each], [one.misread for one in each], odds)


class Weigher:
    """Scores hypotheses against one evidence, slot by slot.

    Hypotheses differ from the first one, `start`, in a few slots only; what the others come to is worked out once.
    """

    def __init__(
        self, evidence: TableEvidence, outlines: tuple[SlotOutline, ...], view: BoardView,
        silent: Mapping[Slot, SlotView], hinted: frozenset[Event], start: Hypothesis,
        handled: Collection[str] = (), figures: Collection[str] = (), strays: Collection[str] = (),
    ) -> None:
        """`handled`: the pieces that are moved and taken all the time: tokens and figures; `figures`: those of which
        there is one each (`TableLayout`); `strays`: those of them that may stand, unseen, where they may not."""
        self._slots = slots = tuple(o.slot for o in outlines)
        self._holds = {o.slot: o.holds for o in outlines}
        self._evidence = evidence
        self._view = view
        self._seen = {s: one.most_likely() for s in slots if (one := evidence.of(s)).visible}
        self._silent = {s for s, reads in silent.items() if self._seen.get(s) == reads}
        self._lay = frozenset(at.face for _, at in view.slots)
        # a card that is still seen where it lay has not come to another slot
        self._left = frozenset(at.face for slot, at in view.slots if not _still_shows(self._seen.get(slot), at))
        self._hinted = hinted
        self._start = start
        self._handled = frozenset(handled)
        self._figures, self._strays = frozenset(figures), frozenset(strays)
        self._swapped = _swapped(view, self._seen)
        self._order = {s: number for number, s in enumerate(slots)}
        self._at_start = _AtStart.of(slots, [self._slot_fit(s, start, skipped=False) for s in slots])
        self._inside = [s not in evidence.outside for s in slots]

    def __call__(self, hypothesis: Hypothesis) -> Weighed:
        half_seen = len(list(takewhile(self._hinted.__contains__, hypothesis.events)))  # an earlier scene came earlier
        prior = hypothesis.log_prior - half_seen * EVENT_PRIOR
        start = self._at_start
        lies, odds = dict(start.lies), dict(start.odds)
        pairs, fits, misreads = list(start.pairs), list(start.fits), list(start.misreads)
        for slot in self._unlike_start(hypothesis):
            one, number = self._slot_fit(slot, hypothesis, skipped=slot in hypothesis.sudden), self._order[slot]
            lies[slot], pairs[number] = one.view, (slot, one.view)
            fits[number], misreads[number] = one.fits, one.misread
            odds.pop(slot, None)
            if one.wrong:
                odds[slot] = one.odds
        wrong = sorted(odds, key=self._order.__getitem__)
        score, misread = sum(fits, prior), sum(misreads, prior)
        source = self._nudged_from(lies, wrong)
        lifted = [slot for slot in wrong if lies[slot].face != self._seen[slot].face]
        if source in wrong:
            # it was moved, not taken and another one laid
            score += NUDGED_PRIOR - ADDED_PRIOR - self._prior_of_wrong(source, lies[source])
        elif source is not None:
            as_nudge = self._evidence.of(source).log_likelihood(self._seen[source]) + NUDGED_PRIOR - ADDED_PRIOR
            as_misread = self._fit(source, hypothesis)[1]
            if as_nudge > as_misread:
                score += as_nudge - as_misread
                wrong.append(source)
        apart = sum(slot in wrong for slot in self._swapped)
        if apart % 2:
            score += OTHER_PRIOR / 2  # half an exchange is another act
        elif len(lifted) == 2 and not apart and _exchanged(lies, self._seen, lifted[0], lifted[1]):
            score -= OTHER_PRIOR  # one act of one person, not two
        score += self._as_one_act(lies, wrong)
        twice = self._in_two_slots(hypothesis, lies, wrong)
        if any(lies[slot].face == self._seen[slot].face for slot in twice):
            score, wrong, odds = misread, [], {}  # it stands where it is claimed to have gone, or where it is seen
        lying = tuple(pairs)
        for slot in wrong:  # a face that is wrong is so whatever print on it is taken for a figure
            seen = self._seen[slot]
            if slot in twice:
                seen = replace(seen, pieces=tuple(each for each in seen.pieces if each[0] not in twice[slot]))
            pairs[self._order[slot]] = (slot, seen)
        shown = tuple(pairs) if wrong else lying
        looks = tuple(compress(shown, self._inside)) if self._evidence.outside else shown
        return Weighed(hypothesis, lying, score, tuple(wrong), shown, misread, looks, odds)

    def _unlike_start(self, hypothesis: Hypothesis) -> set[Slot]:
        """The slots in which `hypothesis` need not come to what the first one comes to."""
        stages, early, start = hypothesis.stages, hypothesis.early, self._start
        unlike = {slot for slot, views in stages.items() if start.stages.get(slot) is not views}
        unlike |= start.stages.keys() - stages.keys()
        unlike.update(s for s in early.keys() | start.early.keys() if early.get(s) is not start.early.get(s))
        return unlike.union(hypothesis.touched) & self._order.keys()

    def _slot_fit(self, slot: Slot, hypothesis: Hypothesis, *, skipped: bool) -> _Fit:
        """How a slot fits; `skipped`: its last view counts as reached in one go, unless it is the first one."""
        one = self._evidence.of(slot)
        allowed = hypothesis.allowed(slot)
        if allowed == (self._seen.get(slot),) and slot not in self._silent and slot not in hypothesis.early:
            fits = one.log_likelihood(allowed[0])  # the only view that is allowed is the one that is seen
            return _Fit(allowed[0], fits, fits)
        view, fits = self._fit(slot, hypothesis)
        if skipped and view != allowed[0]:
            fits += SKIPPED_PRIOR
        misread = fits
        if view in hypothesis.early.get(slot, ()):
            misread = one.log_likelihood(allowed[0]) + FLICKER
        told = self._seen.get(slot) in one.clear or slot in self._swapped
        if told and slot not in self._silent and not _allows(hypothesis, slot, self._seen[slot]):
            # what is not clearly read accuses nobody, but for two faces that are each read in the other's place
            instead = one.log_likelihood(self._seen[slot]) + self._prior_of_wrong(slot, view)
            if instead > fits:
                sure = slot in self._swapped or one.is_surely_other(self._seen[slot], view)
                return _Fit(view, instead, misread, wrong=True, odds=instead - misread if sure else 0.0)
        return _Fit(view, fits, misread)

    def _prior_of_wrong(self, slot: Slot, legal: SlotView) -> float:
        seen = self._seen[slot]
        if slot in self._swapped:
            return OTHER_PRIOR / 2  # one act of one person, in two slots
        taken = _pieces_more(legal, seen)
        usual = self._holds[slot] == "gap" or (legal.face == seen.face and all(c in self._handled for c, _ in taken))
        if usual and taken and not _pieces_more(seen, legal):
            strayed = all(c in self._strays for c, _ in taken)
            return (STRAYED_PRIOR if strayed else TAKEN_PRIOR) * sum(n for _, n in taken)
        prior = _illegal_prior(legal, seen)
        changed = None not in (legal.face, seen.face) and legal.face != seen.face
        may_have_come = self._left if self._holds[slot] == "card" else self._lay
        return prior + FOREIGN_PRIOR - OTHER_PRIOR if changed and seen.face not in may_have_come else prior

    def _in_two_slots(
        self, hypothesis: Hypothesis, legal: Mapping[Slot, SlotView], wrong: list[Slot]
    ) -> dict[Slot, frozenset[str]]:
        """The wrong slots in which figures are seen, of which there is one each, that have gone to another slot by what
        is claimed, or are seen to stand in another; and which."""
        out_of_place = {
            slot: figures for slot in wrong
            if (figures := self._figures.intersection(c for c, _ in self._seen[slot].pieces))
        }  # fmt: skip
        if not out_of_place:
            return {}
        stand = {
            colour for slot, view in legal.items()
            if view.pieces and slot not in wrong and (slot in hypothesis.touched or self._seen.get(slot) == view)
            for colour, _ in view.pieces
        }  # fmt: skip
        return {slot: twice for slot, figures in out_of_place.items() if (twice := figures & stand)}

    def _as_one_act(self, legal: Mapping[Slot, SlotView], wrong: list[Slot]) -> float:
        """What the wrong slots are likelier by if one person took back a piece and lifted a card beside it in one act.

        A card that lies elsewhere then has changed places with nothing: that has been counted once already.
        """
        cards = [s for s in wrong if self._holds[s] == "card"]
        gone = [s for s in cards if legal[s].face is not None and self._seen[s].face is None]
        come = [s for s in cards if legal[s].face is None and self._seen[s].face is not None]
        gaps = [s for s in wrong if self._holds[s] == "gap"]
        taken = [s for s in gaps if sum(n for _, n in _pieces_more(legal[s], self._seen[s])) == 1]
        moved = len(come) == 1 and len(gone) == 1 and self._seen[come[0]].face == legal[gone[0]].face
        if len(gone) != 1 or len(taken) != 1 or len(gaps) != 1 or len(cards) != 1 + moved:
            return 0.0
        return FORBIDDEN_PRIOR - LIFTED_PRIOR - TAKEN_PRIOR

    def _nudged_from(self, legal: Mapping[Slot, SlotView], wrong: list[Slot]) -> Slot | None:
        """The slot that misses just the piece that lies in the only wrong one: pushed over, an act of its own. A piece
        that is moved all the time may be missed for sure; then that slot is the other wrong one of two."""
        if len(wrong) == 2:
            for to, source in (wrong, wrong[::-1]):
                come = _pieces_more(self._seen[to], legal[to])
                gone = _pieces_more(legal[source], self._seen[source])
                one_piece = sum(n for _, n in come) == 1 and self._handled.issuperset(c for c, _ in come)
                if one_piece and come == gone and all(legal[s].face == self._seen[s].face for s in wrong):
                    return source
        if len(wrong) != 1:
            return None
        come = _pieces_more(self._seen[wrong[0]], legal[wrong[0]])
        for slot, view in legal.items() if come else ():
            if view.pieces and slot in self._seen and slot not in wrong and slot not in self._silent:
                same_face = self._seen[slot].face == view.face
                if same_face and _pieces_more(view, self._seen[slot]) == come:
                    return slot
        return None

    def _fit(self, slot: Slot, hypothesis: Hypothesis) -> tuple[SlotView, float]:
        one = self._evidence.of(slot)
        allowed = hypothesis.allowed(slot)
        if slot in self._silent:
            unchanged = self._view.at(slot)
            if unchanged in allowed:
                return unchanged, 0.0
            best = max(allowed, key=one.log_likelihood)
            return best, one.log_likelihood(best) + SILENT_PENALTY
        if not one.visible and slot in self._evidence.outside:
            return allowed[-1], 0.0  # nobody will see there: what the record says is taken to be done
        if not one.visible:
            return (self._view.at(slot) if self._view.at(slot) in allowed else allowed[0]), 0.0
        now = self._view.at(slot)
        # what the reader itself can hardly see is no misreading of what was read rightly
        seen = self._seen[slot]
        hidden = one.hides_the_difference(seen, now) or (
            now.face is None and seen.face is None and hidden_in_crowd(seen.pieces, now.pieces)
        )
        flickers = seen != now and not hidden
        if len(allowed) == 1 and slot not in hypothesis.early:
            return allowed[0], one.log_likelihood(allowed[0]) + (FLICKER if flickers and allowed[0] == now else 0.0)
        views = [(one.log_likelihood(v) + (FLICKER if flickers and v == now else 0.0), v) for v in allowed]
        views += [(one.log_likelihood(v) + EARLY_PRIOR, v) for v in hypothesis.early.get(slot, ())]
        fits, view = max(views, key=lambda pair: pair[0])
        return view, fits


def _swapped(view: BoardView, seen: Mapping[Slot, SlotView]) -> frozenset[Slot]:
    """The two slots that read as if the faces that lay there had changed places, and all else as it was; none unless it
    is two."""
    both = [s for s, at in seen.items() if None not in (at.face, view.at(s).face)]
    other = {s: seen[s].face for s in both if seen[s].face != view.at(s).face}
    if len(other) != 2:
        return frozenset()
    one, two = other
    return frozenset(other) if other[one] == view.at(two).face and other[two] == view.at(one).face else frozenset()


def _still_shows(seen: SlotView | None, lay: SlotView) -> bool:
    """Whether a slot is seen to show the face that lay there."""
    return seen is not None and seen.face == lay.face


def _pieces_more(one: SlotView, other: SlotView) -> tuple[tuple[str, int], ...]:
    """The pieces that `one` has beyond those of `other`."""
    has = dict(other.pieces)
    return tuple((c, n - has.get(c, 0)) for c, n in one.pieces if n > has.get(c, 0))


def _allows(hypothesis: Hypothesis, slot: Slot, view: SlotView) -> bool:
    views = (*hypothesis.allowed(slot), *hypothesis.early.get(slot, ()))
    return view in views or any(v.turn is not None and replace(v, turn=None) == view for v in views)


def _exchanged(legal: Mapping[Slot, SlotView], seen: Mapping[Slot, SlotView], a: Slot, b: Slot) -> bool:
    return seen[a].face == legal[b].face and seen[b].face == legal[a].face


def _illegal_prior(legal: SlotView, seen: SlotView) -> float:
    if legal.face is not None and seen.face is None:
        return LIFTED_PRIOR
    if legal.face != seen.face:
        return OTHER_PRIOR
    if legal.turn is not None and seen.turn is not None and legal.turn != seen.turn:
        return TURNED_PRIOR
    had, has = dict(legal.pieces), dict(seen.pieces)
    added = sum(max(0, has.get(c, 0) - had.get(c, 0)) for c in has)
    removed = sum(max(0, had.get(c, 0) - has.get(c, 0)) for c in had)
    if removed == 0:
        return ADDED_PRIOR * added
    if added == 0:
        return REMOVED_PRIOR * removed
    return OTHER_PRIOR + ADDED_PRIOR * (added - 1) + REMOVED_PRIOR * (removed - 1)
