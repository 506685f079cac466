"""What is printed on the cards of Spyrium, and what a whole box holds (S1, R-S9)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.face_form import FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.messages import Message
from companion.games.spyrium.edition.catalogue import DECK_SIZES, KIND_COUNTS, PERIODS
from companion.games.spyrium.edition.designs import BUILDINGS, DESIGNS
from companion.games.spyrium.edition.names import CARD_NAMES

CARD_MM = (44.0, 68.0)
CARD_THICK_MM = 0.4
"""As this companion lays the table out (`companion/games/spyrium/board.py`); the rulebook prints no sizes."""

DEAREST, MOST_POINTS = 15, 15
KINDS = {"buildings": "Buildings", "characters": "Characters", "techniques": "Techniques"}

TRACK = """
[residence]
track = { value = [2, 3, 4, 5, 6, 7], provenance = "sample" }
"""
"""S3 prints 2, 3 and 4; what follows is on the board, of which no picture is taken."""


def progress(pieces: Sequence[Values]) -> tuple[Progress, ...]:
    """Every count of S1 and R-S9, for the cards learnt so far."""
    lines = [_line("All cards", list(range(len(pieces))), sum(DECK_SIZES.values()), "S1")]
    for name, designs, count in KIND_COUNTS:
        numbers = [k for k, piece in enumerate(pieces) if piece.get("design") in designs]
        lines.append(_line(KINDS[name], numbers, count, "S1"))
    for period, size in DECK_SIZES.items():  # R-S9
        numbers = [k for k, piece in enumerate(pieces) if piece.get("period") == period]
        line = _line("Cards of period {period}", numbers, size, "R-S9", period=period)
        lines.append(line)
    return tuple(lines)


def _line(text: str, numbers: list[int], want: int, clause: str, **facts: str) -> Progress:
    wrong = len(numbers) > want
    return Progress(Message(text, **facts), len(numbers), want, clause, wrong, tuple(numbers) if wrong else ())


FORM = FaceForm(
    table="card",
    one="card",
    many="cards",
    size_mm=CARD_MM,
    thickness_mm=CARD_THICK_MM,
    fields=(
        FaceField("design", "Design", Shown.PICTURE, Written.TEXT, tuple(DESIGNS),
                  tuple(CARD_NAMES[design] for design in DESIGNS)),
        FaceField("price", "Price", Shown.FIGURE, Written.WHOLE, tuple(str(n) for n in range(DEAREST + 1))),
        FaceField("points", "Points", Shown.FIGURE, Written.WHOLE, tuple(str(n) for n in range(MOST_POINTS + 1)),
                  only=("design", tuple(BUILDINGS))),
        FaceField("period", "Period (on the back)", Shown.PICTURE, Written.TEXT, PERIODS),
    ),
    named_by=("design",),
    progress=progress,
    begin=TRACK,
    copies_key="copies",
)
