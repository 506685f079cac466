"""What is printed on the pieces of a game, field by field: by it a box is learnt from pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.core.messages import Message

Values: TypeAlias = Mapping[str, str]
"""What is known of a piece: field key -> value, as `FaceField.values` writes it; several are joined by a comma."""


class Shown(Enum):
    """How a field shows on a face: by what the eye reads it."""

    GROUND = "ground"  # the colour that most of the face has
    EMBLEM = "emblem"  # a picture that pieces of one kind share
    FIGURE = "figure"  # a number in figures
    ICON_COUNT = "icon count"  # so many equal icons in a line
    ICON_COLOURS = "icon colours"  # icons in a line, each in the colour of a value of another field
    MARK = "mark"  # a letter or word that is there or not
    PICTURE = "picture"  # anything else: told by what was confirmed to look so


class Written(Enum):
    """How a field's value stands in a catalogue."""

    TEXT = "text"
    WHOLE = "whole"
    FLAG = "flag"  # "yes" or "no"; left out when "no"
    LIST = "list"


YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class FaceField:
    """One field of a form.

    `title`: message id. `values`: all that it can be, in the order in which they are offered; of ICON_COLOURS those
    that an icon can stand for. `labels`: message ids for people, as many as `values` (empty: the values themselves).
    `hues_deg`: hue angles in Lab by which values are guessed at first. `printed`: what a mark says. `of`: the field
    whose grounds the icons' colours are. `only`: (key, values): the field is there only where that one has such a
    value; `otherwise`: what it is elsewhere.
    """

    key: str
    title: str
    shown: Shown
    written: Written
    values: tuple[str, ...]
    labels: tuple[str, ...] = ()
    hues_deg: tuple[tuple[str, float], ...] = ()
    printed: str = ""
    of: str = ""
    only: tuple[str, tuple[str, ...]] | None = None
    otherwise: str = ""

    def applies(self, values: Values) -> bool:
        """Whether a piece with these values has the field."""
        return self.only is None or values.get(self.only[0], self.only[1][0]) in self.only[1]

    def allows(self, value: str) -> bool:
        """Whether the field can have this value."""
        if self.written is Written.LIST:
            parts = [part for part in value.split(",") if part]
            order = [self.values.index(part) if part in self.values else -1 for part in parts]
            return -1 not in order and order == sorted(order)
        return value in self.values


@dataclass(frozen=True, slots=True)
class Progress:
    """One line of what a box must hold: message id with facts, how many there are and must be, the clause that says so.

    `wrong`: it cannot become right by laying more pieces. `pieces`: the numbers of those concerned, to be shown.
    """

    text: Message
    have: int
    want: int
    clause: str = ""
    wrong: bool = False
    pieces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceForm:
    """The form of a game's pieces.

    `table`: the name of the catalogue's tables ([[tile]]). `one`, `many`: message ids for people. `size_mm`: width and
    height of the upright piece, `thickness_mm`. `progress`: what the rules say of all pieces together, told for the
    pieces learnt so far. `named_by`: the keys that make a piece's id. `begin`: text of the catalogue before its pieces
    beside the header, for what is on no piece.
    """

    table: str
    one: str
    many: str
    size_mm: tuple[float, float]
    thickness_mm: float
    fields: tuple[FaceField, ...]
    named_by: tuple[str, ...]
    progress: Callable[[Sequence[Values]], tuple[Progress, ...]]
    begin: str = ""
    copies_key: str = ""
    """The key of how many pieces look so; "": each piece is written by itself."""

    def field(self, key: str) -> FaceField:
        """The field `key`. Raises KeyError."""
        for one in self.fields:
            if one.key == key:
                return one
        raise KeyError(key)

    def whole(self, values: Values) -> dict[str, str]:
        """The values in the form's order, those that do not apply as `otherwise`."""
        return {
            one.key: values[one.key] if one.applies(values) else one.otherwise
            for one in self.fields
            if one.key in values or not one.applies(values)
        }
