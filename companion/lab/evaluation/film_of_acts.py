"""Referees a filmed game whose truth names its acts as the record does, and says how well it was followed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import exp
from pathlib import Path
from typing import Any

from companion.app.camera.film import FilmJobs, FilmPeople, read_jobs
from companion.app.camera.watch.policy import FILM
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, film_loop
from companion.core.events import Cause, CauseKind
from companion.core.files import read_text
from companion.core.game import Rules, State, violation_of
from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.core.types import SEATS, SeatInfo
from companion.table.commands import Play, Undo
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable

PICTURE_S = 0.5
"""Time between the pictures of a film that states none."""

GRACE = 2
"""Pictures after the one that shows an act, in which the camera may still find it before people enter it."""

NAMED_P = 0.9
"""A reading below this is flagged as unsure."""


@dataclass
class ActsReport:
    """What a film came to. `missed` and `wrong` name what went wrong; places are counted over all settled pictures."""

    acts: int = 0
    recognised: int = 0
    asked_right: int = 0
    asked_wrong: int = 0
    tapped: int = 0
    """Of the questions that were answered rightly, those on the phone of the player who acted."""
    tapped_first: int = 0
    """Those of them of which the first answer was right."""
    asked_referee: int = 0
    """Those that only the referee could answer."""
    presumed: int = 0
    """How often an act was recorded with a note that it may have been another one, and people let it stand."""
    denied: int = 0
    """How often they said by that note what it was instead: one tap, as an answer is."""
    entered: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    illegal: int = 0
    named: int = 0
    named_at_once: int = 0
    unnamed: list[str] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)
    places: int = 0
    places_right: int = 0
    places_flagged: int = 0
    misread: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as a JSON object, without the single times."""
        return {k: v for k, v in asdict(self).items() if k != "seconds"} | {
            "median_s": round(sorted(self.seconds)[len(self.seconds) // 2], 3) if self.seconds else 0.0
        }

    def as_text(self) -> str:
        """The report for people."""
        part = self.recognised / max(1, self.acts)
        right = self.places_right / max(1, self.places)
        lines = [
            f"acts seen {self.acts}: without help {self.recognised} ({part:.1%}), asked with the right answer "
            f"{self.asked_right}, without it {self.asked_wrong}, entered {self.entered}, wrong {len(self.wrong)}; "
            f"presumed {self.presumed}, denied {self.denied}",
            f"illegal acts {self.illegal}: named {self.named}, in the first settled picture {self.named_at_once}; "
            f"false alarms {len(self.false_alarms)}",
            f"places {self.places}: right {right:.2%}, wrong and flagged {self.places_flagged}, "
            f"wrong without a flag {len(self.misread)}",
        ]
        for title in ("wrong", "missed", "unnamed", "false_alarms", "misread"):
            lines += [f"  {title}: {one}" for one in getattr(self, title)[:12]]
        return "\n".join(lines)


@dataclass
class ActsReferee:
    """A session at which a film is watched, beside the truth of what its people did.

    A question is answered by what the truth says, if that is among its choices. What the camera has not found some
    pictures later, people enter; what it took wrongly is undone. What was presumed they let stand if it was so, and say
    by its note what it was if not. `finishing`: people first finish what their hands do,
    as to move the card whose worker they have taken back, and then answer what is still asked.
    """

    table: Table
    jobs: FilmJobs
    truth: Mapping[str, Any]
    finishing: bool = False
    report: ActsReport = field(default_factory=ActsReport)
    watch: TableWatch = field(init=False)
    people: FilmPeople = field(init=False)
    _due: list[Mapping[str, Any]] = field(init=False)
    _known: int = 0
    _alarmed: set[int] = field(default_factory=set)
    _begun: tuple[int, int] | None = None
    """The picture in which the camera saw something begun that it has not asked about yet, and the record then."""
    _put_off: bool = False
    """Whether people have been asked what they do, and will answer when their hands are done."""

    def __post_init__(self) -> None:
        self.watch = TableWatch(self.table.spec, self.table.session, FILM)
        self.people = FilmPeople(self.table.session, self.jobs)
        self._due = [e for e in self.truth["events"] if e["event"] == "act"]
        self.report.acts = len(self._due)
        self.report.illegal = sum(e["event"] == "illegal" for e in self.truth["events"])
        self._known = self.table.session.number

    def before_picture(self, index: int) -> None:
        """What people do before picture `index`: they tell, and enter what was not seen and must be known.

        What the camera has seen begun is none of that: it is asked about unless the next picture tells. Nor is what
        they are asked about: they answer.
        """
        late = index if self.jobs.told.get(index) else index - GRACE
        if (self.watch.tracker.held is not None or self._put_off) and not self.jobs.told.get(index):
            late = 0
        while self._due and self._due[0]["frame"] < late:
            self._enter(self._due.pop(0))
        self.people.before_picture(index)
        self._known = self.table.session.number

    def _enter(self, act: Mapping[str, Any]) -> None:
        self.report.entered += 1
        self.report.missed.append(f"picture {act['frame']}: {act['text']}")
        answer = self.table.session.ask(Play(texts=(act["text"],), cause=Cause(CauseKind.OPERATOR)))
        assert answer.accepted, (act, answer)
        self._known = self.table.session.number

    def after(self, happenings: tuple[Happening, ...], observations: tuple[BoardObservation, ...], index: int) -> None:
        """Compare what picture `index` led to with the truth, and answer what is asked."""
        self._compare(index, asked=False)
        self._ask_what_waits(index)
        while self._answer(index):  # what an answer leaves of the picture may be asked about, too
            self._ask_what_waits(index)
        for happening in happenings:
            if happening.kind is HappeningKind.ILLEGAL and happening.violation is not None:
                self._alarm(index, happening.violation.clause)
        for observation in observations:
            if observation.view is ViewState.SETTLED and self.truth["frames"][index]["kind"] == "settled":
                self._read(index, observation)

    def _answer(self, index: int) -> bool:
        """Answer what is asked at picture `index` as the truth says; whether that was among the choices."""
        asked = self.watch.tracker.asked
        self._put_off = False
        if asked is None or not asked.choices:
            return False
        number = self._true_choice(index)
        still_open = isinstance(asked, Ambiguous) and bool(asked.open)
        if self.finishing and not still_open and self._goes_on(index):
            self._put_off = number is not None
            return False
        if number is None:
            self.report.asked_wrong += isinstance(asked, Ambiguous)  # else nothing was claimed: they enter it
            return False
        self._count_answer(number, asked)
        self.watch.answer(number, "film")
        self._compare(index, asked=True)
        return True

    def _true_choice(self, index: int) -> int | None:
        """Which of the choices names what is due at picture `index`, or else comes to the same; None: none of them."""
        due = [e["text"] for e in self._due if e["frame"] <= index]
        asked = self.watch.question["choices"] if self.watch.question else []
        return self._named_or_alike(self.table.session.state, list(enumerate(asked)), due)

    def _named_or_alike(self, state: State, choices: list[tuple[int, list[str]]], due: list[str]) -> int | None:
        """The number of the choice that names what is `due`, or else leads from `state` to the same; None: of none."""
        choices = [(n, choice) for n, choice in choices if choice and len(choice) <= len(due)]
        named = (n for n, choice in choices if choice == due[: len(choice)])
        alike = (n for n, choice in choices if self._come_to_the_same(state, choice, due[: len(choice)]))
        return next(named, next(alike, None))

    def _come_to_the_same(self, state: State, one: list[str], other: list[str]) -> bool:
        """Whether two chains of acts lead from `state` to one other."""
        ends = [state_after(self.table.session.rules, state, texts) for texts in (one, other)]
        return ends[0] is not None and ends[0] == ends[1]

    def _ask_what_waits(self, index: int) -> None:
        """People look for the question what they have begun: before they tell what comes next, and when they went on
        and the camera did not see it."""
        if self.watch.tracker.held is None:
            self._begun = None
            return
        number = self.table.session.number
        if self._begun is None or self._begun[1] != number:  # what was begun before is recorded
            self._begun = index, number
        frames = self.truth["frames"]
        went_on = index > self._begun[0] and frames[index]["kind"] == "settled"
        if went_on or self.jobs.told.get(index + 1) or index + 1 == len(frames):
            self.watch.ask_now()
            if self.table.session.number != number:  # what it was is presumed
                self._compare(index, asked=False)
                self._ask_what_waits(index)

    def _goes_on(self, index: int) -> bool:
        """Whether hands are not done at picture `index`: the next still one shows nothing new, and nothing is told."""
        frames = self.truth["frames"]
        still = next((n for n in range(index + 1, len(frames)) if frames[n]["kind"] == "settled"), None)
        if still is None or any(self.jobs.told.get(n) for n in range(index + 1, still + 1)):
            return False
        return not any(index < event["frame"] <= still for event in self.truth["events"])

    def _count_answer(self, number: int, asked: Ambiguous | Unreadable) -> None:
        """Whose answer `number` is: the acting player's, by a tap on their own phone, or the referee's."""
        self.report.asked_referee += asked.seat is None
        self.report.tapped += asked.seat is not None
        self.report.tapped_first += asked.seat is not None and number == 0

    def _compare(self, index: int, *, asked: bool) -> None:
        """Hold what was recorded since against the acts that are due."""
        session, rules = self.table.session, self.table.session.rules
        steps = [step for step in session.line() if step.number > self._known and step.event is not None]
        if not steps:
            return
        begun = session.state_after(session.before(steps[0].number))
        if self._deny(index, begun, steps):
            self._compare(index, asked=True)
            return
        for number, step in enumerate(steps, start=1):
            due = self._due[:number]
            # of two ways that come to the same either is right
            if number == len(due) and due[-1]["frame"] <= index and self._same(begun, due, steps[number - 1].number):
                continue
            if number < len(steps) and len(self._due) >= len(steps):
                continue  # on the way: what it comes to decides
            assert step.event is not None
            self.report.wrong.append(f"picture {index}: {rules.format(step.event)}")
            everybody = SEATS[: self.jobs.players]
            session.ask(Undo(to=session.before(steps[0].number), consents=everybody, cause=Cause(CauseKind.OPERATOR)))
            self._known = session.number
            return
        self._due = self._due[len(steps):]
        self.report.recognised += 0 if asked else len(steps)
        self.report.asked_right += len(steps) if asked else 0
        self._known = session.number

    def _deny(self, index: int, begun: State, steps: list[Any]) -> bool:
        """Say what was done instead of what is presumed among `steps`, taken from the state `begun`; whether it was
        something else that is among the choices."""
        presumed, question = self.watch.tracker.presumed, self.watch.question
        if presumed is None or not presumed.others or question is None or not question["presumed"]:
            return False
        events = [step.event for step in steps]
        count = len(presumed.events)
        at = next((n for n in range(len(events)) if tuple(events[n : n + count]) == presumed.events), None)
        if at is None:
            return False
        due = self._due[: at + count]
        if due and due[-1]["frame"] <= index and self._same(begun, due, steps[at + count - 1].number):
            self.report.presumed += 1
            return False
        texts = [e["text"] for e in self._due if e["frame"] <= index][at:]
        others = list(enumerate(question["choices"]))[1:]
        true = self._named_or_alike(presumed.believed.state, others, texts)
        if true is None:
            return False
        self.report.denied += 1
        self.watch.answer(true, "film")
        return True

    def _same(self, begun: State, due: list[Mapping[str, Any]], number: int) -> bool:
        """Whether the acts that are due lead from `begun` to the state after record `number`."""
        end = state_after(self.table.session.rules, begun, [act["text"] for act in due])
        return end is not None and bool(end == self.table.session.state_after(number))

    def _alarm(self, index: int, clause: str) -> None:
        acts = [e for e in self.truth["events"] if e["event"] in ("illegal", "corrected") and e["frame"] <= index]
        open_act = acts[-1] if acts and acts[-1]["event"] == "illegal" else None
        if open_act is None:
            self.report.false_alarms.append(f"picture {index}: {clause}")
        elif open_act["frame"] not in self._alarmed:
            self._alarmed.add(open_act["frame"])
            right = clause in open_act["clauses"]
            self.report.named += right
            self.report.named_at_once += right and index == open_act["frame"]
            if not right:
                self.report.unnamed.append(f"picture {index}: {open_act['act']} was called {clause}")

    def _read(self, index: int, observation: BoardObservation) -> None:
        """Count the places of a settled picture that were read right, flagged, and wrong without a flag."""
        slots = self.truth["frames"][index]["slots"]
        for one in observation.slots:
            if one.sight is not Sight.SEEN:
                continue
            want = slots.get(one.slot, {"face": None, "turn": None, "pieces": {}})
            self.report.places += 1
            got, sure = _reading(one)
            right = got == (want["face"], want["turn"] if want["face"] else None, want["pieces"])
            self.report.places_right += right
            self.report.places_flagged += not right and not sure
            if not right and sure:
                self.report.misread.append(f"picture {index}, {one.slot}: {want} read as {got}")

    def end(self) -> ActsReport:
        """The report when the film is over."""
        for event in self.truth["events"]:
            if event["event"] == "illegal" and event["frame"] not in self._alarmed:
                self.report.unnamed.append(f"picture {event['frame']}: {event['act']} was not named")
        self.report.missed += [f"picture {e['frame']}: {e['text']}" for e in self._due]
        return self.report


def state_after(rules: Rules, state: State, texts: Sequence[str]) -> State | None:
    """The state to which acts lead one after the other; None if one of them breaks a rule."""
    for text in texts:
        event = rules.parse(text)
        if violation_of(rules, state, event) is not None:
            return None
        state = rules.apply(state, event)
    return state


def _reading(one: SlotReading) -> tuple[tuple[Any, Any, dict[str, int]], bool]:
    """Face, turn and pieces of a reading, and whether it claims to be sure of them."""
    face, p = max(((f, exp(log_p)) for f, log_p in one.faces), key=lambda pair: pair[1], default=(None, 1.0))
    pieces = {piece.colour: piece.count for piece in one.pieces if piece.count}
    return (face, one.turn if face else None, pieces), p >= NAMED_P and one.pieces_p >= NAMED_P


def referee_acts(
    directory: Path, progress: Callable[[int, int], None] | None = None, *, finishing: bool = False
) -> ActsReport:
    """Watch the film of the set at `directory`; `finishing`: see `ActsReferee`. Raises DataError without a film or its
    truth."""
    jobs = read_jobs(directory / "game")
    truth = json.loads(read_text(directory / "game" / "truth.json"))
    with tempfile.TemporaryDirectory(prefix="companion-film-") as folder:
        settings = Settings(data_dir=folder)
        with open_store(settings) as store:
            seats = tuple(SeatInfo(f"Player {n + 1}", colour) for n, colour in enumerate(jobs.colours))
            table = begin_table(store, settings, NewGame(jobs.game, seats, session="film"))
            try:
                referee = ActsReferee(table, jobs, truth, finishing)
                _watch(referee, directory, progress)
                return referee.end()
            finally:
                table.close()


def _watch(referee: ActsReferee, directory: Path, progress: Callable[[int, int], None] | None) -> None:
    seconds, pictures = referee.report.seconds, len(referee.jobs.pictures)
    loop = film_loop(directory, referee.jobs, referee.watch, referee.people)
    loop.before_picture = referee.before_picture
    loop.clock = lambda: len(seconds) * PICTURE_S
    loop.source.start()
    try:
        for step in loop.run():
            if step.picture is None or len(seconds) == pictures:
                break
            referee.after(step.happenings, step.observations, len(seconds))
            seconds.append(step.took_s)
            if progress is not None:
                progress(len(seconds), pictures)
    finally:
        loop.source.stop()

