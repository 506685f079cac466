"""The form of a game that declares none: what its own catalogue says of each piece, field by field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.errors import CompanionError
from companion.core.face_form import NO, YES, FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.game import GameSpec
from companion.core.game_kit.any_table import any_layout, any_rules
from companion.core.messages import Message

COPIES = "copies"
SORT, OTHER = "_sort", "_other"
"""Keys, and OTHER a value, that no catalogue has: whether a piece is of the table, and which one it is if not."""
MORE_THAN_SEEN = 5
"""A number may be so much larger than in the catalogue that ships: another edition's."""
THICK_MM = 2.0
_HEADER = re.compile(r"^\[+([\w.-]+)\]+\s*(#.*)?$")


def derived_form(spec: GameSpec) -> FaceForm | None:
    """The form by the largest table of pieces in the game's own catalogue; None when its pieces cannot be told so: a
    value that is neither text, number nor flag, or pieces that are no rectangles."""
    try:
        catalogue = spec.load_catalogue(spec.default_catalogue)
        document = tomllib.loads(catalogue.text)
        size_mm = _size_mm(spec)
    except (CompanionError, ValueError):
        return None
    tables = {name: rows for name, rows in document.items() if isinstance(rows, list)}
    if not tables or size_mm is None:
        return None
    table = max(tables, key=lambda name: len(tables[name]))
    rows = [{key: _plain(value) for key, value in row.items()} for row in tables[table]]
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key not in ("id", COPIES)]
    fields = [_field(key, [row[key] for row in rows if key in row]) for key in keys]
    known = [field for field in fields if field is not None]
    if len(known) < len(fields) or not known:
        return None
    listed = {str(row.get("id")) for row in rows}
    others = tuple(face for face in any_rules(spec).faces() if face not in listed)
    want = sum(int(row.get(COPIES, 1)) for row in rows) + len(others)

    def progress(pieces: Sequence[Values]) -> tuple[Progress, ...]:
        return (Progress(Message("All pieces"), len(pieces), want, "", len(pieces) > want),)

    has_copies = any(COPIES in row for row in rows)
    form = FaceForm(
        table, "piece", "pieces", size_mm, THICK_MM, tuple(known), (known[0].key,), progress,
        _without(catalogue.text, table), COPIES if has_copies else "",
    )
    return form if not others else _with_others(form, others)


def _with_others(form: FaceForm, others: tuple[str, ...]) -> FaceForm:
    """The form with the pieces that the camera must know though no row of the table lists them: told by their names."""
    labels = (form.table.replace("_", " ").capitalize(), "something else")
    sort = FaceField(SORT, "What lies there", Shown.BACK, Written.NOWHERE, (form.table, OTHER), labels)
    which = FaceField(OTHER, "Which of them", Shown.PICTURE, Written.NOWHERE, others, only=(SORT, (OTHER,)))
    own = tuple(replace(field, only=(SORT, (form.table,))) for field in form.fields)
    return replace(
        form, fields=(sort, *own, which), own_id=lambda piece: piece[OTHER], listed=lambda piece: piece[SORT] != OTHER
    )


def _plain(value: Any) -> Any:
    """A value without where it comes from."""
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def _field(key: str, values: Sequence[Any]) -> FaceField | None:
    title = key.replace("_", " ").capitalize()
    if all(isinstance(value, bool) for value in values):
        return FaceField(key, title, Shown.PICTURE, Written.FLAG, (NO, YES))
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        most = max(values) + MORE_THAN_SEEN
        return FaceField(key, title, Shown.FIGURE, Written.WHOLE, tuple(str(n) for n in range(most + 1)))
    if all(isinstance(value, str) for value in values):
        return FaceField(key, title, Shown.PICTURE, Written.TEXT, tuple(dict.fromkeys(values)))
    return None


def _size_mm(spec: GameSpec) -> tuple[float, float] | None:
    """Width and height of a place of the game's table; None when the places are no rectangles, or there are none."""
    slots = any_layout(spec).slots
    shapes = [slot.corners_mm for slot in slots if slot.holds != "gap"]
    if not shapes or any(len(corners) != 4 for corners in shapes):
        return None
    left, top = (min(corner[axis] for corner in shapes[0]) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in shapes[0]) for axis in (0, 1))
    return right - left, bottom - top


def _without(text: str, table: str) -> str:
    """A catalogue's text without its header and the tables of one name."""
    kept: list[str] = []
    keeping = False
    for line in text.splitlines():
        header = _HEADER.match(line)
        if header:
            keeping = header.group(1) not in ("catalogue", table)
        if keeping and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept).strip()
