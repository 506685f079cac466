"""What tests of whole evenings share: people with their devices, who see pixels and touch what is shown."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from browser_kit import shot, visitor
from page_texts import page_ids
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, TimeoutError
from web_kit import PIN

from web.texts import script_ids, translator

NEARER = (1.0, 1.5, 2.0, 0.75)
"""People move and turn the phone until the code is read: either detector misses some codes at any one distance."""
BEFORE_ACTS = frozenset({"set-up", "join", "draw"})
"""What people do before they play."""
LOOKS = 10
"""A code may be drawn anew while a camera is held before it; one that cannot be read after so many looks never is."""
PHONE, LAPTOP, SCREEN = (390, 844), (1280, 800), (1920, 1080)


def decoded(png: bytes) -> str:
    """What the QR code of a picture says, "" when it cannot be read near or from twice as near."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    for scale in NEARER:
        near = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        for seen in (near, np.ascontiguousarray(np.rot90(near))):
            for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
                text, _, _ = detector.detectAndDecode(seen)
                if text:
                    return str(text)
    return ""


def scanned(code: Locator) -> str:
    """What one QR code says, from the pixels of its place on the screen: held before it until it is read."""
    for _ in range(LOOKS):
        try:
            code.scroll_into_view_if_needed()
        except Error:
            continue  # it was drawn anew under the camera: look again
        box = code.bounding_box()
        if box is not None:
            text = decoded(code.page.screenshot(clip=box))  # type: ignore[arg-type]
            if text:
                return text
    shot(code.page, "code-that-cannot-be-scanned")
    raise AssertionError("expected a code that can be scanned, got pixels that say nothing")


@dataclass
class Tally:
    """Taps and seconds of an evening, by what they were for."""

    taps: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    begun_s: float = field(default_factory=time.monotonic)
    first_act_s: float = 0.0
    """From opening the first address to the first act at the table."""

    def each(self, act: str) -> float:
        """Taps for one act of this kind."""
        return self.taps[act] / max(1, self.acts[act])

    def told(self) -> str:
        """A line for each kind of act."""
        lines = [f"{act}: {self.acts[act]} times, {self.each(act):.1f} taps each" for act in sorted(self.acts)]
        seconds = f"{self.first_act_s:.0f} seconds to the first act, {time.monotonic() - self.begun_s:.0f} in all"
        return "\n".join((*lines, seconds))


class Person:
    """Somebody with a device of their own: sees pixels, touches what is shown, and minds what is wrong with it."""

    def __init__(
        self, browser: Browser, name: str, size: tuple[int, int], tally: Tally, language: str = "en", **more: Any
    ) -> None:
        self.name, self.tally, self.language = name, tally, language
        self.context, self.page = visitor(browser, size, locale=LOCALES[language], **more)
        self.faults: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"{self.name}: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        # A server that is being started again answers nobody: the browser reports that, and the page says so itself.
        if message.type == "error" and "net::ERR_" not in message.text:
            self.faults.append(f"{self.name}: {message.text} ({message.location.get('url', '')})")

    def see(self, place: str) -> Locator:
        """What is shown there."""
        return self.page.locator(place)

    def shown(self, place: str) -> bool:
        """Whether anything is shown there."""
        return self.page.locator(f"{place}:visible").count() > 0

    def tap(self, what: str | Locator, act: str, timeout: float | None = None) -> None:
        """Touch what is shown; it counts for `act`. Raises TimeoutError when it is not there any more after `timeout`
        milliseconds."""
        place = self.page.locator(what) if isinstance(what, str) else what
        place.click(timeout=timeout)
        self.tally.taps[act] += 1

    def done(self, act: str) -> None:
        """An act of this kind is complete; nothing was refused."""
        self.tally.acts[act] += 1
        if act not in BEFORE_ACTS and not self.tally.first_act_s:
            self.tally.first_act_s = time.monotonic() - self.tally.begun_s
        if self.shown(".toast"):
            self.faults.append(f"{self.name}, {act}, refused: {self.see('.toast').inner_text()}")

    def choose(self, place: str, random: Random) -> Locator | None:
        """One of the things shown there, by chance; None when there is none."""
        count = self.page.locator(f"{place}:visible").count()
        return self.page.locator(f"{place}:visible").nth(random.randrange(count)) if count else None

    def look_round(self) -> None:
        """Mind what this page shows now: alike offers, lost pictures, another language, a page that says nothing."""
        try:
            seen = self.page.evaluate(LOOK)
        except Error:  # the page was just going on to another: look again when it has come
            self.page.wait_for_load_state()
            seen = self.page.evaluate(LOOK)
        twice = [text for text, n in Counter(seen["offers"]).items() if n > 1]
        self.faults += [f"{self.name}: two offers read {text!r}" for text in twice]
        self.faults += [f"{self.name}: a picture is lost: {source}" for source in seen["lost"]]
        for text in (*seen["texts"], *seen["labels"]):
            if CODE.search(text):
                self.faults.append(f"{self.name}: {text!r} has an internal code")
            english = self.language != "en" and set(re.findall(r"[a-z]+", text.lower())) & ENGLISH
            if english or text in english_only(self.language):
                self.faults.append(f"{self.name}: {text!r} is not in {self.language}")
        if seen["headline"] == "":
            self.faults.append(f"{self.name}: the page does not say what is to be done")


class ByKeyboard(Person):
    """Somebody who uses no pointer: Tab goes on to a thing, Enter does it."""

    def tap(self, what: str | Locator, act: str, timeout: float | None = None) -> None:
        """Tab until the thing has the focus, then Enter; one that is not reached is a fault."""
        place = self.page.locator(what) if isinstance(what, str) else what
        place.wait_for(state="visible", timeout=timeout)
        for _ in range(MOST_TABS):
            if place.evaluate("e => e.contains(document.activeElement)", timeout=timeout):
                self.page.keyboard.press("Enter")
                self.tally.taps[act] += 1
                return
            self.page.keyboard.press("Tab")
        self.faults.append(f"{self.name}: {place.text_content(timeout=timeout)!r} is not reached by Tab")
        raise TimeoutError("not reached by Tab")


MOST_TABS = 400
"""More than any page has to go on to: a map of some hundred spaces, of which those that can be taken are reached."""
LOCALES = {"en": "en-GB", "sk": "sk-SK", "cs": "cs-CZ"}
CODE = re.compile(r"\br\d+c\d+\b|\b(?:flora|water|fire|bonus)-\d|\b(?:location|event)-\w|{\w+}|undefined|\[object")
"""Words of the record and the program that people must not meet; a placeholder that was not filled is one."""
ENGLISH = frozenset(
    word for line in (
        "the and with your you tile tiles cube cubes row column player players worker workers card cards from choose",
        "wait draw game round turn phone screen wound enemy market building points price place places fire earth water",
        "mountain forest desert village river imperium gold spell left right nothing",
    ) for word in line.split()
)
"""Words that neither Slovak nor Czech has."""
LOOK = """() => {
  const shown = (e) => e.checkVisibility();
  const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim();
    const around = walk.currentNode.parentElement;
    if (text && shown(around) && !around.closest('script, style, [lang], .code')) texts.push(text);
  }
  const label = (e) => e.getAttribute('aria-label') || e.textContent.trim();
  return {
    texts,
    labels: [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].filter(shown).flatMap((e) =>
      ['aria-label', 'title', 'placeholder', 'alt'].map((name) => e.getAttribute(name)).filter(Boolean)),
    offers: [...document.querySelectorAll('#acts button')].filter(shown).map(label),
    lost: [...document.images].filter((e) => shown(e) && e.complete && e.src && !e.naturalWidth).map((e) => e.src),
    headline: document.querySelector('#headline')?.textContent ?? null,
  };
}"""


@cache
def english_only(language: str) -> frozenset[str]:
    """The sentences that are shown in English alone: seen in another language they are a fault."""
    if language == "en":
        return frozenset()
    ids = {*script_ids(), *page_ids()}
    translate = translator(language)
    said = {translate(text) for text in ids}
    return frozenset(text for text in ids if translate(text) != text and text not in said)


class Served:
    """`companion serve` as a process of its own on one port: killed and started again as people do."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._folder, self._arguments = folder, arguments
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it and wait until it has said where it is."""
        command = [sys.executable, "-m", "companion.app.cli", "serve", "--port", str(self.port), "--bind", "127.0.0.1",
                   "--pin", PIN, "--no-https", *self._arguments]
        environment = {**os.environ, "COMPANION_DATA_DIR": str(self._folder), "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self._process.stdout is not None
        while not (line := self._process.stdout.readline()).startswith("Referee"):
            assert line, "the command ended before it served"

    def kill(self) -> None:
        """As when the power fails."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
