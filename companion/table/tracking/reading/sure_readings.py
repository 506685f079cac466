"""Which faces settled pictures surely show instead of those that are believed to lie there, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.core.game import Rules
from companion.core.inputs import BoardObservation, SlotReading
from companion.core.layout import BoardView, SlotView
from companion.core.types import Face, Slot
from companion.table.tracking.reading.evidence import WEAK_READING, TableEvidence

SURE_SCENES = 3
"""Scenes in which a place surely reads as another face before people are asked: one sure reading may be an error of the
eyes that lasts until something changes there, and the picture in which the face was dealt was as sure."""


@dataclass
class SureReadings:
    """Per slot the other face that settled pictures surely show, and in how many scenes in a row; and what people said
    of such a face. `lies`: what is believed to lie in a slot."""

    _others: dict[Slot, tuple[Face, int]] = field(default_factory=dict)
    _counted: set[Slot] = field(default_factory=set)
    _denied: dict[Slot, tuple[Face, Face]] = field(default_factory=dict)
    """Per slot the face that is misread, and the one that lies there."""

    def scene_changed(self) -> None:
        """What comes is another scene."""
        self._counted.clear()

    def look(self, view: BoardView, evidence: TableEvidence) -> None:
        """Count a scene for the slots that surely show another face than `view`; one that is read rightly begins anew.
        """
        for slot, one in evidence.slots.items():
            if not one.visible or slot in self._counted:
                continue
            face = surely_another(evidence, slot, view.at(slot))
            if face is not None:
                known = self._others.get(slot)
                self._others[slot] = (face, known[1] + 1 if known is not None and known[0] == face else 1)
                self._counted.add(slot)
            elif one.most_likely().face == view.at(slot).face:
                self._others.pop(slot, None)

    def often(self) -> tuple[Slot, ...]:
        """The slots that have surely shown the same other face in enough scenes."""
        return tuple(slot for slot, (_, scenes) in self._others.items() if scenes >= SURE_SCENES)

    def deny(self, slot: Slot, read: Face, lies: Face) -> None:
        """A person said that `lies` lies in `slot`, which reads as `read`: so it will go on reading."""
        self._others.pop(slot, None)
        self._denied[slot] = read, lies

    def put_right(self, observation: BoardObservation, view: BoardView, rules: Rules) -> BoardObservation:
        """`observation` with the faces that people have said to be misread called what they are."""
        for slot, (_, lies) in tuple(self._denied.items()):
            if view.at(slot).face != lies:
                del self._denied[slot]
        if not self._denied:
            return observation
        return replace(observation, slots=tuple(self._reading(one, rules) for one in observation.slots))

    def _reading(self, one: SlotReading, rules: Rules) -> SlotReading:
        if one.slot not in self._denied:
            return one
        read, lies = self._denied[one.slot]
        faces = tuple((lies if f is not None and rules.same_face(f) == read else f, p) for f, p in one.faces)
        return replace(one, faces=faces)


def surely_another(evidence: TableEvidence, slot: Slot, believed: SlotView) -> Face | None:
    """The face that `slot` surely shows instead of the one that is `believed` to lie there; None when it does not."""
    one = evidence.of(slot)
    reads = one.most_likely()
    if not one.visible or None in (reads.face, believed.face) or reads.face == believed.face or reads not in one.clear:
        return None
    as_believed = replace(reads, face=believed.face, turn=believed.turn)
    return reads.face if one.log_likelihood(reads) - one.log_likelihood(as_believed) >= WEAK_READING else None
