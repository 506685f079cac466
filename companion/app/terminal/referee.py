"""The referee in the terminal: a whole game with nothing but a keyboard, or with a script on standard input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.app.game.open_table import Table
from companion.app.terminal.console import Terminal
from companion.app.terminal.text import board_text, result_text, score_text
from companion.core.errors import CompanionError, NotationError
from companion.core.game_code import game_code
from companion.core.secrecy import draws_told_by
from companion.core.types import Action, Draw, Seat
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import How, Phase
from companion.table.commands import Answer, DrawNext, Note, Outcome, Play, Topic, Undo
from companion.table.prompts import Prompter
from companion.table.turn_flow import Stage, stage_of

COLUMNS = 3
"""Choices printed beside each other; the longest of a game on a grid of tiles fits three times into 120 characters."""

NOT_UNDERSTOOD = "That is not understood: type a number of the list, or `help`."

HELP = """Type the number of what happens, or its text (with or without the player's letter). Also:
  undo [NUMBER]   take back the last act, or to the state after a record
  score           the score as if the game ended now
  board           what lies on the table
  rules [CLAUSE]  a clause of the rules, or all their numbers
  log [COUNT]     the last records
  mine LETTER     what a player decided or got in secret, for that player alone
  note TEXT       write a remark into the record
  help            this
  quit            stop; the game is saved and `companion play` goes on"""


class Referee:
    """Leads a game through a Terminal: asks, checks, explains, and keeps everything in the session's record."""

    def __init__(
        self, table: Table, prompter: Prompter, terminal: Terminal, *, digital: bool,
        current: Callable[[], Table | None] | None = None,
    ) -> None:
        """`digital`: the digital bag makes the draws; else what was drawn is asked for.

        `current`: the table as it is open now, where others may open it anew with other devices or leave it.
        """
        self._last = table
        self._current = current or (lambda: table)
        self._seen = table.session.number
        self._say_id = prompter
        self._terminal = terminal
        self._digital = digital
        self._stop = False
        self._alone: Seat | None = None  # who has had the screen alone since somebody else last had it
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "score": lambda _: terminal.say(score_text(table.rules.scores(self._table.session.state), prompter)),
            "board": lambda _: terminal.say(board_text(table.rules, self._table.session.state, prompter)),
            "rules": self._rules,
            "log": self._log,
            "mine": self._mine,
            "note": lambda text: self._report(self._table.session.ask(Note(topic=Topic.REMARK, text=text))),
            "help": lambda _: terminal.say(prompter.text(HELP)),
            "quit": self._quit,
        }
        self._leads: dict[Stage, Callable[[], None]] = {
            Stage.OVER: self._end, Stage.DRAW: self._draw,
            Stage.SECRET: self._turn, Stage.REVEAL: self._turn, Stage.TURN: self._turn,
        }

    def run(self) -> None:
        """Play until the game is over, somebody quits, or the input ends."""
        self._say("The game {session} is being played. `help` lists what can be typed.", session=self._session_id)
        while not self._stop:
            try:
                with game_code():
                    self._next()
            except CompanionError as error:  # the disk, the server or the bag: what was accepted is safe
                self._terminal.say(str(error))
                if self._terminal.ask(self._say_id.text("Press Enter to try again. ")) is None:
                    self._quit("")

    @property
    def _table(self) -> Table:
        now = self._current()
        if now is not None and now.session.header.session == self._session_id:
            self._last = now
        return self._last

    def _left(self) -> bool:
        """Whether another game is being played on the pages instead."""
        now = self._current()
        return now is not None and now.session.header.session != self._session_id

    def _next(self) -> None:
        if self._left():
            self._say("Another game was begun on the pages.")
            return self._quit("")
        self._seen = self._table.session.number
        stage = stage_of(self._table.rules, self._table.session.state)
        if stage is not Stage.OVER and self._digital and self._table.bag.ceremony.phase is not Phase.SEALED:
            return self._fill_bag()
        return self._leads[stage]()

    @property
    def _session_id(self) -> str:
        return self._last.session.header.session

    def _say(self, message: str, **facts: object) -> None:
        self._terminal.say(self._say_id.text(message, **facts))

    # -- players -------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        rules, state = self._table.rules, self._table.session.state
        actions = rules.legal_actions(state)
        # Those who still decide in secret come first, one after another, each alone with the screen.
        secret = next((a.seat for a in actions if self._is_private(a)), None)
        if secret is not None:
            return self._secret_turn(secret, [a for a in actions if a.seat is secret])
        self._alone = None
        seat = rules.to_act(state)[0]
        own = [a for a in actions if a.seat is seat]
        self._show_table()
        self._list([self._say_id.offer(rules, state, a) for a in own])
        line = self._terminal.ask(self._say_id.text("{player}: ", player=seat))
        if line is None or self._is_command(line):
            return self._command_or_end(line)
        return self._report(self._play(self._readings(line, seat, own)))

    def _is_private(self, action: Action) -> bool:
        """Whether only its own player may see this act, or that it can be done."""
        rules, for_seat_only = self._table.rules, self._table.spec.for_seat_only
        return rules.is_secret(action) or (for_seat_only is not None and for_seat_only(rules, action))

    def _secret_turn(self, seat: Seat, own: list[Action]) -> None:
        """Ask until the seat has decided; nothing it typed is shown, and the screen is cleared for the next one."""
        if not self._hand_over(seat):
            return None
        self._show_table()
        self._show_own(seat)
        rules, state = self._table.rules, self._table.session.state
        self._list([self._say_id.offer(rules, state, a) for a in own])
        while True:
            line = self._terminal.ask(self._say_id.text("{player}: ", player=seat), secret=True)
            if line is None or self._is_command(line):
                return self._command_or_end(line)
            answer = self._play(self._readings(line, seat, own), by=seat)
            if answer.accepted:
                return self._terminal.clear()
            self._report(answer)
            if answer.outcome is Outcome.STALE:
                return None

    def _hand_over(self, seat: Seat) -> bool:
        """Clear the screen and wait for one player; False when a command was typed instead, or the input ended.

        Who has had the screen alone since keeps it, and who plays alone needs no privacy.
        """
        self._terminal.clear()
        if self._alone is seat or len(self._table.rules.setup.seats) == 1:
            return True
        line = self._terminal.ask(self._say_id.text("{player} alone at the screen? Press Enter. ", player=seat))
        if line is None or self._is_command(line):
            self._command_or_end(line)
            return False
        self._alone = seat
        return True

    def _readings(self, line: str, seat: Seat, own: Sequence[Action]) -> list[str]:
        """What the line may mean, best first: a number, an event's text, one without its seat, without its verb."""
        rules = self._table.rules
        if line.isascii() and line.isdigit():
            return [rules.format(a) for number, a in enumerate(own, start=1) if str(number) == line]
        verbs = dict.fromkeys(rules.format(a).split()[1] for a in own)
        return [line, f"{seat.name} {line}", *(f"{seat.name} {verb} {line}" for verb in verbs)]

    def _play(self, readings: list[str], by: Seat | None = None) -> Answer:
        """Play the first reading that is an event of the game; the answer says why none could be played."""
        for text in readings:
            try:
                self._table.rules.parse(text)
            except NotationError:
                continue
            return self._table.session.ask(Play(texts=(text,), by=by, expected=self._seen))
        return Answer(Outcome.REFUSED, message=NOT_UNDERSTOOD)

    # -- draws ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        rules, session = self._table.rules, self._table.session
        draws = [o.draw for o in rules.chance_outcomes(session.state)]
        # A draw that only one player may see is told to, or asked from, that player alone.
        alone: Seat | None = getattr(draws[0], "seat", None) if rules.is_secret(draws[0]) else None
        if alone is not None and not self._digital:
            draws = [o.draw for o in draws_told_by(self._table.spec, rules, session.state, alone)]
        if self._digital or len(draws) == 1:
            only = Play(texts=(rules.format(draws[0]),))
            answer = session.ask(DrawNext() if self._digital else only)
            return self._tell(answer, alone) if answer.accepted else self._report(answer)
        if alone is not None and not self._hand_over(alone):
            return None
        self._say("Draw. What was drawn?")
        self._list([self._say_id.event(rules, d) for d in draws])
        line = self._terminal.ask(self._say_id.text("drawn: "), secret=alone is not None)
        if line is None or self._is_command(line):
            return self._command_or_end(line)
        self._report(self._play(self._drawn(line, draws)))
        return None if alone is None else self._terminal.clear()

    def _drawn(self, line: str, draws: Sequence[Draw]) -> list[str]:
        texts = [self._table.rules.format(d) for d in draws]
        if line.isascii() and line.isdigit():
            return [text for number, text in enumerate(texts, start=1) if str(number) == line]
        # What was drawn is the last word of its text; enough when it means one outcome only.
        named = [t for t in texts if t.split()[-1] == line]
        return [named[0], line] if len(named) == 1 else [line]

    def _fill_bag(self) -> None:
        """Commit, let every player add a phrase, seal: the order that lets nobody steer a draw."""
        desk, bag = self._table.desk, self._table.bag
        if bag.ceremony.phase in (Phase.NONE, Phase.REVEALED):
            desk.record(lambda b: b.commit())
        if bag.ceremony.phase is Phase.GATHERING:
            self._say("The companion has committed itself: {commitment}", commitment=bag.ceremony.commitment)
            added = {step.get("seat") for step in bag.ceremony.steps}
            for seat in (Seat(i) for i in range(len(self._table.rules.setup.seats))):
                if seat.name not in added and not self._add_phrase(seat):
                    return self._quit("")
            desk.record(lambda b: b.close())
        desk.record(lambda b: b.seal())
        return self._say("The bag is sealed. Every draw can be checked after the game: `companion draws verify`.")

    def _add_phrase(self, seat: Seat) -> bool:
        """Ask for a phrase until one is taken or none is wanted; False at the end of the input."""
        while True:
            prompt = "{player}: a phrase of your own for the bag (Enter: none): "
            line = self._terminal.ask(self._say_id.text(prompt, player=seat))
            if not line:
                return line is not None
            try:
                self._table.desk.record(partial(DigitalBag.add, seat=seat, how=How.PHRASE, text=line))
            except CompanionError as error:
                self._terminal.say(str(error))
            else:
                return True

    # -- commands ------------------------------------------------------------------------------------------------

    def _is_command(self, line: str) -> bool:
        return line.split(" ", 1)[0] in self._commands

    def _command_or_end(self, line: str | None) -> None:
        self._alone = None
        if line is None:
            return self._quit("")
        word, _, rest = line.partition(" ")
        return self._commands[word](rest.strip())

    def _undo(self, text: str) -> None:
        session = self._table.session
        if text and not (text.isascii() and text.isdigit()):
            return self._say(NOT_UNDERSTOOD)
        acts = [s.event for s in session.line() if isinstance(s.event, Action)]
        by = acts[-1].seat if acts else None
        plan = session.undo_plan(int(text) if text else None, by)
        if isinstance(plan, Answer):
            return self._report(plan)
        if plan.consents:
            for crossing in plan.crossings:
                what = self._say_id.crossing(crossing)
                self._say("this takes back {what} (record {number})", what=what, number=crossing.number)
            line = self._terminal.ask(self._say_id.text("Does everyone agree? (yes/no) "))
            if line not in ("yes", self._say_id.text("yes")):
                return self._say("Nothing was taken back.")
        answer = session.ask(Undo(to=plan.to, by=by, consents=plan.consents, expected=session.number))
        for step in answer.steps:
            self._terminal.say("  " + self._say_id.step(step))
        return self._report(answer)

    def _rules(self, text: str) -> None:
        if text:
            return self._terminal.say(self._say_id.clause_text(text))
        for clause in self._table.spec.clauses.values():
            self._terminal.say(f"{self._say_id.clause(clause.id):14} {self._say_id.text(clause.title)}")
        return None

    def _log(self, text: str) -> None:
        session = self._table.session
        count = int(text) if text.isascii() and text.isdigit() else 10
        for update in session.subscribe(max(0, session.number - count)).so_far():
            self._terminal.say(f"{update.number:5} {self._say_id.update(self._table.rules, update, None)}")

    def _mine(self, text: str) -> None:
        rules = self._table.rules
        seats = [Seat(i) for i in range(len(rules.setup.seats)) if Seat(i).name == text.upper()]
        if not seats:
            return self._say(NOT_UNDERSTOOD)
        if not self._hand_over(seats[0]):
            return None
        events = [s.event for s in self._table.session.line() if s.event is not None and rules.is_secret(s.event)]
        for event in events:
            if getattr(event, "seat", None) is seats[0]:
                self._terminal.say(self._say_id.event(rules, event))
        self._show_own(seats[0])
        self._terminal.ask(self._say_id.text("Press Enter when you have read it. "))
        self._alone = None
        return self._terminal.clear()

    def _quit(self, _: str) -> None:
        self._stop = True
        self._say("The game is saved. `companion play {session}` goes on.", session=self._session_id)

    # -- telling -------------------------------------------------------------------------------------------------

    def _show_table(self) -> None:
        rules, state = self._table.rules, self._table.session.state
        self._terminal.say(board_text(rules, state, self._say_id))
        self._terminal.say("  ".join(f"{self._say_id.name(s.seat)} {s.total}" for s in rules.scores(state)))

    def _show_own(self, seat: Seat) -> None:
        for sentence in self._say_id.beside_seat(self._table.rules, self._table.session.state, seat):
            self._terminal.say(sentence)

    def _report(self, answer: Answer) -> None:
        if not answer.accepted:
            self._terminal.say(self._say_id.answer(answer))

    def _tell(self, answer: Answer, alone: Seat | None) -> None:
        """Print what the records of an answer contain; `alone`: the only player who may know.

        In a game that shows a player's own things whenever the player decides, these need not be told one by one.
        """
        if alone is not None and self._table.spec.beside_seat is None and not self._hand_over(alone):
            return
        told_later = alone is not None and self._table.spec.beside_seat is not None
        alone = None if told_later else alone
        for number in answer.records:
            update = self._table.session.subscribe(number - 1).get(0)
            if update is not None:
                self._terminal.say(self._say_id.update(self._table.rules, update, alone))
        if alone is not None:
            self._terminal.ask(self._say_id.text("Press Enter when you have read it. "))
            self._terminal.clear()

    def _list(self, sentences: list[str]) -> None:
        entries = [f"{number:3} {sentence}" for number, sentence in enumerate(sentences, start=1)]
        width = max((len(e) for e in entries), default=0) + 2
        columns = COLUMNS if len(entries) > 9 else 1
        for start in range(0, len(entries), columns):
            self._terminal.say("".join(e.ljust(width) for e in entries[start : start + columns]).rstrip())

    def _end(self) -> None:
        result = self._table.rules.result(self._table.session.state)
        assert result is not None
        self._terminal.say(board_text(self._table.rules, self._table.session.state, self._say_id))
        self._terminal.say(result_text(result, self._say_id))
        if self._table.bag.ceremony.phase is Phase.SEALED:
            self._table.desk.record(lambda b: b.reveal())
            self._say("The bag's secret is revealed: `companion draws verify` proves every draw.")
        self._stop = True
