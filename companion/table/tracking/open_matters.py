"""What is open at a tracked table: an alarm, a question, and what people have said of them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.types import Violation
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous, Illegal, Unreadable, Verdict
from companion.table.tracking.standing import TRANSITIONS, Standing, TableFinding, standing_of


@dataclass
class OpenMatters:
    """The alarm and the question that are open; `upheld`: what the alarm names, if a person has said that it is so."""

    alarm: Illegal | None = None
    asked: Ambiguous | Unreadable | None = None
    upheld: Violation | None = None
    _asked_here: bool = False
    """Whether the scene has stayed as it was when the open question came up."""

    @property
    def standing(self) -> Standing:
        """Which of the two is open."""
        return standing_of(alarm=self.alarm is not None, asked=self.asked is not None)

    def scene_changed(self) -> None:
        """Something moved on the table: another question may take the place of the open one."""
        self._asked_here = False

    def change(self, finding: TableFinding, verdict: Verdict | None = None) -> tuple[HappeningKind, ...]:
        """Open and close what the table of transitions says; what is to be reported of it."""
        after, reported = TRANSITIONS[self.standing][finding]
        if isinstance(verdict, Illegal):
            self.alarm = verdict
        elif after in (Standing.CLEAR, Standing.ASKED):
            self.alarm, self.upheld = None, None
        if after in (Standing.CLEAR, Standing.ALARM):
            self.asked = None
        elif isinstance(verdict, Ambiguous | Unreadable):
            reported += self._ask(verdict, finding, reported)
        return reported

    def _ask(
        self, verdict: Ambiguous | Unreadable, finding: TableFinding, reported: tuple[HappeningKind, ...]
    ) -> tuple[HappeningKind, ...]:
        """Ask about `verdict`: what people may be answering stays until the scene has changed, and a question without
        choices gets them. What is to be reported beside `reported`."""
        asked = self.asked
        if isinstance(asked, Unreadable) and isinstance(verdict, Unreadable) and self._asked_here and asked.choices:
            return ()
        stale = not self._asked_here and finding is TableFinding.UNDECIDED and isinstance(verdict, Ambiguous)
        if isinstance(asked, Ambiguous) and (not stale or verdict == asked or asked.asks_the_face_of(verdict)):
            return ()
        self.asked, self._asked_here = verdict, True
        return () if asked is None or HappeningKind.ASKED in reported else (HappeningKind.ASKED,)
