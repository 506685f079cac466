"""The guided walk: what it lights, what it asks for, and what it makes of a contact that was not asked for."""

from __future__ import annotations

from itertools import count

import pytest

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.i18n import translations
from firmware_bridge.constants import LedState
from firmware_bridge.walk.walk import StepKind, StepOutcome, Walk, steps

_numbers = count(1)


def event(which: BoxInput, edge: ButtonEdge = ButtonEdge.PRESSED) -> ButtonEvent:
    return ButtonEvent("1", 1, next(_numbers), which, edge, 0)


def do(walk: Walk) -> None:
    """Do what is asked."""
    step = walk.step
    assert step is not None
    if step.kind is StepKind.LIGHT:
        walk.answer(True)
    else:
        assert step.input is not None
        walk.event(event(step.input, step.edge))
        if step.input.value.startswith("confirm"):
            walk.event(event(step.input, ButtonEdge.RELEASED))


def test_a_right_box_of_four_passes_in_25_steps() -> None:
    walk = Walk()
    for _ in range(walk.count):
        do(walk)
    assert walk.count == 25
    assert walk.step is None
    assert walk.passed


def test_each_station_shows_each_colour_alone_and_each_contact_is_asked_once() -> None:
    walk, shown = Walk(), []
    while walk.step is not None:
        if walk.step.kind is StepKind.LIGHT:
            shown.append(walk.leds())
        do(walk)
    colours = (LedState.CONFIRMED, LedState.WRONG, LedState.YOUR_TURN)
    assert shown == [tuple(c if n == s else LedState.OFF for n in range(4)) for s in range(4) for c in colours]
    asked = {(step.input, step.edge) for step in steps() if step.kind is StepKind.CONTACT}
    assert {which for which, _ in asked} == set(BoxInput)


def test_swapped_wires_are_named() -> None:
    walk = Walk(2)
    for _ in range(3):
        walk.answer(True)
    walk.event(event(BoxInput.CONFIRM_2))
    assert walk.hint is not None
    assert walk.hint.startswith("the confirm button of station 2 came instead")
    walk.skip()
    assert walk.results[-1].outcome is StepOutcome.WRONG
    assert not walk.passed


def test_part_that_is_not_built_is_skipped_and_does_no_harm() -> None:
    walk = Walk(1)
    while walk.step is not None:
        walk.skip()
    assert walk.passed
    assert {each.outcome for each in walk.results} == {StepOutcome.SKIPPED}


def test_led_that_is_wrong_says_what_may_be_the_cause() -> None:
    walk = Walk(1)
    walk.answer(False)
    assert "polarity" in walk.results[0].cause


def test_shield_that_stands_need_not_be_put_up_again() -> None:
    walk = Walk(1, (BoxInput.SHIELD_1,))
    for _ in range(4):
        do(walk)
    assert walk.step is not None
    assert walk.step.edge is ButtonEdge.RELEASED


def test_answer_to_what_was_not_asked_is_refused() -> None:
    walk = Walk(1)
    for _ in range(3):
        walk.answer(True)
    with pytest.raises(ValueError, match="no LED"):
        walk.answer(True)
    with pytest.raises(ValueError, match="1 to 4"):
        steps(5)


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_step_is_translated(language: str) -> None:
    translate = translations(language).gettext
    for step in steps():
        assert translate(step.ask.message) != step.ask.message
        assert ("{station}" in translate(step.ask.message)) is ("{station}" in step.ask.message)
