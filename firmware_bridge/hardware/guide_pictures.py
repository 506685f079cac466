"""The guide's pictures of its first and last step: what is plugged where, how the LEDs blink."""

from __future__ import annotations

from firmware_bridge.constants import LED_PATTERNS, LED_STEP_MS, LedState
from firmware_bridge.hardware.svg import circle, drawing, line, rect, text

STEPS = 16
"""Of an LED's pattern (PROTOCOL.md)."""
COLOURS = {(True, False): "#18a558", (False, True): "#d2302b", (True, True): "#e79a00"}
SEEN_AS = {
    LedState.OFF: "dark: nothing is asked of you",
    LedState.PLACE_NOW: "green, slowly: place now, then press",
    LedState.CONFIRMED: "green, steady: your press is written down",
    LedState.YOUR_TURN: "amber, two short flashes: your turn",
    LedState.WRONG: "red, fast: something is wrong at your place",
    LedState.HOST_LOST: "red, one short flash: no companion",
}
"""In the order of the guide's table."""
_STEP_PX, _ROW_PX, _LEFT_PX, _TOP_PX = 22, 40, 20, 56
_PINS = 15  # on each side of a Nano


def led_rhythms() -> str:
    """Two seconds of each state, from the very patterns that the firmware shows."""
    middle = _LEFT_PX + STEPS * _STEP_PX
    seconds = STEPS * LED_STEP_MS / 1000
    parts = [text(_LEFT_PX, 26, f"{seconds:g} seconds of each LED, again and again", 'class="title"')]
    for second in range(int(seconds) + 1):
        x = _LEFT_PX + second * 1000 / LED_STEP_MS * _STEP_PX
        bottom = _TOP_PX + len(SEEN_AS) * _ROW_PX - 6
        parts.append(line((x, _TOP_PX - 8), (x, bottom), colour="#bbb", width=1))
        parts.append(text(x, _TOP_PX - 12, f"{second} s", 'text-anchor="middle" class="small"'))
    for row, (state, words) in enumerate(SEEN_AS.items()):
        y = _TOP_PX + row * _ROW_PX
        parts.append(rect(_LEFT_PX, y, STEPS * _STEP_PX, 22, 'fill="#f1f3f2" stroke="#888" stroke-width="1"'))
        green, red = LED_PATTERNS[state]
        for step in range(STEPS):
            lit = bool(green >> step & 1), bool(red >> step & 1)
            if any(lit):
                parts.append(rect(_LEFT_PX + step * _STEP_PX, y, _STEP_PX, 22, f'fill="{COLOURS[lit]}"'))
        parts.append(text(middle + 16, y + 16, words))
    return drawing(middle + 320, _TOP_PX + len(SEEN_AS) * _ROW_PX + 6, "How the LEDs blink", parts)


def first_evening() -> str:
    """The board alone at the computer: which socket, which light, and where a programmer would go."""
    left, top, wide, high = 300, 80, 300, 120  # the board
    parts = [text(20, 28, "Step 1: the board alone, on the computer's cable", 'class="title"')]
    parts += [rect(20, 70, 170, 110, 'rx="8" fill="#e5e7eb" stroke="#222" stroke-width="1.6"'),
              rect(34, 84, 142, 70, 'fill="#f8fafc" stroke="#222"'),
              text(42, 108, "companion box", 'class="small"'), text(42, 124, "  doctor", 'class="small"'),
              text(42, 140, "  flash", 'class="small"'), text(105, 202, "computer", 'text-anchor="middle"')]
    parts.append(line((190, 140), (240, 140), (240, top + 60), (left - 22, top + 60), width=5))
    parts.append(text(214, 226, "a cable that carries data", 'text-anchor="middle" class="small"'))
    parts.append(rect(left, top, wide, high, 'rx="4" fill="#1f6f8b" stroke="#123" stroke-width="1.6"'))
    for n in range(_PINS):
        x = left + 10 + n * (wide - 20) / (_PINS - 1)
        parts += [circle(x, top + 8, 3.2, 'fill="#e6c65c"'), circle(x, top + high - 8, 3.2, 'fill="#e6c65c"')]
    parts.append(rect(left - 22, top + 42, 46, 36, 'fill="#c7ccd1" stroke="#222"'))
    parts.append(text(left - 2, top - 8, "USB", 'text-anchor="middle" class="small"'))
    chip = left + 150, top + 60
    parts.append(f'<g transform="rotate(45 {chip[0]} {chip[1]})">' + rect(chip[0] - 24, chip[1] - 24, 48, 48,
                 'fill="#222"') + "</g>")
    parts.append(text(chip[0], chip[1] + 4, "328P", 'text-anchor="middle" class="small" style="fill:#fff"'))
    parts.append(circle(left + 96, top + 34, 5, 'fill="#ffd24d" stroke="#222"'))
    parts += [line((left + 96, top + 28), (left + 96, top - 22), width=1),
              text(left + 130, top - 28, "light D13: lit while the program speaks with the box",
                   'text-anchor="middle" class="small"')]
    for n in range(6):
        parts.append(circle(left + wide - 34 + n % 2 * 14, top + 46 + n // 2 * 14, 3.6, 'fill="#e6c65c"'))
    parts += [line((left + wide - 27, top + 84), (left + wide - 27, top + high + 34), width=1),
              text(left + wide - 20, top + high + 50, "six-pin header: for a programmer, if there is no bootloader",
                   'text-anchor="end" class="small"')]
    return drawing(640, 268, "The board at the computer", parts)
