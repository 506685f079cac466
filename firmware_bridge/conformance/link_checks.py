"""Checks of the link: what the box says, what it takes, what it refuses. They need a line only."""

from __future__ import annotations

from firmware_bridge.conformance.talk import ANSWER_MS, BrokenError, Talk, expect
from firmware_bridge.constants import ALIVE_MS, BEACON_MS, HOST_LOST_MS, MAX_ENCODED, LedState, MessageType, Refusal
from firmware_bridge.framing import cobs_encode, crc16, encode_frame, fletcher16
from firmware_bridge.messages import Alive, Hello, Leds, Ping, Query, Refused, Report, Settings, pack

UNKNOWN_STATE = 0xEE


def hello_is_sent_four_times_a_second_without_a_host(talk: Talk) -> None:
    """HELLO alone, every 250 ms, while no host speaks."""
    talk.begin()
    talk.wait(HOST_LOST_MS + BEACON_MS)
    heard = talk.wait(2_000)
    others = {type(each.message).__name__ for each in heard} - {"Hello"}
    expect(not others, f"without a host only HELLO is sent, got {', '.join(sorted(others))} as well")
    expect(7 <= len(heard) <= 9, f"HELLO comes 8 times in 2 s, got {len(heard)}")


def hello_has_its_second_form(talk: Talk) -> None:
    """HELLO of 32 bytes with version 2; what it says makes sense."""
    hello = talk.begin()
    about = hello.about
    expect(about is not None, "HELLO has the form of version 1: board, start and lock-outs are missing")
    assert about is not None
    expect(about.start & 0x08 == 0, f"bit 3 of start is 0, got {about.start:#04x}")
    expect(about.start & 0x07 <= 4, f"causes of a start are 0 to 4, got {about.start & 0x07}")
    expect(hello.inputs < 1 << 9, f"there are 9 inputs, got levels {hello.inputs:#06x}")


def query_is_answered_by_hello(talk: Talk) -> None:
    """QUERY brings HELLO at once; its time goes on."""
    talk.begin()
    first = talk.hello()
    talk.wait(200, speaking=True)
    second = talk.hello()
    passed = second.device_ms - first.device_ms & 0xFFFFFFFF
    slack = talk.rig.slack_ms + ANSWER_MS
    expect(200 - slack <= passed <= 300 + 2 * slack, f"between two HELLOs 0.25 s apart the box counted {passed} ms")


def ping_is_answered_with_its_token(talk: Talk) -> None:
    """ALIVE carries the token of the PING before it."""
    talk.begin()
    for token in (255, 0, 7):
        talk.ask(Ping(token), Alive, f"PING {token}", lambda m, token=token: m.token == token)  # type: ignore[misc]


def alive_comes_ten_times_a_second(talk: Talk) -> None:
    """Also without a PING, for as long as the host counts as present."""
    talk.begin()
    talk.alive()
    heard = [each for each in talk.wait(8 * ALIVE_MS) if isinstance(each.message, Alive)]
    expect(7 <= len(heard) <= 9, f"ALIVE comes 8 times in 0.8 s, got {len(heard)}")


def silent_host_is_lost_after_a_second_and_found_again(talk: Talk) -> None:
    """ALIVE ends 1000 ms after the host's last word, HELLO begins; a PING brings ALIVE back."""
    talk.begin()
    talk.alive()
    start = talk.rig.now_ms
    heard = talk.wait(HOST_LOST_MS + 2 * BEACON_MS)
    alive = [each.at_ms - start for each in heard if isinstance(each.message, Alive)]
    slack = talk.rig.slack_ms + ANSWER_MS
    expect(bool(alive) and alive[-1] <= HOST_LOST_MS + slack, "ALIVE ends when the host is lost after 1000 ms")
    expect(alive[-1] >= HOST_LOST_MS - 2 * ALIVE_MS - slack, f"the host was given up after {alive[-1]:.0f} ms already")
    expect(any(isinstance(each.message, Hello) for each in heard), "HELLO begins when the host is lost")
    talk.alive()


def leds_order_is_confirmed(talk: Talk) -> None:
    """ALIVE at once, with the order's number; the number wraps from 255 to 1."""
    hello = talk.begin()
    for order in (254, 255, 1):
        leds = Leds(hello.boot, order, (LedState.OFF,) * 4)
        talk.ask(leds, Alive, f"LEDS order {order}", lambda m, order=order: m.led_order == order)  # type: ignore[misc]


def _other(order: int) -> int:
    """An LED order that the box has not been told lately."""
    return (order + 100) % 255 + 1


def leds_of_another_boot_are_ignored(talk: Talk) -> None:
    """A late order of an earlier start changes nothing."""
    hello = talk.begin()
    order = talk.alive().led_order
    talk.say(Leds(hello.boot ^ 1, _other(order), (LedState.WRONG,) * 4))
    got = talk.alive().led_order
    expect(got == order, f"LEDS for boot {hello.boot ^ 1} were taken by boot {hello.boot}")


def _refused(talk: Talk, body: bytes, reason: Refusal) -> None:
    start = len(talk.heard)
    talk.body(body)
    talk.wait(ANSWER_MS + talk.rig.slack_ms)
    answers = [each.message for each in talk.heard[start:] if isinstance(each.message, Refused)]
    what = f"a frame of version {body[0]}, type 0x{body[1]:02x}, {len(body)} bytes"
    expect(len(answers) == 1, f"{what} is answered by one REFUSED, got {len(answers)}")
    (got,) = answers
    expect((got.version, got.kind) == (body[0], body[1]), f"REFUSED names version and type of {what}, got {got}")
    expect(got.reason == reason, f"{what} is refused for its {reason.name.lower()}, got reason {got.reason}")


def unknown_led_state_is_refused_and_changes_nothing(talk: Talk) -> None:
    """REFUSED with reason 4; the order before stays."""
    hello = talk.begin()
    order = talk.alive().led_order
    body = bytearray(pack(Leds(hello.boot, _other(order), (LedState.OFF,) * 4)))
    body[-1] = UNKNOWN_STATE
    _refused(talk, bytes(body), Refusal.VALUE)
    got = talk.alive().led_order
    expect(got == order, f"an order with an unknown state was taken: LED order {got}, expected {order}")


def unknown_version_is_refused(talk: Talk) -> None:
    """Reason 1, whatever else is in the frame."""
    talk.begin()
    _refused(talk, bytes((3, MessageType.QUERY)), Refusal.VERSION)
    _refused(talk, bytes((0, MessageType.PING, 1)), Refusal.VERSION)


def unknown_type_is_refused(talk: Talk) -> None:
    """Reason 2; also for a type that exists in another version only."""
    talk.begin()
    _refused(talk, bytes((1, 0xF0, 1, 2, 3)), Refusal.TYPE)
    _refused(talk, bytes((2, MessageType.PING, 1)), Refusal.TYPE)
    _refused(talk, bytes((1, MessageType.SETTINGS)) + bytes(7), Refusal.TYPE)


def wrong_size_is_refused(talk: Talk) -> None:
    """Reason 3, for a byte more and for one less."""
    talk.begin()
    _refused(talk, bytes((1, MessageType.PING, 1, 2)), Refusal.SIZE)
    _refused(talk, bytes((1, MessageType.PING)), Refusal.SIZE)


def own_words_are_not_answered(talk: Talk) -> None:
    """What has bit 7 of its type clear is never answered, or two boxes would talk for ever."""
    hello = talk.begin()
    for body in (pack(Report(hello.boot, 1, 0, 0)), bytes((9, 0x01)), bytes((2, 0x04)) + bytes(7)):
        start = len(talk.heard)
        talk.body(body)
        talk.wait(ANSWER_MS + talk.rig.slack_ms)
        answers = [each for each in talk.heard[start:] if isinstance(each.message, Refused)]
        expect(not answers, f"type 0x{body[1]:02x} is the box's own and was answered by REFUSED")


def refused_frames_are_no_sign_of_a_host(talk: Talk) -> None:
    """A program that speaks another version does not keep the LEDs from saying that the host is lost."""
    talk.begin()
    for _ in range(HOST_LOST_MS // 100 + 4):
        talk.body(bytes((3, MessageType.PING, 1)))
        talk.wait(100)
    heard = talk.wait(4 * ALIVE_MS)
    expect(not any(isinstance(each.message, Alive) for each in heard), "version 3 alone keeps the host present")


def words_for_another_boot_are_a_sign_of_a_host(talk: Talk) -> None:
    """They say nothing to the box, but somebody is there."""
    hello = talk.begin()
    for _ in range(HOST_LOST_MS // 100 + 4):
        talk.say(Leds(hello.boot ^ 1, 1, (LedState.OFF,) * 4))
        talk.wait(100)
    heard = talk.wait(2 * ALIVE_MS)
    expect(any(isinstance(each.message, Alive) for each in heard), "LEDS for another boot do not keep the host present")


def _damaged(body: bytes, crc: int, fletcher: int) -> bytes:
    trailer = (crc16(body) ^ crc).to_bytes(2, "little") + (fletcher16(body) ^ fletcher).to_bytes(2, "little")
    return b"\x00" + cobs_encode(body + trailer) + b"\x00"


def both_checks_are_made(talk: Talk) -> None:
    """A frame whose CRC or whose Fletcher sum is wrong is thrown away and counted."""
    talk.begin()
    body = pack(Query())
    for name, crc, fletcher in (("CRC", 0x0101, 0), ("Fletcher sum", 0, 0x0101)):
        before = talk.alive().bad_frames
        start = len(talk.heard)
        talk.send(_damaged(body, crc, fletcher))
        talk.wait(ANSWER_MS + talk.rig.slack_ms)
        answered = any(isinstance(each.message, Hello) for each in talk.heard[start:])
        expect(not answered, f"a QUERY with a wrong {name} was answered")
        counted = talk.alive().bad_frames - before & 0xFFFF
        expect(counted == 1, f"a frame with a wrong {name} counts once in bad frames, got {counted}")


def stream_begins_anew_at_every_zero(talk: Talk) -> None:
    """Glued frames, frames in pieces, noise and overlong rubbish before a frame: it is found all the same."""
    talk.begin()
    query, ping = encode_frame(pack(Query())), encode_frame(pack(Ping(9)))
    noise = b"\x00" + b"\x55" * (MAX_ENCODED * 5)
    for name, data in (
        ("glued with one zero", ping[:-1] + query),
        ("after noise", b"\xf0\x14\x10" + query),
        ("after 185 bytes without a zero", noise + query),
        ("after half a frame", ping[:4] + query),
        ("after twenty zeros", bytes(20) + query),
    ):
        start = len(talk.heard)
        talk.send(data)
        talk.wait(2 * ANSWER_MS + talk.rig.slack_ms)
        found = any(isinstance(each.message, Hello) for each in talk.heard[start:])
        expect(found, f"QUERY {name} is not answered")
    start = len(talk.heard)
    for at in range(len(query)):
        talk.send(query[at : at + 1])
        talk.wait(3)
    talk.wait(ANSWER_MS + talk.rig.slack_ms)
    expect(any(isinstance(each.message, Hello) for each in talk.heard[start:]), "QUERY byte by byte is not answered")


def settings_are_stated_in_hello(talk: Talk) -> None:
    """SETTINGS bring a HELLO that states them; for another boot they are ignored."""
    hello = talk.begin()
    if hello.about is None:
        raise BrokenError("HELLO has the form of version 1: it cannot state settings")
    about = hello.about
    try:
        talk.say(Settings(hello.boot, 201, 33, about.options))
        talk.wait(200, speaking=True)
        stated = talk.hello().about
        got = None if stated is None else (stated.lockout_button, stated.lockout_shield)
        expect(got == (201, 33), f"SETTINGS of 201 and 33 are stated as {got}")
        talk.say(Settings(hello.boot ^ 1, 1, 1, about.options))
        talk.wait(200, speaking=True)
        expect(talk.hello().about == stated, "SETTINGS for another boot were taken")
    finally:
        talk.say(Settings(hello.boot, about.lockout_button, about.lockout_shield, about.options))
        talk.wait(200, speaking=True)


LINK_CHECKS = (
    hello_is_sent_four_times_a_second_without_a_host,
    hello_has_its_second_form,
    query_is_answered_by_hello,
    ping_is_answered_with_its_token,
    alive_comes_ten_times_a_second,
    silent_host_is_lost_after_a_second_and_found_again,
    leds_order_is_confirmed,
    leds_of_another_boot_are_ignored,
    unknown_led_state_is_refused_and_changes_nothing,
    unknown_version_is_refused,
    unknown_type_is_refused,
    wrong_size_is_refused,
    own_words_are_not_answered,
    refused_frames_are_no_sign_of_a_host,
    words_for_another_boot_are_a_sign_of_a_host,
    both_checks_are_made,
    stream_begins_anew_at_every_zero,
    settings_are_stated_in_hello,
)
