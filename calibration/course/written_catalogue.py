"""The catalogue of a box that was learnt piece by piece, as its game's own reader takes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from calibration.course.course import CoursePiece
from companion.core.face_form import YES, FaceForm, Values, Written


def piece_ids(pieces: Sequence[CoursePiece], form: FaceForm) -> dict[int, str]:
    """Number of each kept piece -> its id: what it is called by, and a letter for each of that name.

    Where the catalogue counts copies, pieces that look the same have one id.
    """
    out: dict[int, str] = {}
    seen: Counter[str] = Counter()
    by_look: dict[tuple[tuple[str, str], ...], str] = {}
    for one in pieces:
        values = form.whole(one.values)
        look = tuple(sorted((key, value) for key, value in values.items() if key != form.copies_by))
        if (form.copies_key or form.copies_by) and look in by_look:
            out[one.number] = by_look[look]
            continue
        own = form.own_id(values) if form.own_id is not None else ""
        parts = [values[key] for key in form.named_by if form.applies(form.field(key), values)]
        name = "-".join(parts or [form.table])
        out[one.number] = by_look[look] = own or f"{name}-{_letters(seen[name])}"
        seen[name] += not own
    return out


def _letters(number: int) -> str:
    """a, b … z, aa, ab …"""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def catalogue_toml(
    game: str, name: str, title: str, pieces: Sequence[CoursePiece], form: FaceForm,
    more: Sequence[tuple[Sequence[CoursePiece], FaceForm]] = (), numbers: Mapping[str, int] | None = None,
) -> str:
    """The catalogue as TOML: everything read off the pieces and confirmed. `more`: the pieces of the game's further
    forms, of each none or all; `numbers`: those of the form that a person said."""
    lines = ["[catalogue]", f"game = {_quoted(game)}", f"id = {_quoted(name)}", f"title = {_quoted(title)}"]
    lines += ['provenance = "box"  # read off the pieces and confirmed']
    if form.begin:
        lines += ["", form.begin.strip()]
    if form.unseen is not None:
        lines += ["", form.unseen(numbers or {}).strip()]
    lines += _entries(pieces, form)
    for others, other in more:
        lines += _entries(others, other) if others else ["", other.unlearnt.strip()]
    return "\n".join(lines) + "\n"


def _entries(pieces: Sequence[CoursePiece], form: FaceForm) -> list[str]:
    """The pieces that the catalogue lists, each look once where copies are counted."""
    lines: list[str] = []
    ids = piece_ids(pieces, form)
    written: set[str] = set()
    for one in pieces:
        name_of_one = ids[one.number]
        if name_of_one in written or not (form.listed is None or form.listed(one.values)):
            continue
        written.add(name_of_one)
        if form.entry is not None:
            lines += ["", form.entry(name_of_one, form.whole(one.values))]
        else:
            lines += ["", f"[[{form.table}]]", f"id = {_quoted(name_of_one)}"]
            lines += _values(form.whole(one.values), form)
        lines += _copies([each for each in pieces if ids[each.number] == name_of_one], form)
    return lines


def _copies(pieces: Sequence[CoursePiece], form: FaceForm) -> list[str]:
    """How many pieces look so, all together or by the field that tells them apart."""
    lines = [f"{form.copies_key} = {len(pieces)}"] if form.copies_key else []
    if form.copies_by:
        counts = Counter(one.values[form.copies_by] for one in pieces)
        lines += [f"{key} = {counts[key]}" for key in form.field(form.copies_by).values]
    return lines


def _values(values: Values, form: FaceForm) -> list[str]:
    lines = []
    for field in form.fields:
        value = values[field.key]
        if field.written is Written.NOWHERE or not form.applies(field, values):
            continue
        if field.written is Written.FLAG:
            lines += [f"{field.key} = true"] if value == YES else []
        elif field.written is Written.WHOLE:
            lines.append(f"{field.key} = {int(value)}")
        elif field.written is Written.LIST:
            parts = ", ".join(_quoted(part) for part in value.split(",") if part)
            lines.append(f"{field.key} = [{parts}]")
        else:
            lines.append(f"{field.key} = {_quoted(value)}")
    return lines


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a JSON string is a TOML basic string
