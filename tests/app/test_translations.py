"""Facts about the messages of table and terminal: each is in Slovak and in Czech, with the same placeholders."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.app import (
    reminders,
    setup_checks,
    standing,
    terminal,
    terminal_view,
    unread_boards,
    watch,
    wiring,
    workbench,
)
from companion.core.errors import DeviceError
from companion.core.said import Said
from companion.i18n import spoken, translations
from companion.table import forgotten, planning, prompts, session, steps
from companion.table.commands import Topic

LOCALE = Path(terminal.__file__).parents[1] / "locale"
ROOT = LOCALE.parents[1]
SAME_IN_ALL = {"video"}


def told() -> set[str]:
    """The message ids of the modules: what is said with `text` or `_say`, and the constants with capital names."""
    found = {topic.value for topic in Topic} | set(prompts._RECORD_SENTENCES.values())
    found |= {terminal.HELP, terminal.NOT_UNDERSTOOD}
    for module in (standing, terminal, terminal_view, prompts):
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("text", "_say")
            ):
                found |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}
    telling = (planning, steps, session, forgotten, reminders, unread_boards, watch, setup_checks, wiring, workbench)
    for module in telling:
        for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                found.add(node.value.value)
    return found - {"{player}: "}


def said() -> set[str]:
    """The message ids of what devices and the reading of pictures say: the first argument of every `Said`, or what is
    assigned to the name that stands there; those made of placeholders alone say nothing themselves."""
    found = set()
    for folder in ("vision", "companion", "calibration", "firmware_bridge"):
        for path in (ROOT / folder).rglob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            calls = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "Said" and n.args]
            names = {n.args[0].id for n in calls if isinstance(n.args[0], ast.Name)}
            given = [n.args[0] for n in calls]
            given += [n.value for n in nodes if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") in names]
            found |= {c.value for n in given for c in ast.walk(n) if isinstance(c, ast.Constant)}
            assert not any(isinstance(n, ast.JoinedStr) for n in given), f"{path}: an f-string is no message id"
    return {message for message in found if re.search(r"[a-z]", re.sub(r"{\w+}", "", message))}


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
    reason = Said("{needed} corner markers are needed, seen: {seen}", needed=3, seen=(0, 2))
    lost = Said("the table cannot be seen: {reason}", reason=reason)
    assert lost == "the table cannot be seen: 3 corner markers are needed, seen: 0, 2"
    translate = translations("sk").gettext
    deep = spoken({"note": lost, "size": (4, 3), "rest": ["as it is", None, Said()]}, translate)
    expected = "stôl nie je vidieť: počet potrebných rohových značiek: 3; vidieť: 0, 2"
    assert deep == {"note": expected, "size": [4, 3], "rest": ["as it is", None, ""]}


def test_a_sentence_keeps_its_parts_when_it_is_copied_to_another_process() -> None:
    moved = pickle.loads(pickle.dumps(Said("the camera has moved by {off} px", off="7.5")))
    assert (moved, moved.message, moved.facts) == (
        "the camera has moved by 7.5 px", "the camera has moved by {off} px", {"off": "7.5"}
    )


def test_an_error_of_a_device_is_said_in_parts() -> None:
    error = DeviceError(Said("{what} {name} sends no picture", what="camera", name=2), remedy=Said("check its cable"))
    assert str(error) == "camera 2 sends no picture. check its cable"
    assert spoken(error.said, translations("cs").gettext) == "kamera 2: neposílá obraz. zkontrolujte kabel"


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
