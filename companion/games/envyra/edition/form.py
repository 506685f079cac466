"""What is printed on the tiles of Envyra (E3), and what a whole box holds (E1, E2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.core.face_form import NO, YES, FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.messages import Message
from companion.games.envyra.edition.catalogue import MOST_CUBES
from companion.games.envyra.edition.components import SYMBOLS, THEMES, Theme
from companion.games.envyra.edition.counts import BASIC_TILES, BONUS_POINTS, STARTING_TILES, SYMBOL_COPIES

OF_THEMES = tuple(theme.value for theme in THEMES)
HUES_DEG = ((Theme.FLORA.value, 140.0), (Theme.WATER.value, 270.0), (Theme.FIRE.value, 45.0))
"""Hue angle in Lab by which a theme's ground is guessed: leaves are green, water blue, fire between red and orange."""

MOST_PRINTED_POINTS = 9


def progress(pieces: Sequence[Values]) -> tuple[Progress, ...]:
    """Every count of E1 to E3, for the tiles learnt so far."""
    themes = [piece.get("theme", "") for piece in pieces]
    all_of_it = STARTING_TILES + BASIC_TILES + 1
    lines = [Progress(Message("All tiles"), len(pieces), all_of_it, "E1", len(pieces) > all_of_it + 1)]
    for theme in OF_THEMES:
        numbers = _where(themes, theme)
        copies = Counter(pieces[k].get("symbol", "") for k in numbers)
        lines.append(_copies(theme, numbers, copies))
    bonus = _where(themes, Theme.BONUS.value)
    points = Counter(int(pieces[k].get("vp", "0")) for k in bonus)
    # E1: 2/2/3/3/4/4/5
    over = any(points[value] > BONUS_POINTS.count(value) for value in points)
    lines.append(_line("Bonus tiles", bonus, len(BONUS_POINTS), "E1", over))
    starting = [k for k, piece in enumerate(pieces) if piece.get("start") == YES]
    too_many = len(starting) > STARTING_TILES
    lines.append(_line("Starting tiles (S)", starting, STARTING_TILES, "E2", too_many))
    # E2: a Starting tile is no Basic tile, and only a Basic tile carries 3/4
    both = [k for k in starting if pieces[k].get("players_3_4") == YES]
    if both:
        lines.append(Progress(Message("No tile carries both S and 3/4"), len(both), 0, "E2", True, tuple(both)))
    lines.append(_end(pieces, _where(themes, Theme.END.value)))
    return tuple(lines)


def _line(text: str, numbers: list[int], want: int, clause: str, wrong: bool) -> Progress:
    return Progress(Message(text), len(numbers), want, clause, wrong, tuple(numbers) if wrong else ())


def _where(themes: Sequence[str], theme: str) -> list[int]:
    return [k for k, one in enumerate(themes) if one == theme]


def _copies(theme: str, numbers: list[int], copies: Counter[str]) -> Progress:
    """E1: four symbols in 3 + 3 + 2 + 2 copies."""
    got = sorted(copies.values(), reverse=True)
    wrong = len(got) > SYMBOLS or any(n > most for n, most in zip(got, SYMBOL_COPIES, strict=False))
    said = "Tiles of {theme}: four symbols, 3 + 3 + 2 + 2" if wrong else "Tiles of {theme}"
    text = Message(said, theme=Message(theme))
    return Progress(text, len(numbers), sum(SYMBOL_COPIES), "E1", wrong, tuple(numbers) if wrong else ())


def _end(pieces: Sequence[Values], numbers: list[int]) -> Progress:
    """E1: one End tile, and perhaps the alternative one; E3: one requires each theme once."""
    wanted = ",".join(OF_THEMES)
    standard = [k for k in numbers if pieces[k].get("requires", wanted) == wanted]
    wrong = len(numbers) > 2 or (len(numbers) > 0 and not standard)
    return Progress(Message("End tile"), min(len(numbers), 1), 1, "E3" if not wrong else "E1", wrong,
                    tuple(numbers) if wrong else ())


FORM = FaceForm(
    table="tile",
    one="tile",
    many="tiles",
    size_mm=(55.0, 55.0),
    thickness_mm=2.0,
    fields=(
        FaceField("theme", "Theme", Shown.GROUND, Written.TEXT, tuple(theme.value for theme in Theme),
                  hues_deg=HUES_DEG),
        FaceField("symbol", "Symbol", Shown.EMBLEM, Written.WHOLE, tuple(str(n + 1) for n in range(SYMBOLS)),
                  only=("theme", OF_THEMES), of="theme"),
        FaceField("vp", "Points", Shown.FIGURE, Written.WHOLE,
                  tuple(str(n) for n in range(1, MOST_PRINTED_POINTS + 1))),
        FaceField("cubes", "Cubes", Shown.ICON_COUNT, Written.WHOLE, tuple(str(n) for n in range(1, MOST_CUBES + 1))),
        FaceField("requires", "Requires", Shown.ICON_COLOURS, Written.LIST, OF_THEMES, of="theme"),
        FaceField("start", "Starting tile", Shown.MARK, Written.FLAG, (NO, YES), printed="S"),
        FaceField("players_3_4", "For 3 or 4 players", Shown.MARK, Written.FLAG, (NO, YES), printed="3/4"),
    ),
    named_by=("theme", "symbol"),
    progress=progress,
)
