"""A bag is filled in one order only, and the key depends on every contribution made after the commitment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.draws import generator
from companion.draws.ceremony import (
    NEXT,
    Body,
    Ceremony,
    How,
    Phase,
    ProofStep,
    StepRefusedError,
    clean_value,
    take,
)

SESSION = "evening"
SECRET = bytes(32)
SALT = "00112233445566778899aabbccddeeff"


def commit(bag: int = 1, secret: bytes = SECRET) -> Body:
    code = generator.commitment(SESSION, bag, secret)
    return {"step": "commit", "bag": bag, "scheme": generator.SCHEME, "commitment": code}


def add(seat: str, value: str, how: str = "phrase") -> Body:
    return {"step": "add", "bag": 1, "seat": seat, "how": how, "value": value}


def promise(seat: str, value: str, code: str = commit()["commitment"]) -> Body:
    promised = generator.promise(SESSION, code, seat, "phrase", value, SALT)
    return {"step": "promise", "bag": 1, "seat": seat, "promise": promised}


def opening(seat: str, value: str) -> Body:
    return {"step": "open", "bag": 1, "seat": seat, "how": "phrase", "value": value, "salt": SALT}


CLOSE: Body = {"step": "close", "bag": 1}


def after(*bodies: Body) -> Ceremony:
    ceremony = Ceremony(SESSION)
    for body in bodies:
        ceremony = take(ceremony, body)
    return ceremony


def sealed(*bodies: Body) -> Ceremony:
    ceremony = after(*bodies)
    return take(ceremony, {"step": "seal", "bag": ceremony.bag, "transcript": ceremony.expected_transcript()})


def key_of(ceremony: Ceremony, secret: bytes = SECRET) -> bytes:
    return take(ceremony, {"step": "reveal", "bag": ceremony.bag, "secret": secret.hex()}).key()


def body_for(step: ProofStep, ceremony: Ceremony) -> Body:
    """A well-formed body of `step`, fitting the bag in hand as far as the order lets it."""
    waiting = dict(ceremony.promises)
    seat = next(iter(waiting), "A")
    return {
        ProofStep.COMMIT: commit(ceremony.bag + 1),
        ProofStep.ADD: {**add("A", "x"), "bag": ceremony.bag},
        ProofStep.PROMISE: {
            **promise("B" if "A" in waiting else "A", "secret words", ceremony.commitment),
            "bag": ceremony.bag,
        },
        ProofStep.CLOSE: {**CLOSE, "bag": ceremony.bag},
        ProofStep.OPEN: {**opening(seat, "secret words"), "bag": ceremony.bag},
        ProofStep.WITHHOLD: {"step": "withhold", "bag": ceremony.bag, "seat": seat},
        ProofStep.SEAL: {"step": "seal", "bag": ceremony.bag, "transcript": ceremony.expected_transcript()},
        ProofStep.REVEAL: {"step": "reveal", "bag": ceremony.bag, "secret": SECRET.hex()},
    }[step]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(ProofStep), max_size=25))
def test_contributions_come_after_the_commitment_and_before_the_seal_in_every_accepted_order(steps: list[ProofStep]):
    ceremony, accepted = Ceremony(SESSION), []
    for step in steps:
        try:
            ceremony = take(ceremony, body_for(step, ceremony))
        except StepRefusedError:
            continue
        accepted.append(step)
    bag: list[ProofStep] = []
    for step in accepted:
        bag = [step] if step is ProofStep.COMMIT else [*bag, step]
        assert bag[0] is ProofStep.COMMIT
        if step in (ProofStep.ADD, ProofStep.PROMISE):
            assert not {ProofStep.CLOSE, ProofStep.SEAL, ProofStep.REVEAL} & set(bag)
        if step in (ProofStep.OPEN, ProofStep.WITHHOLD):
            assert ProofStep.CLOSE in bag
            assert not {ProofStep.SEAL, ProofStep.REVEAL} & set(bag)
        if step is ProofStep.SEAL:
            assert bag.count(ProofStep.PROMISE) == bag.count(ProofStep.OPEN) + bag.count(ProofStep.WITHHOLD)
        if step is ProofStep.REVEAL:
            assert bag[-2] is ProofStep.SEAL


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("step", ProofStep)
def test_step_that_the_table_does_not_name_is_refused(phase: Phase, step: ProofStep):
    if (phase, step) in NEXT:
        return
    ceremony = Ceremony(SESSION, 0 if phase is Phase.NONE else 1, phase, commit()["commitment"])
    with pytest.raises(StepRefusedError, match="cannot come now"):
        take(ceremony, body_for(step, ceremony))


CONTRIBUTIONS = (commit(), add("A", "six dice"), add("B", "3 1 6", "dice"), promise("C", "hidden"), CLOSE)


def test_key_changes_with_every_contribution_and_with_their_order():
    base = sealed(*CONTRIBUTIONS, opening("C", "hidden"))
    other_a = sealed(commit(), add("A", "six Dice"), *CONTRIBUTIONS[2:], opening("C", "hidden"))
    swapped = sealed(commit(), CONTRIBUTIONS[2], CONTRIBUTIONS[1], *CONTRIBUTIONS[3:], opening("C", "hidden"))
    other_c = sealed(*CONTRIBUTIONS[:3], promise("C", "Hidden"), CLOSE, opening("C", "Hidden"))
    withheld = sealed(*CONTRIBUTIONS, {"step": "withhold", "bag": 1, "seat": "C"})
    assert len({key_of(ceremony) for ceremony in (base, other_a, swapped, other_c, withheld)}) == 5


def test_host_cannot_reveal_another_secret_than_it_committed_to():
    with pytest.raises(StepRefusedError, match="committed to"):
        key_of(sealed(*CONTRIBUTIONS, opening("C", "hidden")), secret=b"\1" * 32)


@pytest.mark.parametrize(
    ("seat", "value"),
    [("C", "hidden!"), ("C", "Hidden"), ("A", "hidden")],
    ids=["longer", "other case", "another seat"],
)
def test_promise_opens_as_it_was_made_or_not_at_all(seat: str, value: str):
    with pytest.raises(StepRefusedError, match=r"promised|no promise"):
        after(*CONTRIBUTIONS, opening(seat, value))


def test_promise_copied_from_another_seat_cannot_be_opened():
    copied = {**promise("B", "hidden"), "seat": "D"}
    with pytest.raises(StepRefusedError, match="seat D promised"):
        after(commit(), promise("B", "hidden"), copied, CLOSE, opening("B", "hidden"), opening("D", "hidden"))


def test_promise_made_for_another_commitment_cannot_be_opened():
    stale = promise("A", "hidden", code="f" * 64)
    with pytest.raises(StepRefusedError, match="promised"):
        after(commit(), stale, CLOSE, opening("A", "hidden"))


def test_bag_is_not_sealed_while_a_promise_waits():
    with pytest.raises(StepRefusedError, match="waiting for seat C"):
        sealed(*CONTRIBUTIONS)


@pytest.mark.parametrize("moment", ["closed", "sealed"])
def test_late_contribution_is_refused(moment: str):
    ceremony = after(*CONTRIBUTIONS) if moment == "closed" else sealed(*CONTRIBUTIONS, opening("C", "hidden"))
    with pytest.raises(StepRefusedError, match="cannot come now"):
        take(ceremony, add("D", "too late"))


@pytest.mark.parametrize(
    ("how", "text", "clean"),
    [
        (How.DICE, " 3,1 64", "3 1 6 4"),
        (How.PHRASE, "  žltý kôň ", "žltý kôň"),
        (How.PHRASE, "z\u030c", "ž"),
        (How.PRESS, "box-1/3/17/48213", "box-1/3/17/48213"),
    ],
)
def test_contribution_is_recorded_in_one_spelling(how: How, text: str, clean: str):
    assert clean_value(how, text) == clean


@pytest.mark.parametrize(
    ("how", "text"),
    [
        (How.DICE, "7"),
        (How.DICE, ""),
        (How.PHRASE, "  "),
        (How.PHRASE, "two\nlines"),
        (How.PHRASE, "x" * 201),
        (How.PHRASE, "\ud800"),
    ],
)
def test_text_that_is_no_contribution_is_refused(how: How, text: str):
    with pytest.raises(StepRefusedError, match=r"contribution|dice"):
        clean_value(how, text)


@pytest.mark.parametrize(
    "change",
    [
        {"bag": 2}, {"bag": True}, {"seat": "F"}, {"seat": ["A"]}, {"how": "guess"}, {"how": None}, {"value": 7},
        {"more": 1}, {"step": "shuffle"}, {"step": ["add"]}, {"value": ""},
    ],
    ids=str,
)  # fmt: skip
def test_step_in_another_form_is_refused(change: dict[str, object]):
    with pytest.raises(StepRefusedError):
        after(commit(), {**add("A", "words"), **change})


def test_second_bag_has_the_next_number_and_another_key():
    first = take(sealed(commit(), add("A", "x"), CLOSE), {"step": "reveal", "bag": 1, "secret": SECRET.hex()})
    second = take(first, commit(2))
    for body in ({**add("A", "x"), "bag": 2}, {**CLOSE, "bag": 2}):
        second = take(second, body)
    second = take(second, {"step": "seal", "bag": 2, "transcript": second.expected_transcript()})
    assert second.bag == 2
    assert key_of(second) != first.key()
