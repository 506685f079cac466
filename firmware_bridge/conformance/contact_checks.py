"""Checks of contacts, reports and LEDs: they need contacts that can be moved, or LEDs that can be seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from companion.core.inputs import BoxInput
from firmware_bridge.conformance.talk import BrokenError, Talk, edge, expect
from firmware_bridge.constants import (
    DEBOUNCE_MS,
    HOST_LOST_MS,
    INPUTS,
    LOCKOUT_BUTTON_MS,
    LOCKOUT_SHIELD_MS,
    PRESSED_BIT,
    QUEUE_REPORTS,
    REST_MS,
    RETRY_MS,
    WINDOW,
    LedState,
    led_colours,
)
from firmware_bridge.messages import Ack, Hello, Leds, Report

C1, C2, SHIELD, REFEREE = BoxInput.CONFIRM_1, BoxInput.CONFIRM_2, BoxInput.SHIELD_1, BoxInput.REFEREE
LATER_MS = LOCKOUT_BUTTON_MS + 2 * REST_MS  # every lock-out is over, every contact at rest
TURN_MS = 20.0  # how often what came is acknowledged
GRAIN_MS = 3.0  # of a time the box states: its scan, and the rig's own millisecond


def _begin(talk: Talk) -> Hello:
    """Nothing waits and the lock-outs are the usual ones."""
    hello = talk.begin()
    talk.settings(hello, LOCKOUT_BUTTON_MS, LOCKOUT_SHIELD_MS)
    talk.heard.clear()
    return hello


def _told(talk: Talk, hello: Hello, ms: float) -> list[Report]:
    """The reports that come within `ms`, from the first that `hello` says is not acknowledged, as a host takes them."""
    found: list[Report] = []
    left = ms
    while left > 0:
        start = len(talk.heard)
        talk.wait(min(TURN_MS, left), speaking=True)
        left -= TURN_MS
        for each in sorted(talk.reports(talk.heard[start:]), key=lambda report: report.number):
            if each.number == hello.oldest + len(found) & 0xFFFFFFFF:
                found.append(each)
        if found:
            talk.say(Ack(hello.boot, found[-1].number + 1 & 0xFFFFFFFF))
    return found


def every_input_reports_under_its_own_number(talk: Talk) -> None:
    """Index 0 to 8, bit 7 for closed; numbers without gaps; HELLO has the levels."""
    hello = _begin(talk)
    found: list[Report] = []
    for index, which in enumerate(INPUTS):
        talk.rig.contact(which, True)
        now = replace(hello, oldest=hello.oldest + len(found))
        reports = _told(talk, now, REST_MS + 40 + talk.rig.slack_ms)
        got = [report.input for report in reports]
        expect(got == [index | PRESSED_BIT], f"{which.value} closed is input 0x{index | PRESSED_BIT:02x}, got {got}")
        expect(reports[0].boot == hello.boot, "a report carries the boot id of HELLO")
        found += reports
    expect(all(b.number - a.number == 1 for a, b in pairwise(found)), "the numbers of reports have gaps")
    expect(found[0].number == hello.next, "the first new report has the number that HELLO told as next")
    expect(talk.hello().inputs == (1 << len(INPUTS)) - 1, "HELLO tells that all nine are closed")
    for which in INPUTS:
        talk.rig.contact(which, False)
    reports = _told(talk, replace(hello, oldest=hello.oldest + len(found)), LATER_MS)
    expect(sorted(r.input for r in reports) == list(range(len(INPUTS))), "every input opens under its own index")


def _play(talk: Talk, which: BoxInput, changes: list[tuple[float, bool]], expected: list[bool], what: str) -> list[int]:
    hello = _begin(talk)
    for at_ms, closed in changes:
        talk.rig.contact(which, closed, at_ms)
    reports = _told(talk, hello, changes[-1][0] + LATER_MS)
    got = [report.input for report in reports]
    wanted = [edge(which, closed) for closed in expected]
    expect(got == wanted, f"{what}: expected {len(wanted)} reports {wanted}, got {got}")
    return [report.device_ms for report in reports]


def short_glitch_is_no_press(talk: Talk) -> None:
    """3 ms are shorter than the 5 ms of rest that a press needs."""
    _play(talk, C1, [(0, True), (3, False)], [], "closed for 3 ms")


def bouncing_press_is_one_press(talk: Talk) -> None:
    """Opens again for 12 and for 30 ms: one press, one release."""
    bounce = [(0.0, True), (8.0, False), (20.0, True), (27.0, False), (57.0, True), (700.0, False)]
    _play(talk, C1, bounce, [True, False], "a press that opens again for 12 and 30 ms")
    _play(talk, REFEREE, bounce, [True, False], "the referee's, opening again for 12 and 30 ms")


def contact_that_opens_in_mid_press_makes_no_second(talk: Talk) -> None:
    """Long after the lock-out a worn contact opens for 30 ms."""
    _play(talk, C1, [(0, True), (600, False), (630, True), (1000, False)], [True, False], "open for 30 ms while held")


def second_press_within_the_lock_out_is_no_press(talk: Talk) -> None:
    """Pressed again after 200 ms: one press; after 400 ms: two."""
    taps = [(0.0, True), (80.0, False), (200.0, True), (270.0, False)]
    _play(talk, C2, taps, [True, False], "a second press after 200 ms")
    taps = [(0.0, True), (80.0, False), (400.0, True), (480.0, False)]
    _play(talk, C2, taps, [True, False, True, False], "a second press after 400 ms")


def rocking_shield_is_one_change(talk: Talk) -> None:
    """A shield counts after 40 ms of rest, both ways."""
    put = [(0.0, True), (20.0, False), (35.0, True), (60.0, False), (75.0, True)]
    _play(talk, SHIELD, [*put, (900, False)], [True, False], "a shield that rocks as it is put up")
    knock = [(0.0, True), (500.0, False), (530.0, True), (900.0, False)]
    _play(talk, SHIELD, knock, [True, False], "a shield knocked for 30 ms")


def times_tell_when_a_contact_rested(talk: Talk) -> None:
    """A press 5 ms after its contact closed, a release 40 ms after it opened."""
    pressed, released = _play(talk, C1, [(0, True), (1000, False)], [True, False], "a press of one second")
    expected = 1000 + REST_MS - DEBOUNCE_MS
    got = released - pressed
    slack = GRAIN_MS if talk.rig.slack_ms < 50 else talk.rig.slack_ms
    expect(abs(got - expected) <= slack, f"from press to release: expected {expected} ms, got {got}")


def edges_of_one_moment_come_in_the_order_of_the_inputs(talk: Talk) -> None:
    """Four buttons at once: four reports, index by index, with the same time."""
    if talk.rig.slack_ms > 50:
        return  # a hand or a program beside the box cannot close four contacts within a millisecond
    hello = _begin(talk)
    for which in (BoxInput.CONFIRM_4, BoxInput.CONFIRM_2, BoxInput.CONFIRM_1, BoxInput.CONFIRM_3):
        talk.rig.contact(which, True, 2)
    reports = _told(talk, hello, 100)
    expect([r.input & 0x7F for r in reports] == [0, 1, 2, 3], "edges of one moment come in the order of the inputs")
    expect(len({r.device_ms for r in reports}) == 1, "edges of one moment have one time")


def report_is_repeated_until_it_is_acknowledged(talk: Talk) -> None:
    """Every 50 ms; an ACK of another boot does not end that, the right one does."""
    hello = _begin(talk)
    talk.rig.contact(C1, True)
    talk.wait(60, speaking=True)
    talk.say(Ack(hello.boot ^ 1, hello.next + 1))
    heard = [each.at_ms for each in talk.wait(600, speaking=True) if isinstance(each.message, Report)]
    expect(10 <= len(heard) <= 14, f"an unacknowledged report comes 12 times in 0.6 s, got {len(heard)}")
    talk.say(Ack(hello.boot, hello.next + 1))
    talk.wait(20 + talk.rig.slack_ms)
    heard = [each.at_ms for each in talk.wait(4 * RETRY_MS, speaking=True) if isinstance(each.message, Report)]
    expect(not heard, "a report is repeated although it was acknowledged")


def _fill(talk: Talk, hello: Hello, rounds: int) -> None:
    """All nine contacts close and open `rounds` times with no host and no lock-out: 18 edges each."""
    talk.settings(hello, 0, 0)
    talk.wait(HOST_LOST_MS + 100)
    for _ in range(rounds):
        for closed in (True, False):
            for which in INPUTS:
                talk.rig.contact(which, closed)
            talk.wait(REST_MS + 20 + talk.rig.slack_ms)


def reports_wait_for_a_host_and_come_in_windows_of_eight(talk: Talk) -> None:
    """None is sent without a host; then at most 8 are in flight; an ACK for more than was sent is ignored."""
    hello = _begin(talk)
    _fill(talk, hello, 1)
    waiting = 2 * len(INPUTS)
    sent = [each for each in talk.heard if isinstance(each.message, Report)]
    expect(not sent, "a report was sent although no host speaks")
    now = talk.hello()
    expect(now.next - now.oldest == waiting, f"{waiting} reports wait, HELLO tells {now.next - now.oldest}")
    talk.wait(RETRY_MS, speaking=True)
    numbers = {r.number - now.oldest for r in talk.reports()}
    expect(numbers == set(range(WINDOW)), f"8 reports are in flight, got {sorted(numbers)}")
    talk.say(Ack(now.boot, now.oldest + WINDOW + 2))
    talk.wait(RETRY_MS)
    after = talk.hello()
    expect(after.oldest == now.oldest, f"an ACK for {WINDOW + 2} of {WINDOW} sent reports was taken")
    reports = {r.number: r for r in _told(talk, now, 600)}
    expect(len(reports) == waiting, f"{waiting} reports come in the end, got {len(reports)}")
    talk.settings(hello, LOCKOUT_BUTTON_MS, LOCKOUT_SHIELD_MS)


def full_queue_counts_what_it_drops_and_tells_the_last_levels(talk: Talk) -> None:
    """48 reports are kept; what is dropped is counted; levels that differ are told once there is room."""
    hello = _begin(talk)
    dropped = hello.dropped
    _fill(talk, hello, 3)
    for which in INPUTS:
        talk.rig.contact(which, True)
    talk.wait(REST_MS + 40 + talk.rig.slack_ms)
    now = talk.hello()
    expect(now.next - now.oldest == QUEUE_REPORTS, f"48 reports are kept, got {now.next - now.oldest}")
    lost = now.dropped - dropped & 0xFFFF
    expect(lost == 7 * len(INPUTS) - QUEUE_REPORTS, f"of 63 edges 15 are dropped, got {lost}")
    reports = _told(talk, now, 800)
    levels = dict.fromkeys(range(len(INPUTS)), False)
    for each in reports:
        levels[each.input & 0x7F] = bool(each.input & PRESSED_BIT)
    expect(all(levels.values()), f"after the queue had room the reports still tell open: {levels}")
    talk.settings(hello, LOCKOUT_BUTTON_MS, LOCKOUT_SHIELD_MS)


def leds_show_their_patterns(talk: Talk) -> None:
    """Each state's green and red over 2 s by the box's own time, on every station."""
    hello = _begin(talk)
    if talk.rig.leds() is None:
        return
    states = [state for state in LedState if state is not LedState.HOST_LOST]
    for number, state in enumerate(states):
        around = (state, *(states[(number + n) % len(states)] for n in (1, 2, 3)))
        talk.say(Leds(hello.boot, 20 + number, around))  # type: ignore[arg-type]
        talk.wait(100, speaking=True)
        offset = _offset_ms(talk)
        _watch(talk, around, offset)
    _lost(talk)


def _offset_ms(talk: Talk) -> float:
    """The box's time less the host's, from the answer to a PING."""
    alive = talk.alive()
    at_ms = next(each.at_ms for each in reversed(talk.heard) if each.message is alive)
    return alive.device_ms - at_ms


def _watch(talk: Talk, states: tuple[LedState, ...], offset: float) -> None:
    """Compare the LEDs every 20 ms for 2 s, but not near a step, where a few ms decide."""
    for _ in range(100):
        talk.wait(20, speaking=True)
        at_ms = int(talk.rig.now_ms + offset)
        if not 30 <= at_ms % 125 <= 95:
            continue
        shown = talk.rig.leds()
        expected = tuple(led_colours(state, at_ms) for state in states)
        names = ", ".join(state.name.lower() for state in states)
        expect(shown == expected, f"LEDs {names}: expected (green, red) {expected} at {at_ms} ms, got {shown}")


def _lost(talk: Talk) -> None:
    offset = _offset_ms(talk)
    talk.wait(HOST_LOST_MS + 100)
    for _ in range(20):
        talk.wait(97)
        at_ms = int(talk.rig.now_ms + offset)
        if 30 <= at_ms % 125 <= 95 and talk.rig.leds() != (led_colours(LedState.HOST_LOST, at_ms),) * 4:
            raise BrokenError(f"without a host the LEDs show host lost, got {talk.rig.leds()} at {at_ms} ms")


CONTACT_CHECKS = (
    every_input_reports_under_its_own_number,
    short_glitch_is_no_press,
    bouncing_press_is_one_press,
    contact_that_opens_in_mid_press_makes_no_second,
    second_press_within_the_lock_out_is_no_press,
    rocking_shield_is_one_change,
    times_tell_when_a_contact_rested,
    edges_of_one_moment_come_in_the_order_of_the_inputs,
    report_is_repeated_until_it_is_acknowledged,
    reports_wait_for_a_host_and_come_in_windows_of_eight,
    full_queue_counts_what_it_drops_and_tells_the_last_levels,
    leds_show_their_patterns,
)
