"""Catalogues with mistakes, and what is said of them."""

from __future__ import annotations

import pytest

from companion.core.errors import DataError
from companion.core.game import GameSpec


def catalogue_problems(spec: GameSpec, *changes: tuple[str, str]) -> str:
    """What the sample catalogue with these (old, new) texts is refused for, the first place of each changed."""
    text = spec.load_catalogue("sample").text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(DataError) as caught:
        spec.load_catalogue(text)
    return caught.value.message
