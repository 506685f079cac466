"""Every text that Envyra shows is there in Slovak and Czech, and nothing else is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.games.envyra import GAME
from companion.games.envyra.describe import SENTENCES
from companion.games.envyra.legality import EXPECTED, THEME_WORDS
from companion.games.envyra.scoring import SET_LABELS

FOLDER = Path(GAME.locale_dir).parent
UNSPOKEN = {"invariants.py", "counts.py"}  # problems of a state or a file are for whoever mends it, in English


def spoken() -> set[str]:
    """The messages of violations and score lines, found in the source: constants handed to Violation or ScoreLine,
    assigned to `message` or `label`, or returned as where a tile is."""
    found = set()
    for path in FOLDER.glob("*.py"):
        if path.name in UNSPOKEN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Violation", "ScoreLine"):
                found |= constants(node.args[1])
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("message", "label"):
                found |= constants(node.value)
            if isinstance(node, ast.FunctionDef) and node.name in ("_whereabouts", "expected_now"):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Tuple):
                        found |= constants(inner.value.elts[1])
    return found


def constants(node: ast.expr) -> set[str]:
    """Whole string constants; the pieces of an f-string are none."""
    pieces = {id(c) for f in ast.walk(node) if isinstance(f, ast.JoinedStr) for c in ast.walk(f)}
    nodes = [c for c in ast.walk(node) if isinstance(c, ast.Constant) and id(c) not in pieces]
    return {c.value for c in nodes if isinstance(c.value, str)}


def wanted() -> set[str]:
    texts = spoken() | set(SENTENCES.values()) | set(THEME_WORDS.values()) | set(SET_LABELS.values())
    texts |= {words for _, words in EXPECTED.values()} | {option.title for option in GAME.options}
    for clause in GAME.clauses.values():
        texts |= {clause.title, clause.text}
    return texts


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_is_translated_and_no_translation_is_left_over(language):
    with (GAME.locale_dir / f"{language}.po").open("rb") as source:
        catalog = {m.id: m.string for m in read_po(source, locale=language) if m.id}
    assert wanted() - set(catalog) == set()
    assert set(catalog) - wanted() == set()
    for text, translated in catalog.items():
        assert translated
        assert set(re.findall(r"{(\w+)}", translated)) == set(re.findall(r"{(\w+)}", text)), text


def test_rulings_are_marked_as_rulings():
    for clause in GAME.clauses.values():
        assert (clause.source.value == "rulebook") == clause.id.startswith("E")
    assert [c.id for c in GAME.clauses.values() if c.source.value == "option"] == ["R-01", "R-11"]
