"""Verifies a whole exported record offline and says in words what it proves, what it does not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.core.digest import digest
from companion.core.errors import CompanionError, RecordError
from companion.core.game import Rules, State
from companion.core.types import Draw
from companion.draws import words
from companion.draws.audit import Audit, BagStory, RecordedDraw
from companion.draws.ceremony import Phase
from companion.draws.lines import REMEDY, ExportedRecord, Line
from companion.draws.urn import Urn, urn_of
from companion.draws.words import DrawFinding

MIN_CODE_DIGITS = 32
"""A noted code of 128 bits: two secrets that share it cost about 2**64 hashes to find before the game."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a record whose every line holds proves about its draws."""

    session: str
    records: int
    head: str
    draws: int  # digital, in the record
    proved: int  # digital, recomputed from a revealed secret
    physical: int
    taken_back: tuple[int, ...]  # numbers of draws that an undo took back
    commitments: tuple[str, ...]
    findings: tuple[DrawFinding, ...]
    missing: tuple[DrawFinding, ...]

    @property
    def complete(self) -> bool:
        """Whether every digital draw is proved, and there is one."""
        return not self.missing


def verify(export: ExportedRecord, rules: Rules, codes: Sequence[str] = ()) -> Report:
    """Check the bags, recompute every draw and compare every urn with the rules' outcomes in its state.

    `codes`: what the table noted of each commitment before its bag was filled, at least 32 hex digits.
    Raises RecordError at the first place that does not hold.
    """
    audit = Audit(export.header["session"])
    replay = _Replay(rules)
    for line in export.records:
        replay.take(line, audit.take(line))
    _check_codes(audit.bags, codes)
    names = [seat["name"] for seat in export.header["setup"]["seats"]]
    taken_back = replay.taken_back(audit.draws)
    findings = [words.whole(len(export.records), export.header["head"])]
    missing: list[DrawFinding] = []
    for story in audit.bags:
        findings += [*words.filling(story, names, noted=bool(codes)), words.guarantee(story, names)]
        (findings if story.ceremony.phase is Phase.REVEALED else missing).append(words.draws(story))
    findings += words.replayed(audit.draws, taken_back, replay.physical)
    if not audit.draws:
        missing.append(words.NOTHING)
    return Report(
        session=export.header["session"],
        records=len(export.records),
        head=export.header["head"],
        draws=len(audit.draws),
        proved=sum(len(s.draws) for s in audit.bags if s.ceremony.phase is Phase.REVEALED),
        physical=len(replay.physical),
        taken_back=tuple(draw.number for draw in taken_back),
        commitments=tuple(story.ceremony.commitment for story in audit.bags),
        findings=tuple(findings),
        missing=tuple(missing),
    )


class _Replay:
    """Plays the record with the rules, to know what each urn should have held."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.physical: list[int] = []
        self._states: list[State] = [None]  # by record number
        self._made_by: list[int] = [0]  # by record number: the record that made the state which holds after it
        self._parents: dict[int, int] = {}  # record that made a state -> the one that made the state before

    def take(self, line: Line, draw: RecordedDraw | None) -> None:
        try:
            state = self._next(line, draw, self._states[-1])
        except (CompanionError, ValueError, LookupError, TypeError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"the rules cannot replay this: {error}", where=line.where, remedy=REMEDY) from error
        if state is not self._states[-1]:
            after = digest(self.rules.dump(state))
            if after != line.data["after"]:
                raise RecordError(f"after: expected {after}, got {line.data['after']}", where=line.where, remedy=REMEDY)
        self._states.append(state)
        self._note(line)

    def taken_back(self, draws: Sequence[RecordedDraw]) -> list[RecordedDraw]:
        """The draws that do not lead to the state the record ends with."""
        in_force = set(self._line())
        return [draw for draw in draws if draw.line.data["number"] not in in_force]

    def _line(self) -> Iterator[int]:
        number = self._made_by[-1]
        while number:
            yield number
            number = self._parents[number]

    def _note(self, line: Line) -> None:
        number, kind = line.data["number"], line.data["kind"]
        if kind in ("setup", "event", "overrule"):
            self._parents[number] = self._made_by[-1]
            self._made_by.append(number)
        else:
            self._made_by.append(self._made_by[line.data["body"]["to"] if kind == "undo" else -1])

    def _next(self, line: Line, draw: RecordedDraw | None, state: State) -> State:
        kind, body = line.data["kind"], line.data["body"]
        if kind == "setup":
            return self.rules.initial()
        if kind == "undo":
            if self._made_by[body["to"]] not in self._line():
                raise ValueError(f"record {body['to']} was taken back before, its state cannot hold again")
            return self._states[body["to"]]
        if kind == "overrule":
            return self.rules.load(body["state"])
        if kind == "event":
            event = self.rules.parse(body["text"])
            if isinstance(event, Draw):
                self._draw(line, draw, state)
            return self.rules.apply(state, event)
        return state

    def _draw(self, line: Line, draw: RecordedDraw | None, state: State) -> None:
        if draw is None:
            self.physical.append(line.data["number"])
            return
        outcomes = self.rules.chance_outcomes(state)
        expected = urn_of(outcomes, (self.rules.format(outcome.draw) for outcome in outcomes))
        if draw.urn != expected:
            raise RecordError(
                f"draw {draw.number}: the urn is not what the rules allow here: {_difference(expected, draw.urn)}",
                where=line.where,
                remedy=REMEDY,
            )


def _difference(expected: Urn, got: Urn) -> str:
    wanted, found = dict(expected.to_json()), dict(got.to_json())
    for text in sorted(wanted.keys() | found.keys()):
        if wanted.get(text) != found.get(text):
            return f"{text!r} should weigh {wanted.get(text, 0)}, the record says {found.get(text, 0)}"
    return "its outcomes stand in another order"


def _check_codes(bags: Sequence[BagStory], codes: Sequence[str]) -> None:
    clean = ["".join(code.split()).replace("-", "").lower() for code in codes]
    for code in clean:
        if len(code) < MIN_CODE_DIGITS:
            raise CompanionError(
                f"a noted code needs at least {MIN_CODE_DIGITS} digits, got {len(code)}",
                remedy="Two secrets that share a shorter code can be prepared before the game.",
            )
    for story in bags if codes else ():
        if not any(story.ceremony.commitment.startswith(code) for code in clean):
            raise RecordError(
                f"bag {story.ceremony.bag} has the code {story.ceremony.commitment}, which is not one you noted",
                where=f"record {story.steps[0][0]}",
                remedy="This is not the record of the game that you saw.",
            )
