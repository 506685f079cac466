"""What a verified record proves, in sentences for people: English message ids and their facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.types import Seat
from companion.draws.audit import BagStory, RecordedDraw
from companion.draws.ceremony import How, Phase, ProofStep

HOW_WORDS = {
    How.PHRASE.value: "a phrase",
    How.DICE.value: "dice",
    How.PRESS.value: "a press of the box",
    How.RANDOM.value: "random digits",
}


@dataclass(frozen=True, slots=True)
class DrawFinding:
    """A sentence for people: English message id with placeholders, and its facts."""

    message: str
    facts: tuple[tuple[str, Any], ...] = ()


NOTHING = DrawFinding("No draw of this record came from the digital bag: there is nothing to prove.")


def whole(records: int, head: str) -> DrawFinding:
    """That no line was altered, left out or added."""
    return DrawFinding(
        "The record is whole: {records} records, each chained to the one before. The last hash is {head}.",
        (("records", records), ("head", head)),
    )


FIXED = (
    "Bag {bag}: the host fixed its secret in record {record}, before anybody added anything. Its code "
    "is {commitment}: compare it with the code that the table saw before the game."
)
FIXED_AS_NOTED = (
    "Bag {bag}: the host fixed its secret in record {record}, before anybody added anything. Its code "
    "is {commitment}: the one that you noted."
)


def filling(story: BagStory, names: Sequence[str], *, noted: bool = False) -> list[DrawFinding]:
    """Who put what into a bag, and in which order. `noted`: whether its code is known to be the one the table noted."""
    findings: list[DrawFinding] = []
    promised: dict[str, int] = {}
    for record, body in story.steps:
        facts = (("record", record), ("name", _name(body, names)), ("how", HOW_WORDS.get(body.get("how", ""), "")))
        if body["step"] == ProofStep.COMMIT.value:
            findings.append(
                DrawFinding(
                    FIXED_AS_NOTED if noted else FIXED,
                    (("bag", body["bag"]), ("record", record), ("commitment", body["commitment"])),
                )
            )
        elif body["step"] == ProofStep.ADD.value:
            findings.append(DrawFinding("{name} added {how} in record {record}, open to the host at once.", facts))
        elif body["step"] == ProofStep.PROMISE.value:
            promised[body["seat"]] = record
        elif body["step"] == ProofStep.OPEN.value:
            findings.append(
                DrawFinding(
                    "{name} added {how}: sealed in record {promised}, opened in record {record} as it was sealed.",
                    (*facts, ("promised", promised[body["seat"]])),
                )
            )
        elif body["step"] == ProofStep.WITHHOLD.value:
            findings.append(
                DrawFinding(
                    "{name} sealed a contribution in record {promised} and never opened it: whoever knew it, together "
                    "with the host, could choose between two bags.",
                    (("name", _name(body, names)), ("promised", promised[body["seat"]])),
                )
            )
    return findings


def guarantee(story: BagStory, names: Sequence[str]) -> DrawFinding:
    """What the contributions of a bag guarantee; a press of the box is known to nobody but the host."""
    bag = ("bag", story.ceremony.bag)
    own = [body for body in story.ceremony.contributions() if body["how"] != How.PRESS.value]
    sealed = _distinct(_name(body, names) for body in own if body["step"] == ProofStep.OPEN.value)
    if sealed:
        return DrawFinding(
            "Bag {bag}: sealed contributions came from {names}. If even one of them stayed secret until the bag was "
            "closed, nobody could choose a draw, not even the host together with all the others.",
            (bag, ("names", sealed)),
        )
    if own:
        return DrawFinding(
            "Bag {bag}: open contributions came from {names}. If the host could not guess even one of them beforehand, "
            "the host alone could not choose a draw; the host together with whoever added last could have.",
            (bag, ("names", _distinct(_name(body, names) for body in own))),
        )
    return DrawFinding(
        "Bag {bag}: nobody added anything that the host could not have made up. The draws follow from the host's "
        "secret, and nothing shows that it was not chosen from many.",
        (bag,),
    )


def draws(story: BagStory) -> DrawFinding:
    """Whether the draws of a bag are proved."""
    bag = story.ceremony.bag
    if not story.draws:
        return DrawFinding("Bag {bag}: no draw came from it.", (("bag", bag),))
    facts = (("bag", bag), ("first", story.draws[0].number), ("last", story.draws[-1].number))
    if story.ceremony.phase is Phase.REVEALED:
        return DrawFinding(
            "Bag {bag}: draws {first} to {last} were recomputed from the revealed secret and the contributions; each "
            "came out as recorded.",
            facts,
        )
    return DrawFinding(
        "Bag {bag}: draws {first} to {last} cannot be checked yet, the host has not revealed the secret.", facts
    )


def replayed(
    drawn: Sequence[RecordedDraw], taken_back: Sequence[RecordedDraw], physical: Sequence[int]
) -> list[DrawFinding]:
    """What the replay by the rules says; `physical`: numbers of the records of draws that were observed or entered."""
    findings: list[DrawFinding] = []
    if drawn:
        findings.append(
            DrawFinding(
                "Each of the {draws} urns held exactly what the rules allowed at that moment, with exact chances.",
                (("draws", len(drawn)),),
            )
        )
    findings += [
        DrawFinding(
            "Draw {number} in record {record} was taken back later; the draw after it has a number of its own.",
            (("number", draw.number), ("record", draw.line.data["number"])),
        )
        for draw in taken_back
    ]
    if physical:
        findings.append(
            DrawFinding(
                "{count} draws came from the physical bag (records {records}): nothing is proved about those.",
                (("count", len(physical)), ("records", tuple(physical))),
            )
        )
    return findings


def _name(body: dict[str, Any], names: Sequence[str]) -> str:
    letter = body.get("seat")
    if letter is None:
        return ""
    seat = Seat[letter]
    return names[seat] if seat < len(names) else f"seat {letter}"


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
