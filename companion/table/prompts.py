"""Sentences for people, in the language of whoever reads: what a rule forbids, what happened, what hands must do."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.events import RecordKind
from companion.core.game import GameSpec, Rules, State
from companion.core.messages import Message
from companion.core.types import Action, ClauseSource, Event, ScoreLine, Seat, Setup, Violation
from companion.i18n import calling, fill, translations
from companion.table.commands import CLOCK_OFF, CLOCK_UP, Answer, Crossing, Topic
from companion.table.record.updates import Update
from companion.table.steps import HandStep

_RECORD_SENTENCES = {
    RecordKind.SETUP: "the game was set up",
    RecordKind.UNDO: "taken back to record {to}",
    RecordKind.OVERRULE: "the table was accepted as it lay: {why}",
    RecordKind.PROOF: "the digital bag: {step}",
    RecordKind.NOTE: "note ({topic}): {text}",
}


COUNTED_DOWN = "each player has {text} minutes from now on"
_CLOCK_SENTENCES = {
    CLOCK_OFF: "the players' clocks are off",
    CLOCK_UP: "the players' clocks count up",
}
"""What is said of a note about clocks, by its text; of any other text, that it is the minutes."""

NOTED = "(agreed according to the referee: {seats})"


class Prompter:
    """Speaks one language of one game: `spec` has the game's messages, `setup` the players' names; `names` says what
    people call places and faces, which else are called as in the record, for people who type them."""

    def __init__(
        self, spec: GameSpec, setup: Setup, language: str, names: Mapping[str, Message] | None = None
    ) -> None:
        self._spec = spec
        self._setup = setup
        self._translate = calling(translations(language, spec.locale_dir).gettext, names or {})

    def text(self, message: str, **facts: object) -> str:
        """A message id with facts as a sentence."""
        return fill(message, facts, self._translate, self.name)

    def text_of(self, message: str, facts: tuple[tuple[str, object], ...]) -> str:
        """A message id with its facts, as a game hands them out, as a sentence."""
        return fill(message, facts, self._translate, self.name)

    def name(self, seat: Seat) -> str:
        """The player on `seat`, as they write their name."""
        return self._setup.seats[seat].name if seat < len(self._setup.seats) else seat.name

    def clause(self, clause_id: str) -> str:
        """A clause's id, marked as a ruling when it is one: R-05 (ruling)."""
        clause = self._spec.clauses.get(clause_id)
        if clause is None or clause.source is ClauseSource.RULEBOOK:
            return clause_id
        return f"{clause_id} ({self.text('ruling')})"

    def clause_text(self, clause_id: str) -> str:
        """A whole clause with its title, or that there is none."""
        clause = self._spec.clauses.get(clause_id)
        if clause is None:
            return self.text("{game} has no clause {clause}", game=self._spec.title, clause=clause_id)
        return f"{self.clause(clause_id)} {self.text(clause.title)}\n{self.text(clause.text)}"

    def violation(self, violation: Violation) -> str:
        """What a rule forbids and why, beginning with its clause."""
        sentence = fill(violation.message, violation.facts, self._translate, self.name)
        return f"{self.clause(violation.clause)}: {sentence}"

    def answer(self, answer: Answer) -> str:
        """Why a command was not accepted; empty when it was."""
        if answer.violation is not None:
            return self.violation(answer.violation)
        return fill(answer.message, answer.facts, self._translate, self.name) if answer.message else ""

    def event(self, rules: Rules, event: Event) -> str:
        """What happened."""
        message, facts = rules.describe(event)
        return fill(message, facts, self._translate, self.name)

    def offer(self, rules: Rules, state: State, action: Action) -> str:
        """What an act would do that can be done in this position."""
        if self._spec.offer is None:
            return self.event(rules, action)
        message, facts = self._spec.offer(rules, state, action)
        return fill(message, facts, self._translate, self.name)

    def beside_board(self, rules: Rules, state: State) -> list[str]:
        """What people need to see beside the board, in sentences; empty for a game whose board shows it all."""
        tell = self._spec.beside_board
        sentences = () if tell is None else tell(rules, state)
        return [fill(message, facts, self._translate, self.name) for message, facts in sentences]

    def beside_seat(self, rules: Rules, state: State, seat: Seat) -> list[str]:
        """What only this player has and may see, in sentences; empty for a game without such things."""
        tell = self._spec.beside_seat
        sentences = () if tell is None else tell(rules, state, seat)
        return [fill(message, facts, self._translate, self.name) for message, facts in sentences]

    def turn(self, rules: Rules, state: State, seat: Seat) -> str:
        """What this player can do now, said to that player; "" for nothing, or where the game does not say."""
        tell = self._spec.turn_words
        told = None if tell is None else tell(rules, state, seat)
        return "" if told is None else fill(*told, self._translate, self.name)

    def followed(self, rules: Rules, before: State, event: Event, after: State) -> list[str]:
        """What the rules made of `event` by themselves, in sentences."""
        tell = self._spec.what_followed
        told = () if tell is None else tell(rules, before, event, after)
        return [fill(message, facts, self._translate, self.name) for message, facts in told]

    def step(self, step: HandStep) -> str:
        """What hands must do."""
        return fill(step.message, step.facts, self._translate, self.name)

    def crossing(self, crossing: Crossing) -> str:
        """What an undo goes back over."""
        return fill(crossing.message, crossing.facts, self._translate, self.name)

    def score_line(self, line: ScoreLine) -> str:
        """What a line of a score counts, with its clause."""
        return f"{fill(line.label, line.facts, self._translate, self.name)} ({self.clause(line.clause)})"

    def update(self, rules: Rules, update: Update, viewer: Seat | None, *, over: bool = False) -> str:
        """What a record says, for `viewer` (None: a spectator): another seat's secret is told by its sort alone."""
        if update.event is None:
            body = {"step": "", "to": "", "why": "", "topic": "", "text": ""} | dict(update.body)
            message = _RECORD_SENTENCES[update.kind]
            if body["topic"] == Topic.CLOCK.value:
                message = _CLOCK_SENTENCES.get(str(body["text"]), COUNTED_DOWN)
            sentence = fill(message, body, self._translate, self.name)
            noted = tuple(Seat[name] for name in body.get("noted", ()))
            return f"{sentence} {self.text(NOTED, seats=noted)}" if noted else sentence
        if update.secret and not over and (viewer is None or update.seat is not viewer):
            if update.seat is None:
                return self.text("something happened in secret")
            by_sort = self._spec.secret_sentences.get(type(update.event))
            if by_sort is not None:
                return self.text(by_sort, seat=update.seat)
            return self.text("{player}: something in secret", player=update.seat)
        return self.event(rules, update.event)
