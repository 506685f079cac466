"""The page about the rules names every option, event and view key; the page about catalogues has a true example."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from envyra_positions import position, rules_of

from companion.games.envyra import GAME
from companion.games.envyra.actions import NOTATION

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
ENGINE = (REFERENCE / "envyra.md").read_text(encoding="utf-8")
CATALOGUE = (REFERENCE / "catalogue.md").read_text(encoding="utf-8")


def words(part: str) -> set[str]:
    """The words that stand as code in a part of the page."""
    return {word for code in re.findall(r"`([^`]+)`", part) for word in code.split()}


def test_every_option_with_its_values_is_on_the_page():
    part = ENGINE.split("## Options")[1].split("## ")[0]
    rows = {row.split("|")[1].strip(" `"): row for row in part.splitlines() if row.startswith("| `")}
    for option in GAME.options:
        assert set(option.values) <= {w.strip(",") for w in words(rows[option.key])}


def test_every_event_is_on_the_page_in_a_form_that_can_be_typed():
    part = ENGINE.split("## Events")[1].split("## ")[0]
    forms = [
        form
        for row in part.splitlines()
        if row.startswith("| `")
        for form in re.findall(r"`([^`]+)`", row.split("|")[1])
    ]
    kinds = {type(NOTATION.parse(form.replace("TILE", "flora-1-a"))) for form in forms}
    assert kinds == {*GAME.action_types, *GAME.draw_types}


def test_every_key_of_a_view_is_on_the_page():
    rules = rules_of(3, equilibrium="a")
    view = rules.view(position(rules, open_cards=[["eq-1", ""], ["eq-2", ""]]), None)
    part = words(ENGINE.split("## Views")[1])
    for nested in (view, view["cells"][0], view["cells"][0]["tile"], view["seats"][0], view["seats"][0]["score"]):
        assert set(nested) <= part
    for nested in (view["supply"], view["end_tile"], view["order"][0]):
        assert set(nested) <= part


def test_every_kind_of_key_of_a_catalogue_is_on_the_page():
    example = tomllib.loads(CATALOGUE.split("```toml")[1].split("```")[0])
    assert set(example) == {"catalogue", "symbols", "tile", "card"}
    sample = tomllib.loads(GAME.load_catalogue("sample").text)
    for kind in ("tile", "card"):
        used = {key for piece in sample[kind] for key in piece}
        assert used - set(example[kind][0]) <= {"alternative"}
    assert "`alternative = true`" in CATALOGUE
