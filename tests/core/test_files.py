"""Files that people name: JSON that no program wrote is told apart from a fault of ours."""

from __future__ import annotations

import pytest

from companion.core.files import parse_json


def test_json_is_read() -> None:
    assert parse_json('{"a": [1, 2]}') == parse_json(b'{"a": [1, 2]}') == {"a": [1, 2]}


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000])
def test_what_is_none_or_nested_too_deeply_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested|Expecting"):
        parse_json(text)
