"""Reads every field of faces that is not confirmed yet, leaning on what is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from calibration.face_print.face_view import U8, PrintView
from calibration.face_print.patches import Box
from calibration.proposals.counted import propose_colours, propose_count, strips_of
from calibration.proposals.emblems import propose_emblem
from calibration.proposals.faces import Face, Places, Proposal, Reading, box_of
from calibration.proposals.grounds import propose_ground
from calibration.proposals.learnt import propose_back, propose_picture
from calibration.proposals.present import propose_icon
from calibration.proposals.spots import propose_spot
from calibration.proposals.written import PLACE_SURE, propose_figure, propose_mark
from companion.core.face_form import FaceField, FaceForm, Shown

READERS: Mapping[Shown, Callable[[Reading, int, FaceField], Proposal]] = {
    Shown.GROUND: propose_ground,
    Shown.FIGURE: propose_figure,
    Shown.ICON_COUNT: propose_count,
    Shown.ICON_COLOURS: propose_colours,
    Shown.MARK: propose_mark,
    Shown.ICON: propose_icon,
    Shown.SPOT: propose_spot,
    Shown.PICTURE: propose_picture,
    Shown.BACK: propose_back,
}
LAST = (Shown.EMBLEM,)
"""Read when the rest is: what is no icon, figure or mark is the emblem."""


class FaceReader:
    """Reads the faces of one box as it is learnt, piece by piece; keeps what it found out about where things stand."""

    def __init__(self, form: FaceForm) -> None:
        self.form = form
        self._views: dict[int, PrintView] = {}
        self._places = Places()
        self._known: tuple[int, ...] = ()

    def view(self, number: int, picture: U8) -> PrintView:
        """The view of the piece `number`; made once."""
        if number not in self._views:
            self._views[number] = PrintView.of(picture)
        return self._views[number]

    def forget(self, number: int) -> None:
        """The picture of a piece changed."""
        self._views.pop(number, None)

    def read(self, pieces: Sequence[tuple[int, U8, Mapping[str, str]]]) -> list[dict[str, Proposal]]:
        """As `propose`, for pieces with their numbers and newest pictures."""
        return self.propose([(self.view(number, picture), told) for number, picture, told in pieces])

    def propose(self, faces: Sequence[tuple[PrintView, Mapping[str, str]]]) -> list[dict[str, Proposal]]:
        """For each face (view, confirmed values) a proposal for every other field that applies to it."""
        seen = tuple(sorted(id(view) for view, _ in faces))
        if seen != self._known:
            before = self._places
            self._places, self._known = Places(names=before.names, names_sought=before.names_sought), seen
        reading = Reading(self.form, [Face(v, told) for v, told in faces], self._places, [{} for _ in faces])
        early = [one for one in self.form.fields if one.shown not in LAST]
        for one in early:
            for number in range(len(faces)):
                self._read(reading, number, one)
        for one in (f for f in self.form.fields if f.shown in LAST):
            without = self._explained(reading)
            for number in range(len(faces)):
                if self._wanted(reading, number, one):
                    reading.said[number][one.key] = propose_emblem(reading, number, one, without)
        return reading.said

    def _wanted(self, reading: Reading, number: int, field: FaceField) -> bool:
        return field.key not in reading.faces[number].told and self._may_be_there(reading, number, field)

    def _may_be_there(self, reading: Reading, number: int, field: FaceField) -> bool:
        """Whether nothing that is known of a face says that it lacks the field."""
        if field.only is None:
            return True
        key, allowed = field.only
        hangs_on = self._may_be_there(reading, number, self.form.field(key))
        return hangs_on and reading.value(number, key) in (None, *allowed)

    def _read(self, reading: Reading, number: int, field: FaceField) -> None:
        if self._wanted(reading, number, field):
            by_rule = _ruled(reading, number, field)
            reading.said[number][field.key] = by_rule or READERS[field.shown](reading, number, field)

    def _explained(self, reading: Reading) -> tuple[Box, ...]:
        """The parts of the faces that figures, marks and icons take."""
        boxes = [box_of(p, 6) for p in reading.places.figures.values() if p is not None]
        boxes += [box_of(p, 4) for p in reading.places.marks.values() if p is not None and p.score >= PLACE_SURE]
        return (*boxes, *strips_of(reading))


def _ruled(reading: Reading, number: int, field: FaceField) -> Proposal | None:
    """What the rules say that the field is, by what is known of another one."""
    if field.ruled is None:
        return None
    key, values = field.ruled
    value = dict(values).get(reading.value(number, key) or "")
    return None if value is None else Proposal(value, reading.holds(number, key))
