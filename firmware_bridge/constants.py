"""The numbers that box and host share; the C header is generated from here by `python -m firmware_bridge.generate`."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

from companion.core.inputs import BoxInput

# Each message carries the version of the protocol in which its form was last changed; see FORMS in messages.py.
PROTOCOL_VERSION: Final = 2
FIRMWARE_VERSION: Final = 2

BAUD: Final = 57_600  # 16 MHz divides to 57,142 (-0.8 %); 115,200 would be off by 2.1 %
MAX_BODY: Final = 32  # longest body in bytes, trailer not counted; bounds every buffer on both ends
TRAILER_SIZE: Final = 4  # CRC-16 and Fletcher-16
MAX_ENCODED: Final = MAX_BODY + TRAILER_SIZE + 1  # COBS adds one byte to less than 254

SCAN_MS: Final = 1
DEBOUNCE_MS: Final = 5  # a button is pressed once it kept closed for so long: longer than a 3 ms glitch
REST_MS: Final = 40  # for a release and for shields: longer than the 30 ms for which a worn contact opens in one press
LOCKOUT_BUTTON_MS: Final = 300  # after a press nothing is reported of that button: two presses by a finger are slower
LOCKOUT_SHIELD_MS: Final = 150  # after a report of a shield: a shield that is put down rocks for about 0.1 s
LOCKOUT_STEP_MS: Final = 2  # of a lock-out on the wire: one byte reaches 510 ms
QUEUE_REPORTS: Final = 48  # reports kept until acknowledged: 24 presses without a host
WINDOW: Final = 8  # reports in flight at a time: 31 ms on the wire
RETRY_MS: Final = 50  # more than a window on the wire, or an FTDI chip's 16 ms and a reply
ALIVE_MS: Final = 100  # eight in a row must be lost before the link counts as dead
PING_MS: Final = 100
BEACON_MS: Final = 250  # HELLO while no host speaks
HOST_LOST_MS: Final = 1000  # silence of the host after which the LEDs say so
LINK_DEAD_MS: Final = 800  # silence of the box after which the host says so; with the read time below 1 s
LED_STEP_MS: Final = 125  # one bit of a LED pattern; 16 bits make 2 s


class MessageType(IntEnum):
    """The second byte of a body; bit 7 is set from host to box."""

    HELLO = 0x01
    REPORT = 0x02
    ALIVE = 0x03
    REFUSED = 0x04
    QUERY = 0x81
    ACK = 0x82
    PING = 0x83
    LEDS = 0x84
    SETTINGS = 0x85


class LedState(IntEnum):
    """What a station's LED tells its player. HOST_LOST is shown by the box itself."""

    OFF = 0
    PLACE_NOW = 1
    CONFIRMED = 2
    YOUR_TURN = 3
    WRONG = 4
    HOST_LOST = 5


class Board(IntEnum):
    """What the firmware runs on, as HELLO says it."""

    UNKNOWN = 0
    ATMEGA328P = 1
    ATMEGA168 = 2
    RP2040 = 3
    ESP32 = 4
    PROGRAM = 0x7F  # no board: the virtual box, or firmware built for the computer itself


class StartCause(IntEnum):
    """Why the box started last; bits 0 to 2 of `start` in HELLO."""

    UNKNOWN = 0
    POWER_ON = 1
    RESET = 2  # the reset button, or a computer that opened the port
    BROWN_OUT = 3
    WATCHDOG = 4


START_CAUSE_MASK: Final = 0x07
OPTION_SHIFT: Final = 4  # the options stand in the high half of `start`


class Option(IntFlag):
    """How a box is built, as far as its firmware must know; kept in the box."""

    LED_ANODE = 0x01  # the LEDs' common leg is at 5 V: a low pin lights
    BUZZER = 0x02  # a buzzer at the pin of the small LED: it sounds when a decision becomes due


class Refusal(IntEnum):
    """Why a frame whose checks match was not taken."""

    VERSION = 1
    TYPE = 2
    SIZE = 3
    VALUE = 4


BUZZ_MS: Final = 60  # heard across a table, and over before it annoys

# (green, red) for each state: bit n is the colour in step n of 16. No two states share a rhythm, so that they are
# told apart without seeing the colour.
LED_PATTERNS: Final[dict[LedState, tuple[int, int]]] = {
    LedState.OFF: (0x0000, 0x0000),
    LedState.PLACE_NOW: (0x0F0F, 0x0000),  # green, half a second on and off
    LedState.CONFIRMED: (0xFFFF, 0x0000),  # green, steady
    LedState.YOUR_TURN: (0x0505, 0x0505),  # amber, two short flashes a second
    LedState.WRONG: (0x0000, 0x5555),  # red, four blinks a second
    LedState.HOST_LOST: (0x0000, 0x0001),  # red, one short flash in two seconds
}

STATIONS: Final = 4
INPUTS: Final[tuple[BoxInput, ...]] = tuple(BoxInput)  # index on the wire: confirm 0-3, shield 4-7, referee 8
INPUT_INDEX: Final[dict[BoxInput, int]] = {each: index for index, each in enumerate(INPUTS)}
PRESSED_BIT: Final = 0x80  # in a report's input byte: pressed; clear: released


def led_colours(state: LedState, at_ms: int) -> tuple[bool, bool]:
    """(green, red) of a LED in `state` at device time `at_ms`: the pattern's step of 125 ms."""
    step = (at_ms // LED_STEP_MS) % 16
    green, red = LED_PATTERNS[state]
    return bool(green >> step & 1), bool(red >> step & 1)
