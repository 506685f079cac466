"""The texts that a game shows to people, found in its source, and the translations its .po files hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from babel.messages.pofile import read_po

from companion.core.face_form import FaceForm, Values
from companion.core.game import GameSpec
from companion.core.messages import Message


def spoken(folder: Path, *, leave_out: frozenset[str], telling: frozenset[str] = frozenset()) -> set[str]:
    """The messages of violations and score lines in the modules of `folder` but those named in `leave_out`.

    They are constants handed to Violation or ScoreLine, assigned to `message` or `label`, or returned as the second
    value by the functions called as in `telling`.
    """
    found = set()
    for path in sorted(folder.rglob("*.py")):
        if path.name in leave_out:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Violation", "ScoreLine"):
                found |= constants(node.args[1])
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("message", "label"):
                found |= constants(node.value)
            if isinstance(node, ast.FunctionDef) and node.name in telling:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Tuple):
                        found |= constants(inner.value.elts[1])
    return found


def texts_in(module: ModuleType) -> set[str]:
    """The sentences of a module: constants in capitals that it assigns itself, texts and tables of texts."""
    source = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    targets = [node.targets[0] for node in source.body if isinstance(node, ast.Assign)]
    targets += [node.target for node in source.body if isinstance(node, ast.AnnAssign)]
    names = {
        name.id
        for target in targets
        for name in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(name, ast.Name) and name.id.isupper()
    }
    found: set[str] = set()
    for name in names:
        value = vars(module)[name]
        values = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
        found |= {text for text in values if isinstance(text, str)}
    return found


def constants(node: ast.expr) -> set[str]:
    """Whole string constants; the pieces of an f-string are none."""
    pieces = {id(c) for f in ast.walk(node) if isinstance(f, ast.JoinedStr) for c in ast.walk(f)}
    nodes = [c for c in ast.walk(node) if isinstance(c, ast.Constant) and id(c) not in pieces]
    return {c.value for c in nodes if isinstance(c.value, str)}


def texts_of_spec(spec: GameSpec) -> set[str]:
    """Titles and labels of options, titles and texts of clauses, reminders, sentences of secrets, tie-breaks."""
    clauses = {text for clause in spec.clauses.values() for text in (clause.title, clause.text)}
    labels = {label for option in spec.options for label in option.labels}
    reminders = {reminder.text for reminder in spec.reminders.values() if reminder.text}
    options, secrets = {option.title for option in spec.options}, set(spec.secret_sentences.values())
    return clauses | labels | reminders | options | secrets | set(spec.tiebreaks)


def assert_translated(spec: GameSpec, language: str, wanted: set[str]) -> None:
    """Every wanted text is in the game's .po file of the language with the same placeholders, and nothing else is."""
    with (spec.locale_dir / f"{language}.po").open("rb") as source:
        catalog = {m.id: m.string for m in read_po(source, locale=language) if m.id}
    assert wanted - set(catalog) == set()
    assert set(catalog) - wanted == set()
    for text, translated in catalog.items():
        assert translated
        assert set(re.findall(r"{(\w+)}", translated)) == set(re.findall(r"{(\w+)}", text)), text


def texts_of_form(form: FaceForm, pieces: Sequence[Values]) -> set[str]:
    """What a form says of the pieces of a game, with the counts that it shows for a box of such `pieces`."""
    texts = {form.one, form.many, form.table} | {field.title for field in form.fields}
    texts |= {label for field in form.fields for label in field.labels}
    for text in (*(line.text for line in form.progress(pieces)), *(one.title for one in form.asked)):
        texts |= {text.message} | {fact.message for fact in text.facts.values() if isinstance(fact, Message)}
    return texts
