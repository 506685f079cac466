"""How long what is in doubt at a table has been so, and when that is long enough for somebody to be asked."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.tracking.judging.verdicts import (
    Ambiguous,
    Explained,
    Illegal,
    NoChange,
    TakenBack,
    Unreadable,
    Verdict,
)
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS
from companion.table.tracking.retold import Retold
from companion.table.tracking.standing import TableFinding

UNNAMED_STILLS = 2
"""Settled pictures of a film in which a drawn face may stay unnamed before somebody is asked: the next scene shows it
once more, and everything after it waits for its name."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many doubtful pictures, and how many ms in the middle of an act, people are given: see `TableTracker`."""

    pictures: int
    stills: bool
    hold_ms: int

    @property
    def telling(self) -> int:
        """How many doubtful pictures where further ones of the same scene may tell: as many as they add to."""
        return self.pictures if self.stills else max(self.pictures, len(FRAME_WEIGHTS))


@dataclass
class LastingDoubts:
    """Counts the pictures that stay doubtful."""

    pictures: int = 0
    """Doubtful ones since the last that was not."""
    unnamed: int = 0
    """Settled pictures since a drawn face has been waiting for its name; what else is wrong does not begin it anew."""
    scene: int = 0
    """The number of the scene: how often something has moved."""
    _begun: tuple[int, int] | None = None
    """The scene in which people were first seen to have begun something, and when (ms); None: they have not."""

    def scene_changed(self, *, stills: bool) -> None:
        """Something moved on the table; of `stills` each is another scene."""
        self.scene += 1
        if not stills:
            self.pictures = 0

    def over(self) -> None:
        """What was in doubt is decided, or told."""
        self.pictures, self._begun = 0, None

    @property
    def begun_ms(self) -> int | None:
        """When people were first seen to have begun an act that they may be in the middle of; None: they are not."""
        return None if self._begun is None else self._begun[1]

    def finding(self, verdict: Verdict, alarm: Illegal | None, now_ms: int, patience: Patience) -> TableFinding:
        """What one more `verdict`, of a settled picture at `now_ms`, means for what is open; `alarm`: the open one."""
        unnamed = isinstance(verdict, Ambiguous) and verdict.is_of_a_face
        if unnamed or not isinstance(verdict, Illegal):
            self.unnamed = self.unnamed + 1 if unnamed else 0
        self._begin(verdict, now_ms)
        match verdict:
            case NoChange() | Explained():
                return TableFinding.FITS
            case TakenBack():
                return TableFinding.TAKEN_BACK
            case Illegal(violation):
                same = alarm is not None and alarm.violation == violation
                return TableFinding.SAME_ILLEGAL if same else TableFinding.ILLEGAL
            case Ambiguous(breach=Illegal(violation), beside=False, corrects=None) if (
                alarm is not None and alarm.violation == violation
            ):
                return TableFinding.SAME_ILLEGAL  # a person has said that it was none of the legal acts
            case Ambiguous() if unnamed:
                stills = 1 if verdict.rest_fits else UNNAMED_STILLS  # of a film's scene no other picture will tell
                enough = self.unnamed >= (stills if patience.stills else patience.pictures)
                return TableFinding.UNDECIDED if enough else TableFinding.DOUBTFUL
            case Ambiguous(corrects=Retold()):
                return TableFinding.UNDECIDED  # what it rests on is sure
            case Ambiguous(may_be_unfinished=True) if self._is_held(now_ms, patience.hold_ms):
                return TableFinding.DOUBTFUL
            case Ambiguous(alike=True) if patience.stills:
                return TableFinding.UNDECIDED  # the scene is over, and no other picture would have told
            case Ambiguous() | Unreadable():
                self.pictures += 1
                alike = isinstance(verdict, Ambiguous) and verdict.alike
                asked_from = patience.pictures if alike else patience.telling
                return TableFinding.UNDECIDED if self.pictures >= asked_from else TableFinding.DOUBTFUL

    def _begin(self, verdict: Verdict, now_ms: int) -> None:
        if not isinstance(verdict, Ambiguous) or not verdict.may_be_unfinished:
            self._begun = None
        elif self._begun is None:
            self._begun = self.scene, now_ms

    def _is_held(self, now_ms: int, hold_ms: int) -> bool:
        """Whether people have more time for what they are in the middle of: in the same scene, and not too long."""
        return self._begun is not None and self._begun[0] == self.scene and now_ms - self._begun[1] < hold_ms
