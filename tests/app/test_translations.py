"""Facts about the messages of table and terminal: each is in Slovak and in Czech, with the same placeholders."""

from __future__ import annotations

import ast
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
from companion.table import forgotten, planning, prompts, session, steps
from companion.table.commands import Topic

LOCALE = Path(terminal.__file__).parents[1] / "locale"


def spoken() -> set[str]:
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


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_message_is_translated_with_its_placeholders(language: str) -> None:
    with (LOCALE / f"{language}.po").open("rb") as source:
        catalogue = read_po(source, locale=language)
    messages = spoken()
    assert len(messages) > 60
    for message in messages:
        entry = catalogue.get(message)
        assert entry is not None, f"{language}.po has no {message!r}"
        assert entry.string, f"{language}.po: {message!r} is empty"
        assert set(re.findall(r"{\w+}", str(entry.string))) == set(re.findall(r"{\w+}", message)), message
