"""Bodies checked by their schema: what passes, and every problem of what does not, without repeating what was sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from web.routes import ROUTES
from web.schema import checker, one_of, record, rows, text, whole

SEEN = rows(record({"slot": text(5, 1)}), 3, 1)
BODY = record(
    {"as": text(8, 1, "^([A-E]|referee)$"), "number": whole(0, 9), "seen": SEEN},
    {"do": one_of("hold", "go"), "on": {"type": "boolean"}, "note": text(5, 1, r"\S")},
)
GOOD = {"as": "referee", "number": 3, "seen": [{"slot": "r1c1"}]}


@pytest.mark.parametrize("more", [{}, {"number": 3.0}, {"do": "go"}, {"on": False}, {"note": "š"}])
def test_a_body_by_the_schema_has_no_problem(more: dict[str, Any]) -> None:
    assert checker(BODY)(GOOD | more) == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"as": "Q"}, 'body.as: what was sent does not match "^([A-E]|referee)$"'),
        ({"as": "A\n"}, 'body.as: what was sent does not match "^([A-E]|referee)$"'),
        ({"as": None}, 'body.as: what was sent is not of type "string"'),
        ({"number": True}, 'body.number: what was sent is not of type "integer"'),
        ({"number": 1.5}, 'body.number: what was sent is not of type "integer"'),
        ({"number": -1}, "body.number: what was sent is less than the minimum of 0"),
        ({"number": 10}, "body.number: what was sent is greater than the maximum of 9"),
        ({"seen": []}, "body.seen: what was sent has less than 1 items"),
        ({"seen": [{"slot": "a"}] * 4}, "body.seen: what was sent has more than 3 items"),
        ({"seen": ["a"]}, 'body.seen[0]: what was sent is not of type "object"'),
        ({"seen": [{"slot": "a"}, {}]}, 'body.seen[1]: "slot" is a required property'),
        ({"seen": [{"slot": ""}]}, "body.seen[0].slot: what was sent is shorter than 1 characters"),
        ({"seen": [{"slot": "secret"}]}, "body.seen[0].slot: what was sent is longer than 5 characters"),
        ({"do": "secret"}, 'body.do: what was sent is not one of "hold" or "go"'),
        ({"on": 1}, 'body.on: what was sent is not of type "boolean"'),
        ({"note": " "}, r'body.note: what was sent does not match "\\S"'),
        ({"mo.re": 1}, "body: Additional properties are not allowed ('mo.re' was unexpected)"),
    ],
)
def test_one_problem_is_said_with_its_place(more: dict[str, Any], said: str) -> None:
    assert checker(BODY)(GOOD | more) == [said]


def test_all_problems_are_said_at_once() -> None:
    problems = checker(BODY)({"as": 1, "seen": [{}], "x": 1, "y": 2})
    assert problems == [
        'body: "number" is a required property',
        'body.as: what was sent is not of type "string"',
        'body.seen[0]: "slot" is a required property',
        "body: Additional properties are not allowed ('x' was unexpected)",
        "body: Additional properties are not allowed ('y' was unexpected)",
    ]


def keywords(schema: Mapping[str, Any]) -> Iterator[str]:
    """The keywords of a schema and of what is in it."""
    for key, value in schema.items():
        yield key
        for inner in value.values() if key == "properties" else [value] if key == "items" else []:
            yield from keywords(inner)


def test_every_keyword_of_the_routes_is_one_that_these_tests_break() -> None:
    used = {each for route in ROUTES if isinstance(route.body, Mapping) for each in keywords(route.body)}
    assert used <= set(keywords(BODY))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 12) | st.floats() | st.text(max_size=9) | st.sampled_from(["A", "go"]),
    lambda inner: st.lists(inner, max_size=5)
    | st.dictionaries(st.sampled_from(["as", "number", "seen", "do", "on", "note", "slot", "x"]), inner, max_size=8),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(body=JSON | st.dictionaries(st.sampled_from([*BODY["properties"], "x"]), JSON).map(lambda some: GOOD | some))
def test_the_same_bodies_pass_as_by_another_validator_of_the_standard(body: Any) -> None:
    assert (checker(BODY)(body) == []) == jsonschema_rs.Draft202012Validator(BODY).is_valid(body)
