"""How a tracked table stands: which alarm or question is open, and what each finding changes about it (one table)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from companion.table.tracking.happenings import HappeningKind


class Standing(Enum):
    """What is open at the table."""

    CLEAR = "nothing"
    ASKED = "a question"
    ALARM = "an alarm"
    BOTH = "an alarm and a question"


class TableFinding(Enum):
    """What was found: the verdict on a settled picture, or what somebody did beside the camera."""

    FITS = "the table is as the rules allow"
    ILLEGAL = "something illegal"
    ALARM_OVER = "what the open alarm names is right again, whatever else is in doubt"
    SAME_ILLEGAL = "what the open alarm names, still"
    TAKEN_BACK = "the table of an earlier record"
    DOUBTFUL = "in doubt, for now"
    UNDECIDED = "in doubt for too long"
    ACCEPTED = "the session accepted something else"
    PUT_RIGHT = "a person said how the table is"


_Row = Mapping[TableFinding, tuple[Standing, tuple[HappeningKind, ...]]]
_CLEAR, _ASKED, _ALARM, _BOTH = Standing
_ILLEGAL, _TAKEN_BACK = HappeningKind.ILLEGAL, HappeningKind.TAKEN_BACK
_OPENED, _CLOSED, _CORRECTED = HappeningKind.ASKED, HappeningKind.CLEARED, HappeningKind.CORRECTED

TRANSITIONS: Mapping[Standing, _Row] = {
    Standing.CLEAR: {
        TableFinding.FITS: (_CLEAR, ()),
        TableFinding.ILLEGAL: (_ALARM, (_ILLEGAL,)),
        TableFinding.TAKEN_BACK: (_CLEAR, (_TAKEN_BACK,)),
        TableFinding.DOUBTFUL: (_CLEAR, ()),
        TableFinding.UNDECIDED: (_ASKED, (_OPENED,)),
        TableFinding.ACCEPTED: (_CLEAR, ()),
        TableFinding.PUT_RIGHT: (_CLEAR, ()),
    },
    Standing.ASKED: {
        TableFinding.FITS: (_CLEAR, (_CLOSED,)),
        TableFinding.ILLEGAL: (_ALARM, (_CLOSED, _ILLEGAL)),
        TableFinding.TAKEN_BACK: (_CLEAR, (_CLOSED, _TAKEN_BACK)),
        TableFinding.DOUBTFUL: (_ASKED, ()),
        TableFinding.UNDECIDED: (_ASKED, ()),
        TableFinding.ACCEPTED: (_CLEAR, ()),
        TableFinding.PUT_RIGHT: (_CLEAR, ()),
    },
    Standing.ALARM: {
        TableFinding.ALARM_OVER: (_CLEAR, (_CORRECTED,)),
        TableFinding.FITS: (_CLEAR, (_CORRECTED,)),
        TableFinding.ILLEGAL: (_ALARM, (_ILLEGAL,)),
        TableFinding.SAME_ILLEGAL: (_ALARM, ()),
        TableFinding.TAKEN_BACK: (_CLEAR, (_CORRECTED, _TAKEN_BACK)),
        TableFinding.DOUBTFUL: (_ALARM, ()),
        TableFinding.UNDECIDED: (_BOTH, (_OPENED,)),
        TableFinding.ACCEPTED: (_ALARM, ()),
        TableFinding.PUT_RIGHT: (_CLEAR, ()),
    },
    Standing.BOTH: {
        TableFinding.ALARM_OVER: (_ASKED, (_CORRECTED,)),
        TableFinding.FITS: (_CLEAR, (_CORRECTED, _CLOSED)),
        TableFinding.ILLEGAL: (_ALARM, (_CLOSED, _ILLEGAL)),
        TableFinding.SAME_ILLEGAL: (_ALARM, (_CLOSED,)),
        TableFinding.TAKEN_BACK: (_CLEAR, (_CORRECTED, _CLOSED, _TAKEN_BACK)),
        TableFinding.DOUBTFUL: (_BOTH, ()),
        TableFinding.UNDECIDED: (_BOTH, ()),
        TableFinding.ACCEPTED: (_ALARM, ()),
        TableFinding.PUT_RIGHT: (_CLEAR, ()),
    },
}
"""What stands open after a finding, and what is reported, in this order. Without an open alarm nothing can be the same
as what it names, nor can that be over."""


def standing_of(*, alarm: bool, asked: bool) -> Standing:
    """The standing with an open alarm, an open question, both or neither."""
    if alarm:
        return Standing.BOTH if asked else Standing.ALARM
    return Standing.ASKED if asked else Standing.CLEAR
