"""What the camera is known to misread: the slots whose readings stay silent as long as they read the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from companion.core.layout import BoardView, SlotView
from companion.core.types import Slot
from companion.table.tracking.reading.evidence import WEAK_READING, TableEvidence


@dataclass
class Misreadings:
    """Per slot what it was misread as. What the tracker itself took for one is weak; what a person said is not."""

    _silent: dict[Slot, SlotView] = field(default_factory=dict)
    _weakly: set[Slot] = field(default_factory=set)

    def in_force(self, evidence: TableEvidence, view: BoardView) -> dict[Slot, SlotView]:
        """Those that `evidence` may repeat where `view` lies: a weak one is none any more where it is surely read."""
        return {
            slot: reads for slot, reads in self._silent.items()
            if slot not in self._weakly or _is_weak(evidence, slot, reads, view.at(slot))
        }

    def said(self, reads: Mapping[Slot, SlotView]) -> None:
        """A person said that these readings are wrong; that holds against sure readings, too. Forgets all others."""
        self._weakly.clear()
        self._silent = dict(reads)

    @property
    def known(self) -> Mapping[Slot, SlotView]:
        """All of them."""
        return self._silent

    def forget(self, slot: Slot) -> None:
        """Something else lies in `slot`."""
        self._silent.pop(slot, None)

    def remember(
        self, evidence: TableEvidence, view: BoardView, slots: Iterable[Slot], still_open: Collection[Slot]
    ) -> None:
        """`view` is believed to lie in `slots` from now on, though `evidence` may read weakly otherwise; nothing is
        said of those `still_open`."""
        for slot in slots:
            one = evidence.of(slot)
            if not one.visible or slot in still_open:
                continue
            reads = one.most_likely()
            if reads == view.at(slot) or one.hides_the_difference(reads, view.at(slot)):
                self._silent.pop(slot, None)
            elif _is_weak(evidence, slot, reads, view.at(slot)):
                self._silent[slot] = reads
                self._weakly.add(slot)


def _is_weak(evidence: TableEvidence, slot: Slot, reads: SlotView, lies: SlotView) -> bool:
    one = evidence.of(slot)
    return one.log_likelihood(reads) - one.log_likelihood(lies) < WEAK_READING
