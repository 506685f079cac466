"""Tracks the table picture by picture: what is believed, which alarm or question is open, and what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from companion.core.game import Rules, State
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Slot
from companion.table.tracking.agreeing import agreed_views, is_right_again, still_uncounted
from companion.table.tracking.appearance import board_look
from companion.table.tracking.hands_seen import begun, done, explained
from companion.table.tracking.happenings import Happening, HappeningKind, reported
from companion.table.tracking.hypotheses import Believed, root
from companion.table.tracking.judging.beside import gone_on, judge_beside
from companion.table.tracking.judging.doubting import doubt_record
from companion.table.tracking.judging.presumed import Presumed, sensible
from companion.table.tracking.judging.reconcile import (
    DEFAULT_DEMANDS,
    GONE_ON_LEGALLY,
    PERHAPS_LEGAL,
    Blame,
    Context,
    Demands,
    reconcile,
)
from companion.table.tracking.judging.turn_by_turn import left_open
from companion.table.tracking.judging.unnamed import foreign_faces, judge_unnamed, without_foreign
from companion.table.tracking.judging.verdicts import Ambiguous, Explained, Illegal, NoChange, Unreadable, Verdict
from companion.table.tracking.judging.weighing import EarlierState
from companion.table.tracking.lasting_doubts import LastingDoubts, Patience
from companion.table.tracking.open_matters import OpenMatters
from companion.table.tracking.purses import PurseWitness
from companion.table.tracking.reading.evidence import NOTHING_SEEN, TableEvidence
from companion.table.tracking.reading.legibility import Legibility
from companion.table.tracking.reading.misreadings import Misreadings
from companion.table.tracking.reading.still_scene import StillScene
from companion.table.tracking.reading.sure_readings import SureReadings
from companion.table.tracking.retold import Record, Retold, retold_view
from companion.table.tracking.standing import TableFinding

PATIENCE_PICTURES = 3
"""Settled pictures of the same scene that may stay doubtful before somebody is asked what no picture tells."""


@dataclass
class TableTracker:
    """What is believed of one table. Not safe for threads; everything it needs is passed in.

    `accept` takes over events that did not come from the camera (confirmations, choices, digital draws). `stills`:
    each picture is a scene of its own, as in a film; hands that nobody noticed came in between. `patience`: settled
    pictures of one scene (of stills: in a row) that may stay doubtful before somebody is asked. `presumes`: whether the
    one legal way to a table of which nobody saw the middle, and of acts that leave the same table the only one that
    makes sense, is recorded, or people are asked. `hold_ms`: how long people may be in the middle of an act before they
    are asked which it is, and at most until the next scene.
    """

    rules: Rules
    blame: Blame
    state: State
    view: BoardView
    demands: Demands = DEFAULT_DEMANDS
    patience: int = PATIENCE_PICTURES
    stills: bool = False
    presumes: bool = True
    hold_ms: int = 0
    earlier: tuple[EarlierState, ...] = ()
    agreed: dict[Slot, SlotView] = field(default_factory=dict)
    """What the last settled picture shows for sure, by slot: it was read so, or a person said so."""
    presumed: Presumed | None = None
    """What was recorded though it might have been a breach, or another act: people may say so."""
    record: Record | None = None
    """What was recorded, if it may be told again where later pictures surely contradict it."""
    legibility: Legibility = field(default_factory=Legibility)
    open: OpenMatters = field(default_factory=OpenMatters)
    _readings: SureReadings = field(default_factory=SureReadings)
    _verdict: Verdict | None = None
    """The last one on a settled picture."""
    _misreadings: Misreadings = field(default_factory=Misreadings)
    _unclear: frozenset[Slot] = frozenset()
    """The slots that were not clear when the view was last believed."""
    _uncounted: frozenset[Slot] = frozenset()
    """The slots with a face on which no picture has clearly shown what lies there since one did not."""
    _hinted: frozenset[Event] = frozenset()
    _still: StillScene = field(init=False)
    _purses: PurseWitness = field(init=False)
    _evidence: TableEvidence = NOTHING_SEEN
    _early: frozenset[Slot] = frozenset()
    _emptied: frozenset[Slot] = frozenset()
    _doubts: LastingDoubts = field(default_factory=LastingDoubts)
    _time_ms: int = 0
    _moved: bool = False
    _looked: bool = False
    """Whether a settled picture has been seen."""

    def __post_init__(self) -> None:
        turns = {outline.slot: outline.turns for outline in self.rules.layout().slots if outline.turns > 1}
        self._still = StillScene(self.rules.same_face, turns)
        self._purses = PurseWitness(self.rules)

    @property
    def alarm(self) -> Illegal | None:
        """The open alarm."""
        return self.open.alarm

    @property
    def asked(self) -> Ambiguous | Unreadable | None:
        """The open question."""
        return self.open.asked

    def accept(
        self, state: State, earlier: tuple[EarlierState, ...] = (), emptied: frozenset[Slot] = frozenset(),
        told: tuple[Event, ...] | None = None,
    ) -> None:
        """The session accepted something that was not seen: `state` holds now, `earlier` may be gone back to.

        `emptied`: slots that were empty on the way to it; hands have yet to clear them. `told`: what led there, if that
        is only more than before.
        """
        self.state = state
        self.earlier = earlier
        self._outlast(told)
        self._doubts.over()
        self._emptied |= emptied
        self._change(TableFinding.ACCEPTED)

    def put_right(
        self, state: State, view: BoardView, still_open: frozenset[Slot] = frozenset(),
        told: tuple[Event, ...] | None = None,
    ) -> None:
        """A person said how things are: `state` holds and `view` lies on the table, but for what is `still_open`;
        `told` as for `accept`.

        What the camera saw otherwise it misread, and will go on misreading: it is silent there until it reads anew.
        """
        self.accept(state, told=told)
        self._emptied = frozenset()
        self.view = view
        seen = {s: one.most_likely() for s, one in self._evidence.slots.items() if one.visible}
        reads = {**self._misreadings.known, **seen}
        if self.alarm is not None:
            reads |= {slot: self.alarm.seen.at(slot) for slot in view.differs(self.alarm.seen)}
        pending = root(self.rules, self._believed(), tuple(o.slot for o in self.rules.layout().slots))
        wrong = {s: at for s, at in reads.items() if at != view.at(s) and at not in pending.allowed(s)}
        self._misreadings.said({s: at for s, at in wrong.items() if s not in still_open})
        self._change(TableFinding.PUT_RIGHT)
        seen_as_said = (s for s, one in self._evidence.slots.items() if one.visible and s not in still_open)
        self.agreed = {slot: view.at(slot) for slot in seen_as_said}
        self.scene_changed()

    def answered(self, events: tuple[Event, ...], state: State, frame: int) -> tuple[Happening, ...]:
        """A person said that `events` happened, one after the other; `state` holds now.

        Of each event its first stage lies on the table: a captured face may still lie there.
        """
        view, before, happenings = self.view, self.state, []
        asked = self.held or self.asked
        still_open = asked.open | asked.doubted if isinstance(asked, Ambiguous) else frozenset()
        for event in events:
            touched, view = begun(self.rules, view, before, event)
            after = self.rules.apply(before, event)
            happenings.append(Happening(HappeningKind.EVENT, frame, touched, event=event, before=before, state=after))
            before = after
        self.put_right(state, view, still_open, events)
        never_seen = (s for s in still_open if view.at(s).face and not self._evidence.of(s).most_likely().face)
        self._uncounted |= frozenset(never_seen)
        # what hands have done since is in the picture that was asked about
        told = self.agreed
        happenings += self._all_consequences(self.judge(self._evidence), frame)
        self._agree()
        self.agreed |= {slot: at for slot, at in told.items() if at == self.view.at(slot)}
        return tuple(happenings)

    @property
    def held(self) -> Ambiguous | None:
        """What people may be in the middle of, so that they are not asked yet which act it is."""
        verdict, asked = self._verdict, self.asked
        if not isinstance(verdict, Ambiguous) or not verdict.may_be_unfinished or asked is not None:
            return None
        return None if self._doubts.begun_ms is None else verdict

    @property
    def held_until_ms(self) -> int | None:
        """When they are asked all the same; None where nothing is held."""
        begun_ms = None if self.held is None else self._doubts.begun_ms
        return None if begun_ms is None else begun_ms + self.hold_ms

    def ask_now(self, frame: int, *, gone_on: bool = True) -> tuple[Happening, ...]:
        """Ask about what is held: the time is up, or people have `gone_on`, as they do who tell what comes after it."""
        held = self.held
        if held is None:
            return ()
        likely = self._likely(held, gone_on=gone_on)
        if likely is not None:
            return self._agreed(self._all_consequences(likely, frame))
        kinds = self._change(TableFinding.UNDECIDED, held)
        return tuple(reported(kind, held, self.alarm, self.view, self.state, frame) for kind in kinds)

    def refused(self, frame: int) -> tuple[Happening, ...]:
        """A person said that none of the open question's legal acts happened: what lies there is against the rules."""
        breach = self.asked.breach if isinstance(self.asked, Ambiguous) else None
        self.open.upheld = None if breach is None else breach.violation
        return self._agreed(() if breach is None else self._consequences(breach, frame))

    def told_otherwise(self, state: State, frame: int) -> tuple[Happening, ...]:
        """A person said that other acts have happened than those presumed, and they are in the record: `state` holds.
        Both leave the same table."""
        self.accept(state)
        return self._agreed(self._all_consequences(self.judge(self._evidence), frame))

    def denied(self, frame: int) -> tuple[Happening, ...]:
        """A person said that what is presumed has not happened, and it is undone: it was against the rules."""
        presumed = self.presumed
        if presumed is None or presumed.breach is None:
            return ()
        self.accept(presumed.believed.state)
        self.view, self._early = presumed.believed.view, presumed.believed.early
        self._emptied = presumed.believed.emptied
        self.open.upheld = presumed.breach.violation
        return self._agreed(self._consequences(presumed.breach, frame))

    def corrected(self, story: Retold, frame: int) -> tuple[Happening, ...]:
        """A person said that `story` is true instead of the record, and it is in the record now."""
        view = retold_view(self.rules, self.state, self.view, story)
        self.accept(story.state)
        self.view = view
        self._misreadings.forget(story.slot)
        return self._agreed(self._consequences(self.judge(self._evidence), frame))

    def borne_out(self, story: Retold) -> None:
        """A person said that the record is right where `story` doubts it: the camera misreads that face."""
        self._readings.deny(story.slot, story.face, story.recorded)
        self.accept(self.state, self.earlier)
        self.scene_changed()

    def scene_changed(self) -> None:
        """Something moved on the table: the pictures so far are of another scene."""
        verdict = self._verdict
        self._still.clear(verdict.telling if isinstance(verdict, Ambiguous) and verdict.is_of_a_face else ())
        self._readings.scene_changed()
        self._purses.scene_changed()
        self.open.scene_changed()
        self._doubts.scene_changed(stills=self.stills)

    def observe(self, observation: BoardObservation) -> tuple[Happening, ...]:
        """What this picture shows that was not known before. Only settled pictures count."""
        if observation.view is not ViewState.SETTLED:
            self.scene_changed()
            bumped = observation.view is ViewState.MOVED and not self._moved
            self._moved |= bumped  # until a settled picture shows that the table was found again
            return (Happening(HappeningKind.BUMPED, observation.frame),) if bumped else ()
        self._moved, self._time_ms = False, observation.time_ms
        if self.stills:
            self.scene_changed()
        self.legibility.look(observation)
        self._evidence = self._still.add(self._readings.put_right(observation, self.view, self.rules))
        self._purses.look(observation)
        self._readings.look(self.view, self._evidence)
        over = self._alarm_over(observation.frame)
        verdict = self.judge(self._evidence)
        if self.stills and not self._looked and isinstance(verdict, Illegal):  # an arm may rest there
            verdict = Unreadable(verdict.nearest.differs(verdict.seen))
        self._looked = True
        return self._agreed([*over, *self._all_consequences(verdict, observation.frame)])

    def _alarm_over(self, frame: int) -> list[Happening]:
        """Close the open alarm if what it names is right again: it waits for no doubt elsewhere."""
        alarm, fits = self.alarm, NoChange(self.view)
        right = alarm is not None and is_right_again(alarm, self._evidence)
        over = self._change(TableFinding.ALARM_OVER) if right else ()
        return [reported(kind, fits, alarm, self.view, self.state, frame) for kind in over]

    def _all_consequences(self, verdict: Verdict, frame: int) -> list[Happening]:
        """Those of `verdict`; in a film, of which no second picture shows what came after, also of what it leaves."""
        happenings = [*self._consequences(verdict, frame)]
        while self.stills and isinstance(self._verdict, Explained):
            left_open, verdict = self._verdict.open, self.judge(self._evidence)
            if isinstance(verdict, Illegal) and left_open.issuperset(verdict.nearest.differs(verdict.seen)):
                break  # the next scene shows it once more
            happenings += self._consequences(verdict, frame)
        return happenings

    def _agreed(self, consequences: Iterable[Happening]) -> tuple[Happening, ...]:
        """All `consequences` of a verdict, with what the picture shows for sure noted after them."""
        happenings = tuple(consequences)
        self._agree()
        return happenings

    def _agree(self) -> None:
        """Note what the last settled picture shows for sure: what is believed, where it is read so or was not clearly
        read otherwise, and nothing is open."""
        self.agreed = agreed_views(self.view, self._evidence, self._verdict, self.alarm, self.asked)

    def _believed(self) -> Believed:
        return Believed(self.state, self.view, self._early, self._emptied)

    def judge(self, evidence: TableEvidence) -> Verdict:
        """The verdict on `evidence` as things are believed now; changes nothing."""
        believed, silent = self._believed(), self._misreadings.in_force(evidence, self.view)
        verdict = gone_on(self.alarm, self.open.upheld, self.view, self._judge(evidence, believed, silent))
        if self.record is None or (isinstance(verdict, Illegal) and verdict.violation == self.open.upheld):
            return verdict
        return doubt_record(
            self.rules, self.record, believed, silent, evidence, self._readings, verdict, self._judge
        )

    def _judge(self, evidence: TableEvidence, believed: Believed, silent: Mapping[Slot, SlotView]) -> Verdict:
        foreign = foreign_faces(self.rules, self.blame, believed, evidence)
        foreign = {slot: breach for slot, breach in foreign.items() if breach.violation != self.open.upheld}
        evidence = without_foreign(self.rules, believed, evidence, foreign)
        strange, demands = (evidence.unclear | evidence.perhaps_come(believed.view)) - self._unclear, self.demands
        demands = replace(demands, may_presume=self.presumes and self.alarm is None)
        if self.legibility.is_poor:  # nobody is accused then on less than what an event is recorded on
            demands = replace(demands, alarm=max(demands.alarm, demands.accept))

        def judge(believed: Believed, silent: Mapping[Slot, SlotView]) -> Verdict:
            context = Context(
                silent, strange, self.earlier if believed.state is self.state else (), self._hinted,
                self._purses.of(believed.state), self._uncounted,
            )
            decide = partial(reconcile, self.rules, believed, evidence, self.blame, context)
            verdict = decide(demands)
            if not isinstance(verdict, Illegal) or verdict.violation == self.open.upheld:
                return verdict
            gone_on = self.alarm is not None and self.alarm.seen != verdict.seen
            return decide(replace(demands, overlooked=GONE_ON_LEGALLY if gone_on else PERHAPS_LEGAL))

        return judge_beside(
            believed.view, evidence, silent,
            lambda silent: judge_unnamed(self.rules, believed, silent, evidence, judge, foreign),
        )

    def _change(self, finding: TableFinding, verdict: Verdict | None = None) -> tuple[HappeningKind, ...]:
        """Open and close what the table of transitions says; what is to be reported of it."""
        reported = self.open.change(finding, verdict)
        if finding not in (TableFinding.DOUBTFUL, TableFinding.UNDECIDED, TableFinding.ALARM_OVER):
            self._doubts.over()
        return reported

    def _consequences(self, verdict: Verdict, frame: int) -> Iterator[Happening]:
        verdict = left_open(self.held, verdict)
        alarm, self._verdict = self.alarm, verdict
        if alarm is not None and isinstance(verdict, Ambiguous) and verdict.rest_fits:
            for kind in self._change(TableFinding.FITS):
                yield reported(kind, verdict, alarm, self.view, self.state, frame)
        patience = Patience(self.patience, self.stills, self.hold_ms)
        finding = self._doubts.finding(verdict, self.alarm, self._time_ms, patience)
        if finding is TableFinding.UNDECIDED:
            likely = self._likely(verdict)
            if likely is not None:
                self._verdict, verdict, finding = likely, likely, TableFinding.FITS
        for kind in self._change(finding, verdict):
            yield reported(kind, verdict, alarm, self.view, self.state, frame)
        if isinstance(verdict, NoChange | Ambiguous):
            self._hinted = verdict.hinted
        elif isinstance(verdict, Unreadable):
            self._hinted |= verdict.hinted
        if isinstance(verdict, NoChange | Explained):
            if isinstance(verdict, Explained):
                yield from self._explained(verdict, frame)
            else:
                yield from done(self.state, self.view, verdict.view, frame)
            self._believe(verdict.view)
            self._unclear = self._evidence.unclear
            self._uncounted = still_uncounted(self._uncounted, self.view, self._evidence)
            slots = (outline.slot for outline in self.rules.layout().slots)
            still_open = verdict.open if isinstance(verdict, Explained) else verdict.doubted
            self._misreadings.remember(self._evidence, self.view, slots, still_open)
            self._purses.as_believed(self.state, play_goes_on=bool(still_open))

    def _likely(self, verdict: Verdict, *, gone_on: bool = False) -> Explained | None:
        """What to presume of what `verdict` leaves open; None where people are asked. `gone_on`: see `sensible`."""
        if not self.presumes or self.alarm is not None or not isinstance(verdict, Ambiguous):
            return None
        purses = self._purses.of(self.state, all_paid=gone_on)
        return sensible(self.rules, self.state, verdict, purses, gone_on=gone_on)

    def _outlast(self, events: tuple[Event, ...] | None) -> None:
        """`events` happened, or more than that (None): what is presumed may be past denying."""
        if self.presumed is not None and (events is None or not self.presumed.outlasts(events)):
            self.presumed = None

    def _believe(self, view: BoardView) -> None:
        """`view` lies on the table now; a face that the state does not have there yet was laid early if the slot was
        empty before."""
        if view is self.view and not self._early:
            return
        self._emptied = frozenset(slot for slot in self._emptied if view.at(slot) == self.view.at(slot))
        wanted = board_look(self.rules, self.state)
        ahead = (s for s, at in view.slots if at.face is not None and wanted.at(s).face != at.face)
        self._early = frozenset(s for s in ahead if s in self._early or self.view.at(s).face is None)
        self.view = view

    def _explained(self, verdict: Explained, frame: int) -> Iterator[Happening]:
        believed, instead = self._believed(), verdict.presumed
        self._outlast(verdict.events)
        for happening in explained(self.rules, self.state, self.view, verdict, frame):
            if happening.kind is HappeningKind.EVENT:
                self.state = happening.state
                self.earlier = ()
                self._hinted = frozenset()
            yield happening
        if instead is not None:
            self.presumed = Presumed.instead_of(verdict.events, believed, instead)
            violation = None if self.presumed.breach is None else self.presumed.breach.violation
            yield Happening(HappeningKind.PRESUMED, frame, self.presumed.slots, violation=violation, verdict=verdict)
