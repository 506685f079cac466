"""Follows the bags through a record without any secret: the order of the steps, and every draw recomputed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.core.digest import digest
from companion.core.errors import RecordError
from companion.draws import generator
from companion.draws.bag import NO_DRAW, check_proof_form
from companion.draws.ceremony import Body, Ceremony, Phase, ProofStep, StepRefusedError, take
from companion.draws.lines import REMEDY, Line
from companion.draws.urn import Urn

ALTERED = f"The draw or the secret was altered. {REMEDY}"


@dataclass(frozen=True, slots=True)
class RecordedDraw:
    """A digital draw as it stands in the record."""

    line: Line
    number: int
    bag: int
    urn: Urn
    pick: int


@dataclass(slots=True)
class BagStory:
    """What the record tells of one bag: its steps with the numbers of their records, and its draws."""

    ceremony: Ceremony
    steps: list[tuple[int, Body]]
    draws: list[RecordedDraw]


class Audit:
    """Takes the records in order. Raises RecordError at the first that breaks the order or a draw."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.bags: list[BagStory] = []
        self.draws: list[RecordedDraw] = []
        self._previous = NO_DRAW

    def take(self, line: Line) -> RecordedDraw | None:
        """The draw that the record holds, if it holds one."""
        try:
            if line.data["kind"] == "proof":
                self._step(line, line.data["body"])
            elif line.data["kind"] == "event" and line.data["cause"]["kind"] == "draw":
                return self._draw(line)
        except (StepRefusedError, ValueError, TypeError) as error:
            raise RecordError(str(error), where=line.where, remedy=REMEDY) from error
        return None

    def _step(self, line: Line, body: Body) -> None:
        before = self.bags[-1].ceremony if self.bags else Ceremony(self.session)
        after = take(before, body)
        if body["step"] == ProofStep.COMMIT.value:
            self.bags.append(BagStory(after, [], []))
        story = self.bags[-1]
        story.ceremony = after
        story.steps.append((line.data["number"], body))
        if after.phase is Phase.REVEALED:
            for draw in story.draws:
                recompute(self.session, after.key(), draw)

    def _draw(self, line: Line) -> RecordedDraw:
        story = self.bags[-1] if self.bags else None
        if story is None or story.ceremony.phase is not Phase.SEALED:
            raise ValueError("a digital draw needs a sealed bag: commitment, contributions and seal come before it")
        expected = {"bag": story.ceremony.bag, "number": len(self.draws) + 1, "previous": self._previous}
        proof: Any = line.data["cause"]["detail"].get("proof")
        urn = check_proof_form(proof, expected, str(line.data["body"].get("text")))
        draw = RecordedDraw(line, proof["number"], proof["bag"], urn, proof["pick"])
        story.draws.append(draw)
        self.draws.append(draw)
        self._previous = digest(proof)
        return draw


def recompute(session: str, key: bytes, draw: RecordedDraw) -> None:
    """Raises RecordError when the key gives another outcome than the record says."""
    pick = draw.urn.pick(generator.uniform(key, session, draw.number, draw.urn.total))
    if pick != draw.pick:
        raise RecordError(
            f"draw {draw.number} should be {draw.urn.texts[pick]!r}, the record says {draw.urn.texts[draw.pick]!r}",
            where=draw.line.where,
            remedy=ALTERED,
        )
