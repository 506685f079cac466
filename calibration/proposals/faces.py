"""The faces that are being learnt, as the readers of fields see them: views, what is known of each, places found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from calibration.face_print.face_view import SIDE, PrintView
from calibration.face_print.figures import GlyphPlace
from calibration.face_print.icons import IconLine
from calibration.face_print.names import NameLine
from calibration.face_print.patches import Box
from companion.core.face_form import FaceField, FaceForm


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a field of a face seems to be: `value` (None: nothing was read); `sure`: nobody need be asked, the person
    only looks over it; `others`: what else it may be, likeliest first; `box`: where it was read, as shares of the side
    (left, top, right, bottom), None for all of the face."""

    value: str | None
    sure: bool
    others: tuple[str, ...] = ()
    box: tuple[float, float, float, float] | None = None


Read: TypeAlias = Mapping[str, Proposal]


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face: its view, and what a person has confirmed of it."""

    view: PrintView
    told: Mapping[str, str]


@dataclass(slots=True, eq=False)
class Places:
    """Where on the faces of a box each thing stands, as far as it was found; remembered while no face is added."""

    figures: dict[str, GlyphPlace | None] = field(default_factory=dict)
    marks: dict[str, GlyphPlace | None] = field(default_factory=dict)
    lines: tuple[IconLine, ...] | None = None
    counts: dict[tuple[int, IconLine], object] = field(default_factory=dict)
    likenesses: dict[tuple[object, ...], object] = field(default_factory=dict)
    names: NameLine | None = None
    names_sought: int = 0
    """Of so many faces the line of names was looked for."""


@dataclass(slots=True, eq=False)
class Reading:
    """A pass over all faces: `form`, `faces`, and in `said` what was told or proposed so far of each."""

    form: FaceForm
    faces: Sequence[Face]
    places: Places
    said: list[dict[str, Proposal]]

    def value(self, number: int, key: str) -> str | None:
        """What is told, else proposed, of a field of a face."""
        told = self.faces[number].told.get(key)
        if told is not None:
            return told
        proposal = self.said[number].get(key)
        return None if proposal is None else proposal.value

    def holds(self, number: int, key: str) -> bool:
        """Whether `value` can be leant on: told, or proposed surely."""
        proposal = self.said[number].get(key)
        return key in self.faces[number].told or (proposal is not None and proposal.sure)

    def having(self, one: FaceField) -> list[int]:
        """The faces of which what is told or proposed says that they have the field."""
        known = [{f.key: self.value(k, f.key) for f in self.form.fields} for k in range(len(self.faces))]
        return [
            k for k, values in enumerate(known)
            if self.form.applies(one, {key: value for key, value in values.items() if value is not None})
        ]

    def told(self, one: FaceField) -> list[tuple[int, str]]:
        """(face, value) of every face of which a person confirmed the field, and that has it."""
        return [
            (k, face.told[one.key]) for k, face in enumerate(self.faces)
            if one.key in face.told and self.form.applies(one, face.told)
        ]


def share_of(box: Box) -> tuple[float, float, float, float]:
    """A box of a view as shares of its side."""
    left, top, right, bottom = box
    return left / SIDE, top / SIDE, right / SIDE, bottom / SIDE


def box_of(place: GlyphPlace, slip_px: int = 3) -> Box:
    """The box of a place, with so much around it."""
    x, y, w, h = place.box_px
    return max(0, x - slip_px), max(0, y - slip_px), min(SIDE, x + w + slip_px), min(SIDE, y + h + slip_px)
