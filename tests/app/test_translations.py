"""Facts about the messages of table and terminal: each is in Slovak and in Czech, with the same placeholders."""

from __future__ import annotations

import ast
import pickle
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import companion
from calibration.course.faults import PieceFault
from companion.app.camera.watch import open_question, reminders, unread_boards
from companion.app.camera.watch import table_watch as watch
from companion.app.dashboard import setup_checks
from companion.app.dashboard import setup_steps as workbench
from companion.app.enrolment import enrolment, looking
from companion.app.game import new_game
from companion.app.hall import around
from companion.app.machine import checks as machine_checks
from companion.app.terminal import referee as terminal
from companion.app.terminal import status as standing
from companion.app.terminal import text as terminal_view
from companion.app.upkeep import examination, lens_bench
from companion.core.errors import DeviceError
from companion.core.messages import Message
from companion.i18n import LIST_OF_PEOPLE, localize, translations
from companion.table import outcome, planning, prompts, session, steps
from companion.table.commands import Topic
from companion.table.tracking import overdue as forgotten

LOCALE = Path(companion.__file__).parent / "locale"
ROOT = LOCALE.parents[1]
SAME_IN_ALL = {"video"}


def told() -> set[str]:
    """The message ids of the modules: what is said with `text` or `_say`, and the constants with capital names."""
    found = {topic.value for topic in Topic} | set(prompts._RECORD_SENTENCES.values())
    found |= {fault.value for fault in PieceFault}
    found |= {prompts.COUNTED_DOWN, *prompts._CLOCK_SENTENCES.values()}
    found |= {terminal.HELP, terminal.NOT_UNDERSTOOD, LIST_OF_PEOPLE}
    for module in (standing, terminal, terminal_view, prompts):
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("text", "_say")
            ):
                found |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}
    telling = (planning, steps, session, forgotten, reminders, unread_boards, open_question, watch, setup_checks,
               new_game, workbench, outcome, enrolment, looking, lens_bench, examination, machine_checks, around)
    for module in telling:
        for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                found.add(node.value.value)
    return found - {"{player}: "}


@cache
def said(*, at_the_hall: bool = False) -> frozenset[str]:
    """The message ids of what devices and the reading of pictures say: the first argument of every `Message`, or what
    is assigned to the name that stands there; those made of placeholders alone say nothing themselves. `at_the_hall`:
    what the hub says, whose pages have their own translations, and nothing else."""
    found = set()
    for folder in ("vision", "companion", "calibration", "firmware_bridge"):
        for path in (ROOT / folder).rglob("*.py"):
            if "games" in path.relative_to(ROOT).parts:
                continue  # a game's sentences are in its own folder: tests/games
            if path.is_relative_to(ROOT / "companion" / "hub") is not at_the_hall:
                continue
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            calls = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "Message" and n.args]
            names = {n.args[0].id for n in calls if isinstance(n.args[0], ast.Name)}
            given = [n.args[0] for n in calls]
            given += [n.value for n in nodes if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") in names]
            found |= {c.value for n in given for c in ast.walk(n) if isinstance(c, ast.Constant)}
            assert not any(isinstance(n, ast.JoinedStr) for n in given), f"{path}: an f-string is no message id"
    return frozenset(message for message in found if re.search(r"[a-z]", re.sub(r"{\w+}", "", message)))


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_what_the_hub_says_is_translated_with_its_placeholders(language: str) -> None:
    hall = ROOT / "web" / "hall"
    translate = translations(language, hall / "events" / "locale", hall / "locale").gettext
    messages = said(at_the_hall=True)
    assert "an event has 1 to {most} rounds" in messages
    for message in messages:
        assert translate(message) != message, f"{language}.po has no {message!r}"
        assert set(re.findall(r"{\w+}", translate(message))) == set(re.findall(r"{\w+}", message)), message


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_what_camera_and_reading_say_is_translated_with_its_placeholders(language: str) -> None:
    translate = translations(language).gettext
    messages = said()
    assert {"the light has changed", "no new picture for {seconds} s"} < messages
    assert len(messages) > 55
    for message in messages:
        assert translate(message) != message or message in SAME_IN_ALL, f"{language}.po has no {message!r}"
        assert set(re.findall(r"{\w+}", translate(message))) == set(re.findall(r"{\w+}", message)), message


def test_a_sentence_is_said_in_another_language_however_deep_it_stands() -> None:
    reason = Message("{needed} corner markers are needed, seen: {seen}", needed=3, seen=(0, 2))
    lost = Message("the table cannot be seen: {reason}", reason=reason)
    assert lost == "the table cannot be seen: 3 corner markers are needed, seen: 0, 2"
    translate = translations("sk").gettext
    deep = localize({"note": lost, "size": (4, 3), "rest": ["as it is", None, Message()]}, translate)
    expected = "stôl nie je vidieť: musí byť vidno aspoň 3 rohové značky, vidno: 0, 2"
    assert deep == {"note": expected, "size": [4, 3], "rest": ["as it is", None, ""]}


def test_a_sentence_keeps_its_parts_when_it_is_copied_to_another_process() -> None:
    moved = pickle.loads(pickle.dumps(Message("the camera has moved by {off} px", off="7.5")))
    assert (moved, moved.message, moved.facts) == (
        "the camera has moved by 7.5 px", "the camera has moved by {off} px", {"off": "7.5"}
    )


def test_an_error_of_a_device_is_said_in_parts() -> None:
    silent = Message("{what} {name} sends no picture", what="camera", name=2)
    error = DeviceError(silent, remedy=Message("check its cable"))
    assert str(error) == "camera 2 sends no picture. check its cable"
    assert localize(error.said, translations("cs").gettext) == "kamera 2: neposílá obraz. zkontrolujte kabel"


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_message_is_translated_with_its_placeholders(language: str) -> None:
    with (LOCALE / f"{language}.po").open("rb") as source:
        catalogue = read_po(source, locale=language)
    messages = told()
    assert len(messages) > 60
    for message in messages:
        entry = catalogue.get(message)
        assert entry is not None, f"{language}.po has no {message!r}"
        assert entry.string, f"{language}.po: {message!r} is empty"
        assert set(re.findall(r"{\w+}", str(entry.string))) == set(re.findall(r"{\w+}", message)), message
