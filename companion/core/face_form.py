"""What is printed on the pieces of a game, field by field: by it a box is learnt from pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from companion.core.messages import Message
from companion.core.piece_outline import PieceOutline
from companion.core.types import Json

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
    ICON = "icon"  # a picture that is there or not
    SPOT = "spot"  # a spot at one place whose colour tells the value
    OUTLINE = "outline"  # which of the form's outlines the piece has: told by the finding of it
    PICTURE = "picture"  # anything else: told by what was confirmed to look so
    BACK = "back"  # not on the face at all: asked once of all that lie there


class Written(Enum):
    """How a field's value stands in a catalogue."""

    TEXT = "text"
    WHOLE = "whole"
    FLAG = "flag"  # "yes" or "no"; left out when "no"
    LIST = "list"
    NOWHERE = "nowhere"  # it only says which form a piece has


YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class FaceField:
    """One field of a form.

    `title`: message id. `values`: all that it can be, in the order in which they are offered; of ICON_COLOURS those
    that an icon can stand for. `labels`: message ids for people, as many as `values` (empty: the values themselves).
    `hues_deg`: hue angles in Lab by which values are guessed at first; `hueless`: values that have no colour, and
    `hues_tell`: whether a ground of such a hue need not be asked about. `printed`: what a mark says. `of`: the field
    whose grounds the icons' colours are. `only`: (key, values): the field is there only where that one has such a
    value; `otherwise`: what it is elsewhere. `part`: which space of a compound piece it is printed on, and `base`: what
    it is called on every space; None and "" for one of the whole piece. `ruled`: (key, (its value, value of this)
    each): what the rules say that this is where that field has such a value. `sketches`: what the pages draw of each
    value, as many as `values`: a card as `web/static/market/cards.js` draws it, its `title` a message id. `names`: what
    pieces may be called in print, in each language as many as `values`: of a PICTURE of which every value has its own;
    `figures`: what numbers are printed on pieces of each value, besides those of other fields.
    """

    key: str
    title: str
    shown: Shown
    written: Written
    values: tuple[str, ...]
    labels: tuple[str, ...] = ()
    hues_deg: tuple[tuple[str, float], ...] = ()
    hueless: tuple[str, ...] = ()
    hues_tell: bool = True
    printed: str = ""
    of: str = ""
    only: tuple[str, tuple[str, ...]] | None = None
    otherwise: str = ""
    part: int | None = None
    base: str = ""
    ruled: tuple[str, tuple[tuple[str, str], ...]] | None = None
    sketches: tuple[Json, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    figures: tuple[tuple[str, ...], ...] = ()

    def allows(self, value: str) -> bool:
        """Whether the field can have this value."""
        if self.written is Written.LIST:
            parts = [part for part in value.split(",") if part]
            order = [self.values.index(part) if part in self.values else -1 for part in parts]
            return -1 not in order and order == sorted(order)
        return value in self.values


@dataclass(frozen=True, slots=True)
class AskedNumber:
    """A number that stands on no piece of a box, as on its board: `key`, what people call it (message ids), from
    `least` to `most`, and what it is while nobody has said it."""

    key: str
    title: Message
    least: int
    most: int
    sample: int


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
    pieces learnt so far. `named_by`: the keys that make a piece's id (none: the table's name). `begin`: text of the
    catalogue before its pieces beside the header, for what is on no piece. `outlines`: of pieces that are no
    rectangles; `size_mm` is then of none of them. `own_id`: the id of a piece that has a name of its own, "" for
    others. `entry`: the catalogue's text of a piece by its id and values, where that is no list of the fields.
    `listed`: whether the catalogue lists a piece with such values; None: each. `resource`: key and name of what the
    game mines, for the sketches.
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
    copies_by: str = ""
    """The field whose values are such keys: pieces that differ in nothing else are one, counted by each of them."""
    asked: tuple[AskedNumber, ...] = ()
    unseen: Callable[[Mapping[str, int]], str] | None = None
    """The catalogue's text for what is on no piece, by the `asked` numbers that a person said: further to `begin`."""
    own_print: bool = False
    """Whether pieces of different looks share no print, also where their fields are equal."""
    unlearnt: str = ""
    """The catalogue's text in the place of these pieces, of a further form of a game of which none is learnt."""
    outlines: tuple[PieceOutline, ...] = ()
    own_id: Callable[[Values], str] | None = None
    entry: Callable[[str, Values], str] | None = None
    listed: Callable[[Values], bool] | None = None
    resource: tuple[str, str] | None = None

    def with_sketches(self, key: str, sketch: Callable[[str], Json]) -> FaceForm:
        """The form with a sketch of each value of the field `key`. Raises KeyError."""
        shown = replace(self.field(key), sketches=tuple(sketch(value) for value in self.field(key).values))
        return replace(self, fields=tuple(shown if one.key == key else one for one in self.fields))

    def field(self, key: str) -> FaceField:
        """The field `key`. Raises KeyError."""
        for one in self.fields:
            if one.key == key:
                return one
        raise KeyError(key)

    def applies(self, field: FaceField, values: Values) -> bool:
        """Whether a piece with these values has the field: what it hangs on is there, and has such a value."""
        if field.only is None:
            return True
        key, allowed = field.only
        return self.applies(self.field(key), values) and values.get(key, allowed[0]) in allowed

    def outline(self, values: Values) -> PieceOutline | None:
        """The outline of a piece with these values; None for a rectangle."""
        named = {values[one.key] for one in self.fields if one.shown is Shown.OUTLINE and one.key in values}
        if len(self.outlines) > 1:
            return next((one for one in self.outlines if one.name in named), None)
        return self.outlines[0] if self.outlines else None

    def whole(self, values: Values) -> dict[str, str]:
        """The values in the form's order, those that do not apply as `otherwise`."""
        return {
            one.key: values[one.key] if self.applies(one, values) else one.otherwise
            for one in self.fields
            if one.key in values or not self.applies(one, values)
        }
